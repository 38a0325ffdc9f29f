import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../routing/errors.ts'
import { TemporaryFile } from './temporary-file.ts'

/** The type under which Fastify gives an upload to `receiveUpload`. */
export const UPLOAD_TYPE = 'application/x-upload'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is this file, of at most the route's body limit. */
    upload?: { readonly type: string; readonly mostBytes: number } | undefined
  }
  interface FastifyRequest {
    /** The Content-Type of an upload as the client sent it. */
    sentType: string | undefined
  }
}

/** Writes an upload to a file. Throws VALIDATION, or PAYLOAD_TOO_LARGE above the limit. */
export async function receiveUpload(request: FastifyRequest, payload: Readable): Promise<TemporaryFile> {
  const { upload } = request.routeOptions.config
  if (upload === undefined) throw new Error('this route takes no upload')
  if (Number(request.headers['content-length']) > upload.mostBytes) throw tooLarge()
  const [type] = (request.sentType ?? '').split(';')
  if (type?.trim().toLowerCase() !== upload.type)
    throw new AppError('VALIDATION', `Content-Type must be ${upload.type}`)
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new AppError('VALIDATION', 'The body must not be compressed')
  const file = await TemporaryFile.create()
  try {
    await save(payload, file, upload.mostBytes)
    return file
  } catch (err) {
    await file.close()
    throw err
  }
}

/** The upload of a request. */
export function uploadOf({ body }: FastifyRequest): TemporaryFile {
  if (body instanceof TemporaryFile) return body
  throw new Error('the request has no upload')
}

async function save(payload: Readable, file: TemporaryFile, mostBytes: number): Promise<void> {
  let bytes = 0
  // Destroying the body would also end the connection, before the response.
  const chunks = payload.iterator({ destroyOnReturn: false })
  try {
    for (let next = await readNext(chunks); !next.done; next = await readNext(chunks)) {
      bytes += next.value.length
      if (bytes > mostBytes) throw tooLarge()
      await file.write(next.value)
    }
  } finally {
    // Discards the rest: Node does not, and the connection's next request would never be read.
    await chunks.return?.()
    payload.resume()
  }
}

/** A body that ends early is no fault of the service. */
async function readNext(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next()
  } catch (err) {
    throw new AppError('VALIDATION', 'The body is incomplete', { cause: err })
  }
}

/** The error handler adds the advice of the route. */
const tooLarge = () => Object.assign(new Error('the upload is too large'), { statusCode: 413 })
