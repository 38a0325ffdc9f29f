import type { Database, Transaction } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import * as world from '../../src/openapi/examples/example-world.ts'
import * as contest from '../../src/openapi/examples/example-world-contest.ts'

const people = [world.ada, world.ulla, world.viktor, world.wim]
const problems = [world.sumOfTwo, world.longestWord]
const submissions = [contest.wrongSubmission, contest.acceptedSubmission, contest.pendingSubmission]

/** Deleting takes 30 ms, and `truncate` 600 ms. List versions stay: their numbers must not repeat. */
const emptyTables = `
  set local session_replication_role = replica;
  do $$ declare name text; begin
    for name in
      select pg_class.relname from pg_class
      where pg_class.relkind = 'r' and pg_class.relnamespace = 'public'::regnamespace
        and pg_class.relname not in ('schema_versions', 'list_versions')
    loop execute format('delete from %I', name);
    end loop;
  end $$;
  set local session_replication_role = origin;`

/** Replaces all rows by those of the document's examples; `passwordHash` is Ulla's. */
export async function fillExampleWorld(database: Database, passwordHash: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(emptyTables)
    await fillAccounts(tx, passwordHash)
    await fillProblems(tx)
    await fillContest(tx)
    await fillSubmissions(tx)
    await fillRuns(tx)
    await fillQuestions(tx)
    for (const table of ['problems', 'events', 'event_problems']) {
      await tx.execute(`select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`)
    }
  })
}

async function fillAccounts(tx: Transaction, passwordHash: string): Promise<void> {
  const { ulla, viktor, secrets } = world
  const users = people.map((user) => ({
    ...user,
    password_hash: user === ulla ? passwordHash : null,
    provider_id: user === viktor ? secrets.viktorsProviderId : null,
  }))
  await insert(tx, 'users', 'id, name, email, image, is_admin, join_date, password_hash, provider_id', users)
  await tx.query(
    unprepared(`insert into password_resets (user_id, token_hash, expires_at)
       values ($1, encode(sha256(convert_to($2, 'utf8')), 'hex'), now() + interval '1 hour')`),
    [ulla.id, secrets.ullasResetToken],
  )
}

async function fillProblems(tx: Transaction): Promise<void> {
  await insert(tx, 'languages', 'id, name, extension, version', [world.cpp, world.python])
  await insert(tx, 'categories', 'id, name', [world.implementation, world.mathematics])
  const columns = `id, user_id, title, identifier, prompt, source, difficulty, public, timeout, accept_timeout, execution_timeout,
    memory_limit, upload_date`
  await insert(tx, 'problems', columns, problems)
  const filed = problems.flatMap((problem) =>
    problem.categories.map((category) => ({ problem_id: problem.id, category_id: category.id })),
  )
  await insert(tx, 'problem_categories', 'problem_id, category_id', filed)
  const cases = problems.flatMap(({ test_cases }) =>
    test_cases.map((testCase, index) => ({ ...testCase, position: index + 1 })),
  )
  await insert(tx, 'test_cases', 'id, problem_id, position, input, expected_output, hidden', cases)
}

async function fillContest(tx: Transaction): Promise<void> {
  const { practiceLeague, leagueProblem, nightOwls, participants } = contest
  await insert(tx, 'events', 'id, user_id, title, description, start_time, end_time, teams, languages', [
    practiceLeague,
  ])
  const limits = 'accept_timeout, execution_timeout, memory_limit'
  await insert(tx, 'event_problems', `id, event_id, problem_id, hidden, ${limits}`, [leagueProblem])
  await insert(tx, 'teams', 'id, event_id, name', [nightOwls])
  const members = participants.map(({ user, joined_at }) => ({
    event_id: practiceLeague.id,
    user_id: user.id,
    team_id: nightOwls.id,
    joined_at,
  }))
  await insert(tx, 'event_participants', 'event_id, user_id, team_id, joined_at', members)
}

async function fillSubmissions(tx: Transaction): Promise<void> {
  const columns = `id, user_id, problem_id, language_id, source_code, status, submit_time, time_elapsed, stdout, stderr,
    failed_test_case_id, test_case_results, event_id`
  await insert(tx, 'submissions', columns, submissions)
  await fillVerdicts(tx)
  await tx.execute(`
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select event_id, user_id, problem_id,
           jsonb_object_agg(id, jsonb_build_array((extract(epoch from submit_time) * 1000000)::bigint, status))
    from submissions
    group by event_id, user_id, problem_id`)
}

async function fillVerdicts(tx: Transaction): Promise<void> {
  const [standing, replaced] = contest.wrongVerdicts
  const { id } = contest.wrongSubmission
  await tx.query(
    unprepared('update submissions set attempt = $2, verdict_attempt = $2, judged_at = $3 where id = $1'),
    [id, standing?.attempt ?? null, standing?.judged_at ?? null],
  )
  const columns =
    'submission_id, attempt, status, time_elapsed, stdout, stderr, failed_test_case_id, test_case_results, judged_at'
  await insert(tx, 'verdicts', columns, [{ ...replaced, submission_id: id }])
}

async function fillRuns(tx: Transaction): Promise<void> {
  const { finished, waiting, finishedPublic, waitingBench } = world.runs
  const unjudged = { stdout: '', stderr: '', runtime: 0 }
  const columns =
    'id, channel, user_id, language_id, source_code, stdin, status, finished, stdout, stderr, runtime'
  await insert(tx, 'runs', columns, [
    { ...finished, channel: 'user', user_id: world.ulla.id },
    { ...unjudged, ...waiting, channel: 'user', user_id: world.ulla.id },
    { ...finishedPublic, channel: 'public' },
    { ...unjudged, ...waitingBench, channel: 'bench' },
  ])
}

async function fillQuestions(tx: Transaction): Promise<void> {
  const columns =
    'id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, created_at, updated_at'
  await insert(tx, 'questions', columns, [contest.answeredQuestion, contest.openQuestion])
  await insert(
    tx,
    'notifications',
    'id, user_id, event_id, question_id, notification_type, created_at',
    contest.notifications,
  )
}

/** Inserts objects as rows: their fields are the columns, and missing fields are null. */
async function insert(
  tx: Transaction,
  table: string,
  columns: string,
  rows: readonly object[],
): Promise<void> {
  await tx.query(
    unprepared(`insert into ${table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${table}, $1::json)`),
    [JSON.stringify(rows)],
  )
}
