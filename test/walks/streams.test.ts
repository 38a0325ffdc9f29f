import { expect, it } from 'vitest'
import { ChangeLog } from '../../src/changes/change-log.ts'
import { createPositionTokens } from '../../src/changes/position.ts'
import type { Caller } from '../support/caller.ts'
import { keepLog } from '../support/queue.ts'
import { type OpenStream, openStream } from '../support/streams.ts'
import { plantWorld } from './planted-world.ts'

const world = await plantWorld()
const { contests, ids, invited, marks } = world
const { service, admin, stranger } = contests
const { app, config } = service

/** `id` is undefined without an account. */
type Reader = { readonly caller: Caller; readonly token: string | undefined; readonly id: string | undefined }

const people = {
  ...{ admin, stranger, victim: world.victim, mate: world.mate, rival: world.rival },
  ...{ elsewhere: world.elsewhere, insider: invited.insider, removed: invited.removed },
}

const accounts = Object.entries(people).map(
  ([name, person]) => [name, { caller: person, token: person.token, id: person.id }] as const,
)
const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(accounts),
  judge: { caller: service.judge, token: service.judgeToken, id: undefined },
  anonymous: { caller: service.anonymous, token: undefined, id: undefined },
}

/** A position before all changes: the stream then tells everything that its caller may see. */
async function findStart(): Promise<string> {
  const tokens = createPositionTokens(config.secrets.jwtSigning)
  const log = new ChangeLog({ database: service.database, config, logger: keepLog() })
  const present = tokens.read(await log.readPresent())
  if (present === undefined) throw new Error('the log has written the position')
  return tokens.write({ ...present, snapshot: '1:1:' })
}

const told = ({ events }: OpenStream, field: string, ...names: string[]) =>
  [...new Set(events.filter(({ name }) => names.includes(name)).map(({ data }) => data[field]))]
    .filter((value) => value !== undefined)
    .sort()

type Listed = { readonly [field: string]: string }

/** The values of a field in a list of the caller; none if the caller may not read it. */
async function listed({ caller }: Reader, url: string, field: string, condition: (item: Listed) => boolean) {
  const { status, body } = await caller.send('GET', url)
  const items: Listed[] = status === 200 ? body : []
  return [...new Set(items.filter(condition).map((item) => item[field]))].sort()
}

/** Reads a whole stream from the start; undefined if it is refused. */
async function readAll(reader: Reader, url: string, lastId: string): Promise<OpenStream | number> {
  const stream = await openStream(app, { url, token: reader.token, lastId })
  if (stream.status !== 200) return stream.status
  // It begins with all events since the position, in one piece.
  await stream.until('ready')
  await stream.leave()
  for (const mark of marks.values()) expect(JSON.stringify(stream.events)).not.toContain(mark)
  return stream
}

it('a stream of an event is open to those who see its clock, and names only what the lists show them', async () => {
  const lastId = await findStart()
  let questions = 0
  for (const [name, reader] of Object.entries(readers)) {
    for (const eventId of ids.event_id ?? []) {
      const url = `/v1/events/${eventId}`
      const stream = await readAll(reader, `${url}/changes`, lastId)
      const { status } = await reader.caller.send('GET', `${url}/clock`)
      expect(typeof stream === 'number' ? stream : 200, `${name} ${url}`).toBe(status)
      if (typeof stream === 'number') continue
      const shown = await listed(reader, `${url}/questions`, 'id', () => true)
      expect(told(stream, 'question_id', 'question', 'announcement'), `${name} ${url}`).toEqual(shown)
      questions += shown.length
      const isOfEvent = ({ event_id }: Listed) => event_id === eventId
      const own = await listed(reader, `/v1/user_submissions/${reader.id}`, 'id', isOfEvent)
      expect(told(stream, 'submission_id', 'submission'), `${name} ${url}`).toEqual(own)
      const notified = await listed(reader, '/v1/user/notifications', 'question_id', isOfEvent)
      expect(told(stream, 'question_id', 'notification'), `${name} ${url}`).toEqual(notified)
    }
  }
  expect(questions).toBeGreaterThan(0)
})

it('a stream of a user names only own submissions and notifications', async () => {
  const lastId = await findStart()
  for (const [name, reader] of Object.entries(readers)) {
    const stream = await readAll(reader, '/v1/user/changes', lastId)
    if (typeof stream === 'number') {
      expect([name, stream]).toEqual(['anonymous', 401])
      continue
    }
    const own = await listed(reader, `/v1/user_submissions/${reader.id}`, 'id', () => true)
    expect(told(stream, 'submission_id', 'submission'), name).toEqual(own)
    const notified = await listed(reader, '/v1/user/notifications', 'question_id', () => true)
    expect(told(stream, 'question_id', 'notification'), name).toEqual(notified)
    expect(told(stream, 'question_id', 'question', 'announcement'), name).toEqual([])
  }
})
