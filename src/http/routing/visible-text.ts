/**
 * Names and e-mails as people see them (D11): NFC, without characters that nobody sees or that
 * change the direction of the text. ZWJ and ZWNJ stay between letters, where scripts need them.
 */

/** The name of deleted users in responses (D16). */
export const DELETED_USER = 'Deleted user'

/** U+2800 is a blank pattern of Braille. */
const HIDDEN = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
const STRAY_JOINER = /(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/gu

/** NFC without outer white space. */
export function tidyText(text: string): string {
  return text.normalize('NFC').trim()
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

/** Whether a user may take this text as a name or an e-mail (D11). */
export function isVisibleText(as: 'name' | 'e-mail', text: string): boolean {
  const tidy = tidyText(text)
  return findHidden(tidy) === undefined && !(as === 'name' && isReservedName(tidy))
}

/** Whether a name looks like the one of deleted users. */
export function isReservedName(name: string): boolean {
  const shown = name
    .normalize('NFKC')
    .replace(/[\u200C\u200D]/g, '')
    .replace(/\s+/g, ' ')
  return shown.trim().toLowerCase() === DELETED_USER.toLowerCase()
}
