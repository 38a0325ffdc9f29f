import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Instant, IntegerId, Nullable, ResponseObject, Uuid, Written } from '../../../http/routing/schema.ts'

/** Body of `POST /v1/admin/shadow_judgings`: a submission, or a program. */
export const shadowJudgingCreation = ({ sourceCodeBytes }: Config['sizes']) =>
  Type.Object(
    {
      submission_id: Nullable(
        Uuid({ description: 'The submission whose program is judged. The other fields must be absent.' }),
      ),
      problem_id: Nullable(IntegerId({ description: 'Without `submission_id`, all three are required.' })),
      language_id: Nullable(Uuid()),
      source_code: Nullable(Written({ minLength: 1, maxBytes: sourceCodeBytes })),
    },
    { title: 'ShadowJudgingBody' },
  )

export const ShadowJudgingResponse = ResponseObject(
  {
    id: Uuid({ description: 'Judge routes take it like the id of a submission.' }),
    submission_id: Type.Optional(Uuid({ description: 'The submission whose program is judged.' })),
    problem_id: IntegerId(),
    language_id: Uuid(),
    status: Type.String({ description: '`PENDING`.' }),
    submit_time: Instant({ description: 'When the judging was requested.' }),
  },
  { title: 'ShadowJudging' },
)
