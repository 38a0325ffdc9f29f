import { isVisibleText } from '@judge-data-layer/runtime/visible-text'
import type { Schema as FieldSchema } from '../support/verification/openapi-operations.ts'

/** A body with one wrong field; some values are wrong for the schema already. */
export interface WrongBody {
  readonly field: string
  readonly json: string
  readonly mustBeRefused: boolean
}

type Path = readonly (string | number)[]

/** Stands for 1e400, which JSON may contain but `JSON.stringify` cannot write. */
const HUGE = '@huge@'

const deep = Array.from({ length: 1000 }).reduce<unknown>((inner) => ({ a: inner }), 1)

const WRONG: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -1e308, HUGE],
  ...['', ' ', 'x', '1', 'a\0b', 'a\uD800b'],
  ...["'; drop table users; --", '$1 %s \\ ../../etc/passwd \u202E\u0001\uFFFE'],
  ...[[], [null], {}, { length: 1, toString: 'x' }, deep],
]

const WRONG_INSTANTS: readonly string[] = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00+23:59',
  '2026-02-30T25:61:61Z',
]

/** Returns a value that fits a schema; fields with the names of `known` get its values. */
export function rightValue(schema: FieldSchema, known: Record<string, unknown>, name = ''): unknown {
  if (name in known) return known[name]
  if (schema.anyOf?.[0] !== undefined) return rightValue(schema.anyOf[0], known)
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, rightValue(field, known, key)]),
      )
    case 'array':
      return schema.items === undefined ? [] : [rightValue(schema.items, known)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    default:
      return schema.format === 'uuid' ? '00000000-0000-7000-8000-000000000000' : 'text enough'
  }
}

/**
 * Yields bodies with one wrong field, in the order of the schema's fields: without it, or with a
 * wrong type if it is optional, and with all wrong values if no field has had its schema before.
 */
export function* wrongBodies(
  schema: FieldSchema,
  right: unknown,
  isNew: (schema: FieldSchema) => boolean,
): Generator<WrongBody> {
  for (const { path, field, isRequired } of fieldsOf(schema, [])) {
    const name = String(path.findLast((part) => typeof part === 'string'))
    yield { field: name, json: write(replace(right, path, undefined)), mustBeRefused: isRequired }
    const wrongType = isRequired ? [] : WRONG.filter((value) => !fits(field, value)).slice(0, 1)
    for (const value of isNew(field) ? [...WRONG, ...wrongFor(field)] : wrongType)
      yield { field: name, json: write(replace(right, path, value)), mustBeRefused: !fits(field, value) }
  }
}

interface Field {
  readonly path: Path
  readonly field: FieldSchema
  readonly isRequired: boolean
}

function* fieldsOf(schema: FieldSchema, path: Path): Generator<Field> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const own = [...path, name]
    yield { path: own, field, isRequired: schema.required?.includes(name) ?? false }
    yield* fieldsOf(field, own)
    if (field.items !== undefined) {
      yield { path: [...own, 0], field: field.items, isRequired: false }
      yield* fieldsOf(field.items, [...own, 0])
    }
  }
}

/** Returns false if the schema must refuse a value for its type, text or length. */
function fits(schema: FieldSchema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((part) => fits(part, value))
  if (schema.enum !== undefined) return schema.enum.some((allowed) => allowed === value)
  if (value === HUGE) return false
  switch (schema.type) {
    case 'integer':
      return Number.isInteger(value) && isWithin(schema, Number(value))
    case 'number':
      return typeof value === 'number' && isWithin(schema, value)
    case 'array':
      return Array.isArray(value) && value.every((item) => fits(schema.items ?? {}, item))
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'null':
      return value === null
    case 'string':
      return typeof value === 'string' && isText(schema, value)
    default:
      return typeof value === schema.type
  }
}

function isWithin(
  { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity }: FieldSchema,
  value: number,
) {
  return value >= minimum && value > exclusiveMinimum && value <= maximum
}

function isText(schema: FieldSchema, text: string): boolean {
  if (schema.format === 'uuid') return false
  if (schema['x-instant']) return /^\d{4}-/.test(text)
  if (schema['x-text'] === 'written' && (text.includes('\0') || !text.isWellFormed())) return false
  if (schema['x-visible'] && !isVisibleText(schema['x-visible'], text)) return false
  if (text.length < (schema.minLength ?? 0) || text.length > (schema.maxLength ?? Infinity)) return false
  if (text.length > (schema['x-max-bytes'] ?? Infinity)) return false
  return schema.pattern === undefined || new RegExp(schema.pattern).test(text)
}

/** Returns values that are wrong only for this field: odd instants, or a text that is too long. */
function wrongFor(schema: FieldSchema): readonly string[] {
  if (schema['x-instant']) return WRONG_INSTANTS
  const most = schema.maxLength ?? schema['x-max-bytes']
  return most === undefined ? [] : ['a'.repeat(most + 1)]
}

function replace(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? replace(item, rest, by) : item))
  const object = Object(value)
  return { ...object, [key]: replace(object[key], rest, by) }
}

const write = (body: unknown) => JSON.stringify(body).replaceAll(`"${HUGE}"`, '1e400')
