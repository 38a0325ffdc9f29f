import Type from 'typebox'

const Text = (wants: string, options = {}) => Type.String({ ...options, minLength: 1, 'x-wants': wants })
const Choice = <const V extends string[]>(values: [...V]) =>
  Type.Enum(values, { 'x-wants': `be one of: ${values.join(', ')}` })
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
  scoring: Type.Optional(Choice(['icpc', 'points'])),
  penalty_minutes: Type.Optional(Whole(0, 10_000)),
  admission: Type.Optional(Choice(['open', 'invited'])),
  scoreboard: Type.Optional(Choice(['participants', 'users', 'public'])),
  clarifications: Type.Optional(Choice(['any', 'staff'])),
  medals: Type.Optional(
    Type.Object({ gold: Whole(0, 1000), silver: Whole(0, 1000), bronze: Whole(0, 1000) }),
  ),
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
