import { SHOWN_BYTES } from './token-reader.ts'

/** Where a token is: its number and its line in the output, both from 1. */
export interface TokenPlace {
  readonly token: number
  readonly line: number
}

/** The first byte of a token that differs, from 0; `distant` for numbers outside a tolerance. */
export type TokenMismatch = number | 'distant'

export function describeMismatch(
  place: TokenPlace,
  mismatch: TokenMismatch,
  expected: Buffer,
  found: Buffer,
): string {
  if (mismatch === 'distant')
    return `${describePlace(place)}: found ${showToken(found)}, outside the tolerance of ${showToken(expected)}`
  const where = mismatch >= SHOWN_BYTES ? `, first difference at byte ${mismatch + 1} of the token` : ''
  return `${describePlace(place)}: expected ${showToken(expected)}, found ${showToken(found)}${where}`
}

export function describeMissingToken(place: TokenPlace, expected: Buffer): string {
  return `${describePlace(place)}: expected ${showToken(expected)}, found the end of the output`
}

export function describeExtraToken(place: TokenPlace, found: Buffer): string {
  return `${describePlace(place)}: found ${showToken(found)}, expected the end of the output`
}

/** The bytes are undefined at the end of the answer or output. */
export function describeWhiteSpace(
  place: TokenPlace,
  expected: number | undefined,
  found: number | undefined,
): string {
  const where = place.token === 0 ? 'before the first token' : `after token ${place.token}`
  return `white space ${where} (line ${place.line}): expected ${nameByte(expected)}, found ${nameByte(found)}`
}

function describePlace({ token, line }: TokenPlace): string {
  return `token ${token} (line ${line})`
}

/** The token in quotes, cut, without characters that a terminal or a database could not show. */
function showToken(token: Buffer): string {
  const isCut = token.length > SHOWN_BYTES
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(token.subarray(0, SHOWN_BYTES), {
    stream: isCut,
  })
  const shown = text.replaceAll(/["\\]|\p{C}|\p{Z}/gu, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
  return `"${shown}"${isCut ? '…' : ''}`
}

const WHITE_SPACE_NAMES: ReadonlyMap<number | undefined, string> = new Map([
  [undefined, 'the end'],
  [32, 'a space'],
  [12, 'a form feed'],
  [10, 'a line feed'],
  [13, 'a carriage return'],
  [9, 'a tab'],
  [11, 'a vertical tab'],
])

function nameByte(byte: number | undefined): string {
  return WHITE_SPACE_NAMES.get(byte) ?? 'a token'
}
