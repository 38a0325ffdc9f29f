import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, request as openRequest } from 'node:https'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'

/** The host name of the proxies’ configuration. */
export const HOST = 'judge.example.org'

/** A proxy, as its clients know it. */
export interface Target {
  readonly port: number
  /** The certificate that clients trust. */
  readonly certificate: Buffer
}

export interface ProxiedRequest {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or bytes. */
  readonly body?: object | Readable
  /** The client's address; any of 127.0.0.0/8. */
  readonly from?: string
}

export interface ProxiedResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** Names and values in turn, each header as often as it came. */
  readonly rawHeaders: readonly string[]
  readonly bytes: Buffer
  readonly text: string
}

/** The connection could not be opened: nothing was sent. */
export class NotConnectedError extends Error {}

/** Sends a request over HTTP/1.1 and TLS. Throws if no response comes. */
export async function send(target: Target, request: ProxiedRequest): Promise<ProxiedResponse> {
  const response = await open(target, request)
  const { statusCode: status = 0, headers, rawHeaders } = response
  const bytes = await buffer(response)
  return { status, headers, rawHeaders, bytes, text: bytes.toString('utf8') }
}

/**
 * Sends a request over a connection of its own. Resolves with the head of the response; the body is
 * a stream. Throws `NotConnectedError`, and the errors of a connection that was open.
 */
export function open(target: Target, request: ProxiedRequest): Promise<IncomingMessage> {
  const { method = 'GET', path, token, headers, body, from = '127.0.0.1' } = request
  const isJson = body !== undefined && !(body instanceof Readable)
  return new Promise((resolve, reject) => {
    const sent = openRequest({
      ...{
        host: '127.0.0.1',
        port: target.port,
        servername: HOST,
        ca: target.certificate,
        localAddress: from,
      },
      ...{ agent: new Agent(), method, path },
      headers: {
        host: HOST,
        ...(token !== undefined && { authorization: token }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.once('response', resolve)
    let isConnected = false
    sent.once('socket', (socket) => socket.once('secureConnect', () => (isConnected = true)))
    sent.on('error', (err) => reject(isConnected ? err : new NotConnectedError(String(err))))
    if (body instanceof Readable) body.pipe(sent)
    else sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/**
 * Sends a request over HTTP/2. A refused upload ends only its stream; over HTTP/1.1 Caddy resets the
 * connection, and a client that still writes may lose the response.
 */
export async function sendOverHttp2(
  { port, certificate }: Target,
  { method = 'GET', path, token, headers: given, body = Readable.from([]) }: ProxiedRequest,
): Promise<Omit<ProxiedResponse, 'rawHeaders'>> {
  const session = connectHttp2(`https://${HOST}:${port}`, {
    createConnection: () =>
      connect({ host: '127.0.0.1', port, servername: HOST, ca: certificate, ALPNProtocols: ['h2'] }),
  })
  try {
    const own = { ':method': method, ':path': path, ...(token !== undefined && { authorization: token }) }
    const stream = session.request({ ...own, ...given }, { endStream: method === 'GET' })
    const received = once(stream, 'response')
    if (method !== 'GET')
      (body instanceof Readable ? body : Readable.from([JSON.stringify(body)])).pipe(stream)
    const [headers] = await received
    const bytes = await buffer(stream)
    return { status: Number(headers[':status']), headers, bytes, text: bytes.toString('utf8') }
  } finally {
    session.destroy()
  }
}

/** Whether a TLS connection succeeds with this certificate. */
export function isServingTls({ port, certificate }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername: HOST, ca: certificate }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** A body of zeros. */
export function zeros(bytes: number): Readable {
  const chunk = Buffer.alloc(64 * 1024)
  const chunks = function* () {
    for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
  }
  return Readable.from(chunks())
}
