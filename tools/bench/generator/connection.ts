import { connect, type Socket } from 'node:net'

/** The parts of a response that the generator reads. */
export interface ReceivedResponse {
  readonly status: number
  readonly bytes: number
  readonly etag?: string
  /** Only if requested. */
  readonly body?: string
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * A keep-alive connection with one request at a time. It reads only the status and the length of a
 * response: autocannon's parser used more than twice the CPU time per request.
 */
export class Connection {
  readonly #socket: Socket
  #head: Buffer | undefined
  #missing = 0
  #response: ReceivedResponse | undefined
  #body: Buffer[] | undefined
  #onResponse: (response: ReceivedResponse) => void = () => {}
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

  /** False after the server has closed it. */
  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.readyState === 'open'
  }

  /** Sends a request and waits for the whole response. */
  send(request: Buffer, wantsBody = false): Promise<ReceivedResponse> {
    return new Promise((resolve, reject) => {
      this.#body = wantsBody ? [] : undefined
      this.#onResponse = resolve
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
      if (this.#response === undefined) this.#readHead(chunk)
      else this.#readBody(chunk)
    } catch (err) {
      this.#onLost(err instanceof Error ? err : new Error(String(err)))
      return
    }
    if (this.#response === undefined || this.#missing > 0) return
    const response = this.#response
    this.#response = undefined
    const body = this.#body && { body: Buffer.concat(this.#body).toString() }
    this.#onResponse({ ...response, ...body })
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
    this.#response = parseHead(read.toString('latin1', 0, end))
    this.#missing = this.#response.bytes
    this.#readBody(read.subarray(end + HEAD_END.length))
  }
}

function parseHead(head: string): ReceivedResponse {
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const etag = /\r\netag: *([^\r]+)/i.exec(head)?.[1]
  if (status === 204 || status === 304) return { status, bytes: 0 }
  if (length === undefined) throw new Error(`The response has no Content-Length: ${head}`)
  return { status, bytes: Number(length), ...(etag && { etag }) }
}
