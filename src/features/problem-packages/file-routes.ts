import { Readable } from 'node:stream'
import Type from 'typebox'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { found } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { FileContent, Written } from '../../http/routing/schema.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from '../../lists/entity-tag.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { expandConstants } from '../../problem-format/constants.ts'
import { ProblemPath } from '../problems/schemas.ts'
import { listProblemFiles, type OpenedFile, readProblemFile } from './file-sql.ts'
import { DOWNLOAD } from './media-types.ts'
import { ProblemFileResponse } from './schemas.ts'
import { packageFileOf, readParts, retryChanged } from './stored-files.ts'

const FilePath = Type.Object({
  ...ProblemPath.properties,
  name: Written({ minLength: 1, maxLength: 1024, description: 'The `name` in the list of files.' }),
})

/** No script of a file runs, and it loads nothing. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** The files of a problem for solvers: statements, pictures and attachments of its package. */
export function problemFileRoutes() {
  return [
    defineListRoute({
      url: '/v1/problems/:problem_id/files',
      name: 'listProblemFiles',
      policy: 'user',
      list: listProblemFiles,
      item: ProblemFileResponse,
      params: ProblemPath,
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/problems/:problem_id/files/:name',
      name: 'readProblemFile',
      policy: 'user',
      pool: 'lists',
      hasEntityTag: true,
      params: FilePath,
      responses: { 200: FileContent('*/*') },
      handler: ({ db, request, params }) =>
        retryChanged(async () => {
          const file = found(await db.query(readProblemFile, params), 'file of the problem')
          const query = hashQuery(readProblemFile.text, [params.problem_id, params.name])
          const etag = writeEntityTag(query, file.id)
          if (hasEntityTag(request.headers['if-none-match'], query, file.id))
            return { status: 304, headers: { etag } }
          const { bytes, body } = await openContent(db, { ...file, path: params.name })
          const headers = {
            etag,
            'content-length': String(bytes),
            'content-disposition': dispositionOf(file.type === DOWNLOAD, params.name),
            'content-security-policy': SANDBOX,
          }
          return { status: 200, type: file.type, headers, body }
        }),
    }),
  ]
}

/**
 * The content of a file, part by part; a statement with the values of its constants. Throws
 * `ProblemChanged` if the file was replaced before its first part was read.
 */
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

/** Names have only letters, digits and `._-`, so that no quoting is needed. */
export const dispositionOf = (isDownload: boolean, name: string) =>
  `${isDownload ? 'attachment' : 'inline'}; filename="${name}"`
