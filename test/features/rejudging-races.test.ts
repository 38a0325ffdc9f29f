import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { applyBatch } from '../../src/features/rejudging-decisions/decide-sql.ts'
import { createContest } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { allow, describeCollisions, describeRaces, isSuccess } from '../support/races.ts'
import { expectRecounted } from '../support/recount.ts'

const judging = await serviceWithProblem()
const { service, admin, user, problem, submit, giveVerdict, readRecord } = judging
const { judge, database } = service
const { request, judgeAll } = decisionsOf(judging)

const TAKEN = '409 REJUDGING_DECIDED'
const decide = (id: string, how: 'apply' | 'cancel') => () => admin.send('POST', decisionUrl(id, `/${how}`))

/** A judged rejudging of two submissions of a contest. */
async function openRejudging() {
  const event_id = await createContest(judging, [{ problem_id: problem.id }])
  const submissions = [await submit(user, { event_id }), await submit(user, { event_id })]
  for (const one of submissions) await giveVerdict(one, 'WRONG_ANSWER')
  const id = await request({ event_id })
  const verdict = { status: 'ACCEPTED', stdout: 'of the rejudging' }
  await judgeAll(id, new Map(submissions.map((one) => [one, verdict])))
  return { event_id, submissions, id, first: submissions[0] ?? '' }
}

const readVerdicts = (id: string) => judge.get(`/v1/submissions/${id}/verdicts`)
const lockSubmission = 'select from submissions where id = $1 for update'
const lockDecision = 'select from rejudging_decisions where id = $1 for update'

const decisions = {
  'apply a rejudging once': async () => {
    const { event_id, submissions, id } = await openRejudging()
    return {
      contenders: [1, 2, 3].map(() => allow(decide(id, 'apply'), '200', TAKEN)),
      successes: 1,
      lock: [service.databaseUrl, lockDecision, id] as const,
      async holds() {
        for (const one of submissions)
          expect(await readVerdicts(one)).toMatchObject([
            { judging: 2, status: 'ACCEPTED' },
            { judging: 1, status: 'WRONG_ANSWER' },
          ])
        await expectRecounted(service, event_id)
      },
    }
  },

  'apply or cancel a rejudging, not both': async () => {
    const { event_id, first, id } = await openRejudging()
    return {
      contenders: [allow(decide(id, 'apply'), '200', TAKEN), allow(decide(id, 'cancel'), '200', TAKEN)],
      successes: 1,
      lock: [service.databaseUrl, lockDecision, id] as const,
      async holds([applied]: readonly { status: number }[]) {
        const status = applied?.status === 200 ? 'ACCEPTED' : 'WRONG_ANSWER'
        expect(await readRecord(first)).toMatchObject({ status })
        await expectRecounted(service, event_id)
      },
    }
  },

  'keep a concurrent verdict and that of a rejudging apart': async () => {
    const { event_id, first, id } = await openRejudging()
    const late = { status: 'RUNTIME_ERROR', stdout: 'of the judge', judging: 1 }
    const send = () => judge.send('PATCH', `/v1/submissions/${first}`, late)
    return {
      contenders: [allow(send, '204'), allow(decide(id, 'apply'), '200')],
      lock: [service.databaseUrl, lockSubmission, first] as const,
      async holds() {
        const { status, stdout, judging } = await readRecord(first)
        expect([
          ['RUNTIME_ERROR', 'of the judge', 1],
          ['ACCEPTED', 'of the rejudging', 2],
        ]).toContainEqual([status, stdout, judging])
        await expectRecounted(service, event_id)
      },
    }
  },

  'leave out a submission that is queued again at once, or queue it after': async () => {
    const { event_id, first, id } = await openRejudging()
    const rejudge = () => admin.send('POST', '/v1/admin/rejudge', { submission_id: first })
    return {
      contenders: [allow(rejudge, '200'), allow(decide(id, 'apply'), '200')],
      lock: [service.databaseUrl, lockSubmission, first] as const,
      async holds() {
        const { status, judging } = await readRecord(first)
        expect([status, (await readVerdicts(first)).length]).toEqual(['PENDING', judging - 1])
        await expectRecounted(service, event_id)
      },
    }
  },
}

describeRaces('requests at the same instant', 3, decisions)
describeCollisions('requests that wait for a row', decisions)

it('a transaction that ends in the middle has applied nothing', async () => {
  const { event_id, submissions, id } = await openRejudging()
  const actor = { actor: admin.id, actor_role: 2, actor_session: null }
  const after = '00000000-0000-0000-0000-000000000000'
  const killed = database.transaction(async (tx) => {
    await tx.query(applyBatch, { ...actor, decision_id: id, after })
    const changed = await tx.query(
      unprepared('select from submissions where attempt = 2 and event_id = $1'),
      [event_id],
    )
    expect(changed).toHaveLength(2)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  for (const one of submissions) expect(await readVerdicts(one)).toMatchObject([{ status: 'WRONG_ANSWER' }])
  expect(await admin.get(decisionUrl(id))).toMatchObject({ state: 'OPEN', changed: 2 })
  expect(isSuccess(await decide(id, 'apply')())).toBe(true)
})
