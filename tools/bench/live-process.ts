import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent, startChild } from './child.ts'

export interface Held {
  readonly path: string
  readonly token: string
  /** The address to connect from: the service counts streams by address. */
  readonly localAddress: string
}

/** Opens streams, some at a time, and keeps them, or only reports. */
export interface LiveRequest {
  readonly port: number
  readonly open?: readonly Held[]
  readonly atOnce?: number
}

export interface LiveReport {
  /** When each `submission` event came, on the clock of `nowMs`, by the submission's id. */
  readonly submissions: ReadonlyMap<string, number>
  readonly ended: number
  /** 503 responses to requests that were repeated. */
  readonly refused: number
}

/** Milliseconds of a clock that all processes of the machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

export const startHolder = () => startChild<LiveRequest, LiveReport>(import.meta.url)

const EVENT = /event: submission\ndata: \{"submission_id":"([0-9a-f-]{36})"/g
const SEPARATOR = '\n\n'
/** An overloaded service is asked again after this time. */
const REPEAT_MS = 250

const seen = { submissions: new Map<string, number>(), ended: 0, refused: 0 }

serveParent(async ({ port, open = [], atOnce = 1 }: LiveRequest): Promise<LiveReport> => {
  const waiting = open.values()
  const openNext = async () => {
    for (const held of waiting) await openStream(port, held)
  }
  await Promise.all(Array.from({ length: atOnce }, openNext))
  return seen
})

/** Resolves after the head of the response, and reads on. Throws unless it is 200. */
async function openStream(port: number, { path, token, localAddress }: Held): Promise<void> {
  const options = { host: '127.0.0.1', port, path, localAddress, agent: false as const }
  const sent = request({ ...options, headers: { authorization: token } }).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response?.statusCode === 503) {
    response.destroy()
    seen.refused += 1
    await sleep(REPEAT_MS)
    return openStream(port, { path, token, localAddress })
  }
  if (response?.statusCode !== 200) throw new Error(`${path}: ${response?.statusCode}`)
  follow(response)
}

/** Notes events. An event may come in parts: the text after the last separator is kept. */
function follow(response: IncomingMessage): void {
  let kept = ''
  response.setEncoding('utf8')
  response.on('data', (text: string) => {
    const whole = kept + text
    const end = whole.lastIndexOf(SEPARATOR) + 1
    for (const [, id = ''] of whole.slice(0, end).matchAll(EVENT)) seen.submissions.set(id, nowMs())
    kept = whole.slice(end)
  })
  response.on('error', () => {})
  response.on('close', () => {
    seen.ended += 1
  })
}
