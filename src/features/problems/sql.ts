import { guarded } from '../../db/actor-statement.ts'
import { statement } from '../../db/database.ts'
import { defineList } from '../../lists/definition.ts'
import { changesOf, EVERYBODY } from '../../lists/version.ts'
import { problemIsVisible, problemIsVisibleAnywhere } from '../access/problems.ts'

const categoriesJson = `(
      select coalesce(json_agg(json_build_object('id', categories.id, 'name', categories.name) order by categories.name), '[]')
      from problem_categories
      join categories on categories.id = problem_categories.category_id
      where problem_categories.problem_id = problems.id)`

const summaryFields = `
      'id', problems.id,
      'user_id', problems.user_id,
      'title', problems.title,
      'identifier', problems.identifier,
      'prompt', problems.prompt,
      'source', problems.source,
      'difficulty', problems.difficulty,
      'public', problems.public,
      'upload_date', utc(problems.upload_date),
      'accept_timeout', problems.accept_timeout,
      'execution_timeout', problems.execution_timeout,
      'memory_limit', problems.memory_limit,
      'categories', ${categoriesJson}`

// An optional field without a value is left out (D5), and `timeout` is the only one that a problem has.
const withTimeout = (fields: string) => `case when problems.timeout is null
    then json_build_object(${fields})
    else json_build_object(${fields}, 'timeout', problems.timeout) end`

/** The JSON of a problem without its test cases (D18). */
export const problemSummaryJson = withTimeout(summaryFields)

/** A problem's test cases as they were given; those that are `blanked` show neither input nor output. */
const testCasesJson = (blanked: string, condition = 'true') => `(
      select coalesce(json_agg(json_build_object(
               'id', test_cases.id,
               'problem_id', test_cases.problem_id,
               'input', case when ${blanked} then '' else test_cases.input end,
               'expected_output', case when ${blanked} then '' else test_cases.expected_output end,
               'hidden', test_cases.hidden) order by test_cases.position), '[]')
      from test_cases
      where test_cases.problem_id = problems.id and ${condition})`

/** The JSON of a problem with its test cases, the hidden ones blank for everybody but judges (specification, Problems; D18). */
export const problemJson = withTimeout(`${summaryFields},
      'test_cases', ${testCasesJson('test_cases.hidden and $2::integer <> 1')}`)

/** The JSON of a problem with its public test cases only (D33). */
export const problemWithOpenTestsJson = withTimeout(`${summaryFields},
      'test_cases', ${testCasesJson('false', 'not test_cases.hidden')}`)

/** Those who see every problem, those who see the public ones, and each who has one that is not (D19). Counted: for `exists` the table might be read. */
const problemAudience = `case
      when $2::integer > 0 then 'all'
      when 0 < (
        select count(*) from problems
        where problems.user_id = $1::uuid and not problems.public and problems.deleted_at is null) then $1::text
      else 'public' end`

export const listProblems = defineList('list_problems', {
  item: problemSummaryJson,
  from: `problems where ${problemIsVisible('problems')}`,
  values: 0,
  key: [{ column: 'problems.id', type: 'integer' }],
  direction: 'asc',
  version: { changes: changesOf('problems'), audience: problemAudience },
})

/** $4 problems as a search has ranked them: those that the actor may see, in that order. */
export const listFoundProblems = defineList('list_found_problems', {
  item: problemSummaryJson,
  from: `unnest($4::integer[]) with ordinality as found (problem_id, place)
         join problems on problems.id = found.problem_id
         where ${problemIsVisible('problems')}`,
  values: 1,
  key: [{ column: 'found.place', type: 'integer' }],
  direction: 'asc',
  // Every statement of a list is given the same values, and must name them.
  version: {
    changes: `concat_ws(' ', ${changesOf('problems')}, $4::integer[]::text)`,
    audience: problemAudience,
  },
})

/** $4 problem. */
export const readProblem = guarded<{ body: string }>('read_problem', {
  select: `select ${problemJson}::text as body
           from problems
           where problems.id = $4::integer and ${problemIsVisibleAnywhere('problems')}`,
})

/** $4 problem: the version of its tests (migration 0008) and their size. Reads no test case. */
export const readTestsVersion = guarded<{ version: string; bytes: number }>('read_tests_version', {
  select: `select problems.tests_version::text as version,
                  problems.tests_bytes::double precision as bytes
           from problems
           where problems.id = $4::integer and problems.deleted_at is null`,
})

/** $4 problem, with every test case and their version: for judges and admins (D21). */
export const readProblemTests = guarded<{ version: string; body: string }>('read_problem_tests', {
  select: `select problems.tests_version::text as version, json_build_object(
             'problem_id', problems.id,
             'accept_timeout', problems.accept_timeout,
             'execution_timeout', problems.execution_timeout,
             'memory_limit', problems.memory_limit,
             'test_cases', ${testCasesJson('false')})::text as body
           from problems
           where problems.id = $4::integer and problems.deleted_at is null`,
})

const writtenJson = (problem: string) => `json_build_object('id', ${problem}.id, 'event_problem_id', 0)::text`

/**
 * Makes a problem with its cases and categories: $1 author, $2 title, $3 identifier, $4 prompt, $5 source, $6 difficulty, $7 public,
 * $8 timeout, $9 accept and $10 execution timeout (s), $11 memory limit (MiB), $12 categories; $13 ids, $14 inputs, $15 outputs
 * and $16 hidden of the cases. No row: no such author; an unknown category violates its foreign key.
 */
export const createProblem = statement<{ body: string }>(
  'create_problem',
  `with created as (
     insert into problems (user_id, title, identifier, prompt, source, difficulty, public,
                           timeout, accept_timeout, execution_timeout, memory_limit)
     select users.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
     from users
     where users.id = $1 and users.deleted_at is null
     returning problems.id
   ), filed as (
     insert into problem_categories (problem_id, category_id)
     select created.id, category.id from created, unnest($12::uuid[]) as category (id)
     on conflict do nothing
   ), tested as (
     insert into test_cases (id, problem_id, position, input, expected_output, hidden)
     select given.id, created.id, given.position, given.input, given.expected_output, given.hidden
     from created,
          unnest($13::uuid[], $14::text[], $15::text[], $16::boolean[])
            with ordinality as given (id, input, expected_output, hidden, position)
   )
   select ${writtenJson('created')} as body from created`,
)

/** $1 problem: holds it, so that updates of one problem follow one another, while submissions to it need not wait. */
export const lockProblem = statement<{ id: number }>(
  'lock_problem',
  `select problems.id from problems where problems.id = $1 and problems.deleted_at is null for no key update`,
)

/**
 * $1 problem; then as in `createProblem` from $2 title to $11 memory limit, null leaves a field as it is; $12 author. No row: no such
 * author.
 */
export const updateProblem = statement<{ body: string }>(
  'update_problem',
  `update problems
   set title             = coalesce($2, problems.title),
       identifier        = coalesce($3, problems.identifier),
       prompt            = coalesce($4, problems.prompt),
       source            = coalesce($5, problems.source),
       difficulty        = coalesce($6, problems.difficulty),
       public            = coalesce($7, problems.public),
       timeout           = coalesce($8, problems.timeout),
       accept_timeout    = coalesce($9, problems.accept_timeout),
       execution_timeout = coalesce($10, problems.execution_timeout),
       memory_limit      = coalesce($11, problems.memory_limit),
       user_id           = coalesce($12, problems.user_id)
   where problems.id = $1
     and ($12::uuid is null or exists (select from users where users.id = $12 and users.deleted_at is null))
   returning ${writtenJson('problems')} as body`,
)

/** $1 problem, $2 categories: those and no others. */
export const replaceCategories = statement(
  'replace_categories',
  `with dropped as (
     delete from problem_categories
     where problem_categories.problem_id = $1 and problem_categories.category_id <> all ($2::uuid[])
   )
   insert into problem_categories (problem_id, category_id)
   select $1, category.id from unnest($2::uuid[]) as category (id)
   on conflict do nothing`,
)

/**
 * $1 problem; $2 ids sent (or null), $3 fresh ids, $4 inputs, $5 outputs, $6 hidden. A case sent with an id that this problem knows keeps
 * it, any other gets its fresh one (D20).
 */
export const replaceTestCases = statement(
  'replace_test_cases',
  `with given as (
     select coalesce(test_cases.id, sent.fresh_id) as id, sent.position, sent.input, sent.expected_output, sent.hidden
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::boolean[])
            with ordinality as sent (known_id, fresh_id, input, expected_output, hidden, position)
     left join test_cases on test_cases.id = sent.known_id and test_cases.problem_id = $1
   ), dropped as (
     delete from test_cases
     where test_cases.problem_id = $1 and not exists (select from given where given.id = test_cases.id)
   )
   insert into test_cases (id, problem_id, position, input, expected_output, hidden)
   select given.id, $1, given.position, given.input, given.expected_output, given.hidden from given
   on conflict (id) do update
   set position        = excluded.position,
       input           = excluded.input,
       expected_output = excluded.expected_output,
       hidden          = excluded.hidden`,
)

/** $1 problem. The row stays: submissions refer to it. */
export const deleteProblem = statement<{ id: number }>(
  'delete_problem',
  `update problems set deleted_at = now()
   where problems.id = $1 and problems.deleted_at is null
   returning problems.id`,
)

/** $1 problem. */
export const toggleVisibility = statement<{ body: string }>(
  'toggle_visibility',
  `update problems set public = not problems.public
   where problems.id = $1 and problems.deleted_at is null
   returning ${problemSummaryJson}::text as body`,
)

const categoryJson = `json_build_object('id', categories.id, 'name', categories.name)`

export const listCategories = defineList('list_categories', {
  item: categoryJson,
  from: 'categories where true',
  values: 0,
  key: [{ column: 'categories.name', type: 'text' }],
  direction: 'asc',
  version: { changes: changesOf('categories'), audience: EVERYBODY },
})

/** $4 problem; no list where the actor may not see it (D19, D21). */
export const listProblemCategories = defineList('list_problem_categories', {
  item: categoryJson,
  from: `problem_categories
         join categories on categories.id = problem_categories.category_id
         where problem_categories.problem_id = $4::integer`,
  values: 1,
  key: [{ column: 'categories.name', type: 'text' }],
  direction: 'asc',
  given: `exists (
    select from problems where problems.id = $4::integer and ${problemIsVisibleAnywhere('problems')})`,
})

/** $1 id, $2 name. A name that is taken, whatever its case, violates `categories_name_key`. */
export const createCategory = statement<{ body: string }>(
  'create_category',
  `insert into categories (id, name) values ($1, $2) returning ${categoryJson}::text as body`,
)

/** $1 category; problems lose it. */
export const deleteCategory = statement<{ id: string }>(
  'delete_category',
  `delete from categories where categories.id = $1 returning categories.id`,
)
