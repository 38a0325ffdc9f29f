import { setTimeout as sleep } from 'node:timers/promises'
import { readEventStream } from '../../packages/client/src/event-stream.ts'

interface StreamOptions {
  /** The first connection goes to the first service, the next one to the next. */
  readonly urls: readonly string[]
  readonly path: string
  readonly token: string
  readonly userId: string
  /** A connection without a byte for so long is given up. */
  readonly silentMs: number
}

interface Submission {
  readonly id: string
  readonly status: string
}

const PAUSE_MS = 100

/**
 * A client of an event stream that keeps the last status of each submission. It connects again
 * after each end, and goes on from its last id.
 */
export class StatusReader {
  readonly statuses = new Map<string, string>()
  /** How often it had to read everything again. */
  resets = 0
  connections = 0
  isReady = false
  /** Of the last connection that was not opened. */
  lastOutcome = 'no response'
  readonly #options: StreamOptions
  readonly #closing = new AbortController()
  #lastId: string | undefined

  constructor(options: StreamOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#readOnce().catch((err: unknown) => {
        this.lastOutcome = String(err)
      })
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }

  close(): void {
    this.#closing.abort()
  }

  async #readOnce(): Promise<void> {
    const { urls, path, token, silentMs } = this.#options
    const url = urls[this.connections % urls.length]
    this.connections += 1
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), silentMs)
    const signal = AbortSignal.any([giveUp.signal, this.#closing.signal])
    const headers = { authorization: token, ...(this.#lastId && { 'last-event-id': this.#lastId }) }
    try {
      const { status, body } = await fetch(`${url}${path}`, { headers, signal })
      this.lastOutcome = `status ${status}`
      if (status !== 200 || body === null) return
      const notes = { onRetry: () => {}, onBytes: () => void timer.refresh() }
      for await (const { name, data, id } of readEventStream(body, notes)) {
        if (data !== undefined) this.#note(name, JSON.parse(data))
        if (name === 'reset') await this.#readAgain(`${url}`, headers)
        this.#lastId = id ?? this.#lastId
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Before the id of the reset is kept: after a failure, the next connection gets it again. */
  async #readAgain(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    this.resets += 1
    const response = await fetch(`${url}/v1/user_submissions/${this.#options.userId}`, { headers })
    if (response.status !== 200) throw new Error(`the submissions got ${response.status}`)
    const submissions: Submission[] = JSON.parse(await response.text())
    for (const { id, status } of submissions) this.statuses.set(id, status)
  }

  #note(name: string, data: { submission_id: string; status: string }): void {
    if (name === 'ready') this.isReady = true
    if (name === 'submission') this.statuses.set(data.submission_id, data.status)
  }
}
