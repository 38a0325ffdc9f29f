import type { shadowJudgingRoutes } from '../../features/judging/shadow-judgings/routes.ts'
import { shadowOfWrong, wrongSubmission } from '../examples/example-submissions.ts'
import type { Operations } from '../operation-docs.ts'

export const shadowJudgingOperations: Operations<ReturnType<typeof shadowJudgingRoutes>[number]> = {
  createShadowJudging: {
    summary: 'Judge a program apart from the submissions',
    description: `For admins. Queues a program for a judge: with \`submission_id\` the program of a
submission, for its problem, language and event; otherwise \`source_code\`, for \`problem_id\` and
\`language_id\`. The submission keeps its verdict. A shadow judging is in no list, statistic,
standings or notification, and gets to the judges after all submissions and runs. Admins and judges
read it with \`GET /v1/submissions/{submission_id}\`, where its \`user\` is the admin who requested
it; for other users it does not exist. An unknown submission, problem or language gets 404.`,
    example: { body: { submission_id: wrongSubmission.id }, response: shadowOfWrong },
  },
  deleteShadowJudging: {
    summary: 'Delete a shadow judging',
    description: `For admins. Also takes it out of the queue, unless it has already left the service
for a judge; the verdict of this judge then gets 404.`,
    example: { params: { shadow_judging_id: shadowOfWrong.id } },
  },
}
