import { describe, expect, it } from 'vitest'
import { createContest } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { NO_EVENT, NOBODY } from '../support/ids.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { forbidden, notFound } from '../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, submit, giveVerdict, readRecord } = judging
const { judge } = service
const { request, judgeAll, shadowsOf } = decisionsOf(judging)

const URL = '/v1/rejudgings'
const read = (id: string, caller = admin) => caller.get(decisionUrl(id))
const newContest = () => createContest(judging, [{ problem_id: problem.id }], { staff: [stranger.id] })

async function submitJudged(fields: object = {}): Promise<string> {
  const id = await submit(user, { ...fields })
  await giveVerdict(id, 'WRONG_ANSWER')
  return id
}

describe('staff of a contest', async () => {
  const event_id = await newContest()
  const other = await newContest()
  const inside = await submitJudged({ event_id })
  const outside = await submitJudged()

  it('requests, reads, lists, applies and cancels rejudgings of this contest only', async () => {
    const foreign = [
      await request({ submission_ids: [inside] }),
      await request({ submission_ids: [outside] }),
    ]
    const applied = await request({ event_id, reason: 'Tests' }, stranger)
    await judgeAll(applied, 'ACCEPTED')
    expect(await read(applied, stranger)).toMatchObject({ requested_by: stranger.id, changed: 1 })
    expect(await stranger.post(decisionUrl(applied, '/apply'), undefined, 200)).toMatchObject({
      applied: 1,
      decided_by: stranger.id,
    })
    expect(await readRecord(inside)).toMatchObject({ status: 'ACCEPTED', judging: 2 })
    const cancelled = await request({ event_id, submission_ids: [inside, outside] }, stranger)
    expect([...(await shadowsOf(cancelled)).keys()]).toEqual([inside])
    await stranger.post(decisionUrl(cancelled, '/cancel'), undefined, 200)
    await stranger.post(URL, { submission_ids: [inside] }, forbidden)
    for (const id of [...foreign, NOBODY]) {
      await stranger.get(decisionUrl(id), notFound('rejudging'))
      for (const ending of ['/apply', '/cancel'])
        await stranger.post(decisionUrl(id, ending), undefined, notFound('rejudging'))
    }
    const listed = await stranger.get(`${URL}?event_id=${event_id}`)
    expect(listed).toMatchObject([
      { id: cancelled, state: 'CANCELLED', decided_by: stranger.id, total: 1 },
      { id: applied, state: 'APPLIED', reason: 'Tests', applied: 1, unchanged: 0, left_out: 0 },
    ])
    expect(await admin.get(`${URL}?event_id=${event_id}&limit=1`)).toEqual(listed.slice(0, 1))
    const all: { id: string }[] = await admin.get(URL)
    expect(all.map(({ id }) => id).slice(0, 4)).toEqual([cancelled, applied, ...foreign.reverse()])
    expect(await stranger.get(`${URL}?event_id=${other}`)).toEqual([])
    await stranger.get(URL, forbidden)
  })

  it('does not include other users, participants and judges (403), who read no rejudging (404)', async () => {
    const id = await request({ event_id })
    for (const caller of [user, judge]) {
      for (const body of [{ event_id }, { submission_ids: [inside] }]) await caller.post(URL, body, forbidden)
      await caller.post(URL, { event_id: NO_EVENT }, notFound('event'))
      for (const query of ['', `?event_id=${event_id}`]) await caller.get(`${URL}${query}`, forbidden)
      await caller.get(`${URL}?event_id=${NO_EVENT}`, notFound('event'))
      await caller.get(decisionUrl(id), notFound('rejudging'))
      for (const ending of ['/apply', '/cancel'])
        await caller.post(decisionUrl(id, ending), undefined, notFound('rejudging'))
    }
    expect(await read(id)).toMatchObject({ state: 'OPEN', pending: 1 })
  })
})
