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
export async function takePart(person: Person, port: number, journal: Journal): Promise<void> {
  const contestant = new Contestant(person, port, journal)
  try {
    await Promise.all([
      contestant.repeat(HABITS.submitsEveryMs, (dueMs) => contestant.submit(dueMs)),
      contestant.repeat(HABITS.readsEveryMs, (dueMs) => contestant.readStandings(dueMs)),
    ])
  } finally {
    contestant.leave()
  }
}

class Contestant {
  readonly #person: Person
  readonly #port: number
  readonly #journal: Journal
  /** Requests of one person are sent one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #connection: Connection | undefined
  #etag: string | undefined

  constructor(person: Person, port: number, journal: Journal) {
    this.#person = person
    this.#port = port
    this.#journal = journal
  }

  /** Repeats an act, first at a random moment of the first period. */
  async repeat(everyMs: number, act: (dueMs: number) => Promise<void>): Promise<void> {
    for (
      let dueMs = performance.now() + Math.random() * everyMs;
      dueMs < this.#journal.untilMs;
      dueMs += everyMs
    ) {
      await sleep(dueMs - performance.now())
      await act(dueMs)
    }
  }

  /** Submits, and polls once a second until there is a verdict. */
  async submit(dueMs: number): Promise<void> {
    const body = this.#person.submission
    const response = await this.#request('submit', dueMs, { method: 'POST', path: '/v1/submissions', body })
    if (response?.status !== 201) return
    const path = `/v1/submissions/${JSON.parse(response.body ?? '{}').id}/status`
    for (
      let pollMs = performance.now() + HABITS.pollsEveryMs;
      pollMs < this.#journal.untilMs;
      pollMs += HABITS.pollsEveryMs
    ) {
      await sleep(pollMs - performance.now())
      const polled = await this.#request('poll', pollMs, { method: 'GET', path })
      if (polled?.status !== 200 || JSON.parse(polled.body ?? '{}').status !== 'PENDING') return
    }
  }

  /** Reads the standings as a browser does: compressed and with its entity tag. */
  async readStandings(dueMs: number): Promise<void> {
    const headers = {
      'Accept-Encoding': 'gzip',
      ...(this.#etag !== undefined && { 'If-None-Match': this.#etag }),
    }
    const path = this.#person.standingsPath
    const response = await this.#request('standings', dueMs, { method: 'GET', path, headers })
    if (response?.status === 200) this.#etag = response.etag
  }

  async #request(
    act: Act,
    dueMs: number,
    request: Parameters<typeof writeRequest>[0],
  ): Promise<ReceivedResponse | undefined> {
    const bytes = Buffer.from(writeRequest({ ...request, token: this.#person.token }))
    const turn = this.#last.then(() => this.#send(bytes, act !== 'standings')).catch(() => undefined)
    this.#last = turn
    const response = await turn
    this.#journal.note(act, dueMs, response)
    return response
  }

  /** Connects for the first request, and again after the service has closed an idle connection. */
  async #send(request: Buffer, wantsBody: boolean): Promise<ReceivedResponse> {
    if (!this.#connection?.isOpen) this.#connection = await Connection.open(this.#port)
    return this.#connection.send(request, wantsBody)
  }

  leave(): void {
    this.#connection?.close()
  }
}
