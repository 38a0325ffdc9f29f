import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../http/routing/schema.ts'

export const AttemptStatResponse = ResponseObject(
  {
    user_id: Uuid(),
    problem_id: IntegerId(),
    attempts: Type.Integer({
      description:
        'Judged submissions up to and including the first accepted one, without `COMPILE_TIME_ERROR` and `INTERNAL_ERROR`.',
    }),
    total_attempts: Type.Integer({ description: 'All submissions, pending ones included.' }),
    first_accepted_time: Type.Optional(
      Instant({ description: 'The `submit_time` of the first accepted submission, if any.' }),
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
    status: Type.String({ description: 'The status of the latest accepted submission, else of the latest.' }),
    submit_time: Instant({ description: 'The time of the same submission.' }),
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
