/**
 * Names as people see them (D11): NFC, without characters that nobody sees or that change the
 * direction of the text. ZWJ and ZWNJ stay between letters, where scripts need them.
 */

/** The name of deleted users in responses (D16). */
export const DELETED_USER = 'Deleted user'

/** `owner`: of a user or a team. Only their names must not be the name of deleted users. */
export type VisibleKind = 'name' | 'owner' | 'e-mail'

/** U+2800 is a blank pattern of Braille. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
const CONTROL = /(?![\u200C\u200D])[\p{Cc}\p{Cf}]/gu
const STRAY_JOINER = /(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/gu
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/
const DIRECTION_OR_CONTROL = /(?!\r\n|[\t\n])[\p{Cc}\p{Bidi_Control}]/gu

/** No name is so long. NFC of many combining characters takes quadratic time. */
const MOST_IN_NFC = 2000

/** NFC without outer white space; a text that is too long for a name keeps its form. */
export function tidyText(text: string): string {
  return (text.length > MOST_IN_NFC ? text : text.normalize('NFC')).trim()
}

/** The first hidden character of a text as `U+202E`; undefined without one. */
export function findHidden(text: string): string | undefined {
  const [found] = text.match(HIDDEN) ?? text.match(STRAY_JOINER) ?? []
  return found && `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Tidies a text and removes its hidden characters. */
export function withoutHidden(text: string): string {
  return tidyText(text.replace(HIDDEN, '').replace(STRAY_JOINER, ''))
}

/** Tidies a text. Line breaks and tabs become spaces, and other hidden characters U+FFFD. */
export function replaceHidden(text: string): string {
  const line = tidyText(text)
    .split(BREAKS)
    .map((part) => part.trim())
    .join(' ')
  return line.replace(HIDDEN, '\uFFFD').replace(STRAY_JOINER, '\uFFFD').trim()
}

/** Replaces control, format and direction characters that a name must not have by U+FFFD. */
export function replaceControls(text: string): string {
  return text.replace(CONTROL, '\uFFFD').replace(STRAY_JOINER, '\uFFFD')
}

/** Removes control and direction characters, but no line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(DIRECTION_OR_CONTROL, '')
}

/** Whether others may see this text as a name or an e-mail (D11). NFC may lengthen it. */
export function isVisibleText(kind: VisibleKind, text: string, mostCharacters = Infinity): boolean {
  const tidy = tidyText(text)
  if (findHidden(tidy) !== undefined || [...tidy].length > mostCharacters) return false
  return kind !== 'owner' || !isReservedName(tidy)
}

/** Whether a name looks like the one of deleted users. */
export function isReservedName(name: string): boolean {
  return fold(name).replace(/\s+/g, ' ').trim() === fold(DELETED_USER)
}

/** Two names or e-mails are the same if these forms of them are (D11). The database has `folded`. */
export function fold(text: string): string {
  return text
    .trim()
    .normalize('NFKC')
    .replace(/[\u200C\u200D]/g, '')
    .toLowerCase()
}
