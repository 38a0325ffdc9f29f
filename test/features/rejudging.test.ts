import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import { createContest } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { loseMessage, messagesFor, serviceWithProblem } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'

const judging = await serviceWithProblem()

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
      const expected = fits ? { status: 'PENDING', judging: 2 } : { status: 'ACCEPTED', judging: 1 }
      expect(await judging.readRecord(one.submission_id)).toMatchObject(expected)
      const messages = await messagesFor(judging.service, one.submission_id)
      expect(messages.map((message) => message.judging)).toEqual(fits ? [1, 2] : [1])
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
    expect(await judging.readRecord(submission)).toMatchObject({ status: 'ACCEPTED', judging: 1 })
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
      expect(body).toMatchObject([{ judging: 1, ...verdict, test_case_results: results }])
    }
    expect(await readVerdicts(id, judging.stranger)).toMatchObject({ status: 401 })
  })

  it('stores the verdict of its own judging; a verdict of the judging before is too late', async () => {
    const id = await submitJudged(judging.user)
    await rejudge({ submission_id: id })
    expect(await judging.patch(id, { status: 'RUNTIME_ERROR', judging: 1 })).toMatchObject({ status: 204 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
    expect(await judging.patch(id, { status: 'WRONG_ANSWER', judging: 2 })).toMatchObject({ status: 204 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'WRONG_ANSWER' })
    const { body } = await readVerdicts(id, judging.user)
    expect(body).toMatchObject([
      { judging: 2, status: 'WRONG_ANSWER' },
      { judging: 1, status: 'ACCEPTED' },
    ])
  })

  it('queues pending submissions too, as a new judging, and keeps no verdict of them', async () => {
    const id = await judging.submit(judging.user)
    expect(await rejudge({ submission_id: id })).toMatchObject({ body: { count: 1 } })
    const messages = await messagesFor(judging.service, id)
    expect(messages.map((message) => message.judging)).toEqual([1, 2])
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
    expect(await judging.readRecord(id)).toMatchObject({ status: 'ACCEPTED', judging: 1 })
  })
})

const insertMany =
  unprepared(`insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, status, stdout)
   select gen_random_uuid(), people.ids[1 + n % 3], $2::integer, $3::uuid, 'print(1)', $4::integer,
          (array['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'PENDING'])[1 + n % 4], repeat('x', 100)
   from generate_series(1, $5::integer) as made (n), (select $1::uuid[] as ids) as people`)

const countStates = unprepared<{
  pending: number
  second: number
  kept: number
  messages: number
}>(`select count(*) filter (where submissions.status = 'PENDING')::integer as pending,
          count(*) filter (where submissions.attempt = 2)::integer as second,
          (select count(*)::integer from verdicts
           where verdicts.submission_id in (select id from submissions where event_id = $1)) as kept,
          (select count(*)::integer from outbox
           where outbox.attempt = 2 and outbox.subject_id in (select id from submissions where event_id = $1)) as messages
   from submissions
   where submissions.event_id = $1`)

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
    const grow = unprepared(`update submissions set status = 'WRONG_ANSWER', stdout = (
         select string_agg(md5(submissions.id::text || n), '') from generate_series(1, 60000) as made (n))
       where submissions.event_id = $1`)
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
        judging.patch(id, { status: 'ACCEPTED', judging: 1 }),
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
      expect(await judging.readRecord(id)).toMatchObject({ judging: 5 })
      const { body } = await readVerdicts(id, judging.admin)
      expect(body.filter(({ status }: { status: string }) => status === 'RUNTIME_ERROR')).toHaveLength(1)
    }
    await expectRecounted(judging.service, eventId)
  }, 60_000)
})

/** The names under which a verdict may carry its judging. */
const NAMES = ['judging', 'attempt']

const DIFFER = { status: 400, body: { code: '400', error: 'judging and attempt must not differ' } }

/** Submits a program that is queued again, as judging 2. */
async function submitTwice(fields = {}): Promise<string> {
  const id = await judging.submit(judging.user, fields)
  await loseMessage(judging.service, id)
  return id
}

const judge = async (id: string, body: Record<string, unknown>) =>
  expect(await judging.patch(id, body)).toMatchObject({ status: 204, text: '' })

/** The judgings and statuses of the verdicts, newest first. */
async function readHistory(id: string) {
  const url = `/v1/submissions/${id}/verdicts`
  const { status, body } = await judging.service.send({ method: 'GET', url, token: judging.user.token })
  expect(status).toBe(200)
  return body.map((verdict: { judging: number; attempt: number; status: string }) => {
    expect(verdict.attempt).toBe(verdict.judging)
    return [verdict.judging, verdict.status]
  })
}

describe('a submission that is queued again', () => {
  it('has the next judging, in its record for judges and admins (also as `attempt`) and in its message', async () => {
    const id = await judging.submit(judging.user)
    expect(await judging.readRecord(id)).toMatchObject({ judging: 1, attempt: 1 })
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'submission', judging: 1 }])
    await loseMessage(judging.service, id)
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'submission', judging: 2 }])
    const read = (token: string) =>
      judging.service.send({ method: 'GET', url: `/v1/submissions/${id}`, token })
    for (const token of [judging.service.judgeToken, judging.admin.token])
      expect((await read(token)).body).toMatchObject({ judging: 2, attempt: 2, status: 'PENDING' })
    const { body } = await read(judging.user.token)
    expect(body).not.toHaveProperty('judging')
    expect(body).not.toHaveProperty('attempt')
  })
})

describe('a verdict', () => {
  it.each(NAMES)(
    'of an older judging (%j) than the newest verdict gets 204 and is neither stored nor kept',
    async (name) => {
      const id = await submitTwice()
      await judge(id, { status: 'ACCEPTED', stdout: 'second', [name]: 2 })
      const before = await judging.readRecord(id)
      await judge(id, { status: 'WRONG_ANSWER', stdout: 'first', [name]: 1 })
      expect(await judging.readRecord(id)).toEqual(before)
      expect(await readHistory(id)).toEqual([[2, 'ACCEPTED']])
    },
  )

  it.each(NAMES)('of an older judging (%j) is stored until a newer verdict replaces it', async (name) => {
    const id = await submitTwice()
    await judge(id, { status: 'WRONG_ANSWER', [name]: 1 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'WRONG_ANSWER', judging: 2 })
    await judge(id, { status: 'ACCEPTED', [name]: 2 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(await readHistory(id)).toEqual([
      [2, 'ACCEPTED'],
      [1, 'WRONG_ANSWER'],
    ])
  })

  it('of the same judging replaces the earlier one, which is kept (D25)', async () => {
    const id = await submitTwice()
    for (const status of ['ACCEPTED', 'WRONG_ANSWER', 'ACCEPTED']) await judge(id, { status, judging: 2 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(await readHistory(id)).toEqual([
      [2, 'ACCEPTED'],
      [2, 'WRONG_ANSWER'],
      [2, 'ACCEPTED'],
    ])
  })

  it('stands alone where two workers were delivered the same message; the other’s is kept, and one is counted', async () => {
    const eventId = await createContest(judging, [{ problem_id: judging.problem.id }])
    const id = await judging.submit(judging.user, { event_id: eventId })
    const [message] = await messagesFor(judging.service, id)
    const deliveries = ['ACCEPTED', 'WRONG_ANSWER'].map(async (status) => {
      expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
      return { status, judging: message?.judging }
    })
    const verdicts = await Promise.all(deliveries)
    await Promise.all(verdicts.map((verdict) => judge(id, verdict)))
    const history = await readHistory(id)
    expect([...history].sort()).toEqual(verdicts.map((verdict) => [verdict.judging, verdict.status]))
    expect(await judging.readRecord(id)).toMatchObject({ status: history[0][1], judging: 1 })
    expect(await expectRecounted(judging.service, eventId)).toEqual([
      expect.objectContaining({ total_attempts: 1, attempts: 1 }),
    ])
  })

  it.each([
    {},
    { judging: null },
    { attempt: null },
    { judging: null, attempt: 2 },
    { judging: 2, attempt: null },
  ])('with %j belongs to the newest judging', async (named) => {
    const id = await submitTwice()
    await judge(id, { status: 'ACCEPTED', ...named })
    await judge(id, { status: 'WRONG_ANSWER', judging: 1 })
    expect(await readHistory(id)).toEqual([[2, 'ACCEPTED']])
  })

  it('of a judging that was never queued belongs to the newest one, and a later verdict replaces it', async () => {
    const id = await judging.submit(judging.user)
    await judge(id, { status: 'WRONG_ANSWER', judging: 2_147_483_647 })
    await judge(id, { status: 'ACCEPTED', judging: 1 })
    expect(await readHistory(id)).toEqual([
      [1, 'ACCEPTED'],
      [1, 'WRONG_ANSWER'],
    ])
  })

  const invalid = [0, -1, 1.5, '1', 2_147_483_648]
  it.each(NAMES.flatMap((name) => invalid.map((value) => [name, value] as const)))(
    'is refused if %s is %j (400)',
    async (name, value) => {
      const id = await judging.submit(judging.user)
      expect(await judging.patch(id, { status: 'ACCEPTED', [name]: value })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(`^${name} must be `) },
      })
      expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
    },
  )

  it('is refused if judging and attempt differ (400), and stored if they are equal', async () => {
    const id = await submitTwice()
    expect(await judging.patch(id, { status: 'ACCEPTED', judging: 2, attempt: 1 })).toMatchObject(DIFFER)
    expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
    await judge(id, { status: 'ACCEPTED', judging: 1, attempt: 1 })
    expect(await readHistory(id)).toEqual([[1, 'ACCEPTED']])
  })

  it('that comes late counts once in the standings, as do those that it comes after', async () => {
    const eventId = await createContest(judging, [{ problem_id: judging.problem.id }])
    const id = await submitTwice({ event_id: eventId })
    await judge(id, { status: 'WRONG_ANSWER', judging: 1 })
    await judge(id, { status: 'RUNTIME_ERROR', judging: 2 })
    await judge(id, { status: 'ACCEPTED', judging: 1 })
    const cells = await expectRecounted(judging.service, eventId)
    expect(cells).toEqual([expect.objectContaining({ attempts: 1, total_attempts: 1 })])
    expect(cells[0]).not.toHaveProperty('first_accepted_time')
  })
})

describe('the verdicts of a submission', () => {
  const read = (id: string, token: string) =>
    judging.service.send({ method: 'GET', url: `/v1/submissions/${id}/verdicts`, token })

  it('are read whole by its owner, judges and admins, newest first; anybody else is refused (401)', async () => {
    const id = await judging.submit(judging.user)
    const [test_case_id = ''] = judging.problem.cases
    const results = [{ test_case_id, stdout: 'o', stderr: 'e', passed: false }]
    const first = { status: 'WRONG_ANSWER', stdout: 'out', stderr: 'err', time_elapsed: 0.5 }
    await judge(id, { ...first, failed_test_case_id: test_case_id, test_case_results: results })
    await judge(id, { status: 'ACCEPTED' })
    const { token } = judging.user
    const { body } = await read(id, token)
    expect(body).toMatchObject([
      { status: 'ACCEPTED', stdout: '', failed_test_case_id: null, test_case_results: [] },
      {
        ...first,
        failed_test_case_id: test_case_id,
        test_case_results: [{ ...results[0], submission_id: id }],
      },
    ])
    expect(Date.parse(body[0].judged_at)).toBeGreaterThan(Date.parse(body[1].judged_at))
    for (const other of [judging.service.judgeToken, judging.admin.token])
      expect(await read(id, other)).toMatchObject({ status: 200, body })
    expect(await read(id, judging.stranger.token)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
  })

  it('are none while it is first pending, and 404 where there is no such submission', async () => {
    const id = await judging.submit(judging.user)
    expect(await read(id, judging.user.token)).toMatchObject({ status: 200, text: '[]' })
    const nobody = '00000000-0000-7000-8000-000000000000'
    expect(await read(nobody, judging.user.token)).toMatchObject({ status: 404 })
  })
})

describe('the outcome of a run', () => {
  const url = '/v1/input_submissions'

  async function createTwice(): Promise<string> {
    const body = { language_id: judging.language.id, source_code: 'print(1)', stdin: '' }
    const made = await judging.service.send({ method: 'POST', url, token: judging.user.token, body })
    expect(made.status).toBe(201)
    await loseMessage(judging.service, made.text)
    return made.text
  }
  const patch = async (id: string, body: unknown) =>
    judging.service.send({ method: 'PATCH', url: `${url}/${id}`, token: judging.service.judgeToken, body })
  const read = async (id: string, token = judging.user.token) =>
    (await judging.service.send({ method: 'GET', url: `${url}/${id}`, token })).body

  it.each(NAMES)(
    'of an older judging (%j) than the newest outcome gets 204 and is not stored',
    async (name) => {
      const id = await createTwice()
      expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'input', judging: 2 }])
      const record = await read(id, judging.service.judgeToken)
      expect(record).toMatchObject({ judging: 2, attempt: 2, finished: false })
      expect(await patch(id, { status: 'ACCEPTED', stdout: '2', [name]: 2 })).toMatchObject({ status: 204 })
      expect(await patch(id, { status: 'ACCEPTED', stdout: '1', [name]: 1 })).toMatchObject({ status: 204 })
      expect(await read(id)).toMatchObject({ stdout: '2' })
    },
  )

  it('is refused if judging and attempt differ (400), and stored if they are equal', async () => {
    const id = await createTwice()
    expect(await patch(id, { status: 'ACCEPTED', judging: 1, attempt: 2 })).toMatchObject(DIFFER)
    expect(await read(id)).toMatchObject({ finished: false })
    expect(await patch(id, { status: 'ACCEPTED', judging: 2, attempt: 2 })).toMatchObject({ status: 204 })
    expect(await read(id)).toMatchObject({ finished: true })
  })

  it('of the same, an absent or a larger judging replaces the outcome; of an older one until there is a newer', async () => {
    const id = await createTwice()
    for (const [stdout, number] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 7],
      ['e', 2],
      ['f', null],
    ]) {
      expect(await patch(id, { status: 'ACCEPTED', stdout, judging: number })).toMatchObject({ status: 204 })
      expect(await read(id)).toMatchObject({ stdout, finished: true })
    }
    await patch(id, { status: 'ACCEPTED', stdout: 'late', judging: 1 })
    expect(await read(id)).toMatchObject({ stdout: 'f' })
  })

  it('of the newest judging stays, whatever arrives at the same time', async () => {
    const id = await createTwice()
    const numbers = Array.from({ length: 16 }, (_, n) => (n % 8 === 3 ? 2 : 1))
    const answers = await Promise.all(
      numbers.map((number) => patch(id, { status: 'ACCEPTED', stdout: `${number}`, judging: number })),
    )
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 204))
    expect(await read(id)).toMatchObject({ stdout: '2' })
  })
})
