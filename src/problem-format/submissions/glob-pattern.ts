/** A part of a pattern: a character, `*`, or the options of `{a,b}`. */
type Part = string | typeof STAR | { readonly options: readonly (readonly Part[])[] }

const STAR = Symbol('*')

/** Longer patterns are refused. */
export const MOST_PATTERN_CHARACTERS = 100

/**
 * Makes a test for paths and everything below them: `*` within a name, and `{a,b}`. Undefined for an
 * invalid pattern. It needs no regular expression: packages are untrusted, and those can be slow.
 */
export function compileGlob(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > MOST_PATTERN_CHARACTERS) return undefined
  const place = { index: 0 }
  const parts = parseParts(pattern, place, false)
  if (parts === undefined) return undefined
  return (path) => {
    const ends = advance(parts, path, new Set([0]))
    return ends.has(path.length) || [...ends].some((end) => path[end] === '/')
  }
}

/** The parts up to the end, or up to `,` or `}` in braces. Undefined: braces without an end. */
function parseParts(pattern: string, place: { index: number }, inBraces: boolean): Part[] | undefined {
  const parts: Part[] = []
  while (place.index < pattern.length) {
    const character = pattern.charAt(place.index)
    if (inBraces && (character === ',' || character === '}')) return parts
    if (character === '}') return undefined
    place.index += 1
    if (character === '{') {
      const options = parseOptions(pattern, place)
      if (options === undefined) return undefined
      parts.push({ options })
    } else parts.push(character === '*' ? STAR : character)
  }
  return inBraces ? undefined : parts
}

function parseOptions(pattern: string, place: { index: number }): Part[][] | undefined {
  const options: Part[][] = []
  for (;;) {
    const option = parseParts(pattern, place, true)
    if (option === undefined) return undefined
    options.push(option)
    place.index += 1
    if (pattern[place.index - 1] === '}') return options
  }
}

/** All places of a path that the parts reach from these places. */
function advance(parts: readonly Part[], path: string, from: ReadonlySet<number>): ReadonlySet<number> {
  let places = from
  for (const part of parts) {
    if (places.size === 0) return places
    const next = new Set<number>()
    if (typeof part === 'string') for (const place of places) addIf(next, place + 1, path[place] === part)
    else if (part === STAR) for (const place of places) addName(next, path, place)
    else for (const option of part.options) for (const end of advance(option, path, places)) next.add(end)
    places = next
  }
  return places
}

function addIf(places: Set<number>, place: number, condition: boolean): void {
  if (condition) places.add(place)
}

/** Adds the places from one to the end of its name. */
function addName(places: Set<number>, path: string, from: number): void {
  for (let place = from; place <= path.length && !places.has(place); place += 1) {
    places.add(place)
    if (path[place] === '/') return
  }
}
