import { Readable } from 'node:stream'
import { expandConstants } from '@judge-data-layer/problem-format/constants'
import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import type { RouteResponse } from '../../../http/routing/responses.ts'
import { hasEntityTag, writeEntityTag } from '../../../lists/entity-tag.ts'
import type { OpenedFile } from './file-sql.ts'
import { DOWNLOAD } from './media-types.ts'
import { packageFileOf, readParts } from './stored-files.ts'

/** No script of a file runs, and it loads nothing. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** A file for solvers under its name. */
type NamedFile = Omit<OpenedFile, 'path'> & { readonly type: string; readonly name: string }

/**
 * Responds with a file for solvers, or 304 if the client has it; `query` is the hash of the
 * request. Throws `ProblemChanged` if the file was replaced before its first part was read.
 */
export async function respondWithFile(
  { db, request }: { readonly db: ActorDatabase; readonly request: FastifyRequest },
  query: string,
  { name, type, ...file }: NamedFile,
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
async function openContent(db: ActorDatabase, { constants, ...file }: OpenedFile) {
  if (constants === null) {
    const parts = readParts(db, file)
    const first = await parts.next()
    const body = Readable.from(first.done ? [] : prepend(first.value, parts), { objectMode: false })
    return { bytes: file.bytes, body }
  }
  const text = (await packageFileOf(db, file).read()).toString('utf8')
  const content = Buffer.from(expandConstants(file.path, text, { constants }))
  return { bytes: content.length, body: Readable.from([content], { objectMode: false }) }
}

async function* prepend(first: Buffer, others: AsyncIterable<Buffer>) {
  yield first
  yield* others
}
