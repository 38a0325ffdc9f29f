import Type from 'typebox'
import { Instant, IntegerId, ResponseObject } from '../../http/routing/schema.ts'
import {
  Difficulty,
  ProblemResponse,
  ProblemSummaryResponse,
  problemLimits,
  UpdatedAt,
} from '../problems/schemas.ts'

export const EventProblemPath = Type.Object({
  event_id: IntegerId(),
  event_problem_id: IntegerId({ description: 'The `id` of the problem in the event, not its `problem_id`.' }),
})

const eventProblem = {
  id: IntegerId({ description: 'The `event_problem_id` of the paths; not the problem’s own id.' }),
  event_id: IntegerId(),
  problem_id: IntegerId(),
  hidden: Type.Boolean({ description: 'Only admins, judges and the event’s owner see it.' }),
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
      { ...eventProblem, ...problemLimits, problem: ProblemSummaryResponse },
      { title: 'ShownEventProblem' },
    ),
    ResponseObject({ ...eventProblem, problem: BriefProblem }, { title: 'BriefEventProblem' }),
  ],
  { title: 'EventProblem' },
)

export const FullEventProblemResponse = ResponseObject(
  { ...eventProblem, ...problemLimits, problem: ProblemResponse },
  { title: 'FullEventProblem' },
)

export const EventProblemAddedResponse = ResponseObject(eventProblem, { title: 'AddedEventProblem' })

export const EventProblemBody = Type.Object({ problem_id: IntegerId() }, { title: 'EventProblemBody' })
