import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Caller } from '../../support/caller.ts'
import { createContest, isoIn, serviceWithContests } from '../../support/contests.ts'
import { expectSince } from '../../support/moments.ts'
import { forbidden, invalidField, notFound, unauthorized } from '../../support/refusals.ts'
import { storeSubmission } from '../../support/standings.ts'

const contests = await serviceWithContests()
const { service, admin, user, stranger, problem } = contests
const staff = await service.createPerson()

/** Creates a frozen, closed contest; a user solved its problem in the freeze. */
async function createFrozen(fields: object = {}): Promise<number> {
  const times = { start_time: isoIn(-180), end_time: isoIn(-60), freeze_time: isoIn(-120) }
  const rules = { admission: 'invited', scoreboard: 'participants', staff: [staff.id] }
  const problems = [{ problem_id: problem.id }]
  const eventId = await createContest(contests, problems, { ...times, ...rules, ...fields })
  await admin.put(`/v1/events/${eventId}/participants/${user.id}`, { hidden: false })
  const solution = { user_id: user.id, problem_id: problem.id, minute: 70, status: 'ACCEPTED' }
  await storeSubmission(service, eventId, { ...solution, id: uuidv7() })
  return eventId
}

const tokensOf = (eventId: number) => `/v1/events/${eventId}/scoreboard_tokens`
const scoreboardOf = (eventId: number) => `/v1/scoreboard/${eventId}`

async function createClient(eventId: number): Promise<Caller & { readonly id: string }> {
  const { id, token } = await staff.post(tokensOf(eventId), {}, 201)
  return { ...service.as(token), id }
}

const eventId = await createFrozen()

describe('a scoreboard token (P29)', () => {
  it('reads and polls the standings as spectators see them, also in a closed contest; by team only in a contest with teams (400)', async () => {
    const client = await createClient(eventId)
    const url = `${scoreboardOf(eventId)}/standings`
    const { body, headers } = await client.send('GET', url)
    expect(body.rows).toMatchObject([{ user: { name: user.name }, solved: 0, cells: [{ pending: 1 }] }])
    const again = { 'if-none-match': headers.etag ?? '' }
    expect(await client.send('GET', url, undefined, again)).toMatchObject({ status: 304 })
    await client.get(`${url}?by=team`, invalidField('by'))
    await admin.put(`/v1/events/${eventId}`, { scoreboard: 'public' })
    expect(body.rows).toEqual((await service.anonymous.get(`/v1/events/${eventId}/standings`)).rows)
    await admin.put(`/v1/events/${eventId}`, { scoreboard: 'participants' })
  })

  it('reads the title, the times and the state, and nothing of the caller', async () => {
    const sentAt = Date.now()
    const { now, ...clock } = await (await createClient(eventId)).get(`${scoreboardOf(eventId)}/clock`)
    const { title, teams, start_time, freeze_time, end_time } = await admin.get(`/v1/events/${eventId}`)
    const times = { start_time, freeze_time, end_time }
    expect(clock).toEqual({ event_id: eventId, title, teams, ...times, state: 'frozen' })
    expectSince(sentAt, now)
  })

  it('sees that a frozen contest goes on after the end for somebody with extra time', async () => {
    const id = await createFrozen({ end_time: isoIn(30) })
    const client = await createClient(id)
    const isExtraTime = async () => (await client.get(`${scoreboardOf(id)}/clock`)).extra_time
    await staff.put(`/v1/events/${id}/participants/${user.id}`, { extra_minutes: 30 }, 200)
    expect(await isExtraTime()).toBeUndefined()
    await admin.post(`/v1/events/${id}/end`)
    expect(await isExtraTime()).toBe(true)
    await staff.put(`/v1/events/${id}/participants/${user.id}`, { extra_minutes: 0 }, 200)
    expect(await isExtraTime()).toBeUndefined()
  })

  it('is refused on another contest, after it was revoked, also with If-None-Match, and after the contest was deleted (401)', async () => {
    const other = await createFrozen()
    const [client, revoked] = [await createClient(other), await createClient(other)]
    const { headers } = await revoked.send('GET', `${scoreboardOf(other)}/standings`)
    await staff.delete(`${tokensOf(other)}/${revoked.id}`, 204)
    const again = { 'if-none-match': headers.etag ?? '' }
    const repeated = await revoked.send('GET', `${scoreboardOf(other)}/standings`, undefined, again)
    expect(repeated).toMatchObject(unauthorized)
    const expectRefusal = async (each: Caller, id: number) => {
      for (const path of ['standings', 'standings?by=team', 'clock'])
        await each.get(`${scoreboardOf(id)}/${path}`, unauthorized)
    }
    await expectRefusal(client, eventId)
    await expectRefusal(revoked, other)
    await client.get(`${scoreboardOf(other)}/clock`, 200)
    await admin.delete(`/v1/events/${other}`, 204)
    await expectRefusal(client, other)
  })

  it('is in the database only as a hash', async () => {
    const { token } = await staff.post(tokensOf(eventId), { label: 'Hall' }, 201)
    const select = unprepared<{ row: string }>('select scoreboard_tokens::text as row from scoreboard_tokens')
    const rows = (await service.database.query(select, [])).map(({ row }) => row)
    expect(rows.some((row) => row.includes('Hall'))).toBe(true)
    expect(rows.filter((row) => row.includes(token))).toEqual([])
  })
})

describe('the scoreboard tokens of a contest', () => {
  it('are listed for staff with their labels, oldest first, without the tokens', async () => {
    const own = await createFrozen()
    const { token: first, ...hall } = await staff.post(tokensOf(own), { label: 'Hall' }, 201)
    const { token: second, ...other } = await admin.post(tokensOf(own), undefined, 201)
    for (const token of [first, second]) expect(token).toMatch(/^[\w-]{43}$/)
    expect(first).not.toBe(second)
    expect(await staff.get(tokensOf(own))).toEqual([hall, other])
    expect(hall).toMatchObject({ event_id: own, label: 'Hall', created_by: staff.id })
    expect(other).not.toHaveProperty('label')
    await staff.delete(`${tokensOf(own)}/${hall.id}`, 204)
    expect(await staff.get(tokensOf(own))).toEqual([other])
  })

  it('are for staff only (403), and of one contest (404)', async () => {
    const { id } = await staff.post(tokensOf(eventId), {}, 201)
    for (const person of [user, service.as(service.judgeToken)]) {
      await person.post(tokensOf(eventId), {}, forbidden)
      await person.get(tokensOf(eventId), forbidden)
      await person.delete(`${tokensOf(eventId)}/${id}`, forbidden)
    }
    // The contest is for invited people.
    await stranger.get(tokensOf(eventId), notFound('event'))
    const other = await createFrozen()
    await staff.delete(`${tokensOf(other)}/${id}`, notFound('scoreboard token of the event'))
    await staff.delete(`${tokensOf(eventId)}/${uuidv7()}`, notFound('scoreboard token of the event'))
    expect(await staff.get(tokensOf(eventId))).toContainEqual(expect.objectContaining({ id }))
  })
})

describe('the standings without a token (P22)', () => {
  const { anonymous } = service
  const files = ['standings', 'standings.csv']

  it.each(['open', 'invited'])(
    'are the same as with one if the scoreboard is public, and closed as soon as it is not (401): admission %s',
    async (admission) => {
      const url = `/v1/events/${await createFrozen({ admission, scoreboard: 'public' })}`
      for (const path of files) {
        const { status, text, headers } = await anonymous.send('GET', `${url}/${path}`)
        const { text: withToken } = await user.send('GET', `${url}/${path}`)
        expect([status, text]).toEqual([200, withToken])
        expect(text).toContain(user.name)
        const again = { 'if-none-match': headers.etag ?? '' }
        expect(await anonymous.send('GET', `${url}/${path}`, undefined, again)).toMatchObject({ status: 304 })
      }
      await admin.put(url, { scoreboard: 'users' })
      for (const path of files) await anonymous.get(`${url}/${path}`, unauthorized)
    },
  )

  it.each([undefined, 'users', 'participants'])(
    'are closed with the scoreboard %s (401), as those of an unknown contest',
    async (scoreboard) => {
      const url = `/v1/events/${await createFrozen({ admission: 'open', scoreboard })}`
      for (const path of files) {
        await user.get(`${url}/${path}`, 200)
        for (const each of [url, '/v1/events/2147483647'])
          await anonymous.get(`${each}/${path}`, unauthorized)
      }
    },
  )
})
