import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { createFullContest, type FullContest } from '../support/contest-api.ts'
import { isoIn, scheduled, serviceWithContests, setTimes } from '../support/contests.ts'

const contests = await serviceWithContests()
const { service, admin, createEvent } = contests
const { anonymous, judge } = service

const refused = (code: number) => ({ status: code, body: { code, message: expect.any(String) } })
const idsOf = async ({ list }: FullContest, by: Caller, type: string) =>
  (await list(by, type)).map(({ id }) => id)

describe('a contest', () => {
  it('gives 404 to users who may not read the contest, and 401 without a credential', async () => {
    const { base, callers } = await createFullContest(contests, { scoreboard: 'users', admission: 'invited' })
    for (const path of [
      '',
      '/access',
      '/state',
      '/problems',
      '/submissions',
      '/groups/participants',
      '/scoreboard',
    ]) {
      await callers.outsider?.get(`${base}${path}`, refused(404))
      await anonymous.get(`${base}${path}`, refused(401))
      for (const name of ['ann', 'tester', 'owner', 'manager', 'judge', 'admin'])
        await callers[name]?.get(`${base}${path}`, 200)
    }
  })

  it('is in the list of those who may read it', async () => {
    const closed = await createFullContest(contests, { scoreboard: 'users', admission: 'invited' })
    const open = await createFullContest(contests, { scoreboard: 'users' })
    const shown = await createFullContest(contests)
    const all = [shown, open, closed].map(({ id }) => String(id))
    const listed = async (by: Caller): Promise<string[]> => {
      const found: { id: string }[] = await by.get('/v1/clics/contests', 200)
      return found.map(({ id }) => id).filter((id) => all.includes(id))
    }
    expect((await listed(anonymous)).toSorted()).toEqual([String(shown.id)])
    expect((await listed(closed.outsider)).toSorted()).toEqual([String(open.id), String(shown.id)])
    for (const by of [closed.ann, closed.owner, closed.manager, judge, admin])
      expect((await listed(by)).toSorted()).toEqual(all.toSorted())
  })

  it('that does not exist, or was deleted, is 404, and 401 without a credential', async () => {
    const { id, base, ann } = await createFullContest(contests)
    await contests.deleteEvent(id)
    for (const url of [base, `${base}/problems`, '/v1/clics/contests/2147483647/state']) {
      await ann.get(url, refused(404))
      await anonymous.get(url, refused(401))
    }
  })
})

describe('an invited contest with a public scoreboard (P21)', () => {
  it('shows its questions to nobody outside', async () => {
    const contest = await createFullContest(contests, { admission: 'invited', clarifications: 'any' })
    for (const by of [anonymous, contest.outsider])
      expect(await contest.list(by, 'clarifications')).toEqual([])
    expect(await contest.list(contest.ann, 'clarifications')).toHaveLength(6)
  })
})

describe('before the start', () => {
  it('only staff and judges see problems and submissions', async () => {
    const contest = await createFullContest(contests)
    await setTimes(contests, contest.id, 10, 20)
    for (const by of [anonymous, contest.outsider, contest.ann]) {
      expect(await by.get(`${contest.base}/state`)).toEqual({})
      for (const type of ['problems', 'submissions', 'judgements'])
        expect(await contest.list(by, type)).toEqual([])
      const { rows } = await by.get(`${contest.base}/scoreboard`)
      for (const { problems } of rows) expect(problems).toEqual([])
    }
    for (const by of [contest.owner, contest.manager, judge, admin])
      expect(await contest.list(by, 'problems')).toHaveLength(3)
  })
})

describe('the freeze (P23)', () => {
  it('withholds judgements of later submissions from all but jury and author, until the thaw', async () => {
    const contest = await createFullContest(contests)
    const { ann, bob } = contest.submissions
    await admin.put(contest.url, { freeze_time: isoIn(-30) })
    const judged = async (by: Caller) =>
      new Set((await contest.list(by, 'judgements')).map(({ submission_id }) => submission_id))
    for (const by of [anonymous, contest.outsider]) expect(await judged(by)).toEqual(new Set())
    expect(await judged(contest.ann)).toEqual(new Set([ann]))
    expect(await judged(contest.bob)).toEqual(new Set([bob]))
    for (const by of [contest.manager, judge]) expect((await judged(by)).size).toBe(4)
    for (const by of [anonymous, contest.ann])
      expect(await idsOf(contest, by, 'submissions')).toEqual(expect.arrayContaining([ann, bob]))
    const state = { started: expect.any(String), frozen: expect.any(String) }
    expect(await anonymous.get(`${contest.base}/state`)).toEqual(state)
    await admin.post(`${contest.url}/end`)
    await contest.owner.post(`${contest.url}/thaw`)
    for (const by of [anonymous, contest.ann]) expect(await judged(by)).toEqual(new Set([ann, bob]))
    const ended = { ...state, ended: expect.any(String), thawed: expect.any(String) }
    expect(await anonymous.get(`${contest.base}/state`)).toEqual(ended)
    expect(await anonymous.get(contest.base)).toMatchObject({
      ...{ scoreboard_freeze_duration: expect.any(String), scoreboard_thaw_time: ended.thawed },
    })
  })
})

describe('results for participants only (P22)', () => {
  it('are closed to outsiders', async () => {
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

  it('have no end while somebody may still submit', async () => {
    const { base, url, ann, bob } = await createFullContest(contests)
    await admin.put(`${url}/participants/${ann.id}`, { extra_minutes: 30 })
    await admin.post(`${url}/end`)
    expect(await bob.get(`${base}/state`)).not.toHaveProperty('ended')
    await admin.put(`${url}/participants/${ann.id}`, { extra_minutes: null })
    expect(await bob.get(`${base}/state`)).toHaveProperty('ended')
  })

  it('have no start if the contest was ended before it', async () => {
    const id = await createEvent(scheduled())
    await admin.post(`/v1/events/${id}/end`)
    const contest = await admin.get(`/v1/clics/contests/${id}`)
    expect(contest).toMatchObject({ duration: '0:00:00.000' })
    expect(contest).not.toHaveProperty('start_time')
    expect(await admin.get(`/v1/clics/contests/${id}/state`)).toEqual({})
  })
})

describe('a filter', () => {
  it('compares properties that are ids; an empty one means absent', async () => {
    const contest = await createFullContest(contests)
    const { list, base, ann, manager, problems } = contest
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
    expect(await ann.get('/v1/clics/contests?main_scoreboard_group_id=other')).toEqual([])
  })

  it('finds nothing by a property that the caller does not see', async () => {
    const contest = await createFullContest(contests)
    const query = `submissions?account_id=${contest.bob.id}`
    expect(await contest.list(contest.ann, query)).toEqual([])
    expect(
      await contest.list(anonymous, `${query}&account_id=`.replace(`${contest.bob.id}&account_id=`, '')),
    ).toHaveLength(2)
  })
})

describe('an unknown object', () => {
  it('is 404, and 401 without a credential; an id that cannot be one is 400', async () => {
    const { base, ann } = await createFullContest(contests)
    for (const path of [
      'problems/99999',
      'problems/x',
      'teams/1',
      'judgements/j',
      'runs/r-1',
      'awards/gold',
      'organizations/1',
    ]) {
      await ann.get(`${base}/${path}`, refused(404))
    }
    await anonymous.get(`${base}/problems/99999`, refused(401))
    await ann.get(`${base}/problems/.x`, refused(400))
    await ann.get('/v1/clics/contests/x', refused(400))
    await ann.get(`${base}/scoreboard?group_id=other`, refused(400))
  })

  it('is 404 for the own account without a credential, and for judges, who have none', async () => {
    const { base, ann } = await createFullContest(contests)
    await anonymous.get(`${base}/account`, refused(404))
    const own = { id: ann.id, username: ann.email, type: 'team', team_id: ann.id, person_id: ann.id }
    expect(await ann.get(`${base}/account`)).toMatchObject(own)
    await judge.get(`${base}/account`, refused(404))
  })
})
