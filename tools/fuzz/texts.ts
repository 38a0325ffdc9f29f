import fc from 'fast-check'
import type { Schema } from '../../verification/openapi-operations.ts'

/** Order marks, combining characters, other planes, one-way case mappings and syntax. */
const ODD = [
  ...'\uFEFF\u200B\u200D\u202E\u2066\u0301\u0345\u05D0\u0627\u{1F600}\u{10FFFF}\uFFFE\uFFFD\uE000',
  ...'\u00A0\u2028\u0085\u0001\u007F\u0130\u00DF\u212A\\"\'%_\t\n\r /${@#&=+',
]

/** One character of well-formed Unicode, never U+0000. */
export const codePoint: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((text) => text !== '\0'),
  },
)

const HOSTILE = [
  ...['', ' ', '\0', 'a\0b', '\uD800', 'a\uDC00b', '\uDE00\uD83D', '\uFEFF', '\u202Eabc\u0001'],
  ...['__proto__', 'constructor', 'toString', 'null', 'NaN', '1e400', '-0', '2147483648', '0x10'],
  ...[
    "'; drop table users; --",
    '$1 %s %n {{7*7}} <%= a %>',
    '../../etc/passwd',
    '<script>alert(1)</script>',
  ],
  ...['2026-02-30T25:61:61Z', '0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999999999-23:59'],
  ...['{00000000-0000-0000-0000-000000000000}', 'Z\u0351\u036B\u0343\u036A'.repeat(50)],
]

/** Text that breaks many services. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  fc.string({ unit: codePoint }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.tuple(codePoint, fc.constantFrom(256, 601, 1025, 3000, 8193)).map(([unit, count]) => unit.repeat(count)),
)

/** Whether a text matches its schema. */
export function fitsText(schema: Schema, text: string): boolean {
  const { minLength = 0, maxLength = Infinity, 'x-max-bytes': maxBytes = Infinity } = schema
  const length = [...text].length
  return (
    length >= minLength &&
    length <= maxLength &&
    Buffer.byteLength(text) <= maxBytes &&
    (schema['x-text'] !== 'written' || (text.isWellFormed() && !text.includes('\0'))) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text))
  )
}

/** Text that matches its schema, with odd characters and lengths up to both limits. */
export function rightText(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, 'x-max-bytes': maxBytes, pattern } = schema
  const free = fc.string({ unit: codePoint, minLength, maxLength: Math.min(maxLength, 200) })
  const wanted = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const matching =
    wanted === undefined
      ? free
      : fc.tuple(free, fc.stringMatching(wanted)).map(([text, match]) => (wanted.test(text) ? text : match))
  const fitting = matching.filter((text) => fitsText(schema, text))
  const atLimit = fc
    .tuple(fitting, fc.constantFrom('a', '\u00E9', '\u{1F600}'))
    .map(([text, filler]) => fillUp(schema, text, filler))
    .filter((text) => fitsText(schema, text))
  return fc.oneof(
    { weight: maxBytes === undefined ? 20 : 200, arbitrary: fitting },
    { weight: schema.maxLength === undefined && maxBytes === undefined ? 0 : 1, arbitrary: atLimit },
  )
}

/** Extends the text to the limit of its schema. */
function fillUp(schema: Schema, text: string, filler: string): string {
  const { maxLength = Infinity, 'x-max-bytes': maxBytes = Infinity } = schema
  const byLength = maxLength - [...text].length
  const byBytes = Math.floor((maxBytes - Buffer.byteLength(text)) / Buffer.byteLength(filler))
  return text + filler.repeat(Math.min(byLength, byBytes))
}
