import type { scoreboardTokenRoutes } from '../../features/contests/scoreboard-tokens/routes.ts'
import { HALL, hallScoreboard, scoreboardToken } from '../examples/example-scoreboard.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'
import { standingsOperations } from './standings.ts'

const { id: event_id, title, teams, start_time, end_time } = practiceLeague
const { id: scoreboard_token_id } = hallScoreboard
const now = '2026-01-10T09:31:04.21775Z'

export const scoreboardTokenOperations: Operations<ReturnType<typeof scoreboardTokenRoutes>[number]> = {
  createScoreboardToken: {
    summary: 'Create a token that shows the standings of an event',
    description: `For a page on a projector. The event's \`scoreboard\` and \`admission\` do not apply. The
token reads the standings and the clock of this event as the public sees them, and nothing else. It
does not expire. Only the contest's staff may create, list and delete these tokens. The service keeps
only a hash, so the token is in no other response.`,
    example: {
      params: { event_id },
      body: { label: HALL },
      response: { ...hallScoreboard, token: scoreboardToken },
    },
  },
  listScoreboardTokens: {
    summary: 'List the scoreboard tokens of an event',
    description: 'Only for the contest’s staff. Oldest first.',
    example: { params: { event_id }, response: [hallScoreboard] },
  },
  deleteScoreboardToken: {
    summary: 'Revoke a scoreboard token',
    description: 'Only for the contest’s staff. From then on requests with the token get 401.',
    example: { params: { event_id, scoreboard_token_id } },
  },
  readScoreboardStandings: {
    summary: 'Read the standings of an event with a scoreboard token',
    description: `The same as \`GET /v1/events/{event_id}/standings\` for a spectator: in a frozen contest
submissions since \`freeze_time\` are pending until the thaw. A token of another event gets 401. Poll
with \`If-None-Match\`.`,
    example: standingsOperations.readStandings.example,
  },
  readScoreboardClock: {
    summary: 'Read the title, the times and the state of an event with a scoreboard token',
    description: `Clients show the time until \`end_time\` from \`now\`. With \`extra_time\` somebody may still
submit after it. A token of another event gets 401.`,
    example: {
      params: { event_id },
      response: { event_id, title, teams, now, start_time, end_time, state: 'running' },
    },
  },
}
