import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { type Finding, find } from './checks.ts'
import type { ImportedProblem, Imports, Verified } from './imports.ts'
import { LIMIT_SECONDS } from './programs.ts'

const join = (parts: readonly string[]) => parts.join('\n')

/** Compares the stored problems with what clients imported: each is whole, and of one version. */
export async function checkImports(db: Queryable, problems: readonly ImportedProblem[]): Promise<Finding[]> {
  const stored = await readPackages(db)
  const sent = new Map(problems.map((problem) => [problem.key, problem]))
  const ids = new Map(stored.map(({ id, key }) => [id, key]))
  const seen = new Set<string | null>()
  const isRepeated = ({ key }: StoredPackage) => seen.size === seen.add(key).size
  const isOther = ({ key, parts }: StoredPackage) =>
    !sent.get(`${key}`)?.possible.some((version) => join(version.parts) === join(parts))
  const isWith = (isAcknowledged: boolean) => (problem: StoredPackage) =>
    sent.has(`${problem.key}`) &&
    (sent.get(`${problem.key}`)?.id !== undefined) === isAcknowledged &&
    isOther(problem)
  const lost = problems.filter(({ id, key }) => id !== undefined && ids.get(id) !== key)
  return [
    { what: 'imports LOST after their 201', ids: lost.map(({ id, key }) => `${id} ${key}`) },
    find('imported problems that nobody sent', stored, ({ key }) => !sent.has(`${key}`)),
    find('imports sent once, stored twice', stored, isRepeated),
    find('imports without a response, stored in part', stored, isWith(false)),
    find('imports stored in part, or of several versions', stored, isWith(true)),
    {
      what: 'imports whose response counts other parts than were sent',
      ids: problems.flatMap(({ wrongCounts }) => wrongCounts),
    },
  ]
}

/** Checks that each acknowledged verification ends and sets the time limit. */
export async function checkVerifications(
  db: Queryable,
  { verified, send }: Pick<Imports, 'verified' | 'send'>,
): Promise<Finding[]> {
  const stored = await ask<StoredVerification>(db, VERIFICATIONS)
  const ids = new Set(stored.map(({ id }) => id))
  const problems = new Map((await readPackages(db)).map((problem) => [problem.id, problem]))
  const hasOtherLimit = ({ problem: { id = 0, sent } }: Verified) => {
    const problem = problems.get(id)
    // A replacement makes the limit provisional again.
    return sent === 1 && (problem?.timeout_is_provisional || problem?.execution_timeout !== LIMIT_SECONDS)
  }
  const unfinished: string[] = []
  for (const { id, problem } of verified) {
    const response = await send('GET', `/${problem.id}/verifications/${id}`, null)
    const { status } = JSON.parse(await response.text())
    if (status !== 'DONE') unfinished.push(`${id}: ${response.status} ${status}`)
  }
  return [
    find('verifications LOST after their 201', verified, ({ id }) => !ids.has(id)),
    find('verifications that are not settled', stored, ({ is_settled }) => !is_settled),
    find('verifications without a verdict of each judging', stored, (one) => one.judged !== one.planned),
    find('verifications without judgings', stored, ({ planned }) => planned === 0),
    { what: 'verifications that are not DONE in their response', ids: unfinished },
    find('verifications without the computed time limit', verified, (one) => hasOtherLimit(one) === true),
  ]
}

/** Exports each acknowledged problem, and imports the export: it must be the same problem. */
export async function checkExports(db: Queryable, { problems, send }: Pick<Imports, 'problems' | 'send'>) {
  const copies = new Map<number, number>()
  const failed: string[] = []
  for (const { id } of problems) {
    if (id === undefined) continue
    const exported = await send('GET', `/${id}`, null)
    const imported = await send('POST', '', Buffer.from(await exported.arrayBuffer()))
    const { problem_id, message } = JSON.parse(await imported.text())
    if (imported.status === 201) copies.set(id, problem_id)
    else failed.push(`${id}: ${exported.status}, ${imported.status} ${message}`)
  }
  const stored = new Map((await readPackages(db)).map(({ id, parts }) => [id, join(parts)]))
  const different = [...copies].filter(([id, copy]) => stored.get(id) !== stored.get(copy))
  return [
    { what: 'exports that cannot be imported', ids: failed },
    { what: 'exports that import as another problem', ids: different.map(([id]) => `${id}`) },
  ]
}

type StoredPackage = {
  id: number
  /** Null: the title is not of an import. */
  key: string | null
  parts: string[]
  timeout_is_provisional: boolean
  execution_timeout: number
}

type StoredVerification = {
  id: string
  is_settled: boolean
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
