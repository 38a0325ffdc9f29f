import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { isoIn, over, running, scheduled, serviceWithContests, setTimes } from '../../support/contests.ts'
import { NO_PROBLEM, NOBODY } from '../../support/ids.ts'
import { expectRefused, type Language, submissionBody } from '../../support/judging.ts'
import { expectSince } from '../../support/moments.ts'
import { invalidField, notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, submit, createEvent, createParticipant } = contests
const { anonymous, judge } = service
const language = contests.language.id

const times = { start_time: '2096-04-01T18:00:00Z', end_time: '2096-04-01T20:00:00Z' }
const rules = {
  freeze_time: '2096-04-01T19:00:00Z',
  penalty_minutes: 0,
  admission: 'invited',
  scoreboard: 'public',
  clarifications: 'staff',
  enforce_languages: true,
  scoring: 'points',
  medals: { gold: 1, silver: 0, bronze: 1000 },
  staff: [user.id],
}

const readEvent = (id: number) => admin.get(`/v1/events/${id}`)

describe('the rules of a contest (P20)', () => {
  it('are stored at creation, are in every view of the event, and change one by one; null removes them, and events without rules show none', async () => {
    const id = await createEvent({ ...times, ...rules, languages: [language] })
    expect(await readEvent(id)).toMatchObject(rules)
    expect(await stranger.get(`/v1/public/events/${id}`)).toMatchObject(rules)
    for (const url of ['/v1/events', '/v1/public/events'])
      expect((await admin.get(url)).find((event: { id: number }) => event.id === id)).toMatchObject(rules)
    const changed = { admission: 'open', freeze_time: null, staff: null, medals: null, penalty_minutes: 5 }
    const { freeze_time, staff, medals, ...kept } = rules
    const event = await admin.put(`/v1/events/${id}`, changed)
    for (const shown of [event, await readEvent(id)]) {
      expect(shown).toMatchObject({ title: event.title, ...kept, admission: 'open', penalty_minutes: 5 })
      for (const field of ['freeze_time', 'staff', 'medals']) expect(shown).not.toHaveProperty(field)
    }
    const bare = await readEvent(await createEvent(times))
    expect(Object.keys(bare).filter((field) => field in rules)).toEqual([])
  })

  const late = refusal(400, '400', 'freeze_time must not be after end_time')
  const noMedals = refusal(400, '400', expect.stringContaining('medals'))
  const uuids = 'languages must be UUIDs, at least one, where enforce_languages is true'
  const numbers = refusal(400, '400', uuids)
  it('refuse a wrong freeze, languages, medals or staff (400, 404), at creation and in an update, and change nothing', async () => {
    const id = await createEvent({ ...times, languages: [1], freeze_time: times.end_time })
    const before = await readEvent(id)
    for (const [fields, expected] of [
      [{ freeze_time: '2096-04-01T20:00:01Z' }, late],
      [{ freeze_time: times.end_time, end_time: '2096-04-01T19:00:00Z' }, late],
      [{ enforce_languages: true, languages: [1] }, numbers],
      [{ enforce_languages: true }, numbers],
      [{ medals: { gold: 1, silver: 1, bronze: 1001 } }, noMedals],
      [{ medals: { gold: 1, silver: 1 } }, noMedals],
      [{ staff: [user.id, NOBODY] }, notFound('user')],
    ] as const) {
      await admin.post('/v1/events', { title: 'Refused', ...times, ...fields }, expected)
      await admin.put(`/v1/events/${id}`, { title: 'Changed', ...fields }, expected)
    }
    await admin.put(`/v1/events/${id}`, { title: 'Changed', end_time: '2096-04-01T19:00:00Z' }, late)
    expect(await readEvent(id)).toEqual(before)
  })

  it('lose a freeze that has not begun when the event is ended early', async () => {
    const id = await createEvent({ ...running(), freeze_time: isoIn(30) })
    expect(await admin.post(`/v1/events/${id}/end`)).not.toHaveProperty('freeze_time')
  })
})

const [, other]: [Language, Language] = await service.anonymous.get('/v1/languages')

const createWithProblem = (fields: object) =>
  createEvent({ problems: [{ problem_id: problem.id }], ...fields })

it('refuses a language that the contest does not name, and no other one, where it enforces its languages (400)', async () => {
  const languages = [language.toUpperCase()]
  const event_id = await createWithProblem({ languages, enforce_languages: true })
  await submit(user, { event_id })
  const error = `The event does not allow ${other.name}: see its languages`
  await expectRefused(contests, [user, { event_id, language_id: other.id }, refusal(400, '400', error)])
  await submit(user, { language_id: other.id })
  await user.post('/v1/input_submissions', { ...submissionBody(user, problem, other), stdin: '' }, 201)
  await admin.put(`/v1/events/${event_id}`, { enforce_languages: null }, 200)
  await submit(user, { event_id, language_id: other.id })
  for (const enforce_languages of [false, null])
    await submit(user, { event_id: await createWithProblem({ languages: [1], enforce_languages }) })
})

const GONE = 'A0000000-0000-4000-8000-000000000001'
const mustExist = 'languages must be languages of the service where enforce_languages is true'
const unknown = refusal(400, '400', `${mustExist}: there is no ${GONE} in GET /v1/languages`)

describe('the languages that a contest enforces', () => {
  const change = (id: number, fields: object, expected?: Expected) =>
    admin.put(`/v1/events/${id}`, fields, expected)
  const read = (id: number) => admin.get(`/v1/events/${id}`)
  const enforced = { enforce_languages: true, languages: [language] }

  it('must be languages of the service, at the creation and in an update (400), but may be retired later', async () => {
    const event = { title: 'Refused', start_time: isoIn(-1), end_time: isoIn(1) }
    const fields = { enforce_languages: true, languages: [language, GONE] }
    await admin.post('/v1/events', { ...event, ...fields }, unknown)
    for (const first of [{}, enforced, { languages: [GONE] }]) {
      const id = await createWithProblem(first)
      const before = await read(id)
      await change(id, { title: 'Changed', ...fields }, unknown)
      expect(await read(id)).toEqual(before)
    }
    await change(await createWithProblem({ languages: [GONE] }), { enforce_languages: true }, unknown)
    await change(await createWithProblem(enforced), { languages: [GONE] }, unknown)
    await createWithProblem({ languages: [GONE], enforce_languages: false })
    const retired = await admin.post('/v1/languages', { name: 'Python', extension: 'py', version: 'retired' })
    const kept = { enforce_languages: true, languages: [retired.id, language] }
    const one = await createWithProblem(kept)
    await admin.delete(`/v1/languages/${retired.id}`, 204)
    expect(await change(one, { title: 'Renamed', ...kept })).toMatchObject({ title: 'Renamed', ...kept })
    await change(await createWithProblem({}), kept, invalidField('languages'))
  })

  it('change with an update; without the rule they are ignored', async () => {
    const id = await createWithProblem(enforced)
    const languages = [other.id.toUpperCase()]
    expect(await change(id, { languages })).toMatchObject({ languages, enforce_languages: true })
    expect(await read(id)).toMatchObject({ languages })
    await submit(user, { event_id: id, language_id: other.id })
    await expectRefused(contests, [user, { event_id: id }, invalidField('The event does not allow')])
    await change(id, { languages: [1] }, invalidField('languages'))
    await change(id, { languages: [] }, invalidField('languages'))
    expect(await change(id, { languages: null })).toMatchObject({ languages })
    expect(await change(id, { languages: [1], enforce_languages: null })).toMatchObject({ languages: [1] })
    const free = await createWithProblem({ languages: [3] })
    expect(await change(free, { languages: [language] })).toMatchObject({ languages: [3] })
    expect(await change(free, enforced)).toMatchObject(enforced)
    const plain = await createWithProblem({ languages: [3] })
    const changed = { languages: [4], enforce_languages: false }
    expect(await change(plain, changed)).toMatchObject({ languages: [4] })
  })
})

const clockOf = (eventId: number) => `/v1/events/${eventId}/clock`
const stateOf = async (eventId: number): Promise<string> => (await user.get(clockOf(eventId))).state

const run = (sql: string, ...values: (string | number)[]) => service.database.query(unprepared(sql), values)
const giveMinutes = (userId: string, eventId: number, minutes: number) =>
  run(
    'update event_participants set extra_minutes = $3::integer where user_id = $1::uuid and event_id = $2::integer',
    ...[userId, eventId, minutes],
  )

const longTimes = { start_time: '2026-04-01T18:00:00Z', end_time: '2096-04-01T20:00:00Z' }
const missing = refusal(401, 'UNAUTHORIZED', 'The Authorization header must carry a credential')

describe('the clock of an event (P20)', () => {
  it('has the present time of the service, the times of the event, and the end of a caller who has more time than others', async () => {
    const freeze_time = '2096-04-01T19:00:00Z'
    const id = await createEvent({ ...longTimes, freeze_time })
    const sentAt = Date.now()
    const { now, ...clock } = await user.get(clockOf(id))
    expectSince(sentAt, now)
    const own_end_time = longTimes.end_time
    expect(clock).toEqual({ event_id: id, ...longTimes, freeze_time, own_end_time, state: 'running' })
    expect(await user.get(clockOf(await createEvent(longTimes)))).not.toHaveProperty('freeze_time')
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

it('the clock is limited by no rate: spectators of one network share an address', () => {
  const route = service.routes.find(({ name }) => name === 'readEventClock')
  expect(route).toMatchObject({ limit: 'none', policy: 'user, or none if public' })
})
