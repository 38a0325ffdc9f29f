import { createJudgeClient } from '@judge-data-layer/client'
import type { Queryable } from '../../src/db/database.ts'
import { differingTypes, FeedReader, readObjects } from '../../verification/event-feed.ts'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { StatusReader } from './live-streams.ts'
import type { Scene } from './scenario.ts'
import { logInByBridge } from './world.ts'

/** The service sends a sign of life every 15 s. */
const PATIENT_MS = 40_000
/** With this load there is always something to send: such a client leaves a frozen instance. */
const IMPATIENT_MS = 4000
/** The fault begins after it; a busy machine may take long. */
const READY_WITHIN_MS = 60_000
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

/** What a stream has told. */
type Told = Omit<Stream, 'reader'> & { readonly reader: Pick<StatusReader, 'statuses'> }

/** The clients of feeds and streams; `since` is the database's time when all were connected. */
export interface LiveReaders {
  readonly feeds: readonly Feed[]
  readonly streams: readonly Stream[]
  readonly since: string
  close(): void
}

/**
 * Opens feeds of every role and streams of people. Those of one role or person begin on different
 * instances, and half of the clients are impatient.
 */
export async function openLiveReaders(
  scene: Pick<Scene, 'instances' | 'world' | 'stage'>,
): Promise<LiveReaders> {
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

/**
 * Waits until the state of every feed is that of the endpoints; each role asks another instance.
 * Returns what differs in the end.
 */
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

/**
 * Waits until every stream has told the last status of each submission of its owner since it was
 * open. Returns the streams that have not.
 */
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
