import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished, type Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../routing/errors.ts'

/** A file on disk without a name: it disappears when it is closed, also if the process dies. */
export class TemporaryFile {
  readonly #handle: FileHandle
  #users = 1
  #bytes = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** `kind` is a part of its name. */
  static async create(kind = 'package'): Promise<TemporaryFile> {
    const path = join(tmpdir(), `judge-${kind}-${uuidv7()}`)
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    return new TemporaryFile(handle)
  }

  get fd(): number {
    return this.#handle.fd
  }

  /** What was written. */
  get bytes(): number {
    return this.#bytes
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.writeFile(chunk)
    this.#bytes += chunk.length
  }

  /** At most `length` bytes from `position`; fewer at the end. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }

  /** The content from the start, for one reader; the file is closed at its end. */
  read(): Readable {
    const stream = createReadStream('', { fd: this.#handle, start: 0, autoClose: false })
    // With `autoClose` off the stream does not close by itself; on, it would close a file in use.
    finished(stream, () => void this.close())
    return stream
  }

  /** Keeps the file open during `work`, even if it is closed meanwhile. Throws once closed. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    // The number of a closed file may belong to another file.
    if (this.#users === 0) throw new AppError('UNAVAILABLE', 'The client has gone')
    this.#users += 1
    try {
      return await work()
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
