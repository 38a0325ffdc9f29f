import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createContest } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'

const world = await serviceWithProblem()

/** PGlite has one session: nothing there happens at the same instant. */
const RUNS = databaseKind === 'postgres' ? 30 : 12
const SUBMISSIONS = 3

/** A submission is queued again, rejudged, or gets a verdict that is `behind` judgings late (null: without number). */
type Step =
  | { readonly kind: 'requeue'; readonly submission: number }
  | { readonly kind: 'rejudge'; readonly submission: number }
  | {
      readonly kind: 'judge'
      readonly submission: number
      readonly behind: number | null
      readonly name: 'judging' | 'attempt'
      readonly status: string
    }

const submission = fc.nat(SUBMISSIONS - 1)
const judgeStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('judge'),
  submission,
  behind: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.constant(null)),
  name: fc.constantFrom('judging', 'attempt'),
  status: fc.constantFrom('ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR'),
})
const queueStep: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom('requeue', 'rejudge'), submission })
const step = fc.oneof({ weight: 3, arbitrary: judgeStep }, { weight: 2, arbitrary: queueStep })

interface Verdict {
  readonly judging: number
  readonly status: string
  readonly time_elapsed: number
}

/** What a submission should be: its verdicts, newest first, the standing one among them unless it is pending. */
interface Modelled {
  readonly id: string
  judging: number
  verdictJudging: number
  isPending: boolean
  verdicts: Verdict[]
}

// As the recovery does it.
const requeue = unprepared(
  `update submissions set attempt = attempt + 1 where id = $1 and status = 'PENDING'`,
)

async function openRun() {
  const eventId = await createContest(world, [{ problem_id: world.problem.id }])
  const made: Modelled[] = []
  for (let n = 0; n < SUBMISSIONS; n += 1) {
    const id = await world.submit(n === 0 ? world.stranger : world.user, { event_id: eventId })
    made.push({ id, judging: 1, verdictJudging: 1, isPending: true, verdicts: [] })
  }
  let sent = 0
  return {
    eventId,
    made,
    /** Sends a step to the service, and does it to the model. */
    async take(taken: Step): Promise<void> {
      const target = made[taken.submission]
      if (target === undefined) return
      const { id, judging } = target
      if (taken.kind === 'requeue') {
        if (target.isPending) target.judging += 1
        await world.service.database.query(requeue, [id])
      } else if (taken.kind === 'rejudge') {
        Object.assign(target, { judging: judging + 1, verdictJudging: judging + 1, isPending: true })
        expect(await rejudge({ submission_id: id })).toMatchObject({ status: 200, body: { count: 1 } })
      } else {
        sent += 1
        const { status, behind, name } = taken
        const verdict = { status, time_elapsed: sent }
        const judged = behind === null ? judging : Math.max(1, judging - behind)
        if (judged >= target.verdictJudging) {
          const verdictJudging = Math.min(judged, judging)
          target.verdicts.unshift({ ...verdict, judging: verdictJudging })
          Object.assign(target, { verdictJudging, isPending: false })
        }
        const body = { ...verdict, ...(behind !== null && { [name]: judged }) }
        expect(await world.patch(id, body)).toMatchObject({ status: 204 })
      }
    },
  }
}

const rejudge = (body: object) =>
  world.service.send({ method: 'POST', url: '/v1/admin/rejudge', token: world.admin.token, body })

async function readVerdicts(id: string): Promise<Verdict[]> {
  const url = `/v1/submissions/${id}/verdicts`
  const { body } = await world.service.send({ method: 'GET', url, token: world.service.judgeToken })
  return body.map(({ judging, status, time_elapsed }: Verdict) => ({ judging, status, time_elapsed }))
}

describe('whatever the sequence of queueings, rejudgings and verdicts of any judging', () => {
  it('each submission has the verdict and the history that it should, and the standings are what a recount gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const { eventId, made, take } = await openRun()
        for (const taken of steps) await take(taken)
        for (const { id, judging, isPending, verdicts } of made) {
          const status = isPending ? 'PENDING' : verdicts[0]?.status
          expect(await world.readRecord(id)).toMatchObject({ judging, status })
          expect(await readVerdicts(id)).toEqual(verdicts)
        }
        await expectRecounted(world.service, eventId)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})

describe('verdicts of several judgings at the same instant', () => {
  const verdict = fc.record({
    judging: fc.integer({ min: 1, max: 4 }),
    status: fc.constantFrom('ACCEPTED', 'WRONG_ANSWER'),
  })

  it('end with one of the newest judging; none of these is lost, and the stored verdicts are in the order of their judgings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(verdict, { minLength: 2, maxLength: 10 }), async (verdicts) => {
        const { eventId, made } = await openRun()
        const [{ id = '' } = {}] = made
        for (let n = 1; n < 4; n += 1) await world.service.database.query(requeue, [id])
        const sent = verdicts.map((one, n) => ({ ...one, time_elapsed: n + 1 }))
        const answers = await Promise.all(sent.map((one) => world.patch(id, one)))
        expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 204))
        const stored = await readVerdicts(id)
        const judgings = stored.map(({ judging }) => judging)
        expect(judgings).toEqual(judgings.toSorted((a, b) => b - a))
        const newest = Math.max(...sent.map(({ judging }) => judging))
        const ofNewest = (all: Verdict[]) =>
          all.filter(({ judging }) => judging === newest).toSorted((a, b) => a.time_elapsed - b.time_elapsed)
        expect(ofNewest(stored)).toEqual(ofNewest(sent))
        for (const one of stored) expect(sent).toContainEqual(one)
        expect((await world.readRecord(id)).status).toBe(stored[0]?.status)
        await expectRecounted(world.service, eventId)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})
