import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { faultyBytes } from './faulty-bytes.ts'
import type { Fault } from './plan.ts'
import type { Rendered } from './render.ts'

/** What came back on the wire; `status` is undefined where the connection ended without an answer. */
export interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  /** The head as it came, for what must not be in it. */
  readonly head: string
  readonly text: string
  readonly error: string | undefined
  readonly ms: number
}

/** An answer that takes longer than this is a hang. */
export const ANSWER_TIMEOUT_MS = 10_000

const NO_ANSWER_IN_TIME = 'no answer in time'

/** Sends a request over HTTP, its headers exactly as given, and waits for the whole answer. */
export async function exchange(
  origin: string,
  rendered: Rendered,
  agent: Agent,
  isChunked: boolean,
): Promise<Reply> {
  const startedAtMs = performance.now()
  const { body } = rendered
  const { hostname, port, host } = new URL(origin)
  const framing: [string, string][] =
    body === undefined
      ? []
      : isChunked
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', String(body.length)]]
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const req = request({
    agent,
    hostname,
    port,
    method: rendered.method,
    path: rendered.target,
    headers: [['Host', host], ...rendered.headers, ...framing].flat(),
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
    const answered = once(req, 'response')
    // A server may answer and stop to read before all is written.
    req.on('error', () => {}).end(body)
    const [res]: IncomingMessage[] = await answered
    if (res === undefined) return done({ error: 'no response' })
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    return done({ status: res.statusCode, headers: res.headers, head: res.rawHeaders.join('\n'), text })
  } catch (err) {
    const isRace = req.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(Object(err).code)
    // The server may close an idle connection just as it is used again: nothing was asked yet.
    if (isRace) return exchange(origin, rendered, agent, isChunked)
    return done({ error: signal.aborted ? NO_ANSWER_IN_TIME : String(err) })
  }
}

/** Sends what is broken beneath HTTP and ends its side; answers all that came until the server ended its own. */
export async function exchangeFaulty(origin: string, rendered: Rendered, fault: Fault): Promise<Reply> {
  const startedAtMs = performance.now()
  const { hostname, port, host } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  let error: string | undefined
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      error = NO_ANSWER_IN_TIME
      resolve()
    }, ANSWER_TIMEOUT_MS)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    // A reset is an end too: the server need not read to its end what is no HTTP.
    socket.on('end', end).on('close', end).on('error', end)
    socket.end(faultyBytes(rendered, host, fault))
  })
  socket.destroy()
  const all = Buffer.concat(chunks).toString('utf8')
  const status = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(all)?.[1]
  return {
    status: status === undefined ? undefined : Number(status),
    headers: {},
    head: '',
    text: all,
    error,
    ms: performance.now() - startedAtMs,
  }
}
