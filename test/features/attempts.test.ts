import { describe, expect, it } from 'vitest'
import { createContest } from '../contests/contest-judging.ts'
import { expectRecounted } from '../contests/recount.ts'
import { loseMessage, messagesFor, openJudging } from './judging-support.ts'

const judging = await openJudging()

/** Submits, and has it queued again as attempt 2. */
async function submitTwice(fields = {}): Promise<string> {
  const id = await judging.submit(judging.user, fields)
  await loseMessage(judging.service, id)
  return id
}

const judge = async (id: string, body: Record<string, unknown>) =>
  expect(await judging.patch(id, body)).toMatchObject({ status: 204, text: '' })

/** The attempts and statuses of the verdicts, newest first. */
async function readHistory(id: string) {
  const url = `/v1/submissions/${id}/verdicts`
  const { status, body } = await judging.service.send({ method: 'GET', url, token: judging.user.token })
  expect(status).toBe(200)
  return body.map((verdict: { attempt: number; status: string }) => [verdict.attempt, verdict.status])
}

describe('a submission that is queued again', () => {
  it('has the next attempt, in its record for judges and admins and in its message', async () => {
    const id = await judging.submit(judging.user)
    expect(await judging.readRecord(id)).toMatchObject({ attempt: 1 })
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'submission', attempt: 1 }])
    await loseMessage(judging.service, id)
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'submission', attempt: 2 }])
    const read = (token: string) =>
      judging.service.send({ method: 'GET', url: `/v1/submissions/${id}`, token })
    for (const token of [judging.service.judgeToken, judging.admin.token])
      expect((await read(token)).body).toMatchObject({ attempt: 2, status: 'PENDING' })
    expect((await read(judging.user.token)).body).not.toHaveProperty('attempt')
  })
})

describe('a verdict', () => {
  it('of an older attempt than the newest verdict is answered 204 and not stored, nor kept', async () => {
    const id = await submitTwice()
    await judge(id, { status: 'ACCEPTED', stdout: 'second', attempt: 2 })
    const before = await judging.readRecord(id)
    await judge(id, { status: 'WRONG_ANSWER', stdout: 'first', attempt: 1 })
    expect(await judging.readRecord(id)).toEqual(before)
    expect(await readHistory(id)).toEqual([[2, 'ACCEPTED']])
  })

  it('of an older attempt is stored while no newer one has any, and replaced by the newer', async () => {
    const id = await submitTwice()
    await judge(id, { status: 'WRONG_ANSWER', attempt: 1 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'WRONG_ANSWER', attempt: 2 })
    await judge(id, { status: 'ACCEPTED', attempt: 2 })
    expect(await judging.readRecord(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(await readHistory(id)).toEqual([
      [2, 'ACCEPTED'],
      [1, 'WRONG_ANSWER'],
    ])
  })

  it('of the same attempt replaces the earlier one, which is kept (D25)', async () => {
    const id = await submitTwice()
    for (const status of ['ACCEPTED', 'WRONG_ANSWER', 'ACCEPTED']) await judge(id, { status, attempt: 2 })
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
      return { status, attempt: message?.attempt }
    })
    const verdicts = await Promise.all(deliveries)
    await Promise.all(verdicts.map((verdict) => judge(id, verdict)))
    const history = await readHistory(id)
    expect([...history].sort()).toEqual(verdicts.map(({ attempt, status }) => [attempt, status]))
    expect(await judging.readRecord(id)).toMatchObject({ status: history[0][1], attempt: 1 })
    expect(await expectRecounted(judging.service, eventId)).toEqual([
      expect.objectContaining({ total_attempts: 1, attempts: 1 }),
    ])
  })

  it.each([[{}], [{ attempt: null }]])('with %j for its attempt is of the newest one', async (attempt) => {
    const id = await submitTwice()
    await judge(id, { status: 'ACCEPTED', ...attempt })
    await judge(id, { status: 'WRONG_ANSWER', attempt: 1 })
    expect(await readHistory(id)).toEqual([[2, 'ACCEPTED']])
  })

  it('of an attempt that was never queued is of the newest one, and stands in nobody’s way', async () => {
    const id = await judging.submit(judging.user)
    await judge(id, { status: 'WRONG_ANSWER', attempt: 2_147_483_647 })
    await judge(id, { status: 'ACCEPTED', attempt: 1 })
    expect(await readHistory(id)).toEqual([
      [1, 'ACCEPTED'],
      [1, 'WRONG_ANSWER'],
    ])
  })

  it.each([0, -1, 1.5, '1', 2_147_483_648])(
    'whose attempt is %j is refused and not stored (400)',
    async (attempt) => {
      const id = await judging.submit(judging.user)
      const answer = await judging.patch(id, { status: 'ACCEPTED', attempt })
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^attempt must be /) },
      })
      expect(await judging.readRecord(id)).toMatchObject({ status: 'PENDING' })
    },
  )

  it('that comes late counts once in the standings, as do those that it comes after', async () => {
    const eventId = await createContest(judging, [{ problem_id: judging.problem.id }])
    const id = await submitTwice({ event_id: eventId })
    await judge(id, { status: 'WRONG_ANSWER', attempt: 1 })
    await judge(id, { status: 'RUNTIME_ERROR', attempt: 2 })
    await judge(id, { status: 'ACCEPTED', attempt: 1 })
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

  it('of an older attempt than the newest outcome is answered 204 and not stored', async () => {
    const id = await createTwice()
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'input', attempt: 2 }])
    expect(await read(id, judging.service.judgeToken)).toMatchObject({ attempt: 2, finished: false })
    expect(await patch(id, { status: 'ACCEPTED', stdout: '2', attempt: 2 })).toMatchObject({ status: 204 })
    expect(await patch(id, { status: 'ACCEPTED', stdout: '1', attempt: 1 })).toMatchObject({ status: 204 })
    expect(await read(id)).toMatchObject({ stdout: '2' })
  })

  it('of the same, an absent or a larger attempt replaces, of an older one while there is no newer', async () => {
    const id = await createTwice()
    for (const [stdout, attempt] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 7],
      ['e', 2],
      ['f', null],
    ]) {
      expect(await patch(id, { status: 'ACCEPTED', stdout, attempt })).toMatchObject({ status: 204 })
      expect(await read(id)).toMatchObject({ stdout, finished: true })
    }
    await patch(id, { status: 'ACCEPTED', stdout: 'late', attempt: 1 })
    expect(await read(id)).toMatchObject({ stdout: 'f' })
  })

  it('that is the newest attempt’s stands, whatever comes at the same instant', async () => {
    const id = await createTwice()
    const attempts = Array.from({ length: 16 }, (_, n) => (n % 8 === 3 ? 2 : 1))
    const answers = await Promise.all(
      attempts.map((attempt) => patch(id, { status: 'ACCEPTED', stdout: `${attempt}`, attempt })),
    )
    expect(answers.map(({ status }) => status)).toEqual(attempts.map(() => 204))
    expect(await read(id)).toMatchObject({ stdout: '2' })
  })
})
