import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { type AudienceMember, Audiences, stateOf } from '../../src/features/change-streams/audiences.ts'
import { openEventStream } from '../../src/features/change-streams/sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { viewerOf } from '../../src/http/server/live-connections.ts'
import type { Person } from '../support/app.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { keepLog } from '../support/queue.ts'
import { openStream } from '../support/streams.ts'

const contests = await serviceWithContests()
const { service, admin, problem, submit, giveVerdict, createEvent, createParticipant } = contests
const beside = await service.openBeside()
const problems = [{ problem_id: problem.id }]

describe('a client with Last-Event-ID', () => {
  it('gets everything since then, on any instance, while writes go on and its connections break', async () => {
    const eventId = await createEvent({ problems })
    const person = await createParticipant(eventId)
    const url = `/v1/events/${eventId}/changes`
    const told = new Map<string, string>()
    const asked = new Set<string>()
    let lastId: string | undefined
    let isWriting = true
    const follow = async (round: number) => {
      const { app } = round % 2 === 0 ? service : beside
      const stream = await openStream(app, { url, token: person.token, lastId })
      await stream.until('ready')
      // Breaks at different points: sometimes at once, sometimes after an event.
      if (round % 3 > 0) {
        const seen = () => stream.events.length > 1 + (round % 3)
        await expect.poll(() => seen() || !isWriting).toBe(true)
      }
      await stream.leave()
      for (const { name, data, id } of stream.events) {
        expect(name).not.toBe('reset')
        if (name === 'submission') told.set(data.submission_id, data.status)
        if (name === 'question') asked.add(data.question_id)
        lastId = id
      }
      lastId = stream.lastId()
    }
    const expected = new Map<string, string>()
    const questions: string[] = []
    const write = async () => {
      for (let each = 0; each < 8; each += 1) {
        const id = await submit(person, { event_id: eventId })
        expected.set(id, 'PENDING')
        if (each % 2 === 0) {
          await giveVerdict(id, 'WRONG_ANSWER')
          expected.set(id, 'WRONG_ANSWER')
        }
        if (each % 5 === 0) {
          const question = await admin.post(`/v1/events/${eventId}/questions`, { question: `${each}` })
          questions.push(question.id)
        }
      }
      isWriting = false
    }
    await follow(0)
    const writing = write()
    for (let round = 0; isWriting; round += 1) await follow(round)
    await writing
    await expect
      .poll(async () => {
        await follow(0)
        return Object.fromEntries(told)
      })
      .toEqual(Object.fromEntries(expected))
    expect([...asked].sort()).toEqual(questions.toSorted())
  })

  it('is told to read everything again if the id is unknown or too old', async () => {
    const eventId = await createEvent({ problems })
    const person = await createParticipant(eventId)
    for (const url of [`/v1/events/${eventId}/changes`, '/v1/user/changes']) {
      for (const lastId of ['', 'unknown', 'AAAA'.repeat(40), 'x'.repeat(9000)]) {
        const stream = await openStream(service.app, { url, token: person.token, lastId })
        await stream.until('reset')
        expect(stream.events.map(({ name }) => name)).toEqual(['ready', 'reset'])
        expect(stream.lastId()).not.toBe(lastId)
        await stream.leave()
      }
    }
  })

  it('gets nothing of others, nor of questions that it may not see', async () => {
    const eventId = await createEvent({ clarifications: 'staff', problems })
    const [person, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const url = `/v1/events/${eventId}/changes`
    const first = await openStream(service.app, { url, token: person.token })
    await first.until('ready')
    await first.leave()
    await submit(rival, { event_id: eventId })
    await rival.post(`/v1/events/${eventId}/questions`, { question: 'Secret?' })
    const own = await submit(person, { event_id: eventId })
    const { id } = await admin.post(`/v1/events/${eventId}/announcements`, { announcement: 'Lunch' })
    const stream = await openStream(service.app, { url, token: person.token, lastId: first.lastId() })
    await stream.until('submission', { submission_id: own })
    await stream.until('announcement', { question_id: id })
    await stream.until('notification', { question_id: id })
    const told = stream.events.filter(({ name }) => name !== 'tags')
    // An event may come twice.
    const names = [...new Set(told.map(({ name }) => name))].sort()
    expect(names).toEqual(['announcement', 'notification', 'ready', 'submission'])
  })

  it('keeps its position up to date without events of its own, by comments', async () => {
    const { app } = await service.openBeside({ liveTimes: { pingMs: 60, checkMs: 60 } })
    const person = await service.createPerson()
    const stream = await openStream(app, { url: '/v1/user/changes', token: person.token })
    await stream.until('ready')
    const before = stream.lastId()
    await submit(contests.user)
    await expect.poll(() => stream.lastId() !== before).toBe(true)
    expect(stream.events).toHaveLength(1)
    expect(stream.comments()).toBeGreaterThan(0)
  })
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
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const eventId = await createEvent({ freeze_time: isoIn(-1), problems })
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
