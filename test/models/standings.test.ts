import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { createContest, isoIn } from '../support/contests.ts'
import { serviceWithProblem, submissionBody } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { modelRuns } from './model-runs.ts'

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { service, admin, user, stranger, problem, language } = judging
const problems = [problem, await judging.createProblem()]
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

async function openRun() {
  const eventId = await createContest(judging, problems)
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
      await judging.giveVerdict(target, step.status)
    },
  }
}

it('the standings equal a recount after any sequence of submissions and verdicts, some at the same time', async () => {
  const round = fc.array(step, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      const { eventId, take } = await openRun()
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
      const event_id = await createContest(judging, [{ problem_id: problem.id }], { teams: true })
      const two = [await service.createPerson(), await service.createPerson()]
      const submitted = await Promise.all(two.map((person) => judging.submit(person, { event_id })))
      await Promise.all([
        ...happening.map(async ([name, index]) => {
          const [send, allowed] = incidents[name] ?? []
          const response = await send?.(event_id, two[index] ?? user)
          expect(allowed, `${name}: ${response?.text}`).toContain(response?.status)
        }),
        ...submitted.map((id) => judging.giveVerdict(id, 'ACCEPTED')),
      ])
      await expectRecounted(service, event_id)
    }),
    { numRuns: RUNS },
  )
})
