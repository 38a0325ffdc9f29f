import { expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { applyBatch } from '../../../src/features/judging/cancellable-rejudging/decide-sql.ts'
import { createContest } from '../../support/contests.ts'
import { decisionsOf, decisionUrl } from '../../support/decisions.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { allow, describeCollisions, describeRaces, isSuccess } from '../../support/races.ts'
import { expectRecounted } from '../../support/recount.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, giveVerdict, readRecord } = judging
const { judge, database } = service
const { request, judgeAll, shadowsOf } = decisionsOf(judging)

const newContest = () => createContest(judging, [{ problem_id: problem.id }])
const read = (id: string) => admin.get(decisionUrl(id))
const decide = (id: string, how: 'apply' | 'cancel') => admin.post(decisionUrl(id, `/${how}`), undefined, 200)

const submitJudged = (event_id: number, person = user, status?: string) =>
  judging.submitJudged(person, { event_id }, status)

it('lists how far open rejudgings are, and not those that were decided', async () => {
  const event_id = await newContest()
  const first = await submitJudged(event_id)
  for (const _ of [1, 2]) await submitJudged(event_id)
  const [open, other] = [await request({ event_id }), await request({ submission_ids: [first], event_id })]
  const applied = await request({ event_id, user_id: user.id })
  const cancelled = await request({ event_id, problem_id: problem.id })
  const [[, judged] = [], [, deleted] = []] = await shadowsOf(open)
  await giveVerdict(`${judged}`, 'ACCEPTED')
  await judgeAll(applied, 'WRONG_ANSWER')
  await decide(applied, 'apply')
  await decide(cancelled, 'cancel')
  const list = async () => {
    const all = await admin.get(`/v1/rejudgings?event_id=${event_id}`)
    return all.map(({ id, judged, pending }: Record<string, unknown>) => ({ id, judged, pending }))
  }
  const decided = [{ id: cancelled }, { id: applied }]
  const waiting = { id: other, judged: 0, pending: 1 }
  expect(await list()).toEqual([...decided, waiting, { id: open, judged: 1, pending: 2 }])
  await admin.delete(`/v1/admin/shadow_judgings/${deleted}`)
  expect(await list()).toEqual([...decided, waiting, { id: open, judged: 2, pending: 1 }])
  expect(await read(open)).toMatchObject({ judged: 2, pending: 1 })
  for (const id of [open, other]) await decide(id, 'cancel')
})

it('names pending judgings, at most 100, and first those that were sent to a judge', async () => {
  const event_id = await newContest()
  const person = await service.createPerson()
  await submitJudged(event_id, person)
  await database.query(
    unprepared(`insert into submissions (id, user_id, problem_id, language_id, source_code, status, event_id)
      select gen_random_uuid(), user_id, problem_id, language_id, source_code, status, event_id
      from submissions, generate_series(1, 101) where user_id = $1`),
    [person.id],
  )
  const id = await request({ event_id })
  const pairs = [...(await shadowsOf(id))].map(([submission_id, shadow_judging_id]) => ({
    ...{ submission_id, shadow_judging_id },
  }))
  const sent = pairs[101]
  const publish = unprepared('update shadow_judgings set published = true where id = $1')
  await database.query(publish, [`${sent?.shadow_judging_id}`])
  const { pending, pending_judgings } = await read(id)
  expect([pending, pending_judgings]).toEqual([102, [sent, ...pairs.slice(0, 99)]])
  expect(await judge.get(`/v1/submissions/${sent?.shadow_judging_id}/judgings`)).toMatchObject([
    { judging: 1, status: 'PENDING' },
  ])
  await giveVerdict(`${sent?.shadow_judging_id}`, 'ACCEPTED')
  expect((await read(id)).pending_judgings).toEqual(pairs.slice(0, 100))
  expect((await decide(id, 'cancel')).pending_judgings).toBe(undefined)
})

it('keeps the ranks that applying has changed, as they were then, without the freeze', async () => {
  const event_id = await newContest()
  const ofUser = await submitJudged(event_id)
  const ofStranger = await submitJudged(event_id, stranger, 'ACCEPTED')
  await database.query(unprepared(`update events set freeze_time = start_time where id = $1`), [event_id])
  const id = await request({ event_id })
  await judgeAll(id, new Map([[ofUser, 'ACCEPTED'] as const, [ofStranger, 'WRONG_ANSWER'] as const]))
  const rank_changes = [
    { event_id, user_id: stranger.id, from_rank: 1, to_rank: 2 },
    { event_id, user_id: user.id, from_rank: 2, to_rank: 1 },
  ]
  expect(await read(id)).toMatchObject({ rank_changes })
  expect(await decide(id, 'apply')).toMatchObject({ rank_changes })
  await admin.delete(`/v1/events/${event_id}/participants/${user.id}`)
  expect(await read(id)).toMatchObject({ rank_changes })
})

it('keeps only the ranks that its own verdicts have changed', async () => {
  const event_id = await newContest()
  await submitJudged(event_id)
  const ofStranger = await submitJudged(event_id, stranger)
  const id = await request({ event_id })
  await judgeAll(id, 'ACCEPTED')
  // It is left out: its earlier verdict counts before and after.
  await giveVerdict(ofStranger, 'RUNTIME_ERROR')
  const applied = await decide(id, 'apply')
  expect(applied).toMatchObject({ applied: 1, left_out: 1 })
  expect(applied.rank_changes).toEqual([{ event_id, user_id: stranger.id, from_rank: 1, to_rank: 2 }])
})

const TAKEN = '409 REJUDGING_DECIDED'
const sendDecision = (id: string, how: 'apply' | 'cancel') => () =>
  admin.send('POST', decisionUrl(id, `/${how}`))

async function openRejudging() {
  const event_id = await newContest()
  const submissions = [await submitJudged(event_id), await submitJudged(event_id)]
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
      contenders: [1, 2, 3].map(() => allow(sendDecision(id, 'apply'), '200', TAKEN)),
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
      contenders: (['apply', 'cancel'] as const).map((how) => allow(sendDecision(id, how), '200', TAKEN)),
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
      contenders: [allow(send, '204'), allow(sendDecision(id, 'apply'), '200')],
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
      contenders: [allow(rejudge, '200'), allow(sendDecision(id, 'apply'), '200')],
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
    const select = unprepared('select from submissions where attempt = 2 and event_id = $1')
    expect(await tx.query(select, [event_id])).toHaveLength(2)
    throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  for (const one of submissions) expect(await readVerdicts(one)).toMatchObject([{ status: 'WRONG_ANSWER' }])
  expect(await read(id)).toMatchObject({ state: 'OPEN', changed: 2 })
  expect(isSuccess(await sendDecision(id, 'apply')())).toBe(true)
})
