import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answered, Connection } from './connection.ts'

/** What people do in a contest, and how often. */
export const HABITS = { submitsEveryMs: 240_000, looksEveryMs: 30_000, pollsEveryMs: 1000 } as const

export type Act = 'submit' | 'poll' | 'standings'

/** One person of a simulated contest. */
export interface Person {
  readonly token: string
  readonly submission: string
  readonly standingsPath: string
}

/** Where what happened is told: the time from when something was due until it was answered. */
export interface Journal {
  readonly untilMs: number
  note(act: Act, dueMs: number, answer: Answered | undefined): void
}

/** Lives through a contest by a schedule that does not wait for the service: what comes late is late by all that it waited. */
export async function takePart(person: Person, port: number, journal: Journal): Promise<void> {
  const contestant = new Contestant(person, port, journal)
  try {
    await Promise.all([
      contestant.repeat(HABITS.submitsEveryMs, (dueMs) => contestant.submit(dueMs)),
      contestant.repeat(HABITS.looksEveryMs, (dueMs) => contestant.look(dueMs)),
    ])
  } finally {
    contestant.leave()
  }
}

class Contestant {
  readonly #person: Person
  readonly #port: number
  readonly #journal: Journal
  /** What is asked at the same time goes one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #connection: Connection | undefined
  #etag: string | undefined

  constructor(person: Person, port: number, journal: Journal) {
    this.#person = person
    this.#port = port
    this.#journal = journal
  }

  /** Does something again and again, first at any time within the first period. */
  async repeat(everyMs: number, act: (dueMs: number) => Promise<void>): Promise<void> {
    for (
      let dueMs = performance.now() + Math.random() * everyMs;
      dueMs < this.#journal.untilMs;
      dueMs += everyMs
    ) {
      await wait(dueMs - performance.now())
      await act(dueMs)
    }
  }

  /** Submits, and polls once a second until there is a verdict. */
  async submit(dueMs: number): Promise<void> {
    const answer = await this.#ask('submit', dueMs, 'POST', '/v1/submissions', this.#person.submission)
    if (answer?.status !== 201) return
    const { id } = JSON.parse(answer.body ?? '{}')
    for (
      let pollMs = performance.now() + HABITS.pollsEveryMs;
      pollMs < this.#journal.untilMs;
      pollMs += HABITS.pollsEveryMs
    ) {
      await wait(pollMs - performance.now())
      const polled = await this.#ask('poll', pollMs, 'GET', `/v1/submissions/${id}/status`)
      if (polled?.status !== 200 || JSON.parse(polled.body ?? '{}').status !== 'PENDING') return
    }
  }

  /** Looks at the standings as a browser does: compressed, and what it has is sent only if it has changed. */
  async look(dueMs: number): Promise<void> {
    const answer = await this.#ask('standings', dueMs, 'GET', this.#person.standingsPath)
    if (answer?.status === 200) this.#etag = answer.etag
  }

  async #ask(
    act: Act,
    dueMs: number,
    method: string,
    path: string,
    body = '',
  ): Promise<Answered | undefined> {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${this.#person.token}`]
    if (body !== '')
      lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
    if (act === 'standings') lines.push('Accept-Encoding: gzip')
    if (act === 'standings' && this.#etag !== undefined) lines.push(`If-None-Match: ${this.#etag}`)
    const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
    const turn = this.#last.then(() => this.#send(request, act !== 'standings'))
    const answer = turn.catch(() => undefined)
    this.#last = answer
    const given = await answer
    this.#journal.note(act, dueMs, given)
    return given
  }

  /** Connects when there is something to send, and again where the service has closed what was idle for long. */
  async #send(request: Buffer, wantsBody: boolean): Promise<Answered> {
    if (!this.#connection?.isOpen) this.#connection = await Connection.open(this.#port)
    return this.#connection.send(request, wantsBody)
  }

  leave(): void {
    this.#connection?.close()
  }
}
