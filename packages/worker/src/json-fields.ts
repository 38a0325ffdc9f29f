/** Takes the text of a field, as UTF-8 in pieces. The piece is reused: do not keep it. */
export type TextSink = (piece: Buffer) => Promise<void>

export type Scalar = string | number | boolean | null

/** The text is not a JSON object of scalars. */
export class JsonFieldsError extends Error {
  constructor(what: string) {
    super(`the response is not an object with the expected fields: ${what}`)
    this.name = 'JsonFieldsError'
  }
}

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d]
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])
const ESCAPED = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)],
  ),
)
const UNICODE = 'u'.charCodeAt(0)
const HEX = /^[\da-f]{4}$/i
// Each field outside the sinks is short: an id, a number, a flag.
const SHORT_BYTES = 64 * 1024

/**
 * Reads a JSON object of scalars from a stream. The texts of the fields in `sinks` go there and may
 * have any length; the others are returned. Throws `JsonFieldsError`, or like the stream and sinks.
 */
export async function readJsonFields(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sinks: ReadonlyMap<string, TextSink>,
): Promise<ReadonlyMap<string, Scalar>> {
  const reader = new FieldReader(sinks)
  for await (const chunk of body) await reader.push(chunk)
  return reader.finish()
}

type State = 'start' | 'key or end' | 'key' | 'colon' | 'value' | 'text' | 'literal' | 'comma or end' | 'end'

class FieldReader {
  readonly #sinks: ReadonlyMap<string, TextSink>
  readonly #fields = new Map<string, Scalar>()
  #state: State = 'start'
  #isKey = false
  #key = ''
  /** A short text or literal so far. */
  #short: Buffer[] = []
  #shortBytes = 0
  /** An escape that is not complete. */
  #escape: number[] | undefined
  #highSurrogate: number | undefined
  #out = Buffer.alloc(0)
  #length = 0

  constructor(sinks: ReadonlyMap<string, TextSink>) {
    this.#sinks = sinks
  }

  async push(chunk: Uint8Array): Promise<void> {
    // A decoded text is never longer than its JSON, but for a surrogate from the chunk before.
    if (this.#out.length < chunk.length + 8) this.#out = Buffer.allocUnsafe(chunk.length + 8)
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'text') {
        at = this.#readText(chunk, at)
        const isOver = at < chunk.length
        if (isOver) this.#endSurrogate()
        await this.#flush()
        if (!isOver) continue
        at += 1
        this.#endText()
      } else {
        this.#readStructure(chunk[at] ?? 0)
        at += 1
      }
    }
  }

  finish(): ReadonlyMap<string, Scalar> {
    if (this.#state !== 'end') throw new JsonFieldsError('it is cut')
    return this.#fields
  }

  #readStructure(byte: number): void {
    if (this.#state === 'literal') {
      if (byte !== COMMA && byte !== CLOSE && !SPACES.has(byte)) {
        this.#keep(Buffer.of(byte))
        return
      }
      this.#endLiteral()
    }
    if (SPACES.has(byte)) return
    if (this.#state === 'start' && byte === OPEN) this.#state = 'key or end'
    else if (this.#state === 'colon' && byte === COLON) this.#state = 'value'
    else if (this.#state === 'comma or end' && byte === COMMA) this.#state = 'key'
    else if ((this.#state === 'comma or end' || this.#state === 'key or end') && byte === CLOSE)
      this.#state = 'end'
    else if ((this.#state === 'key or end' || this.#state === 'key') && byte === QUOTE) this.#startText(true)
    else if (this.#state === 'value' && byte === QUOTE) this.#startText(false)
    else if (this.#state === 'value') {
      this.#state = 'literal'
      this.#keep(Buffer.of(byte))
    } else throw new JsonFieldsError(`unexpected ${JSON.stringify(String.fromCharCode(byte))}`)
  }

  #startText(isKey: boolean): void {
    this.#state = 'text'
    this.#isKey = isKey
  }

  /** Decodes up to the quote at the end, or the whole chunk; returns the place where it ends. */
  #readText(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#escape === undefined) at = this.#readPlain(chunk, at)
      const byte = chunk[at]
      if (byte === undefined) break
      if (this.#escape !== undefined) this.#readEscape(this.#escape, byte)
      else if (byte === BACKSLASH) this.#escape = []
      else return at
    }
    return chunk.length
  }

  /** Copies up to the next quote or backslash; returns its place. */
  #readPlain(chunk: Uint8Array, from: number): number {
    const out = this.#out
    let byte = chunk[from]
    if (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH) this.#endSurrogate()
    let at = from
    let length = this.#length
    while (byte !== undefined && byte !== QUOTE && byte !== BACKSLASH) {
      out[length] = byte
      length += 1
      at += 1
      byte = chunk[at]
    }
    this.#length = length
    return at
  }

  #readEscape(begun: number[], byte: number): void {
    if (begun.length === 0 && byte !== UNICODE) {
      const character = ESCAPED.get(byte)
      if (character === undefined) throw new JsonFieldsError('an unknown escape')
      this.#endSurrogate()
      this.#out[this.#length++] = character
      this.#escape = undefined
      return
    }
    begun.push(byte)
    if (begun.length < 5) return
    const digits = String.fromCharCode(...begun.slice(1))
    if (!HEX.test(digits)) throw new JsonFieldsError('an unknown escape')
    this.#escape = undefined
    this.#addUnit(Number.parseInt(digits, 16))
  }

  /** Adds a UTF-16 unit. */
  #addUnit(unit: number): void {
    const high = this.#highSurrogate
    if (high !== undefined && unit >= 0xdc00 && unit <= 0xdfff) {
      this.#highSurrogate = undefined
      this.#write(String.fromCharCode(high, unit))
      return
    }
    this.#endSurrogate()
    if (unit >= 0xd800 && unit <= 0xdbff) this.#highSurrogate = unit
    else this.#write(String.fromCharCode(unit))
  }

  /** A surrogate without its partner becomes U+FFFD (D7). */
  #endSurrogate(): void {
    if (this.#highSurrogate === undefined) return
    this.#highSurrogate = undefined
    this.#write('\ufffd')
  }

  #write(text: string): void {
    this.#length += this.#out.write(text, this.#length)
  }

  async #flush(): Promise<void> {
    const piece = this.#out.subarray(0, this.#length)
    this.#length = 0
    const sink = this.#isKey ? undefined : this.#sinks.get(this.#key)
    if (sink !== undefined) await sink(piece)
    else this.#keep(Buffer.from(piece))
  }

  #keep(piece: Buffer): void {
    this.#short.push(piece)
    this.#shortBytes += piece.length
    if (this.#shortBytes > SHORT_BYTES) throw new JsonFieldsError('a field is too long')
  }

  #takeShort(): string {
    const text = Buffer.concat(this.#short).toString()
    this.#short = []
    this.#shortBytes = 0
    return text
  }

  #endText(): void {
    const text = this.#takeShort()
    if (this.#isKey) {
      this.#key = text
      this.#state = 'colon'
      return
    }
    if (!this.#sinks.has(this.#key)) this.#fields.set(this.#key, text)
    this.#state = 'comma or end'
  }

  #endLiteral(): void {
    const value = parseLiteral(this.#takeShort())
    if (this.#sinks.has(this.#key)) throw new JsonFieldsError(`${this.#key} is not a text`)
    this.#fields.set(this.#key, value)
    this.#state = 'comma or end'
  }
}

function parseLiteral(text: string): Scalar {
  try {
    const value: unknown = JSON.parse(text)
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  } catch {
    // Below.
  }
  throw new JsonFieldsError('a value is not a scalar')
}
