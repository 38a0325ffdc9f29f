import { describe, expect, it } from 'vitest'
import { callerOf } from '../support/caller.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { expectSameState } from '../support/event-feed.ts'
import { judgementsOf, openFeedContest, openInstances, verdictOf } from '../support/feed-contest.ts'

const contests = await serviceWithContests({ RATE_LIMIT_EXEMPT: '127.0.0.0/8' })
const { service, admin, giveVerdict } = contests
const ports = await openInstances(contests)

describe.each([
  ['a contest of single people', { teams: false }],
  ['a contest of teams', { teams: true }],
])('the event feed of %s, from before its start (P26)', (_, fields) => {
  it('has the state of all endpoints at each stage, for every role, on two instances', async () => {
    const contest = await openFeedContest(contests, ports, fields)
    const { url, people, problems, interrupt, check, submit } = contest
    const { owner, author, rival, tester } = people
    for (const person of [author, rival]) await contests.register(person, contest.eventId)
    if (fields.teams) {
      await author.post(`${url}/teams`, { name: 'The authors' }, 201)
      await rival.post(`${url}/teams`, { name: 'The rivals' }, 201)
    }
    await admin.put(`${url}/participants/${tester.id}`, { hidden: true }, 200)
    await check()
    expect(contest.of('author').feed.objects.get('problems')).toEqual(new Map())

    // The problems appear by time alone.
    await admin.put(url, { start_time: isoIn(1 / 30), end_time: isoIn(60) })
    await expect.poll(() => contest.of('anonymous').feed.objects.get('problems')?.size).toBe(2)
    await check()
    const [first = ''] = [await submit(author, 0), await submit(rival, 0), await submit(tester, 1)]
    interrupt()
    await giveVerdict(first, 'WRONG_ANSWER')
    const solved = await submit(author, 0)
    await giveVerdict(solved, verdictOf(problems[0], 'ACCEPTED'))
    interrupt()
    const { id: question } = await rival.post(
      `${url}/questions`,
      { question: 'Why?', problem_id: problems[0]?.id },
      201,
    )
    await owner.put(`${url}/questions/${question}/answer`, { answer: 'Because.' })
    await owner.post(`${url}/announcements`, { announcement: 'Lunch' }, 201)
    await check()
    expect(judgementsOf(contest.of('anonymous').feed, solved)).toHaveLength(1)
    expect(contest.of('judge').feed.objects.get('runs')?.size).toBe(problems[0]?.cases.length)
    expect(contest.of('owner').feed.objects.has('runs')).toBe(false)

    await admin.put(url, { freeze_time: isoIn(0) })
    interrupt()
    const late = await submit(rival, 1)
    const pending = await submit(author, 1)
    await giveVerdict(late, 'ACCEPTED')
    await owner.put(`${url}/questions/${question}/answer?replace=true`, {
      answer: 'For everybody.',
      public: true,
    })
    await check()
    for (const name of ['anonymous', 'author', 'outsider'])
      expect(judgementsOf(contest.of(name).feed, late), name).toEqual([])
    for (const name of ['rival', 'owner', 'judge'])
      expect(judgementsOf(contest.of(name).feed, late), name).toHaveLength(1)

    await admin.post(`${url}/end`)
    interrupt()
    await giveVerdict(pending, 'TIME_LIMIT_EXCEEDED')
    await check()
    for (const step of ['?next=true', '?undo=true', '?next=true', '']) {
      await owner.post(`${url}/thaw${step}`)
      interrupt()
      await check()
    }
    expect(judgementsOf(contest.of('anonymous').feed, late)).toHaveLength(1)

    await admin.post('/v1/admin/rejudge', { submission_id: solved })
    await check()
    await giveVerdict(solved, 'WRONG_ANSWER')
    interrupt()
    await check()
    expect(judgementsOf(contest.of('anonymous').feed, solved)).toMatchObject([
      { current: false },
      { current: true },
    ])

    // Objects disappear.
    const [shown] = await admin.get(`${url}/problems`)
    await owner.put(`${url}/problems/${shown.id}`, { hidden: true })
    await owner.delete(`${url}/participants/${rival.id}`, 204)
    interrupt()
    await check()
    expect(contest.of('outsider').feed.objects.get('problems')?.size).toBe(1)
    for (const { feed } of contest.roles) feed.close()
  })
})

describe('the event feed of an invited contest with points (P26)', () => {
  const groupJudge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })
  const score = (id: string, status: string, points: number) =>
    groupJudge.patch(`/v1/submissions/${id}`, { status, score: points }, 204)

  it('has the state of all endpoints, also after changes of staff and languages, frozen and thawed', async () => {
    const contest = await openFeedContest(contests, ports, { scoring: 'points', admission: 'invited' })
    const { url, people, interrupt, check, submit } = contest
    const { owner, author, rival, tester, outsider } = people
    for (const { id } of [author, rival]) await owner.put(`${url}/participants/${id}`, { hidden: false })
    await owner.put(`${url}/participants/${tester.id}`, { hidden: true })
    await owner.post(`${url}/announcements`, { announcement: 'Welcome' }, 201)
    await admin.put(url, { start_time: isoIn(-10), freeze_time: isoIn(30) })
    const partial = await submit(author, 0)
    await score(partial, 'WRONG_ANSWER', 40)
    await score(await submit(rival, 0), 'WRONG_ANSWER', 20)
    await giveVerdict(await submit(rival, 1), 'ACCEPTED')
    interrupt()
    await check()
    const scoreOf = (name: string, id: string) => judgementsOf(contest.of(name).feed, id)[0]?.score
    expect(scoreOf('anonymous', partial)).toBe(40)
    const [attached] = await admin.get(`${url}/problems`)
    const problemOf = () =>
      contest.of('anonymous').feed.objects.get('problems')?.get(`${attached.problem_id}`)
    await owner.put(`${url}/problems/${attached.id}`, { points: 30 })
    await check()
    expect([scoreOf('anonymous', partial), Object(problemOf()).max_score]).toEqual([12, 30])
    const larger = [{ name: 'all', points: 200, aggregation: 'sum', cases: [1, 2] }]
    await admin.put(`/v1/problems/${attached.problem_id}`, { test_groups: larger })
    await check()
    expect([scoreOf('anonymous', partial), Object(problemOf()).max_score]).toEqual([6, 30])
    const clarificationsOf = (name: string) => contest.of(name).feed.objects.get('clarifications')?.size ?? 0
    expect([clarificationsOf('author'), clarificationsOf('outsider')]).toEqual([1, 0])

    // Languages appear, become all that the contest allows, and are retired.
    const body = { name: 'Rust', extension: 'rs', version: 'of the tests' }
    const { id: language } = await admin.post('/v1/languages', body, 201)
    await expect.poll(() => contest.of('rival').feed.objects.get('languages')?.has(language)).toBe(true)
    await check()
    await admin.put(url, { enforce_languages: true, languages: [language] })
    interrupt()
    await check()
    // The language of the programs stays.
    expect([...(contest.of('rival').feed.objects.get('languages')?.keys() ?? [])]).toHaveLength(2)
    await admin.put(url, { enforce_languages: null })
    await admin.delete(`/v1/languages/${language}`, 204)
    await check()
    expect(contest.of('rival').feed.objects.get('languages')?.has(language)).toBe(false)

    await admin.put(url, { freeze_time: isoIn(0) })
    const late = await submit(author, 0)
    await score(late, 'ACCEPTED', 200)
    await check()
    expect(judgementsOf(contest.of('rival').feed, late)).toEqual([])

    // An outsider becomes staff, and a participant too; then both lose it.
    for (const staff of [[owner, outsider, rival], [owner]]) {
      const feeds = [contest.of('outsider'), contest.of('rival')]
      const before = feeds.map(({ feed }) => feed.connections)
      await admin.put(url, { staff: staff.map(({ id }) => id) })
      const again = () => feeds.map(({ feed }, i) => feed.connections > Number(before[i]))
      await expect.poll(again).toEqual([true, true])
      await check()
      const isStaff = staff.length > 1
      for (const { name, feed } of feeds) expect(judgementsOf(feed, late), name).toHaveLength(isStaff ? 1 : 0)
      expect(clarificationsOf('outsider')).toBe(isStaff ? 1 : 0)
      const { feed, caller } = contest.openAgain('outsider')
      await expectSameState(feed, caller, contest.eventId)
      feed.close()
    }

    await admin.post(`${url}/end`)
    for (const step of ['?next=true', '?undo=true', '']) {
      interrupt()
      await owner.post(`${url}/thaw${step}`)
      await check()
    }
    for (const name of ['anonymous', 'outsider', 'rival']) expect(scoreOf(name, late), name).toBe(100)
    for (const { feed } of contest.roles) feed.close()
  })
})
