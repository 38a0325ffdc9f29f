import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Caller } from '../support/caller.ts'
import { isoIn, over, running, scheduled, serviceWithContests, setTimes } from '../support/contests.ts'
import { NO_PROBLEM } from '../support/ids.ts'
import { refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { service, admin, user, createEvent, createParticipant } = contests
const { anonymous, judge } = service

const clockOf = (eventId: number) => `/v1/events/${eventId}/clock`
const stateOf = async (eventId: number): Promise<string> => (await user.get(clockOf(eventId))).state

const run = (sql: string, ...values: (string | number)[]) => service.database.query(unprepared(sql), values)
const giveMinutes = (userId: string, eventId: number, minutes: number) =>
  run(
    'update event_participants set extra_minutes = $3::integer where user_id = $1::uuid and event_id = $2::integer',
    ...[userId, eventId, minutes],
  )

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2096-04-01T20:00:00Z' }
const missing = refusal(401, 'UNAUTHORIZED', 'The Authorization header must carry a credential')

describe('the clock of an event (P20)', () => {
  it('has the present time of the service, the times of the event, and the end of a caller who has more time than others', async () => {
    const freeze_time = '2096-04-01T19:00:00Z'
    const id = await createEvent({ ...times, freeze_time })
    const before = Date.now()
    const { now, ...clock } = await user.get(clockOf(id))
    expect(Date.parse(now)).toBeGreaterThanOrEqual(before - 1)
    expect(Date.parse(now)).toBeLessThanOrEqual(Date.now())
    const own_end_time = times.end_time
    expect(clock).toEqual({ event_id: id, ...times, freeze_time, own_end_time, state: 'running' })
    expect(await user.get(clockOf(await createEvent(times)))).not.toHaveProperty('freeze_time')
    const person = await createParticipant(id)
    await giveMinutes(person.id, id, 45)
    expect(await person.get(clockOf(id))).toMatchObject({ own_end_time: '2096-04-01T20:45:00Z' })
    for (const other of [user, admin, judge])
      expect(await other.get(clockOf(id))).toMatchObject({ own_end_time: '2096-04-01T20:00:00Z' })
  })

  it('is scheduled, running, frozen from the freeze to the thaw, or ended', async () => {
    for (const [fields, state, thawed] of [
      [scheduled(), 'scheduled', 'scheduled'],
      [{ ...scheduled(), freeze_time: isoIn(-1) }, 'scheduled', 'scheduled'],
      [running(), 'running', 'running'],
      [{ ...running(), freeze_time: isoIn(30) }, 'running', 'running'],
      [{ ...running(), freeze_time: isoIn(-1) }, 'frozen', 'running'],
      [{ ...over(), freeze_time: isoIn(-90) }, 'frozen', 'ended'],
      [over(), 'ended', 'ended'],
    ] as const) {
      const id = await createEvent(fields)
      const before = await stateOf(id)
      await run('update events set thawed_at = now() where id = $1', id)
      expect([before, await stateOf(id)]).toEqual([state, thawed])
    }
  })

  it('runs until the end of the participant with the most time, unless that one was removed; it is ended, without extra time, if the event was ended before its start', async () => {
    const id = await createEvent(running())
    const [slow, slower] = [await createParticipant(id), await createParticipant(id)]
    await giveMinutes(slow.id, id, 10)
    await giveMinutes(slower.id, id, 30)
    const endedFor = async (minutes: number) => {
      await setTimes(contests, id, -120, -minutes)
      return stateOf(id)
    }
    const states = [await endedFor(5), await endedFor(20), await endedFor(31)]
    expect(states).toEqual(['running', 'running', 'ended'])
    await run('update event_participants set removed_at = now() where user_id = $1::uuid', slower.id)
    expect([await endedFor(5), await endedFor(20)]).toEqual(['running', 'ended'])
    const early = await createEvent(scheduled())
    await giveMinutes((await createParticipant(early)).id, early, 600)
    await admin.post(`/v1/events/${early}/end`)
    const clock = await user.get(clockOf(early))
    expect([clock.state, clock.extra_time]).toEqual(['ended', undefined])
  })

  it.each(['running', 'frozen'])(
    'says to all in a %s contest that somebody may still submit, only from the end until their end',
    async (state) => {
      const freeze = state === 'frozen' ? { freeze_time: isoIn(-90) } : {}
      const id = await createEvent({ ...running(), scoreboard: 'public', ...freeze })
      const slow = await createParticipant(id)
      const clock = (caller: Caller) => caller.get(clockOf(id))
      const sinceEnd = async (minutes: number) => {
        await setTimes(contests, id, -120, -minutes)
        const clocks = [await clock(anonymous), await clock(user), await clock(slow), await clock(admin)]
        return clocks.map((body) => body.extra_time)
      }
      expect(await sinceEnd(5)).toEqual(Array(4).fill(undefined))
      await giveMinutes(slow.id, id, 30)
      expect(await sinceEnd(-5)).toEqual(Array(4).fill(undefined))
      expect(await sinceEnd(5)).toEqual(Array(4).fill(true))
      expect(await clock(anonymous)).toMatchObject({ state })
      expect(await clock(anonymous)).toEqual({ ...(await clock(user)), now: expect.any(String) })
      expect(await sinceEnd(31)).toEqual(Array(4).fill(undefined))
    },
  )
})

it('without a token the clock of an event (P20) is a 401 if the scoreboard is not public, for unknown and deleted events, and for an Authorization header that is not valid; a malformed id is a 400', async () => {
  const events: number[] = []
  for (const scoreboard of ['users', 'participants', undefined, 'public'])
    events.push(await createEvent({ scoreboard }))
  await contests.deleteEvent(events[3] ?? 0)
  for (const id of [...events, NO_PROBLEM]) await anonymous.get(clockOf(id), missing)
  for (const id of events.slice(0, 3)) await user.get(clockOf(id), 200)
  await anonymous.get('/v1/events/x/clock', 400)
  const url = clockOf(await createEvent({ scoreboard: 'public' }))
  const gone = await service.createPerson()
  await contests.deleteUser(gone)
  for (const [token, code] of [
    ['', 'UNAUTHORIZED'],
    ['nonsense', 'MALFORMED_TOKEN'],
    [`Bearer ${user.token}`, 'MALFORMED_TOKEN'],
    [gone.token, 'ACCOUNT_DELETED'],
    [(await contests.withOldToken(user)).token, 'TOKEN_EXPIRED'],
  ] as const)
    await service.as(token).get(url, refusal(401, code))
})
