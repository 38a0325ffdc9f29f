import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { DateTime, Filled, Nullable, Uuid, Written } from '../../../http/routing/schema.ts'
import { ObjectId } from './schemas.ts'

/** A property that the service sets. Null is the same as absent. */
const SetByService = () =>
  Type.Optional(
    Type.Null({
      'x-wants': 'be absent: the service sets it',
      description: 'Must be absent: the service sets it.',
    }),
  )

/** An id that the handler compares with known ones. */
const AnyId = (description: string) => Written({ maxLength: 36, description })

/** RELTIME in a request. */
const Span = (description: string) =>
  Written({
    pattern: '^-?\\d+:[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?$',
    maxLength: 30,
    'x-wants': 'be a time span such as 0:05:00.000',
    description,
  })

/** Body of `PATCH /v1/clics/contests/{id}`: a start or a thaw. */
export const ContestChange = Type.Object(
  {
    id: AnyId('The id of the contest, as in the path.'),
    start_time: Nullable(DateTime(), {
      'x-wants': 'be an ISO 8601 date-time, for example 2026-04-01T18:00:00+02:00',
      description: 'More than 30 s from now. Null gets 403: the service needs a start.',
    }),
    countdown_pause_time: Nullable(Span('Gets 403: the service needs a start.')),
    scoreboard_thaw_time: Type.Optional(
      DateTime({ description: 'Not in the future: the service thaws at once.' }),
    ),
  },
  { title: 'ClicsContestChange' },
)

/** Body of `POST /v1/clics/contests/{id}/submissions`. */
export const SubmissionBody = Type.Object(
  {
    ...{ id: SetByService(), time: SetByService(), contest_time: SetByService() },
    problem_id: ObjectId(),
    language_id: Uuid(),
    team_id: Nullable(AnyId('If present, the caller’s own team.')),
    account_id: Nullable(AnyId('If present, the caller’s own account.')),
    entry_point: Nullable(Written({ maxLength: 255, description: 'Ignored: a program is one file.' })),
    files: Type.Array(
      Type.Object({
        data: Written({
          pattern: '^[A-Za-z0-9+/]+={0,2}$',
          'x-wants': 'be Base64',
          description: 'A zip with exactly one file, the program, in Base64.',
        }),
        mime: Nullable(Type.Enum(['application/zip'])),
        filename: Nullable(Written({ maxLength: 255, description: 'Ignored.' })),
      }),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { title: 'ClicsSubmissionBody' },
)

const Recipients = (description: string) => Nullable(Type.Array(ObjectId(), { maxItems: 1000, description }))

/** Body of `POST /v1/clics/contests/{id}/clarifications`. */
export const clarificationBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    {
      id: SetByService(),
      text: Filled({ maxLength: questionCharacters }),
      problem_id: Nullable(ObjectId()),
      from_team_id: Nullable(
        AnyId('The caller’s own team. Staff asks a question with it, and announces without it.'),
      ),
      reply_to_id: Nullable(AnyId('Only for staff: the question that this answers.')),
      to_team_ids: Recipients('Only for answers of staff: the team that asked. Absent: for everybody.'),
      to_group_ids: Recipients('Must be absent or empty.'),
      time: Nullable(DateTime({ description: 'Only for staff. The service stores the present time.' })),
      contest_time: Nullable(Span('Only for staff. Ignored.')),
    },
    { title: 'ClicsClarificationBody' },
  )
