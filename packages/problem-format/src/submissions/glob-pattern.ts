/** A part of a pattern: a character, `*`, or the options of `{a,b}`. */
type Part = string | typeof STAR | { readonly options: readonly (readonly Part[])[] }

const STAR = Symbol('*')

/** Longer patterns are refused. */
export const MOST_PATTERN_CHARACTERS = 100

/**
 * Makes a test for paths and everything below them: `*` within a name, and `{a,b}`. Undefined for
 * an invalid pattern. It needs no regular expression: packages are untrusted, and those can be
 * slow.
 */
export function compileGlob(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > MOST_PATTERN_CHARACTERS) return undefined
  const place = { index: 0 }
  const parts = parseParts(pattern, place, false)
  if (parts === undefined) return undefined
  const beginning = pattern.slice(0, plainLengthOf(pattern))
  const rest = parts.slice(beginning.length)
  return (path) => {
    if (!path.startsWith(beginning)) return false
    const ends = advance(rest, path, [beginning.length])
    return ends.some((end) => end === path.length || path[end] === '/')
  }
}

/** The number of characters before the first `*` or `{`. */
export function plainLengthOf(pattern: string): number {
  const special = pattern.search(/[*{]/)
  return special < 0 ? pattern.length : special
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

/** All places of a path that the parts reach from these places; both in ascending order. */
function advance(parts: readonly Part[], path: string, from: readonly number[]): readonly number[] {
  let places = from
  for (const part of parts) {
    if (places.length === 0) return places
    if (typeof part === 'string') places = passCharacter(part, path, places)
    else if (part === STAR) places = passName(path, places)
    else places = passOptions(part.options, path, places)
  }
  return places
}

function passCharacter(character: string, path: string, from: readonly number[]): number[] {
  const places: number[] = []
  for (const place of from) if (path[place] === character) places.push(place + 1)
  return places
}

/** Adds the places up to the end of each name; names that several places are in only once. */
function passName(path: string, from: readonly number[]): number[] {
  const places: number[] = []
  for (const first of from) {
    for (let place = first; place <= path.length && place > (places.at(-1) ?? -1); place += 1) {
      places.push(place)
      if (path[place] === '/') break
    }
  }
  return places
}

function passOptions(options: readonly (readonly Part[])[], path: string, from: readonly number[]): number[] {
  const isReached = new Uint8Array(path.length + 1)
  for (const option of options) for (const place of advance(option, path, from)) isReached[place] = 1
  const places: number[] = []
  for (let place = 0; place <= path.length; place += 1) if (isReached[place]) places.push(place)
  return places
}
