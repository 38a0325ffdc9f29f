import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { ZipFile } from 'yazl'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, isAwaited, type RouteResponse } from '../../../http/routing/responses.ts'
import { TemporaryFile } from '../../../http/server/temporary-file.ts'
import type { PackageProcesses } from '../../../package-process/package-processes.ts'
import { type FileToWrite, type StoredProblem, type StoredTest, WRITE_PACKAGE } from './export-calls.ts'
import { type ExportRow, readExport, readExportedText } from './export-sql.ts'
import { hashPrompt } from './make-batches.ts'
import { dispositionOf, ProblemChanged, readStored, readStoredPart, retryChanged } from './stored-files.ts'

/** The largest packages take a minute; the clients of smaller ones do not wait longer for them. */
export const EXPORT_TIMEOUT_MS = 300_000

interface ExportContext {
  readonly db: ActorDatabase
  readonly packageProcesses: PackageProcesses
}

/**
 * Responds with a problem as a package. The route checks access. Throws NOT_FOUND, and UNAVAILABLE
 * for a problem that changes all the time.
 */
export async function respondWithPackage(
  ctx: ExportContext & { readonly request: FastifyRequest },
  problem_id: number,
): Promise<RouteResponse> {
  const { request } = ctx
  const { name, file } = await retryChanged(() => exportPackage(ctx, problem_id))
  // After the time limit, or without the client, nobody reads the file.
  if (!isAwaited(request.response)) {
    await file.close()
    throw new AppError('UNAVAILABLE', 'The client has gone')
  }
  const headers = { 'content-disposition': dispositionOf(true, name) }
  return { status: 200, type: 'application/zip', headers, body: file.read() }
}

/** Writes a problem as a package to a temporary file, with the name under which clients save it. */
async function exportPackage({ db, packageProcesses }: ExportContext, problem_id: number) {
  const { version, ...row } = found(await db.query(readExport, { problem_id }), 'problem')
  const problem = describeProblem(row)
  const readPart = (id: string, number: number) => readStoredPart(db, id, number)
  const files = await packageProcesses.use(readPart, (call) => call(WRITE_PACKAGE, problem))
  const folder = folderOf(problem)
  const file = await TemporaryFile.create()
  try {
    const readContent = async ({ content }: FileToWrite): Promise<Buffer> => {
      if ('text' in content) return content.text
      if ('file' in content) return readStored(db, content.file)
      return readText(db, { problem_id, version, ...content })
    }
    await writeZip(files, { folder, mtime: new Date(problem.updated_at), readContent }, file)
    return { name: `${folder}.zip`, file }
  } catch (err) {
    await file.close()
    throw err
  }
}

/** The format allows small letters and digits. */
function folderOf({ identifier, id }: StoredProblem): string {
  const name = identifier.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return ['', 'data', 'submissions', 'statement', 'attachments'].includes(name) ? `problem${id}` : name
}

function describeProblem({ tests, files, ...row }: Omit<ExportRow, 'version'>): StoredProblem {
  const { options, ...problem } = row.problem
  const { validation = null, test_groups = null, run = null, limits = null } = options ?? {}
  const hasOwnStatements = problem.metadata?.prompt_hash === hashPrompt(problem.prompt)
  return { ...problem, ...{ validation, test_groups, run, limits }, hasOwnStatements, tests, files }
}

interface TextPlace {
  readonly problem_id: number
  readonly version: string
  readonly test: StoredTest
  readonly is_input: boolean
}

async function readText(db: ActorDatabase, { test, ...place }: TextPlace): Promise<Buffer> {
  const [row] = await db.query(readExportedText, { ...place, test_case_id: test.id })
  if (row === undefined) throw new ProblemChanged('the problem was changed during its export')
  return Buffer.from(row.text)
}

/** The format wants scripts that build or run a program to be executable. */
const SCRIPT = /\/(?:build|run)$/
const [READABLE, EXECUTABLE] = [0o100664, 0o100775]

interface ZipOptions {
  readonly folder: string
  readonly mtime: Date
  readonly readContent: (file: FileToWrite) => Promise<Buffer>
}

/** Writes one file after the other, each in memory only while it is written. */
async function writeZip(
  files: readonly FileToWrite[],
  { folder, mtime, readContent }: ZipOptions,
  file: TemporaryFile,
): Promise<void> {
  const zip = new ZipFile()
  const failure = new AbortController()
  for (const written of files) {
    const { path, bytes } = written
    const mode = SCRIPT.test(path) ? EXECUTABLE : READABLE
    zip.addReadStreamLazy(`${folder}/${path}`, { size: bytes, mtime, mode }, (done) => {
      readContent(written).then(
        (content) => done(null, Readable.from([content], { objectMode: false })),
        (err: unknown) => failure.abort(err),
      )
    })
  }
  zip.on('error', (err) => failure.abort(err))
  zip.end()
  const output = zip.outputStream.pipe(new PassThrough())
  try {
    await pipeline(output, (chunks: AsyncIterable<Buffer>) => writeAll(chunks, file), {
      signal: failure.signal,
    })
  } catch (err) {
    throw failure.signal.aborted ? failure.signal.reason : err
  }
}

async function writeAll(chunks: AsyncIterable<Buffer>, file: TemporaryFile): Promise<void> {
  for await (const chunk of chunks) await file.write(chunk)
}
