import type { judgeRoutes } from '../../features/judging/judges/routes.ts'
import { busyJudge } from '../examples/example-judges.ts'
import type { Operations } from '../operation-docs.ts'

export const judgeOperations: Operations<ReturnType<typeof judgeRoutes>[number]> = {
  listJudges: {
    summary: 'List the workers that have registered',
    description: `For admins. By name: which worker judges what and since when, also workers that
have stopped. A worker that does not register for a minute is not connected. After seven days it
leaves the list. A worker may judge without registering.`,
    example: { response: [busyJudge] },
  },
  registerJudge: {
    summary: 'Register a worker, or say that it still works',
    description: `For judge workers, which repeat the request every 15 seconds. It replaces what the
service knows of the worker of this name: names must differ. Registering is optional; the service
uses it for \`GET /v1/judges\`, \`available\` in \`GET /v1/languages\` and its metrics only. A worker that
stops sends \`stopped\`.`,
    example: {
      params: { judge_name: 'judge-2' },
      body: {
        languages: [{ name: 'Python', version: '3.12', aliases: ['py'] }],
        concurrency: 2,
        version: '0.2.0',
        judging: [],
      },
    },
  },
}
