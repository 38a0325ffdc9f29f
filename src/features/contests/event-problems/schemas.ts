import { MAX_POINTS } from '@judge-data-layer/problem-format/judging-options'
import Type from 'typebox'
import {
  Instant,
  IntegerId,
  Name,
  OrNull,
  ResponseObject,
  Update,
  Written,
} from '../../../http/routing/schema.ts'
import { ProblemResponse, ProblemSummaryResponse, problemLimits } from '../../problems/problems/schemas.ts'
import { Difficulty, UpdatedAt } from '../../shared/records/problems.ts'

const eventProblem = {
  id: IntegerId({ description: 'The `event_problem_id` of the paths; not the problem’s own id.' }),
  event_id: IntegerId(),
  problem_id: IntegerId(),
  hidden: Type.Boolean({ description: 'Only admins, judges and the event’s owner see it.' }),
}

/** A limit that an event sets. */
const LimitSeconds = Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description: 'Seconds.' })

const label = { description: 'The short name in the standings, such as `A`.' }
const color = { description: 'The colour of its balloon, as in CSS.' }
const position = {
  description:
    'Its place: the smallest number comes first. Equal numbers are listed in the order in which the problems were added, and so are, at the end, problems without one.',
}

const points = {
  description:
    'Its full score, with `scoring` `points`; at most two decimals. Without it: the `max_score` of the problem, or 100 if the problem has no test groups.',
}

/** How the event shows a problem: what staff has set (P20). */
const shownSettings = {
  label: Type.Optional(Type.String(label)),
  color: Type.Optional(Type.String(color)),
  position: Type.Optional(Type.Integer(position)),
  points: Type.Optional(Type.Number(points)),
}

const BriefProblem = ResponseObject(
  {
    id: IntegerId(),
    title: Type.String(),
    prompt: Type.Literal('', { description: 'Always empty: the text is not shown.' }),
    difficulty: Difficulty,
    upload_date: Instant(),
    updated_at: UpdatedAt(),
  },
  { title: 'BriefProblem' },
)

/** Before the start, and for users who may not see the problem: without limits and text (D33). */
export const EventProblemResponse = Type.Union(
  [
    ResponseObject(
      { ...eventProblem, ...problemLimits, problem: ProblemSummaryResponse, ...shownSettings },
      { title: 'ShownEventProblem' },
    ),
    ResponseObject(
      { ...eventProblem, problem: BriefProblem, ...shownSettings },
      { title: 'BriefEventProblem' },
    ),
  ],
  { title: 'EventProblem' },
)

export const FullEventProblemResponse = ResponseObject(
  { ...eventProblem, ...problemLimits, problem: ProblemResponse, ...shownSettings },
  { title: 'FullEventProblem' },
)

export const EventProblemAddedResponse = ResponseObject(eventProblem, { title: 'AddedEventProblem' })

/** How an event shows and limits a problem; staff sets it (P20). */
const problemSettings = {
  accept_timeout: LimitSeconds,
  execution_timeout: LimitSeconds,
  memory_limit: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'MiB.' }),
  hidden: Type.Boolean(),
  label: Name({ maxLength: 10, ...label }),
  color: Written({
    ...color,
    pattern: '^(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]{3,30})$',
    'x-wants': 'be # and 3, 4, 6 or 8 hexadecimal digits, or the name of a colour, such as #d00 or gold',
  }),
  position: Type.Integer({ ...position, minimum: 0, maximum: 1_000_000 }),
  points: Type.Number({ ...points, minimum: 0.01, maximum: MAX_POINTS, multipleOf: 0.01 }),
}

/** Null removes a setting (P20). */
const settings = {
  label: OrNull(problemSettings.label),
  color: OrNull(problemSettings.color),
  position: OrNull(problemSettings.position),
  points: OrNull(problemSettings.points),
  accept_timeout: OrNull(LimitSeconds),
  execution_timeout: OrNull(LimitSeconds),
  memory_limit: OrNull(problemSettings.memory_limit),
  hidden: problemSettings.hidden,
}

/** A problem of a new event (D32). */
export const NewEventProblem = Type.Object({
  problem_id: IntegerId(),
  ...Type.Partial(Type.Object(problemSettings)).properties,
})

/** Body of `POST …/problems` (P20, D33). */
export const EventProblemBody = Type.Object(
  { problem_id: IntegerId(), ...Type.Partial(Type.Object(settings)).properties },
  { title: 'EventProblemBody' },
)

/** Body of `PUT …/problems/{event_problem_id}`: any of the fields. */
export const EventProblemUpdate = Update(settings, { title: 'EventProblemUpdateBody' })

export const UpdatedEventProblemResponse = ResponseObject(
  { ...eventProblem, ...problemLimits, ...shownSettings },
  { title: 'UpdatedEventProblem' },
)

export const ForceQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: '`true`: also a problem with submissions in the event.' }),
  ),
})
