import { expect, it, vi } from 'vitest'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { LIVE_TIMES } from '../../src/http/server/live-connections.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, type Person } from '../support/app.ts'
import { serviceWithContests } from '../support/contests.ts'
import { createInvitedContest } from '../support/invited-contest.ts'
import { type OpenStream, openStream } from '../support/streams.ts'

const contests = await serviceWithContests()
const { service, admin, createEvent, createParticipant } = contests

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

/** A token that expires after an hour. */
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
    const change = () => admin.put(`/v1/events/${eventId}`, { staff: [later.id] })
    await expectEnd(streams, change, other)
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
  const first = await reader?.read()
  expect(first?.value).toMatch(/^event: ready\n/)
  const closed = app.close()
  // A stream that was cut off would throw.
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read());
  await expect(fetch(address, { headers })).rejects.toThrow()
  await closed
  await (await eventStream(eventId, person)).until('ready')
})
