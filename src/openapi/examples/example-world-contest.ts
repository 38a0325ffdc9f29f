import type { Static } from 'typebox'
import type { FullEventProblemResponse } from '../../features/contests/event-problems/schemas.ts'
import type { EventResponse } from '../../features/contests/events/schemas.ts'
import { ada, cpp, python, summariseProblem, sumOfTwo, ulla, viktor } from './example-world.ts'

type Event = Static<typeof EventResponse>
type EventProblem = Omit<Static<typeof FullEventProblemResponse>, 'problem'>

/** A contest that runs until 2099, as Ada sees it in lists: she takes no part. */
export const practiceLeague: Event = {
  id: 1,
  user_id: ada.id,
  title: 'Practice League',
  description: 'Open all year, alone or in teams.',
  start_time: '2026-01-10T09:00:00Z',
  end_time: '2099-12-31T23:59:59Z',
  teams: true,
  languages: [cpp.id, python.id],
  problem_count: 1,
  participant_count: 2,
  participants: [],
  problems: [{ id: sumOfTwo.id }],
}

/** A contest that has ended; its standings are still frozen. */
export const winterCup: Event = {
  id: 2,
  user_id: ada.id,
  title: 'Winter Cup',
  description: 'Three hours.',
  start_time: '2026-02-01T18:00:00Z',
  end_time: '2026-02-01T21:00:00Z',
  teams: false,
  languages: [],
  problem_count: 0,
  participant_count: 0,
  participants: [],
  problems: [],
  freeze_time: '2026-02-01T20:00:00Z',
  penalty_minutes: 10,
  scoreboard: 'public',
  medals: { gold: 1, silver: 1, bronze: 2 },
  staff: [ulla.id],
}

/** The contest's problem, with a tighter limit than its own. */
export const leagueProblem: EventProblem = {
  id: 1,
  event_id: practiceLeague.id,
  problem_id: sumOfTwo.id,
  hidden: false,
  accept_timeout: 10,
  execution_timeout: 2,
  memory_limit: 256,
}

/** The team of Ulla and Viktor. */
export const nightOwls = {
  id: '019ba3ea-4d00-754c-9e63-61484b37e015',
  event_id: practiceLeague.id,
  name: 'Night Owls',
}

/** The participants, in the order in which they joined. */
export const participants = [
  { user: ulla, joined_at: '2026-01-09T18:00:00Z' },
  { user: viktor, joined_at: '2026-01-09T18:10:00Z' },
]

const { accept_timeout, execution_timeout, memory_limit } = leagueProblem

/** The problem as the contest shows it: within its limits. */
export const problemInLeague = { ...sumOfTwo, accept_timeout, execution_timeout, memory_limit }

/** The contest's problem in its list. */
export const shownLeagueProblem = { ...leagueProblem, problem: summariseProblem(problemInLeague) }
