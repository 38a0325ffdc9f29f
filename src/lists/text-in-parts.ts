/** A text as buffers; versions of it share those that have not changed. */
export class TextInParts {
  readonly parts: readonly Buffer[]
  /** In bytes. */
  readonly length: number
  #joined: WeakRef<Buffer> | undefined

  constructor(parts: readonly Buffer[]) {
    this.parts = parts
    this.length = parts.reduce((sum, { length }) => sum + length, 0)
  }

  /** The whole text: one buffer for responses that are sent at the same time. */
  join(): Buffer {
    const known = this.#joined?.deref()
    if (known !== undefined) return known
    const joined = Buffer.concat(this.parts)
    this.#joined = new WeakRef(joined)
    return joined
  }

  toString(): string {
    return this.join().toString()
  }
}
