import type { Value } from '../src/db/database.ts'
import { writeCursor } from '../src/db/list.ts'
import { findAccount } from '../src/features/accounts/sql.ts'
import { listEventProblems } from '../src/features/contests/problem-sql.ts'
import { listAttempts } from '../src/features/contests/standings-sql.ts'
import { listEventSubmissionsOfUser } from '../src/features/contests/submission-sql.ts'
import { countUnread } from '../src/features/notifications/sql.ts'
import { listProblems, readProblem } from '../src/features/problems/sql.ts'
import { listUserSubmissions, readStatus, readSubmission } from '../src/features/submissions/sql.ts'
import { emailOf, PASSWORD } from './fill-values.ts'
import { submissionId, userId } from './ids.ts'
import type { Exchange, HotRoute } from './route.ts'
import { type Contest, firstSubmissionOf, LAST_PRIVATE_PROBLEM } from './sizes.ts'
import type { World } from './world.ts'
import { writingRoutes } from './writing-routes.ts'

const PAGE = 20

/** As many problems as the service gives at a time, or nearly. Everybody asks for another number, so that no answer can be used twice. */
const ownLimit = (user: number) => 1000 - (user % 500)

/** All attempts of a contest, after a cursor of one's own that stands before the first of them, so that no answer can be used twice. */
const attemptsAfter = (eventId: number) => (user: number) => {
  const before = `00000000-0000-0000-0000-${String(user).padStart(12, '0')}`
  return {
    path: `/v1/events/${eventId}/attempts?after=${writeCursor(JSON.stringify([before, '0']))}`,
    values: [eventId, 2_000_000_000, before, '0'],
  }
}

/** Reads by distinct users of the first contest: `ask` says what the n-th of them asks. */
function readsOf(
  ask: (user: number, world: World) => { path: string; values: readonly Value[] },
  contestOf: (world: World) => Contest = (world) => world.size.contests[0],
) {
  return async (world: World): Promise<Exchange[]> => {
    const { people, firstUser } = contestOf(world)
    const users = Array.from({ length: people }, (_, n) => firstUser + n)
    return Promise.all(
      users.map(async (user) => {
        const { path, values } = ask(user, world)
        const actor: Value[] = [userId(user), 0, 1]
        return {
          method: 'GET' as const,
          path,
          token: await world.tokenOf(user),
          values: [...actor, ...values],
        }
      }),
    )
  }
}

/** One of the submissions of a person of the first contest. */
function submissionOf(user: number, { size }: World): string {
  const [contest] = size.contests
  const turn = (user * 7) % (contest.submissions / contest.people)
  return submissionId(firstSubmissionOf(size, contest) + turn * contest.people + (user - contest.firstUser))
}

const cellsOf = ({ people, problems }: Contest) => people * problems

const largeContestOf = ({ size }: World): Contest => {
  const contest = size.contests[1]
  if (contest === undefined) throw new Error(`There is no large contest at size ${size.name}`)
  return contest
}

const publicProblem = (user: number, { size }: World) =>
  LAST_PRIVATE_PROBLEM + 1 + ((user * 37) % (size.problems - LAST_PRIVATE_PROBLEM))

const readingRoutes: readonly HotRoute[] = [
  {
    name: 'status poll',
    statuses: [200],
    statement: readStatus,
    target: 0.75,
    exchanges: readsOf((user, world) => {
      const id = submissionOf(user, world)
      return { path: `/v1/submissions/${id}/status`, values: [id] }
    }),
  },
  {
    name: 'submission',
    statuses: [200],
    statement: readSubmission,
    exchanges: readsOf((user, world) => {
      const id = submissionOf(user, world)
      return { path: `/v1/submissions/${id}`, values: [id] }
    }),
  },
  {
    name: 'own submissions, a page',
    statuses: [200],
    statement: listUserSubmissions.first,
    target: 0.8,
    exchanges: readsOf((user) => ({
      path: `/v1/user_submissions/${userId(user)}?limit=${PAGE}`,
      values: [userId(user), PAGE],
    })),
  },
  {
    name: 'problems, a page',
    statuses: [200],
    statement: listProblems.first,
    target: 0.8,
    exchanges: readsOf(() => ({ path: `/v1/problems?limit=${PAGE}`, values: [PAGE] })),
  },
  {
    name: 'problems, all',
    statuses: [200],
    statement: listProblems.whole,
    target: 0.8,
    widest: 32,
    rows: ({ size }) => size.problems - LAST_PRIVATE_PROBLEM,
    exchanges: readsOf(() => ({ path: '/v1/problems', values: [] })),
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
      values: [ownLimit(user)],
    })),
  },
  {
    name: 'problem',
    statuses: [200],
    statement: readProblem,
    exchanges: readsOf((user, world) => {
      const problem = publicProblem(user, world)
      return { path: `/v1/problems/${problem}`, values: [problem] }
    }),
  },
  {
    name: 'contest problems',
    statuses: [200],
    statement: listEventProblems.whole,
    target: 0.8,
    exchanges: readsOf(() => ({ path: '/v1/events/1/problems', values: [1] })),
  },
  {
    name: 'attempts',
    statuses: [200],
    statement: listAttempts.whole,
    target: 0.8,
    widest: 32,
    exchanges: readsOf(() => ({ path: '/v1/events/1/attempts', values: [1] })),
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
    isHeldToBytes: true,
    rows: (world) => cellsOf(largeContestOf(world)),
    exchanges: readsOf(() => ({ path: '/v1/events/2/attempts', values: [2] }), largeContestOf),
  },
  {
    name: 'attempts, 5,000 people, built each time',
    statuses: [200],
    statement: listAttempts.after,
    target: 0.8,
    widest: 1,
    needsLargeContest: true,
    isHeldToBytes: true,
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
      values: [1, userId(user)],
    })),
  },
  {
    name: 'notification count',
    statuses: [200],
    statement: countUnread,
    exchanges: readsOf(() => ({ path: '/v1/user/notifications/count', values: [] })),
  },
  {
    name: 'login',
    statuses: [200],
    statement: findAccount,
    password: PASSWORD,
    exchanges: async ({ size }) =>
      Array.from({ length: Math.min(size.users, 500) }, (_, n) => {
        const email = emailOf(n + 1)
        return {
          method: 'POST',
          path: '/v1/basic_login',
          body: JSON.stringify({ email, password: PASSWORD }),
          values: [email],
        }
      }),
  },
]

/** Every hot route. */
export const hotRoutes: readonly HotRoute[] = [...readingRoutes, ...writingRoutes]
