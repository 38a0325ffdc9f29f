import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '../../../src/db/database.ts'
import { openMigratedDatabase } from '../../local-servers/test/test-database.ts'
import { checkExports, checkImports, checkVerifications, readPackages } from '../import-checks.ts'
import { type ImportedProblem, titleOf } from '../imports.ts'
import { findAfter } from './find-after.ts'

const [user, language, category, verification, judging] = Array.from({ length: 5 }, () => randomUUID())
const [first, copy, unanswered] = [makeProblem(), makeProblem(), makeProblem()]

function makeProblem(): ImportedProblem {
  return { key: randomUUID(), possible: [], sent: 1, refusals: [], wrongCounts: [] }
}

/** Three problems with the same package; the first is verified. */
const RECORDS = `
  insert into users (id, name, email, image, join_date) values ('${user}', 'user', 'u@example.org', '', now());
  insert into languages (id, name, version, extension) values ('${language}', 'Python', '', 'py');
  insert into problems (
    user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
  select '${user}', title, 'package', 'Print it.', '', 'Easy', false, 3, 1, 256
  from unnest(array['${titleOf(first.key)}', '${titleOf(copy.key)}', '${titleOf(unanswered.key)}']) as given (title);
  insert into problem_packages (problem_id, metadata) select id, '{}' from problems;
  insert into test_cases (id, problem_id, position, hidden, name, input, expected_output)
  select gen_random_uuid(), problems.id, n, true, 'secret/' || n, 'input ' || n, 'answer ' || n
  from problems, generate_series(1, 2) as made (n);
  insert into problem_files (id, problem_id, path, bytes)
  select gen_random_uuid(), id, 'attachments/0.txt', 4 from problems;
  insert into problem_file_parts (file_id, number, content)
  select id, n, 'ab' from problem_files, generate_series(0, 1) as made (n);
  insert into categories (id, name) values ('${category}', 'a version');
  insert into problem_categories (problem_id, category_id) select id, '${category}' from problems;
  insert into verifications (id, problem_id, requested_by, package_version, plan, settled_at)
  select '${verification}', problem_id, '${user}', version,
         '{"programs": [{"judging": "${judging}"}, {"message": "unknown"}], "validators": []}', now()
  from problem_packages order by problem_id limit 1;
  insert into shadow_judgings (
    id, requested_by, problem_id, language_id, source_code, status, time_elapsed, judged_at, verification_id)
  select '${judging}', '${user}', problem_id, '${language}', '', 'ACCEPTED', 1, now(), id from verifications`

const database = await openMigratedDatabase()
await database.transaction((tx) => tx.execute(RECORDS))
const counts = { test_cases: 2, statements: 0, files: 1, submissions: 0, validators: 0, categories: 1 }
for (const { id, key, parts } of await readPackages(database)) {
  for (const problem of [first, copy, unanswered].filter((one) => one.key === key)) {
    problem.possible.push({ parts, counts })
    if (problem !== unanswered) problem.id = id
  }
}

const NOBODY = 'imported problems that nobody sent'
const MIXED = 'imports stored in part, or of several versions'
const COUNTS = 'imports whose response counts other parts than were sent'
const IN_PART = 'imports without a response, stored in part'
const IMPORTS_LOST = 'imports LOST after their 201'
const TWICE = 'imports sent once, stored twice'
const named = (problem: ImportedProblem) => `title = '${titleOf(problem.key)}'`
const of = (problem: ImportedProblem) =>
  `where problem_id = (select id from problems where ${named(problem)})`
const PARTS_OF = `problem_file_parts where file_id in (select id from problem_files ${of(first)})`

describe('the checks of imports find', () => {
  it.each<[string, string, ...string[]]>([
    ['nothing where all is well', ''],
    ['a lost import', `update problems set title = 'Other'; delete from problem_packages`, IMPORTS_LOST],
    ['a problem of nobody', `update problems set title = 'Other' where ${named(unanswered)}`, NOBODY],
    [
      'an import that is stored twice',
      `update problems set ${named(copy)} where ${named(unanswered)}`,
      TWICE,
    ],
    ['a missing test case', `delete from test_cases ${of(first)} and position = 2`, MIXED],
    ['a test case of another version', `update test_cases set input = 'other' ${of(first)}`, MIXED],
    ['an additional file', `update problem_files set problem_id = 1, path = 'other' ${of(copy)}`, MIXED],
    ['a file without its end', `delete from ${PARTS_OF} and number = 1`, MIXED],
    ['a file without content', `delete from ${PARTS_OF}`, MIXED],
    ['a missing category', `delete from problem_categories ${of(first)}`, MIXED],
    ['another prompt', `update problems set prompt = '' where ${named(first)}`, MIXED],
    ['half of an import without a response', `delete from test_cases ${of(unanswered)}`, IN_PART],
  ])('%s', async (_, sql, ...findings) => {
    const check = (db: Queryable) => checkImports(db, [first, copy, unanswered])
    expect(await findAfter(database, sql, check)).toEqual(findings)
  })

  it.each<[string, { wrongCounts?: string[]; possible?: { parts?: string[] }[] }, string[]]>([
    ['a response with wrong counts', { wrongCounts: ['one'] }, [COUNTS]],
    ['the new version of a replacement without a response', { possible: [{ parts: ['other'] }, {}] }, []],
    ['neither version', { possible: [{ parts: ['old'] }, { parts: ['new'] }] }, [MIXED]],
  ])('%s', async (_, { possible: changes = [{}], ...change }, findings) => {
    const possible = changes.flatMap((parts) => first.possible.map((version) => ({ ...version, ...parts })))
    const problems = [{ ...first, ...change, possible }, copy, unanswered]
    expect(await findAfter(database, '', (db) => checkImports(db, problems))).toEqual(findings)
  })
})

const respond =
  (body: object, status = 200) =>
  async () =>
    Response.json(body, { status })

const dropJudgings = `update verifications set plan = '{}'; delete from shadow_judgings`
const WITHOUT_LIMIT = 'verifications without the computed time limit'
const LOST = 'verifications LOST after their 201'
const WITHOUT_VERDICT = 'verifications without a verdict of each judging'
it.each<[string, string, ...string[]]>([
  ['nothing where all is well', ''],
  ['a lost verification', 'delete from shadow_judgings; delete from verifications', LOST],
  ['an open one', 'update verifications set settled_at = null', 'verifications that are not settled'],
  ['one without a verdict', `update shadow_judgings set status = 'PENDING'`, WITHOUT_VERDICT],
  ['one without judgings', dropJudgings, 'verifications without judgings'],
  ['a provisional time limit', 'update problems set timeout_is_provisional = true', WITHOUT_LIMIT],
  ['another time limit', 'update problems set execution_timeout = 2', WITHOUT_LIMIT],
  ['one that is pending in its response', '', 'verifications that are not DONE in their response'],
])('the checks of verifications find %s', async (title, sql, ...findings) => {
  const imports = {
    verified: [{ id: `${verification}`, problem: first }],
    send: respond({ status: title.includes('pending') ? 'PENDING' : 'DONE' }),
  }
  expect(await findAfter(database, sql, (db) => checkVerifications(db, imports))).toEqual(findings)
})

// The copy has its id later.
const isCopied = () => respond({ problem_id: copy.id }, 201)
const OTHER = 'exports that import as another problem'
const REFUSED = 'exports that cannot be imported'
it.each([
  ['nothing where all is well', '', isCopied, []],
  ['another problem', `delete from test_cases ${of(copy)}`, isCopied, [OTHER]],
  ['an export that is refused', '', () => respond({ message: 'no package' }, 400), [REFUSED]],
])('the checks of exports find %s', async (_, sql, send, findings) => {
  const check = (db: Queryable) => checkExports(db, { problems: [first, unanswered], send: send() })
  expect(await findAfter(database, sql, check)).toEqual(findings)
})
