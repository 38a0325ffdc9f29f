/** Reads the next bytes into `target` and returns their number: 0 only at the end. */
export type ByteSource = (target: Buffer, offset: number, length: number) => Promise<number>

/** Bytes of a token that a message can show. */
export const SHOWN_BYTES = 40

/** Space, form feed, line feed, carriage return, horizontal and vertical tab; no other bytes. */
export function isWhiteSpace(byte: number | undefined): boolean {
  return byte === undefined || byte === 32 || (byte <= 13 && byte >= 9)
}

/**
 * A window on a stream of bytes: `bytes` from `position` to `end` are read and not yet consumed.
 * A space follows at `end`, so scans for the end of a token need no other bound.
 */
export class TokenReader {
  readonly bytes: Buffer
  position = 0
  end = 0
  /** The stream has no bytes after `end`. */
  isAtEnd = false
  /** Line of `position`, from 1. */
  line = 1
  private readonly source: ByteSource
  private readonly size: number

  constructor(source: ByteSource, size: number) {
    this.source = source
    this.size = size
    this.bytes = Buffer.allocUnsafeSlow(size + 1)
    this.bytes[0] = 32
  }

  /** All bytes of the stream are consumed. */
  get isDone(): boolean {
    return this.isAtEnd && this.position === this.end
  }

  /** The byte at `position`; undefined at the end of the window. */
  get next(): number | undefined {
    return this.position < this.end ? this.bytes[this.position] : undefined
  }

  /** Whether a token that ends at `index` may go on after the window. */
  mayGoOn(index: number): boolean {
    return index === this.end && !this.isAtEnd
  }

  /** Reads until the window is full or the stream ends. Returns false if this changed nothing. */
  async fill(): Promise<boolean> {
    this.bytes.copyWithin(0, this.position, this.end)
    this.end -= this.position
    this.position = 0
    const { end: before, isAtEnd: wasAtEnd } = this
    while (!this.isAtEnd && this.end < this.size) {
      const count = await this.source(this.bytes, this.end, this.size - this.end)
      this.isAtEnd = count === 0
      this.end += count
    }
    this.bytes[this.end] = 32
    return this.end > before || this.isAtEnd !== wasAtEnd
  }

  /** Consumes white space. Returns false if more of it may follow after the window. */
  skipWhiteSpace(): boolean {
    const { bytes, end } = this
    let index = this.position
    for (; index < end && isWhiteSpace(bytes[index]); index += 1) if (bytes[index] === 10) this.line += 1
    this.position = index
    return index < end || this.isAtEnd
  }

  /** The end of the token's bytes from `start`; the token may go on at the end of the window. */
  scanToken(start: number): number {
    const { bytes } = this
    let index = start
    while (!isWhiteSpace(bytes[index])) index += 1
    return index
  }
}

/**
 * The first of `length` bytes that differs between the windows, or `length`. The windows must
 * contain so many bytes. Without `caseSensitive`, A to Z equal a to z.
 */
export function findDifference(
  left: TokenReader,
  right: TokenReader,
  length: number,
  caseSensitive: boolean,
): number {
  const { bytes: leftBytes, position: leftStart } = left
  const { bytes: rightBytes, position: rightStart } = right
  for (let index = 0; index < length; index += 1) {
    const leftByte = leftBytes[leftStart + index] ?? 0
    const rightByte = rightBytes[rightStart + index] ?? 0
    if (leftByte !== rightByte && (caseSensitive || !areSameLetter(leftByte, rightByte))) return index
  }
  return length
}

/** Whether two different bytes are the same ASCII letter in both cases. */
export function areSameLetter(left: number, right: number): boolean {
  const lower = left | 32
  return (left ^ right) === 32 && lower >= 97 && lower <= 122
}

/** The first bytes of a token, for a message: one more than shown, to tell whether it is cut. */
export class TokenHead {
  private readonly bytes = Buffer.alloc(SHOWN_BYTES + 1)
  private length = 0

  add(bytes: Buffer, start: number, end: number): void {
    if (this.isFull) return
    this.length += bytes.copy(this.bytes, this.length, start, end)
  }

  private get isFull(): boolean {
    return this.length > SHOWN_BYTES
  }

  /** Consumes the rest of the reader's token until the head is full. */
  async complete(reader: TokenReader): Promise<Buffer> {
    while (!this.isFull) {
      const end = reader.scanToken(reader.position)
      this.add(reader.bytes, reader.position, end)
      reader.position = end
      if (end < reader.end || !(await reader.fill())) break
    }
    return this.bytes.subarray(0, this.length)
  }
}
