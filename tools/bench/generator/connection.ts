import { connect, type Socket } from 'node:net'

export interface ReceivedResponse {
  readonly status: number
  readonly bytes: number
  readonly etag?: string
  /** Only if requested. */
  readonly body?: string
}

const HEAD_END = Buffer.from('\r\n\r\n')
const EMPTY: Buffer = Buffer.alloc(0)

/** A keep-alive connection with one request at a time. It parses little, to save CPU time. */
export class Connection {
  readonly #socket: Socket
  #head = EMPTY
  #missing = 0
  #response: ReceivedResponse | undefined
  #body: Buffer[] | undefined
  #onResponse: (response: ReceivedResponse) => void = () => {}
  #onLost: (err: unknown) => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (err) => this.#onLost(err))
    socket.on('close', () => this.#onLost(new Error('The server closed the connection')))
  }

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
    let rest = chunk
    if (this.#response === undefined) {
      const read = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
      const end = read.indexOf(HEAD_END)
      this.#head = end < 0 ? read : EMPTY
      if (end < 0) return
      try {
        this.#response = parseHead(read.toString('latin1', 0, end))
      } catch (err) {
        this.#onLost(err)
        return
      }
      this.#missing = this.#response.bytes
      rest = read.subarray(end + HEAD_END.length)
    }
    this.#missing -= rest.length
    this.#body?.push(rest)
    if (this.#missing > 0) return
    const response = this.#response
    this.#response = undefined
    this.#onResponse(this.#body ? { ...response, body: Buffer.concat(this.#body).toString() } : response)
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
