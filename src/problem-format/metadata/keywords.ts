import { faultOfPart, readOneOrMore, readString, type YamlPart } from '../yaml-part.ts'

const MOST_KEYWORDS = 1000
const MOST_CHARACTERS = 255

/**
 * The distinct keywords, by the rules for names of categories; a later one that differs only in case
 * is dropped. Throws `PackageError`.
 */
export function readKeywords(part: YamlPart): string[] {
  const words = new Map<string, string>()
  for (const word of readWords(part)) {
    if ([...word].length > MOST_CHARACTERS)
      throw faultOfPart(part, `must have at most ${MOST_CHARACTERS} characters each`)
    if (/\p{Cc}/u.test(word)) throw faultOfPart(part, 'must not contain control characters')
    const key = word.toLowerCase()
    if (!words.has(key)) words.set(key, word)
  }
  if (words.size > MOST_KEYWORDS) throw faultOfPart(part, `must be at most ${MOST_KEYWORDS}`)
  return [...words.values()]
}

/** The words of a string, or the items of a list. */
export function readWords(part: YamlPart): string[] {
  return Array.isArray(part.value) ? readOneOrMore(part, readString) : readString(part).split(/\s+/)
}
