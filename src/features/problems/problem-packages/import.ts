import type { NamedLanguage } from '@judge-data-layer/languages'
import {
  OWN_SETTINGS,
  PackageError,
  type PackageFile,
  type PackageFiles,
  Warnings,
} from '@judge-data-layer/problem-format/package-files'
import { lineOfUuid, type PackageProblem, readPackage } from '@judge-data-layer/problem-format/read-package'
import { openPackage } from '@judge-data-layer/problem-format/zip-files'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { Actor, ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, isAwaited } from '../../../http/routing/responses.ts'
import { createValidatorCompiler } from '../../../http/routing/validation.ts'
import { uploadOf } from '../../../http/server/uploads.ts'
import { checkCaseNumbers, checkJudgingOptions, findNamedCases } from '../problems/judging-rules.ts'
import { creationValues, updateValues } from '../problems/rules.ts'
import { categoryNames, problemUpdate } from '../problems/schemas.ts'
import { createProblem, lockProblem, replaceCategories, updateProblem } from '../problems/sql.ts'
import { findSameUuid } from './import-sql.ts'
import { readTests, type TestToStore } from './read-tests.ts'
import type { ImportedResponse, ImportQuery } from './schemas.ts'
import { newCategoryIds, storeFiles, storeTests } from './store.ts'

type Imported = Static<typeof ImportedResponse>
type Query = Static<typeof ImportQuery>

interface ImportContext {
  readonly db: ActorDatabase
  readonly actor: Actor
  readonly request: FastifyRequest
  readonly languages: readonly NamedLanguage[]
  readonly sizes: Config['sizes']
}

/**
 * Imports the package of an upload as a new problem, or in place of `problem_id`: all of it or
 * nothing. It stops and is rolled back if the client does not wait any more. Throws VALIDATION with
 * the file and line of a fault, NOT_FOUND for an unknown problem.
 */
export async function importPackage(
  ctx: ImportContext,
  query: Query,
  problem_id?: number,
): Promise<Imported> {
  return uploadOf(ctx.request).use(async (fd) => {
    const warnings = new Warnings()
    try {
      const { files, folder } = await openPackage(fd, warnings)
      const problem = await readPackage(readWhileWaiting(ctx, files), folder, warnings)
      const tests = await readTests(problem.tests, warnings)
      const fields = checkFields(ctx, problem, query)
      const toStore = { problem, tests, fields, isPublic: isPublic(query) }
      const { id, sameUuid } = await store(ctx, toStore, problem_id)
      const ofUuid = sameUuid === undefined ? [] : [await warnOfSameUuid(files, sameUuid)]
      return { problem_id: id, imported: countParts(problem), warnings: [...ofUuid, ...warnings.list] }
    } catch (err) {
      throw err instanceof PackageError ? new AppError('VALIDATION', err.message, { cause: err }) : err
    }
  })
}

/** The files, which are only read as long as the client waits. */
function readWhileWaiting(ctx: ImportContext, files: PackageFiles): PackageFiles {
  const guard = (file: PackageFile): PackageFile => ({
    ...file,
    read: async () => {
      checkWaiting(ctx)
      return file.read()
    },
  })
  return new Map([...files].map(([path, file]) => [path, guard(file)]))
}

function checkWaiting({ request }: ImportContext): void {
  if (!isAwaited(request.response)) throw new AppError('UNAVAILABLE', 'The client has gone')
}

const isPublic = (query: Query) => (query.public === undefined ? undefined : query.public === 'true')

type Fields = ReturnType<typeof checkFields>

/** The fields as `POST /v1/problems` takes them, checked by its rules. Throws VALIDATION. */
function checkFields({ languages, sizes }: ImportContext, problem: PackageProblem, query: Query) {
  const { title, identifier, source, timeout, accept_timeout, execution_timeout, memory_limit } = problem
  const { validation, test_groups, run, limits } = problem
  const difficulty = query.difficulty ?? problem.difficulty
  const sent = {
    ...{ title, identifier, source, accept_timeout, execution_timeout, memory_limit },
    ...(timeout !== undefined && { timeout }),
    prompt: problem.prompt ?? 'The statement is a file.',
    ...(difficulty !== undefined && { difficulty }),
    ...{ validation, test_groups, run, limits },
  }
  checkBody(categoryNames(sizes), { categories: problem.keywords }, problem)
  const fields = checkBody(problemUpdate(sizes), sent, problem)
  try {
    checkJudgingOptions(fields, languages)
    checkCaseNumbers(findNamedCases(fields), problem.tests.length)
  } catch (err) {
    throw inPackage(err, problem)
  }
  return fields
}

/** The value by the rules of a request's body. Throws VALIDATION. */
function checkBody<T extends TSchema, V>(schema: T, sent: V, problem: PackageProblem): Static<T> & V {
  const result = createValidatorCompiler()(schema, 'body')(structuredClone(sent))
  if ('error' in result) throw inPackage(result.error, problem)
  // The validator has confirmed that the value is of this schema.
  return result.value as Static<T> & V
}

/** The error with the file of the field that its message begins with. */
function inPackage(err: unknown, { ownFields }: PackageProblem): unknown {
  if (!(err instanceof AppError)) return err
  const [field = ''] = /^\w+/.exec(err.message) ?? []
  const file = ownFields.includes(field) ? OWN_SETTINGS : 'problem.yaml'
  return new AppError(err.kind, `${file}: ${err.message}`)
}

interface ToStore {
  readonly problem: PackageProblem
  readonly tests: readonly TestToStore[]
  readonly fields: Fields
  readonly isPublic: boolean | undefined
}

async function store(ctx: ImportContext, toStore: ToStore, replaced: number | undefined) {
  const { problem, tests, fields } = toStore
  return ctx.db.transaction(async (tx) => {
    if (replaced !== undefined) found(await tx.query(lockProblem, { problem_id: replaced }), 'problem')
    const problem_id = replaced ?? (await create(tx, ctx.actor.id, toStore))
    const prompt = problem.prompt ?? linkToStatement(problem_id, problem)
    if (replaced !== undefined || problem.prompt === null) {
      const values = { ...updateValues({ ...fields, prompt }), public: toStore.isPublic, problem_id }
      found(await tx.query(updateProblem, values), 'problem')
    }
    await storeTests(tx, problem_id, tests, replaced !== undefined)
    await storeFiles(tx, problem_id, { ...problem, prompt }, replaced !== undefined)
    // Last: other imports with the same new categories wait for the end of this one.
    const category_ids = await newCategoryIds(tx, problem.keywords)
    await tx.query(replaceCategories, { problem_id, category_ids })
    const { uuid } = problem.metadata
    const [same] = uuid === undefined ? [] : await tx.query(findSameUuid, { problem_id, uuid })
    checkWaiting(ctx)
    return { id: problem_id, sameUuid: same?.id }
  })
}

async function create(tx: ActorDatabase, callerId: string, toStore: ToStore): Promise<number> {
  const { difficulty = 'MEDIUM', ...fields } = toStore.fields
  const values = { ...fields, difficulty, public: toStore.isPublic ?? false, test_cases: [] }
  const rows = await tx.query(createProblem, creationValues(values, callerId))
  const { id }: { id: number } = JSON.parse(found(rows, 'user').body)
  return id
}

/** The prompt of a problem whose statement is only a file, or missing. */
function linkToStatement(problem_id: number, { title, statementFile, files }: PackageProblem): string {
  const statement = files.find(({ file }) => file.path === statementFile)
  return statement?.name
    ? `[${title}](/v1/problems/${problem_id}/files/${encodeURIComponent(statement.name)})\n`
    : `${title} has no statement.\n`
}

/** Most likely the author wanted to replace the other problem, or copied its package. */
async function warnOfSameUuid(files: PackageFiles, id: number): Promise<Imported['warnings'][number]> {
  const line = await lineOfUuid(files)
  const message = `uuid: problem ${id} has the same one; PUT /v1/problem_packages/${id} replaces that problem`
  return { file: 'problem.yaml', ...(line !== undefined && { line }), message, problem_id: id }
}

function countParts({ tests, files, statements, programs, keywords, validation }: PackageProblem) {
  const countIn = (pattern: RegExp) =>
    new Set(files.flatMap(({ path }) => pattern.exec(path)?.[0] ?? [])).size
  const own = validation !== null && validation.type !== 'default' ? 1 : 0
  return {
    test_cases: tests.length,
    statements,
    files: files.length,
    submissions: programs,
    validators: own + countIn(/^(?:input|answer)_validators\/[^/]+/),
    categories: keywords.length,
  }
}
