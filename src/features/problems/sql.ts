import { actorStatement } from '../../db/actor-statement.ts'
import { withOptional } from '../../db/json.ts'
import { row, statement } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { ascending } from '../../lists/order.ts'
import { changesOf } from '../../lists/version.ts'
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

const withTimeout = (fields: string) =>
  withOptional(fields, 'problems.timeout is not null', `'timeout', problems.timeout`)

export const problemSummaryJson = withTimeout(summaryFields)

const testCasesJson = (blanked: string, condition = 'true') => `(
      select coalesce(json_agg(json_build_object(
               'id', test_cases.id,
               'problem_id', test_cases.problem_id,
               'input', case when ${blanked} then '' else test_cases.input end,
               'expected_output', case when ${blanked} then '' else test_cases.expected_output end,
               'hidden', test_cases.hidden) order by test_cases.position), '[]')
      from test_cases
      where test_cases.problem_id = problems.id and ${condition})`

/** A problem with its test cases; hidden ones are blank, except for judges (D18). */
export const problemJson = withTimeout(`${summaryFields},
      'test_cases', ${testCasesJson('test_cases.hidden and :actor_role <> 1')}`)

/** A problem with its public test cases only (D33). */
export const problemWithOpenTestsJson = withTimeout(`${summaryFields},
      'test_cases', ${testCasesJson('false', 'not test_cases.hidden')}`)

/** Users see their own private problems (D19). `count(*)` uses the index; `exists` may not. */
const problemAudience = `case
      when :actor_role > 0 then 'all'
      when 0 < (
        select count(*) from problems
        where problems.user_id = :actor and not problems.public and problems.deleted_at is null) then :actor::text
      else 'public' end`

export const listProblems = defineList({
  name: 'list_problems',
  item: problemSummaryJson,
  from: 'problems',
  where: problemIsVisible('problems'),
  order: ascending({ column: 'problems.id', type: 'integer' }),
  version: { changes: changesOf('problems'), audience: problemAudience },
})

/** The problems that a search found, in its order, without those that the actor may not see. */
export const listFoundProblems = defineList({
  name: 'list_found_problems',
  params: { problem_ids: 'integer[]' },
  item: problemSummaryJson,
  from: `unnest(:problem_ids) with ordinality as found (problem_id, place)
      join problems on problems.id = found.problem_id`,
  where: problemIsVisible('problems'),
  order: ascending({ column: 'found.place', type: 'integer' }),
  version: { changes: changesOf('problems'), audience: problemAudience },
})

export const readProblem = actorStatement({
  name: 'read_problem',
  params: { problem_id: 'integer' },
  row: row<{ body: string }>(),
  select: `
      select ${problemJson}::text as body
      from problems
      where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')}`,
})

/** The version of a problem's tests and their size in bytes. Reads no test case. */
export const readTestsVersion = actorStatement({
  name: 'read_tests_version',
  params: { problem_id: 'integer' },
  row: row<{ version: string; bytes: number }>(),
  select: `
      select problems.tests_version::text as version, problems.tests_bytes::float8 as bytes
      from problems
      where problems.id = :problem_id and problems.deleted_at is null`,
})

/** All test cases with their version, for judges and admins (D21). */
export const readProblemTests = actorStatement({
  name: 'read_problem_tests',
  params: { problem_id: 'integer' },
  row: row<{ version: string; body: string }>(),
  select: `
      select problems.tests_version::text as version,
             json_build_object(
               'problem_id', problems.id,
               'accept_timeout', problems.accept_timeout,
               'execution_timeout', problems.execution_timeout,
               'memory_limit', problems.memory_limit,
               'test_cases', ${testCasesJson('false')})::text as body
      from problems
      where problems.id = :problem_id and problems.deleted_at is null`,
})

const writtenJson = (problem: string) => `json_build_object('id', ${problem}.id, 'event_problem_id', 0)::text`

/** No row: there is no such author. */
export const createProblem = statement({
  name: 'create_problem',
  params: {
    user_id: 'uuid',
    title: 'text',
    identifier: 'text',
    prompt: 'text',
    source: 'text',
    difficulty: 'text',
    public: 'boolean',
    timeout: 'float8?',
    accept_timeout: 'float8',
    execution_timeout: 'float8',
    memory_limit: 'integer',
    category_ids: 'uuid[]',
    test_case_ids: 'uuid[]',
    inputs: 'text[]',
    expected_outputs: 'text[]',
    hidden: 'boolean[]',
  },
  row: row<{ body: string }>(),
  sql: `with created as (
          insert into problems (user_id, title, identifier, prompt, source, difficulty, public,
                                timeout, accept_timeout, execution_timeout, memory_limit)
          select users.id, :title, :identifier, :prompt, :source, :difficulty, :public,
                 :timeout, :accept_timeout, :execution_timeout, :memory_limit
          from users
          where users.id = :user_id and users.deleted_at is null
          returning problems.id
        ), filed as (
          insert into problem_categories (problem_id, category_id)
          select created.id, category.id from created, unnest(:category_ids) as category (id)
          on conflict do nothing
        ), tested as (
          insert into test_cases (id, problem_id, position, input, expected_output, hidden)
          select given.id, created.id, given.position, given.input, given.expected_output, given.hidden
          from created,
               unnest(:test_case_ids, :inputs, :expected_outputs, :hidden)
                 with ordinality as given (id, input, expected_output, hidden, position)
        )
        select ${writtenJson('created')} as body from created`,
})

/** Updates of one problem wait for each other; submissions to it do not wait. */
export const lockProblem = statement({
  name: 'lock_problem',
  params: { problem_id: 'integer' },
  sql: `select problems.id
        from problems
        where problems.id = :problem_id and problems.deleted_at is null
        for no key update`,
})

/** Null leaves a field as it is. No row: there is no such author. */
export const updateProblem = statement({
  name: 'update_problem',
  params: {
    problem_id: 'integer',
    user_id: 'uuid?',
    title: 'text?',
    identifier: 'text?',
    prompt: 'text?',
    source: 'text?',
    difficulty: 'text?',
    public: 'boolean?',
    timeout: 'float8?',
    accept_timeout: 'float8?',
    execution_timeout: 'float8?',
    memory_limit: 'integer?',
  },
  row: row<{ body: string }>(),
  sql: `update problems
        set title             = coalesce(:title, problems.title),
            identifier        = coalesce(:identifier, problems.identifier),
            prompt            = coalesce(:prompt, problems.prompt),
            source            = coalesce(:source, problems.source),
            difficulty        = coalesce(:difficulty, problems.difficulty),
            public            = coalesce(:public, problems.public),
            timeout           = coalesce(:timeout, problems.timeout),
            accept_timeout    = coalesce(:accept_timeout, problems.accept_timeout),
            execution_timeout = coalesce(:execution_timeout, problems.execution_timeout),
            memory_limit      = coalesce(:memory_limit, problems.memory_limit),
            user_id           = coalesce(:user_id, problems.user_id)
        where problems.id = :problem_id
          and (:user_id is null or exists (
            select from users where users.id = :user_id and users.deleted_at is null))
        returning ${writtenJson('problems')} as body`,
})

export const replaceCategories = statement({
  name: 'replace_categories',
  params: { problem_id: 'integer', category_ids: 'uuid[]' },
  sql: `with dropped as (
          delete from problem_categories
          where problem_categories.problem_id = :problem_id
            and problem_categories.category_id <> all (:category_ids)
        )
        insert into problem_categories (problem_id, category_id)
        select :problem_id, category.id from unnest(:category_ids) as category (id)
        on conflict do nothing`,
})

/** A test case sent with an id of this problem keeps it; any other gets its new id (D20). */
export const replaceTestCases = statement({
  name: 'replace_test_cases',
  params: {
    problem_id: 'integer',
    sent_ids: 'uuid[]',
    test_case_ids: 'uuid[]',
    inputs: 'text[]',
    expected_outputs: 'text[]',
    hidden: 'boolean[]',
  },
  sql: `with given as (
          select coalesce(test_cases.id, sent.new_id) as id, sent.position, sent.input, sent.expected_output, sent.hidden
          from unnest(:sent_ids, :test_case_ids, :inputs, :expected_outputs, :hidden)
                 with ordinality as sent (id, new_id, input, expected_output, hidden, position)
          left join test_cases on test_cases.id = sent.id and test_cases.problem_id = :problem_id
        ), dropped as (
          delete from test_cases
          where test_cases.problem_id = :problem_id
            and not exists (select from given where given.id = test_cases.id)
        )
        insert into test_cases (id, problem_id, position, input, expected_output, hidden)
        select given.id, :problem_id, given.position, given.input, given.expected_output, given.hidden
        from given
        on conflict (id) do update
        set position        = excluded.position,
            input           = excluded.input,
            expected_output = excluded.expected_output,
            hidden          = excluded.hidden`,
})

/** The row stays: submissions refer to it. */
export const deleteProblem = statement({
  name: 'delete_problem',
  params: { problem_id: 'integer' },
  sql: `update problems
        set deleted_at = now()
        where problems.id = :problem_id and problems.deleted_at is null
        returning problems.id`,
})

export const toggleVisibility = statement({
  name: 'toggle_visibility',
  params: { problem_id: 'integer' },
  row: row<{ body: string }>(),
  sql: `update problems
        set public = not problems.public
        where problems.id = :problem_id and problems.deleted_at is null
        returning ${problemSummaryJson}::text as body`,
})
