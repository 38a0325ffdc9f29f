import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PackageFiles } from '@judge-data-layer/problem-format/package-files'
import { type ExportedProblem, writePackage } from '@judge-data-layer/problem-format/write-package'
import type { FastifyRequest } from 'fastify'
import { ZipFile } from 'yazl'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, isAwaited, type RouteResponse } from '../../../http/routing/responses.ts'
import { TemporaryFile } from '../../../http/server/temporary-file.ts'
import { type ExportRow, readExport, readExportedText, type TestRow } from './export-sql.ts'
import { hashPrompt } from './store.ts'
import { dispositionOf, ProblemChanged, packageFileOf, retryChanged } from './stored-files.ts'

/** The largest packages take a minute; the clients of smaller ones do not wait longer for them. */
export const PACKAGE_TIMEOUT_MS = 300_000

/**
 * Responds with a problem as a package. The route checks access. Throws NOT_FOUND, and UNAVAILABLE
 * for a problem that changes all the time.
 */
export async function respondWithPackage(
  { db, request }: { readonly db: ActorDatabase; readonly request: FastifyRequest },
  problem_id: number,
): Promise<RouteResponse> {
  const { name, file } = await retryChanged(() => exportPackage(db, problem_id))
  // After the time limit, or without the client, nobody reads the file.
  if (!isAwaited(request.response)) {
    await file.close()
    throw new AppError('UNAVAILABLE', 'The client has gone')
  }
  const headers = { 'content-disposition': dispositionOf(true, name) }
  return { status: 200, type: 'application/zip', headers, body: file.read() }
}

/** Writes a problem as a package to a temporary file, with the name under which clients save it. */
async function exportPackage(db: ActorDatabase, problem_id: number) {
  const row = found(await db.query(readExport, { problem_id }), 'problem')
  const problem = describeProblem(db, row)
  const files = await writePackage(problem)
  const folder = folderOf(problem)
  const file = await TemporaryFile.create()
  try {
    await writeZip(files, { folder, mtime: new Date(problem.updated_at) }, file)
    return { name: `${folder}.zip`, file }
  } catch (err) {
    await file.close()
    throw err
  }
}

/** The format allows small letters and digits. */
function folderOf({ identifier, id }: ExportedProblem): string {
  const name = identifier.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return ['', 'data', 'submissions', 'statement', 'attachments'].includes(name) ? `problem${id}` : name
}

function describeProblem(db: ActorDatabase, { version, tests, files, ...row }: ExportRow): ExportedProblem {
  const { options, ...problem } = row.problem
  const { validation = null, test_groups = null, run = null, limits = null } = options ?? {}
  const textOf = (test: TestRow, is_input: boolean) => ({
    bytes: is_input ? test.input_bytes : test.answer_bytes,
    read: async () => {
      const values = { problem_id: problem.id, version, test_case_id: test.id, is_input }
      const [found] = await db.query(readExportedText, values)
      if (found === undefined) throw new ProblemChanged('the problem was changed during its export')
      return Buffer.from(found.text)
    },
  })
  return {
    ...problem,
    ...{ validation, test_groups, run, limits },
    hasOwnStatements: problem.metadata?.prompt_hash === hashPrompt(problem.prompt),
    tests: tests.map((test) => ({ ...test, input: textOf(test, true), answer: textOf(test, false) })),
    files: files.map((file) => packageFileOf(db, file)),
  }
}

/** The format wants scripts that build or run a program to be executable. */
const SCRIPT = /\/(?:build|run)$/
const [READABLE, EXECUTABLE] = [0o100664, 0o100775]

/** Writes one file after the other, each in memory only while it is written. */
async function writeZip(
  files: PackageFiles,
  { folder, mtime }: { readonly folder: string; readonly mtime: Date },
  file: TemporaryFile,
): Promise<void> {
  const zip = new ZipFile()
  const failure = new AbortController()
  for (const { path, bytes, read } of files.values()) {
    const mode = SCRIPT.test(path) ? EXECUTABLE : READABLE
    zip.addReadStreamLazy(`${folder}/${path}`, { size: bytes, mtime, mode }, (done) => {
      read().then(
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
