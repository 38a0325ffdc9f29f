import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { listen } from '../support/bare-app.ts'
import type { Caller } from '../support/caller.ts'
import { closeLater } from '../support/cleanup.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { expectSameState, FeedReader } from '../support/event-feed.ts'
import type { Problem } from '../support/judging.ts'
import { WITHIN } from '../support/queue.ts'
import { randomNumbers } from '../support/random-numbers.ts'

const contests = await serviceWithContests({ RATE_LIMIT_EXEMPT: '127.0.0.0/8' })
const { service, admin, createProblem, language, giveVerdict } = contests
const liveTimes = { roundMs: 50, awardsMs: 100 }
const instances = [await service.openBeside({ liveTimes }), await service.openBeside({ liveTimes })]
const ports = await Promise.all(instances.map(({ app }) => listen(app)))

/** A contest that has not begun, with people of every role and a feed for each. */
async function openContest(fields: Record<string, unknown>) {
  const problems = [await createProblem(), await createProblem({ public: false })]
  const [owner, author, rival, tester, outsider] = [
    await service.createPerson(),
    await service.createPerson(),
    await service.createPerson(),
    await service.createPerson(),
    await service.createPerson(),
  ]
  const eventId = (
    await admin.post(
      '/v1/events',
      {
        title: 'A whole contest',
        start_time: isoIn(30),
        end_time: isoIn(60),
        problems: problems.map(({ id }) => ({ problem_id: id })),
        staff: [owner.id],
        scoreboard: 'public',
        medals: { gold: 1, silver: 1, bronze: 1 },
        clarifications: 'staff',
        ...fields,
      },
      201,
    )
  ).id
  const tokens = { anonymous: undefined, admin: contests.admin.token, judge: service.judgeToken }
  const people = { owner, author, rival, tester, outsider }
  const readers = Object.entries({
    ...tokens,
    ...Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])),
  })
  const roles = readers.map(([name, token]) => {
    const feed = new FeedReader(ports, eventId, token)
    const caller: Caller = token === undefined ? service.anonymous : service.as(token)
    feed.connect()
    closeLater(async () => feed.close())
    return { name, feed, caller }
  })
  const random = randomNumbers(eventId)
  return {
    ...{ eventId, problems, people, roles },
    url: `/v1/events/${eventId}`,
    /** Some readers lose their connection. */
    interrupt() {
      for (const { feed } of roles) if (random(3) === 0) feed.interrupt()
    },
    async check() {
      for (const { feed, caller } of roles) await expectSameState(feed, caller, eventId)
    },
    of: (name: string) => {
      const role = roles.find((one) => one.name === name)
      if (role === undefined) throw new Error(`nobody is ${name}`)
      return role
    },
    async submit(person: Person, problem: number): Promise<string> {
      const body = {
        user_id: person.id,
        problem_id: problems[problem]?.id,
        language_id: language.id,
        source_code: 'a program',
        event_id: eventId,
      }
      return (await person.post('/v1/submissions', body, 201)).id
    },
  }
}

/** A verdict with a result for each test case: they are the runs. */
const verdictOf = (problem: Problem | undefined, status: string) => ({
  status,
  test_case_results: problem?.cases.map((test_case_id) => ({
    test_case_id,
    passed: true,
    status,
    time_elapsed: 0.25,
  })),
})

const judgementsOf = (feed: FeedReader, submissionId: string) =>
  [...(feed.objects.get('judgements') ?? new Map()).values()].filter(
    ({ submission_id }) => submission_id === submissionId,
  )

describe.each([
  ['a contest of single people', { teams: false }],
  ['a contest of teams', { teams: true }],
])('the event feed of %s, from before its start (P26)', (_, fields) => {
  it('has the state of all endpoints at each stage, for every role, on two instances', async () => {
    const contest = await openContest(fields)
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
    await expect.poll(() => contest.of('anonymous').feed.objects.get('problems')?.size, WITHIN).toBe(2)
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
    await owner.put(`${url}/questions/${question}/answer`, { answer: 'For everybody.', public: true })
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
