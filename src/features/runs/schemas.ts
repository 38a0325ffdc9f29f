import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Nullable, Printed, ResponseObject, Uuid, Written } from '../../http/routing/schema.ts'
import { verdictStatuses } from '../submissions/rules.ts'
import { Attempt, VerdictAttempt } from '../submissions/schemas.ts'

export const RunPath = Type.Object({ id: Uuid() })
export const RunVerdictPath = Type.Object({ submission_id: Uuid() })

/** Body of the three routes that create a run (D27); the anonymous ones ignore `user_id`. */
export const runCreation = ({ sourceCodeBytes, stdinBytes }: Config['sizes']) =>
  Type.Object(
    {
      user_id: Nullable(Uuid({ description: 'The caller’s own, unless an admin asks; may be left out.' })),
      language_id: Uuid(),
      source_code: Written({ minLength: 1, maxBytes: sourceCodeBytes }),
      stdin: Written({ maxBytes: stdinBytes }),
    },
    { title: 'RunBody' },
  )

/** The same without `user_id`, whatever is sent there (D27). */
export function anonymousRunCreation(sizes: Config['sizes']) {
  const { language_id, source_code, stdin } = runCreation(sizes).properties
  return Type.Object({ language_id, source_code, stdin }, { title: 'AnonymousRunBody' })
}

/** Body of `PATCH /v1/input_submissions/{submission_id}`; the statuses are those of submissions (D23). */
export const runVerdictBody = (extraStatuses: readonly string[]) =>
  Type.Object(
    {
      status: Type.Enum(verdictStatuses(extraStatuses), {
        description: '`ACCEPTED`: the program ended by itself, without a fault.',
      }),
      stdout: Nullable(Printed()),
      stderr: Nullable(Printed()),
      runtime: Nullable(Type.Number({ minimum: 0, description: 'Seconds.' })),
      attempt: Nullable(VerdictAttempt),
    },
    { title: 'RunVerdictBody' },
  )

/** The bare id, as text and not as JSON (specification, Custom-input runs). */
export const RunCreatedResponse = Uuid()

const poll = {
  status: Type.String({ description: '`PENDING` until the run has finished, and then what the judge said.' }),
  finished: Type.Boolean(),
  stdout: Type.Optional(Type.String({ description: 'Once the run has finished, as the other outputs.' })),
  stderr: Type.Optional(Type.String()),
  runtime: Type.Optional(Type.Number({ description: 'Seconds.' })),
}

/** What a poll shows: the outputs once the run has finished (D27). */
export const RunResponse = ResponseObject(poll, { title: 'Run' })

/** Judges and admins see also what is to be run (D27). */
export const RunForJudgesResponse = ResponseObject(
  {
    ...poll,
    id: Uuid(),
    language_id: Uuid(),
    source_code: Type.String(),
    stdin: Type.String(),
    attempt: Attempt,
  },
  { title: 'RunForJudges' },
)
