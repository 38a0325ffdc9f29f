import { closest, distance } from 'fastest-levenshtein'
import type { TArray, TObject, TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** A wrong place of a contest file: its path, such as `problems[2].color`, and the reason. */
export interface Fault {
  readonly path: string
  /** Continues the path. */
  readonly message: string
}

/** How to write a value, in a schema: `x-wants`. */
const WANTS = 'x-wants'

/**
 * Finds all faults of a value. Each schema of a value that is no object and no list says in
 * `x-wants` how to write it. Unknown fields are faults; the message has the nearest known name.
 */
export function findFaults(schema: TSchema, value: unknown, path = ''): Fault[] {
  if (isObjectSchema(schema)) return findObjectFaults(schema, value, path)
  if (isListSchema(schema)) return findListFaults(schema, value, path)
  return Check(schema, value) ? [] : [{ path, message: `must ${wantsOf(schema)}` }]
}

function findObjectFaults(schema: TObject, value: unknown, path: string): Fault[] {
  const names = Object.keys(schema.properties)
  if (!isRecord(value)) return [{ path, message: `must have fields: ${names.join(', ')}` }]
  const unknown = Object.keys(value).filter((name) => !names.includes(name))
  const missing = (schema.required ?? []).filter((name) => isAbsent(value[name]))
  return [
    ...unknown.map((name) => ({ path: join(path, name), message: describeUnknown(name, names) })),
    ...missing.map((name) => ({ path: join(path, name), message: describeMissing(schema.properties[name]) })),
    ...Object.entries(schema.properties).flatMap(([name, field]) =>
      isAbsent(value[name]) ? [] : findFaults(field, value[name], join(path, name)),
    ),
  ]
}

function findListFaults(schema: TArray, value: unknown, path: string): Fault[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be a list: one line for each, with a dash' }]
  return value.flatMap((item, i) => findFaults(schema.items, item, `${path}[${i + 1}]`))
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = closest(name, [...known])
  const isNear = distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3))
  return isNear ? `is unknown. Did you mean ${nearest}?` : `is unknown. Known are: ${known.join(', ')}`
}

const describeMissing = (schema: TSchema | undefined) =>
  `is missing${schema !== undefined && WANTS in schema ? `: it must ${wantsOf(schema)}` : ''}`

const wantsOf = (schema: TSchema) => (WANTS in schema ? String(schema[WANTS]) : 'be another value')

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** An empty value in YAML is null. */
const isAbsent = (value: unknown) => value === undefined || value === null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isObjectSchema = (schema: TSchema): schema is TObject => 'properties' in schema

const isListSchema = (schema: TSchema): schema is TArray => 'items' in schema
