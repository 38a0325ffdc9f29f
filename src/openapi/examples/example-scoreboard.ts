import type { Static } from 'typebox'
import type { ScoreboardTokenResponse } from '../../features/contests/scoreboard-tokens/schemas.ts'
import { ada } from './example-world.ts'
import { practiceLeague } from './example-world-contest.ts'

/** A token of the league, and how staff sees it. */
export const scoreboardToken = 'kZ6qk1D0n2VxGJw7mC8aTQyR5bU3eHs9oLpFiXzN4Wc'

export const HALL = 'Lecture hall'

export const hallScoreboard: Static<typeof ScoreboardTokenResponse> = {
  id: '019ba747-cfe0-7b04-8f1a-2c6d9e0b7a53',
  event_id: practiceLeague.id,
  label: HALL,
  created_by: ada.id,
  created_at: '2026-01-10T08:31:00Z',
}
