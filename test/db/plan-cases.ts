import type { NamedValues } from '../../src/db/statement.ts'
import { lockEvent, lockManagedEvent } from '../../src/features/access/change-event.ts'
import * as accounts from '../../src/features/accounts/sql.ts'
import * as categories from '../../src/features/categories/sql.ts'
import {
  announce,
  answerQuestion,
  askQuestion,
  listQuestions,
} from '../../src/features/clarifications/sql.ts'
import { readClock } from '../../src/features/event-clock/sql.ts'
import * as eventProblems from '../../src/features/event-problems/sql.ts'
import * as eventSubmissions from '../../src/features/event-submissions/sql.ts'
import * as eventChanges from '../../src/features/events/change-sql.ts'
import * as events from '../../src/features/events/sql.ts'
import { ping } from '../../src/features/health/routes.ts'
import * as languages from '../../src/features/languages/sql.ts'
import { countUnread, listNotifications, markRead } from '../../src/features/notifications/sql.ts'
import * as participants from '../../src/features/participants/sql.ts'
import * as problems from '../../src/features/problems/sql.ts'
import {
  appendTestCases,
  deleteTestCase,
  readTestCase,
  updateTestCase,
} from '../../src/features/problems/test-case-sql.ts'
import * as tests from '../../src/features/problems/tests-sql.ts'
import { createRejudging, findMissing, queueBatch } from '../../src/features/rejudging/sql.ts'
import {
  createRun,
  deleteOldAnonymousRuns,
  deleteOldUserRuns,
  readRun,
  storeRunVerdict,
} from '../../src/features/runs/sql.ts'
import { listAttempts, listOwnProblemStatus, listProblemStats } from '../../src/features/standings/sql.ts'
import { readStandingsByTeam, readStandingsByUser } from '../../src/features/standings/standings-sql.ts'
import { recountCellsOf, revealNextOfTeam, revealNextOfUser } from '../../src/features/standings/thaw-sql.ts'
import { renewJudging } from '../../src/features/submissions/heartbeat-sql.ts'
import * as submissions from '../../src/features/submissions/sql.ts'
import { storeVerdict } from '../../src/features/submissions/store-verdict-sql.ts'
import { listJudgings, listVerdicts } from '../../src/features/submissions/verdict-sql.ts'
import * as teams from '../../src/features/teams/sql.ts'
import * as users from '../../src/features/users/sql.ts'
import { readAccount } from '../../src/http/routing/actor.ts'
import * as idempotency from '../../src/http/routing/idempotency.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { List } from '../../src/lists/definition.ts'
import { readWork } from '../../src/metrics/metrics.ts'
import { claimRows, claimShadows, deleteRows, setLeases } from '../../src/queue/outbox.ts'
import { readOutboxAge, requeueRuns, requeueShadows, requeueSubmissions } from '../../src/queue/recovery.ts'
import type { Case } from './explain.ts'
import { idOf, LARGE, ROWS, STRIDE, submissionOf, teamOf } from './filled-tables.ts'
import { ofDecisions } from './rejudging-plan-cases.ts'
import { ofShadows } from './shadow-plan-cases.ts'

const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
const middle = idOf(ROWS / 2)
const language_id = idOf(3)
const source_code = 'print(3)'
const [participant, stranger, busy, admin] = [idOf(77), idOf(33_333), idOf(7), idOf(1)]
const event_id = LARGE
const team_id = teamOf(77)
const submission_id = submissionOf(77, 7, 1)
const as = (actor: string, actor_role = 0) => ({ actor, actor_role, actor_session: 1 })
/** Participates in the large event. */
const asParticipant = as(participant)
/** Has one submission, and does not participate in the large event. */
const asStranger = as(stranger)
/** Has 500 submissions. */
const asBusy = as(busy)
const asAdmin = as(admin, 2)
const asJudge = as(NIL_UUID, 1)
const asNobody = { actor: null, actor_role: 0, actor_session: null }

const most_bytes = 2 ** 20
const whole_tests_bytes = 2 ** 26

const first = { page_limit: 20 }
const after = (...key: (string | number)[]): NamedValues => ({
  page_limit: 20,
  ...Object.fromEntries(key.map((part, place) => [`page_after_${place}`, part])),
})
const minutesAgo = (minutes: number) => String((Date.now() - minutes * 60_000) * 1000)

function versionOf({ name, version }: Pick<List, 'name' | 'version'>) {
  if (version === undefined) throw new Error(`${name} has no version`)
  return version
}

type Forms = Pick<List, 'whole' | 'first' | 'after'>

/** The first page of a list, and the page after the key. */
const pages = (list: Forms, values: NamedValues, ...key: (string | number)[]): Case[] => [
  [list.first, { ...values, ...first }],
  [list.after, { ...values, ...after(...key) }],
]

/** The whole list and its pages. */
const formsOf = (list: Forms, values: NamedValues, ...key: (string | number)[]): Case[] => [
  [list.whole, values],
  ...pages(list, values, ...key),
]

const account = { email: 'new@example.org', is_admin: false }
const provided = { provider_id: 'provider:777', name: 'User 778', image: null }
const reset = { email: 'user777@example.org', password_hash: 'hash' }
const ofAccounts: Case[] = [
  [readAccount, { user_id: stranger }],
  [accounts.createUser, { ...asAdmin, ...account, id: fresh, name: 'New', image: '', password_hash: null }],
  [accounts.findAccount, { email: 'USER777@example.org' }],
  [accounts.followProvider, { ...account, ...provided, new_id: fresh }],
  [accounts.requestReset, { email: 'user777@example.org', token_hash: 'hash', slot: 7 }],
  [accounts.resetPassword, { ...reset, token_hash: 'hash', allow_missing_token: false }],
  [accounts.resetPassword, { ...reset, token_hash: null, allow_missing_token: true }],
  [users.readUser, { ...asStranger, user_id: middle }],
  [users.updateUser, { ...asAdmin, user_id: stranger, name: 'New', image: null, is_admin: false }],
  [users.deleteUser, { ...asAdmin, user_id: stranger }],
  ...pages(users.listUsers, { ...asAdmin, username: null }, middle),
]

const submission = { id: fresh, language_id, source_code }
const outputs = { stdout: '', stderr: '' }
const judged = { judging: null, status: 'WRONG_ANSWER', time_elapsed: 0.5 }
const details = { memory_used: 1024, score: null, worker: 'judge-1', judge_message: null, case_details: '[]' }
const verdict = { ...judged, ...outputs, ...details, test_case_results: '[]', capabilities: [] }
const [ofOne, ofBusy] = [{ user_id: stranger }, { user_id: busy }]
const tested = [idOf(1), idOf(2), idOf(3)]
const hourAgo = minutesAgo(60)
const ofSubmissions: Case[] = [
  [submissions.createSubmission, { ...asStranger, ...submission, user_id: stranger, problem_id: 77 }],
  [submissions.readSubmission, { ...asJudge, submission_id: middle, requeue_after: 300 }],
  [renewJudging, { ...asJudge, submission_id: middle, judging: 1 }],
  [submissions.readStatus, { ...asStranger, submission_id: middle }],
  [
    storeVerdict,
    { ...asJudge, ...verdict, submission_id: middle, failed_test_case_id: idOf(1), test_case_ids: tested },
  ],
  ...formsOf(listVerdicts, { ...asStranger, submission_id: middle }, ROWS),
  ...formsOf(listJudgings, { ...asJudge, submission_id: middle }, ROWS),
  [submissions.listUserSubmissions.whole, { ...asStranger, ...ofOne }],
  ...pages(submissions.listUserSubmissions, { ...asBusy, ...ofBusy }, hourAgo, middle),
  [submissions.listUserProblemSubmissions.whole, { ...asStranger, ...ofOne, problem_id: 334 }],
  ...pages(submissions.listUserProblemSubmissions, { ...asBusy, ...ofBusy, problem_id: 13 }, hourAgo, middle),
]

const runVerdict = { ...outputs, runtime: 0.5 }
const run = { id: fresh, language_id, source_code, stdin: '', slots: 10 }
const ofRuns: Case[] = [
  [createRun, { ...asStranger, ...run, channel: 'user', user_id: stranger, owner_key: `user ${stranger}` }],
  [createRun, { ...asNobody, ...run, channel: 'public', user_id: null, owner_key: 'address 192.0.2.1' }],
  [readRun, { ...asStranger, id: middle, channel: 'user' }],
  [readRun, { ...asJudge, id: middle, channel: null }],
  [storeRunVerdict, { ...asJudge, ...runVerdict, id: middle, judging: 1, status: 'ACCEPTED' }],
]

const ofRejudging: Case[] = [
  [
    findMissing(['submission_id', 'problem_id', 'event_id']),
    { ...asAdmin, submission_id: middle, problem_id: 77, event_id: 7 },
  ],
  [findMissing(['problem_id', 'user_id']), { ...asAdmin, problem_id: 77, user_id: busy }],
  [createRejudging(['problem_id']), { ...asAdmin, id: fresh, problem_id: 77 }],
  [createRejudging(['event_id', 'user_id']), { ...asAdmin, id: fresh, event_id, user_id: participant }],
  [queueBatch(['submission_id']), { id: fresh, submission_id: middle }],
  [queueBatch(['problem_id']), { id: fresh, problem_id: 77 }],
  [queueBatch(['user_id']), { id: fresh, user_id: stranger }],
  [queueBatch(['problem_id', 'user_id']), { id: fresh, problem_id: 13, user_id: busy }],
  [queueBatch(['event_id', 'problem_id']), { id: fresh, event_id, problem_id: 7 }],
  [queueBatch(['event_id', 'user_id']), { id: fresh, event_id, user_id: participant }],
]

const texts = { title: 'Sum', identifier: 'sum', prompt: 'Add.', source: '' }
const limits = { timeout: null, accept_timeout: 10, execution_timeout: 5, memory_limit: 256 }
const judging_options = '{"run": "all"}'
const problem = { ...texts, ...limits, difficulty: 'EASY', public: true, judging_options }
const testCases = { test_case_ids: [fresh], inputs: ['1'], expected_outputs: ['3'], hidden: [false] }
const newTexts = { input: '', expected_output: null, hidden: null }
const ofProblems: Case[] = [
  [problems.createProblem, { ...asAdmin, user_id: admin, ...problem, category_ids: [], ...testCases }],
  [problems.lockProblem, { ...asAdmin, problem_id: 777 }],
  [problems.updateProblem, { ...asAdmin, problem_id: 777, ...problem, removed_options: [], user_id: admin }],
  [problems.replaceCategories, { ...asAdmin, problem_id: 777, category_ids: [] }],
  [problems.replaceTestCases, { ...asAdmin, problem_id: 7, sent_ids: tested.slice(0, 1), ...testCases }],
  [problems.toggleVisibility, { ...asAdmin, problem_id: 777 }],
  [problems.deleteProblem, { ...asAdmin, problem_id: 777 }],
  [problems.readProblem, { ...asStranger, problem_id: 777, most_bytes, whole_tests_bytes, capabilities: [] }],
  [tests.readProblemTests, { ...asJudge, problem_id: 777, whole_tests_bytes, capabilities: [] }],
  [tests.readTestsVersion, { ...asJudge, problem_id: 777, capabilities: [] }],
  [tests.readTestManifest, { ...asJudge, problem_id: 777, capabilities: [] }],
  [tests.findNumberedCases, { ...asAdmin, problem_id: 777 }],
  [readTestCase, { ...asJudge, problem_id: 7, test_case_id: idOf(1), most_bytes, capabilities: [] }],
  [appendTestCases, { ...asAdmin, problem_id: 7, ...testCases }],
  [updateTestCase, { ...asAdmin, problem_id: 7, test_case_id: idOf(1), ...newTexts }],
  [deleteTestCase, { ...asAdmin, problem_id: 7, test_case_id: idOf(1) }],
  [versionOf(problems.listProblems), asStranger],
  [versionOf(problems.listProblems), asAdmin],
  ...pages(problems.listProblems, asStranger, ROWS / 2),
  [problems.listProblems.first, { ...asAdmin, ...first }],
  [versionOf(problems.listFoundProblems), asStranger],
]

const newLanguage = { name: 'New', extension: 'n', version: '1' }
const seeded = { ids: [fresh], names: ['New'], extensions: ['n'], versions: ['1'] }
const ofCategoriesAndLanguages: Case[] = [
  ...formsOf(categories.listProblemCategories, { ...asStranger, problem_id: 777 }, 'Graphs'),
  ...formsOf(categories.listProblemCategories, { ...asParticipant, problem_id: 7 }, 'Graphs'),
  [versionOf(categories.listCategories), asStranger],
  ...formsOf(categories.listCategories, asStranger, 'Graphs'),
  [categories.createCategory, { ...asAdmin, id: fresh, name: 'New' }],
  [categories.lockCategories, asAdmin],
  [categories.deleteCategory, { ...asAdmin, category_id: fresh }],
  [versionOf(languages.listLanguages), asNobody],
  ...formsOf(languages.listLanguages, asNobody, 3, language_id),
  [languages.createLanguage, { ...asAdmin, id: fresh, ...newLanguage }],
  [languages.retireLanguage, { ...asAdmin, language_id }],
  [languages.seedLanguages, seeded],
]

const key = { caller: idOf(7), key: '7' }
const ids = Array.from({ length: 50 }, (_, n) => n + 1)
const searches = {
  first_search: new Date(Date.now() - 60_000).toISOString(),
  second_search: new Date().toISOString(),
}
const ofUpkeep: Case[] = [
  [claimRows, { limit: ids.length, lease_ms: 10, queued_runs_max: 20 }],
  [claimShadows, { limit: ids.length, lease_ms: 10, queued_shadows_max: 20 }],
  [setLeases, { ids, claims: ids.map(() => 1), durations_ms: ids.map(() => 10) }],
  [deleteRows, { ids }],
  [idempotency.claimKey, { ...key, request_hash: 'hash', canonical_hash: 'hash' }],
  [idempotency.keepResponse, { ...key, response: 'response' }],
  [idempotency.readKeptResponse, key],
  [idempotency.deleteOldKeys, { batch: 1000 }],
  [deleteOldAnonymousRuns, { hours: 24, batch: 1000 }],
  [deleteOldUserRuns, { hours: 168, batch: 1000 }],
  [requeueSubmissions, searches],
  [requeueRuns, searches],
  [requeueShadows, searches],
  [ping, {}],
]

const [inEvent, hoursAgo] = [{ event_id, problem_id: 7 }, minutesAgo(180)]
const { listEventSubmissionsOfUser: ofUser, listEventSubmissionsOfTeam: ofTeam } = eventSubmissions
const ofEventSubmissions: Case[] = [
  [submissions.createEventSubmission, { ...asParticipant, ...submission, ...inEvent, user_id: participant }],
  [submissions.createEventSubmission, { ...asStranger, ...submission, ...inEvent, user_id: stranger }],
  [submissions.createSubmission, { ...asParticipant, ...submission, user_id: participant, problem_id: 7 }],
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
const ofStandings: Case[] = [
  ...formsOf(listAttempts, { ...asStranger, event_id }, participant, 7),
  ...formsOf(listOwnProblemStatus, { ...asParticipant, event_id }, 7),
  ...formsOf(listProblemStats, { ...asStranger, event_id }, 7, 7),
  [readStandingsByUser.statement, { ...asStranger, event_id: otherEvent }],
  [readStandingsByTeam.statement, { ...asStranger, event_id: otherEvent }],
  [revealNextOfUser, { ...asAdmin, event_id: otherEvent }],
  [revealNextOfTeam, { ...asAdmin, event_id: otherEvent }],
  [recountCellsOf, { ...asAdmin, event_id, problem_id: 7, user_ids: [participant] }],
  [versionOf(listAttempts), { ...asStranger, event_id }],
  [versionOf(listProblemStats), { ...asStranger, event_id }],
]

const created = { title: 'New', start_time: '2026-01-01T00:00:00Z', end_time: '2027-01-01T00:00:00Z' }
const ownLimits = { accept_timeouts: [null, 5], execution_timeouts: [null, 5], memory_limits: [null, 64] }
const ownRules = { penalty_minutes: 20, admission: 'invited', scoreboard: 'public', clarifications: 'staff' }
const rules = {
  ...{ ...ownRules, enforce_languages: true, scoring: 'points', staff: [stranger] },
  freeze_time: '2026-12-01T00:00:00Z',
}
const changed = { ...rules, rules: ['freeze_time', 'staff'] }
const shown = { labels: ['A', null], colors: [null, null], positions: [1, null] }
const enforced = { languages: JSON.stringify([language_id]) }
const chosen = { ...ownLimits, ...rules, ...shown, ...enforced, problem_ids: [1, 2], hidden: [false, true] }
const start = minutesAgo(300)
const ofEvents: Case[] = [
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
const ofParticipants: Case[] = [
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
const ofEventProblems: Case[] = [
  [versionOf(eventProblems.listEventProblems), { ...asStranger, event_id }],
  [eventProblems.listEventProblems.whole, { ...asStranger, event_id }],
  ...pages(eventProblems.listEventProblems, { ...asParticipant, event_id }, 2_147_483_647, 3),
  [eventProblems.readEventProblem, { ...asParticipant, event_id, event_problem_id: 3, most_bytes }],
  [eventProblems.addEventProblem, { ...asParticipant, event_id, problem_id: 777 }],
  [eventProblems.updateEventProblem, { ...asAdmin, ...ofEvent, ...settings }],
  [eventProblems.removeEventProblem, { ...asAdmin, ...ofEvent, force: false }],
  [
    problems.readProblem,
    { ...asParticipant, problem_id: 7, most_bytes, whole_tests_bytes, capabilities: [] },
  ],
]

const ofTeams: Case[] = [
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
const ofQuestions: Case[] = [
  [listQuestions.whole, { ...asStranger, event_id: otherEvent }],
  [listQuestions.first, { ...asStranger, event_id, ...first }],
  ...pages(listQuestions, { ...asParticipant, event_id }, twentyMinutesAgo, idOf(20)),
  [askQuestion, { ...asParticipant, ...question, problem_id: 12 }],
  [askQuestion, { ...asStranger, ...question, problem_id: null }],
  [answerQuestion, { ...asStranger, ...answer }],
  [answerQuestion, { ...asJudge, ...answer }],
  [announce, { ...asAdmin, event_id: otherEvent, id: fresh, problem_id: 12, announcement: 'Stop.' }],
]

const ofNotifications: Case[] = [
  [countUnread, asParticipant],
  ...formsOf(listNotifications, asParticipant, twentyMinutesAgo, fresh),
  [listNotifications.whole, asStranger],
  [markRead, asParticipant],
]

/** Statements that may not scan a growing table, by subject. */
export const cases = {
  'of accounts': ofAccounts,
  'of submissions and their verdicts': ofSubmissions,
  'of runs': ofRuns,
  'of rejudging': ofRejudging,
  'of rejudgings that staff decides': ofDecisions,
  'of shadow judgings': ofShadows,
  'that writes or reads problems': ofProblems,
  'of categories and languages': ofCategoriesAndLanguages,
  'of the outbox, idempotency keys and the recovery of lost messages': ofUpkeep,
  'that submits to a contest, judges or lists its submissions': ofEventSubmissions,
  'of the standings': ofStandings,
  'of contests': ofEvents,
  'of participants': ofParticipants,
  'of the problems of contests': ofEventProblems,
  'of teams': ofTeams,
  'of questions': ofQuestions,
  'of notifications': ofNotifications,
}

/** Statements that read all waiting work: it is little, except in an outage. */
export const workReaders: [...Case, scans: string[]][] = [
  [readOutboxAge, {}, ['Seq Scan on outbox']],
  // The index contains only pending submissions.
  [readWork, {}, ['Seq Scan on outbox', 'Index Only Scan on submissions']],
]
