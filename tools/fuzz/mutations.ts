import fc from 'fast-check'
import type { Schema } from '../../verification/openapi-operations.ts'
import { Entries, type Json, type JsonObject, Live, Raw } from './json.ts'
import { hostileText } from './texts.ts'

/** A change at one place of a JSON value. */
export interface Mutation {
  /** Which place, modulo their number. */
  readonly pick: number
  readonly change: Change
}

type Change =
  | { readonly as: 'replaced'; readonly by: Json }
  | { readonly as: 'removed' | 'below' | 'above' | 'twice' }
  | { readonly as: 'extended'; readonly key: string; readonly by: Json }

type Path = readonly (string | number)[]

interface Place {
  readonly path: Path
  readonly schema: Schema
  readonly isObject: boolean
}

const deep = (open: string, inner: string, close: string, depth: number) =>
  new Raw(`${open.repeat(depth)}${inner}${close.repeat(depth)}`)

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
      deep('[', '', ']', 5000),
      deep('{"a":', '1', '}', 5000),
      deep('[{"a":', '1', '}]', 50_000),
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
  const places = change.as === 'extended' ? all.filter((place) => place.isObject) : all
  const place = places[pick % places.length]
  return place === undefined ? value : changeAt(value, place.path, place.schema, change)
}

function* placesOf(schema: Schema, value: Json, path: Path): Generator<Place> {
  yield { path, schema, isObject: isObject(value) }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesOf(schema.items ?? {}, item, [...path, index])
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      yield* placesOf(schema.properties?.[name] ?? {}, inner, [...path, name])
    }
  }
}

function changeAt(value: Json, path: Path, schema: Schema, change: Change): Json {
  const [key, ...rest] = path
  if (key === undefined) return changeValue(value, schema, change)
  const isHere = rest.length === 0
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      if (index !== key) return [item]
      if (isHere && change.as === 'removed') return []
      return isHere && change.as === 'twice' ? [item, item] : [changeAt(item, rest, schema, change)]
    })
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, inner]): (readonly [string, Json])[] => {
    if (name !== key) return [[name, inner]]
    if (isHere && change.as === 'removed') return []
    const changed: readonly [string, Json] = [name, changeAt(inner, rest, schema, change)]
    return isHere && change.as === 'twice' ? [[name, null], changed] : [changed]
  })
  return new Entries(entries)
}

function changeValue(value: Json, schema: Schema, change: Change): Json {
  switch (change.as) {
    case 'replaced':
      return change.by
    case 'below':
      return beyond(schema, value, -1)
    case 'above':
      return beyond(schema, value, 1)
    case 'extended':
      return isObject(value) ? new Entries([...Object.entries(value), [change.key, change.by]]) : change.by
    default:
      return [value]
  }
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
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Raw || value instanceof Live || value instanceof Entries)
  )
}
