import type { NamedValues, Statement } from '../../src/db/statement.ts'
import { listEventProblems } from '../../src/features/contests/event-problems/sql.ts'
import { listLanguages } from '../../src/features/judging/languages/sql.ts'
import { readRun } from '../../src/features/judging/runs/sql.ts'
import { listEventSubmissionsOfUser } from '../../src/features/judging/submissions/contest-sql.ts'
import {
  listUserSubmissions,
  readStatus,
  readSubmission,
} from '../../src/features/judging/submissions/sql.ts'
import { findAccount } from '../../src/features/people/accounts/sql.ts'
import { listProblems, readProblem } from '../../src/features/problems/problems/sql.ts'
import { QUICK_BODY_BYTES } from '../../src/http/routing/route.ts'
import { leanRun, leanStatus, leanSubmission } from './ceilings/lean.ts'
import type { Exchange, HotRoute } from './route.ts'
import { firstSubmissionOf, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './stage.ts'
import { emailOf, PASSWORD, runId, submissionId, userId } from './values.ts'
import { writingRoutes } from './writing-routes.ts'

/** The path of a user's request, and the values of its statement. */
type Read = (user: number, world: World) => readonly [path: string, values: NamedValues]

/** Without a statement that makes the response there is no ceiling. */
function readRoute(
  name: string,
  statement: Statement | undefined,
  read: Read,
  options: Partial<HotRoute> = {},
) {
  const exchanges = (world: World) => {
    const [event] = world.size.events
    const requests = Array.from({ length: event.people }, async (_, n): Promise<Exchange> => {
      const user = event.firstUser + n
      const [path, values] = read(user, world)
      const actor = { actor: userId(user), actor_role: 0, actor_session: 1 }
      return { method: 'GET', path, token: await world.tokenOf(user), values: { ...actor, ...values } }
    })
    return Promise.all(requests)
  }
  return { name, statuses: [200], ...(statement && { statement }), exchanges, ...options }
}

const publicProblems = ({ size }: World) => size.problems - LAST_PRIVATE_PROBLEM

const submissionOf = (suffix = ''): Read => {
  return (user, { size }) => {
    const [event] = size.events
    const turn = (user * 7) % (event.submissions / event.people)
    const first = firstSubmissionOf(size, event)
    const id = submissionId(first + turn * event.people + (user - event.firstUser))
    return [`/v1/submissions/${id}${suffix}`, { submission_id: id }]
  }
}

const publicProblem: Read = (user, world) => {
  const id = LAST_PRIVATE_PROBLEM + 1 + ((user * 37) % publicProblems(world))
  return [`/v1/problems/${id}`, { problem_id: id, most_bytes: QUICK_BODY_BYTES, whole_tests_bytes: 0 }]
}

const ownRun: Read = (user) => [`/v1/input_submissions/${runId(user)}`, { id: runId(user), channel: 'user' }]

const logins = async ({ size }: World) =>
  Array.from({ length: Math.min(size.users, 500) }, (_, n): Exchange => {
    const email = emailOf(n + 1)
    const body = JSON.stringify({ email, password: PASSWORD })
    return { method: 'POST', path: '/v1/basic_login', body, values: { email } }
  })

const ofEvent =
  (list: string): Read =>
  () => [`/v1/events/1/${list}`, { event_id: 1 }]

const PAGE = 20

const aPageOfProblems: Read = () => [`/v1/problems?limit=${PAGE}`, { page_limit: PAGE }]

const ownSubmissions: Read = (user) => [
  `/v1/user_submissions/${userId(user)}?limit=${PAGE}`,
  { user_id: userId(user), page_limit: PAGE },
]

const ownEventSubmissions: Read = (user) => [
  `/v1/events/1/submissions?user=${userId(user)}`,
  { event_id: 1, user_id: userId(user) },
]

const statusPoll = {
  ...{ targets: { 1: 0.75, 32: 1.4, 256: 1.6 } },
  ...{ lean: leanStatus, leanTargets: { 1: 0.7, 32: 1.2, 256: 1.4 } },
}
const recordTargets = { targets: { 1: 0.8, 32: 1.3, 256: 1.4 } }
const polled = { targets: { 1: 0.8, 32: 0.8, 256: 0.8 } }
const whole = { ...polled, widest: 32 }

export const hotRoutes: readonly HotRoute[] = [
  readRoute('status poll', readStatus, submissionOf('/status'), statusPoll),
  readRoute('submission', readSubmission, submissionOf(), { ...recordTargets, lean: leanSubmission }),
  readRoute('problem', readProblem, publicProblem, recordTargets),
  readRoute('run poll', readRun, ownRun, { lean: leanRun }),
  { name: 'login', statuses: [200], statement: findAccount, password: PASSWORD, exchanges: logins },
  readRoute('own submissions, a page', listUserSubmissions.first, ownSubmissions, polled),
  readRoute('problems, a page', listProblems.first, aPageOfProblems, polled),
  readRoute('problems, all', listProblems.whole, () => ['/v1/problems', {}], { ...whole, isGrowing: true }),
  readRoute('languages', listLanguages.whole, () => ['/v1/languages', {}]),
  readRoute('contest problems', listEventProblems.whole, ofEvent('problems'), recordTargets),
  readRoute('own status of a contest', undefined, ofEvent('user_problem_status')),
  readRoute('attempts', undefined, ofEvent('attempts'), { widest: whole.widest }),
  readRoute('own event submissions', listEventSubmissionsOfUser.whole, ownEventSubmissions, polled),
  ...writingRoutes,
]
