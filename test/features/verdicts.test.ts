import { describe, expect, it } from 'vitest'
import { NOBODY, UUID } from '../support/ids.ts'
import { serviceWithProblem } from '../support/judging.ts'

const STATUSES = [
  'ACCEPTED',
  'WRONG_ANSWER',
  'PRESENTATION_ERROR',
  'TIME_LIMIT_EXCEEDED',
  'MEMORY_LIMIT_EXCEEDED',
  'OUTPUT_LIMIT_EXCEEDED',
  'RUNTIME_ERROR',
  'COMPILE_TIME_ERROR',
  'INTERNAL_ERROR',
]

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION, PENDING ,ABORTED' })

const submit = () => judging.submit(judging.user)

async function readVerdict(id: string) {
  const { status, stdout, stderr, time_elapsed, failed_test_case_id, test_case_results } =
    await judging.readRecord(id)
  return { status, stdout, stderr, time_elapsed, failed_test_case_id, test_case_results }
}

function wholeVerdict(text: string, time_elapsed: number) {
  const [first = '', second = ''] = judging.problem.cases
  const result = { stdout: text, stderr: `${text}!` }
  return {
    status: 'WRONG_ANSWER',
    stdout: `${text} out`,
    stderr: `${text} err`,
    time_elapsed,
    failed_test_case_id: second,
    test_case_results: [
      { test_case_id: first, ...result, passed: true },
      { test_case_id: second, ...result, passed: false },
    ],
  }
}

/** What is read back of a verdict as it was sent. */
const storedOf = (id: string, { test_case_results, ...verdict }: ReturnType<typeof wholeVerdict>) => ({
  ...verdict,
  test_case_results: test_case_results.map((result) => ({
    ...result,
    id: expect.stringMatching(UUID),
    submission_id: id,
  })),
})

describe('a verdict', () => {
  it('is stored whole for a judge or an admin, and answered with nothing (204) [PATCH /v1/submissions/{submission_id}] [State: submission judged]', async () => {
    for (const token of [judging.service.judgeToken, judging.admin.token]) {
      const id = await submit()
      const body = wholeVerdict('once', 0.125)
      const answer = await judging.service.send({
        method: 'PATCH',
        url: `/v1/submissions/${id.toUpperCase()}`,
        token,
        body,
      })
      expect(answer).toMatchObject({ status: 204, text: '' })
      expect(await readVerdict(id)).toEqual(storedOf(id, body))
    }
  })

  it('is refused to users, the owner included, and changes nothing (403)', async () => {
    const id = await submit()
    for (const { token } of [judging.user, judging.stranger]) {
      const body = { status: 'ACCEPTED' }
      const url = `/v1/submissions/${id}`
      const answer = await judging.service.send({ method: 'PATCH', url, token, body })
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await readVerdict(id)).toMatchObject({ status: 'PENDING' })
  })

  it.each([...STATUSES, 'SECURITY_VIOLATION', 'ABORTED'])('may be %s', async (status) => {
    const id = await submit()
    expect((await judging.patch(id, { status })).status).toBe(204)
    expect(await readVerdict(id)).toMatchObject({ status })
  })

  it.each(['PENDING', 'FINISHED', 'accepted', '', ' ACCEPTED', null, 1])(
    'may not be %j, also where PENDING is configured (400)',
    async (status) => {
      const id = await submit()
      const answer = await judging.patch(id, { status })
      expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.error).toMatch(/^status must be one of ACCEPTED, .+, SECURITY_VIOLATION, ABORTED$/)
      expect(await readVerdict(id)).toMatchObject({ status: 'PENDING' })
    },
  )

  it('needs its status and nothing else: what is absent is empty, 0 or null', async () => {
    const id = await submit()
    expect(await judging.patch(id, {})).toMatchObject({
      status: 400,
      body: { error: 'status is required' },
    })
    expect((await judging.patch(id, { status: 'INTERNAL_ERROR' })).status).toBe(204)
    expect(await readVerdict(id)).toEqual({
      status: 'INTERNAL_ERROR',
      stdout: '',
      stderr: '',
      time_elapsed: 0,
      failed_test_case_id: null,
      test_case_results: [],
    })
  })

  it('may have null for whatever it has not, in its results too', async () => {
    const id = await submit()
    const outputs = { stdout: null, stderr: null }
    const rest = { ...outputs, time_elapsed: null, failed_test_case_id: null }
    expect((await judging.patch(id, { status: 'ACCEPTED', ...rest, test_case_results: null })).status).toBe(
      204,
    )
    const empty = { stdout: '', stderr: '' }
    expect(await readVerdict(id)).toMatchObject({ ...empty, time_elapsed: 0, test_case_results: [] })
    const results = [{ test_case_id: judging.problem.cases[0], ...outputs, passed: true }]
    expect((await judging.patch(id, { status: 'ACCEPTED', test_case_results: results })).status).toBe(204)
    expect((await readVerdict(id)).test_case_results).toMatchObject([empty])
  })

  it('replaces an earlier one whole, the results too', async () => {
    const id = await submit()
    await judging.patch(id, wholeVerdict('first', 9))
    expect((await judging.patch(id, { status: 'ACCEPTED', stdout: 'second' })).status).toBe(204)
    expect(await readVerdict(id)).toEqual({
      status: 'ACCEPTED',
      stdout: 'second',
      stderr: '',
      time_elapsed: 0,
      failed_test_case_id: null,
      test_case_results: [],
    })
  })

  it('is exactly one of those that came at the same instant, whole', async () => {
    const id = await submit()
    const verdicts = Array.from({ length: 16 }, (_, i) => wholeVerdict(`judge ${i}`, i + 1))
    const answers = await Promise.all(verdicts.map((verdict) => judging.patch(id, verdict)))
    expect(answers.map(({ status }) => status)).toEqual(verdicts.map(() => 204))
    const stored = await readVerdict(id)
    const winner = verdicts.find(({ time_elapsed }) => time_elapsed === stored.time_elapsed)
    expect(stored).toEqual(storedOf(id, winner ?? wholeVerdict('none', 0)))
  })

  it('is 404 for an unknown submission and 400 for what is no UUID', async () => {
    expect(await judging.patch(NOBODY, { status: 'ACCEPTED' })).toMatchObject({
      status: 404,
      body: { error: 'There is no such submission' },
    })
    expect(await judging.patch('first', { status: 'ACCEPTED' })).toMatchObject({ status: 400 })
  })
})

describe('the test cases that a verdict names', () => {
  it('must be the problem’s: a foreign or unknown one is refused and nothing is stored (400)', async () => {
    const foreign = await judging.createProblem()
    const [own = ''] = judging.problem.cases
    for (const wrong of [NOBODY, foreign.cases[0]]) {
      const id = await submit()
      const results = [own, wrong, own].map((test_case_id) => ({ test_case_id, passed: false }))
      for (const named of [{ failed_test_case_id: wrong }, { test_case_results: results }]) {
        const answer = await judging.patch(id, { status: 'WRONG_ANSWER', stdout: 'x', ...named })
        const error = `${wrong} is not a test case of the submission’s problem`
        expect(answer).toMatchObject({ status: 400, body: { code: '400', error } })
      }
      expect(await readVerdict(id)).toMatchObject({ status: 'PENDING', stdout: '' })
    }
  })

  it('are not failed ones with ACCEPTED (400), where null or none is right', async () => {
    const id = await submit()
    const [failed_test_case_id] = judging.problem.cases
    const refused = await judging.patch(id, { status: 'ACCEPTED', failed_test_case_id })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'failed_test_case_id must be null or absent with ACCEPTED' },
    })
    expect(await readVerdict(id)).toMatchObject({ status: 'PENDING' })
    expect((await judging.patch(id, { status: 'ACCEPTED', failed_test_case_id: null })).status).toBe(204)
  })

  it('may be none with any status', async () => {
    for (const status of STATUSES) {
      const id = await submit()
      expect((await judging.patch(id, { status, failed_test_case_id: null })).status, status).toBe(204)
      expect(await readVerdict(id)).toMatchObject({ status, failed_test_case_id: null })
    }
  })

  it('may be written in upper case and are read in lower case', async () => {
    const id = await submit()
    const [first = '', second = ''] = judging.problem.cases
    const answer = await judging.patch(id, {
      status: 'WRONG_ANSWER',
      failed_test_case_id: second.toUpperCase(),
      test_case_results: [{ test_case_id: first.toUpperCase(), passed: true }],
    })
    expect(answer.status).toBe(204)
    expect(await readVerdict(id)).toMatchObject({
      failed_test_case_id: second,
      test_case_results: [{ test_case_id: first, stdout: '', stderr: '', passed: true }],
    })
  })

  it('stay named in old results when the problem’s cases are replaced (D20)', async () => {
    const problem = await judging.createProblem()
    const id = await judging.submit(judging.user, { problem_id: problem.id })
    const [first = ''] = problem.cases
    const results = [{ test_case_id: first, passed: false }]
    const verdict = { status: 'WRONG_ANSWER', failed_test_case_id: first, test_case_results: results }
    await judging.patch(id, verdict)
    const body = { test_cases: [{ input: 'new', expected_output: 'new' }] }
    const { service, admin } = judging
    await service.send({ method: 'PUT', url: `/v1/problems/${problem.id}`, token: admin.token, body })
    expect(await readVerdict(id)).toMatchObject(verdict)
  })
})

describe('what a program printed', () => {
  it('is stored with U+FFFD for what JSON or PostgreSQL cannot carry, and never refused (D7)', async () => {
    const id = await submit()
    const printed = 'a\0b\uD800c\uDC00\0\0\u0001\u0008\u001b[31m\u007f\u0085\u2028\uFFFE🙂"\\\r\n\t'
    const read = 'a\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFD\u0001\u0008\u001b[31m\u007f\u0085\u2028\uFFFE🙂"\\\r\n\t'
    const [test_case_id] = judging.problem.cases
    const outputs = { stdout: printed, stderr: printed }
    const answer = await judging.patch(id, {
      status: 'RUNTIME_ERROR',
      ...outputs,
      test_case_results: [{ test_case_id, ...outputs, passed: false }],
    })
    expect(answer.status).toBe(204)
    const mended = { stdout: read, stderr: read }
    const stored = await readVerdict(id)
    expect(stored).toMatchObject(mended)
    expect(stored.test_case_results).toMatchObject([mended])
  })

  it('may fill a verdict of many MiB, and is read back whole', async () => {
    const id = await submit()
    const [test_case_id] = judging.problem.cases
    const text = 'é\n"\\🙂'.repeat(200_000)
    const results = Array.from({ length: 4 }, () => ({
      test_case_id,
      stdout: text,
      stderr: '',
      passed: true,
    }))
    const answer = await judging.patch(id, { status: 'ACCEPTED', stdout: text, test_case_results: results })
    expect(answer.status).toBe(204)
    const stored = await readVerdict(id)
    expect(stored.stdout === text).toBe(true)
    expect(stored.test_case_results.every((result: { stdout: string }) => result.stdout === text)).toBe(true)
  })

  it('makes a verdict of more than 32 MiB too large (413)', async () => {
    const id = await submit()
    const answer = await judging.patch(id, { status: 'ACCEPTED', stdout: 'a'.repeat(33_554_432) })
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    expect(await readVerdict(id)).toMatchObject({ status: 'PENDING' })
  })
})
