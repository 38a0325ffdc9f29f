import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFlags } from '../src/validation/flags.ts'
import type { ByteSource } from '../src/validation/token-reader.ts'
import { validateStreams } from '../src/validation/validate-output.ts'
import { validate } from './support/validate.ts'

const ALL_SPACE = ' \f\n\r\t\v'
const ABSOLUTE = 'float_absolute_tolerance 0.1'
const RELATIVE = 'float_relative_tolerance 0.1'
const ZERO = 'float_tolerance 0'
const SPACE = 'space_change_sensitive'
const zeros = '0'.repeat(3000)
const threes = '3'.repeat(3000)
const z29 = '0'.repeat(29)
const x40 = 'x'.repeat(40)

type Row = readonly [clause: string, flags: string, answer: string, output: string, accepted: boolean]

const WHITE_SPACE: Row[] = [
  ['splits tokens at each white space character', '', 'a b c d e f g', 'a\fb\nc\rd\te\vf g', true],
  ['rejects trailing tokens', '', 'a b\n', 'a b\nc\n', false],
  ['sensitive: rejects a carriage return', SPACE, 'a\n', 'a\r\n', false],
  ['sensitive: rejects a missing last line end', SPACE, 'a\n', 'a', false],
  ['finds no white space inside a token', '', 'ab', 'a b', false],
  ...['\xa0', '\x85', '\0', '\b', '\x0e', '\x1c'].map(
    (one): Row => [`takes ${JSON.stringify(one)} as part of a token`, '', 'a b', `a${one}b`, false],
  ),
  ['sensitive: still compares numbers', `${SPACE} ${ABSOLUTE}`, '1 2\n', '1.0 2.1\n', true],
  ['sensitive: rejects other spaces between near numbers', `${SPACE} ${ABSOLUTE}`, '1 2', '1.0  2.1', false],
]

const STRINGS: Row[] = [
  ['ignores the case of A to Z', '', 'abcXYZ', 'ABCxyz', true],
  ['case_sensitive: compares byte for byte', 'case_sensitive', 'abc', 'abC', false],
  ['case_sensitive: accepts equal bytes', 'case_sensitive', 'aBc\xff', 'aBc\xff', true],
  ['does not fold @ and `', '', '@', '`', false],
  ['does not fold [ and {', '', '[', '{', false],
  ['does not fold bytes above 127', '', '\xc4', '\xe4', false],
  ['does not fold digits', '', '0', '\x10', false],
]

const NUMBERS: Row[] = [
  ['accepts an absolute error up to the tolerance', ABSOLUTE, '10', '10.1', true],
  ['rejects a larger absolute error', ABSOLUTE, '10', '10.10000001', false],
  ['decides exactly where doubles do not', ABSOLUTE, '0.2', '0.3', true],
  ['decides exactly with large numbers', ABSOLUTE, '123456789012345678', '123456789012345678.1', true],
  ['rejects exactly with large numbers', ABSOLUTE, '123456789012345678', '123456789012345678.2', false],
  ['accepts a relative error up to the tolerance', RELATIVE, '100', '110', true],
  ['takes the relative error of the answer, not of the output', RELATIVE, '100', '111', false],
  ['takes the size of a negative answer', RELATIVE, '-100', '-90', true],
  ['accepts only zero within a relative error of zero', RELATIVE, '0', '0.0000001', false],
  ['accepts minus zero for zero', RELATIVE, '0', '-0.0', true],
  ['both: accepts within the absolute tolerance only', `${ABSOLUTE} ${RELATIVE}`, '0.1', '0.2', true],
  ['both: accepts within the relative tolerance only', `${ABSOLUTE} ${RELATIVE}`, '100', '105', true],
  ['both: rejects outside both', `${ABSOLUTE} ${RELATIVE}`, '1', '1.2', false],
  ['float_tolerance is absolute', 'float_tolerance 0.1', '0.1', '0.2', true],
  ['float_tolerance is relative', 'float_tolerance 0.1', '100', '110', true],
  ['float_tolerance rejects outside both', 'float_tolerance 0.1', '100', '110.1', false],
  ['an absolute tolerance is not relative', ABSOLUTE, '100', '105', false],
  ['tolerance 0 accepts another notation', ZERO, '0.0314', '3.14000000e-2', true],
  ['tolerance 0 rejects another number', ZERO, '0.0314', '3.14000001e-2', false],
  ['compares integers as numbers', ABSOLUTE, '3', '3.05', true],
  ['case_sensitive holds beside a tolerance', `${ABSOLUTE} case_sensitive`, 'yes 3', 'YES 3', false],
  ['case_sensitive does not concern the exponent', `${ABSOLUTE} case_sensitive`, '1e2', '1E2', true],
  ['rejects a number where text is expected', ABSOLUTE, 'x', '3', false],
  ...[
    ...['three', '.', '-', '1e', '1e+', 'e0', '1e0.0', '1.0.0', '+-1', '1,0', '0x10', '0x1p0', '.e0', '1-'],
    ...['inf', 'nan'],
  ].map((text): Row => [`rejects ${text}, which is no number`, 'float_tolerance 1e300', '1', text, false]),
  ['compares a hexadecimal answer as a string', ABSOLUTE, '0x10', '0X10', true],
  ['does not take the value of a hexadecimal answer', ABSOLUTE, '0x10', '16', false],
  ['compares a lone point in the answer as a string', ABSOLUTE, '.', '.', true],
  ['accepts an exponent after .5', ZERO, '5', '.5e1', true],
  ['case_sensitive concerns NaN', `${ABSOLUTE} case_sensitive`, 'NaN', 'nan', false],
  ['compares NaN in the answer as a string', ABSOLUTE, 'NaN', 'nan', true],
  ['does not overflow', ZERO, '1e400', '1e401', false],
  ['knows equal numbers beyond doubles', ZERO, '1e400', '10e399', true],
  ['does not underflow', ZERO, '0', '1e-400', false],
  ['compares huge exponents', RELATIVE, '1e999999999', '1.1e999999999', true],
  ['compares distant exponents', ABSOLUTE, '1e999999999', '1e-999999999', false],
  ['compares 30 digits before and after the point', ZERO, `1${z29}.${z29}1`, `1${z29}.${z29}2`, false],
  ['ignores leading zeros of any length', ZERO, '5', `${zeros}5.${zeros}`, true],
  ['reads leading zeros of an exponent', ZERO, '100000', `1e${zeros}5`, true],
  ['reads a long number with a matching exponent', ZERO, '1', `0.${zeros}1e3001`, true],
  ['reads a long integer', ZERO, '1e3000', `1${zeros}`, true],
  ['rounds no long number down to the tolerance', 'float_absolute_tolerance 0.3', '0', `0.3${zeros}1`, false],
  ['accepts a long number below the tolerance', 'float_absolute_tolerance 0.4', '0', `0.3${threes}`, true],
  ['accepts a long number beside a short one', 'float_tolerance 1e-9', '0.3333333333', `0.${threes}`, true],
  ['compares two long numbers of different lengths', ZERO, `0.${threes}`, `0.${threes.slice(1000)}`, true],
  ['rejects a late letter in a long number', ABSOLUTE, '0.3', `0.${threes}x`, false],
]

const INFINITIES: Row[] = [
  ['knows the notations of infinities', ABSOLUTE, 'inf -inf inf', 'INF -Infinity +inf', true],
  ['rejects the other infinity', ABSOLUTE, 'inf', '-inf', false],
  ['rejects a large number for an infinity', RELATIVE, '-inf', '-1e999', false],
  ['rejects a part of infinity', ABSOLUTE, 'inf', 'infinit', false],
  ['rejects more than infinity', ABSOLUTE, 'inf', 'infinityy', false],
  ['case_sensitive does not concern infinities', `${ABSOLUTE} case_sensitive`, 'inf', 'INF', true],
  ['rejects NaN for an infinity', 'float_tolerance 1', 'inf', 'nan', false],
  ['compares infinities as strings without a tolerance', '', 'inf', 'infinity', false],
]

const CUT = `token 1 (line 1): expected "${x40}"…, found "${x40}"…`
const LATE_DIFFERENCE = `${CUT}, first difference at byte 100 of the token`

describe('the default output validator', () => {
  it.each([...WHITE_SPACE, ...STRINGS, ...NUMBERS])('%s', async (_, flags, answer, output, accepted) => {
    const expected = await validate(answer, output, flags)
    expect(expected.accepted).toBe(accepted)
    for (const windowBytes of [1, 2, 3, 7, 64])
      expect(await validate(answer, output, flags, { windowBytes, pieces: [1, 3] })).toEqual(expected)
  })

  it.each(INFINITIES)('%s', async (_, flags, answer, output, accepted) => {
    for (const windowBytes of [10, 11, 64])
      expect((await validate(answer, output, flags, { windowBytes, pieces: [1, 3] })).accepted).toBe(accepted)
  })

  it.each([
    ['a b\nc d', 'a b\nc e', '', 'token 4 (line 2): expected "d", found "e"'],
    ['a b', 'a\n', '', 'token 2 (line 2): expected "b", found the end of the output'],
    ['a', 'a\n\nb', '', 'token 2 (line 3): found "b", expected the end of the output'],
    ['1', '2', ABSOLUTE, 'token 1 (line 1): found "2", outside the tolerance of "1"'],
    ['a b\n', 'a b', SPACE, 'white space after token 2 (line 1): expected a line feed, found the end'],
    ['a', '\ta', SPACE, 'white space before the first token (line 1): expected a token, found a tab'],
    ['a', '\0"\x1b\xff', '', 'token 1 (line 1): expected "a", found "\\u{0}\\"\\u{1b}\ufffd"'],
    [`${'x'.repeat(99)}y`, 'x'.repeat(100), '', LATE_DIFFERENCE],
  ])('says where and how the output differs: %j, %j %s', async (answer, output, flags, message) => {
    for (const windowBytes of [1, 5, 1000])
      expect(await validate(answer, output, flags, { windowBytes })).toEqual({ accepted: false, message })
  })
})

const digit = fc.constantFrom(...'0012345899')
const digits = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: digit, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.string({ unit: digit, maxLength: 30 }) },
)
const sign = fc.constantFrom('', '', '-', '+')
const exponent = fc.constantFrom('', '', 'e1', 'E-2', 'e+30', 'e')
const number = fc
  .tuple(sign, digits, fc.constantFrom('', '.'), digits, exponent)
  .map((parts) => parts.join(''))
const unit = fc.constantFrom('a', 'A', 'b', '1', '.', 'e', '-', '\xe4')
const word = fc.string({ unit, minLength: 1, maxLength: 6 })
const token = fc.oneof(number, word).filter((text) => text !== '')
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.constant(' ') },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...ALL_SPACE), minLength: 1, maxLength: 9 }) },
)
/** White space that may be missing: at an edge, or where two tokens become one. */
const edge = fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 1, arbitrary: gap })
/** Changes that often keep a token acceptable. */
const change = fc.constantFrom(
  ...[
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => (/^[+-]?\d+$/.test(text) ? `${text}.05` : text),
    (text: string) => (/^\d/.test(text) ? `0${text}` : text),
    (text: string) => `${text}0`,
  ],
)
const pair = fc
  .tuple(token, fc.oneof({ weight: 9, arbitrary: change }, { weight: 1, arbitrary: token }))
  .map(([text, other]) => [text, typeof other === 'string' ? other : other(text)] as const)
const FLAGS = [
  ...['', 'case_sensitive', SPACE, ABSOLUTE, RELATIVE, ZERO],
  ...[`${SPACE} case_sensitive ${RELATIVE}`, 'float_tolerance 0.05'],
]

/** The definition in exact fractions: a number as [numerator, power of ten of the denominator]. */
function parseReference(text: string): readonly [bigint, number] | undefined {
  const parts = /^([+-]?)(\d*)(\.?)(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)
  const [, sign, whole = '', , fraction = '', exponent = '0'] = parts ?? []
  if (!parts || whole + fraction === '') return undefined
  const power = Number(exponent) - fraction.length + 100
  return [BigInt(`${whole}${fraction}`) * 10n ** BigInt(power) * (sign === '-' ? -1n : 1n), 100]
}

function acceptsToken(answer: string, output: string, flags: string): boolean {
  const tolerance = (name: string) => new RegExp(`float_(?:${name}_)?tolerance (\\S+)`).exec(flags)?.[1]
  const [expected, found] = [parseReference(answer), parseReference(output)]
  if (flags.includes('float') && expected) {
    if (!found) return false
    const size = (value: bigint) => (value < 0n ? -value : value)
    const error = size(found[0] - expected[0]) * 100n
    const hundredths = (name: string) => BigInt(Math.round(Number(tolerance(name) ?? -1) * 100))
    const relative = hundredths('relative') >= 0n && error <= hundredths('relative') * size(expected[0])
    return relative || (hundredths('absolute') >= 0n && error <= hundredths('absolute') * 10n ** 100n)
  }
  const fold = (text: string) =>
    flags.includes('case') ? text : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return fold(answer) === fold(output)
}

function acceptsReference(answer: string, output: string, flags: string): boolean {
  const tokens = (text: string) => text.split(/[ \f\n\r\t\v]+/).filter((part) => part !== '')
  const spaces = (text: string) => text.split(/[^ \f\n\r\t\v]+/).join('|')
  if (flags.includes(SPACE) && spaces(answer) !== spaces(output)) return false
  const [expected, found] = [tokens(answer), tokens(output)]
  return (
    expected.length === found.length &&
    expected.every((text, index) => acceptsToken(text, found[index] ?? '', flags))
  )
}

it('any answer and output get the result of the simple definition with any boundaries of the reads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(pair, gap, fc.option(fc.oneof({ weight: 3, arbitrary: gap }, edge), { nil: undefined })),
        { maxLength: 6 },
      ),
      fc.oneof(
        edge.map((one) => [one, one] as const),
        fc.tuple(edge, edge),
      ),
      fc.constantFrom('', 'answer', 'output', 'both'),
      fc.constantFrom(...FLAGS),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      async (parts, [before, other], cut, flags, windowBytes, pieces) => {
        const end = (text: string, name: string) =>
          cut === name || cut === 'both' ? text.replace(/[ \f\n\r\t\v]+$/, '') : text
        const answer = end(before + parts.map(([[text], space]) => text + space).join(''), 'answer')
        const changed = parts.map(([[, text], space, instead]) => text + (instead ?? space)).join('')
        const output = end(other + changed, 'output')
        const whole = await validate(answer, output, flags)
        expect(whole.accepted).toBe(acceptsReference(answer, output, flags))
        expect(await validate(answer, output, flags, { windowBytes, pieces })).toEqual(whole)
        expect((await validate(answer, answer, flags)).accepted).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

const pieceBytes = 65_536
const pieces = 24 * 16

/** The piece again and again: 24 MiB that are never in memory as a whole. */
function repeat(piece: Buffer, rssBytes: number[]): ByteSource {
  let left = pieces
  return (target, offset, length) => {
    rssBytes.push(process.memoryUsage.rss())
    left -= 1
    return Promise.resolve(left < 0 ? 0 : piece.copy(target, offset, 0, Math.min(piece.length, length)))
  }
}

it.each([
  ['of one number', '3', '3', ZERO],
  ['of one word', 'ab', 'AB', ''],
  ['of numbers', '3.1415926535897 ', '3.14159265', RELATIVE],
  ['of white space', ' \n', ' \n', SPACE],
])('a large output %s is validated in less memory than its size', async (_, expected, found, flags) => {
  const rssBytes: number[] = []
  const fill = (text: string) => repeat(Buffer.alloc(pieceBytes, text.padEnd(expected.length)), rssBytes)
  const result = await validateStreams(fill(expected), fill(found), parseFlags(flags), pieceBytes)
  expect(result).toEqual({ accepted: true })
  expect(rssBytes.length).toBeGreaterThan(pieces)
  expect(Math.max(...rssBytes) - (rssBytes[0] ?? 0)).toBeLessThan(pieces * pieceBytes)
})
