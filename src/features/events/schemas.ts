import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import {
  DateTime,
  Filled,
  Instant,
  IntegerId,
  PageQuery,
  ResponseObject,
  Uuid,
  Written,
} from '../../http/routing/schema.ts'
import { Difficulty, ProblemResponse, ProblemSummaryResponse, problemLimits } from '../problems/schemas.ts'
import { SubmissionListedResponse } from '../submissions/schemas.ts'
import { UserResponse } from '../users/schemas.ts'

export const EventPath = Type.Object({ event_id: IntegerId() })
export const EventProblemPath = Type.Object({
  event_id: IntegerId(),
  event_problem_id: IntegerId({ description: 'The `id` of the problem in the event, not its `problem_id`.' }),
})

export const EventTitleQuery = Type.Object({
  title: Written({ minLength: 1, description: 'The whole title, in the same case.' }),
})

/** At most one of the two filters (specification, Submission filter rules). */
export const EventSubmissionsQuery = Type.Object({
  ...PageQuery.properties,
  user: Type.Optional(Uuid({ description: 'Only those of this user.' })),
  team: Type.Optional(Uuid({ description: 'Only those of the members of this team.' })),
})

/** Integers, no larger than JSON keeps exactly, or UUIDs (D32). */
const Languages = Type.Array(
  Type.Union([Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }), Uuid()], {
    'x-wants': 'be an integer or a UUID',
  }),
)

const event = {
  id: IntegerId(),
  user_id: Uuid({ description: 'Its owner.' }),
  title: Type.String({ description: 'Not unique.' }),
  description: Type.String(),
  start_time: Instant(),
  end_time: Instant({ description: 'The first instant at which it is over.' }),
  teams: Type.Boolean({ description: 'Whether it has the routes of teams.' }),
  languages: Type.Array(Type.Union([Type.Integer(), Type.String()]), { description: 'As they were sent.' }),
  problem_count: Type.Integer({ description: 'Without those that are hidden from the caller.' }),
  participant_count: Type.Integer(),
}

/** An event as writing it answers (D31, D32). */
export const EventResponse = ResponseObject(event, { title: 'Event' })

/** An event in lists: of the participants only the caller (D31). */
export const EventListedResponse = ResponseObject(
  {
    ...event,
    participants: Type.Array(UserResponse, { description: 'The caller, if they take part; nobody else.' }),
  },
  { title: 'ListedEvent' },
)

/** The public view: every participant, and the problems by their ids (D31). */
export const PublicEventResponse = ResponseObject(
  {
    ...event,
    participants: Type.Array(UserResponse),
    problems: Type.Array(ResponseObject({ id: IntegerId({ description: 'A `problem_id`.' }) })),
  },
  { title: 'PublicEvent' },
)

const eventProblem = {
  id: IntegerId({ description: 'The `event_problem_id` of the paths; not the problem’s own id.' }),
  event_id: IntegerId(),
  problem_id: IntegerId(),
  hidden: Type.Boolean({ description: 'Shown to nobody but admins, judges and the event’s owner.' }),
}

const BriefProblem = ResponseObject(
  { id: IntegerId(), title: Type.String(), difficulty: Difficulty },
  { title: 'BriefProblem' },
)

/** A contest's problem; before the start, and to whom the problem is not shown, without limits and text (D33). */
export const EventProblemResponse = Type.Union(
  [
    ResponseObject(
      { ...eventProblem, ...problemLimits, problem: ProblemSummaryResponse },
      { title: 'ShownEventProblem' },
    ),
    ResponseObject({ ...eventProblem, problem: BriefProblem }, { title: 'BriefEventProblem' }),
  ],
  { title: 'EventProblem' },
)

/** A contest's problem with its test cases. */
export const FullEventProblemResponse = ResponseObject(
  { ...eventProblem, ...problemLimits, problem: ProblemResponse },
  { title: 'FullEventProblem' },
)

/** The admin's view: the problems with everything that they have (D31). */
export const FullEventResponse = ResponseObject(
  { ...event, problems: Type.Array(FullEventProblemResponse) },
  { title: 'FullEvent' },
)

export const EventProblemAddedResponse = ResponseObject(eventProblem, { title: 'AddedEventProblem' })

const { source_code, stdout, stderr, ...redacted } = SubmissionListedResponse.properties

/** A submission of a contest: without program and outputs where it is not one's own (D28). */
export const EventSubmissionResponse = Type.Union(
  [SubmissionListedResponse, ResponseObject(redacted, { title: 'RedactedSubmission' })],
  { title: 'EventSubmission' },
)

/** A cell of the standings (D35). */
export const AttemptStatResponse = ResponseObject(
  {
    user_id: Uuid(),
    problem_id: IntegerId(),
    attempts: Type.Integer({
      description:
        'Judged submissions up to and including the first accepted one, without `COMPILE_TIME_ERROR` and `INTERNAL_ERROR`.',
    }),
    total_attempts: Type.Integer({ description: 'All submissions, those that wait included.' }),
    first_accepted_time: Type.Optional(
      Instant({ description: 'The `submit_time` of the first accepted one; absent while there is none.' }),
    ),
    minutes_to_solve: Type.Optional(
      Type.Integer({ description: 'Whole minutes from `start_time` to `first_accepted_time`, at least 0.' }),
    ),
  },
  { title: 'AttemptStat' },
)

export const ProblemStatusResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    status: Type.String({
      description: 'That of the latest accepted submission, where there is one; else of the latest.',
    }),
    submit_time: Instant({ description: 'Of that same submission.' }),
  },
  { title: 'ProblemStatus' },
)

export const ProblemStatsResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    accepted_count: Type.Integer({ description: 'How many people solved it.' }),
    attempted_count: Type.Integer({ description: 'How many people submitted to it.' }),
  },
  { title: 'ProblemStats' },
)

export const MessageResponse = ResponseObject({ message: Type.String() }, { title: 'Message' })

export const ParticipantBody = Type.Object({ user_id: Uuid() }, { title: 'ParticipantBody' })
export const EventProblemBody = Type.Object({ problem_id: IntegerId() }, { title: 'EventProblemBody' })

/** Body of `POST /v1/events` (D32). */
export function eventCreation(sizes: Config['sizes']) {
  const { title, description, start_time, end_time, teams, languages } = eventFields(sizes)
  const seconds = Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description: 'Seconds.' }),
  )
  return Type.Object(
    {
      title,
      description: Type.Optional(description),
      start_time,
      end_time,
      teams: Type.Optional(teams),
      user_id: Type.Optional(Uuid()),
      problems: Type.Optional(
        Type.Array(
          Type.Object({
            problem_id: IntegerId(),
            accept_timeout: seconds,
            execution_timeout: seconds,
            memory_limit: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'MiB.' }),
            ),
            hidden: Type.Optional(Type.Boolean()),
          }),
        ),
      ),
      languages: Type.Optional(languages),
    },
    { title: 'EventBody' },
  )
}

/** Body of `PUT /v1/events/{event_id}`: any of the fields, but not the problems (D32). */
export function eventUpdate(sizes: Config['sizes']) {
  const { languages, ...fields } = eventFields(sizes)
  return Type.Partial(Type.Object(fields), { title: 'EventUpdateBody' })
}

function eventFields({ nameCharacters }: Config['sizes']) {
  return {
    title: Filled({ maxLength: nameCharacters }),
    description: Written(),
    start_time: DateTime(),
    end_time: DateTime(),
    teams: Type.Boolean(),
    languages: Languages,
  }
}
