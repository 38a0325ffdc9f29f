import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { type AudienceMember, Audiences, stateOf } from '../../src/features/change-streams/audiences.ts'
import { openEventStream } from '../../src/features/change-streams/sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { viewerOf } from '../../src/http/server/live-connections.ts'
import type { Person } from '../support/app.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { keepLog } from '../support/queue.ts'

const contests = await serviceWithContests()
const { service, problem, createEvent, createParticipant, submit, giveVerdict } = contests

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An audience of one person, whose time only `pass` moves. */
async function watch(eventId: number, { id }: Person) {
  let reads = 0
  const database: Queryable = {
    query: (...asked) => service.database.query(...asked).finally(() => (reads += 1)),
  }
  const actor = { id, role: 0, sessionVersion: 1 } as const
  const [row] = await new ActorDatabase(service.database, actor).query(openEventStream, { event_id: eventId })
  if (row === undefined) throw new Error('the person sees the event')
  const written: string[] = []
  const member: AudienceMember = {
    viewer: { ...viewerOf(actor, eventId), eventId },
    connection: { write: (text) => void written.push(text), end: () => {} },
    state: stateOf(eventId, row),
  }
  const audiences = new Audiences(database, keepLog())
  audiences.join(row.audience, member)
  return {
    told: () => written.filter((text) => text.includes('event: tags')).length,
    /** Notes a change, and lets time pass until the state is read. */
    async noteAndPass(ms: number, expectedReads: number) {
      audiences.touch(eventId)
      await vi.advanceTimersByTimeAsync(ms)
      await expect.poll(() => reads).toBe(expectedReads)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

it('tags are told as soon after a hidden verdict as without one, and then at most once in two seconds (P23, P25)', async () => {
  const eventId = await createEvent({ freeze_time: isoIn(-1), problems: [{ problem_id: problem.id }] })
  const [author, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
  const id = await submit(author, { event_id: eventId })
  const { told, noteAndPass } = await watch(eventId, rival)
  await giveVerdict(id, 'ACCEPTED')
  await noteAndPass(500, 1)
  expect(told()).toBe(0)
  await submit(author, { event_id: eventId })
  await noteAndPass(500, 2)
  expect(told()).toBe(1)
  await submit(author, { event_id: eventId })
  await noteAndPass(1400, 2)
  expect(told()).toBe(1)
  await noteAndPass(1100, 3)
  expect(told()).toBe(2)
})
