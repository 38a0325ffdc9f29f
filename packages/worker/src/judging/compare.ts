import { isWhiteSpace } from '../validation/token-reader.ts'

export type Comparison = 'same' | 'presentation' | 'different'

/**
 * Compares the bytes of a program's output with the expected ones in linear time. White space at
 * line ends and empty lines at the end do not count. `presentation`: only other white space
 * differs.
 */
export function compareOutputs(actual: Buffer, expected: Buffer): Comparison {
  if (actual.equals(expected)) return 'same'
  // A character for each byte: as UTF-8, a wrong byte would equal U+FFFD.
  const [left, right] = [actual.toString('latin1'), expected.toString('latin1')]
  if (haveSameLines(left, right)) return 'same'
  return haveSameText(left, right) ? 'presentation' : 'different'
}

function haveSameLines(left: string, right: string): boolean {
  const leftEnd = endOfText(left, 0, left.length)
  const rightEnd = endOfText(right, 0, right.length)
  let leftStart = 0
  let rightStart = 0
  while (leftStart < leftEnd && rightStart < rightEnd) {
    const leftBreak = endOfLine(left, leftStart, leftEnd)
    const rightBreak = endOfLine(right, rightStart, rightEnd)
    const leftLine = left.slice(leftStart, endOfText(left, leftStart, leftBreak))
    if (leftLine !== right.slice(rightStart, endOfText(right, rightStart, rightBreak))) return false
    leftStart = leftBreak + 1
    rightStart = rightBreak + 1
  }
  return leftStart >= leftEnd && rightStart >= rightEnd
}

function haveSameText(left: string, right: string): boolean {
  let rightIndex = skipWhiteSpace(right, 0)
  for (let index = skipWhiteSpace(left, 0); index < left.length; index = skipWhiteSpace(left, index + 1)) {
    if (left.charCodeAt(index) !== right.charCodeAt(rightIndex)) return false
    rightIndex = skipWhiteSpace(right, rightIndex + 1)
  }
  return rightIndex >= right.length
}

function endOfLine(text: string, start: number, end: number): number {
  const index = text.indexOf('\n', start)
  return index === -1 || index > end ? end : index
}

/** The end of the text between `start` and `end` without trailing white space. */
function endOfText(text: string, start: number, end: number): number {
  let index = end
  while (index > start && isWhiteSpace(text.charCodeAt(index - 1))) index -= 1
  return index
}

function skipWhiteSpace(text: string, start: number): number {
  let index = start
  while (index < text.length && isWhiteSpace(text.charCodeAt(index))) index += 1
  return index
}
