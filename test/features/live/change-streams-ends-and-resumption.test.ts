import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Queryable } from '../../../src/db/database.ts'
import {
  type AudienceMember,
  Audiences,
  readFirstState,
} from '../../../src/features/live/change-streams/audiences.ts'
import { POLLED } from '../../../src/features/live/change-streams/polled.ts'
import { ActorDatabase } from '../../../src/http/routing/actor.ts'
import { createTokens } from '../../../src/http/routing/tokens.ts'
import { LIVE_TIMES, viewerOf } from '../../../src/http/server/live-connections.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, type Person } from '../../support/app.ts'
import { createInvitedContest, isoIn, serviceWithContests } from '../../support/contests.ts'
import { keepLog } from '../../support/queue.ts'
import { type OpenStream, openStream } from '../../support/streams.ts'
import { untilWithoutTime } from '../../support/until.ts'

const contests = await serviceWithContests()
const { service, admin, problem, submit, giveVerdict, createEvent, createParticipant } = contests
const beside = await service.openBeside()
const problems = [{ problem_id: problem.id }]

const eventStream = (eventId: number, { token }: { readonly token?: string } = {}) =>
  openStream(service.app, { url: `/v1/events/${eventId}/changes`, token })

const userStream = ({ token }: { readonly token: string }) =>
  openStream(service.app, { url: '/v1/user/changes', token })

/** Expects that the change ends the streams, and no other one. */
async function expectEnd(streams: readonly OpenStream[], change: () => Promise<unknown>, other?: OpenStream) {
  for (const stream of streams) await stream.until('ready')
  expect(streams.map((stream) => stream.hasEnded())).toEqual(streams.map(() => false))
  await change()
  await Promise.all(streams.map((stream) => stream.untilEnded()))
  expect(other?.hasEnded() ?? false).toBe(false)
}

async function issueExpiring({ id }: Person): Promise<string> {
  const tokens = await createTokens({
    ...{ secret: JWT_SIGNING_SECRET, judgePassword: JUDGE_PASSWORD },
    ...{ userTtlSeconds: 3600, judgeTtlSeconds: undefined },
  })
  return tokens.issueUserToken({ id, isAdmin: false, sessionVersion: 1 })
}

/** Each ends streams, by its reason. They run together, because each takes seconds. */
const reasons: Readonly<Record<string, () => Promise<void>>> = {
  'its user was deleted': async () => {
    const eventId = await createEvent()
    const person = await createParticipant(eventId)
    const streams = [await eventStream(eventId, person), await userStream(person)]
    const other = await eventStream(eventId, await createParticipant(eventId))
    await expectEnd(streams, () => contests.deleteUser(person), other)
  },

  'its user got a new password': async () => {
    const eventId = await createEvent()
    const person = await createParticipant(eventId)
    const streams = [await eventStream(eventId, person), await userStream(person)]
    const password = { password: 'another password' }
    await expectEnd(streams, () => admin.put(`/v1/users/${person.id}/password`, password))
  },

  'its user became an admin, or is none any more': async () => {
    const eventId = await createEvent()
    const [person, former] = [await createParticipant(eventId), await service.createPerson({ admin: true })]
    const streams = [await eventStream(eventId, person), await eventStream(eventId, former)]
    streams.push(await userStream(former))
    await expectEnd(streams, async () => {
      await admin.put(`/v1/users/${person.id}`, { is_admin: true })
      await admin.put(`/v1/users/${former.id}`, { is_admin: false })
    })
  },

  'its user left the staff of the contest, or joined it': async () => {
    const [former, later] = [await service.createPerson(), await service.createPerson()]
    const eventId = await createEvent({ staff: [former.id] })
    const streams = [await eventStream(eventId, former), await eventStream(eventId, later)]
    const other = await eventStream(eventId, await createParticipant(eventId))
    await expectEnd(streams, () => admin.put(`/v1/events/${eventId}`, { staff: [later.id] }), other)
  },

  'its user was removed from a closed contest': async () => {
    const { id, url, manager, insider, mate } = await createInvitedContest(contests)
    const other = await eventStream(id, mate)
    const change = () => manager.delete(`${url}/participants/${insider.id}`)
    await expectEnd([await eventStream(id, insider)], change, other)
    expect(await eventStream(id, insider)).toMatchObject({ status: 404 })
  },

  'the contest was closed, or is no longer public': async () => {
    const eventId = await createEvent({ scoreboard: 'public' })
    const outsider = await service.createPerson()
    const streams = [await eventStream(eventId), await eventStream(eventId, outsider)]
    const change = () => admin.put(`/v1/events/${eventId}`, { admission: 'invited', scoreboard: 'users' })
    await expectEnd(streams, change)
    expect(await eventStream(eventId)).toMatchObject({ status: 401 })
  },

  'the contest was deleted': async () => {
    const eventId = await createEvent()
    const readers = [await createParticipant(eventId), admin]
    const streams = await Promise.all(readers.map((reader) => eventStream(eventId, reader)))
    await expectEnd(streams, () => contests.deleteEvent(eventId))
  },
}

it('looks at tokens and access twice in the 5 s within which a stream must end (P25)', () => {
  expect(2 * LIVE_TIMES.checkMs).toBeLessThan(5000)
})

it('a stream ends after its token expired', async () => {
  const eventId = await createEvent()
  const token = await issueExpiring(await createParticipant(eventId))
  const streams = [await eventStream(eventId, { token }), await userStream({ token })]
  try {
    await expectEnd(streams, async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
    })
    expect(await userStream({ token })).toMatchObject({ status: 401 })
  } finally {
    vi.useRealTimers()
  }
})

it('a stream ends after its account or its access does', async () => {
  const run = async ([reason, end]: [string, () => Promise<void>]) => {
    await end().catch((err: unknown) => {
      throw new Error(`a stream must end after ${reason}`, { cause: err })
    })
  }
  await Promise.all(Object.entries(reasons).map(run))
})

it('an instance that stops ends its streams at once and in order, and refuses new ones (503); another one goes on', async () => {
  const { app } = await service.openBeside()
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const eventId = await createEvent()
  const person = await createParticipant(eventId)
  const headers = { authorization: person.token }
  const address = `${url}/v1/events/${eventId}/changes`
  const response = await fetch(address, { headers })
  expect(response.headers.get('connection')).toBe('close')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toMatch(/^event: ready\n/)
  const closed = app.close()
  // A stream that was cut off would throw.
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read());
  await expect(fetch(address, { headers })).rejects.toThrow()
  await closed
  await (await eventStream(eventId, person)).until('ready')
})

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
        expected.set(id, each % 2 === 0 ? 'WRONG_ANSWER' : 'PENDING')
        if (each % 2 === 0) await giveVerdict(id, 'WRONG_ANSWER')
        if (each % 5 === 0) {
          const { id } = await admin.post(`/v1/events/${eventId}/questions`, { question: `${each}` })
          questions.push(id)
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
    for (const url of [`/v1/events/${eventId}/changes`, '/v1/user/changes'])
      for (const lastId of ['', 'unknown', 'AAAA'.repeat(40), 'x'.repeat(9000)]) {
        const stream = await openStream(service.app, { url, token: person.token, lastId })
        await stream.until('reset')
        expect(stream.events.map(({ name }) => name)).toEqual(['ready', 'reset'])
        expect(stream.lastId()).not.toBe(lastId)
        await stream.leave()
      }
  })

  it('gets nothing of others, nor of questions that it may not see', async () => {
    const eventId = await createEvent({ clarifications: 'staff', problems })
    const [person, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const url = `/v1/events/${eventId}/changes`
    const first = await eventStream(eventId, person)
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
    // An event may come twice.
    const names = new Set(stream.events.filter(({ name }) => name !== 'tags').map(({ name }) => name))
    expect([...names].sort()).toEqual(['announcement', 'notification', 'ready', 'submission'])
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

/** An audience of one person, whose time only `noteAndPass` moves. */
async function watch(eventId: number, { id }: Person) {
  let reads = 0
  const database: Queryable = {
    query: (...asked) => service.database.query(...asked).finally(() => (reads += 1)),
  }
  const actor = { id, role: 0, sessionVersion: 1 } as const
  const { state } = await readFirstState(new ActorDatabase(service.database, actor), actor.id, eventId)
  const written: string[] = []
  const member: AudienceMember = {
    viewer: { ...viewerOf(actor, eventId), eventId },
    connection: { write: (text) => void written.push(text), end: () => {} },
    state,
  }
  const audiences = new Audiences(database, keepLog())
  audiences.join(member)
  return {
    told: () => written.filter((text) => text.includes('event: tags')).length,
    /** Notes a change, and lets time pass until the state is read. */
    async noteAndPass(ms: number, expectedReads: number) {
      audiences.touch(eventId)
      await vi.advanceTimersByTimeAsync(ms)
      await untilWithoutTime(() => reads === expectedReads * (1 + POLLED.length))
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
