import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { createContest, getOf, isoIn, trySubmit } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { type Problem, serviceWithProblem } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const problems: readonly [Problem, Problem] = [judging.problem, await judging.createProblem()]
const { user, stranger, admin } = judging
const crowd = [user, stranger, admin]

/** PGlite has one session: nothing there happens at the same instant. */
const RUNS = databaseKind === 'postgres' ? 30 : 12

const STATUSES = [
  'ACCEPTED',
  'WRONG_ANSWER',
  'RUNTIME_ERROR',
  'COMPILE_TIME_ERROR',
  'INTERNAL_ERROR',
  'SECURITY_VIOLATION',
]

/** Somebody submits; or one of the submissions so far, counted from the latest, gets a verdict, the first or another. */
type Step =
  | { readonly kind: 'submit'; readonly person: number; readonly problem: number }
  | { readonly kind: 'judge'; readonly submission: number; readonly status: string }

const submitStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('submit'),
  person: fc.nat(2),
  problem: fc.nat(1),
})
const judgeStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('judge'),
  submission: fc.nat(30),
  status: fc.constantFrom(...STATUSES),
})
const step = fc.oneof({ weight: 2, arbitrary: submitStep }, { weight: 3, arbitrary: judgeStep })

interface Made {
  readonly id: string
  readonly person: number
  readonly problem_id: number
  readonly submit_time: string
  status: string
}

/** A contest of its own, with what was submitted in it. */
async function openRun() {
  const eventId = await createContest(
    judging,
    problems.map(({ id }) => ({ problem_id: id })),
  )
  const made: Made[] = []
  return {
    eventId,
    made,
    async take(taken: Step): Promise<void> {
      if (taken.kind === 'submit') {
        const { person = 0, problem } = taken
        const problem_id = problems[problem === 0 ? 0 : 1].id
        const answer = await trySubmit(judging, crowd[person] ?? judging.user, {
          event_id: eventId,
          problem_id,
        })
        expect(answer.status, answer.text).toBe(201)
        const { id, submit_time, status } = answer.body
        made.push({ id, person, problem_id, submit_time, status })
        return
      }
      const target = made.at(-1 - (taken.submission % Math.max(1, made.length)))
      if (target === undefined) return
      expect((await judging.patch(target.id, { status: taken.status })).status).toBe(204)
      target.status = taken.status
    },
  }
}

/** What each caller is told of themselves: the accepted before the latest (D35). */
async function expectOwnStatus(eventId: number, made: readonly Made[]): Promise<void> {
  for (const [person, { token }] of crowd.entries()) {
    const { body } = await getOf(judging, eventId, 'user_problem_status', token)
    const expected = problems.flatMap(({ id }) => {
      const own = made.filter((item) => item.person === person && item.problem_id === id).toReversed()
      const shown = own.find(({ status }) => status === 'ACCEPTED') ?? own[0]
      return shown === undefined
        ? []
        : [{ problem_id: id, status: shown.status, submit_time: shown.submit_time }]
    })
    expect(body).toEqual(expected)
  }
}

describe('whatever the sequence of submissions and verdicts', () => {
  it('the standings are what a recount of the submissions gives, one step after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const { eventId, made, take } = await openRun()
        for (const taken of steps) await take(taken)
        const cells = await expectRecounted(judging.service, eventId)
        expect(cells.reduce((sum, cell) => sum + cell.total_attempts, 0)).toBe(made.length)
        await expectOwnStatus(eventId, made)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  it('the standings are what a recount of the submissions gives, many steps at the same instant', async () => {
    const batches = fc.array(fc.array(step, { minLength: 2, maxLength: 8 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(batches, async (rounds) => {
        const { eventId, take } = await openRun()
        for (const round of rounds) {
          await Promise.all(round.map(take))
          await expectRecounted(judging.service, eventId)
        }
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})

/** Everything else that happens to a contest meanwhile, with the answers that are lawful. */
type Incident = readonly [(eventId: number, person: Person) => Promise<TestResponse>, readonly number[]]

const change = (eventId: number, body: object) =>
  judging.service.send({ method: 'PUT', url: `/v1/events/${eventId}`, token: judging.admin.token, body })
const post = (url: string, { token }: Person, body?: object) =>
  judging.service.send({ method: 'POST', url, token, ...(body && { body }) })

const incidents: Readonly<Record<string, Incident>> = {
  end: [(eventId) => post(`/v1/events/${eventId}/end`, judging.admin), [200]],
  reopen: [(eventId) => change(eventId, { end_time: isoIn(90) }), [200]],
  startLater: [(eventId) => change(eventId, { start_time: isoIn(-10) }), [200, 400]],
  register: [(eventId, person) => post(`/v1/public/events/${eventId}/register`, person), [201, 401, 409]],
  team: [
    (eventId, person) => post(`/v1/events/${eventId}/teams`, person, { name: `of ${person.name}` }),
    [201, 401, 409],
  ],
  submit: [(eventId, person) => trySubmit(judging, person, { event_id: eventId }), [201, 401, 403]],
  submitFor: [
    (eventId, person) => trySubmit(judging, person, { event_id: eventId }, judging.admin.token),
    [201, 403, 404],
  ],
  leave: [
    (_, { id, token }) => judging.service.send({ method: 'DELETE', url: `/v1/users/${id}`, token }),
    [204, 401, 404],
  ],
}

describe('whatever happens to a contest at the same instant', () => {
  it('everybody gets a lawful answer, and the standings are what a recount gives', async () => {
    const names = fc.constantFrom(...Object.keys(incidents))
    const round = fc.array(fc.tuple(names, fc.nat(1)), { minLength: 6, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(round, async (happening) => {
        const eventId = await createContest(judging, [{ problem_id: judging.problem.id }], { teams: true })
        const two = [await judging.service.createPerson(), await judging.service.createPerson()]
        const submitted = await Promise.all(
          two.map((person) => judging.submit(person, { event_id: eventId })),
        )
        await Promise.all([
          ...happening.map(async ([name, index]) => {
            const [act, lawful] = incidents[name] ?? []
            const answer = await act?.(eventId, two[index] ?? judging.user)
            expect(lawful, `${name}: ${answer?.text}`).toContain(answer?.status)
          }),
          ...submitted.map(async (id) => {
            expect((await judging.patch(id, { status: 'ACCEPTED' })).status).toBe(204)
          }),
        ])
        await expectRecounted(judging.service, eventId)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})
