import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { minutesSpanOf, spanBetween, timeOf } from '../../../src/features/live/contest-api/times.ts'
import type { Caller } from '../../support/caller.ts'
import { createFullContest, refused } from '../../support/contest-api.ts'
import {
  createInvitedContest,
  isoIn,
  scheduled,
  serviceWithContests,
  setTimes,
} from '../../support/contests.ts'

const contests = await serviceWithContests()
const { service, admin, createEvent } = contests
const { anonymous, judge } = service
/** Tests that change a contest create their own. */
const shared = await createFullContest(contests)

describe('a contest', () => {
  it('gives 404 to users who may not read it, and if it does not exist or was deleted; 401 without a credential', async () => {
    const { base, callers } = await createFullContest(contests, { scoreboard: 'users', admission: 'invited' })
    const paths = 'access state problems submissions groups/participants scoreboard'.split(' ')
    for (const url of [base, ...paths.map((path) => `${base}/${path}`)]) {
      await callers.outsider?.get(url, refused(404))
      await anonymous.get(url, refused(401))
      for (const name of ['ann', 'tester', 'owner', 'manager', 'judge', 'admin'])
        await callers[name]?.get(url, 200)
    }
    const gone = await createEvent({ scoreboard: 'public' })
    await contests.deleteEvent(gone)
    for (const path of [gone, `${gone}/problems`, '2147483647/state']) {
      await shared.ann.get(`/v1/clics/contests/${path}`, refused(404))
      await anonymous.get(`/v1/clics/contests/${path}`, refused(401))
    }
  })

  it('is in the list of those who may read it', async () => {
    const closed = await createInvitedContest(contests, { scoreboard: 'users' })
    const ids = [shared.id, await createEvent({ scoreboard: 'users' }), closed.id].map(String)
    const listed = async (by: Caller): Promise<string[]> => {
      const found: { id: string }[] = await by.get('/v1/clics/contests', 200)
      return ids.filter((id) => found.some((one) => one.id === id))
    }
    expect(await listed(anonymous)).toEqual(ids.slice(0, 1))
    expect(await listed(closed.outsider)).toEqual(ids.slice(0, 2))
    for (const by of [closed.insider, closed.owner, closed.manager, judge, admin])
      expect(await listed(by)).toEqual(ids)
    expect(await admin.get('/v1/clics/contests?main_scoreboard_group_id=other')).toEqual([])
  })
})

it('before the start only staff and judges see problems and submissions; staff without more rights reads none of them before (D33)', async () => {
  const contest = await createFullContest(contests)
  await setTimes(contests, contest.id, 10, 20)
  for (const by of [anonymous, contest.outsider, contest.ann]) {
    expect(await by.get(`${contest.base}/state`)).toEqual({})
    for (const type of ['problems', 'submissions', 'judgements'])
      expect(await contest.list(by, type)).toEqual([])
  }
  const { secret } = contest.problems
  const url = `${contest.base}/problems/${secret.id}`
  for (const by of [contest.owner, judge, admin]) {
    expect(await contest.list(by, 'problems')).toHaveLength(3)
    expect(await by.get(url)).toMatchObject({ name: 'Secret', memory_limit: 64 })
    await by.get(`${url}/files/tool.py`, 200)
  }
  const { manager, ann } = contest
  expect(await contest.list(manager, 'problems')).toHaveLength(2)
  const brief = { id: String(secret.id), label: 'A', name: 'A', ordinal: 1, rgb: '#ff8800' }
  expect(await manager.get(url)).toEqual(brief)
  await manager.get(`${url}/files/tool.py`, refused(404))
  await setTimes(contests, contest.id, -10, 20)
  for (const by of [manager, ann]) expect(await by.get(url)).toMatchObject({ name: 'Secret' })
})

it('the state has the times of the freeze, the end and the thaw (P23)', async () => {
  const id = await createEvent({ scoreboard: 'public', freeze_time: isoIn(-30) })
  const url = `/v1/clics/contests/${id}`
  const state = { started: expect.any(String), frozen: expect.any(String) }
  expect(await anonymous.get(`${url}/state`)).toEqual(state)
  await admin.post(`/v1/events/${id}/end`)
  await admin.post(`/v1/events/${id}/thaw`)
  const ended = { ...state, ended: expect.any(String), thawed: expect.any(String) }
  expect(await anonymous.get(`${url}/state`)).toEqual(ended)
  const { thawed } = await anonymous.get(`${url}/state`)
  const shown = { scoreboard_freeze_duration: expect.any(String), scoreboard_thaw_time: thawed }
  expect(await anonymous.get(url)).toMatchObject(shown)
})

it('results for participants only are closed to outsiders (P22)', async () => {
  const contest = await createFullContest(contests, { scoreboard: 'participants' })
  for (const type of ['submissions', 'judgements', 'awards'])
    expect(await contest.list(contest.outsider, type)).toEqual([])
  await contest.outsider.get(`${contest.base}/scoreboard`, refused(403))
  const { endpoints } = await contest.outsider.get(`${contest.base}/access`)
  const types = endpoints.map(({ type }: { type: string }) => type)
  expect(types).not.toEqual(expect.arrayContaining(['submissions']))
  for (const by of [contest.ann, contest.manager, judge]) {
    expect(await contest.list(by, 'submissions')).not.toEqual([])
    await by.get(`${contest.base}/scoreboard`, 200)
  }
})

describe('the times of a contest', () => {
  it('are in UTC with milliseconds', async () => {
    const times = { start_time: '2026-04-01T18:00:00+02:00', end_time: '2026-04-01T18:30:15.25Z' }
    const id = await createEvent({ ...times, freeze_time: '2026-04-01T17:30:00Z', penalty_minutes: 90 })
    expect(await admin.get(`/v1/clics/contests/${id}`)).toEqual({
      ...{ id: String(id), name: 'A contest', scoreboard_type: 'pass-fail' },
      ...{ start_time: '2026-04-01T16:00:00.000Z', duration: '2:30:15.250' },
      ...{ scoreboard_freeze_duration: '1:00:15.250', penalty_time: '1:30:00.000' },
      main_scoreboard_group_id: 'participants',
    })
    const [frozen, ended] = ['2026-04-01T17:30:00.000Z', '2026-04-01T18:30:15.250Z']
    expect(await admin.get(`/v1/clics/contests/${id}/state`)).toEqual({
      ...{ started: '2026-04-01T16:00:00.000Z', frozen, ended },
    })
  })

  it('have no end while somebody may still submit, and no start if the contest was ended before it', async () => {
    const id = await createEvent()
    const person = await contests.createParticipant(id)
    const setExtra = (extra_minutes: number | null) =>
      admin.put(`/v1/events/${id}/participants/${person.id}`, { extra_minutes })
    await setExtra(30)
    await admin.post(`/v1/events/${id}/end`)
    const state = () => contests.user.get(`/v1/clics/contests/${id}/state`)
    expect(await state()).not.toHaveProperty('ended')
    await setExtra(null)
    expect(await state()).toHaveProperty('ended')
    const early = await createEvent(scheduled())
    await admin.post(`/v1/events/${early}/end`)
    const contest = await admin.get(`/v1/clics/contests/${early}`)
    expect(contest).toMatchObject({ duration: '0:00:00.000' })
    expect(contest).not.toHaveProperty('start_time')
    expect(await admin.get(`/v1/clics/contests/${early}/state`)).toEqual({})
  })
})

describe('a filter', () => {
  it('compares properties that are ids, an empty one means absent, and finds nothing by a property or in a submission that the caller does not see', async () => {
    const { list, base, ann, manager, problems } = shared
    const submissions = await list(manager, 'submissions')
    for (const property of ['problem_id', 'team_id', 'language_id', 'account_id']) {
      const value = String(submissions[0]?.[property])
      const found = await list(manager, `submissions?${property}=${value}`)
      expect(found).toEqual(submissions.filter((one) => one[property] === value))
    }
    const both = `submissions?problem_id=${problems.open.id}&team_id=${ann.id}`
    expect(await list(manager, both)).toHaveLength(1)
    expect(await list(manager, 'submissions?problem_id=')).toEqual([])
    const questions = await list(ann, 'clarifications')
    expect(await list(ann, 'clarifications?from_team_id=')).toEqual(
      questions.filter((one) => !('from_team_id' in one)),
    )
    expect(await list(ann, 'submissions?nothing=1')).toEqual(await list(ann, 'submissions'))
    await ann.get(`${base}/submissions?problem_id=1&problem_id=2`, refused(400))
    const { bob, submissions: stored } = shared
    expect(await list(ann, `submissions?account_id=${bob.id}`)).toEqual([])
    expect(await list(anonymous, 'submissions?account_id=')).toHaveLength(2)
    expect(await list(admin, `judgements?submission_id=${stored.hidden}`)).toHaveLength(1)
    expect(await list(ann, `judgements?submission_id=${stored.hidden}`)).toEqual([])
    expect(await list(ann, `judgements?submission_id=${stored.bob}`)).toHaveLength(1)
  })

  it.each([
    ['judgements', 'submission_id'],
    ['runs', 'judgement_id'],
  ])('of %s finds the objects with its values (P26)', async (type, first) => {
    const all = await shared.list(admin, type)
    expect(all.length).toBeGreaterThan(1)
    for (const { [first]: one, judgement_type_id: other } of all) {
      const withOne = all.filter((another) => another[first] === one)
      const query = `${type}?${first}=${one}`
      expect(await shared.list(admin, query)).toEqual(withOne)
      expect(await shared.list(admin, `${query}&judgement_type_id=${other}`)).toEqual(
        withOne.filter((another) => another.judgement_type_id === other),
      )
      expect(await shared.list(admin, `${query}&judgement_type_id=`)).toEqual([])
    }
    for (const value of ['', 'none', crypto.randomUUID()])
      expect(await shared.list(admin, `${type}?${first}=${value}`)).toEqual([])
  })
})

it('an unknown object is 404, and 401 without a credential; an id that cannot be one is 400; the own account is 404 without one', async () => {
  const { base, ann } = shared
  const paths = 'problems/99999 problems/x teams/1 judgements/j runs/r-1 awards/gold organizations/1'
  for (const path of paths.split(' ')) await ann.get(`${base}/${path}`, refused(404))
  await anonymous.get(`${base}/problems/99999`, refused(401))
  for (const url of [`${base}/problems/.x`, '/v1/clics/contests/x', `${base}/scoreboard?group_id=other`])
    await ann.get(url, refused(400))
  for (const by of [anonymous, judge]) await by.get(`${base}/account`, refused(404))
  const own = { id: ann.id, username: ann.email, type: 'team', team_id: ann.id, person_id: ann.id }
  expect(await ann.get(`${base}/account`)).toMatchObject(own)
})

const select = unprepared<{ time: string; span: string; minutes: string }>(`
  select ${timeOf('given.moment')} as time, ${spanBetween('given.start', 'given.moment')} as span,
         ${minutesSpanOf('given.minutes')} as minutes
  from (select $1::timestamptz as start, $2::timestamptz as moment, $3::integer as minutes) as given`)

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')

/** The same as RELTIME, with integers. */
function writeSpan(milliseconds: number): string {
  const rest = Math.abs(milliseconds)
  const parts = [Math.floor(rest / 3_600_000), pad(Math.floor(rest / 60_000) % 60, 2)]
  const seconds = `${pad(Math.floor(rest / 1000) % 60, 2)}.${pad(rest % 1000, 3)}`
  return `${milliseconds < 0 ? '-' : ''}${[...parts, seconds].join(':')}`
}

const year = { min: new Date('1971-01-01Z'), max: new Date('2240-01-01Z'), noInvalidDate: true }

it('times and spans have milliseconds, and a contest time is the exact difference of two times (P26)', async () => {
  const instant = fc.tuple(fc.date(year), fc.integer({ min: 0, max: 999 }))
  const iso = ([date, rest]: [Date, number]) => date.toISOString().replace('Z', `${pad(rest, 3)}Z`)
  const property = fc.asyncProperty(instant, instant, fc.nat(1_000_000), async (start, moment, minutes) => {
    const [row] = await service.database.query(select, [iso(start), iso(moment), minutes])
    expect(row).toEqual({
      time: moment[0].toISOString(),
      span: writeSpan(moment[0].getTime() - start[0].getTime()),
      minutes: writeSpan(minutes * 60_000),
    })
  })
  // In 2106, seconds since 1970 begin to have a larger error as a float.
  const late: [Date, number] = [new Date('2106-03-17T19:14:54.651Z'), 999]
  await fc.assert(property, { numRuns: 200, examples: [[[new Date('1971-01-01Z'), 0], late, 0]] })
})
