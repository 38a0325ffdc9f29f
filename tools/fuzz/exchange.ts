import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Rendered } from './plan.ts'

export interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly head: string
  readonly text: string
  readonly error: string | undefined
  readonly ms: number
}

export const RESPONSE_TIMEOUT_MS = 10_000

const LIVE_TYPE = /^(text\/event-stream|application\/x-ndjson)\b/
/** What a stream or feed sends in this time, after its head, is read. */
const LIVE_MS = 150

const nothing = { status: undefined, headers: {}, head: '', text: '', error: undefined }

/** Sends a request with exactly these headers, and reads the whole response. */
export async function exchange(
  origin: string,
  rendered: Rendered,
  agent: Agent,
  isChunked: boolean,
): Promise<Reply> {
  const startedAtMs = performance.now()
  const { method, target: path, headers, body } = rendered
  const { hostname, port, host } = new URL(origin)
  const framing = isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body?.length)]
  const lines = [['Host', host], ...headers, body === undefined ? [] : framing].flat()
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const req = request({ agent, hostname, port, method, path, headers: lines, signal })
  const done = (reply: Partial<Reply>) => ({ ...nothing, ...reply, ms: performance.now() - startedAtMs })
  try {
    const response = once(req, 'response')
    // A server may respond before it has read the whole body.
    req.on('error', () => {}).end(body)
    const [res]: IncomingMessage[] = await response
    if (res === undefined) return done({ error: 'no response' })
    const text = isLive(res.headers['content-type']) ? await readStart(res) : await readWhole(res)
    return done({ status: res.statusCode, headers: res.headers, head: res.rawHeaders.join('\n'), text })
  } catch (err) {
    const isRace = req.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(Object(err).code)
    // The server may close an idle connection just when it is used again.
    if (isRace) return exchange(origin, rendered, agent, isChunked)
    return done({ error: signal.aborted ? 'no response in time' : String(err) })
  }
}

export const isLive = (type: string | null | undefined) => LIVE_TYPE.test(type ?? '')

async function readWhole(res: IncomingMessage): Promise<string> {
  const body = await buffer(res)
  return String(res.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
}

/** Reads the first part of a stream or feed and closes its connection; later errors are ours. */
async function readStart(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  res.on('error', () => {})
  res.on('data', (chunk) => chunks.push(chunk))
  await Promise.race([sleep(LIVE_MS), once(res, 'end')])
  res.destroy()
  return Buffer.concat(chunks).toString('utf8')
}
