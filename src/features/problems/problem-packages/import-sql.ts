import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { THE_PROBLEM } from '../problems/sql.ts'

// The statements of an import. They run in one transaction, after `createProblem` or `lockProblem`.

/** Stores the settings of the package; `version` changes. */
export const storePackage = actorStatement({
  name: 'store_package',
  params: {
    problem_id: 'integer',
    metadata: 'json',
    timeout: 'float8 | null',
    timeout_is_provisional: 'boolean',
  },
  with: `${THE_PROBLEM}, marked as (
      update problems
      set timeout = :timeout, timeout_is_provisional = :timeout_is_provisional
      from problem
      where problems.id = problem.id
    ), stored as (
      insert into problem_packages (problem_id, metadata)
      select problem.id, :metadata::jsonb from problem
      on conflict (problem_id) do update set metadata = excluded.metadata, version = gen_random_uuid()
    )`,
  select: 'select',
})

/** Creates the categories that do not exist. Names are compared as those of users (D11). */
export const createCategories = actorStatement({
  name: 'create_categories',
  params: { ids: 'uuid[]', names: 'text[]' },
  with: `created as (
      insert into categories (id, name)
      select given.id, given.name
      from unnest(:ids, :names) as given (id, name)
      where ${ACTOR_EXISTS}
      order by folded(given.name)
      on conflict do nothing
    )`,
  select: 'select',
})

/** After `createCategories`, which a statement of its own must see. */
export const readCategoryIds = actorStatement({
  name: 'read_category_ids',
  params: { names: 'text[]' },
  columns: { id: 'uuid' },
  select: `
      select categories.id
      from categories
      where folded(categories.name) in (select folded(given.name) from unnest(:names) as given (name))`,
})

/** Another problem whose package has this uuid: the oldest one. */
export const findSameUuid = actorStatement({
  name: 'find_same_uuid',
  params: { problem_id: 'integer', uuid: 'text' },
  columns: { id: 'integer' },
  select: `
      select problems.id
      from problem_packages
      join problems on problems.id = problem_packages.problem_id
      where lower(problem_packages.metadata ->> 'uuid') = lower(:uuid)
        and problems.id <> :problem_id and problems.deleted_at is null
      order by problems.id
      limit 1`,
})

/** The test cases in their order, with MD5 sums of their texts. */
export const readTestSums = actorStatement({
  name: 'read_test_sums',
  params: { problem_id: 'integer' },
  columns: { id: 'uuid', sums: 'text' },
  select: `
      select test_cases.id, concat(md5(test_cases.input), md5(test_cases.expected_output)) as sums
      from test_cases
      where test_cases.problem_id = :problem_id
      order by test_cases.position`,
})

const testFields = {
  ids: 'uuid[]',
  positions: 'integer[]',
  hidden: 'boolean[]',
  names: 'text[]',
  hints: 'text[]',
  descriptions: 'text[]',
} as const

/** Keeps the test cases of these ids, with their new places and names, and deletes the others. */
export const keepTestCases = actorStatement({
  name: 'keep_test_cases',
  params: { problem_id: 'integer', ...testFields },
  with: `${THE_PROBLEM}, dropped as (
      delete from test_cases
      using problem
      where test_cases.problem_id = problem.id and test_cases.id <> all (:ids)
    ), kept as (
      update test_cases
      set position = given.position, hidden = given.hidden, name = given.name, hint = given.hint,
          description = given.description
      from problem,
           unnest(:ids, :positions, :hidden, :names, :hints, :descriptions)
             as given (id, position, hidden, name, hint, description)
      where test_cases.id = given.id and test_cases.problem_id = problem.id
    )`,
  select: 'select',
})

export const insertTestCases = actorStatement({
  name: 'insert_test_cases',
  params: { problem_id: 'integer', ...testFields, inputs: 'text[]', expected_outputs: 'text[]' },
  with: `${THE_PROBLEM}, inserted as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden, name, hint, description)
      select given.id, problem.id, given.position, given.input, given.expected_output, given.hidden,
             given.name, given.hint, given.description
      from problem,
           unnest(:ids, :positions, :inputs, :expected_outputs, :hidden, :names, :hints, :descriptions)
             as given (id, position, input, expected_output, hidden, name, hint, description)
    )`,
  select: 'select',
})

/** Deletes the stored files with their content. */
export const deleteFiles = actorStatement({
  name: 'delete_files',
  params: { problem_id: 'integer' },
  with: `${THE_PROBLEM}, deleted as (
      delete from problem_files using problem where problem_files.problem_id = problem.id
    )`,
  select: 'select',
})

/** Stores the names of files; their content follows. */
export const insertFiles = actorStatement({
  name: 'insert_files',
  params: { problem_id: 'integer', ids: 'uuid[]', paths: 'text[]', names: 'text[]', bytes: 'integer[]' },
  with: `${THE_PROBLEM}, inserted as (
      insert into problem_files (id, problem_id, path, name, bytes)
      select given.id, problem.id, given.path, given.name, given.bytes
      from problem, unnest(:ids, :paths, :names, :bytes) as given (id, path, name, bytes)
    )`,
  select: 'select',
})

export const insertFilePart = actorStatement({
  name: 'insert_file_part',
  params: { file_id: 'uuid', number: 'integer', content: 'bytea' },
  with: `inserted as (
      insert into problem_file_parts (file_id, number, content)
      select problem_files.id, :number, :content
      from problem_files
      where problem_files.id = :file_id and ${ACTOR_EXISTS}
    )`,
  select: 'select',
})
