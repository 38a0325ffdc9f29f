import { once } from 'node:events'
import { type Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Rendered } from './plan.ts'

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

/** Responses that go on: streams and feeds. */
const LIVE_TYPE = /^(text\/event-stream|application\/x-ndjson)\b/
const LIVE_HEAD = /^content-type: (text\/event-stream|application\/x-ndjson)/im
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
    const text = isLive(res.headers['content-type']) ? await readStart(res) : await readText(res)
    return done({ status: res.statusCode, headers: res.headers, head: res.rawHeaders.join('\n'), text })
  } catch (err) {
    const isRace = req.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(Object(err).code)
    // The server may close an idle connection just when it is used again.
    if (isRace) return exchange(origin, rendered, agent, isChunked)
    return done({ error: signal.aborted ? TIMEOUT : String(err) })
  }
}

/** Whether a response with this type goes on. */
export const isLive = (type: string | null | undefined) => LIVE_TYPE.test(type ?? '')

async function readText(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
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
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (LIVE_HEAD.test(chunk.toString('latin1'))) setTimeout(end, LIVE_MS)
    })
    // A reset is allowed: the server need not read broken HTTP to the end.
    socket.on('end', end).on('close', end).on('error', end)
    socket.end(faultyBytes(rendered, host, fault))
  })
  socket.destroy()
  const text = Buffer.concat(chunks).toString('utf8')
  const found = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(text)?.[1]
  const status = found === undefined ? undefined : Number(found)
  return { ...nothing, status, text, error, ms: performance.now() - startedAtMs }
}

/** The bytes of a request that breaks HTTP in one way. */
function faultyBytes({ method, target, headers, body }: Rendered, host: string, fault: Fault): Buffer {
  const sent = body ?? Buffer.alloc(0)
  const length = `Content-Length: ${sent.length}`
  const chunked = 'Transfer-Encoding: chunked'
  const lines: Record<Fault, string[]> = {
    'two lengths': [length, `Content-Length: ${sent.length + 1}`],
    'length and chunks': [length, chunked],
    'bad chunk': [chunked],
    'bare line feeds': [length],
    'no version': [length],
    'NUL in a header': ['X-Odd: a\0b', length],
    'folded header': ['X-Odd: a', ' folded', length],
    'cut short': [`Content-Length: ${sent.length + 10}`],
    'space before colon': [`Content-Length : ${sent.length}`],
    'long head': [`X-Odd: ${'a'.repeat(17_000)}`, length],
    'two requests': [length],
  }
  const chunks: { readonly [name in Fault]?: string } = {
    'length and chunks': `${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n`,
    'bad chunk': 'zz\r\n{}\r\n0\r\n\r\n',
  }
  const start = `${method} ${target}${fault === 'no version' ? '' : ' HTTP/1.1'}`
  const usual = [start, `Host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const write = (further: readonly string[]) => {
    const head = [...usual, ...further, '', ''].join(fault === 'bare line feeds' ? '\n' : '\r\n')
    return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(chunks[fault] ?? sent)])
  }
  const first = write(lines[fault])
  return fault === 'two requests' ? Buffer.concat([first, write(['Connection: close', length])]) : first
}
