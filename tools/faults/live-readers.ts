import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient } from '@judge-data-layer/client'
import { readEventStream } from '../../packages/client/src/event-stream.ts'
import type { Queryable } from '../../src/db/database.ts'
import { differingTypes, FeedReader, readObjects } from '../../test/support/verification/event-feed.ts'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import type { Scene } from './scenario.ts'
import { logInByBridge } from './world.ts'

/** The service sends a sign of life every 15 s. */
const PATIENT_MS = 40_000
/** With this load there is always something to send: such a client leaves a frozen instance. */
const IMPATIENT_MS = 4000
/** The fault begins after it; a busy machine may take long. */
const READY_WITHIN_MS = 300_000
const PAUSE_MS = 100

/** Streams of this many people; the others have none. */
const STREAMING = 12

interface Feed {
  readonly name: string
  readonly token: string | undefined
  readonly reader: FeedReader
}

interface Stream {
  readonly name: string
  readonly userId: string
  readonly isOfEvent: boolean
  readonly reader: StatusReader
}

type Told = Omit<Stream, 'reader'> & { readonly reader: Pick<StatusReader, 'statuses'> }

/** The clients of feeds and streams; `since` is the database's time when all were connected. */
export type LiveReaders = Awaited<ReturnType<typeof openLiveReaders>>

/** Opens feeds of every role and streams of people, on both instances; half are impatient. */
export async function openLiveReaders(scene: Pick<Scene, 'instances' | 'world' | 'stage'>) {
  const { world, stage, instances } = scene
  const urls = instances.map(({ url }) => url)
  const places = [urls, urls.toReversed()]
  const [first, second] = world.people
  const client = createJudgeClient({ baseUrl: instances[0].url })
  const { WEB_BRIDGE_SECRET: secret } = stage.secrets
  const outsider = await logInByBridge(client, secret, 'Outsider', 'outsider@example.org')
  const roles = {
    ...{ admin: world.adminToken, judge: world.judgeToken, anonymous: undefined },
    ...{ participant: first?.token, rival: second?.token },
    outsider: outsider.token,
  }
  const feeds = Object.entries(roles).flatMap(([name, token]) =>
    places.map((own, place): Feed => {
      const ports = own.map((url) => Number(new URL(url).port))
      const silentMs = place === 0 ? PATIENT_MS : IMPATIENT_MS
      const options = { ports, eventId: world.eventId, token, silentMs, pauseMs: PAUSE_MS }
      return { name: `the feed of ${name} (${place})`, token, reader: new FeedReader(options) }
    }),
  )
  const streams = world.people.slice(0, STREAMING).flatMap(({ id, name, token }, number) =>
    [false, true].map((isOfEvent, place): Stream => {
      const path = isOfEvent ? `/v1/events/${world.eventId}/changes` : '/v1/user/changes'
      const silentMs = number % 2 === 0 ? PATIENT_MS : IMPATIENT_MS
      const reader = new StatusReader({ urls: places[place] ?? urls, path, token, userId: id, silentMs })
      return { name: `${path} of ${name}`, userId: id, isOfEvent, reader }
    }),
  )
  for (const { reader } of feeds) reader.connect()
  for (const { reader } of streams) void reader.run()
  const close = () => {
    for (const { reader } of [...feeds, ...streams]) reader.close()
  }
  const listMissing = () => [
    ...streams.flatMap(({ name, reader }) => (reader.isReady ? [] : [`${name}: ${reader.lastOutcome}`])),
    ...feeds.flatMap(({ name, reader }) => (reader.hasToken ? [] : [name])),
  ]
  if (!(await pollUntil(async () => listMissing().length === 0, READY_WITHIN_MS))) {
    close()
    throw new Error(`not all feeds and streams were opened:\n${listMissing().join('\n')}`)
  }
  const [{ now = '' } = {}] = await ask<{ now: string }>(stage.database, 'select now()::text as now')
  return { feeds, streams, since: now, close }
}

/** Waits until every feed has the state of the endpoints. Returns what differs in the end. */
export function findWrongFeeds({ instances, world }: Scene, feeds: readonly Feed[], withinMs: number) {
  const tokens = [...new Set(feeds.map(({ token }) => token))]
  return untilNone(withinMs, async () => {
    const wrong: string[] = []
    for (const [place, token] of tokens.entries()) {
      const { url } = instances[place % instances.length] ?? instances[0]
      const expected = await readObjects((path) => readBody(url, path, token), world.eventId)
      for (const { name, reader } of feeds.filter((feed) => feed.token === token)) {
        const types = differingTypes(expected, reader.objects)
        if (types.length > 0) wrong.push(`${name} differs from ${url} in ${types.join(', ')}`)
      }
    }
    return wrong
  })
}

/** Repeats a look, which may throw, until it finds nothing. Returns what it has found at last. */
async function untilNone(withinMs: number, look: () => Promise<string[]>): Promise<string[]> {
  let found = ['there was no look']
  const isDone = async () => {
    found = ['the look failed']
    found = await look()
    return found.length === 0
  }
  await pollUntil(isDone, withinMs)
  return found
}

async function readBody(url: string, path: string, token: string | undefined) {
  const response = await fetch(`${url}${path}`, {
    headers: token === undefined ? {} : { authorization: token },
  })
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`)
  return response.json()
}

type Stored = { id: string; user_id: string; status: string; is_of_event: boolean }

const SUBMITTED = `
  select submissions.id::text, submissions.user_id::text, submissions.status,
         submissions.event_id is not null as is_of_event
  from submissions`

/** Waits until each stream has told its owner's last statuses. Returns those that have not. */
export function findWrongStreams(
  database: Queryable,
  { streams, since }: Pick<LiveReaders, 'streams' | 'since'>,
  withinMs: number,
) {
  return untilNone(withinMs, async () => {
    const stored = await ask<Stored>(database, `${SUBMITTED} where submissions.submit_time > '${since}'`)
    return findUntold(stored, streams)
  })
}

/** Describes the streams that have told another status, or none. */
export function findUntold(stored: readonly Stored[], streams: readonly Told[]): string[] {
  return streams.flatMap(({ name, userId, isOfEvent, reader: { statuses } }) => {
    const own = stored.filter((row) => row.user_id === userId && (row.is_of_event || !isOfEvent))
    const untold = own.filter(({ id, status }) => statuses.get(id) !== status)
    const [first] = untold
    if (first === undefined) return []
    const told = statuses.get(first.id) ?? 'nothing'
    return [
      `${name} has not told ${untold.length} of ${own.length}: ${first.id} is ${first.status}, told ${told}`,
    ]
  })
}

interface StreamOptions {
  /** The first connection goes to the first service, the next one to the next. */
  readonly urls: readonly string[]
  readonly path: string
  readonly token: string
  readonly userId: string
  /** A connection without a byte for so long is given up. */
  readonly silentMs: number
}

/** A client of an event stream that keeps the last status of each submission, and reconnects. */
class StatusReader {
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
    const submissions: { id: string; status: string }[] = JSON.parse(await response.text())
    for (const { id, status } of submissions) this.statuses.set(id, status)
  }

  #note(name: string, data: { submission_id: string; status: string }): void {
    if (name === 'ready') this.isReady = true
    if (name === 'submission') this.statuses.set(data.submission_id, data.status)
  }
}
