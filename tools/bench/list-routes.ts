import { listEventProblems } from '../../src/features/event-problems/sql.ts'
import { listEventSubmissionsOfUser } from '../../src/features/event-submissions/sql.ts'
import { listProblems } from '../../src/features/problems/sql.ts'
import { listAttempts } from '../../src/features/standings/sql.ts'
import { listUserSubmissions } from '../../src/features/submissions/sql.ts'
import { writeCursor } from '../../src/lists/page.ts'
import { userId } from './ids.ts'
import { readRoute } from './reads.ts'
import type { HotRoute } from './route.ts'
import { type Contest, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './world.ts'

const PAGE = 20

const polled = { target: 0.8 }
const whole = { target: 0.8, widest: 32 }

const publicProblems = ({ size }: World) => size.problems - LAST_PRIVATE_PROBLEM

/** Almost the largest limit, different for each user, so that no response can be cached. */
const ownLimit = (user: number) => 1000 - (user % 500)

/** The whole list, after a cursor of each user's own, so that no response can be cached. */
const attemptsAfter = (eventId: number) => (user: number) => {
  const before = `00000000-0000-0000-0000-${String(user).padStart(12, '0')}`
  return {
    path: `/v1/events/${eventId}/attempts?after=${writeCursor(JSON.stringify([before, '0']))}`,
    values: { event_id: eventId, page_limit: 2_000_000_000, page_after_0: before, page_after_1: '0' },
  }
}

const largeContestOf = ({ size }: World): Contest => {
  const contest = size.contests[1]
  if (contest === undefined) throw new Error(`There is no large contest at size ${size.name}`)
  return contest
}

const large: Partial<HotRoute> = {
  ...{ target: 0.8, widest: 1, needsLargeContest: true, isComparedWithBytes: true },
  rows: (world) => largeContestOf(world).people * largeContestOf(world).problems,
}

/** The routes of lists. Polled lists are also measured without the cache. */
export const listRoutes: readonly HotRoute[] = [
  readRoute(
    'own submissions, a page',
    listUserSubmissions.first,
    (user) => ({
      path: `/v1/user_submissions/${userId(user)}?limit=${PAGE}`,
      values: { user_id: userId(user), page_limit: PAGE },
    }),
    polled,
  ),
  readRoute(
    'problems, a page',
    listProblems.first,
    () => ({ path: `/v1/problems?limit=${PAGE}`, values: { page_limit: PAGE } }),
    polled,
  ),
  readRoute('problems, all', listProblems.whole, () => ({ path: '/v1/problems', values: {} }), {
    ...whole,
    rows: publicProblems,
  }),
  readRoute(
    'problems, built each time',
    listProblems.first,
    (user) => ({ path: `/v1/problems?limit=${ownLimit(user)}`, values: { page_limit: ownLimit(user) } }),
    { ...whole, rows: (world) => Math.min(publicProblems(world), 750) },
  ),
  readRoute(
    'contest problems',
    listEventProblems.whole,
    () => ({ path: '/v1/events/1/problems', values: { event_id: 1 } }),
    polled,
  ),
  readRoute(
    'attempts',
    listAttempts.whole,
    () => ({ path: '/v1/events/1/attempts', values: { event_id: 1 } }),
    whole,
  ),
  readRoute('attempts, built each time', listAttempts.after, attemptsAfter(1), whole),
  readRoute(
    'attempts, 5,000 people',
    listAttempts.whole,
    () => ({ path: '/v1/events/2/attempts', values: { event_id: 2 } }),
    large,
    largeContestOf,
  ),
  readRoute(
    'attempts, 5,000 people, built each time',
    listAttempts.after,
    attemptsAfter(2),
    large,
    largeContestOf,
  ),
  readRoute(
    'own event submissions',
    listEventSubmissionsOfUser.whole,
    (user) => ({
      path: `/v1/events/1/submissions?user=${userId(user)}`,
      values: { event_id: 1, user_id: userId(user) },
    }),
    polled,
  ),
]
