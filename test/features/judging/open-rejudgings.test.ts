import { expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { createContest } from '../../support/contests.ts'
import { decisionsOf, decisionUrl } from '../../support/decisions.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { forbidden, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem } = judging
const { judge, database } = service
const { request } = decisionsOf(judging)

const URL = '/v1/rejudgings'
const read = (id: string) => admin.get(decisionUrl(id))
const cancel = (id: string) => admin.post(decisionUrl(id, '/cancel'), undefined, 200)
const newContest = (staff: string[] = []) => createContest(judging, [{ problem_id: problem.id }], { staff })

const event_id = await newContest([stranger.id])
const person = await service.createPerson()
const submitTo = (contest: number, status?: string) =>
  judging.submitJudged(person, { event_id: contest }, status)
const ids = [await submitTo(event_id), await submitTo(event_id, 'ACCEPTED')]
const open = (id: string) =>
  refusal(
    409,
    'REJUDGING_OPEN',
    `The rejudging ${id} with the same filters is open: apply or cancel it first`,
  )

it('open rejudgings with the same filters are one: the second request gets the id of the first (409), also by another and concurrently', async () => {
  const filters = [
    { event_id },
    { event_id, problem_id: problem.id },
    { event_id, status: 'ACCEPTED' },
    { event_id, submission_ids: ids },
    { event_id, submission_ids: ids.slice(1) },
  ]
  const opened: string[] = []
  for (const body of filters) opened.push(await request(body, stranger))
  for (const [place, body] of filters.entries()) {
    const refused = open(opened[place] ?? '')
    for (const by of [stranger, admin]) {
      const response = await by.send('POST', URL, { ...body, reason: 'Again' })
      expect(response).toMatchObject({ ...refused, body: { ...refused.body, rejudging_id: opened[place] } })
    }
  }
  const twice = { event_id, submission_ids: [...ids, ...ids].reverse() }
  await stranger.post(URL, twice, open(opened[3] ?? ''))
  // Only the staff learns of it.
  for (const by of [user, judge]) await by.post(URL, { event_id }, forbidden)
  // Without event_id they are others, for admins.
  const everywhere = await request({ submission_ids: ids })
  await admin.post(URL, { submission_ids: ids }, open(everywhere))
  await cancel(opened[0] ?? '')
  const again = await Promise.all([1, 2, 3, 4].map(() => stranger.send('POST', URL, { event_id })))
  expect(again.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
  for (const { id } of await stranger.get(`${URL}?event_id=${event_id}`))
    if ((await read(id)).state === 'OPEN') await cancel(id)
  await cancel(everywhere)
  await cancel(await request({ event_id }, stranger))
})

it('open rejudgings of one contest have at most 10,000 submissions together (409), also those of admins, and cancelled ones do not count', async () => {
  const id = await request({ event_id, submission_ids: ids.slice(1) }, stranger)
  // As if it had so many: 10,000 copies would take long.
  await database.query(unprepared('update rejudging_decisions set total = 9999 where id = $1'), [id])
  const one = await request({ event_id, submission_ids: ids.slice(0, 1) })
  for (const by of [stranger, admin])
    await by.post(URL, { event_id, status: 'ACCEPTED' }, refusal(409, 'TOO_MANY_REJUDGINGS'))
  // Other contests have limits of their own, and rejudgings without a contest that of one.
  const other = await newContest()
  await submitTo(other)
  for (const body of [{ event_id: other }, { status: 'ACCEPTED', user_id: person.id }])
    await cancel(await request(body))
  await cancel(one)
  await cancel(await request({ event_id, status: 'ACCEPTED' }, stranger))
  await cancel(id)
})

it('open rejudgings of one contest have programs of at most 128 MiB together (409)', async () => {
  const contest = await newContest([stranger.id])
  const small = await submitTo(contest)
  // Without triggers, which would take most of the time.
  await database.transaction((tx) =>
    tx.execute(`set local session_replication_role = replica;
      insert into submissions (id, user_id, problem_id, language_id, event_id, source_code, status)
      select gen_random_uuid(), '${user.id}', problem_id, language_id, event_id, repeat('x', 262144), status
      from submissions, generate_series(1, 512) where submissions.id = '${small}'`),
  )
  const id = await request({ event_id: contest, user_id: user.id }, stranger)
  const more = { event_id: contest, submission_ids: [small] }
  await stranger.post(URL, more, refusal(409, 'TOO_MANY_REJUDGINGS'))
  await cancel(id)
  await request(more, stranger)
})
