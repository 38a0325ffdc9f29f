export type Comparison = 'same' | 'presentation' | 'different'

/**
 * Compares a program's output with the expected one. White space at the ends of lines and empty lines at the end do not
 * count; where only other white space differs it is `presentation`. Takes time in proportion to the texts, whatever they are.
 */
export function compareOutputs(actual: string, expected: string): Comparison {
  if (actual === expected || haveSameLines(actual, expected)) return 'same'
  return haveSameInk(actual, expected) ? 'presentation' : 'different'
}

function haveSameLines(left: string, right: string): boolean {
  const leftEnd = endOfInk(left, 0, left.length)
  const rightEnd = endOfInk(right, 0, right.length)
  let leftStart = 0
  let rightStart = 0
  while (leftStart < leftEnd && rightStart < rightEnd) {
    const leftBreak = endOfLine(left, leftStart, leftEnd)
    const rightBreak = endOfLine(right, rightStart, rightEnd)
    const leftLine = left.slice(leftStart, endOfInk(left, leftStart, leftBreak))
    if (leftLine !== right.slice(rightStart, endOfInk(right, rightStart, rightBreak))) return false
    leftStart = leftBreak + 1
    rightStart = rightBreak + 1
  }
  return leftStart >= leftEnd && rightStart >= rightEnd
}

function haveSameInk(left: string, right: string): boolean {
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

/** Where the text between `start` and `end` ends without the white space at its end. */
function endOfInk(text: string, start: number, end: number): number {
  let index = end
  while (index > start && isWhiteSpace(text.charCodeAt(index - 1))) index -= 1
  return index
}

function skipWhiteSpace(text: string, start: number): number {
  let index = start
  while (index < text.length && isWhiteSpace(text.charCodeAt(index))) index += 1
  return index
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
function isWhiteSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
