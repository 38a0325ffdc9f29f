import Type from 'typebox'
import { IntegerId, Nullable, ResponseObject, Uuid } from '../../http/routing/schema.ts'

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

export const RejudgeResponse = ResponseObject(
  { count: Type.Integer({ description: 'The number of submissions to be judged again.' }) },
  { title: 'Rejudged' },
)
