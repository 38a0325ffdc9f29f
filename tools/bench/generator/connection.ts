import { connect, type Socket } from 'node:net'

/** One answer: its status, and its body's length in bytes. */
export interface Answered {
  readonly status: number
  readonly bytes: number
  /** What a client may ask with whether it has changed. */
  readonly etag?: string
  /** Read where it was asked for. */
  readonly body?: string
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * A keep-alive connection that has one request under way. Reads of an answer only its status and its length unless more is wanted, so that as much as possible of
 * the machine is left to what is measured.
 */
export class Connection {
  readonly #socket: Socket
  #head: Buffer | undefined
  #missing = 0
  #answer: Answered | undefined
  #body: Buffer[] | undefined
  #onAnswer: (answer: Answered) => void = () => {}
  #onLost: (err: Error) => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (err) => this.#onLost(err))
    socket.on('close', () => this.#onLost(new Error('The server closed the connection')))
  }

  /** Connects to a port of the loopback address. */
  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.removeListener('error', reject)
        resolve(new Connection(socket))
      })
    })
  }

  /** False once the server has closed it. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readyState === 'open'
  }

  /** Sends a whole request; answers once its answer has come to its end, with the body where it is wanted. */
  send(request: Buffer, wantsBody = false): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#body = wantsBody ? [] : undefined
      this.#onAnswer = resolve
      this.#onLost = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#onLost = () => {}
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    try {
      if (this.#answer === undefined) this.#readHead(chunk)
      else this.#readBody(chunk)
    } catch (err) {
      this.#onLost(err instanceof Error ? err : new Error(String(err)))
      return
    }
    if (this.#answer === undefined || this.#missing > 0) return
    const answer = this.#answer
    this.#answer = undefined
    this.#onAnswer(
      this.#body === undefined ? answer : { ...answer, body: Buffer.concat(this.#body).toString() },
    )
  }

  #readBody(chunk: Buffer): void {
    this.#missing -= chunk.length
    this.#body?.push(chunk)
  }

  #readHead(chunk: Buffer): void {
    const read = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk])
    const end = read.indexOf(HEAD_END)
    if (end < 0) {
      this.#head = read
      return
    }
    this.#head = undefined
    this.#answer = parseHead(read.toString('latin1', 0, end))
    this.#missing = this.#answer.bytes
    this.#readBody(read.subarray(end + HEAD_END.length))
  }
}

/** Reads status and length out of the head of an answer. Throws for one whose length is not said. */
export function parseHead(head: string): Answered {
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const etag = /\r\netag: *([^\r]+)/i.exec(head)?.[1]
  if (length !== undefined && status !== 304) return { status, bytes: Number(length), ...(etag && { etag }) }
  if (status === 204 || status === 304) return { status, bytes: 0 }
  throw new Error(`The answer does not say its length: ${head}`)
}
