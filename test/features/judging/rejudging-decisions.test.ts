import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { createContest, INSTANT } from '../../support/contests.ts'
import { decisionsOf, decisionUrl } from '../../support/decisions.ts'
import { NO_EVENT, NOBODY, UUID } from '../../support/ids.ts'
import { messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { expectRecounted } from '../../support/recount.ts'
import { forbidden, invalid, invalidField, notFound, refusal } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, submit, giveVerdict, readRecord } = judging
const { judge, database } = service
const { request, judgeAll, shadowsOf } = decisionsOf(judging)

const URL = '/v1/rejudgings'
const read = (id: string) => admin.get(decisionUrl(id))
const apply = (id: string) => admin.post(decisionUrl(id, '/apply'), undefined, 200)
const cancel = (id: string) => admin.post(decisionUrl(id, '/cancel'), undefined, 200)
const decided = (how: string) => refusal(409, 'REJUDGING_DECIDED', `The rejudging was ${how} already`)
const noMatch = refusal(404, 'NOT_FOUND', 'No submission with a verdict matches')
const readVerdicts = (id: string) => judge.get(`/v1/submissions/${id}/verdicts`)

const newContest = (staff: string[] = []) => createContest(judging, [{ problem_id: problem.id }], { staff })

const submitJudged = (fields: object = {}, status?: string, person = user) =>
  judging.submitJudged(person, fields, status)

const NO_CHANGES = { changes: [], left_out_submissions: [], rank_changes: [] }

describe('a requested rejudging', async () => {
  const other = await judging.createProblem()
  const [, python] = await user.get('/v1/languages')
  const event_id = await newContest()
  const all = {
    first: await submitJudged({ event_id }),
    accepted: await submitJudged({ event_id }, 'ACCEPTED'),
    elsewhere: await submitJudged({ problem_id: other.id }, 'ACCEPTED'),
    inPython: await submitJudged({ language_id: python.id }),
    ofStranger: await submitJudged({}, 'WRONG_ANSWER', stranger),
  }
  const wanted = [all.first, all.inPython, NOBODY]
  const chosen: [object, (keyof typeof all)[]][] = [
    [{ event_id }, ['first', 'accepted']],
    [{ problem_id: other.id }, ['elsewhere']],
    [{ language_id: python.id.toUpperCase() }, ['inPython']],
    [{ user_id: stranger.id }, ['ofStranger']],
    [{ submission_ids: wanted }, ['first', 'inPython']],
    [{ status: 'ACCEPTED', user_id: user.id }, ['accepted', 'elsewhere']],
    [{ event_id, status: 'ACCEPTED', problem_id: null }, ['accepted']],
    [{ submission_ids: wanted, event_id, user_id: user.id, problem_id: problem.id }, ['first']],
  ]

  it.each(chosen)('with %j has the submissions that match all filters', async (body, names) => {
    const wakes = service.wakes()
    const id = await request({ ...body, reason: 'A wrong test' })
    expect(service.wakes()).toBe(wakes + 1)
    const shadows = await shadowsOf(id)
    expect([...shadows.keys()].sort()).toEqual(names.map((name) => all[name]).sort())
    const given = Object.entries(body).flatMap(([name, value]) =>
      value === null ? [] : [[name, name === 'language_id' ? python.id : value]],
    )
    expect(await read(id)).toEqual({
      ...{ id: expect.stringMatching(UUID), state: 'OPEN', reason: 'A wrong test', requested_by: admin.id },
      ...{ requested_at: expect.stringMatching(INSTANT), ...Object.fromEntries(given) },
      ...{ total: names.length, waiting: 0, deleted: 0, judged: 0, pending: names.length },
      ...{ changed: 0, unchanged: 0, left_out: 0, ...NO_CHANGES },
      pending_judgings: [...shadows].map(([submission_id, shadow_judging_id]) => ({
        ...{ submission_id, shadow_judging_id },
      })),
    })
    for (const [submission, shadow] of shadows) {
      expect(await messagesFor(service, shadow)).toEqual([{ kind: 'shadow', judging: 1 }])
      const { source_code, problem, language } = await readRecord(submission)
      const record = await judge.get(`/v1/submissions/${shadow}`)
      expect(record).toMatchObject({ status: 'PENDING', source_code, problem, language })
    }
    await cancel(id)
  })

  it('counts pending submissions and those of deleted problems, and leaves them out', async () => {
    const { id: problem_id } = await judging.createProblem()
    const person = await service.createPerson()
    await submitJudged({ problem_id }, 'ACCEPTED', person)
    await submit(person, { problem_id })
    await admin.delete(`/v1/problems/${problem_id}`)
    await admin.post(URL, { user_id: person.id }, noMatch)
    const judged = await submitJudged({}, 'ACCEPTED', person)
    await submit(person)
    const id = await request({ user_id: person.id })
    expect(await read(id)).toMatchObject({ total: 1, waiting: 1, deleted: 2, pending: 1 })
    expect([...(await shadowsOf(id)).keys()]).toEqual([judged])
  })

  it('is refused without a filter or with an invalid field (400), or if nothing matches (404)', async () => {
    const { status, headers, body } = await admin.send('POST', URL, { submission_ids: [all.first] })
    expect([status, headers.location, body]).toEqual([202, `${URL}/${body.id}`, { id: body.id }])
    const names = 'event_id, problem_id, language_id, status, user_id, submission_ids'
    const needed = refusal(400, '400', `At least one of ${names} is required`)
    const count = unprepared(
      'select (select count(*) from outbox) as messages, (select count(*) from rejudging_decisions)',
    )
    const before = await database.query(count)
    for (const [sent, expected] of [
      [{}, needed],
      [{ reason: 'Why not' }, needed],
      [{ event_id: null, submission_ids: null }, needed],
      [{ status: 'PENDING' }, invalidField('status')],
      [{ status: 'GREAT' }, invalidField('status')],
      [{ submission_ids: [] }, invalidField('submission_ids')],
      [{ submission_ids: Array(1001).fill(NOBODY) }, invalidField('submission_ids')],
      [{ submission_ids: ['x'] }, invalid],
      [{ event_id, reason: 'x'.repeat(1001) }, invalidField('reason')],
      [{ event_id: NO_EVENT }, notFound('event')],
      [{ user_id: NOBODY }, noMatch],
      [{ event_id, submission_ids: [all.elsewhere] }, noMatch],
    ] as const)
      await admin.post(URL, sent, expected)
    expect(await database.query(count)).toEqual(before)
  })

  it('has at most 10,000 submissions: others get 400 with their number', async () => {
    const person = await service.createPerson()
    await submitJudged({}, 'ACCEPTED', person)
    // Without triggers, which would take most of the time.
    await database.transaction((tx) =>
      tx.execute(`set local session_replication_role = replica;
        insert into submissions (id, user_id, problem_id, language_id, source_code, status)
        select gen_random_uuid(), user_id, problem_id, language_id, source_code, status
        from submissions, generate_series(1, 10000) where user_id = '${person.id}'`),
    )
    const error = '10001 submissions match, of at most 10000: give more filters, and rejudge them in parts'
    await admin.post(URL, { user_id: person.id }, refusal(400, '400', error))
  })
})

describe('an open rejudging', async () => {
  const event_id = await newContest()
  const [failed_test_case_id = ''] = problem.cases
  const outputs = { stdout: 'a"submission_id":"', stderr: 'b' }
  const result = { test_case_id: failed_test_case_id, ...outputs, passed: false }
  const verdict = {
    ...{ status: 'RUNTIME_ERROR', stdout: 'out', stderr: 'err', time_elapsed: 0.5, memory_used: 77 },
    ...{ worker: 'judge-9', judge_message: 'crashed', failed_test_case_id, test_case_results: [result] },
  }

  it('changes nothing until it is applied; then the new verdict is the next judging', async () => {
    const submission = await submitJudged({ event_id }, 'ACCEPTED')
    const id = await request({ submission_ids: [submission] })
    const before = [await readRecord(submission), await expectRecounted(service, event_id)]
    await admin.post(decisionUrl(id, '/apply'), undefined, refusal(409, 'REJUDGING_PENDING'))
    await judgeAll(id, new Map([[submission, verdict]]))
    expect([await readRecord(submission), await expectRecounted(service, event_id)]).toEqual(before)
    const change = {
      ...{ submission_id: submission, user_id: user.id, problem_id: problem.id, event_id },
      ...{ shadow_judging_id: (await shadowsOf(id)).get(submission) },
      ...{ from_status: 'ACCEPTED', to_status: 'RUNTIME_ERROR' },
    }
    const counts = { total: 1, judged: 1, pending: 0, unchanged: 0, left_out: 0 }
    const open = await read(id)
    expect(open).toMatchObject({ ...counts, changed: 1, changes: [change] })
    const applied = await apply(id)
    const { changed, pending_judgings, ...rest } = open
    expect([changed, pending_judgings]).toEqual([1, []])
    const decision = { decided_by: admin.id, decided_at: expect.stringMatching(INSTANT) }
    expect(applied).toEqual({ ...rest, ...decision, state: 'APPLIED', applied: 1 })
    expect(await read(id)).toEqual(applied)
    const { worker, judge_message, ...shown } = verdict
    const results = [{ ...result, id: expect.stringMatching(UUID), submission_id: submission }]
    const now = { ...shown, judging: 2, test_case_results: results }
    expect(await readRecord(submission)).toMatchObject(now)
    expect(await readVerdicts(submission)).toMatchObject([now, { judging: 1, status: 'ACCEPTED' }])
    const judgings = await judge.get(`/v1/submissions/${submission}/judgings`)
    expect(judgings).toMatchObject([{ judging: 2, worker, judge_message }, { judging: 1 }])
    await expectRecounted(service, event_id)
    await giveVerdict(submission, { status: 'ACCEPTED', judging: 1 })
    expect(await readRecord(submission)).toMatchObject({ status: 'RUNTIME_ERROR', judging: 2 })
    await admin.post(decisionUrl(id, '/apply'), undefined, decided('applied'))
    await admin.post(decisionUrl(id, '/cancel'), undefined, decided('applied'))
  })

  it('leaves out, with the reason, submissions whose verdict changed since, and failed judgings', async () => {
    const ids = []
    for (let n = 0; n < 6; n += 1) ids.push(await submitJudged({ event_id }))
    const [again = '', same = '', waiting = '', failed = '', gone = '', kept = ''] = ids
    const id = await request({ submission_ids: ids })
    // The second verdict of the same judging differs only in its time.
    await giveVerdict(same, 'WRONG_ANSWER')
    for (const submission_id of [again, waiting])
      await admin.post('/v1/admin/rejudge', { submission_id }, 200)
    await giveVerdict(again, 'PRESENTATION_ERROR')
    const accepted = [again, same, waiting].map((one) => [one, 'ACCEPTED'] as const)
    await judgeAll(id, new Map([...accepted, [failed, 'INTERNAL_ERROR'], [kept, verdict.status]]))
    const shadow = (await shadowsOf(id)).get(gone)
    await admin.delete(`/v1/admin/shadow_judgings/${shadow}`)
    const why = { [failed]: 'INTERNAL_ERROR', [gone]: 'JUDGING_DELETED', [kept]: undefined }
    const left_out_submissions = ids
      .filter((one) => one !== kept)
      .map((submission_id) => ({ submission_id, why: why[submission_id] ?? 'JUDGED_AGAIN' }))
      .sort((a, b) => (a.submission_id < b.submission_id ? -1 : 1))
    const expected = { left_out: 5, unchanged: 0, left_out_submissions, changes: [{ submission_id: kept }] }
    expect(await read(id)).toMatchObject({ ...expected, changed: 1 })
    expect(await apply(id)).toMatchObject({ ...expected, applied: 1 })
    const statuses = await Promise.all(ids.map(async (one) => (await readRecord(one)).status))
    const wrong = 'WRONG_ANSWER'
    expect(statuses).toEqual(['PRESENTATION_ERROR', wrong, 'PENDING', wrong, wrong, 'RUNTIME_ERROR'])
    await expectRecounted(service, event_id)
  })

  it('keeps the verdict and the judging of a submission with the same status and score', async () => {
    const submission = await submitJudged({ event_id })
    const id = await request({ submission_ids: [submission] })
    await judgeAll(id, 'WRONG_ANSWER')
    const record = await readRecord(submission)
    expect(await apply(id)).toMatchObject({ applied: 0, unchanged: 1, left_out: 0, changes: [] })
    expect(await readRecord(submission)).toEqual(record)
    expect(await readVerdicts(submission)).toHaveLength(1)
  })

  it('can be cancelled: pending judgings and their messages are deleted, and nothing changes', async () => {
    const ids = [await submitJudged({ event_id }), await submitJudged({ event_id })]
    const id = await request({ submission_ids: ids })
    const [[, done = ''] = [], [, pending = ''] = []] = await shadowsOf(id)
    await giveVerdict(done, 'ACCEPTED')
    const wakes = service.wakes()
    const cancelled = await cancel(id)
    expect(service.wakes()).toBe(wakes + 1)
    const counts = { total: 2, judged: 1, pending: 0, changes: [], left_out_submissions: [] }
    expect(cancelled).toMatchObject({ state: 'CANCELLED', decided_by: admin.id, ...counts })
    expect(await read(id)).toEqual(cancelled)
    expect(await messagesFor(service, pending)).toEqual([])
    await judge.get(`/v1/submissions/${pending}`, notFound('submission'))
    await judge.patch(`/v1/submissions/${pending}`, { status: 'ACCEPTED' }, notFound('submission'))
    expect(await judge.get(`/v1/submissions/${done}`)).toMatchObject({ status: 'ACCEPTED' })
    for (const one of ids) expect(await readRecord(one)).toMatchObject({ status: 'WRONG_ANSWER', judging: 1 })
    for (const ending of ['/apply', '/cancel'])
      await admin.post(decisionUrl(id, ending), undefined, decided('cancelled'))
  })
})

describe('staff of a contest', async () => {
  const event_id = await newContest([stranger.id])
  const other = await newContest([stranger.id])
  const inside = await submitJudged({ event_id })
  const outside = await submitJudged()

  it('requests, reads, lists, applies and cancels rejudgings of this contest only', async () => {
    const foreign = [
      await request({ submission_ids: [inside] }),
      await request({ submission_ids: [outside] }),
    ]
    const applied = await request({ event_id, reason: 'Tests' }, stranger)
    await judgeAll(applied, 'ACCEPTED')
    expect(await stranger.get(decisionUrl(applied))).toMatchObject({ requested_by: stranger.id, changed: 1 })
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
