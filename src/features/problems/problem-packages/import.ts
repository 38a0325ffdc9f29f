import type { NamedLanguage } from '@judge-data-layer/languages'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { ActorStatement } from '../../../db/actor-statement.ts'
import { newIds } from '../../../db/ids.ts'
import type { NamedValues, Row } from '../../../db/statement.ts'
import type { Actor, ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, isAwaited } from '../../../http/routing/responses.ts'
import { uploadOf } from '../../../http/server/uploads.ts'
import { PART_BYTES } from '../../../package-process/call.ts'
import type { CallProcess } from '../../../package-process/package-process.ts'
import type { PackageProcesses } from '../../../package-process/package-processes.ts'
import { createProblem, lockProblem, replaceCategories } from '../problems/sql.ts'
import * as calls from './calls.ts'
import * as sql from './import-sql.ts'
import type { ImportQuery } from './schemas.ts'

interface ImportContext {
  readonly db: ActorDatabase
  readonly actor: Actor
  readonly request: FastifyRequest
  readonly query: Static<typeof ImportQuery>
  readonly languages: readonly NamedLanguage[]
  readonly sizes: Config['sizes']
  readonly packageProcesses: PackageProcesses
}

/**
 * Imports the package of an upload as a new problem, or in place of `replaced`: all of it or
 * nothing. Returns the text of the response. It stops and is rolled back if the client does not
 * wait any more. Throws VALIDATION with the file and line of a fault, NOT_FOUND for an unknown
 * problem.
 */
export function importPackage(ctx: ImportContext, replaced?: number): Promise<string> {
  const upload = uploadOf(ctx.request)
  const readPart = (_: string, number: number) => {
    checkWaiting(ctx)
    return upload.readAt(number * PART_BYTES, PART_BYTES)
  }
  return upload.use(() =>
    ctx.packageProcesses.use(readPart, async (call) => {
      checkWaiting(ctx)
      const { languages, sizes, query } = ctx
      const problem = await call(calls.READ_PACKAGE, { bytes: upload.bytes, query, languages, sizes })
      const stored = await ctx.db.transaction((tx) => store({ ...ctx, tx, call }, problem, replaced))
      return call(calls.DESCRIBE_IMPORT, stored)
    }),
  )
}

function checkWaiting({ request }: Pick<ImportContext, 'request'>): void {
  if (!isAwaited(request.response)) throw new AppError('UNAVAILABLE', 'The client has gone')
}

interface StoreContext extends ImportContext {
  readonly tx: ActorDatabase
  readonly call: CallProcess
}

async function store(ctx: StoreContext, problem: calls.ReadProblem, replaced: number | undefined) {
  const { tx, call } = ctx
  const problem_id = replaced ?? (await create(ctx, problem))
  if (replaced !== undefined) found(await tx.query(lockProblem, { problem_id }), 'problem')
  await call(calls.START_STORING, { problem_id })
  if (replaced !== undefined) {
    await tx.query(sql.deleteFiles, { problem_id })
    await nameStoredTests(ctx, problem_id)
  }
  for (;;) {
    const batch = await call(calls.NEXT_BATCH, undefined)
    if (batch === undefined) break
    checkWaiting(ctx)
    const [name, values] = batch
    const statement: ActorStatement<Row, NamedValues> = sql.batches[name]
    await tx.query(statement, { problem_id, ...values })
  }
  // Last: other imports with the same new categories wait for the end of this one.
  const category_ids = await newCategoryIds(tx, problem.keywords)
  await tx.query(replaceCategories, { problem_id, category_ids })
  const [same] = await tx.query(sql.findSameUuid, { problem_id })
  checkWaiting(ctx)
  return { problem_id, same_uuid: same?.id }
}

/** Creates a problem that the first batch fills. */
async function create({ tx, actor, query }: StoreContext, problem: calls.ReadProblem): Promise<number> {
  const { keywords: _, ...fields } = problem
  const empty = { test_case_ids: [], inputs: [], expected_outputs: [], hidden: [], category_ids: [] }
  const { difficulty = 'MEDIUM' } = query
  const values = { ...fields, ...empty, user_id: actor.id, prompt: '', source: '', difficulty, public: false }
  const { id }: { id: number } = JSON.parse(found(await tx.query(createProblem, values), 'user').body)
  return id
}

/** Names the test cases of the replaced problem to the process, a part at a time. */
async function nameStoredTests({ tx, call }: StoreContext, problem_id: number): Promise<void> {
  let after_id: string | null = null
  do {
    const tests: readonly calls.StoredTest[] = await tx.query(sql.readTestSums, {
      ...{ problem_id, after_id, rows: calls.BATCH_ROWS },
    })
    await call(
      calls.ADD_STORED_TESTS,
      tests.map(({ id, sums }) => ({ id, sums })),
    )
    after_id = tests.at(-1)?.id ?? null
  } while (after_id !== null)
}

/** The ids of the categories of these names, which are created where they do not exist. */
async function newCategoryIds(tx: ActorDatabase, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  await tx.query(sql.createCategories, { ids: newIds(names.length), names })
  return (await tx.query(sql.readCategoryIds, { names })).map(({ id }) => id)
}
