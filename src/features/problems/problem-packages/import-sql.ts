import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { THE_PROBLEM } from '../problems/sql.ts'

// The statements of an import. They run in one transaction, after `createProblem` or `lockProblem`.

/** The content of a file. It must not depend on the order in which PostgreSQL reads the parts. */
const contentOf = (file: string) => `(
        select string_agg(problem_file_parts.content, '' order by problem_file_parts.number)
        from problem_file_parts
        where problem_file_parts.file_id = ${file})`

const textOf = (file: string) => `convert_from(coalesce(${contentOf(file)}, ''), 'UTF8')`

/**
 * Gives the problem the fields of a document of JSON, which is stored as a file and deleted.
 * `version` of the package changes.
 */
const fillProblem = actorStatement({
  name: 'fill_imported_problem',
  params: { problem_id: 'integer', file_id: 'uuid', public: 'boolean?' },
  with: `${THE_PROBLEM}, package as materialized (
      select problem.id, ${textOf(':file_id')}::jsonb as content from problem
    ), filled as (
      update problems
      set title = fields.title, identifier = fields.identifier, prompt = fields.prompt,
          source = fields.source, difficulty = coalesce(fields.difficulty, problems.difficulty),
          public = coalesce(:public, problems.public), timeout = fields.timeout,
          accept_timeout = fields.accept_timeout, execution_timeout = fields.execution_timeout,
          timeout_is_provisional = fields.timeout_is_provisional,
          memory_limit = fields.memory_limit, judging_options = fields.judging_options
      from package
      cross join lateral jsonb_to_record(package.content -> 'fields') as fields (
        title text, identifier text, prompt text, source text, difficulty text, timeout float8,
        accept_timeout float8, execution_timeout float8, timeout_is_provisional boolean,
        memory_limit integer, judging_options jsonb)
      where problems.id = package.id
    ), stored as (
      insert into problem_packages (problem_id, metadata)
      select package.id, package.content -> 'metadata' from package
      on conflict (problem_id) do update set metadata = excluded.metadata, version = gen_random_uuid()
    ), deleted as (
      delete from problem_files using package where problem_files.id = :file_id
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

/** Another problem whose package has the uuid of this one: the oldest. */
export const findSameUuid = actorStatement({
  name: 'find_same_uuid',
  params: { problem_id: 'integer' },
  columns: { id: 'integer' },
  select: `
      select problems.id
      from problem_packages
      join problems on problems.id = problem_packages.problem_id
      where lower(problem_packages.metadata ->> 'uuid') = (
          select lower(own.metadata ->> 'uuid') from problem_packages as own where own.problem_id = :problem_id)
        and problems.id <> :problem_id and problems.deleted_at is null
      order by problems.id
      limit 1`,
})

/** The next test cases in their order, with MD5 sums of their texts. */
export const readTestSums = actorStatement({
  name: 'read_test_sums',
  params: { problem_id: 'integer', after_id: 'uuid | null', rows: 'integer' },
  columns: { id: 'uuid', sums: 'text' },
  select: `
      select test_cases.id, concat(md5(test_cases.input), md5(test_cases.expected_output)) as sums
      from test_cases
      left join test_cases as last on last.id = :after_id
      where test_cases.problem_id = :problem_id
        and (last.id is null or (test_cases.position, test_cases.id) > (last.position, last.id))
      order by test_cases.position, test_cases.id
      limit :rows`,
})

const testFields = {
  ids: 'uuid[]',
  positions: 'integer[]',
  hidden: 'boolean[]',
  names: 'text[]',
  hints: 'text[]',
  descriptions: 'text[]',
} as const

/** Gives stored test cases their new places and names. */
const keepTestCases = actorStatement({
  name: 'keep_test_cases',
  params: { problem_id: 'integer', ...testFields },
  with: `${THE_PROBLEM}, kept as (
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

const dropTestCases = actorStatement({
  name: 'drop_test_cases',
  params: { problem_id: 'integer', ids: 'uuid[]' },
  with: `${THE_PROBLEM}, dropped as (
      delete from test_cases
      using problem
      where test_cases.problem_id = problem.id and test_cases.id = any (:ids)
    )`,
  select: 'select',
})

/** A part of `:content`, which has many texts or files one after another. */
const CUT = 'substring(:content from given.start for given.bytes)'

/** Inserts test cases. Each input in `content` begins at a place, from 1, and its answer follows. */
const insertTestCases = actorStatement({
  name: 'insert_test_cases',
  params: {
    ...{ problem_id: 'integer', ...testFields },
    ...{ starts: 'integer[]', input_bytes: 'integer[]', answer_bytes: 'integer[]', content: 'bytea' },
  },
  with: `${THE_PROBLEM}, inserted as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden, name, hint, description)
      select given.id, problem.id, given.position,
             convert_from(${CUT}, 'UTF8'),
             convert_from(substring(:content from given.start + given.bytes for given.answer_bytes), 'UTF8'),
             given.hidden, given.name, given.hint, given.description
      from problem,
           unnest(:ids, :positions, :hidden, :names, :hints, :descriptions, :starts, :input_bytes, :answer_bytes)
             as given (id, position, hidden, name, hint, description, start, bytes, answer_bytes)
    )`,
  select: 'select',
})

/** Inserts a test case whose input and answer are stored as files, which are deleted. */
const insertLongTestCase = actorStatement({
  name: 'insert_long_test_case',
  params: { problem_id: 'integer', ...testFields, input_id: 'uuid', answer_id: 'uuid' },
  with: `${THE_PROBLEM}, inserted as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden, name, hint, description)
      select given.id, problem.id, given.position, ${textOf(':input_id')}, ${textOf(':answer_id')},
             given.hidden, given.name, given.hint, given.description
      from problem,
           unnest(:ids, :positions, :hidden, :names, :hints, :descriptions)
             as given (id, position, hidden, name, hint, description)
    ), deleted as (
      delete from problem_files using problem where problem_files.id in (:input_id, :answer_id)
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
const insertFiles = actorStatement({
  name: 'insert_files',
  params: { problem_id: 'integer', ids: 'uuid[]', paths: 'text[]', names: 'text[]', bytes: 'integer[]' },
  with: `${THE_PROBLEM}, inserted as (
      insert into problem_files (id, problem_id, path, name, bytes)
      select given.id, problem.id, given.path, given.name, given.bytes
      from problem, unnest(:ids, :paths, :names, :bytes) as given (id, path, name, bytes)
    )`,
  select: 'select',
})

/** Stores the whole contents of files: each begins in `content` at a place, from 1. */
const insertContents = actorStatement({
  name: 'insert_file_contents',
  params: { problem_id: 'integer', ids: 'uuid[]', starts: 'integer[]', bytes: 'integer[]', content: 'bytea' },
  with: `${THE_PROBLEM}, inserted as (
      insert into problem_file_parts (file_id, number, content)
      select given.id, 0, ${CUT}
      from problem, unnest(:ids, :starts, :bytes) as given (id, start, bytes)
    )`,
  select: 'select',
})

/** Stores a part of the content of a long file. */
const insertPart = actorStatement({
  name: 'insert_file_part',
  params: { problem_id: 'integer', id: 'uuid', number: 'integer', content: 'bytea' },
  with: `${THE_PROBLEM}, inserted as (
      insert into problem_file_parts (file_id, number, content)
      select :id, :number, :content from problem
    )`,
  select: 'select',
})

/** The statements that store a package, each a part of it. */
export const batches = {
  problem: fillProblem,
  keptTests: keepTestCases,
  droppedTests: dropTestCases,
  tests: insertTestCases,
  longTest: insertLongTestCase,
  files: insertFiles,
  contents: insertContents,
  part: insertPart,
}
