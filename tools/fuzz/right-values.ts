import { isVisibleText } from '@judge-data-layer/runtime/visible-text'
import fc from 'fast-check'
import type { Schema } from '../../test/support/verification/openapi-operations.ts'
import { zipFiles } from '../local-servers/zip.ts'
import { type Json, type JsonObject, Live } from './plan.ts'
import { liveNameOf, type Value } from './rows.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** A value that matches its schema, mostly one that exists in the service. */
export function rightValue(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((part) => rightValue(part, name, owner)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const ofName = specialValues[name]
  if (ofName !== undefined && schema.type !== 'null') return ofName
  switch (schema.type) {
    case 'object':
      return rightObject(schema, name === '' ? owner : name)
    case 'array':
      return rightArray(schema, rightValue(schema.items ?? {}, name, owner))
    case 'integer':
      return rightInteger(schema, name, owner)
    case 'number':
      return rightNumber(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return rightString(schema, name, owner)
  }
}

function rightNumber(schema: Schema): fc.Arbitrary<number> {
  const { exclusiveMinimum, minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE, multipleOf } = schema
  if (multipleOf !== undefined) {
    const parts = Math.round(1 / multipleOf)
    return fc.integer({ min: minimum * parts, max: maximum * parts }).map((number) => number / parts)
  }
  const minExcluded = exclusiveMinimum !== undefined
  return fc.double({ min: exclusiveMinimum ?? minimum, max: maximum, minExcluded, noNaN: true })
}

function rightArray(schema: Schema, item: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const { minItems = 0, maxItems = 5, uniqueItems = false } = schema
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 5) }
  return uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths)
}

function rightObject(schema: Schema, owner: string): fc.Arbitrary<JsonObject> {
  const forms = formsOf(schema, owner)
  return forms.length === 0 ? rightFields(schema, owner) : fc.oneof(...forms)
}

/**
 * Objects with a rule beyond their schema: a shadow judging has a submission or a program, and a
 * rejudging few filters, because submissions must match all of them. A change of a contest over the
 * Contest API is a start or a thaw; a submission has no values of others.
 */
const FORMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  contests: [
    ['id', 'start_time'],
    ['id', 'scoreboard_thaw_time'],
  ],
  submissions: [['problem_id', 'language_id', 'files']],
  shadow_judgings: [['submission_id'], ['problem_id', 'language_id', 'source_code']],
  rejudgings: [['event_id', 'reason'], ['event_id', 'problem_id'], ['submission_ids'], ['user_id', 'status']],
}

function formsOf({ properties = {} }: Schema, owner: string): fc.Arbitrary<JsonObject>[] {
  const isPossible = (required: readonly string[]) => required.every((name) => name in properties)
  return (FORMS[owner] ?? []).filter(isPossible).map((required) => {
    const isWanted = ([name]: [string, Schema]) => required.includes(name)
    const wanted = Object.entries(properties)
      .filter(isWanted)
      .map(([name, field]) => [name, withoutNull(field)])
    return rightFields({ type: 'object', required, properties: Object.fromEntries(wanted) }, owner)
  })
}

const withoutNull = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type !== 'null') ?? schema

function rightFields(schema: Schema, owner: string): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, rightValue(field, name, owner)] as const,
  )
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true })
    .filter((object) => Object.keys(object).length >= (schema.minProperties ?? 0))
    .map(orderTimes)
}

/** A schema cannot express that the start comes before the end. */
function orderTimes(object: JsonObject): JsonObject {
  const { start_time, end_time } = object
  if (typeof start_time !== 'string' || typeof end_time !== 'string') return object
  if (Date.parse(start_time) <= Date.parse(end_time)) return object
  return { ...object, start_time: end_time, end_time: start_time }
}

function rightInteger(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  const any = fc.oneof(
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
    fc.constantFrom(minimum, maximum),
  )
  if (!/(^|_)id$|^judging$/.test(name)) return any
  const fits = (value: Value) => typeof value === 'number' && value >= minimum && value <= maximum
  return live(liveNameOf(name, owner, true), any, fits)
}

function rightString(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  if (schema.format === 'uuid') {
    const fits = (value: Value) => typeof value === 'string' && UUID.test(value)
    const uppercase = fc.uuid().map((id) => id.toUpperCase())
    return live(liveNameOf(name, owner, true), fc.oneof(fc.uuid(), uppercase, fc.constant(NIL_UUID)), fits)
  }
  if (schema['x-instant']) return instant
  const text = rightText(schema)
  const fits = (value: Value) => typeof value === 'string' && fitsText(schema, value)
  const existing = live(liveNameOf(name, owner, false), text, fits)
  // The Contest API has ids that are texts.
  return /(^|_)id$/.test(name) ? existing : fc.oneof({ weight: 3, arbitrary: text }, existing)
}

function live(name: string, any: fc.Arbitrary<Value>, fits: Live['fits']): fc.Arbitrary<Json> {
  const existing = fc.tuple(fc.nat(), any).map(([pick, fallback]) => new Live(name, pick, fallback, fits))
  return fc.oneof({ weight: 8, arbitrary: existing }, { weight: 1, arbitrary: any })
}

/** RFC 3339 instants with every form of offset and fraction. */
const instant: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(new Date('2020-01-01'), new Date('2096-01-01')),
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
    ),
    fc.constantFrom('', '.5', '.123456', '.123456789'),
    fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-23:59', '+23:59'),
    fc.constantFrom('T', 't'),
  )
  .map(([date, fraction, offset, separator]) =>
    [date.toISOString().slice(0, 19).replace('T', separator), fraction, offset].join(''),
  )

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

function fitsText(schema: Schema, text: string): boolean {
  const { minLength = 0, maxLength = Infinity, 'x-max-bytes': maxBytes = Infinity } = schema
  const length = [...text].length
  return (
    length >= minLength &&
    length <= maxLength &&
    Buffer.byteLength(text) <= maxBytes &&
    (schema['x-text'] !== 'written' || (text.isWellFormed() && !text.includes('\0'))) &&
    (schema['x-visible'] === undefined || isVisibleText(schema['x-visible'], text, maxLength)) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text))
  )
}

/** Text that matches its schema, with odd characters and lengths up to both limits. */
function rightText(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 200, 'x-max-bytes': maxBytes, pattern } = schema
  const free = fc.string({ unit: codePoint, minLength, maxLength: Math.min(maxLength, 200) })
  const match = (wanted: RegExp) =>
    fc.tuple(free, fc.stringMatching(wanted)).map(([text, other]) => (wanted.test(text) ? text : other))
  const matching = pattern === undefined ? free : match(new RegExp(pattern, 'u'))
  const fitting = matching.filter((text) => fitsText(schema, text))
  const atLimit = fc
    .tuple(fitting, fc.constantFrom('a', '\u00E9', '\u{1F600}'))
    .map(([text, filler]) => [fillUp(schema, text, filler), text] as const)
    // No filler fits into a time span.
    .map(([filled, text]) => (fitsText(schema, filled) ? filled : text))
  return fc.oneof(
    { weight: maxBytes === undefined ? 20 : 200, arbitrary: fitting },
    { weight: schema.maxLength === undefined && maxBytes === undefined ? 0 : 1, arbitrary: atLimit },
  )
}

function fillUp(schema: Schema, text: string, filler: string): string {
  const { maxLength = Infinity, 'x-max-bytes': maxBytes = Infinity } = schema
  const byLength = maxLength - [...text].length
  const byBytes = Math.floor((maxBytes - Buffer.byteLength(text)) / Buffer.byteLength(filler))
  return text + filler.repeat(Math.min(byLength, byBytes))
}

const flags = fc.constantFrom('', 'case_sensitive', 'float_tolerance 1e-6 space_change_sensitive')
/** Every problem has at least one test case. */
const case_flags = fc.tuple(fc.record({ cases: fc.constant([1]), flags }))
const files = [{ name: 'validator.py', content: 'raise SystemExit(42)\n' }]
const validator = {
  type: fc.constantFrom('custom', 'interactive'),
  files: fc.constant(files),
  language: fc.constantFrom('Python', 'py'),
}
const points = fc.integer({ min: 0, max: 100_000_000 }).map((hundredths) => hundredths / 100)
const aggregation = fc.constantFrom('sum', 'min')

const group = fc.record({ points, aggregation, name: fc.constant('first'), cases: fc.constant([1]) })
const outer = group.map((inner) => {
  const { points, aggregation } = inner
  return { name: 'all', points, aggregation, groups: [inner] }
})

const program = (await zipFiles({ 'Main.py': 'print(3)' })).toString('base64')

/** Right values by name whose rules no schema expresses. Nothing is ever sent to the `url`. */
const specialValues: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  validation: fc.oneof(
    fc.record({ type: fc.constant('default'), flags, case_flags }, { requiredKeys: ['type'] }),
    fc.record({ ...validator, flags, case_flags }, { requiredKeys: ['type', 'files', 'language'] }),
    fc.record({
      type: fc.constant('custom'),
      protocol: fc.constant('testlib'),
      files: fc.constant(files),
      run: fc.constant(['python3', '{dir}/validator.py']),
    }),
  ),
  test_groups: fc.tuple(fc.oneof(group, outer)),
  limits: fc.record({
    output: fc.integer({ min: 1, max: 256 }),
    time_multipliers: fc.constantFrom({ Python: 2.5 }, { C: 1, java: 2 }),
  }),
  data: fc.constant(program),
  file: fc.constantFrom('licences.txt', 'scoreboard.html'),
  group_id: fc.constant('participants'),
  url: fc.constantFrom('https://fuzz.invalid/', 'https://fuzz.invalid:8443/hook?a=b'),
}
