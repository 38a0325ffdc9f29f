import { findAccount } from '../../src/features/accounts/sql.ts'
import { countUnread } from '../../src/features/notifications/sql.ts'
import { readProblem } from '../../src/features/problems/sql.ts'
import { readStatus, readSubmission } from '../../src/features/submissions/sql.ts'
import { emailOf, PASSWORD } from './fill-values.ts'
import { submissionId } from './ids.ts'
import { readRoute } from './reads.ts'
import type { HotRoute } from './route.ts'
import { firstSubmissionOf, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './world.ts'

/** A submission of a person in the first contest. */
function submissionOf(user: number, { size }: World): string {
  const [contest] = size.contests
  const turn = (user * 7) % (contest.submissions / contest.people)
  return submissionId(firstSubmissionOf(size, contest) + turn * contest.people + (user - contest.firstUser))
}

const publicProblem = (user: number, { size }: World) =>
  LAST_PRIVATE_PROBLEM + 1 + ((user * 37) % (size.problems - LAST_PRIVATE_PROBLEM))

/** The routes that read one record. */
export const recordRoutes: readonly HotRoute[] = [
  readRoute(
    'status poll',
    readStatus,
    (user, world) => {
      const id = submissionOf(user, world)
      return { path: `/v1/submissions/${id}/status`, values: { submission_id: id } }
    },
    { target: 0.75 },
  ),
  readRoute('submission', readSubmission, (user, world) => {
    const id = submissionOf(user, world)
    return { path: `/v1/submissions/${id}`, values: { submission_id: id } }
  }),
  readRoute('problem', readProblem, (user, world) => {
    const problem = publicProblem(user, world)
    return { path: `/v1/problems/${problem}`, values: { problem_id: problem } }
  }),
  readRoute('notification count', countUnread, () => ({
    path: '/v1/user/notifications/count',
    values: {},
  })),
  {
    name: 'login',
    statuses: [200],
    statement: findAccount,
    password: PASSWORD,
    exchanges: async ({ size }) =>
      Array.from({ length: Math.min(size.users, 500) }, (_, n) => {
        const email = emailOf(n + 1)
        const body = JSON.stringify({ email, password: PASSWORD })
        return { method: 'POST', path: '/v1/basic_login', body, values: { email } }
      }),
  },
]
