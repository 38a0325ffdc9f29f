import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveParent } from '../child.ts'
import { writeRequest } from '../route.ts'
import { Connection, type ReceivedResponse } from './connection.ts'

export type Act = 'submit' | 'poll' | 'standings' | 'scoreboard'

export interface Person {
  readonly token: string
  readonly submission: string
  readonly standingsPath: string
}

/** A page on a projector, which polls the standings and the clock of the contest. */
export interface Scoreboard {
  readonly token: string
  readonly paths: readonly string[]
  readonly pollsEveryMs: number
}

/** The people of a contest and how often they act. The warm-up is not measured. */
export interface ContestLoad {
  readonly port: number
  readonly people: readonly Person[]
  readonly scoreboard: Scoreboard
  readonly habits: Readonly<Record<'submitsEveryMs' | 'readsEveryMs' | 'pollsEveryMs', number>>
  readonly warmUpMs: number
  readonly durationMs: number
}

export interface ContestResult {
  readonly latenciesMs: Readonly<Record<Act, readonly number[]>>
  /** The number of missing responses and of responses by unexpected status. */
  readonly failures: Readonly<Record<string, number>>
  readonly bytes: number
  readonly cpuMs: number
  /** The delay of this process at the 99th percentile: its measurement error. */
  readonly ownLagMs: number
}

const SUCCESSES = new Set([200, 201, 304])

serveParent(async (load: ContestLoad): Promise<ContestResult> => {
  const fromMs = performance.now() + load.warmUpMs
  const untilMs = fromMs + load.durationMs
  const latenciesMs: Record<Act, number[]> = { submit: [], poll: [], standings: [], scoreboard: [] }
  const failures: Record<string, number> = {}
  let bytes = 0
  const note = (act: Act, dueMs: number, response: ReceivedResponse | undefined): void => {
    if (dueMs < fromMs) return
    bytes += response?.bytes ?? 0
    if (response !== undefined && SUCCESSES.has(response.status)) {
      latenciesMs[act].push(performance.now() - dueMs)
      return
    }
    const failure = `${act}: ${response?.status ?? 'no response'}`
    failures[failure] = (failures[failure] ?? 0) + 1
  }
  const journal = { untilMs, note }
  const everybody = Promise.all([
    ...load.people.map((person) => takePart(person, load, journal)),
    showStandings(load, journal),
  ])
  await sleep(load.warmUpMs)
  const before = process.cpuUsage()
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  await everybody
  lag.disable()
  const { user, system } = process.cpuUsage(before)
  const ownLagMs = lag.percentile(99) / 1e6 - 10
  return { latenciesMs, failures, bytes, cpuMs: (user + system) / 1000, ownLagMs }
})

/** Receives the responses. Latencies count from `dueMs`, the planned moment. */
interface Journal {
  readonly untilMs: number
  note(act: Act, dueMs: number, response: ReceivedResponse | undefined): void
}

/** Takes part in a contest by a schedule that does not wait for responses. */
async function takePart(person: Person, { port, habits }: ContestLoad, { untilMs, note }: Journal) {
  const connection = openConnection(person.token, port)
  const headersWith = conditionalHeaders()
  const request = async (act: Act, dueMs: number, given: Request, wantsBody = true) => {
    const response = await connection.send(given, wantsBody)
    note(act, dueMs, response)
    return response
  }
  const repeatAct = (firstMs: number, everyMs: number, act: (dueMs: number) => Promise<boolean>) =>
    repeat(performance.now() + firstMs, everyMs, untilMs, act)
  const submit = async (dueMs: number) => {
    const submission = { method: 'POST', path: '/v1/submissions', body: person.submission } as const
    const response = await request('submit', dueMs, submission)
    if (response?.status !== 201) return true
    const path = `/v1/submissions/${JSON.parse(response.body ?? '{}').id}/status`
    const isPending = async (pollMs: number) => {
      const polled = await request('poll', pollMs, { method: 'GET', path })
      return polled?.status === 200 && JSON.parse(polled.body ?? '{}').status === 'PENDING'
    }
    const { pollsEveryMs } = habits
    await repeat(performance.now() + pollsEveryMs, pollsEveryMs, untilMs, isPending, true)
    return true
  }
  const readStandings = async (dueMs: number) => {
    const { headers, keep } = headersWith(person.standingsPath)
    const path = person.standingsPath
    keep(await request('standings', dueMs, { method: 'GET', path, headers }, false))
    return true
  }
  try {
    await Promise.all([
      repeatAct(Math.random() * habits.submitsEveryMs, habits.submitsEveryMs, submit),
      repeatAct(Math.random() * habits.readsEveryMs, habits.readsEveryMs, readStandings),
    ])
  } finally {
    connection.close()
  }
}

/** Polls as the scoreboard page does: one request after the other. */
async function showStandings({ port, scoreboard }: ContestLoad, { untilMs, note }: Journal) {
  const { token, paths, pollsEveryMs } = scoreboard
  const connection = openConnection(token, port)
  const headersWith = conditionalHeaders()
  const poll = async (dueMs: number) => {
    for (const [place, path] of paths.entries()) {
      const { headers, keep } = headersWith(path)
      const sentMs = place === 0 ? dueMs : performance.now()
      const response = await connection.send({ method: 'GET', path, headers }, false)
      note('scoreboard', sentMs, response)
      keep(response)
    }
    return true
  }
  try {
    await repeat(performance.now(), pollsEveryMs, untilMs, poll, true)
  } finally {
    connection.close()
  }
}

/** The headers of a browser that polls: compressed, and with the entity tag of each path. */
function conditionalHeaders() {
  const etags = new Map<string, string>()
  return (path: string) => {
    const etag = etags.get(path)
    return {
      headers: { 'Accept-Encoding': 'gzip', ...(etag !== undefined && { 'If-None-Match': etag }) },
      keep(response: ReceivedResponse | undefined): void {
        if (response?.status === 200 && response.etag !== undefined) etags.set(path, response.etag)
      },
    }
  }
}

/** Repeats an act on schedule while it returns true; `skipsMissed` leaves out missed moments. */
async function repeat(
  firstMs: number,
  everyMs: number,
  untilMs: number,
  act: (dueMs: number) => Promise<boolean>,
  skipsMissed = false,
): Promise<void> {
  for (let dueMs = firstMs; dueMs < untilMs; dueMs += everyMs) {
    await sleep(dueMs - performance.now())
    if (!(await act(dueMs))) return
    const lateMs = performance.now() - dueMs
    if (skipsMissed) dueMs += everyMs * Math.max(0, Math.ceil(lateMs / everyMs) - 1)
  }
}

type Request = Omit<Parameters<typeof writeRequest>[0], 'token'>

/** Sends one request at a time. Connects again after the service has closed an idle connection. */
function openConnection(token: string, port: number) {
  let last: Promise<unknown> = Promise.resolve()
  let connection: Connection | undefined
  return {
    /** Undefined without a response. */
    send(request: Request, wantsBody: boolean): Promise<ReceivedResponse | undefined> {
      const bytes = Buffer.from(writeRequest({ ...request, token }))
      const response = last
        .then(async () => {
          if (!connection?.isOpen) connection = await Connection.open(port)
          return connection.send(bytes, wantsBody)
        })
        .catch(() => undefined)
      last = response
      return response
    },
    close: () => connection?.close(),
  }
}
