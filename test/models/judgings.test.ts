import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createContest } from '../support/contests.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { modelRuns } from './model-runs.ts'

const world = await serviceWithProblem()
const { service, admin, user, stranger } = world

/** Requests to PGlite are never concurrent: it has one session. */
const RUNS = modelRuns(30)
const OWNERS = [stranger, user, user]

/** A submission is queued again or rejudged, or gets a verdict `behind` its newest judging. */
const index = fc.nat(OWNERS.length - 1)
const queueStep = fc.record({ kind: fc.constantFrom('requeue' as const, 'rejudge' as const), index })
const judgeStep = fc.record({
  kind: fc.constant('judge' as const),
  index,
  behind: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constant(null)),
  name: fc.constantFrom('judging', 'attempt'),
  status: fc.constantFrom('ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR'),
})
const step = fc.oneof({ weight: 3, arbitrary: judgeStep }, { weight: 2, arbitrary: queueStep })
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

interface Verdict {
  readonly judging: number
  readonly status: string
  readonly time_elapsed: number
}

interface Modelled {
  readonly id: string
  judging: number
  verdictJudging: number
  isPending: boolean
  readonly verdicts: Verdict[]
}

// As the recovery does it.
const requeue = unprepared(
  `update submissions set attempt = attempt + 1 where id = $1 and status = 'PENDING'`,
)

async function openRun() {
  const eventId = await createContest(world, [{ problem_id: world.problem.id }])
  const submissions: Modelled[] = []
  for (const owner of OWNERS) {
    const id = await world.submit(owner, { event_id: eventId })
    submissions.push({ id, judging: 1, verdictJudging: 1, isPending: true, verdicts: [] })
  }
  let sent = 0
  return {
    eventId,
    submissions,
    /** Sends a step to the service, and applies it to the model. */
    async take(step: Step): Promise<void> {
      const target = submissions[step.index]
      if (target === undefined) return
      const { id, judging } = target
      if (step.kind === 'judge') {
        sent += 1
        const { status, behind, name } = step
        const verdict = { status, time_elapsed: sent }
        const judged = behind === null ? judging : Math.max(1, judging - behind)
        if (judged >= target.verdictJudging) {
          const verdictJudging = Math.min(judged, judging)
          target.verdicts.unshift({ ...verdict, judging: verdictJudging })
          Object.assign(target, { verdictJudging, isPending: false })
        }
        await world.giveVerdict(id, { ...verdict, ...(behind !== null && { [name]: judged }) })
      } else if (step.kind === 'rejudge') {
        const count = target.isPending ? 0 : 1
        if (!target.isPending)
          Object.assign(target, { judging: judging + 1, verdictJudging: judging + 1, isPending: true })
        expect(await admin.post('/v1/admin/rejudge', { submission_id: id })).toMatchObject({ count })
      } else {
        if (target.isPending) target.judging += 1
        await service.database.query(requeue, [id])
      }
    },
  }
}

async function readVerdicts(id: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = await service.judge.get(`/v1/submissions/${id}/verdicts`)
  return verdicts.map(({ judging, status, time_elapsed }) => ({ judging, status, time_elapsed }))
}

it('keeps the right verdict, history and standings after any sequence of queueings, rejudgings and verdicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const { eventId, submissions, take } = await openRun()
      for (const one of steps) await take(one)
      for (const { id, judging, isPending, verdicts } of submissions) {
        const status = isPending ? 'PENDING' : verdicts[0]?.status
        expect(await world.readRecord(id)).toMatchObject({ judging, status })
        expect(await readVerdicts(id)).toEqual(verdicts)
      }
      await expectRecounted(service, eventId)
    }),
    { numRuns: RUNS },
  )
})

it('keeps all verdicts of the newest judging, in the order of judgings, if verdicts of several arrive at the same time', async () => {
  const verdict = fc.record({
    judging: fc.integer({ min: 1, max: 4 }),
    status: fc.constantFrom('ACCEPTED', 'WRONG_ANSWER'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(verdict, { minLength: 2, maxLength: 10 }), async (verdicts) => {
      const { eventId, submissions } = await openRun()
      const [{ id = '' } = {}] = submissions
      for (let judging = 1; judging < 4; judging += 1) await service.database.query(requeue, [id])
      const sent = verdicts.map((one, n) => ({ ...one, time_elapsed: n + 1 }))
      await Promise.all(sent.map((one) => world.giveVerdict(id, one)))
      const stored = await readVerdicts(id)
      const judgings = stored.map(({ judging }) => judging)
      expect(judgings).toEqual(judgings.toSorted((a, b) => b - a))
      const newest = Math.max(...sent.map(({ judging }) => judging))
      const ofNewest = (all: Verdict[]) =>
        all.filter(({ judging }) => judging === newest).toSorted((a, b) => a.time_elapsed - b.time_elapsed)
      expect(ofNewest(stored)).toEqual(ofNewest(sent))
      for (const one of stored) expect(sent).toContainEqual(one)
      expect((await world.readRecord(id)).status).toBe(stored[0]?.status)
      await expectRecounted(service, eventId)
    }),
    { numRuns: RUNS },
  )
})
