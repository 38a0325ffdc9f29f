import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareOutputs } from '../src/compare.ts'

const text = fc.string({ unit: fc.constantFrom('a', '#', ' ', '\t', '\n', '\r', '\f', '\v', '😀', '\u00a0') })

/** The definition, slow but simple. */
function compareByDefinition(actual: string, expected: string) {
  const lines = (whole: string) => {
    const trimmed = whole.split('\n').map((line) => line.replace(/[ \t\r\f\v]+$/, ''))
    while (trimmed.at(-1) === '') trimmed.pop()
    return trimmed.join('\n')
  }
  const ink = (whole: string) => whole.replace(/[ \t\r\f\v\n]+/g, '')
  if (lines(actual) === lines(expected)) return 'same'
  return ink(actual) === ink(expected) ? 'presentation' : 'different'
}

describe('comparing outputs', () => {
  it.each([
    ['1 2\n', '1 2', 'same'],
    ['1 2', '1 2\n\n', 'same'],
    ['1 2  \r\n3\t\n\n \n', '1 2\n3', 'same'],
    ['', ' \n', 'same'],
    ['1\n\n2', '1\n2', 'presentation'],
    ['1  2', '1 2', 'presentation'],
    [' 1 2', '1 2', 'presentation'],
    ['12', '1 2', 'presentation'],
    ['1 2 3', '1 2', 'different'],
    ['', '1', 'different'],
    ['1', '', 'different'],
    ['a', 'A', 'different'],
    ['1\u00a02', '1 2', 'different'],
  ] as const)('output %j, expected %j: %s', (actual, expected, comparison) => {
    expect(compareOutputs(actual, expected)).toBe(comparison)
  })

  it('follows the simple definition for any two texts', () => {
    fc.assert(
      fc.property(text, text, (actual, expected) => {
        expect(compareOutputs(actual, expected)).toBe(compareByDefinition(actual, expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes linear time for a million spaces', () => {
    const spaces = ' '.repeat(1_000_000)
    const lines = '\n'.repeat(1_000_000)
    expect(compareOutputs(`${spaces}x`, `${spaces}y`)).toBe('different')
    expect(compareOutputs(`${lines}x`, 'x')).toBe('presentation')
    expect(compareOutputs(`x${spaces}${lines}${spaces}`, 'x')).toBe('same')
  })
})
