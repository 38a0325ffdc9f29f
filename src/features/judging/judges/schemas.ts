import Type from 'typebox'
import { Instant, Name, NameOrNone, Nullable, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

const LONGEST_NAME = 255

export const JudgePath = Type.Object({
  judge_name: Name({ maxLength: LONGEST_NAME, description: 'The worker’s name, as in its verdicts.' }),
})

const name = Name({ maxLength: LONGEST_NAME })
const version = NameOrNone({ maxLength: LONGEST_NAME })

/** Body of `PUT /v1/judges/{judge_name}`. */
export const JudgeBody = Type.Object(
  {
    languages: Type.Array(
      Type.Object({
        name,
        version,
        aliases: Nullable(Type.Array(name, { maxItems: 100, description: 'Other names of the language.' })),
      }),
      { maxItems: 500, description: 'The languages that are installed.' },
    ),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'How many programs the worker judges at once.',
    }),
    version: Nullable(NameOrNone({ maxLength: LONGEST_NAME, description: 'The version of the worker.' })),
    judging: Nullable(
      Type.Array(
        Type.Object({
          id: Uuid({ description: 'The id in the message.' }),
          seconds: Type.Number({
            minimum: 0,
            maximum: 1_000_000_000,
            description: 'How long the worker has judged it.',
          }),
        }),
        { maxItems: 1000, description: 'What the worker judges now.' },
      ),
    ),
    started: Nullable(
      Type.Boolean({ description: 'The worker has just started; until the first registration succeeds.' }),
    ),
    stopped: Nullable(Type.Boolean({ description: 'The worker stops, and judges nothing any more.' })),
  },
  { title: 'JudgeBody' },
)

const JudgedNow = ResponseObject(
  {
    kind: Type.Enum(['submission', 'run', 'shadow']),
    id: Uuid(),
    since: Instant(),
  },
  { title: 'JudgedNow' },
)

export const JudgeResponse = ResponseObject(
  {
    name: Type.String(),
    version: Type.Optional(Type.String()),
    connected: Type.Boolean({
      description: 'False if the worker has stopped, or did not register within the last minute.',
    }),
    concurrency: Type.Integer({ description: '0 if the worker never registered.' }),
    languages: Type.Array(
      ResponseObject({ name: Type.String(), version: Type.String() }, { title: 'JudgeLanguage' }),
    ),
    judging: Type.Array(JudgedNow, {
      description: 'What it judged at its last registration, without what has a verdict since.',
    }),
    first_seen_at: Instant(),
    started_at: Instant({
      description: 'Its first registration since its start or since a minute of silence.',
    }),
    last_seen_at: Instant(),
    failure: Type.Optional(
      Type.String({
        description:
          'With `npm start -- --judge`: why the worker could not start, or ended. Absent once it registers.',
      }),
    ),
  },
  { title: 'Judge' },
)
