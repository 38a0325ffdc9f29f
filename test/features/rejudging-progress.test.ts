import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createContest } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { serviceWithProblem } from '../support/judging.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, submit, giveVerdict } = judging
const { judge, database } = service
const { request, judgeAll, shadowsOf } = decisionsOf(judging)

const newContest = () => createContest(judging, [{ problem_id: problem.id }])
const read = (id: string) => admin.get(decisionUrl(id))
const decide = (id: string, how: 'apply' | 'cancel') => admin.post(decisionUrl(id, `/${how}`), undefined, 200)

async function submitJudged(event_id: number, person = user, status = 'WRONG_ANSWER'): Promise<string> {
  const id = await submit(person, { event_id })
  await giveVerdict(id, status)
  return id
}

interface Listed {
  readonly id: string
  readonly judged?: number
  readonly pending?: number
}

it('lists how far open rejudgings are, and not those that were decided', async () => {
  const event_id = await newContest()
  const first = await submitJudged(event_id)
  for (const _ of [1, 2]) await submitJudged(event_id)
  const ids = [
    await request({ event_id }),
    await request({ submission_ids: [first], event_id }),
    await request({ event_id }),
    await request({ event_id }),
  ]
  const [open = '', other = '', applied = '', cancelled = ''] = ids
  const [[, judged] = [], [, deleted] = []] = await shadowsOf(open)
  await giveVerdict(`${judged}`, 'ACCEPTED')
  await judgeAll(applied, 'WRONG_ANSWER')
  await decide(applied, 'apply')
  await decide(cancelled, 'cancel')
  const list = async () => {
    const all: Listed[] = await admin.get(`/v1/rejudgings?event_id=${event_id}`)
    return all.map(({ id, judged, pending }) => ({ id, judged, pending }))
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
  const changed = [[ofUser, 'ACCEPTED'] as const, [ofStranger, 'WRONG_ANSWER'] as const]
  await judgeAll(id, new Map(changed))
  const rank_changes = [
    { event_id, user_id: stranger.id, from_rank: 1, to_rank: 2 },
    { event_id, user_id: user.id, from_rank: 2, to_rank: 1 },
  ]
  expect(await read(id)).toMatchObject({ rank_changes })
  expect(await decide(id, 'apply')).toMatchObject({ rank_changes })
  await admin.delete(`/v1/events/${event_id}/participants/${user.id}`)
  expect(await read(id)).toMatchObject({ rank_changes })
  // A release before this field kept none.
  await database.query(unprepared('update rejudging_decisions set rank_changes = null where id = $1'), [id])
  expect(await read(id)).not.toHaveProperty('rank_changes')
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
