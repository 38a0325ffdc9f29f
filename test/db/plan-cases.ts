import { readStatements } from '../../scripts/read-statements.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { NamedValues, Statement } from '../../src/db/statement.ts'
import { freezeReopened } from '../../src/features/contests/events/change-sql.ts'
import { scoreboardStandings } from '../../src/features/contests/scoreboard-tokens/sql.ts'
import { readAttemptsOf } from '../../src/features/judging/cancellable-rejudging/rank-changes.ts'
import { createDecision } from '../../src/features/judging/cancellable-rejudging/request-sql.ts'
import { createRejudging, queueBatch } from '../../src/features/judging/immediate-rejudging/sql.ts'
import { createCollections } from '../../src/features/live/contest-api/collections.ts'
import { listSubmissionIds } from '../../src/features/live/contest-api/notifications.ts'
import { readWork } from '../../src/metrics/metrics.ts'
import { readOutboxAge } from '../../src/queue/recovery.ts'
import { SECRETS } from '../support/app.ts'
import { anyValues, type Case } from './explain.ts'
import { idOf, LARGE, ROWS, STRIDE, submissionOf, teamOf, tokenHashOf } from './filled-tables.ts'

const WHOLE = 'reads a whole growing table, because it lists it'

const SEARCHES = 'reads the tables of the search migrations, which this database does not have'

const SUBMISSIONS = 'reads the submissions of the contest, most of this database, for retired languages'

const PEOPLE = 'reads most users of this database, because it ranks or lists all participants'

/** Statements without a case, each with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  list_users_whole: WHOLE,
  list_problems_whole: WHOLE,
  list_events_whole: WHOLE,
  list_event_submissions_whole: 'reads most submissions of the database, because it lists them',
  list_contest_api_contests: WHOLE,
  list_contest_accounts: PEOPLE,
  list_contest_languages: SUBMISSIONS,
  find_contest_languages: SUBMISSIONS,
  read_database_identity: 'reads the databases of a server, which are few',
  delete_old_changes: 'deletes a tenth of this table at once, by its order',
  delete_unknown_resets: 'reads a table of at most 1,024 rows',
  list_found_problems_whole: SEARCHES,
  list_found_problems_first: SEARCHES,
  list_found_problems_after: SEARCHES,
}

const collections = createCollections(loadConfig(SECRETS))

/** Examples of statements that functions make, and statements that only their own file uses. */
const made: readonly (Statement | undefined)[] = [
  ...[freezeReopened, readAttemptsOf, listSubmissionIds],
  ...(['problem_id', 'user_id'] as const).map((name) => createRejudging([name])),
  createRejudging(['event_id', 'user_id']),
  ...(['submission_id', 'problem_id', 'user_id'] as const).map((name) => queueBatch([name])),
  ...[queueBatch(['problem_id', 'user_id']), queueBatch(['event_id', 'problem_id'])],
  ...[queueBatch(['event_id', 'user_id']), createDecision(['event_id', 'problem_id'])],
  ...[createDecision(['event_id', 'user_id']), createDecision(['problem_id', 'status'])],
  ...[createDecision(['user_id']), createDecision(['submission_ids'])],
  ...Object.values(scoreboardStandings).map(({ version }) => version),
  ...Object.values(collections).map(({ named }) => named),
]

export const statements = new Map<string, Statement>()
for (const one of [...made, ...[...(await readStatements()).values()].flat()])
  if (one !== undefined) statements.set(one.name, one)

/** Statements that read all waiting work: it is little, except in an outage. */
export const workReaders: [...Case, scans: string[]][] = [
  [readOutboxAge, {}, ['Seq Scan on outbox']],
  // The index contains only pending submissions.
  [readWork, {}, ['Seq Scan on outbox', 'Index Only Scan on submissions']],
]

const [participant, stranger, middle] = [idOf(77), idOf(33_333), idOf(ROWS / 2)]
const SUBMISSION = submissionOf(77, 7, 1)

/** Values of the parameters with these names; others have any value of their type. */
const values: NamedValues = {
  ...{ event_id: LARGE, problem_id: 7, user_id: participant, team_id: teamOf(77), language_id: idOf(3) },
  ...{ submission_id: middle, submission_ids: [middle, idOf(1)], page_limit: 20, key_caller: stranger },
  ...{ token_hash: tokenHashOf(LARGE + 1), email: 'user777@example.org', title: 'Contest 777' },
  ...{ question_id: idOf(STRIDE), decision_id: idOf(ROWS / 200), verification_id: middle },
  ...{ kept_snapshot: '10:12:10,11', snapshot: '99990:99990:' },
}

const callers: readonly NamedValues[] = [
  { actor: participant, actor_role: 0, actor_session: 1 },
  { actor: stranger, actor_role: 0, actor_session: 1 },
  { actor: idOf(1), actor_role: 2, actor_session: 1 },
]

/** They read all participants or submissions of a contest: here of a small one. */
const OF_WHOLE_CONTESTS = [
  ...['fill_scores', 'recount_cells', 'list_participants_whole'],
  ...['read_standings', 'read_contest_board'].flatMap((name) => [`${name}_by_user`, `${name}_by_team`]),
]

/** Keys of objects of the Contest API; others are any text. */
const KEYS: Readonly<Record<string, string>> = {
  ...{ contest: String(LARGE), state: String(LARGE), problems: '7', teams: teamOf(77) },
  ...{ persons: participant, accounts: participant, clarifications: idOf(STRIDE) },
  ...{ submissions: SUBMISSION, judgements: SUBMISSION, runs: SUBMISSION },
}

const own: Readonly<Record<string, NamedValues>> = {
  ...Object.fromEntries(OF_WHOLE_CONTESTS.map((name) => [name, { event_id: LARGE + 1 }])),
  ...Object.fromEntries(
    Object.values(collections).map(({ type, named }) => [named.name, { keys: [KEYS[type] ?? 'x'] }]),
  ),
}

function casesOf(statement: Statement): Case[] {
  const { name, order = [] } = statement
  const all = { ...anyValues(statement), ...values, ...own[name] }
  const given = Object.fromEntries(order.map((parameter) => [parameter, all[parameter] ?? null]))
  return order.includes('actor')
    ? callers.map((caller): Case => [statement, { ...given, ...caller }])
    : [[statement, given]]
}

const apart = new Set([...Object.keys(exempt), ...workReaders.map(([{ name }]) => name)])

/** Each statement that may not scan a growing table, as each caller sends it. */
export const cases = [...statements.values()].filter(({ name }) => !apart.has(name)).flatMap(casesOf)
