import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { ceremony, opening, rounds } from '../support/standings-incidents.ts'
import { prepareRuns } from '../support/standings-run.ts'
import { countStandings, readContest } from '../support/verification/standings.ts'
import { modelRuns } from './model-runs.ts'

const contests = await serviceWithContests({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { service, admin, user, stranger, problem, language } = contests
const openRun = await prepareRuns(contests)

const FROZEN = [
  { by: 'user', isLive: false },
  { by: 'team', isLive: false },
  { by: 'user', isLive: false, isScoreboard: true },
  { by: 'team', isLive: false, isScoreboard: true },
] as const
const ALL = [...FROZEN, { by: 'user', isLive: true }, { by: 'team', isLive: true }] as const

/** Compares standings with a recount, as clients that send the tag of their last response. */
async function openReader(eventId: number) {
  const { token } = await admin.post(`/v1/events/${eventId}/scoreboard_tokens`, {}, 201)
  const scoreboard = service.as(token)
  const last = new Map<string, { tag: string; rows: unknown; problems: { problem_id: number }[] }>()
  return async (views: typeof ALL | typeof FROZEN) => {
    const contest = await readContest(service.database, eventId)
    for (const view of views) {
      const isScoreboard = 'isScoreboard' in view
      const name = `by ${view.by}, ${view.isLive ? 'live' : 'frozen'}${isScoreboard ? ', on the scoreboard' : ''}`
      const url = `/v1/${isScoreboard ? 'scoreboard' : 'events'}/${eventId}/standings?by=${view.by}`
      const reader = isScoreboard ? scoreboard : view.isLive ? admin : stranger
      const kept = last.get(name)
      const own = kept && { 'if-none-match': kept.tag }
      const { status, body, headers } = await reader.send('GET', url, undefined, own)
      const standings = status === 304 && kept ? kept : { ...body, tag: headers.etag }
      last.set(name, standings)
      expect(standings.rows, name).toEqual(countStandings(contest, view))
      const columns = standings.problems.map(({ problem_id }: { problem_id: number }) => problem_id)
      expect(columns, name).toEqual(contest.problems)
    }
  }
}

it('the standings equal a recount, live, frozen and on the scoreboard, by user and by team, in a thaw by steps and after any changes of a contest (P22, P23, P24)', async () => {
  await fc.assert(
    fc.asyncProperty(opening, ceremony, rounds, async (first, reveals, others) => {
      const { eventId, take } = await openRun()
      const expectStandings = await openReader(eventId)
      await take(...first)
      await expectStandings(ALL)
      for (const reveal of reveals) {
        await take(reveal)
        await expectStandings(FROZEN)
      }
      for (const steps of others) {
        await take(...steps)
        await expectStandings(ALL)
      }
      await expectRecounted(service, eventId)
    }),
    { numRuns: modelRuns(40) },
  )
})

const problems = [problem, await contests.createProblem()]
const people = [user, stranger, admin]

/** Requests to PGlite are never concurrent: it has one session. */
const RUNS = modelRuns(30)

/** A person submits, or the n-th last submission gets a first or another verdict. */
const submitStep = fc.record({
  kind: fc.constant('submit' as const),
  person: fc.nat(people.length - 1),
  problem: fc.nat(problems.length - 1),
})
const judgeStep = fc.record({
  kind: fc.constant('judge' as const),
  submission: fc.nat(30),
  status: fc.constantFrom(
    ...['ACCEPTED', 'WRONG_ANSWER', 'RUNTIME_ERROR'],
    ...['COMPILE_TIME_ERROR', 'INTERNAL_ERROR', 'SECURITY_VIOLATION'],
  ),
})
const step = fc.oneof({ weight: 2, arbitrary: submitStep }, { weight: 3, arbitrary: judgeStep })
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function openPlainRun() {
  const eventId = await createContest(contests, problems)
  const submitted: string[] = []
  return {
    eventId,
    async take(step: Step): Promise<void> {
      if (step.kind === 'submit') {
        const person = people[step.person] ?? user
        const one = problems[step.problem] ?? problem
        const body = { ...submissionBody(person, one, language), event_id: eventId }
        submitted.push((await person.post('/v1/submissions', body, 201)).id)
        return
      }
      const target = submitted.at(-1 - (step.submission % Math.max(1, submitted.length)))
      if (target === undefined) return
      await contests.giveVerdict(target, step.status)
    },
  }
}

it('the standings equal a recount after any sequence of submissions and verdicts, some at the same time', async () => {
  const round = fc.array(step, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      const { eventId, take } = await openPlainRun()
      for (const steps of rounds) {
        await Promise.all(steps.map(take))
        await expectRecounted(service, eventId)
      }
    }),
    { numRuns: RUNS },
  )
})

/** A request about a contest or by a participant, and its allowed statuses. */
type Incident = readonly [(eventId: number, person: Person) => Promise<TestResponse>, readonly number[]]

const change = (eventId: number, body: object) => admin.send('PUT', `/v1/events/${eventId}`, body)
const submitBy = (sender: Person, person: Person, event_id: number) =>
  sender.send('POST', '/v1/submissions', { ...submissionBody(person, problem, language), event_id })

const incidents: Readonly<Record<string, Incident>> = {
  end: [(eventId) => admin.send('POST', `/v1/events/${eventId}/end`), [200]],
  reopen: [(eventId) => change(eventId, { end_time: isoIn(90) }), [200]],
  startLater: [(eventId) => change(eventId, { start_time: isoIn(-10) }), [200, 400]],
  register: [(eventId, { send }) => send('POST', `/v1/public/events/${eventId}/register`), [201, 401, 409]],
  team: [
    (eventId, { name, send }) => send('POST', `/v1/events/${eventId}/teams`, { name: `of ${name}` }),
    [201, 401, 409],
  ],
  submit: [(eventId, person) => submitBy(person, person, eventId), [201, 401, 403]],
  submitFor: [(eventId, person) => submitBy(admin, person, eventId), [201, 403, 404]],
  leave: [(_, { id, send }) => send('DELETE', `/v1/users/${id}`), [204, 401, 404]],
}

it('the standings equal a recount if a contest and its participants change at the same time', async () => {
  const names = fc.constantFrom(...Object.keys(incidents))
  const round = fc.array(fc.tuple(names, fc.nat(1)), { minLength: 6, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(round, async (happening) => {
      const event_id = await createContest(contests, [{ problem_id: problem.id }], { teams: true })
      const two = [await service.createPerson(), await service.createPerson()]
      const submitted = await Promise.all(two.map((person) => contests.submit(person, { event_id })))
      await Promise.all([
        ...happening.map(async ([name, index]) => {
          const [send, allowed] = incidents[name] ?? []
          const response = await send?.(event_id, two[index] ?? user)
          expect(allowed, `${name}: ${response?.text}`).toContain(response?.status)
        }),
        ...submitted.map((id) => contests.giveVerdict(id, 'ACCEPTED')),
      ])
      await expectRecounted(service, event_id)
    }),
    { numRuns: RUNS },
  )
})
