import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockShared } from '../../../db/advisory-lock.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { changesOf } from '../../../lists/version.ts'
import { foundProblems, PLACE_OF_FOUND } from '../../../search/problem-search.ts'
import { capabilitiesParam, missingCapabilities } from '../../shared/access/capabilities.ts'
import { problemIsVisible, problemIsVisibleAnywhere } from '../../shared/access/problems.ts'
import { problemBytes, problemIsShort, problemJson, problemSummaryJson } from './problem-json.ts'
import { testCaseParams } from './tests-sql.ts'

const isShortForReader = problemIsShort(
  ':actor_role = 1',
  'case when :actor_role > 0 then problems.judging_options_bytes else 0 end',
)

/** Users see their own private problems (D19). `count(*)` uses the index; `exists` may not. */
const problemAudience = `case
      when :actor_role > 0 then 'all'
      when 0 < (
        select count(*) from problems
        where problems.user_id = :actor and not problems.public and problems.deleted_at is null) then :actor::text
      else 'public' end`

const listed = {
  item: problemSummaryJson(),
  bytes: problemBytes,
  where: problemIsVisible('problems'),
  version: { changes: changesOf('problems'), audience: problemAudience },
}

export const listProblems = defineList({
  ...listed,
  name: 'list_problems',
  from: 'problems',
  order: ascending({ column: 'problems.id', type: 'integer' }),
})

/**
 * The problems that a search finds, best first. One statement, so that neither the list nor its tag
 * or cursor tells whether a problem matches that the actor may not see (D19).
 */
export const listFoundProblems = defineList({
  ...listed,
  name: 'list_found_problems',
  params: { text: 'text' },
  from: foundProblems,
  order: ascending({ column: PLACE_OF_FOUND, type: 'float8' }, { column: 'problems.id', type: 'integer' }),
})

/** The judging options, and whether the time limit is provisional; null if there is neither. */
const staffOptions = `(case when problems.timeout_is_provisional
      then '{"timeout_is_provisional": true}' || coalesce(problems.judging_options, '{}')
      else problems.judging_options end)`

/** Judges read these tests in parts only. */
const NEEDS_PARTS = '(:actor_role = 1 and problems.tests_bytes > :whole_tests_bytes)'

/** The same for all readers with one role. */
const readingOfProblem = {
  params: {
    problem_id: 'integer',
    most_bytes: 'bigint',
    whole_tests_bytes: 'bigint',
    known_version: 'text | null',
    ...capabilitiesParam,
  },
  columns: {
    missing_capabilities: 'text | null',
    needs_parts: 'boolean',
    version: 'text',
    body: 'text | null',
    options: 'text | null',
  },
  select: `
      select ${missingCapabilities('problems')} as missing_capabilities,
             ${NEEDS_PARTS} as needs_parts,
             state.version,
             case when read.is_wanted then ${problemJson()}::text end as body,
             case when read.is_wanted and :actor_role > 0 then ${staffOptions}::text end as options
      from problems
      cross join (select ${changesOf('problems')} as version) as state
      cross join lateral (
        select case when :known_version = state.version then false
                 else ${isShortForReader} and not ${NEEDS_PARTS} and ${missingCapabilities('problems')} is null
               end as is_wanted) as read
      where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')}`,
} as const

/**
 * A problem, with its judging options for judges and admins (D41). No body: the reader has
 * `known_version`, the problem's texts and shown tests are longer than `most_bytes`, the worker
 * lacks capabilities, or a judge would get more than `whole_tests_bytes` of tests.
 */
export const readProblem = actorStatement({
  name: 'read_problem',
  coalesced: 'reads',
  ...readingOfProblem,
})

/** The same for a problem that is too long for a batch. */
export const readLongProblem = actorStatement({ name: 'read_long_problem', ...readingOfProblem })

const writtenJson = (problem: string) => `json_build_object('id', ${problem}.id, 'event_problem_id', 0)::text`

/** Part of a statement: puts a problem into categories, which it locks in the order of their ids. */
const filedFrom = (problem: string) => `insert into problem_categories (problem_id, category_id)
      select ${problem}.id, given.id
      from ${problem}, unnest(:category_ids) as given (id)
      order by given.id
      on conflict do nothing`

/** No row: there is no such author. */
export const createProblem = actorStatement({
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
    judging_options: 'json?',
    category_ids: 'uuid[]',
    ...testCaseParams,
  },
  columns: { body: 'text' },
  with: `created as (
      insert into problems (user_id, title, identifier, prompt, source, difficulty, public,
                            timeout, accept_timeout, execution_timeout, memory_limit, judging_options)
      select users.id, :title, :identifier, :prompt, :source, :difficulty, :public,
             :timeout, :accept_timeout, :execution_timeout, :memory_limit,
             nullif(:judging_options::jsonb, '{}')
      from users
      where users.id = :user_id and users.deleted_at is null and ${ACTOR_EXISTS}
      returning problems.id
    ), filed as (
      ${filedFrom('created')}
    ), tested as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden)
      select given.id, created.id, given.position, given.input, given.expected_output, given.hidden
      from created,
           unnest(:test_case_ids, :inputs, :expected_outputs, :hidden)
             with ordinality as given (id, input, expected_output, hidden, position)
    )`,
  select: `select ${writtenJson('created')} as body from created`,
})

/**
 * Updates of one problem wait for each other; submissions to it do not wait. Deletions of
 * categories wait too: they and updates lock rows of the search index in different orders.
 */
export const lockProblem = actorStatement({
  name: 'lock_problem',
  params: { problem_id: 'integer' },
  with: `entered as materialized (select ${lockShared('categories')})`,
  select: `
      select problems.id
      from entered
      cross join problems
      where problems.id = :problem_id and problems.deleted_at is null
      for no key update of problems`,
})

/** The fields that an update replaces if they are sent. */
const replaceable = {
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
} as const

const replaced = Object.keys(replaceable).map((name) => `${name} = coalesce(:${name}, problems.${name})`)

/**
 * After `lockProblem`. Null leaves a field as it is; `judging_options` replaces those that it has.
 * No row: there is no such author.
 */
export const updateProblem = actorStatement({
  name: 'update_problem',
  params: {
    problem_id: 'integer',
    ...replaceable,
    judging_options: 'json?',
    removed_options: 'text[]?',
  },
  columns: { body: 'text' },
  with: `updated as (
      update problems
      set ${replaced.join(',\n          ')},
          timeout_is_provisional = problems.timeout_is_provisional and :execution_timeout is null,
          judging_options = case when :judging_options is null then problems.judging_options
            else nullif((coalesce(problems.judging_options, '{}') || :judging_options::jsonb) - :removed_options, '{}')
            end
      where problems.id = :problem_id and ${ACTOR_EXISTS}
        and (:user_id is null or exists (
          select from users where users.id = :user_id and users.deleted_at is null))
      returning problems.id
    )`,
  select: `select ${writtenJson('updated')} as body from updated`,
})

/** CTE `problem`, for statements after `lockProblem`. */
export const THE_PROBLEM = `problem as (
      select problems.id from problems where problems.id = :problem_id and ${ACTOR_EXISTS}
    )`

/** After `lockProblem`. */
export const replaceCategories = actorStatement({
  name: 'replace_categories',
  params: { problem_id: 'integer', category_ids: 'uuid[]' },
  with: `${THE_PROBLEM}, dropped as (
      delete from problem_categories
      using problem
      where problem_categories.problem_id = problem.id
        and problem_categories.category_id <> all (:category_ids)
    ), filed as (
      ${filedFrom('problem')}
    )`,
  select: 'select',
})

/** After `lockProblem`. A test case sent with an id of this problem keeps it (D20). */
export const replaceTestCases = actorStatement({
  name: 'replace_test_cases',
  params: { problem_id: 'integer', sent_ids: 'uuid[]', ...testCaseParams },
  with: `${THE_PROBLEM}, given as (
      select problem.id as problem_id, coalesce(test_cases.id, sent.new_id) as id,
             sent.position, sent.input, sent.expected_output, sent.hidden
      from problem
      cross join unnest(:sent_ids, :test_case_ids, :inputs, :expected_outputs, :hidden)
                   with ordinality as sent (id, new_id, input, expected_output, hidden, position)
      left join test_cases on test_cases.id = sent.id and test_cases.problem_id = problem.id
    ), dropped as (
      delete from test_cases
      using problem
      where test_cases.problem_id = problem.id
        and not exists (select from given where given.id = test_cases.id)
    ), replaced as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden)
      select given.id, given.problem_id, given.position, given.input, given.expected_output, given.hidden
      from given
      on conflict (id) do update
      set position        = excluded.position,
          input           = excluded.input,
          expected_output = excluded.expected_output,
          hidden          = excluded.hidden
    )`,
  select: 'select',
})

/** The row stays: submissions refer to it. */
export const deleteProblem = actorStatement({
  name: 'delete_problem',
  params: { problem_id: 'integer' },
  with: `deleted as (
      update problems
      set deleted_at = now()
      where problems.id = :problem_id and problems.deleted_at is null and ${ACTOR_EXISTS}
      returning problems.id
    )`,
  select: 'select deleted.id from deleted',
})

export const toggleVisibility = actorStatement({
  name: 'toggle_visibility',
  params: { problem_id: 'integer' },
  columns: { body: 'text' },
  with: `toggled as (
      update problems
      set public = not problems.public
      where problems.id = :problem_id and problems.deleted_at is null and ${ACTOR_EXISTS}
      returning problems.*
    )`,
  select: `select ${problemSummaryJson()}::text as body from toggled as problems`,
})
