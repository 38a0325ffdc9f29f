import type { Static } from 'typebox'
import type { ScoreboardTokenResponse } from '../../features/contests/scoreboard-tokens/schemas.ts'
import { acceptedSubmission, pendingSubmission } from '../examples/example-submissions.ts'
import { ada, sumOfTwo, ulla, viktor } from '../examples/example-world.ts'
import { practiceLeague, winterCup } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

/** A token of the league, and how staff sees it. */
export const scoreboardToken = 'kZ6qk1D0n2VxGJw7mC8aTQyR5bU3eHs9oLpFiXzN4Wc'

const HALL = 'Lecture hall'

export const hallScoreboard: Static<typeof ScoreboardTokenResponse> = {
  id: '019ba747-cfe0-7b04-8f1a-2c6d9e0b7a53',
  event_id: practiceLeague.id,
  label: HALL,
  created_by: ada.id,
  created_at: '2026-01-10T08:31:00Z',
}

const event_id = practiceLeague.id
const problem_id = sumOfTwo.id

/** The rows of the example: both take part, and Viktor solved the only problem that was tried. */
const rows = [
  {
    rank: 1,
    user: { id: viktor.id, name: viktor.name },
    solved: 1,
    penalty: 20,
    last_accepted: acceptedSubmission.submit_time,
    cells: [{ problem_id, tries: 1, pending: 0, minutes: 20, first: true }],
  },
  {
    rank: 2,
    user: { id: ulla.id, name: ulla.name },
    solved: 0,
    penalty: 0,
    cells: [{ problem_id, tries: 1, pending: 1 }],
  },
]

const standings = {
  response: {
    event_id,
    state: 'running',
    at: '2026-04-01T18:30:00Z',
    problems: [{ problem_id, label: 'A' }],
    rows,
  },
}

const { title, teams, start_time, end_time } = practiceLeague
const { id: scoreboard_token_id } = hallScoreboard
const now = '2026-01-10T09:31:04.21775Z'

export const standingsOperations = {
  readStandings: {
    summary: 'Read the standings of a contest',
    description: `All participants, or with \`by=team\` all teams, in the order of solved problems (with
\`scoring\` \`points\`: of points), penalty and the minute of the last accepted submission. Rows that
are equal in all three share a rank and are listed by name; after the end by the name at the end.
Penalty is counted for solved problems only, and with points for those that gave some: the minutes
to the first accepted submission, and \`penalty_minutes\` for each rejected one before it. With
points, an accepted program has the \`points\` of its problem (else 100) and another one 0; with test
groups a score is multiplied by \`points / max_score\`. Points are rounded to two decimals after the
sum.
\`COMPILE_TIME_ERROR\`, \`INTERNAL_ERROR\` and pending submissions add none. A team's cell counts the
submissions of all its members. Hidden problems, participants who are hidden or were removed, and users who registered
after the end are left out.

In a frozen contest submissions since \`freeze_time\` are pending, also the caller's own; only the
contest's staff and judges see them as they are. Public standings need no token. Poll with
\`If-None-Match\`.`,
    example: standings,
  },
  readStandingsCsv: {
    summary: 'Read the standings of a contest as CSV',
    description: `The same standings for a spreadsheet (RFC 4180): a line for each row, with tries, pending,
minutes and, with points, score of each problem. The file begins with a byte order mark, for Excel. A
name that a spreadsheet would take for a formula begins with an apostrophe.`,
  },
  thawStandings: {
    summary: 'Show the results of a frozen contest',
    description: `For the staff of the contest, after the end of its last participant. Without a query it
reveals everything at once. \`next=true\` reveals one cell, for an award ceremony: the first frozen
cell of the last row that has one, in events with teams of the last team. When no cell is frozen any
more, the next step thaws the contest. \`undo=true\` hides the cell revealed last, or undoes the thaw. If
nothing was revealed, it gets 409 \`NOTHING_REVEALED\`. If people may submit again after a thaw or a
step of it, the contest is frozen again as a whole.

Submissions that have no verdict yet stay pending. They get their verdicts later, and these are shown
at once where the cell is revealed: rows may then move that were announced already. Wait for all
verdicts first.`,
    example: {
      params: { event_id: winterCup.id },
      response: { event_id: winterCup.id, state: 'ended', steps_left: 0 },
    },
  },
  listAttempts: {
    summary: 'List all attempts, by user and problem',
    description: `The data for a page of standings: one item for each user and problem that they
tried, by user and problem. \`attempts\` counts the submissions that affect the score: judged ones
up to and including the first accepted one, without \`COMPILE_TIME_ERROR\` and \`INTERNAL_ERROR\`.
\`first_accepted_time\` and \`minutes_to_solve\` are present once the problem is solved.
\`GET /v1/public/events/{event_id}/participants\` has the names. Standings are by user, in events
with teams too. The request is cheap: it reads no submission.

During a freeze, submissions since then count as pending, except for staff and judges.`,
    example: {
      response: [
        { user_id: ulla.id, problem_id, attempts: 1, total_attempts: 2 },
        {
          user_id: viktor.id,
          problem_id,
          attempts: 1,
          total_attempts: 1,
          first_accepted_time: acceptedSubmission.submit_time,
          minutes_to_solve: 20,
        },
      ],
    },
  },
  listProblemStatuses: {
    summary: 'List the caller’s own status, problem by problem',
    description: `One item for each problem of the event that the caller has tried: an accepted
submission if there is one, else the latest one, which may be \`PENDING\`. Other problems are not in
the list. A freeze does not change it.`,
    example: {
      response: [
        { problem_id, status: pendingSubmission.status, submit_time: pendingSubmission.submit_time },
      ],
    },
  },
  listProblemStats: {
    summary: 'List how many people tried and solved each problem',
    description: `One item for each problem of the event that the caller may know of, including
problems without attempts. The counts are of people, not of submissions. A person whose submission
is still pending counts as having tried. So does, during a freeze, one whose submissions were all
sent since then, except for staff and judges.`,
    example: { response: [{ problem_id, accepted_count: 1, attempted_count: 2 }] },
  },
  createScoreboardToken: {
    summary: 'Create a token that shows the standings of an event',
    description: `For a page on a projector. The event's \`scoreboard\` and \`admission\` do not apply. The
token reads the standings and the clock of this event as the public sees them, and nothing else. It
does not expire. Only the contest's staff may create, list and delete these tokens. The service keeps
only a hash, so the token is in no other response.`,
    example: {
      body: { label: HALL },
      response: { ...hallScoreboard, token: scoreboardToken },
    },
  },
  listScoreboardTokens: {
    summary: 'List the scoreboard tokens of an event',
    description: 'Only for the contest’s staff. Oldest first.',
    example: { response: [hallScoreboard] },
  },
  deleteScoreboardToken: {
    summary: 'Revoke a scoreboard token',
    description: 'Only for the contest’s staff. From then on requests with the token get 401.',
    example: { params: { scoreboard_token_id } },
  },
  readScoreboardStandings: {
    summary: 'Read the standings of an event with a scoreboard token',
    description: `The same as \`GET /v1/events/{event_id}/standings\` for a spectator: in a frozen contest
submissions since \`freeze_time\` are pending until the thaw. A token of another event gets 401. Poll
with \`If-None-Match\`.`,
    example: standings,
  },
  readScoreboardClock: {
    summary: 'Read the title, the times and the state of an event with a scoreboard token',
    description: `Clients show the time until \`end_time\` from \`now\`. With \`extra_time\` somebody may still
submit after it. A token of another event gets 401.`,
    example: { response: { event_id, title, teams, now, start_time, end_time, state: 'running' } },
  },
} satisfies SomeOperations
