import type { NamedValues, Statement } from '../../src/db/statement.ts'
import { findAccount } from '../../src/features/accounts/sql.ts'
import { listEventProblems } from '../../src/features/event-problems/sql.ts'
import { listEventSubmissionsOfUser } from '../../src/features/event-submissions/sql.ts'
import { listLanguages } from '../../src/features/languages/sql.ts'
import { countUnread } from '../../src/features/notifications/sql.ts'
import { listProblems, readProblem } from '../../src/features/problems/sql.ts'
import { readRun } from '../../src/features/runs/sql.ts'
import { listAttempts, listOwnProblemStatus } from '../../src/features/standings/attempts-sql.ts'
import { listUserSubmissions, readStatus, readSubmission } from '../../src/features/submissions/sql.ts'
import { QUICK_BODY_BYTES } from '../../src/http/routing/pool-of.ts'
import { writeCursor } from '../../src/lists/page.ts'
import {
  leanEventProblems,
  leanLanguages,
  leanNotificationCount,
  leanProblem,
  leanRun,
  leanStatus,
  leanSubmission,
} from './ceilings/lean.ts'
import { always, type Exchange, type HotRoute } from './route.ts'
import { type EventSize, firstSubmissionOf, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './stage.ts'
import { emailOf, PASSWORD, runId, submissionId, userId } from './values.ts'
import { writingRoutes } from './writing-routes.ts'

/** The path of a user's request, and the values of its statement. */
type Read = (user: number, world: World) => readonly [path: string, values: NamedValues]

/** The last user, who is an admin. */
const adminOf = ({ size }: World) => ({ user: size.users, actor_role: 2 })

/**
 * A route that reads, requested by each person of the first or of the large contest, or by the
 * admin for each of them.
 */
function readRoute(
  name: string,
  statement: Statement,
  read: Read,
  { isByAdmin, ...options }: Partial<HotRoute> & { readonly isByAdmin?: true } = {},
): HotRoute {
  const exchanges = (world: World) => {
    const event = options.needsLargeEvent ? largeEventOf(world) : world.size.events[0]
    const requests = Array.from({ length: event.people }, async (_, n): Promise<Exchange> => {
      const user = event.firstUser + n
      const [path, values] = read(user, world)
      const caller = isByAdmin ? adminOf(world) : { user, actor_role: 0 }
      const actor = { actor: userId(caller.user), actor_role: caller.actor_role, actor_session: 1 }
      return { method: 'GET', path, token: await world.tokenOf(caller.user), values: { ...actor, ...values } }
    })
    return Promise.all(requests)
  }
  return { name, statuses: [200], statement, exchanges, ...options }
}

function largeEventOf({ size }: World): EventSize {
  const event = size.events[1]
  if (event === undefined) throw new Error(`There is no large contest at size ${size.name}`)
  return event
}

const publicProblems = ({ size }: World) => size.problems - LAST_PRIVATE_PROBLEM

/** A submission of a person in the first contest. */
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

const firstProblems =
  (limitOf: (user: number) => number): Read =>
  (user) => [`/v1/problems?limit=${limitOf(user)}`, { page_limit: limitOf(user) }]

const ofEvent =
  (event_id: number, list: string): Read =>
  () => [`/v1/events/${event_id}/${list}`, { event_id }]

/** The whole list, after a cursor of each user's own, so that no response can be cached. */
const attemptsAfter = (event_id: number): Read => {
  return (user) => {
    const before = `00000000-0000-0000-0000-${String(user).padStart(12, '0')}`
    const path = `/v1/events/${event_id}/attempts?after=${writeCursor(JSON.stringify([before, '0']))}`
    return [path, { event_id, page_limit: 2_000_000_000, page_after_0: before, page_after_1: '0' }]
  }
}

const PAGE = 20

/** Almost the largest limit, different for each user, so that no response can be cached. */
const ownLimit = (user: number) => 1000 - (user % 500)

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
const polled = { targets: always(0.8) }
const whole = { targets: always(0.8), widest: 32 }
const large = {
  ...({ targets: always(0.8), widest: 1, needsLargeEvent: true, isComparedWithBytes: true } as const),
  rows: (world: World) => largeEventOf(world).people * largeEventOf(world).problems,
}
const atMost750 = { ...whole, rows: (world: World) => Math.min(publicProblems(world), 750) }

/** The measured routes: records, lists, writes. Polled lists are also measured without the cache. */
export const hotRoutes: readonly HotRoute[] = [
  readRoute('status poll', readStatus, submissionOf('/status'), statusPoll),
  readRoute('status poll by an admin', readStatus, submissionOf('/status'), {
    ...statusPoll,
    isByAdmin: true,
  }),
  readRoute('submission', readSubmission, submissionOf(), { ...recordTargets, lean: leanSubmission }),
  readRoute('problem', readProblem, publicProblem, { ...recordTargets, lean: leanProblem }),
  readRoute('run poll', readRun, ownRun, { lean: leanRun }),
  readRoute('notification count', countUnread, () => ['/v1/user/notifications/count', {}], {
    lean: leanNotificationCount,
  }),
  { name: 'login', statuses: [200], statement: findAccount, password: PASSWORD, exchanges: logins },
  readRoute('own submissions, a page', listUserSubmissions.first, ownSubmissions, polled),
  readRoute(
    'problems, a page',
    listProblems.first,
    firstProblems(() => PAGE),
    polled,
  ),
  readRoute('problems, all', listProblems.whole, () => ['/v1/problems', {}], {
    ...whole,
    rows: publicProblems,
  }),
  readRoute('problems, built each time', listProblems.first, firstProblems(ownLimit), atMost750),
  readRoute('languages', listLanguages.whole, () => ['/v1/languages', {}], { lean: leanLanguages }),
  readRoute('contest problems', listEventProblems.whole, ofEvent(1, 'problems'), {
    ...recordTargets,
    lean: leanEventProblems,
  }),
  readRoute('own status of a contest', listOwnProblemStatus.whole, ofEvent(1, 'user_problem_status')),
  readRoute('attempts', listAttempts.whole, ofEvent(1, 'attempts'), whole),
  readRoute('attempts, built each time', listAttempts.after, attemptsAfter(1), whole),
  readRoute('attempts, 5,000 people', listAttempts.whole, ofEvent(2, 'attempts'), large),
  readRoute('attempts, 5,000 people, built each time', listAttempts.after, attemptsAfter(2), large),
  readRoute('own event submissions', listEventSubmissionsOfUser.whole, ownEventSubmissions, polled),
  ...writingRoutes,
]
