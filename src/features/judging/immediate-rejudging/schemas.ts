import Type from 'typebox'
import { Instant, IntegerId, Nullable, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

/** Body of `POST /v1/admin/rejudge`: at least one id; a submission must match all of them. */
export const RejudgeBody = Type.Object(
  {
    submission_id: Nullable(Uuid()),
    problem_id: Nullable(IntegerId()),
    event_id: Nullable(IntegerId()),
    language_id: Nullable(Uuid()),
    user_id: Nullable(Uuid()),
  },
  { title: 'RejudgeBody' },
)

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const RejudgingResponse = ResponseObject(
  {
    id: Uuid(),
    status: Type.Enum(['QUEUEING', 'QUEUED'], {
      description: '`QUEUEING` until all matching submissions are queued, then `QUEUED`.',
    }),
    total: count('Submissions that matched when the rejudging was requested.'),
    count: count('Submissions that were queued again so far.'),
    skipped: count('Submissions that waited for a verdict anyway.'),
    requested_by: Uuid({ description: 'The admin.' }),
    requested_at: Instant({ description: 'Later submissions are left out.' }),
    finished_at: Type.Optional(Instant({ description: 'When the last submission was queued.' })),
    submission_id: Type.Optional(Uuid()),
    problem_id: Type.Optional(IntegerId()),
    event_id: Type.Optional(IntegerId()),
    language_id: Type.Optional(Uuid()),
    user_id: Type.Optional(Uuid()),
  },
  { title: 'Rejudging' },
)
