import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { scoredFrom } from '../../../src/features/contests/standings/scores.ts'
import {
  continueRejudgings,
  startRejudging,
} from '../../../src/features/judging/immediate-rejudging/continue.ts'
import { rejudgeFilters } from '../../../src/features/judging/immediate-rejudging/sql.ts'
import type { Person } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { createContest, INSTANT } from '../../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY } from '../../support/ids.ts'
import { messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { onPostgres } from '../../support/needs.ts'
import { emptyOutbox } from '../../support/queue.ts'
import { expectRecounted } from '../../support/recount.ts'
import { notFound, refusal } from '../../support/refusals.ts'
import { lockRows } from '../../support/row-lock.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, language, submit, readRecord, giveVerdict } = judging
const { database, judge } = service

const rejudge = (body: object, expected?: Expected) => admin.post('/v1/admin/rejudge', body, expected)

const readVerdicts = (id: string, caller = judge) => caller.get(`/v1/submissions/${id}/verdicts`)

const submitJudged = (person: Person, fields: object = {}, status = 'ACCEPTED') =>
  judging.submitJudged(person, fields, status)

type Submitted = Readonly<Record<(typeof rejudgeFilters)[number], string | number | null>>

/** A judged submission of each of two people, problems and languages, in a contest and outside. */
async function submitEverything(): Promise<Submitted[]> {
  const people = [await service.createPerson(), await service.createPerson()]
  const problems = [await judging.createProblem(), await judging.createProblem()]
  const [first, second] = await service.anonymous.get('/v1/languages')
  const contest = await createContest(judging, problems)
  const submitted: Submitted[] = []
  for (const person of people)
    for (const { id: problem_id } of problems)
      for (const { id: language_id } of [first, second])
        for (const event_id of [null, contest]) {
          const fields = { problem_id, language_id, event_id }
          submitted.push({ ...fields, user_id: person.id, submission_id: await submitJudged(person, fields) })
        }
  return submitted
}

const judgeAll = unprepared(`update submissions set status = 'ACCEPTED', attempt = 1, verdict_attempt = 1`)

const selectStates = unprepared<{
  id: string
  status: string
  judging: number
  queued: number[]
}>(`select submissions.id::text, submissions.status, submissions.attempt as judging,
          array(select outbox.attempt from outbox where outbox.subject_id = submissions.id) as queued
   from submissions`)

describe('rejudging', async () => {
  const everything = await submitEverything()
  const chosen = everything.at(-1)
  const inUpperCase = Object.fromEntries(
    Object.entries(chosen ?? {}).map(([name, id]) => [name, typeof id === 'string' ? id.toUpperCase() : id]),
  )

  it.each([
    [['submission_id'], 1],
    [['problem_id'], 8],
    [['event_id'], 8],
    [['language_id'], 8],
    [['user_id'], 8],
    [['problem_id', 'event_id'], 4],
    [['user_id', 'problem_id'], 4],
    [['language_id', 'user_id', 'event_id'], 2],
    [['submission_id', 'user_id'], 1],
    [['submission_id', 'problem_id', 'event_id', 'language_id', 'user_id'], 1],
  ])('by %j queues exactly the submissions that match, and returns their number', async (names, count) => {
    await database.query(judgeAll)
    await emptyOutbox(database)
    const given = rejudgeFilters.filter((name) => names.includes(name))
    const filters = rejudgeFilters.map((name) => [name, given.includes(name) ? inUpperCase[name] : null])
    const counts = { total: count, count, skipped: 0 }
    const rejudging = await rejudge(Object.fromEntries(filters))
    expect(rejudging).toMatchObject({ status: 'QUEUED', ...counts, requested_by: admin.id })
    for (const name of rejudgeFilters)
      expect(rejudging[name]).toBe(given.includes(name) ? chosen?.[name] : undefined)
    expect(await admin.get(`/v1/admin/rejudgings/${rejudging.id}`)).toEqual(rejudging)
    const states = new Map((await database.query(selectStates)).map(({ id, ...state }) => [id, state]))
    for (const one of everything) {
      const expected = given.every((name) => one[name] === chosen?.[name])
        ? { status: 'PENDING', judging: 2, queued: [2] }
        : { status: 'ACCEPTED', judging: 1, queued: [] }
      expect(states.get(String(one.submission_id))).toEqual(expected)
    }
  })

  it('returns 0 and wakes no relay if no submission matches, and leaves out deleted problems', async () => {
    const person = await service.createPerson()
    const { id: problem_id } = await judging.createProblem()
    const id = await submitJudged(person, { problem_id })
    await admin.delete(`/v1/problems/${problem_id}`)
    const before = service.wakes()
    expect(await rejudge({ user_id: person.id })).toMatchObject({ status: 'QUEUED', total: 0, count: 0 })
    expect(service.wakes()).toBe(before)
    expect(await readRecord(id)).toMatchObject({ status: 'ACCEPTED', judging: 1 })
  })

  it('queues nothing for unknown ids, also beside a known one (404), or without an id (400)', async () => {
    const submission_id = await submitJudged(user)
    const error = 'At least one of submission_id, problem_id, event_id, language_id, user_id is required'
    const withoutId = refusal(400, '400', error)
    const refusals: [object, Expected][] = [
      [{ submission_id: NOBODY }, notFound('submission')],
      [{ submission_id, problem_id: NO_PROBLEM }, notFound('problem')],
      [{ submission_id, event_id: NO_EVENT }, notFound('event')],
      [{ submission_id, language_id: NOBODY }, notFound('language')],
      [{ submission_id, user_id: NOBODY }, notFound('user')],
      [{}, withoutId],
      [{ submission_id: null, problem_id: null }, withoutId],
      [{ team_id: NOBODY }, withoutId],
    ]
    for (const [body, expected] of refusals) await rejudge(body, expected)
    expect(await readRecord(submission_id)).toMatchObject({ status: 'ACCEPTED', judging: 1 })
  })

  it('makes the submission pending, keeps its verdict for readers, and drops verdicts of the former judging', async () => {
    const [failed_test_case_id = ''] = problem.cases
    const id = await submit(user)
    const verdict = { status: 'WRONG_ANSWER', stdout: 'o', stderr: 'e', time_elapsed: 2, failed_test_case_id }
    const test_case_results = [{ test_case_id: failed_test_case_id, passed: false }]
    await giveVerdict(id, { ...verdict, test_case_results })
    expect(await rejudge({ submission_id: id })).toMatchObject({ count: 1 })
    const record = await readRecord(id)
    const empty = { stdout: '', stderr: '', time_elapsed: 0, failed_test_case_id: null }
    expect(record).toMatchObject({ status: 'PENDING', ...empty })
    expect(record).not.toHaveProperty('test_case_results')
    for (const reader of [user, admin, judge])
      expect(await readVerdicts(id, reader)).toMatchObject([{ judging: 1, ...verdict, test_case_results }])
    await giveVerdict(id, { status: 'RUNTIME_ERROR', judging: 1 })
    expect(await readRecord(id)).toMatchObject({ status: 'PENDING' })
    await giveVerdict(id, { status: 'ACCEPTED', judging: 2 })
    expect(await readRecord(id)).toMatchObject({ status: 'ACCEPTED' })
    const accepted = { judging: 2, status: 'ACCEPTED' }
    expect(await readVerdicts(id)).toMatchObject([accepted, { judging: 1, ...verdict }])
  })

  it('skips submissions that wait for a verdict anyway, also after an earlier rejudging', async () => {
    const person = await service.createPerson()
    const [waiting, judged] = [await submit(person), await submitJudged(person)]
    expect(await rejudge({ user_id: person.id })).toMatchObject({ total: 2, count: 1, skipped: 1 })
    expect(await rejudge({ user_id: person.id })).toMatchObject({ total: 2, count: 0, skipped: 2 })
    expect(await messagesFor(service, waiting)).toMatchObject([{ judging: 1 }])
    expect(await messagesFor(service, judged)).toMatchObject([{ judging: 1 }, { judging: 2 }])
    expect(await readVerdicts(waiting)).toEqual([])
  })

  it('leaves out submissions that arrive after its start', async () => {
    const person = await service.createPerson()
    const [early, late] = [await submitJudged(person), await submitJudged(person)]
    await database.query(postpone, [late])
    expect(await rejudge({ user_id: person.id, until: '2999-01-01T00:00:00Z' })).toMatchObject({ count: 1 })
    expect(await readRecord(early)).toMatchObject({ status: 'PENDING', judging: 2 })
    expect(await readRecord(late)).toMatchObject({ status: 'ACCEPTED', judging: 1 })
  })
})

const postpone = unprepared(
  `update submissions set submit_time = now() + interval '1 hour' where submissions.id = $1`,
)

const insertMany = unprepared(`with made as (
     insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, status, stdout)
     select gen_random_uuid(), people.ids[1 + n % 3], $2::integer, $3::uuid, 'print(1)', $4::integer,
            (array['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'PENDING'])[1 + n % 4], repeat('x', 100)
     from generate_series(1, $5::integer) as made (n), (select $1::uuid[] as ids) as people
     returning submissions.*)
   ${scoredFrom('made')}`)

const growOutputs = unprepared(`with printed as materialized (
     select string_agg(md5(n::text), '') as text from generate_series(1, 70000) as made (n)
   )
   update submissions set status = 'WRONG_ANSWER', stdout = printed.text from printed
   where submissions.event_id = $1`)

const countStates = unprepared(`with chosen as (select * from submissions where submissions.event_id = $1)
   select (select count(*)::integer from chosen where chosen.status = 'PENDING') as pending,
          (select count(*)::integer from chosen where chosen.attempt = 2) as second,
          (select count(*)::integer from verdicts join chosen on chosen.id = verdicts.submission_id) as kept,
          (select count(*)::integer from outbox join chosen on chosen.id = outbox.subject_id
           where outbox.attempt = 2) as messages`)

/** Creates a contest with this many submissions of three people, judged but for every fourth. */
async function fillContest(count: number): Promise<number> {
  const eventId = await createContest(judging, [{ problem_id: problem.id }])
  const people = [user.id, stranger.id, admin.id]
  await database.query(insertMany, [people, problem.id, language.id, eventId, count])
  return eventId
}

describe('a long rejudging', () => {
  const options = { database, logger: pino({ level: 'silent' }), wakeRelay: () => {} }
  const request = async (eventId: number) => {
    const { status, body, headers } = await admin.send('POST', '/v1/admin/rejudge', { event_id: eventId })
    expect([status, headers.location]).toEqual([202, `/v1/admin/rejudgings/${body.id}`])
    return body
  }
  const readProgress = (id: string) => admin.get(`/v1/admin/rejudgings/${id}`)
  const finishAll = async () => {
    while (await continueRejudgings(options));
  }

  it('responds after its first batch (202), continues in the background, and takes each of 3,001 submissions once, also if it is requested again and queued by several processes', async () => {
    const eventId = await fillContest(3001)
    const rejudging = await request(eventId)
    expect(rejudging).toMatchObject({ status: 'QUEUEING', total: 3001, event_id: eventId })
    expect(rejudging.count + rejudging.skipped).toBe(1000)
    expect(rejudging).not.toHaveProperty('finished_at')
    expect((await request(eventId)).id).toBe(rejudging.id)
    const processes = [1, 2, 3, 4].map(() => startRejudging({ ...options, pollMs: 1 }))
    const finished = { status: 'QUEUED', finished_at: expect.stringMatching(INSTANT) }
    await expect
      .poll(() => readProgress(rejudging.id))
      .toMatchObject({ ...finished, count: 2251, skipped: 750 })
    await Promise.all(processes.map(({ stop }) => stop()))
    const counts = { pending: 3001, second: 2251, kept: 2251, messages: 2251 }
    expect(await database.query(countStates, [eventId])).toEqual([counts])
    expect((await expectRecounted(service, eventId)).map(({ attempts }) => attempts)).toEqual([0, 0, 0])
    expect((await admin.get('/v1/admin/rejudgings?limit=1'))[0]).toEqual(await readProgress(rejudging.id))
    expect(await rejudge({ event_id: eventId }, 202)).toMatchObject({ count: 0, skipped: 1000 })
    await finishAll()
  })

  it('waits for a batch of another process, and not for other rejudgings', onPostgres, async () => {
    const held = await request(await fillContest(1500))
    const select = 'select from rejudgings where rejudgings.id = $1::uuid for update'
    const lock = await lockRows(service.databaseUrl ?? '', select, [held.id])
    expect(await continueRejudgings(options)).toBe(false)
    const { id } = await request(await fillContest(1500))
    await finishAll()
    expect(await readProgress(id)).toMatchObject({ status: 'QUEUED' })
    expect(await readProgress(held.id)).toMatchObject({ status: 'QUEUEING' })
    await lock.release()
    await finishAll()
    expect(await readProgress(held.id)).toMatchObject({ status: 'QUEUED' })
  })

  it('takes each of five submissions once if their outputs exceed the 8 MiB of a batch', async () => {
    const eventId = await fillContest(5)
    await database.query(growOutputs, [eventId])
    const { id } = await request(eventId)
    await finishAll()
    expect(await readProgress(id)).toMatchObject({ status: 'QUEUED', count: 5 })
    const counts = { pending: 5, second: 5, kept: 5, messages: 5 }
    expect(await database.query(countStates, [eventId])).toEqual([counts])
  })
})

it('rejudging while verdicts arrive loses no verdict, and the standings equal a recount', async () => {
  const { id: problem_id } = await judging.createProblem()
  const event_id = await createContest(judging, [{ problem_id }])
  const ids: string[] = []
  for (let n = 0; n < 4; n += 1)
    for (const person of [user, stranger, admin]) {
      const status = ids.length % 2 === 1 ? 'ACCEPTED' : 'WRONG_ANSWER'
      ids.push(await submitJudged(person, { problem_id, event_id }, status))
    }
  await Promise.all([
    ...ids.flatMap((id) => [
      giveVerdict(id, { status: 'ACCEPTED', judging: 1 }),
      rejudge({ event_id, submission_id: id }),
      giveVerdict(id, 'RUNTIME_ERROR'),
    ]),
    ...[{ event_id }, { problem_id }, { event_id }].map((filters) => rejudge(filters)),
  ])
  for (const id of ids) {
    // Rejudged one to four times: a pending submission is skipped.
    const { judging: judgings } = await readRecord(id)
    expect(judgings).toBeGreaterThanOrEqual(2)
    expect(judgings).toBeLessThanOrEqual(5)
    const verdicts: { status: string }[] = await readVerdicts(id)
    expect(verdicts.filter(({ status }) => status === 'RUNTIME_ERROR')).toHaveLength(1)
  }
  await expectRecounted(service, event_id)
})
