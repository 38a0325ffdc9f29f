import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'

/** An imported problem in the database. */
export type StoredPackage = {
  id: number
  /** Null: the title is not of an import. */
  key: string | null
  /** In the order and form of `Version`. */
  parts: string[]
  timeout_is_provisional: boolean
  execution_timeout: number
}

/** A verification in the database. */
export type StoredVerification = {
  id: string
  is_settled: boolean
  /** The number of planned judgings. */
  planned: number
  judged: number
}

const PARTS = `
  select concat_ws(' ', 'test', test_cases.name, md5(test_cases.input), md5(test_cases.expected_output)) as part
  from test_cases
  where test_cases.problem_id = problems.id
  union all
  select concat_ws(' ', 'file', problem_files.path, md5(coalesce(string_agg(
           problem_file_parts.content, '' order by problem_file_parts.number), '')))
  from problem_files
  left join problem_file_parts on problem_file_parts.file_id = problem_files.id
  where problem_files.problem_id = problems.id
  group by problem_files.id
  union all
  select concat_ws(' ', 'category', categories.name)
  from problem_categories
  join categories on categories.id = problem_categories.category_id
  where problem_categories.problem_id = problems.id
  union all
  select concat_ws(' ', 'prompt', md5(problems.prompt))`

// A problem in part may have no package yet, so the title decides.
const PACKAGES = `
  select problems.id,
         substring(problems.title from '^Package (\\S+)$') as key,
         (select json_agg(parts.part) from (${PARTS}) as parts) as parts,
         problems.timeout_is_provisional,
         problems.execution_timeout
  from problems
  where problems.title like 'Package %'
     or exists (select from problem_packages where problem_packages.problem_id = problems.id)`

const VERIFICATIONS = `
  select verifications.id::text,
         verifications.settled_at is not null as is_settled,
         (jsonb_array_length(jsonb_path_query_array(verifications.plan, '$.programs[*].judging'))
           + jsonb_array_length(jsonb_path_query_array(verifications.plan, '$.validators[*].judging'))) as planned,
         (select count(*)::integer
          from shadow_judgings
          where shadow_judgings.verification_id = verifications.id
            and shadow_judgings.judged_at is not null and shadow_judgings.status <> 'PENDING') as judged
  from verifications`

/** Reads all imported problems, whole or not. */
export async function readPackages(db: Queryable): Promise<StoredPackage[]> {
  const stored = await ask<StoredPackage>(db, PACKAGES)
  return stored.map(({ parts, ...problem }) => ({ ...problem, parts: parts.sort() }))
}

/** Reads all verifications. */
export const readVerifications = (db: Queryable): Promise<StoredVerification[]> =>
  ask<StoredVerification>(db, VERIFICATIONS)
