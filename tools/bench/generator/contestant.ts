import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeRequest } from '../route.ts'
import { Connection, type ReceivedResponse } from './connection.ts'

/** How often people in a contest do something. */
export const HABITS = { submitsEveryMs: 240_000, readsEveryMs: 30_000, pollsEveryMs: 1000 } as const

export type Act = 'submit' | 'poll' | 'standings'

/** One person of a simulated contest. */
export interface Person {
  readonly token: string
  readonly submission: string
  readonly standingsPath: string
}

/** Receives the responses. Latencies count from `dueMs`, the planned moment. */
export interface Journal {
  readonly untilMs: number
  note(act: Act, dueMs: number, response: ReceivedResponse | undefined): void
}

/** Takes part in a contest by a schedule that does not wait for responses. */
export async function takePart(person: Person, port: number, { untilMs, note }: Journal): Promise<void> {
  const connection = new PersonalConnection(person.token, port)
  let etag: string | undefined
  const request = async (act: Act, dueMs: number, given: Request, wantsBody = true) => {
    const response = await connection.send(given, wantsBody)
    note(act, dueMs, response)
    return response
  }
  const submit = async (dueMs: number) => {
    const submission = { method: 'POST', path: '/v1/submissions', body: person.submission } as const
    const response = await request('submit', dueMs, submission)
    if (response?.status !== 201) return
    const path = `/v1/submissions/${JSON.parse(response.body ?? '{}').id}/status`
    await repeat(performance.now() + HABITS.pollsEveryMs, HABITS.pollsEveryMs, untilMs, async (pollMs) => {
      const polled = await request('poll', pollMs, { method: 'GET', path })
      return polled?.status === 200 && JSON.parse(polled.body ?? '{}').status === 'PENDING'
    })
  }
  // As a browser does: compressed and with its entity tag.
  const readStandings = async (dueMs: number) => {
    const headers = { 'Accept-Encoding': 'gzip', ...(etag !== undefined && { 'If-None-Match': etag }) }
    const path = person.standingsPath
    const response = await request('standings', dueMs, { method: 'GET', path, headers }, false)
    if (response?.status === 200) etag = response.etag
  }
  const randomly = (everyMs: number, act: (dueMs: number) => Promise<void>) =>
    repeat(performance.now() + Math.random() * everyMs, everyMs, untilMs, (dueMs) =>
      act(dueMs).then(() => true),
    )
  try {
    await Promise.all([randomly(HABITS.submitsEveryMs, submit), randomly(HABITS.readsEveryMs, readStandings)])
  } finally {
    connection.close()
  }
}

/** Repeats an act on schedule while it returns true. */
async function repeat(
  firstMs: number,
  everyMs: number,
  untilMs: number,
  act: (dueMs: number) => Promise<boolean>,
): Promise<void> {
  for (let dueMs = firstMs; dueMs < untilMs; dueMs += everyMs) {
    await sleep(dueMs - performance.now())
    if (!(await act(dueMs))) return
  }
}

type Request = Omit<Parameters<typeof writeRequest>[0], 'token'>

/** Sends one request at a time. Connects again after the service has closed an idle connection. */
class PersonalConnection {
  readonly #token: string
  readonly #port: number
  #last: Promise<unknown> = Promise.resolve()
  #connection: Connection | undefined

  constructor(token: string, port: number) {
    this.#token = token
    this.#port = port
  }

  /** Undefined without a response. */
  send(request: Request, wantsBody: boolean): Promise<ReceivedResponse | undefined> {
    const bytes = Buffer.from(writeRequest({ ...request, token: this.#token }))
    const response = this.#last
      .then(async () => {
        if (!this.#connection?.isOpen) this.#connection = await Connection.open(this.#port)
        return this.#connection.send(bytes, wantsBody)
      })
      .catch(() => undefined)
    this.#last = response
    return response
  }

  close(): void {
    this.#connection?.close()
  }
}
