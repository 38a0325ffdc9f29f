import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Nullable, Printed, ResponseObject, Uuid, Written } from '../../../http/routing/schema.ts'
import { LanguageResponse } from '../../shared/records/languages.ts'
import { judgingNumber, judgingOfVerdict } from '../submissions/judging.ts'
import { verdictStatuses } from '../submissions/rules.ts'

export const RunPath = Type.Object({ id: Uuid() })

/** Body of the three routes that create a run (D27); the anonymous ones ignore `user_id`. */
export const runCreation = ({ sourceCodeBytes, stdinBytes }: Config['sizes']) =>
  Type.Object(
    {
      user_id: Nullable(
        Uuid({ description: 'The caller’s id, which is the default; admins may send another user’s.' }),
      ),
      language_id: Uuid(),
      source_code: Written({ minLength: 1, maxBytes: sourceCodeBytes }),
      stdin: Written({ maxBytes: stdinBytes }),
    },
    { title: 'RunBody' },
  )

/** The same without `user_id`, which is ignored (D27). */
export function anonymousRunCreation(sizes: Config['sizes']) {
  const { language_id, source_code, stdin } = runCreation(sizes).properties
  return Type.Object({ language_id, source_code, stdin }, { title: 'AnonymousRunBody' })
}

/** Body of `PATCH /v1/input_submissions/{submission_id}`; statuses as for submissions (D23). */
export const runVerdictBody = (extraStatuses: readonly string[]) =>
  Type.Object(
    {
      status: Type.Enum(verdictStatuses(extraStatuses), {
        description: '`ACCEPTED`: the program ended without an error.',
      }),
      stdout: Nullable(Printed()),
      stderr: Nullable(Printed()),
      runtime: Nullable(Type.Number({ minimum: 0, description: 'Seconds.' })),
      ...judgingOfVerdict,
    },
    { title: 'RunVerdictBody' },
  )

/** The id as plain text, not as JSON (specification, Custom-input runs). */
export const RunCreatedResponse = Uuid()

const poll = {
  status: Type.String({
    description: '`PENDING` until the run has finished, then the status of the verdict.',
  }),
  finished: Type.Boolean(),
  stdout: Type.Optional(Type.String({ description: 'The outputs are present once the run has finished.' })),
  stderr: Type.Optional(Type.String()),
  runtime: Type.Optional(Type.Number({ description: 'Seconds.' })),
}

export const RunResponse = ResponseObject(poll, { title: 'Run' })

/** Judges and admins get the program and its language too (D27, D40). */
export const RunForJudgesResponse = ResponseObject(
  {
    ...poll,
    id: Uuid(),
    language_id: Uuid(),
    language: LanguageResponse,
    source_code: Type.String(),
    stdin: Type.String(),
    ...judgingNumber,
  },
  { title: 'RunForJudges' },
)
