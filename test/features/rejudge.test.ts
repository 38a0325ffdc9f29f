import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { createContest } from '../contests/contest-judging.ts'
import { expectRecounted } from '../contests/recount.ts'
import type { Person } from '../support/app.ts'
import { messagesFor, NOBODY, openJudging } from './judging-support.ts'

const judging = await openJudging()

const rejudge = (body: unknown) =>
  judging.service.send({ method: 'POST', url: '/v1/admin/rejudge', token: judging.admin.token, body })

const readVerdicts = (id: string, { token }: Pick<Person, 'token'>) =>
  judging.service.send({ method: 'GET', url: `/v1/submissions/${id}/verdicts`, token })

async function submitJudged(person: Person, fields: Record<string, unknown> = {}, status = 'ACCEPTED') {
  const id = await judging.submit(person, fields)
  expect(await judging.patch(id, { status, stdout: 'first', time_elapsed: 1 })).toMatchObject({ status: 204 })
  return id
}

type Made = Readonly<Record<string, string | number>> & { readonly submission_id: string }

/** Judged submissions of every person, problem and language there are, in a contest and outside. */
async function submitEverything(): Promise<Made[]> {
  const people = [await judging.service.createPerson(), await judging.service.createPerson()]
  const problems = [await judging.createProblem(), await judging.createProblem()]
  const { body } = await judging.service.send({ method: 'GET', url: '/v1/languages' })
  const event_id = await createContest(
    judging,
    problems.map(({ id }) => ({ problem_id: id })),
  )
  const made: Made[] = []
  for (const person of people) {
    for (const { id: problem_id } of problems) {
      for (const { id: language_id } of body.slice(0, 2)) {
        for (const fields of [
          { problem_id, language_id },
          { problem_id, language_id, event_id },
        ])
          made.push({ ...fields, user_id: person.id, submission_id: await submitJudged(person, fields) })
      }
    }
  }
  return made
}

describe('rejudging', () => {
  it.each([
    [['submission_id'], 1],
    [['problem_id'], 8],
    [['event_id'], 8],
    [['user_id'], 8],
    [['problem_id', 'event_id'], 4],
    [['user_id', 'problem_id'], 4],
    [['language_id', 'user_id', 'event_id'], 2],
    [['submission_id', 'user_id'], 1],
    [['submission_id', 'problem_id', 'event_id', 'language_id', 'user_id'], 1],
  ])('by %j queues exactly what fits all of them again, and says how many', async (filters, count) => {
    const made = await submitEverything()
    const chosen = made.at(-1)
    const body = Object.fromEntries(filters.map((name) => [name, chosen?.[name]]))
    expect(await rejudge(body)).toMatchObject({ status: 200, body: { count } })
    for (const one of made) {
      const fits = filters.every((name) => one[name] === chosen?.[name])
      const expected = fits ? { status: 'PENDING', attempt: 2 } : { status: 'ACCEPTED', attempt: 1 }
      expect(await judging.readRecord(one.submission_id)).toMatchObject(expected)
      const messages = await messagesFor(judging.service, one.submission_id)
      expect(messages.map(({ attempt }) => attempt)).toEqual(fits ? [1, 2] : [1])
    }
  })

  it('by language alone queues what is in it, whoever made it', async () => {
    const { body } = await judging.service.send({ method: 'GET', url: '/v1/languages' })
    const language_id = body.at(-1).id
    const ids = [
      await submitJudged(judging.user, { language_id }),
      await submitJudged(judging.stranger, { language_id }),
    ]
    expect(await rejudge({ language_id: language_id.toUpperCase(), user_id: null })).toMatchObject({
      body: { count: 2 },
    })
    for (const id of ids) expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
  })

  it('answers 0 where nothing fits', async () => {
    const { id } = await judging.service.createPerson()
    const before = judging.service.wakes()
    expect(await rejudge({ user_id: id })).toMatchObject({ status: 200, body: { count: 0 } })
    expect(judging.service.wakes()).toBe(before)
  })

  it.each([
    ['submission_id', NOBODY, 'submission'],
    ['problem_id', 2_147_483_647, 'problem'],
    ['event_id', 2_147_483_647, 'event'],
    ['language_id', NOBODY, 'language'],
    ['user_id', NOBODY, 'user'],
  ])('by a %s that there is not is 404, also beside others, and queues nothing', async (name, id, thing) => {
    const submission = await submitJudged(judging.user)
    const answer = await rejudge({ submission_id: submission, [name]: id })
    expect(answer).toMatchObject({ status: 404, body: { error: `There is no such ${thing}` } })
    expect(await judging.readRecord(submission)).toMatchObject({ status: 'ACCEPTED', attempt: 1 })
  })

  it.each([[{}], [{ submission_id: null, problem_id: null }], [{ team_id: NOBODY }]])(
    'by nothing is refused (400): %j',
    async (body) => {
      const answer = await rejudge(body)
      expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.error).toMatch(/^At least one of submission_id, problem_id, .+ is required$/)
    },
  )

  it('leaves it without a verdict and pending, and keeps the verdict that it had for its readers', async () => {
    const [failed_test_case_id = ''] = judging.problem.cases
    const id = await judging.submit(judging.user)
    const verdict = { status: 'WRONG_ANSWER', stdout: 'o', stderr: 'e', time_elapsed: 2, failed_test_case_id }
    const results = [{ test_case_id: failed_test_case_id, passed: false }]
    await judging.patch(id, { ...verdict, test_case_results: results })
    expect(await rejudge({ submission_id: id })).toMatchObject({ status: 200, body: { count: 1 } })
    const record = await judging.readRecord(id)
    const empty = { stdout: '', stderr: '', time_elapsed: 0, failed_test_case_id: null }
    expect(record).toMatchObject({ status: 'PENDING', ...empty })
    expect(record).not.toHaveProperty('test_case_results')
    for (const reader of [judging.user, judging.admin, { token: judging.service.judgeToken }]) {
      const { body } = await readVerdicts(id, reader)
      expect(body).toMatchObject([{ attempt: 1, ...verdict, test_case_results: results }])
    }
    expect(await readVerdicts(id, judging.stranger)).toMatchObject({ status: 401 })
  })

  it('is followed by the verdict of its own attempt; one of the attempt before comes too late', async () => {
    const id = await submitJudged(judging.user)
    await rejudge({ submission_id: id })
    expect(await judging.patch(id, { status: 'RUNTIME_ERROR', attempt: 1 })).toMatchObject({ status: 204 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
    expect(await judging.patch(id, { status: 'WRONG_ANSWER', attempt: 2 })).toMatchObject({ status: 204 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'WRONG_ANSWER' })
    const { body } = await readVerdicts(id, judging.user)
    expect(body).toMatchObject([
      { attempt: 2, status: 'WRONG_ANSWER' },
      { attempt: 1, status: 'ACCEPTED' },
    ])
  })

  it('takes pending ones too, as a new attempt, and keeps nothing of them', async () => {
    const id = await judging.submit(judging.user)
    expect(await rejudge({ submission_id: id })).toMatchObject({ body: { count: 1 } })
    const attempts = (await messagesFor(judging.service, id)).map(({ attempt }) => attempt)
    expect(attempts).toEqual([1, 2])
    expect(await readVerdicts(id, judging.user)).toMatchObject({ text: '[]' })
  })

  it('leaves the submissions to a deleted problem alone', async () => {
    const person = await judging.service.createPerson()
    const { id: problem_id } = await judging.createProblem()
    const id = await submitJudged(person, { problem_id })
    const url = `/v1/problems/${problem_id}`
    const deleted = await judging.service.send({ method: 'DELETE', url, token: judging.admin.token })
    expect(deleted.status).toBe(204)
    expect(await rejudge({ user_id: person.id })).toMatchObject({ body: { count: 0 } })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'ACCEPTED', attempt: 1 })
  })
})

const insertMany = statement(
  '',
  `insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, status, stdout)
   select gen_random_uuid(), people.ids[1 + n % 3], $2::integer, $3::uuid, 'print(1)', $4::integer,
          (array['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'PENDING'])[1 + n % 4], repeat('x', 100)
   from generate_series(1, $5::integer) as made (n), (select $1::uuid[] as ids) as people`,
)

const countStates = statement<{ pending: number; second: number; kept: number; messages: number }>(
  '',
  `select count(*) filter (where submissions.status = 'PENDING')::integer as pending,
          count(*) filter (where submissions.attempt = 2)::integer as second,
          (select count(*)::integer from verdicts
           where verdicts.submission_id in (select id from submissions where event_id = $1)) as kept,
          (select count(*)::integer from outbox
           where outbox.attempt = 2 and outbox.subject_id in (select id from submissions where event_id = $1)) as messages
   from submissions
   where submissions.event_id = $1`,
)

/** A contest of three people with so many submissions, judged and pending. */
async function fillContest(count: number): Promise<number> {
  const eventId = await createContest(judging, [{ problem_id: judging.problem.id }])
  const { user, stranger, admin, problem, language, service } = judging
  const people = [user.id, stranger.id, admin.id]
  await service.database.query(insertMany, [people, problem.id, language.id, eventId, count])
  return eventId
}

describe('rejudging more than one batch', () => {
  it('takes each submission once, and the standings are what a recount gives', async () => {
    const eventId = await fillContest(2500)
    expect(await rejudge({ event_id: eventId })).toMatchObject({ status: 200, body: { count: 2500 } })
    const [states] = await judging.service.database.query(countStates, [eventId])
    expect(states).toEqual({ pending: 2500, second: 2500, kept: 1875, messages: 2500 })
    const cells = await expectRecounted(judging.service, eventId)
    expect(cells.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
  }, 60_000)

  it('takes each submission once, also where a few have outputs that fill a batch each', async () => {
    const eventId = await fillContest(7)
    const grow = statement(
      '',
      `update submissions set status = 'WRONG_ANSWER', stdout = (
         select string_agg(md5(submissions.id::text || n), '') from generate_series(1, 60000) as made (n))
       where submissions.event_id = $1`,
    )
    await judging.service.database.query(grow, [eventId])
    expect(await rejudge({ event_id: eventId })).toMatchObject({ status: 200, body: { count: 7 } })
    const [states] = await judging.service.database.query(countStates, [eventId])
    expect(states).toEqual({ pending: 7, second: 7, kept: 7, messages: 7 })
  }, 60_000)
})

describe('rejudging while verdicts arrive', () => {
  it('answers everybody lawfully, loses no verdict, and the standings are what a recount gives', async () => {
    const eventId = await createContest(judging, [{ problem_id: judging.problem.id }])
    const people = [judging.user, judging.stranger, judging.admin]
    const ids = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        submitJudged(
          people[n % 3] ?? judging.user,
          { event_id: eventId },
          n % 2 ? 'ACCEPTED' : 'WRONG_ANSWER',
        ),
      ),
    )
    const answers = await Promise.all([
      ...ids.flatMap((id) => [
        judging.patch(id, { status: 'ACCEPTED', attempt: 1 }),
        rejudge({ event_id: eventId, submission_id: id }),
        judging.patch(id, { status: 'RUNTIME_ERROR' }),
      ]),
      rejudge({ event_id: eventId }),
      rejudge({ problem_id: judging.problem.id }),
      rejudge({ event_id: eventId }),
    ])
    for (const { status, text } of answers) expect([200, 204], text).toContain(status)
    for (const id of ids) {
      // Its own rejudging and the three of all.
      expect(await judging.readRecord(id)).toMatchObject({ attempt: 5 })
      const { body } = await readVerdicts(id, judging.admin)
      expect(body.filter(({ status }: { status: string }) => status === 'RUNTIME_ERROR')).toHaveLength(1)
    }
    await expectRecounted(judging.service, eventId)
  }, 60_000)
})
