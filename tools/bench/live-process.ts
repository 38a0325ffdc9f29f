import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from './child.ts'
import { writeRequest } from './route.ts'

/** A long-lived response: its path, and the token of its reader. */
export interface Held {
  readonly path: string
  readonly token?: string
  /** The address to connect from: the service counts streams by address. */
  readonly localAddress: string
  /** A feed that opens again after its end, from its last token. */
  readonly isReopened?: true
}

/**
 * Opens responses, some at a time, and keeps them. `untilSilent`: waits until nothing has come for
 * so long. `report`: what has come since the last report.
 */
export type LiveRequest =
  | { readonly kind: 'open'; readonly port: number; readonly held: readonly Held[]; readonly atOnce: number }
  | { readonly kind: 'untilSilent'; readonly silentMs: number }
  | { readonly kind: 'report' }

export interface LiveReport {
  /** When each `submission` event came, on the clock of `nowMs`, by the submission's id. */
  readonly submissions: ReadonlyMap<string, number>
  /** The number of events by name. */
  readonly events: Readonly<Record<string, number>>
  readonly bytes: number
  /** Lines of feeds. */
  readonly lines: number
  /** Responses that have ended. */
  readonly ended: number
  /** 503 responses to requests that were repeated. */
  readonly refused: number
  readonly cpuMs: number
}

/** Milliseconds of a clock that all processes of the machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

const HEAD_END = '\r\n\r\n'
const EVENT = /event: (\w+)\ndata: (?:\{"submission_id":"([0-9a-f-]{36})")?/g
/** A line of a feed. */
const LINE = /^\{/gm
const TOKEN = /"token":"([^"]+)"/g
/** The longest text before an event that may be incomplete. */
const MOST_KEPT = 16_384
/** An overloaded service is asked again after this time. */
const REPEAT_MS = 250

const empty = () => ({
  submissions: new Map<string, number>(),
  events: {} as Record<string, number>,
  ...{ bytes: 0, lines: 0, ended: 0, refused: 0 },
})

let seen = empty()
let lastCpu = process.cpuUsage()
let lastDataMs = nowMs()

serveParent(async (request: LiveRequest): Promise<LiveReport | undefined> => {
  if (request.kind === 'open') return openAll(request.port, request.held, request.atOnce)
  if (request.kind === 'untilSilent') return untilSilent(request.silentMs)
  const { user, system } = process.cpuUsage(lastCpu)
  const report = { ...seen, cpuMs: (user + system) / 1000 }
  lastCpu = process.cpuUsage()
  seen = empty()
  return report
})

async function untilSilent(silentMs: number): Promise<undefined> {
  while (nowMs() - lastDataMs < silentMs) await sleep(silentMs / 5)
}

async function openAll(port: number, held: readonly Held[], atOnce: number): Promise<undefined> {
  const waiting = [...held].reverse()
  const openNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      while (!(await open(port, next))) {
        seen.refused += 1
        await sleep(REPEAT_MS)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, openNext))
}

/**
 * Resolves after the head of the response, and reads on. False: the status is 503. Throws after
 * another one.
 */
function open(port: number, held: Held): Promise<boolean> {
  const { path, token, localAddress } = held
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.setNoDelay(true)
    const headers = { Connection: 'close' }
    socket.write(writeRequest({ method: 'GET', path, headers, ...(token !== undefined && { token }) }))
    let head = ''
    const readHead = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      socket.off('data', readHead)
      if (!head.startsWith('HTTP/1.1 200')) {
        socket.destroy()
        if (head.startsWith('HTTP/1.1 503')) resolve(false)
        else reject(new Error(`${path}: ${head}`))
        return
      }
      const connection = follow(socket, path.endsWith('/changes') ? '\n\n' : '\n')
      connection.read(head.slice(end + HEAD_END.length))
      if (held.isReopened) socket.once('close', () => void reopen(port, held, connection.lastToken()))
      resolve(true)
    }
    socket.on('data', readHead)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${path}: the connection was closed`)))
  })
}

async function reopen(port: number, held: Held, token: string | undefined): Promise<void> {
  const [path] = held.path.split('?')
  const next =
    token === undefined ? held : { ...held, path: `${path}?since_token=${encodeURIComponent(token)}` }
  do await sleep(REPEAT_MS)
  while (!(await open(port, next).catch(() => false)))
}

/** Counts what comes. An event may come in parts: the text after the last separator is kept. */
function follow(socket: Socket, separator: string) {
  let kept = ''
  let token: string | undefined
  const read = (text: string) => {
    lastDataMs = nowMs()
    const whole = kept + text
    const place = whole.lastIndexOf(separator)
    const end = place < 0 ? 0 : place + separator.length
    kept = whole.slice(Math.max(end, whole.length - MOST_KEPT))
    token = note(whole.slice(0, end), text.length) ?? token
  }
  socket.on('data', (chunk) => read(chunk.toString('latin1')))
  socket.on('close', () => {
    seen.ended += 1
  })
  return { read, lastToken: () => token }
}

/** Returns the last token in the text. */
function note(text: string, bytes: number): string | undefined {
  seen.bytes += bytes
  seen.lines += text.match(LINE)?.length ?? 0
  for (const [, name = '', submission] of text.matchAll(EVENT)) {
    seen.events[name] = (seen.events[name] ?? 0) + 1
    if (submission !== undefined) seen.submissions.set(submission, lastDataMs)
  }
  return [...text.matchAll(TOKEN)].at(-1)?.[1]
}
