import { Readable } from 'node:stream'
import { expandConstants } from '@judge-data-layer/problem-format/constants'
import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { RouteResponse } from '../../../http/routing/responses.ts'
import { hasEntityTag, writeEntityTag } from '../../../lists/entity-tag.ts'
import { DOWNLOAD, type FileRow, readFilePart, type StoredFileName } from './file-sql.ts'

/** The stored problem is no longer the one that was read before. */
export class ProblemChanged extends Error {}

const TRIES = 5

/** Runs `work` again if an import replaced the problem. Throws UNAVAILABLE in the end. */
export async function retryChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof ProblemChanged)) throw err
    }
  }
  throw new AppError('UNAVAILABLE', 'The problem changes all the time; try again shortly')
}

/** A part of a stored file, from 0. Throws `ProblemChanged`. */
export async function readStoredPart(
  db: Pick<ActorDatabase, 'query'>,
  file_id: string,
  number: number,
): Promise<Buffer> {
  const [part] = await db.query(readFilePart, { file_id, number })
  if (part === undefined) throw new ProblemChanged('a file was replaced while it was read')
  return part.content
}

/** The content of a stored file, part by part. Throws `ProblemChanged`. */
async function* readParts(db: Pick<ActorDatabase, 'query'>, { id, bytes }: StoredFileName) {
  let read = 0
  for (let number = 0; read < bytes; number += 1) {
    const content = await readStoredPart(db, id, number)
    read += content.length
    yield content
  }
}

/** The whole content of a stored file. Throws `ProblemChanged`. */
export async function readStored(db: Pick<ActorDatabase, 'query'>, file: StoredFileName): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of readParts(db, file)) parts.push(part)
  return Buffer.concat(parts)
}

/** No script of a file runs, and it loads nothing. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/**
 * Responds with a file for solvers, or 304 if the client has it; `query` is the hash of the
 * request. Throws `ProblemChanged` if the file was replaced before its first part was read.
 */
export async function respondWithFile(
  { db, request }: { readonly db: ActorDatabase; readonly request: FastifyRequest },
  query: string,
  { name, type, ...file }: FileRow & { readonly name: string },
): Promise<RouteResponse> {
  const etag = writeEntityTag(query, file.id)
  if (hasEntityTag(request.headers['if-none-match'], query, file.id))
    return { status: 304, headers: { etag } }
  const { bytes, body } = await openContent(db, { ...file, path: name })
  const headers = {
    etag,
    'content-length': String(bytes),
    'content-disposition': dispositionOf(type === DOWNLOAD, name),
    'content-security-policy': SANDBOX,
  }
  return { status: 200, type, headers, body }
}

/** Names have only letters, digits and `._-`, so that no quoting is needed. */
export const dispositionOf = (isDownload: boolean, name: string) =>
  `${isDownload ? 'attachment' : 'inline'}; filename="${name}"`

/** The content of a file, part by part; a statement with the values of its constants. */
async function openContent(
  db: ActorDatabase,
  { constants, ...file }: Omit<FileRow, 'type'> & StoredFileName,
) {
  if (constants === null) {
    const parts = readParts(db, file)
    const first = await parts.next()
    const body = Readable.from(first.done ? [] : prepend(first.value, parts), { objectMode: false })
    return { bytes: file.bytes, body }
  }
  const text = (await readStored(db, file)).toString('utf8')
  const content = Buffer.from(expandConstants(file.path, text, { constants }))
  return { bytes: content.length, body: Readable.from([content], { objectMode: false }) }
}

async function* prepend(first: Buffer, others: AsyncIterable<Buffer>) {
  yield first
  yield* others
}
