import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../routing/errors.ts'

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

/** A file on disk without a name: it disappears when it is closed, also if the process dies. */
export class TemporaryFile {
  readonly #handle: FileHandle
  #users = 1

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async create(): Promise<TemporaryFile> {
    const path = join(tmpdir(), `judge-package-${uuidv7()}`)
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    return new TemporaryFile(handle)
  }

  get fd(): number {
    return this.#handle.fd
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.writeFile(chunk)
  }

  /** The content from the start, for one reader; the file is closed at its end. */
  read(): Readable {
    const stream = createReadStream('', { fd: this.#handle, start: 0, autoClose: false })
    // With `autoClose` off the stream does not close by itself; on, it would close a file in use.
    finished(stream, () => void this.close())
    return stream
  }

  /** Keeps the file open during `work`, even if it is closed meanwhile. */
  async use<T>(work: (fd: number) => Promise<T>): Promise<T> {
    this.#users += 1
    try {
      return await work(this.fd)
    } finally {
      await this.close()
    }
  }

  /** Closes the file, unless it is still in use. */
  async close(): Promise<void> {
    this.#users -= 1
    if (this.#users === 0) await this.#handle.close()
  }
}

/** Writes the body of an upload to a file. Throws VALIDATION, or PAYLOAD_TOO_LARGE above the limit. */
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
  for (let next = await readNext(chunks); !next.done; next = await readNext(chunks)) {
    bytes += next.value.length
    if (bytes > mostBytes) throw tooLarge()
    await file.write(next.value)
  }
}

/** A body that ends early is no fault of the service. */
async function readNext(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await chunks.next()
  } catch (err) {
    throw new AppError('VALIDATION', 'The body ended before its end', { cause: err })
  }
}

/** The error handler adds the advice of the route. */
const tooLarge = () => Object.assign(new Error('the upload is too large'), { statusCode: 413 })
