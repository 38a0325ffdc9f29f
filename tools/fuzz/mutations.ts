import fc from 'fast-check'
import type { Schema } from '../../test/support/verification/openapi-operations.ts'
import { Entries, type Json, type JsonObject, Live, Raw } from './plan.ts'
import { codePoint } from './right-values.ts'

interface Mutation {
  /** Which place, modulo their number. */
  readonly pick: number
  readonly change: Change
}

type Change =
  | { readonly as: 'replaced'; readonly by: Json }
  | { readonly as: 'removed' | 'below' | 'above' | 'twice' }
  | { readonly as: 'extended'; readonly key: string; readonly by: Json }

type Path = readonly (string | number)[]

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

/** JSON that breaks many services. */
export const hostileJson: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Json>(
      ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -1e308, 5e-324],
      ...['1e400', '-1e400', '1E+2', '9'.repeat(400), '0.1e-400', '9007199254740993'].map(
        (text) => new Raw(text),
      ),
      ...[[], {}, [null], [[]], { length: 1 }, { toString: 'x' }, { valueOf: null }],
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue().map((value) => new Raw(JSON.stringify(value))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      new Raw(`${'['.repeat(5000)}${']'.repeat(5000)}`),
      new Raw(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
      new Raw(`${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}`),
    ),
  },
)

const otherKeys = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', 'unknown', '', '\0', 'id'],
)

const prototypes = fc.constantFrom<Json>({ prototype: { a: 1 } }, { __proto__: 1, isAdmin: true }, null, [])

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  pick: fc.nat(),
  change: fc.oneof(
    { weight: 3, arbitrary: hostileJson.map((by): Change => ({ as: 'replaced', by })) },
    fc.constantFrom<Change>({ as: 'removed' }, { as: 'below' }, { as: 'above' }, { as: 'twice' }),
    fc
      .tuple(otherKeys, fc.oneof(prototypes, hostileJson))
      .map(([key, by]): Change => ({ as: 'extended', key, by })),
  ),
})

/** Changes one place of the value, or the whole value. */
export function mutate(schema: Schema, value: Json, { pick, change }: Mutation): Json {
  const all = [...placesOf(schema, value, [])]
  // Only an object can be extended.
  const places = change.as === 'extended' ? all.filter(([, , isExtensible]) => isExtensible) : all
  const [path, at] = places[pick % places.length] ?? []
  return path && at ? changeAt(value, path, at, change) : value
}

function* placesOf(schema: Schema, value: Json, path: Path): Generator<[Path, Schema, boolean]> {
  yield [path, schema, isObject(value)]
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesOf(schema.items ?? {}, item, [...path, index])
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value))
      yield* placesOf(schema.properties?.[name] ?? {}, inner, [...path, name])
  }
}

function changeAt(value: Json, [key, ...rest]: Path, schema: Schema, change: Change): Json {
  if (key === undefined) return changeValue(value, schema, change)
  const isHere = rest.length === 0
  const changeItem = (item: Json, twice: readonly Json[]): readonly Json[] => {
    if (isHere && change.as === 'removed') return []
    return isHere && change.as === 'twice' ? twice : [changeAt(item, rest, schema, change)]
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => (at === key ? changeItem(item, [item, item]) : [item]))
  }
  if (!isObject(value)) return value
  return new Entries(
    Object.entries(value).flatMap(([name, inner]) =>
      (name === key ? changeItem(inner, [null, [inner]]) : [inner]).map((item) => [name, item] as const),
    ),
  )
}

function changeValue(value: Json, schema: Schema, change: Change): Json {
  if (change.as === 'replaced') return change.by
  if (change.as === 'below') return beyond(schema, value, -1)
  if (change.as === 'above') return beyond(schema, value, 1)
  if (change.as !== 'extended') return [value]
  return isObject(value) ? new Entries([...Object.entries(value), [change.key, change.by]]) : change.by
}

/** A value just outside the limits of the schema. */
function beyond(schema: Schema, value: Json, step: -1 | 1): Json {
  const {
    minimum = schema.exclusiveMinimum ?? -(2 ** 53),
    maximum = 2 ** 53,
    minLength = 1,
    maxLength = schema['x-max-bytes'] ?? 3000,
  } = schema.anyOf?.[0] ?? schema
  if (schema.type === 'integer' || schema.type === 'number') return step < 0 ? minimum - 1 : maximum + 1
  if (Array.isArray(value)) return step < 0 ? [] : [...value, ...value]
  return 'x'.repeat(step < 0 ? Math.max(minLength - 1, 0) : maxLength + 1)
}

function isObject(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(value instanceof Raw || value instanceof Live || value instanceof Entries)
}
