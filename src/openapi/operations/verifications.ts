import type { verificationRoutes } from '../../features/judging/verifications/routes.ts'
import { finishedVerification, pendingVerification } from '../examples/example-verification.ts'
import type { Operations } from '../operation-docs.ts'

const { id: verification_id, problem_id } = finishedVerification

export const verificationOperations: Operations<ReturnType<typeof verificationRoutes>[number]> = {
  createVerification: {
    summary: 'Verify a problem package',
    description: `For admins. Has workers judge every program in \`submissions\` of the problem's
package on all test cases, and run every program in \`input_validators\` and \`answer_validators\`, as
shadow judgings. The report compares the results with those that the package expects. The CPU limit of
these judgings is higher than the problem's, so that slow programs show how slow they are; it is at
least twice the limit, and 10 seconds if the limit is provisional. After the last verdict, a limit that
is still provisional is replaced by the computed one. A problem without stored programs and validators
gets 400.`,
    example: { params: { problem_id }, response: pendingVerification },
  },
  readVerification: {
    summary: 'Read the report of a verification',
    description: `For admins. Poll it until \`status\` is \`DONE\`. The results are compared with the
package, limit and groups of the time when the verification was requested. Programs that the service
cannot judge, such as those in a language that it does not offer, are \`NOT_JUDGED\` with the reason, and
do not change \`agrees\`. A time limit that does not fit the programs has a \`message\`, and does not agree.`,
    example: { params: { problem_id, verification_id }, response: finishedVerification },
  },
}
