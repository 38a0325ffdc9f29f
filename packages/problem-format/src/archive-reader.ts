import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

/** The bytes of a zip file, in parts. */
export interface Archive {
  readonly bytes: number
  /** The size of each part but the last one. */
  readonly partBytes: number
  /** Reads a part, from 0. */
  readPart(number: number): Promise<Buffer>
}

/** The list of files and their content are at different places. */
const KEPT_PARTS = 4

/** Reads an archive for `yauzl`, and keeps the last parts. */
export class ArchiveReader extends RandomAccessReader {
  readonly #archive: Archive
  readonly #parts = new Map<number, Promise<Buffer>>()

  constructor(archive: Archive) {
    super()
    this.#archive = archive
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#readRange(start, end), { objectMode: false })
  }

  /** The inherited method makes streams for each of the small reads of the list. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (err: Error | null) => void,
  ): void {
    this.#fill(buffer.subarray(offset, offset + length), position).then(() => callback(null), callback)
  }

  async #fill(buffer: Buffer, position: number): Promise<void> {
    let filled = 0
    for await (const bytes of this.#readRange(position, position + buffer.length))
      filled += bytes.copy(buffer, filled)
    if (filled < buffer.length) throw new Error('the archive ends early')
  }

  async *#readRange(start: number, end: number): AsyncGenerator<Buffer> {
    const { partBytes } = this.#archive
    for (let at = start; at < end; ) {
      const number = Math.floor(at / partBytes)
      const part = await this.#readPart(number)
      const from = at - number * partBytes
      const bytes = part.subarray(from, from + end - at)
      if (bytes.length === 0) return
      yield bytes
      at += bytes.length
    }
  }

  #readPart(number: number): Promise<Buffer> {
    const part = this.#parts.get(number) ?? this.#archive.readPart(number)
    this.#parts.delete(number)
    this.#parts.set(number, part)
    const [oldest] = this.#parts.keys()
    if (oldest !== undefined && this.#parts.size > KEPT_PARTS) this.#parts.delete(oldest)
    return part
  }
}
