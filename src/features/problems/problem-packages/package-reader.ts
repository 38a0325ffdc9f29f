import { type PackageFile, type PackageFiles, Warnings } from '@judge-data-layer/problem-format/package-files'
import { lineOfUuid, type PackageProblem, readPackage } from '@judge-data-layer/problem-format/read-package'
import { openPackage } from '@judge-data-layer/problem-format/zip-files'
import { PART_BYTES } from '../../../package-process/call.ts'
import {
  answerCall,
  type PackageFunction,
  type ProcessContext,
} from '../../../package-process/serve-calls.ts'
import {
  ADD_STORED_TESTS,
  type Batch,
  DESCRIBE_IMPORT,
  NEXT_BATCH,
  READ_PACKAGE,
  type ReadInput,
  START_STORING,
  type StoredTest,
} from './calls.ts'
import { type CheckedFields, checkFields } from './checked-fields.ts'
import { makeBatches } from './make-batches.ts'
import { readTests, type TestToStore } from './read-tests.ts'

/** A package that was read, as an import stores it. */
export interface ReadPackage {
  readonly problem: PackageProblem
  readonly tests: readonly TestToStore[]
  readonly fields: CheckedFields
  readonly isPublic: boolean | undefined
}

interface Session extends ReadPackage {
  readonly files: PackageFiles
  readonly warnings: Warnings
}

/** The functions of an import, which share the package that was read last. */
export function importFunctions(context: ProcessContext): PackageFunction[] {
  let session: Session | undefined
  let batches: AsyncGenerator<Batch> | undefined
  let stored: StoredTest[] = []
  return [
    answerCall(READ_PACKAGE, async (input) => {
      session = await readAll(context, input)
      const { title, identifier, accept_timeout, execution_timeout, memory_limit } = session.fields
      const times = { accept_timeout, execution_timeout, memory_limit }
      const { keywords } = session.problem
      return { title: title.trim(), identifier: identifier.trim(), ...times, keywords }
    }),
    answerCall(START_STORING, ({ problem_id }) => {
      stored = []
      batches = makeBatches(opened(session), problem_id, stored)
    }),
    answerCall(ADD_STORED_TESTS, (tests) => void stored.push(...tests)),
    answerCall(NEXT_BATCH, async () => (await opened(batches).next()).value),
    answerCall(DESCRIBE_IMPORT, async ({ problem_id, same_uuid }) => {
      const { problem, files, warnings } = opened(session)
      const ofUuid = same_uuid === undefined ? [] : [await warnOfSameUuid(files, same_uuid)]
      const imported = countParts(problem)
      return JSON.stringify({ problem_id, imported, warnings: [...ofUuid, ...warnings.list] })
    }),
  ]
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no package was read')
  return value
}

async function readAll(context: ProcessContext, input: ReadInput): Promise<Session> {
  const { bytes, query } = input
  context.note('the package')
  const warnings = new Warnings()
  const readPart = async (number: number) => (await context.readPart('', number)) ?? Buffer.alloc(0)
  const { files, folder } = await openPackage({ bytes, partBytes: PART_BYTES, readPart }, warnings)
  const problem = await readPackage(noteReads(context, files), folder, warnings)
  const tests = await readTests(problem.tests, warnings)
  context.note('the package')
  const fields = checkFields(problem, input)
  const isPublic = query.public === undefined ? undefined : query.public === 'true'
  return { problem, tests, fields, isPublic, files, warnings }
}

/** The files, which are noted when they are read. */
function noteReads({ note }: ProcessContext, files: PackageFiles): PackageFiles {
  const noted = (file: PackageFile): PackageFile => ({
    ...file,
    read: () => {
      note(file.path)
      return file.read()
    },
  })
  return new Map([...files].map(([path, file]) => [path, noted(file)]))
}

/** Most likely the author wanted to replace the other problem, or copied its package. */
async function warnOfSameUuid(files: PackageFiles, id: number) {
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
