import { faultOfPart, readOneOrMore, readString, type YamlPart } from '../package/yaml-part.ts'

const MOST_KEYWORDS = 1000
const MOST_CHARACTERS = 255

/** The distinct keywords, ignoring case, by the rules for categories. Throws `PackageError`. */
export function readKeywords(part: YamlPart): string[] {
  const words = new Map<string, string>()
  for (const word of readWords(part)) {
    const fault = findFault(word)
    if (fault !== undefined) throw faultOfPart(part, fault)
    const key = word.toLowerCase()
    if (!words.has(key)) words.set(key, word)
  }
  if (words.size > MOST_KEYWORDS) throw faultOfPart(part, `must be at most ${MOST_KEYWORDS}`)
  return [...words.values()]
}

function findFault(word: string): string | undefined {
  if ([...word].length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters each`
  return /\p{Cc}/u.test(word) ? 'must not contain control characters' : undefined
}

/** Whether the name of a category is the same keyword in a package. */
export const isKeyword = (name: string) => name.trim() === name && findFault(name) === undefined

/** The words of a string, or the items of a list. */
export function readWords(part: YamlPart): string[] {
  return Array.isArray(part.value) ? readOneOrMore(part, readString) : readString(part).split(/\s+/)
}
