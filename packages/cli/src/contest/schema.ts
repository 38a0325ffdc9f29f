import type { Schemas } from '@judge-data-layer/client'
import Type from 'typebox'
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
  hidden: Type.Optional(Switch()),
  accept_timeout: Type.Optional(Seconds()),
  execution_timeout: Type.Optional(Seconds()),
  memory_limit: Type.Optional(Whole(1, 1_048_576)),
})

/** Rules that a contest file writes in another form: `freeze`, `languages` and `staff`. */
type OtherForm = 'freeze_time' | 'enforce_languages' | 'staff'
type RuleName = Exclude<keyof typeof CONTEST_RULES, OtherForm>
type Rules = { [Name in RuleName]: NonNullable<Schemas['EventUpdateBody'][Name]> }

const { freeze_time: _, enforce_languages: __, staff: ___, ...rules } = CONTEST_RULES

/** The rules with the same names and values as at the service. */
export const RULE_NAMES = Object.keys(rules) as readonly RuleName[]

function makeRules() {
  const made = Object.entries(rules).map(([name, rule]) => [name, Type.Optional(withWants(rule))])
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
