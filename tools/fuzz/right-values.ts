import fc from 'fast-check'
import type { Schema } from '../../verification/openapi-operations.ts'
import { type Json, type JsonObject, Live } from './json.ts'
import { liveNameOf } from './names.ts'
import { fitsText, rightText } from './texts.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A value that matches its schema, mostly one that exists in the service. */
export function rightValue(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((part) => rightValue(part, name, owner)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return rightObject(schema, name === '' ? owner : name)
    case 'array':
      return rightArray(schema, name, owner)
    case 'integer':
      return rightInteger(schema, name, owner)
    case 'number':
      return fc.double({
        min: schema.exclusiveMinimum ?? schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        minExcluded: schema.exclusiveMinimum !== undefined,
        noNaN: true,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return rightString(schema, name, owner)
  }
}

function rightObject(schema: Schema, owner: string): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, rightValue(field, name, owner)] as const,
  )
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true })
    .map(orderTimes)
}

/** A schema cannot express that the start comes before the end. */
function orderTimes(object: JsonObject): JsonObject {
  const { start_time, end_time } = object
  if (typeof start_time !== 'string' || typeof end_time !== 'string') return object
  if (Date.parse(start_time) <= Date.parse(end_time)) return object
  return { ...object, start_time: end_time, end_time: start_time }
}

function rightArray(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  const { items = {}, minItems = 0, maxItems = 5 } = schema
  return fc.array(rightValue(items, name, owner), {
    minLength: minItems,
    maxLength: Math.min(maxItems, minItems + 5),
  })
}

function rightInteger(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
  const any = fc.oneof(
    fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
    fc.constantFrom(minimum, maximum),
  )
  if (!/(^|_)id$/.test(name)) return any
  const fits = (value: string | number) => typeof value === 'number' && value >= minimum && value <= maximum
  return live(liveNameOf(name, owner, true), any, fits)
}

function rightString(schema: Schema, name: string, owner: string): fc.Arbitrary<Json> {
  if (schema.format === 'uuid') {
    const fits = (value: string | number) => typeof value === 'string' && UUID.test(value)
    const any = fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.constant(NIL_UUID),
    )
    return live(liveNameOf(name, owner, true), any, fits)
  }
  if (schema['x-instant']) return instant
  const text = rightText(schema)
  const fits = (value: string | number) => typeof value === 'string' && fitsText(schema, value)
  return fc.oneof({ weight: 3, arbitrary: text }, live(liveNameOf(name, owner, false), text, fits))
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

function live(
  name: string,
  any: fc.Arbitrary<string | number>,
  fits: (value: string | number) => boolean,
): fc.Arbitrary<Json> {
  const existing = fc.tuple(fc.nat(), any).map(([pick, fallback]) => new Live(name, pick, fallback, fits))
  return fc.oneof({ weight: 8, arbitrary: existing }, { weight: 1, arbitrary: any })
}

/** RFC 3339 instants with every form of offset and fraction. */
const instant: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(new Date('2020-01-01T00:00:00Z'), new Date('2096-01-01T00:00:00Z')),
      fc.date({
        min: new Date('0002-01-01T00:00:00Z'),
        max: new Date('9998-12-31T00:00:00Z'),
        noInvalidDate: true,
      }),
    ),
    fc.constantFrom('', '.5', '.123456', '.123456789'),
    fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-23:59', '+23:59'),
    fc.constantFrom('T', 't'),
  )
  .map(([date, fraction, offset, separator]) => {
    const text = date.toISOString().slice(0, 19).replace('T', separator)
    return `${text}${fraction}${offset}`
  })
