import { listEventProblems } from '../../src/features/event-problems/sql.ts'
import { listEventSubmissionsOfUser } from '../../src/features/event-submissions/sql.ts'
import { listProblems } from '../../src/features/problems/sql.ts'
import { listAttempts } from '../../src/features/standings/sql.ts'
import { listUserSubmissions } from '../../src/features/submissions/sql.ts'
import { writeCursor } from '../../src/lists/page.ts'
import { userId } from './ids.ts'
import { readsOf } from './reads.ts'
import type { HotRoute } from './route.ts'
import { type Contest, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './world.ts'

const PAGE = 20

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

const cellsOf = ({ people, problems }: Contest) => people * problems

const largeContestOf = ({ size }: World): Contest => {
  const contest = size.contests[1]
  if (contest === undefined) throw new Error(`There is no large contest at size ${size.name}`)
  return contest
}

/** The routes of lists. Polled lists are also measured without the cache. */
export const listRoutes: readonly HotRoute[] = [
  {
    name: 'own submissions, a page',
    statuses: [200],
    statement: listUserSubmissions.first,
    target: 0.8,
    exchanges: readsOf((user) => ({
      path: `/v1/user_submissions/${userId(user)}?limit=${PAGE}`,
      values: { user_id: userId(user), page_limit: PAGE },
    })),
  },
  {
    name: 'problems, a page',
    statuses: [200],
    statement: listProblems.first,
    target: 0.8,
    exchanges: readsOf(() => ({ path: `/v1/problems?limit=${PAGE}`, values: { page_limit: PAGE } })),
  },
  {
    name: 'problems, all',
    statuses: [200],
    statement: listProblems.whole,
    target: 0.8,
    widest: 32,
    rows: ({ size }) => size.problems - LAST_PRIVATE_PROBLEM,
    exchanges: readsOf(() => ({ path: '/v1/problems', values: {} })),
  },
  {
    name: 'problems, built each time',
    statuses: [200],
    statement: listProblems.first,
    target: 0.8,
    widest: 32,
    rows: ({ size }) => Math.min(size.problems - LAST_PRIVATE_PROBLEM, 750),
    exchanges: readsOf((user) => ({
      path: `/v1/problems?limit=${ownLimit(user)}`,
      values: { page_limit: ownLimit(user) },
    })),
  },
  {
    name: 'contest problems',
    statuses: [200],
    statement: listEventProblems.whole,
    target: 0.8,
    exchanges: readsOf(() => ({ path: '/v1/events/1/problems', values: { event_id: 1 } })),
  },
  {
    name: 'attempts',
    statuses: [200],
    statement: listAttempts.whole,
    target: 0.8,
    widest: 32,
    exchanges: readsOf(() => ({ path: '/v1/events/1/attempts', values: { event_id: 1 } })),
  },
  {
    name: 'attempts, built each time',
    statuses: [200],
    statement: listAttempts.after,
    target: 0.8,
    widest: 32,
    exchanges: readsOf(attemptsAfter(1)),
  },
  {
    name: 'attempts, 5,000 people',
    statuses: [200],
    statement: listAttempts.whole,
    target: 0.8,
    widest: 1,
    needsLargeContest: true,
    isComparedWithBytes: true,
    rows: (world) => cellsOf(largeContestOf(world)),
    exchanges: readsOf(() => ({ path: '/v1/events/2/attempts', values: { event_id: 2 } }), largeContestOf),
  },
  {
    name: 'attempts, 5,000 people, built each time',
    statuses: [200],
    statement: listAttempts.after,
    target: 0.8,
    widest: 1,
    needsLargeContest: true,
    isComparedWithBytes: true,
    rows: (world) => cellsOf(largeContestOf(world)),
    exchanges: readsOf(attemptsAfter(2), largeContestOf),
  },
  {
    name: 'own event submissions',
    statuses: [200],
    statement: listEventSubmissionsOfUser.whole,
    target: 0.8,
    exchanges: readsOf((user) => ({
      path: `/v1/events/1/submissions?user=${userId(user)}`,
      values: { event_id: 1, user_id: userId(user) },
    })),
  },
]
