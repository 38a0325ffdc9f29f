import type { Person } from './app.ts'
import { listen } from './bare-app.ts'
import type { Caller } from './caller.ts'
import { closeLater } from './cleanup.ts'
import { type ContestService, createContest, isoIn } from './contests.ts'
import { expectSameState, FeedReader } from './event-feed.ts'
import type { Problem } from './judging.ts'
import { randomNumbers } from './random-numbers.ts'

/** A problem whose verdicts have points. */
const TEST_GROUPS = [{ name: 'all', points: 100, aggregation: 'sum', cases: [1, 2] }]

/** Two instances with short times, whose feeds connect to either. */
export async function openInstances({ service }: ContestService): Promise<number[]> {
  const liveTimes = { roundMs: 50, awardsMs: 100, checkMs: 200 }
  const instances = [await service.openBeside({ liveTimes }), await service.openBeside({ liveTimes })]
  return Promise.all(instances.map(({ app }) => listen(app)))
}

/** A contest that has not begun, with people of every role and a feed for each. */
export async function openFeedContest(
  contests: ContestService,
  ports: readonly number[],
  fields: Record<string, unknown>,
) {
  const { service, admin, createProblem } = contests
  const groups = fields.scoring === 'points' ? { test_groups: TEST_GROUPS } : {}
  const problems = [await createProblem(groups), await createProblem({ public: false })]
  const { createPerson } = service
  const [owner, author, rival] = [await createPerson(), await createPerson(), await createPerson()]
  const [tester, outsider] = [await createPerson(), await createPerson()]
  const eventId = await createContest(contests, problems, {
    ...{ start_time: isoIn(30), end_time: isoIn(60), staff: [owner.id], clarifications: 'staff' },
    ...{ scoreboard: 'public', medals: { gold: 1, silver: 1, bronze: 1 }, ...fields },
  })
  const tokens = { anonymous: undefined, admin: admin.token, judge: service.judgeToken }
  const people = { owner, author, rival, tester, outsider }
  const readers = Object.entries({
    ...tokens,
    ...Object.fromEntries(Object.entries(people).map(([name, { token }]) => [name, token])),
  })
  const open = (name: string, token: string | undefined) => {
    const feed = new FeedReader(ports, eventId, token)
    const caller: Caller = token === undefined ? service.anonymous : service.as(token)
    feed.connect()
    closeLater(async () => feed.close())
    return { name, token, feed, caller }
  }
  const roles = readers.map(([name, token]) => open(name, token))
  const of = (name: string) => {
    const role = roles.find((one) => one.name === name)
    if (role === undefined) throw new Error(`nobody is ${name}`)
    return role
  }
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
    of,
    /** Another feed of this reader, without a token of an earlier one. */
    openAgain: (name: string) => open(name, of(name).token),
    submit: (person: Person, problem: number) =>
      contests.submit(person, { event_id: eventId, problem_id: problems[problem]?.id }),
  }
}

/** A verdict with a result for each test case: they are the runs. */
export const verdictOf = (problem: Problem | undefined, status: string, more: object = {}) => ({
  status,
  ...more,
  test_case_results: problem?.cases.map((test_case_id) => {
    return { test_case_id, passed: true, status, time_elapsed: 0.25 }
  }),
})

/** The judgements of a submission in the state of a feed. */
export const judgementsOf = (feed: FeedReader, submissionId: string) =>
  [...(feed.objects.get('judgements') ?? new Map()).values()].filter(
    ({ submission_id }) => submission_id === submissionId,
  )
