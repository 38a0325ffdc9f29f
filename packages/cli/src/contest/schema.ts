import type { Schemas } from '@judge-data-layer/client'
import { closest, distance } from 'fastest-levenshtein'
import Type, { type TArray, type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { CONTEST_RULES } from './contest-rules.ts'

const Text = (wants: string, options = {}) => Type.String({ ...options, minLength: 1, 'x-wants': wants })
const Switch = () => Type.Boolean({ 'x-wants': 'be true or false' })
const Whole = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, 'x-wants': `be a whole number from ${minimum} to ${maximum}` })
const Seconds = () =>
  Type.Number({ exclusiveMinimum: 0, maximum: 86_400, 'x-wants': 'be a number of seconds up to 86400' })

const TIME = 'be a time in the time zone, such as 2026-12-01 09:00'
const DURATION = 'a duration such as 3h, 1h 30m or 90 (minutes)'
const Duration = (wants: string) => Type.Union([Type.String(), Type.Number()], { 'x-wants': wants })

const Problem = Type.Object({
  package: Text('be the path of a package: a folder or a zip, from the folder of this file'),
  label: Type.Optional(
    Text('be a text of at most 10 characters, in quotes if it is a number', {
      maxLength: 10,
      pattern: '\\S',
    }),
  ),
  color: Type.Optional(
    Text('be the name of a colour, or # and hexadecimal digits in quotes, such as "#d00"', {
      pattern: '^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]{3,30})$',
    }),
  ),
  points: Type.Optional(
    Type.Number({
      ...{ minimum: 0.01, maximum: 1_000_000, multipleOf: 0.01 },
      'x-wants': 'be a number above 0 and up to 1000000, with at most two decimals',
    }),
  ),
  hidden: Type.Optional(Switch()),
  accept_timeout: Type.Optional(Seconds()),
  execution_timeout: Type.Optional(Seconds()),
  memory_limit: Type.Optional(Whole(1, 1_048_576)),
})

type RuleName = keyof typeof CONTEST_RULES
type Rules = { [Name in RuleName]: NonNullable<Schemas['EventUpdateBody'][Name]> }

/** The rules with the same names and values as at the service; `freeze` and others differ. */
export const RULE_NAMES = Object.keys(CONTEST_RULES) as readonly RuleName[]

function makeRules() {
  const made = Object.entries(CONTEST_RULES).map(([name, rule]) => [name, Type.Optional(withWants(rule))])
  return Object.fromEntries(made) as { [Name in RuleName]: Type.TOptional<Type.TUnsafe<Rules[Name]>> }
}

interface RuleSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, RuleSchema>>
}

/** A schema of the service that says in `x-wants` how to write its values. */
function withWants(schema: RuleSchema): Type.TUnsafe<unknown> {
  const fields = Object.entries(schema.properties ?? {})
  return Type.Unsafe({
    ...schema,
    'x-wants': describeRule(schema),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map(([name, field]) => [name, withWants(field)])),
    }),
  })
}

function describeRule({ type, enum: values, minimum, maximum }: RuleSchema): string {
  if (values !== undefined) return `be one of: ${values.join(', ')}`
  if (type === 'integer') return `be a whole number from ${minimum} to ${maximum}`
  return type === 'boolean' ? 'be true or false' : 'be a text'
}

/** The fields of a contest file. Where the service has a field of this meaning, it has its name. */
export const ContestFileSchema = Type.Object({
  title: Text('be a text', { maxLength: 255 }),
  description: Type.Optional(Type.String({ 'x-wants': 'be a text' })),
  address: Type.Optional(
    Text('be an address of the service, such as https://judge.example.org', {
      pattern: '^https?://[^\\s/?#]+/?$',
    }),
  ),
  time_zone: Text('be the name of a time zone, such as Europe/Berlin'),
  start: Text(TIME),
  end: Type.Optional(Text(TIME)),
  duration: Type.Optional(Duration(`be ${DURATION}`)),
  freeze: Type.Optional(Duration(`be a time, or before the end ${DURATION}`)),
  teams: Type.Optional(Switch()),
  ...makeRules(),
  languages: Type.Optional(Type.Array(Text('be the name of a language, such as Python'))),
  problems: Type.Optional(Type.Array(Problem)),
  participants: Type.Optional(Text('be the path of a CSV file')),
  staff: Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }))], {
      'x-wants': 'be the path of a CSV file, or a list of e-mail addresses',
    }),
  ),
})

/** The content of a contest file, as it was written. */
export type ContestFile = Type.Static<typeof ContestFileSchema>

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
  const missing = (schema.required ?? []).filter((name) => value[name] === undefined)
  return [
    ...unknown.map((name) => ({ path: joinPath(path, name), message: describeUnknown(name, names) })),
    ...missing.map((name) => ({
      path: joinPath(path, name),
      message: describeMissing(schema.properties[name]),
    })),
    ...Object.entries(schema.properties).flatMap(([name, field]) =>
      isEmpty(value[name]) ? [] : findFaults(field, value[name], joinPath(path, name)),
    ),
  ]
}

function findListFaults(schema: TArray, value: unknown, path: string): Fault[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be a list: one line for each, with a dash' }]
  return value.flatMap((item, i) =>
    isEmpty(item) ? [] : findFaults(schema.items, item, `${path}[${i + 1}]`),
  )
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = closest(name, [...known])
  const isNear = distance(name, nearest) <= Math.max(2, Math.floor(name.length / 3))
  return isNear ? `is unknown. Did you mean ${nearest}?` : `is unknown. Known are: ${known.join(', ')}`
}

const describeMissing = (schema: TSchema | undefined) =>
  `is missing${schema !== undefined && WANTS in schema ? `: it must ${wantsOf(schema)}` : ''}`

const wantsOf = (schema: TSchema) => (WANTS in schema ? String(schema[WANTS]) : 'be another value')

/** The path of a field, such as `problems[2].color`. */
export const joinPath = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** In YAML, an empty value is null: `findEmptyFields` knows its line. */
const isEmpty = (value: unknown) => value === undefined || value === null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isObjectSchema = (schema: TSchema): schema is TObject => 'properties' in schema

const isListSchema = (schema: TSchema): schema is TArray => 'items' in schema
