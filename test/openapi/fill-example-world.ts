import { createHash } from 'node:crypto'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import * as questions from '../../src/openapi/examples/example-questions.ts'
import * as rejudging from '../../src/openapi/examples/example-rejudging.ts'
import * as submissions from '../../src/openapi/examples/example-submissions.ts'
import * as world from '../../src/openapi/examples/example-world.ts'
import * as contest from '../../src/openapi/examples/example-world-contest.ts'
import { availableNames, busyJudge } from '../../src/openapi/operations/judging.ts'
import { diagram, finishedVerification } from '../../src/openapi/operations/problem-packages.ts'
import { hallScoreboard, scoreboardToken } from '../../src/openapi/operations/standings.ts'
import { scoreboardHook } from '../../src/openapi/operations/webhooks.ts'

/** Deleting takes 30 ms, `truncate` 600 ms. List versions stay: they must not repeat. */
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

const fillScores = `
  insert into event_scores (event_id, user_id, problem_id, outcomes)
  select event_id, user_id, problem_id,
         jsonb_object_agg(id, jsonb_build_array((extract(epoch from submit_time) * 1000000)::bigint, status))
  from submissions
  group by event_id, user_id, problem_id;`

/** Test cases and categories change the time of their problem, and so would this update itself. */
const setUpdateTimes = (rows: readonly object[]) => `
  set local session_replication_role = replica;
  update problems set updated_at = given.updated_at
  from json_populate_recordset(null::problems, ${literal(rows)}) as given
  where given.id = problems.id;
  set local session_replication_role = origin;`

const setSequence = (table: string) =>
  `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table};`

/** Returns a function that replaces all rows by the example world; the hash is Ulla's password. */
export async function prepareExampleWorld(
  database: Database,
  passwordHash: string,
): Promise<() => Promise<void>> {
  const tables = { ...accounts(passwordHash), ...problems(), ...verificationRows, ...league() }
  const inserts = Object.entries(tables).map(([table, rows]) => writeInserts(database, table, rows))
  const script = [
    ...[emptyTables, ...(await Promise.all(inserts)), fillScores, setUpdateTimes(tables.problems ?? [])],
    `update list_versions set changed_at = '2026-04-01T18:30:00Z';`,
    ...['problems', 'events', 'event_problems'].map(setSequence),
  ].join('\n')
  return async () => void (await database.transaction((tx) => tx.execute(script)))
}

type Tables = Record<string, readonly object[]>

function accounts(password_hash: string): Tables {
  const { ada, ulla, viktor, wim, secrets } = world
  const token_hash = sha256(secrets.ullasResetToken)
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  return {
    users: [ada, { ...ulla, password_hash }, { ...viktor, provider_id: secrets.viktorsProviderId }, wim],
    password_resets: [{ user_id: ulla.id, token_hash, expires_at }],
  }
}

function problems(): Tables {
  const all = [world.sumOfTwo, world.longestWord]
  const { finished, waiting, finishedPublic, waitingBench } = world.runs
  return {
    languages: [world.cpp, world.python],
    categories: [world.implementation, world.mathematics],
    problems: all,
    problem_categories: all.flatMap(({ id, categories }) =>
      categories.map((category) => ({ problem_id: id, category_id: category.id })),
    ),
    test_cases: all.flatMap(({ test_cases }) =>
      test_cases.map((testCase, index) => ({ ...testCase, position: index + 1 })),
    ),
    runs: [
      { ...finished, channel: 'user', user_id: world.ulla.id },
      { ...waiting, channel: 'user', user_id: world.ulla.id },
      { ...finishedPublic, channel: 'public' },
      { ...waitingBench, channel: 'bench' },
    ],
  }
}

function league(): Tables {
  const { nightOwls, participants } = contest
  const { wrongSubmission, wrongJudgings, shadowOfWrong } = submissions
  const [{ attempt, judged_at, worker, test_case_results: case_details } = {}, replaced] = wrongJudgings
  const [change] = rejudging.openDecision.changes
  return {
    events: [contest.practiceLeague, contest.winterCup],
    event_problems: [contest.leagueProblem],
    teams: [nightOwls],
    event_participants: participants.map(({ user, joined_at }) => ({
      ...{ event_id: nightOwls.event_id, team_id: nightOwls.id, user_id: user.id, joined_at },
    })),
    submissions: [
      { ...wrongSubmission, attempt, verdict_attempt: attempt, judged_at, worker, case_details },
      submissions.acceptedSubmission,
      submissions.pendingSubmission,
    ],
    verdicts: [{ ...replaced, submission_id: wrongSubmission.id, queued_at: wrongSubmission.submit_time }],
    rejudgings: [{ ...rejudging.leagueRejudging, queued: rejudging.leagueRejudging.count }],
    rejudging_decisions: [rejudging.listedDecision],
    rejudging_items: [
      {
        ...{
          decision_id: rejudging.listedDecision.id,
          ...change,
          attempt,
          verdict_attempt: attempt,
          judged_at,
        },
        status: wrongSubmission.status,
      },
    ],
    shadow_judgings: [
      {
        ...{ ...wrongSubmission, id: change?.shadow_judging_id, submission_id: wrongSubmission.id },
        ...{ requested_by: world.ada.id, status: change?.to_status, test_case_results: null, judged_at },
      },
      { ...shadowOfWrong, requested_by: world.ada.id, source_code: wrongSubmission.source_code },
      ...verifiedShadows,
    ],
    questions: [questions.answeredQuestion, questions.openQuestion],
    notifications: questions.notifications,
    judges: [
      {
        ...busyJudge,
        language_names: availableNames,
        judging: busyJudge.judging.map(({ id, since }) => ({ id, since })),
      },
    ],
    scoreboard_tokens: [{ ...hallScoreboard, token_hash: sha256(scoreboardToken) }],
    webhooks: [{ ...scoreboardHook, user_id: world.ada.id, slot: 1, token: 'its token', position: '' }],
  }
}

const selectColumns = unprepared<{ name: string }>(
  `select column_name as name from information_schema.columns
   where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const literal = (rows: readonly object[]) => `'${JSON.stringify(rows).replaceAll("'", "''")}'`

/** SQL that inserts objects as rows: the fields that have a column, and defaults for the others. */
async function writeInserts(database: Database, table: string, rows: readonly object[]): Promise<string> {
  const names = (await database.query(selectColumns, [table])).map(({ name }) => name)
  const inserts = rows.map((row) => {
    const columns = names.filter((name) => Object.hasOwn(row, name)).join(', ')
    return `insert into ${table} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${table}, ${literal([row])});`
  })
  return inserts.join('\n')
}

const { id: verification_id, problem_id, created_at, programs, validators } = finishedVerification
const { ada, sumOfTwo, sampleCase, hiddenCase, python } = world
const id = (last: number) => `019bc2fa-10c8-7b63-a4d1-6e0f92b7d36${last}`
const limit = { seconds: sumOfTwo.execution_timeout, provisional: false }
const version = '0b54f0c3-97a5-4f0e-9c1d-6d1b6a1c7e20'
const metadata = {
  ...{ format: '2025-09', type: ['pass-fail'], names: { en: sumOfTwo.title }, keywords: [] },
  ...{ limits: { time_limit: limit.seconds }, prompt_language: 'en', prompt_hash: null, input_flags: {} },
}

const RULES: Readonly<Record<string, readonly object[]>> = {
  ACCEPTED: [{ permitted: ['AC'] }],
  WRONG_ANSWER: [{ permitted: ['AC', 'WA'], required: ['WA'] }],
}

const plan = {
  ...{ limit, package_limits: metadata.limits, tests_version: version, case_names: {} },
  programs: programs.map(({ path, language, expected }, i) => ({
    ...{ path, language, expected, factor: 1, rules: RULES[expected], judging: id(i) },
  })),
  validators: validators.map(({ path, kind }) => ({ path, kind, judging: id(9) })),
}

const TEXTS: Readonly<Record<string, string>> = {
  'submissions/accepted/sum.py': 'print(sum(map(int, input().split())))\n',
  'submissions/wrong_answer/product.py': 'a, b = map(int, input().split())\nprint(a * b)\n',
  'input_validators/check.py': 'exit(42 if max(map(int, input().split())) <= 1000 else 43)\n',
}

const files = [
  ...Object.entries(TEXTS).map(([path, text], i) => ({
    ...{ id: id(i + 3), problem_id, path, bytes: text.length },
    content: `\\x${Buffer.from(text).toString('hex')}`,
  })),
  { ...diagram, id: id(8), problem_id, content: `\\x${'00'.repeat(diagram.bytes)}` },
]

const judged = {
  requested_by: ada.id,
  problem_id,
  language_id: python.id,
  verification_id,
  stdout: '',
  stderr: '',
}

const results = (
  ...given: readonly (readonly [status: string, time_elapsed: number, judge_message?: string | undefined])[]
) =>
  given.map(([status, time_elapsed, judge_message], i) => ({
    ...{ test_case_id: [sampleCase, hiddenCase][i]?.id, passed: status === 'ACCEPTED' },
    ...{ status, time_elapsed, judge_message },
  }))

const rejected = validators[0]?.rejected[0]?.message
const verdicts = [
  { id: id(0), status: 'ACCEPTED', case_details: results(['ACCEPTED', 0.02], ['ACCEPTED', 0.021]) },
  {
    id: id(1),
    status: 'WRONG_ANSWER',
    case_details: results(['WRONG_ANSWER', 0.019], ['WRONG_ANSWER', 0.02]),
  },
  {
    id: id(9),
    status: 'WRONG_ANSWER',
    case_details: results(['ACCEPTED', 0.02], ['WRONG_ANSWER', 0.02, rejected]),
  },
]

const verificationRows: Record<string, readonly object[]> = {
  problem_packages: [{ problem_id, metadata, version }],
  problem_files: files,
  problem_file_parts: files.map(({ id: file_id, content }) => ({ file_id, number: 0, content })),
  verifications: [
    {
      ...{ id: verification_id, problem_id, requested_by: ada.id, created_at, plan },
      ...{ package_version: version, settled_at: created_at },
    },
  ],
}

const verifiedShadows: readonly object[] = verdicts.map((verdict) => ({
  ...{ ...judged, ...verdict, source_code: '' },
}))
