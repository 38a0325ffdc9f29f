import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { faultyBytes } from './faulty-bytes.ts'
import type { Fault } from './plan.ts'
import type { Rendered } from './render.ts'

/** A response. `status` is undefined if there was none. */
export interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  /** The raw headers. */
  readonly head: string
  readonly text: string
  readonly error: string | undefined
  readonly ms: number
}

export const RESPONSE_TIMEOUT_MS = 10_000

const TIMEOUT = 'no response in time'

/** Sends a request with exactly these headers, and reads the whole response. */
export async function exchange(
  origin: string,
  rendered: Rendered,
  agent: Agent,
  isChunked: boolean,
): Promise<Reply> {
  const startedAtMs = performance.now()
  const { body } = rendered
  const { hostname, port, host } = new URL(origin)
  const framing = isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body?.length)]
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const req = request({
    agent,
    hostname,
    port,
    method: rendered.method,
    path: rendered.target,
    headers: [['Host', host], ...rendered.headers, body === undefined ? [] : framing].flat(),
    signal,
  })
  const done = (reply: Partial<Reply>): Reply => ({
    status: undefined,
    headers: {},
    head: '',
    text: '',
    error: undefined,
    ...reply,
    ms: performance.now() - startedAtMs,
  })
  try {
    const response = once(req, 'response')
    // A server may respond before it has read the whole body.
    req.on('error', () => {}).end(body)
    const [res]: IncomingMessage[] = await response
    if (res === undefined) return done({ error: 'no response' })
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    return done({ status: res.statusCode, headers: res.headers, head: res.rawHeaders.join('\n'), text })
  } catch (err) {
    const isRace = req.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(Object(err).code)
    // The server may close an idle connection just when it is used again.
    if (isRace) return exchange(origin, rendered, agent, isChunked)
    return done({ error: signal.aborted ? TIMEOUT : String(err) })
  }
}

/** Sends broken HTTP and closes its side. Returns everything until the server closes its own. */
export async function exchangeFaulty(origin: string, rendered: Rendered, fault: Fault): Promise<Reply> {
  const startedAtMs = performance.now()
  const { hostname, port, host } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  const error = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, RESPONSE_TIMEOUT_MS, TIMEOUT)
    const end = () => {
      clearTimeout(timer)
      resolve(undefined)
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    // A reset is allowed: the server need not read broken HTTP to the end.
    socket.on('end', end).on('close', end).on('error', end)
    socket.end(faultyBytes(rendered, host, fault))
  })
  socket.destroy()
  const text = Buffer.concat(chunks).toString('utf8')
  const found = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(text)?.[1]
  const status = found === undefined ? undefined : Number(found)
  return { status, headers: {}, head: '', text, error, ms: performance.now() - startedAtMs }
}
