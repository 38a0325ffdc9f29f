import type { Transaction } from '../../src/db/database.ts'
import { type Statement, unprepared, type Value } from '../../src/db/statement.ts'
import type { List } from '../../src/lists/definition.ts'
import { fillContests } from './fill-contests.ts'

/** How many rows the growing tables are filled with. */
export const ROWS = 100_000

const GROWING = new Set([
  'users',
  'password_resets',
  'problems',
  'problem_categories',
  'test_cases',
  'submissions',
  'runs',
  'outbox',
  'events',
  'event_problems',
  'event_participants',
  'event_scores',
  'teams',
  'questions',
  'notifications',
  'verdicts',
  'idempotent_answers',
  'list_versions',
])

/** The id of the n-th user, submission, run or test case of the filled tables. */
export const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const numbers = `generate_series(1, ${ROWS}) as made (n)`

/**
 * Fills every growing table: few admins, a hundred users with 500 submissions each, one for each of the others, five test cases for
 * each problem that has any. Foreign keys are not checked meanwhile: that would take most of the time.
 */
export async function fillTables(tx: Transaction): Promise<void> {
  await tx.execute(`set local statement_timeout = 0; set local session_replication_role = replica`)
  await tx.execute(`
    insert into users (id, name, email, is_admin, join_date, password_hash, provider_id, deleted_at)
    select ${id('n')}, 'User ' || n, 'user' || n || '@example.org', n <= 5, now() - n * interval '1 minute', 'hash',
           case when n % 2 = 0 then 'provider:' || n end, case when n % 50 = 0 then now() end
    from ${numbers};
    insert into password_resets (user_id, token_hash, expires_at)
    select ${id('n')}, md5(n::text), now() + interval '1 hour' from ${numbers};
    insert into problems (id, user_id, title, identifier, prompt, source, difficulty, public,
                          accept_timeout, execution_timeout, memory_limit)
    overriding system value
    select n, ${id('n % 5 + 1')}, 'Problem ' || n, 'problem-' || n, 'Add.', '', 'EASY', n % 10 > 0, 10, 5, 256
    from ${numbers};
    insert into problem_categories (problem_id, category_id)
    select n, categories.id
    from ${numbers}
    join (select id, row_number() over (order by name) as place from categories) as categories on place = n % 24 + 1;
    insert into test_cases (id, problem_id, position, input, expected_output, hidden)
    select ${id('n')}, (n - 1) / 5 + 1, (n - 1) % 5, '1 2', '3', n % 5 > 0 from ${numbers};`)
  await tx.execute(`
    insert into languages (id, name, extension, version)
    select ${id('n')}, 'Language ' || n, 'l', '1' from generate_series(1, 20) as made (n);
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time)
    select ${id('n')}, case when n % 2 = 0 then ${id('n / 2 % 100 + 1')} else ${id('n')} end, n % 1000 + 1,
           ${id('n % 20 + 1')}, 'print(3)', 'ACCEPTED', now() - n * interval '1 second'
    from ${numbers};
    insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
    select ${id('(n - 1) / 2 + 1')}, n % 2 + 1, 'WRONG_ANSWER', 0, '', '', now() from ${numbers};
    insert into list_versions (name)
    select 'standings ' || n / 5 from ${numbers};
    insert into idempotent_answers (caller, key, request_hash, answer, created_at)
    select ${id('n % 100')}::text, n::text, md5(n::text), '{}', now() - n * interval '1 second' from ${numbers};
    insert into runs (id, channel, user_id, language_id, source_code, stdin, finished)
    select ${id('n')}, 'user', ${id('n')}, ${id('n % 20 + 1')}, 'print(3)', '', n % 1000 > 0 from ${numbers};
    insert into outbox (kind, subject_id, claimed_until)
    select 'submission', ${id('n')}, case when n % 3 = 0 then now() + interval '1 minute' end from ${numbers};`)
  await fillContests(tx, ROWS)
  await tx.execute('analyze')
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/** `force_generic_plan` is what a prepared statement settles on, `force_custom_plan` what its first runs get. */
export type PlanMode = 'force_generic_plan' | 'force_custom_plan'

export const PLAN_MODES: readonly PlanMode[] = ['force_generic_plan', 'force_custom_plan']

/** A statement and the values that it is planned with. */
export type Case = readonly [Statement, readonly Value[]]

/** The look-up of a polled list's version. */
export function versionOf({ version }: List): Statement {
  if (version === undefined) throw new Error('the list is not polled')
  return version
}

/** Answers what each statement scans of a growing table from end to end, whatever is asked of it; nothing where all is well. */
export async function findWholeScans(
  tx: Transaction,
  cases: readonly Case[],
  mode: PlanMode,
): Promise<string[]> {
  const found: string[] = []
  for (const [hot, values] of cases) {
    const scans = (await explain(tx, [hot, values], mode)).flatMap((plan) => wholeScans(plan, false))
    found.push(...scans.map((scan) => `${hot.name}(${values.join()}): ${scan}`))
  }
  return found
}

/** Answers the names of the tables that a statement's plan reads or writes. */
export async function findTables(tx: Transaction, hot: Case, mode: PlanMode): Promise<string[]> {
  const tablesOf = ({ 'Relation Name': table, Plans: children = [] }: PlanNode): string[] => [
    ...(table === undefined ? [] : [table]),
    ...children.flatMap(tablesOf),
  ]
  const plans = await explain(tx, hot, mode)
  return [...new Set(plans.flatMap(tablesOf))].sort()
}

async function explain(tx: Transaction, [{ text }, values]: Case, mode: PlanMode): Promise<PlanNode[]> {
  await tx.execute(`set local plan_cache_mode = ${mode}; prepare hot as ${text}`)
  const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
  const [row] = await tx.query(
    unprepared<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (format json) execute hot${given}`),
  )
  await tx.execute('deallocate hot')
  return (row?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan)
}

/** An index that is read without a condition is a whole scan too, unless a limit stops it. */
function wholeScans(node: PlanNode, isLimited: boolean): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: children = [] } = node
  const readsIndex = type === 'Index Scan' || type === 'Index Only Scan'
  const isWhole = type === 'Seq Scan' || (readsIndex && node['Index Cond'] === undefined && !isLimited)
  const below = isLimited || type === 'Limit'
  return [
    ...(isWhole && GROWING.has(table) ? [`${type} on ${table}`] : []),
    ...children.flatMap((child) => wholeScans(child, below)),
  ]
}

function literal(value: Value): string {
  if (value === null) return 'null'
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join(',')}}`
    : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
