import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Expected } from '../../support/caller.ts'
import { contestUrl, refused, registerWithPassword } from '../../support/contest-api.ts'
import {
  createInvitedContest,
  isoIn,
  over,
  running,
  scheduled,
  serviceWithContests,
  setTimes,
} from '../../support/contests.ts'
import { expectSince } from '../../support/moments.ts'
import { onPostgres } from '../../support/needs.ts'
import { collideAt } from '../../support/row-lock.ts'

const contests = await serviceWithContests()
const { service, admin, user, stranger, createEvent } = contests

const frozen = () => ({ ...over(), freeze_time: isoIn(-90) })
const withOwner = (fields: object) => createEvent({ user_id: user.id, ...fields })
const plus = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString()

describe('the start of a contest over the Contest API (P26)', () => {
  it('moves with the end and the freeze, for its owner, its staff and admins', async () => {
    const first = isoIn(60)
    const times = { start_time: first, end_time: plus(first, 7_200_000), freeze_time: plus(first, 5_400_000) }
    const eventId = await withOwner({ ...times, staff: [stranger.id], penalty_minutes: 5 })
    const read = () => admin.get(`/v1/events/${eventId}`)
    const before = await read()
    for (const [caller, minutes] of [[user, 90] as const, [stranger, 30] as const, [admin, 600] as const]) {
      const start_time = isoIn(minutes)
      const change = { id: `${eventId}`, start_time, name: 'Ignored', countdown_pause_time: null }
      const moved = await caller.patch(contestUrl(eventId), change, 200)
      const spans = { duration: '2:00:00.000', scoreboard_freeze_duration: '0:30:00.000' }
      expect(moved).toMatchObject({ start_time, ...spans })
      expect(moved).toEqual(await caller.get(contestUrl(eventId)))
      const { end_time, freeze_time, ...others } = await read()
      expect({ ...before, ...others, start_time: before.start_time }).toEqual(before)
      expect(Date.parse(end_time)).toBe(Date.parse(start_time) + 7_200_000)
      expect(Date.parse(freeze_time)).toBe(Date.parse(start_time) + 5_400_000)
    }
  })

  it('moves in a contest without a freeze, may have any offset, and cannot be removed or paused (403, with the reason)', async () => {
    const eventId = await withOwner(scheduled())
    for (const [sent, shown] of [
      ['2090-06-25T10:00:00+01', '2090-06-25T09:00:00.000Z'],
      ['2090-06-25T10:00:00.125-05:30', '2090-06-25T15:30:00.125Z'],
      ['2090-06-25T10:00:00Z', '2090-06-25T10:00:00.000Z'],
    ]) {
      const moved = await user.patch(contestUrl(eventId), { id: `${eventId}`, start_time: sent })
      expect(moved).toMatchObject({ start_time: shown, duration: '1:00:00.000' })
      expect(await admin.get(`/v1/events/${eventId}`)).not.toHaveProperty('freeze_time')
    }
    const unsupported = refused(403, expect.stringMatching(/^The service does not support/))
    for (const countdown of [{}, { countdown_pause_time: '0:05:00' }, { countdown_pause_time: null }])
      await user.patch(contestUrl(eventId), { id: `${eventId}`, start_time: null, ...countdown }, unsupported)
  })

  it('stays where it is if the contest has started, or either start is within 30 seconds (403)', async () => {
    const start = (seconds: number) => isoIn(seconds / 60)
    const move = async (eventId: number, start_time: string, expected: Expected) =>
      user.patch(contestUrl(eventId), { id: `${eventId}`, start_time }, expected)
    for (const [from, to] of [
      [-5, 600],
      [20, 600],
      [600, 20],
      [600, -600],
    ] as const) {
      const eventId = await withOwner({ start_time: start(from), end_time: start(3600) })
      const before = await user.get(contestUrl(eventId))
      await move(eventId, start(to), refused(403))
      expect(await user.get(contestUrl(eventId))).toEqual(before)
    }
    await move(await withOwner({ start_time: start(120), end_time: start(3600) }), start(90), 200)
    const ended = await withOwner(scheduled())
    await admin.post(`/v1/events/${ended}/end`, undefined, 200)
    await move(ended, isoIn(60), refused(403))
    const last = '9999-01-01T00:00:00Z'
    await move(await withOwner({ start_time: isoIn(60), end_time: last }), last, refused(403))
  })
})

describe('a change of a contest over the Contest API (P26)', () => {
  it('is refused for users who are no staff, for judges (403) and without a credential (401)', async () => {
    const eventId = await withOwner(scheduled())
    const thawed = await withOwner(frozen())
    for (const [id, body] of [
      [eventId, { start_time: isoIn(90) }],
      [thawed, { scoreboard_thaw_time: isoIn(0) }],
    ] as const) {
      const change = { id: `${id}`, ...body }
      for (const caller of [stranger, service.judge])
        await caller.patch(contestUrl(id), change, refused(403, 'Only the staff of the event may do this'))
      await service.anonymous.patch(contestUrl(id), change, refused(401))
    }
    const { id, insider, outsider, manager } = await createInvitedContest(contests)
    await setTimes(contests, id, -120, -60)
    await admin.put(`/v1/events/${id}`, { freeze_time: isoIn(-90) }, 200)
    const thaw = { id: `${id}`, scoreboard_thaw_time: isoIn(0) }
    for (const caller of [insider, outsider]) await caller.patch(contestUrl(id), thaw, refused(403))
    await manager.patch(contestUrl(id), thaw, 200)
  })

  it('names the contest (404, 409) and what changes (400), is possible with HTTP Basic, and has no PUT and no DELETE (404)', async () => {
    const eventId = await withOwner(scheduled())
    const gone = await withOwner(frozen())
    await contests.deleteEvent(gone)
    const url = contestUrl(eventId)
    const start_time = isoIn(90)
    const id = `${eventId}`
    await admin.patch(contestUrl(gone), { id: `${gone}`, start_time }, refused(404))
    await admin.patch(contestUrl(2_000_000_000), { id: '2000000000', start_time }, refused(404))
    await user.patch(url, { id: `0${id}`, start_time }, refused(409, `id must be ${id}, as in the path`))
    await user.patch(url, { id: `${gone}`, start_time }, refused(409))
    const malformed: object[] = [
      { start_time },
      { id: eventId, start_time },
      ...[{}, { name: 'x' }, { start_time, scoreboard_thaw_time: start_time }, { start_time: 'soon' }],
      ...[{ start_time: 1 }, { scoreboard_thaw_time: null }, { scoreboard_thaw_time: 'now' }],
      ...[{ start_time, countdown_pause_time: '0:05:00' }, { countdown_pause_time: '0:05:00' }],
      { start_time: null, countdown_pause_time: '5 minutes' },
    ].map((body, place) => (place < 2 ? body : { id, ...body }))
    for (const body of malformed) await user.patch(url, body, refused(400))
    const owner = service.as(await registerWithPassword(contests, 'starter'))
    const { id: ownId } = await owner.get(`${contestUrl(eventId)}/account`)
    await admin.put(`/v1/events/${eventId}`, { staff: [ownId] }, 200)
    await owner.patch(contestUrl(eventId), { id: `${eventId}`, start_time: isoIn(90) }, 200)
    for (const path of ['', '/submissions', '/clarifications'])
      for (const method of ['PUT', 'DELETE'] as const)
        expect(await owner.send(method, `${contestUrl(eventId)}${path}`, {})).toMatchObject(refused(404))
  })
})

const removeFreeze = unprepared('update events set freeze_time = null where id = $1')

describe('the thaw over the Contest API (P23, P26)', () => {
  const thaw = (eventId: number, minutes = -1) => ({ id: `${eventId}`, scoreboard_thaw_time: isoIn(minutes) })

  it('happens at once and responds with the contest, but not for the future, before the end of the last participant, without a freeze and after a thaw (403)', async () => {
    const eventId = await withOwner(frozen())
    const message = expect.stringMatching(/^The service thaws at once/)
    await user.patch(contestUrl(eventId), thaw(eventId, 5), refused(403, message))
    expect(await user.get(`/v1/events/${eventId}/clock`)).toMatchObject({ state: 'frozen' })
    const early = await withOwner({ ...running(), freeze_time: isoIn(-30) })
    await user.patch(contestUrl(early), thaw(early), refused(403))
    const extended = await withOwner(frozen())
    await user.put(`/v1/events/${extended}/participants/${stranger.id}`, { extra_minutes: 120 }, 200)
    await user.patch(contestUrl(extended), thaw(extended), refused(403))
    const open = await withOwner(over())
    await user.patch(contestUrl(open), thaw(open), refused(403))
    const sentAt = Date.now()
    const shown = await user.patch(contestUrl(eventId), thaw(eventId, -30), 200)
    expect(shown).toEqual(await user.get(contestUrl(eventId)))
    expectSince(sentAt, shown.scoreboard_thaw_time)
    expect(await user.get(`/v1/events/${eventId}/clock`)).toMatchObject({ state: 'ended' })
    await user.patch(contestUrl(eventId), thaw(eventId), refused(403, 'The standings are not frozen'))
  })

  it('happens once of concurrent requests, over both interfaces', async () => {
    for (let round = 0; round < 3; round += 1) {
      const eventId = await withOwner(frozen())
      const responses = await Promise.all([
        user.send('PATCH', contestUrl(eventId), thaw(eventId)),
        admin.send('PATCH', contestUrl(eventId), thaw(eventId)),
        user.send('POST', `/v1/events/${eventId}/thaw`),
      ])
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status } of responses) expect([200, 403, 409]).toContain(status)
    }
  })

  it('waits for a change of the contest, and sees what it changed', onPostgres, async () => {
    const eventId = await withOwner(frozen())
    const lock = `select pg_advisory_xact_lock(7231901, $1::integer)`
    const [response] = await collideAt(service.databaseUrl, lock, `${eventId}`, [
      async () => {
        const sent = user.send('PATCH', contestUrl(eventId), thaw(eventId))
        await service.database.query(removeFreeze, [eventId])
        return sent
      },
    ])
    expect(response).toMatchObject(refused(403, 'The contest has no freeze_time'))
  })
})

it('lists capabilities that agree with what works (P26)', async () => {
  const eventId = await withOwner({ ...scheduled(), staff: [stranger.id] })
  const capabilities = async (caller: typeof service.anonymous, id = eventId): Promise<string[]> =>
    (await caller.get(`${contestUrl(id)}/access`)).capabilities.toSorted()
  const staff = ['admin_clar', 'contest_start', 'contest_thaw']
  const participant = await contests.createParticipant(eventId)
  for (const caller of [participant, await service.createPerson()])
    expect(await capabilities(caller)).toEqual(['post_clar', 'team_submit'])
  for (const caller of [user, stranger, admin])
    expect(await capabilities(caller)).toEqual([...staff, 'team_submit'])
  await contests.register(user, eventId)
  expect(await capabilities(user)).toEqual([...staff, 'post_clar', 'team_submit'])
  expect(await capabilities(service.judge)).toEqual([])
  await user.delete(`/v1/events/${eventId}/participants/${participant.id}`)
  expect(await capabilities(participant)).toEqual(['post_clar'])
  const invited = await createInvitedContest(contests, { scoreboard: 'public' })
  expect(await capabilities(invited.insider, invited.id)).toEqual(['post_clar', 'team_submit'])
  for (const caller of [invited.outsider, service.anonymous])
    expect(await capabilities(caller, invited.id)).toEqual([])
})
