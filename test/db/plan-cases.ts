import { readChanges } from '../../src/changes/sql.ts'
import * as accounts from '../../src/features/accounts/sql.ts'
import * as categories from '../../src/features/categories/sql.ts'
import { ping } from '../../src/features/health/routes.ts'
import * as judges from '../../src/features/judges/sql.ts'
import * as languages from '../../src/features/languages/sql.ts'
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
  readLongRun,
  readRun,
  storeRunVerdict,
} from '../../src/features/runs/sql.ts'
import { createSubmission } from '../../src/features/submissions/create-sql.ts'
import { renewJudging } from '../../src/features/submissions/heartbeat-sql.ts'
import * as submissions from '../../src/features/submissions/sql.ts'
import { storeVerdict } from '../../src/features/submissions/store-verdict-sql.ts'
import { listJudgings, listVerdicts } from '../../src/features/submissions/verdict-sql.ts'
import * as users from '../../src/features/users/sql.ts'
import { readAccount } from '../../src/http/routing/actor.ts'
import * as idempotency from '../../src/http/routing/idempotency.ts'
import { readWork } from '../../src/metrics/metrics.ts'
import { claimRows, claimShadows, deleteRows, setLeases } from '../../src/queue/outbox.ts'
import { readOutboxAge, requeueRuns, requeueShadows, requeueSubmissions } from '../../src/queue/recovery.ts'
import {
  ofContestApi,
  ofEventProblems,
  ofEventSubmissions,
  ofEvents,
  ofNotifications,
  ofParticipants,
  ofQuestions,
  ofScoreboardTokens,
  ofStandings,
  ofTeams,
} from './contest-plan-cases.ts'
import type { Case } from './explain.ts'
import { idOf, ROWS } from './filled-tables.ts'
import {
  admin,
  asAdmin,
  asBusy,
  asJudge,
  asNobody,
  asParticipant,
  asStranger,
  busy,
  event_id,
  first,
  formsOf,
  fresh,
  language_id,
  middle,
  minutesAgo,
  most_bytes,
  noKey,
  outputs,
  pages,
  participant,
  size,
  source_code,
  stranger,
  submission,
  verdict,
  versionOf,
  whole_tests_bytes,
  withKey,
} from './plan-case-values.ts'
import { ofDecisions } from './rejudging-plan-cases.ts'
import { ofShadows } from './shadow-plan-cases.ts'

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

const [ofOne, ofBusy] = [{ user_id: stranger }, { user_id: busy }]
const tested = [idOf(1), idOf(2), idOf(3)]
const hourAgo = minutesAgo(60)
const ofSubmissions: Case[] = [
  [createSubmission, { ...asStranger, ...submission, user_id: stranger, problem_id: 77 }],
  [submissions.readSubmission, { ...asJudge, submission_id: middle, requeue_after: 300 }],
  [submissions.readLongSubmission, { ...asJudge, submission_id: middle, requeue_after: 300 }],
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
  [
    createRun,
    { ...asStranger, ...run, ...withKey, channel: 'user', user_id: stranger, owner_key: `user ${stranger}` },
  ],
  [
    createRun,
    { ...asNobody, ...run, ...noKey, channel: 'public', user_id: null, owner_key: 'address 192.0.2.1' },
  ],
  [readRun, { ...asStranger, id: middle, channel: 'user' }],
  [readRun, { ...asJudge, id: middle, channel: null }],
  [readLongRun, { ...asJudge, id: middle, channel: null }],
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
  [problems.readProblem, { ...asStranger, problem_id: 777, ...size, whole_tests_bytes, capabilities: [] }],
  [
    problems.readLongProblem,
    { ...asStranger, problem_id: 777, ...size, whole_tests_bytes, capabilities: [] },
  ],
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

const registration = {
  ...{
    name: 'judge-1',
    version: '1',
    concurrency: 2,
    started: false,
    languages: '[]',
    language_names: ['c++'],
  },
  ...{ judging_ids: [fresh], judging_seconds: [1.5], connected: true },
}
const ofJudges: Case[] = [
  [judges.registerJudge, { ...asJudge, ...registration }],
  ...formsOf(judges.listJudges, asAdmin, 'judge-1'),
  [judges.disconnectJudges, { seconds: 60 }],
  [judges.deleteOldJudges, { days: 7 }],
]

const key = { caller: idOf(7), key: '7' }
const ids = Array.from({ length: 50 }, (_, n) => n + 1)
const searches = {
  first_search: new Date(Date.now() - 60_000).toISOString(),
  second_search: new Date().toISOString(),
}
const ofUpkeep: Case[] = [
  [readChanges, { snapshot: '99990:99990:', most: 100, event_id: null }],
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
  'of judge workers': ofJudges,
  'of the outbox, idempotency keys and the recovery of lost messages': ofUpkeep,
  'that submits to a contest, judges or lists its submissions': ofEventSubmissions,
  'of the standings': ofStandings,
  'of contests': ofEvents,
  'of participants': ofParticipants,
  'of the problems of contests': ofEventProblems,
  'of teams': ofTeams,
  'of questions': ofQuestions,
  'of notifications': ofNotifications,
  'of scoreboard tokens': ofScoreboardTokens,
  'of single objects of the Contest API': ofContestApi,
}

/** Statements that read all waiting work: it is little, except in an outage. */
export const workReaders: [...Case, scans: string[]][] = [
  [readOutboxAge, {}, ['Seq Scan on outbox']],
  // The index contains only pending submissions.
  [readWork, {}, ['Seq Scan on outbox', 'Index Only Scan on submissions']],
]
