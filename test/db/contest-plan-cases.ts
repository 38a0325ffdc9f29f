import { loadConfig } from '../../src/config/config.ts'
import { lockEvent, lockManagedEvent } from '../../src/features/access/change-event.ts'
import {
  announce,
  answerQuestion,
  askQuestion,
  listQuestions,
} from '../../src/features/clarifications/sql.ts'
import { createCollections } from '../../src/features/contest-api/collections.ts'
import { readClock } from '../../src/features/event-clock/sql.ts'
import * as eventProblems from '../../src/features/event-problems/sql.ts'
import * as eventSubmissions from '../../src/features/event-submissions/sql.ts'
import * as eventChanges from '../../src/features/events/change-sql.ts'
import * as events from '../../src/features/events/sql.ts'
import { countUnread, listNotifications, markRead } from '../../src/features/notifications/sql.ts'
import * as participants from '../../src/features/participants/sql.ts'
import * as problems from '../../src/features/problems/sql.ts'
import * as scoreboards from '../../src/features/scoreboard-tokens/sql.ts'
import {
  listAttempts,
  listOwnProblemStatus,
  listProblemStats,
} from '../../src/features/standings/attempts-sql.ts'
import { readStandingsByTeam, readStandingsByUser } from '../../src/features/standings/standings-sql.ts'
import { recountCellsOf, revealNextOfTeam, revealNextOfUser } from '../../src/features/standings/thaw-sql.ts'
import { createEventSubmission, createSubmission } from '../../src/features/submissions/create-sql.ts'
import * as submissions from '../../src/features/submissions/sql.ts'
import { storeVerdict } from '../../src/features/submissions/store-verdict-sql.ts'
import * as teams from '../../src/features/teams/sql.ts'
import type { RowsForm } from '../../src/lists/rows.ts'
import type { Case } from './explain.ts'
import { idOf, LARGE, STRIDE, teamOf, tokenHashOf } from './filled-tables.ts'
import {
  admin,
  after,
  asAdmin,
  asJudge,
  asNobody,
  asParticipant,
  asStranger,
  event_id,
  first,
  formsOf,
  fresh,
  language_id,
  minutesAgo,
  pages,
  participant,
  size,
  stranger,
  submission,
  submission_id,
  team_id,
  verdict,
  versionOf,
  whole_tests_bytes,
} from './plan-case-values.ts'

const [inEvent, hoursAgo] = [{ event_id, problem_id: 7 }, minutesAgo(180)]
const { listEventSubmissionsOfUser: ofUser, listEventSubmissionsOfTeam: ofTeam } = eventSubmissions
export const ofEventSubmissions: Case[] = [
  [createEventSubmission, { ...asParticipant, ...submission, ...inEvent, user_id: participant }],
  [createEventSubmission, { ...asStranger, ...submission, ...inEvent, user_id: stranger }],
  [createSubmission, { ...asParticipant, ...submission, user_id: participant, problem_id: 7 }],
  [
    storeVerdict,
    { ...asJudge, ...verdict, submission_id, judging: 1, failed_test_case_id: null, test_case_ids: [] },
  ],
  [submissions.readSubmission, { ...asJudge, submission_id, requeue_after: 300 }],
  [eventSubmissions.readSubmissionAccess, { ...asParticipant, event_id, team_id, user_id: null }],
  ...pages(eventSubmissions.listEventSubmissions, { ...asAdmin, event_id }, hoursAgo, fresh),
  ...formsOf(ofUser, { ...asParticipant, event_id, user_id: participant }, hoursAgo, fresh),
  ...formsOf(ofTeam, { ...asParticipant, event_id, team_id }, hoursAgo, fresh),
]

const otherEvent = LARGE + 1
const kept = { kept_basis: 'x', kept_snapshot: '10:12:10,11' }

/** The first read of rows, and a later one. */
const rowsOf = (rows: RowsForm | undefined, values: object = asStranger): Case[] =>
  rows === undefined
    ? []
    : [
        [rows.statement, { ...values, event_id: otherEvent, kept_basis: null, kept_snapshot: null }],
        [rows.statement, { ...values, event_id: otherEvent, ...kept }],
      ]

const SCOREBOARD = { ...asNobody, token_hash: tokenHashOf(otherEvent) }

export const ofStandings: Case[] = [
  ...formsOf(listAttempts, { ...asStranger, event_id }, participant, 7),
  ...formsOf(listOwnProblemStatus, { ...asParticipant, event_id }, 7),
  ...formsOf(listProblemStats, { ...asStranger, event_id }, 7, 7),
  ...rowsOf(listAttempts.rows),
  ...rowsOf(readStandingsByUser.rows),
  ...rowsOf(readStandingsByTeam.rows),
  [readStandingsByUser.statement, { ...asStranger, event_id: otherEvent }],
  [readStandingsByTeam.statement, { ...asStranger, event_id: otherEvent }],
  ...rowsOf(scoreboards.scoreboardStandings.user.rows, SCOREBOARD),
  ...rowsOf(scoreboards.scoreboardStandings.team.rows, SCOREBOARD),
  [scoreboards.scoreboardStandings.user.statement, { ...SCOREBOARD, event_id: otherEvent }],
  [scoreboards.scoreboardStandings.team.statement, { ...SCOREBOARD, event_id: otherEvent }],
  [versionOf(scoreboards.scoreboardStandings.user), { ...SCOREBOARD, event_id }],
  [revealNextOfUser, { ...asAdmin, event_id: otherEvent }],
  [revealNextOfTeam, { ...asAdmin, event_id: otherEvent }],
  [recountCellsOf, { ...asAdmin, event_id, problem_id: 7, user_ids: [participant] }],
  [versionOf(listAttempts), { ...asStranger, event_id }],
  [versionOf(listProblemStats), { ...asStranger, event_id }],
]

export const ofScoreboardTokens: Case[] = [
  [scoreboards.readScoreboardClock, { ...SCOREBOARD, event_id }],
  [scoreboards.createScoreboardToken, { ...asAdmin, event_id, id: fresh, label: null, token_hash: 'x' }],
  ...formsOf(scoreboards.listScoreboardTokens, { ...asAdmin, event_id }, minutesAgo(10), fresh),
  [versionOf(scoreboards.listScoreboardTokens), { ...asAdmin, event_id }],
  [scoreboards.deleteScoreboardToken, { ...asAdmin, event_id, scoreboard_token_id: fresh }],
]

const created = { title: 'New', start_time: '2026-01-01T00:00:00Z', end_time: '2027-01-01T00:00:00Z' }
const ownLimits = { accept_timeouts: [null, 5], execution_timeouts: [null, 5], memory_limits: [null, 64] }
const ownRules = { penalty_minutes: 20, admission: 'invited', scoreboard: 'public', clarifications: 'staff' }
const rules = {
  ...{ ...ownRules, enforce_languages: true, scoring: 'points', staff: [stranger], medals: null },
  freeze_time: '2026-12-01T00:00:00Z',
}
const changed = { ...rules, rules: ['freeze_time', 'staff'] }
const shown = { labels: ['A', null], colors: [null, null], positions: [1, null] }
const enforced = { languages: JSON.stringify([language_id]) }
const chosen = { ...ownLimits, ...rules, ...shown, ...enforced, problem_ids: [1, 2], hidden: [false, true] }
const start = minutesAgo(300)
export const ofEvents: Case[] = [
  [versionOf(events.listEvents), asParticipant],
  [events.listEvents.first, { ...asParticipant, ...first }],
  [events.listEvents.after, { ...asStranger, ...after(start, 10_000) }],
  [events.readPublicEvent, { ...asStranger, event_id }],
  [events.readPublicEvent, { ...asParticipant, event_id }],
  [events.readEvent, { ...asAdmin, event_id }],
  [events.findEvent, { ...asAdmin, title: 'Contest 777' }],
  [events.createEvent, { ...asAdmin, ...created, ...chosen, user_id: admin, description: '', teams: true }],
  [lockEvent, { ...asAdmin, event_id }],
  [readClock, { ...asStranger, event_id }],
  [
    eventChanges.updateEvent,
    { ...asAdmin, ...created, ...changed, event_id, description: null, teams: null, ...enforced },
  ],
  [eventChanges.recountCells, { ...asAdmin, event_id: otherEvent, since: created.start_time }],
  [eventChanges.lockCells, { ...asAdmin, event_id: otherEvent }],
  [eventChanges.fillScores, { ...asAdmin, event_id: otherEvent }],
  [eventChanges.endEvent, { ...asAdmin, event_id }],
  [eventChanges.deleteEvent, { ...asAdmin, event_id }],
]
const extraTime = { extra_minutes: 5, keeps_extra_minutes: false, hidden: null }
export const ofParticipants: Case[] = [
  [participants.listParticipants.whole, { ...asStranger, event_id: otherEvent }],
  [participants.addParticipant, { ...asStranger, event_id, user_id: stranger }],
  ...pages(participants.listParticipants, { ...asStranger, event_id }, start, idOf(500)),
  [lockManagedEvent, { ...asAdmin, event_id }],
  [participants.changeParticipant, { ...asAdmin, event_id, user_id: participant, ...extraTime }],
  [participants.removeParticipant, { ...asAdmin, event_id, user_id: participant }],
]
const ofEvent = { event_id, event_problem_id: 3 }
const settings = {
  ...{ settings: ['label'], label: 'A', color: null, position: null, hidden: null },
  ...{ accept_timeout: null, execution_timeout: null, memory_limit: null },
}
export const ofEventProblems: Case[] = [
  [versionOf(eventProblems.listEventProblems), { ...asStranger, event_id }],
  [eventProblems.listEventProblems.whole, { ...asStranger, event_id }],
  ...pages(eventProblems.listEventProblems, { ...asParticipant, event_id }, 2_147_483_647, 3),
  [eventProblems.readEventProblem, { ...asParticipant, event_id, event_problem_id: 3, ...size }],
  [eventProblems.readLongEventProblem, { ...asParticipant, event_id, event_problem_id: 3, ...size }],
  [eventProblems.addEventProblem, { ...asParticipant, event_id, problem_id: 777, ...settings }],
  [eventProblems.updateEventProblem, { ...asAdmin, ...ofEvent, ...settings }],
  [eventProblems.removeEventProblem, { ...asAdmin, ...ofEvent, force: false }],
  [problems.readProblem, { ...asParticipant, problem_id: 7, ...size, whole_tests_bytes, capabilities: [] }],
]

export const ofTeams: Case[] = [
  [teams.readTeamEvent, { ...asStranger, event_id }],
  [teams.listTeams.whole, { ...asStranger, event_id: otherEvent }],
  ...pages(teams.listTeams, { ...asStranger, event_id }, teamOf(500)),
  [teams.readTeam, { ...asStranger, event_id, team_id }],
  [teams.readOwnTeam, { ...asParticipant, event_id }],
  [teams.createTeam, { ...asStranger, event_id, id: fresh, name: 'New' }],
  [teams.joinTeam, { ...asStranger, event_id, team_id, user_id: stranger }],
]

const question = { event_id: otherEvent, id: fresh, question: 'Why?' }
const answer = { event_id, question_id: idOf(STRIDE), answer: 'So.', is_public: true }
const twentyMinutesAgo = minutesAgo(20)
export const ofQuestions: Case[] = [
  [listQuestions.whole, { ...asStranger, event_id: otherEvent }],
  [listQuestions.first, { ...asStranger, event_id, ...first }],
  ...pages(listQuestions, { ...asParticipant, event_id }, twentyMinutesAgo, idOf(20)),
  [askQuestion, { ...asParticipant, ...question, problem_id: 12 }],
  [askQuestion, { ...asStranger, ...question, problem_id: null }],
  [answerQuestion, { ...asStranger, ...answer }],
  [answerQuestion, { ...asJudge, ...answer }],
  [announce, { ...asAdmin, event_id: otherEvent, id: fresh, problem_id: 12, announcement: 'Stop.' }],
]

export const ofNotifications: Case[] = [
  [countUnread, asParticipant],
  ...formsOf(listNotifications, asParticipant, twentyMinutesAgo, fresh),
  [listNotifications.whole, asStranger],
  [markRead, asParticipant],
]

const secret = 'a secret of sixteen bytes'
const collections = createCollections(
  loadConfig({ JWT_SIGNING_SECRET: secret, JUDGE_PASSWORD: secret, WEB_BRIDGE_SECRET: secret }),
)
const keysOf: Readonly<Record<string, string>> = {
  ...{ contest: String(LARGE), state: String(LARGE), problems: '7', 'judgement-types': 'AC' },
  ...{ languages: language_id, teams: team_id, persons: participant, accounts: participant },
  ...{ submissions: submission_id, judgements: submission_id, runs: submission_id },
  ...{ clarifications: idOf(STRIDE), groups: 'participants', organizations: 'none' },
}

/** The awards are read from the whole standings, the languages from all submissions. */
const ofKeys = Object.values(collections).filter(({ type }) => type !== 'awards' && type !== 'languages')

/** The objects of single keys, as the event feed reads them. */
export const ofContestApi: Case[] = ofKeys.flatMap(({ type, named }) =>
  [asParticipant, asJudge].map(
    (reader): Case => [named, { ...reader, event_id, keys: [keysOf[type] ?? ''] }],
  ),
)
