/** An event of `text/event-stream`, by the HTML standard. */
export interface ServerSentEvent {
  readonly name: string
  /** Undefined: there is only an id. */
  readonly data: string | undefined
  /** From which to go on after this event. */
  readonly id: string | undefined
}

/** Receives lines that belong to no event. */
export interface StreamNotes {
  /** How long to wait before the next connection, in milliseconds. */
  onRetry(ms: number): void
  /** Some bytes have come, perhaps only a comment. */
  onBytes(): void
}

/** More than any event of the service; a longer one is no stream of the service. */
const LONGEST_EVENT = 1024 * 1024

/**
 * Reads the events of a body until it ends. Throws what the connection throws, and the reason of an
 * aborted signal: that of the request alone may not end a body in Node 20.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  notes: StreamNotes,
  signal?: AbortSignal,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const block = new Block(notes)
  let text = ''
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  try {
    signal?.throwIfAborted()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      notes.onBytes()
      text += decoder.decode(next.value, { stream: true })
      // A line feed may follow a carriage return at the end of the piece.
      const lines = text.split(/\r\n|\n|\r(?!$)/)
      text = lines.pop() ?? ''
      if (text.length + block.size > LONGEST_EVENT) throw new Error('an event of the stream is too long')
      for (const line of lines) {
        const event = block.read(line)
        if (event !== undefined) yield event
      }
    }
    signal?.throwIfAborted()
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/** The lines of an event until the empty line that ends it. */
class Block {
  readonly #notes: StreamNotes
  #name = ''
  #data: string[] = []
  #id: string | undefined
  size = 0

  constructor(notes: StreamNotes) {
    this.#notes = notes
  }

  /** Reads a line; returns the event that it ends. */
  read(line: string): ServerSentEvent | undefined {
    if (line === '') return this.#end()
    this.size += line.length
    const [, field = '', value = ''] = /^\uFEFF?([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#name = value
    if (field === 'data') this.#data.push(value)
    if (field === 'id' && !value.includes('\0')) this.#id = value
    if (field === 'retry' && /^\d+$/.test(value)) this.#notes.onRetry(Number(value))
    return undefined
  }

  #end(): ServerSentEvent | undefined {
    const data = this.#data.length > 0 ? this.#data.join('\n') : undefined
    const event = { name: this.#name || 'message', data, id: this.#id }
    this.#name = ''
    this.#data = []
    this.#id = undefined
    this.size = 0
    return event.data === undefined && event.id === undefined ? undefined : event
  }
}
