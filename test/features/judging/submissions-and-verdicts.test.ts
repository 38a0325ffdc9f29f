import { describe, expect, it } from 'vitest'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import type { Expected } from '../../support/caller.ts'
import { INSTANT } from '../../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY, UUID } from '../../support/ids.ts'
import { countRows, expectRefused, messagesFor, serviceWithProblem } from '../../support/judging.ts'
import { expectSince } from '../../support/moments.ts'
import { forbidden, notFound, refusal, unauthorized } from '../../support/refusals.ts'

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION, PENDING ,ABORTED' })
const { service, admin, user, stranger, problem, language, submit, giveVerdict } = judging
const { judge } = service

const url = '/v1/submissions'
const body = { user_id: user.id, problem_id: problem.id, language_id: language.id, source_code: 'print(42)' }
const generated = { id: expect.stringMatching(UUID), submit_time: expect.stringMatching(INSTANT) }
const created = { ...body, ...generated, status: 'PENDING', time_elapsed: 0 }

const gone = await service.createPerson()
await gone.delete(`/v1/users/${gone.id}`)
const deleted = await judging.createProblem()
await admin.delete(`/v1/problems/${deleted.id}`)

describe('creating a submission', () => {
  it('stores it as PENDING with one message, and wakes the relay once (201) [POST /v1/submissions] [State: submission created] [Event: queue message]', async () => {
    const { submissions = 0, messages = 0, wakes, ...others } = await countRows(service)
    const sentAt = Date.now()
    const response = await user.send('POST', url, body)
    const type = 'application/json; charset=utf-8'
    expect(response).toMatchObject({ status: 201, headers: { 'content-type': type } })
    expect(response.body).toEqual(created)
    expectSince(sentAt, response.body.submit_time)
    expect(await messagesFor(service, response.body.id)).toEqual([{ kind: 'submission', judging: 1 }])
    const counts = { ...others, submissions: submissions + 1, messages: messages + 1, wakes: wakes + 1 }
    expect(await countRows(service)).toEqual(counts)
  })

  it('keeps every character of the program: line ends, control characters, all planes of Unicode', async () => {
    const source_code = ' \t\r\n\u0001\u007f\u2028é漢🙂\uFFFD"\\\'; drop table users; --\n'
    const response = await user.post(url, { ...body, source_code })
    expect(response.source_code).toBe(source_code)
    expect((await judging.readRecord(response.id)).source_code).toBe(source_code)
  })

  it('accepts ids in upper case and a null event_id, and ignores unknown fields and fields that judges set', async () => {
    const ids = { user_id: user.id.toUpperCase(), language_id: language.id.toUpperCase(), event_id: null }
    const ignored = { id: NOBODY, status: 'ACCEPTED', time_elapsed: 5, type: 'private', stdout: 'x' }
    const response = await user.post(url, { ...body, ...ids, ...ignored }, 201)
    expect(response).toEqual(created)
    expect(response.id).not.toBe(NOBODY)
  })

  it('limits the program to 256 KiB of UTF-8 (400) and the body to 1 MiB (413)', async () => {
    const tooLong = refusal(400, '400', 'source_code must have at most 262144 bytes')
    for (const source_code of ['a'.repeat(262_144), `${'€'.repeat(87_381)}a`, '🙂'.repeat(65_536)]) {
      expect((await user.post(url, { ...body, source_code }, 201)).source_code).toBe(source_code)
      await expectRefused(judging, [user, { source_code: `${source_code}b` }, tooLong])
    }
    const padding = 'a'.repeat(1_048_576)
    await expectRefused(judging, [user, { padding }, refusal(413, 'PAYLOAD_TOO_LARGE')])
  })

  it('lets only admins submit for another user (403) [Error: 403]', async () => {
    await expectRefused(
      judging,
      [user, { user_id: stranger.id }, forbidden],
      [user, { user_id: NOBODY }, forbidden],
      [judge, { user_id: user.id }, forbidden],
      [judge, { user_id: NOBODY }, forbidden],
      [judge, { user_id: NIL_UUID }, notFound('user')],
    )
    const { id } = await admin.post(url, body, 201)
    expect((await judging.readRecord(id)).user).toMatchObject({ id: user.id, email: user.email })
  })

  it('refuses unknown and deleted users, problems, languages and events (404)', async () => {
    await expectRefused(
      judging,
      [admin, { user_id: NOBODY }, notFound('user')],
      [admin, { user_id: gone.id }, notFound('user')],
      [user, { problem_id: NO_PROBLEM }, notFound('problem')],
      [user, { problem_id: 0 }, notFound('problem')],
      [user, { problem_id: deleted.id }, notFound('problem')],
      [admin, { problem_id: deleted.id }, notFound('problem')],
      [user, { language_id: NOBODY }, notFound('language')],
      [user, { event_id: NO_EVENT }, notFound('event')],
      [user, { event_id: 0 }, notFound('event')],
    )
  })
})

const account = { id: user.id, name: user.name, email: user.email, image: '', is_admin: false }
const { updated_at } = await judge.get(`/v1/problems/${problem.id}`)
const summary = { id: problem.id, title: 'Answer', identifier: 'answer', difficulty: 'EASY', updated_at }

/** The record before the verdict (D26). */
const pendingRecord = (id: string) => ({
  ...{ ...created, id, stdout: '', stderr: '', failed_test_case_id: null, language },
  user: { ...account, join_date: expect.stringMatching(INSTANT) },
  problem: { ...summary, accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 },
})

const [firstCase = '', secondCase = ''] = problem.cases
const test_case_results = [
  { test_case_id: firstCase, stdout: '42\n', stderr: '', passed: true },
  { test_case_id: secondCase, stdout: '41\n', stderr: 'oops', passed: false },
]
const verdict = {
  ...{ status: 'WRONG_ANSWER', stdout: 'compiled\n', stderr: 'a warning', time_elapsed: 1.25 },
  ...{ failed_test_case_id: secondCase, test_case_results },
}

describe('the record of a submission', () => {
  it('has empty outputs and no results before the verdict, for owner, admins and judges; /status has only id and status [GET /v1/submissions/{submission_id}/status] [GET /v1/submissions/{submission_id}] [Fields: Submission]', async () => {
    const id = await submit(user)
    const record = await user.get(`${url}/${id}`)
    expect(record).toEqual(pendingRecord(id))
    expect(await user.get(`${url}/${id.toUpperCase()}`)).toEqual(record)
    const withJudging = { ...record, judging: 1, attempt: 1, requeue_after: 300 }
    for (const caller of [admin, judge]) expect(await caller.get(`${url}/${id}`)).toEqual(withJudging)
    for (const caller of [user, admin, judge])
      expect(await caller.get(`${url}/${id}/status`)).toEqual({ id, status: 'PENDING' })
  })

  it('has the verdict and each result with its own id afterwards [GET /v1/submissions/{submission_id}] [Fields: TestCaseResult]', async () => {
    const id = await submit(user)
    await giveVerdict(id, verdict)
    const stored = { id: expect.stringMatching(UUID), submission_id: id }
    const record = await user.get(`${url}/${id}`)
    expect(record).toEqual({
      ...{ ...pendingRecord(id), ...verdict },
      test_case_results: test_case_results.map((result) => ({ ...result, ...stored })),
    })
    expect(record.test_case_results[0].id).not.toBe(record.test_case_results[1].id)
    expect(await user.get(`${url}/${id.toUpperCase()}/status`)).toEqual({ id, status: 'WRONG_ANSWER' })
  })
})

it('refuses other users and former admins (401) at every path of a submission, and unknown ids (404) [Error: 401]', async () => {
  const demoted = await service.createPerson({ admin: true })
  await admin.put(`/v1/users/${demoted.id}`, { is_admin: false })
  const id = await submit(user)
  for (const path of ['', '/status', '/verdicts']) {
    for (const caller of [stranger, demoted]) await caller.get(`${url}/${id}${path}`, unauthorized)
    for (const caller of [user, admin, judge])
      await caller.get(`${url}/${NOBODY}${path}`, notFound('submission'))
  }
})

const STATUSES = [
  ...['ACCEPTED', 'WRONG_ANSWER', 'PRESENTATION_ERROR', 'TIME_LIMIT_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED'],
  ...['OUTPUT_LIMIT_EXCEEDED', 'RUNTIME_ERROR', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR'],
]

async function readVerdict(id: string) {
  const { status, stdout, stderr, time_elapsed, failed_test_case_id, test_case_results } =
    await judging.readRecord(id)
  return { status, stdout, stderr, time_elapsed, failed_test_case_id, test_case_results }
}

function wholeVerdict(text: string, time_elapsed: number) {
  const result = { stdout: text, stderr: `${text}!` }
  return {
    ...{ status: 'WRONG_ANSWER', stdout: `${text} out`, stderr: `${text} err`, time_elapsed },
    failed_test_case_id: secondCase,
    test_case_results: [
      { test_case_id: firstCase, ...result, passed: true },
      { test_case_id: secondCase, ...result, passed: false },
    ],
  }
}

/** The verdict as it is read back. */
const storedOf = (id: string, verdict: ReturnType<typeof wholeVerdict>) => ({
  ...verdict,
  test_case_results: verdict.test_case_results.map((result) => ({
    ...result,
    id: expect.stringMatching(UUID),
    submission_id: id,
  })),
})

type Refused = [verdict: object, expected: Expected]

describe('a verdict', () => {
  it('is stored completely for judges and admins, with an empty response (204) [PATCH /v1/submissions/{submission_id}] [State: submission judged]', async () => {
    for (const caller of [judge, admin]) {
      const id = await submit(user)
      const url = `/v1/submissions/${id.toUpperCase()}`
      const response = await caller.send('PATCH', url, wholeVerdict('a', 0.125))
      expect(response).toMatchObject({ status: 204, text: '' })
      expect(await readVerdict(id)).toEqual(storedOf(id, wholeVerdict('a', 0.125)))
    }
  })

  it('may have every status of the specification and of JUDGE_EXTRA_STATUSES, without a failed test case', async () => {
    const id = await submit(user)
    for (const status of [...STATUSES, 'SECURITY_VIOLATION', 'ABORTED']) {
      await giveVerdict(id, { status, failed_test_case_id: null })
      expect(await readVerdict(id)).toMatchObject({ status, failed_test_case_id: null })
    }
  })

  it('may omit all but its status, and replaces all of an earlier verdict, results included', async () => {
    const none = { stdout: '', stderr: '', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
    const id = await submit(user)
    for (const absent of [{}, Object.fromEntries(Object.keys(none).map((name) => [name, null]))]) {
      await giveVerdict(id, { status: 'INTERNAL_ERROR', ...absent })
      expect(await readVerdict(id)).toEqual({ status: 'INTERNAL_ERROR', ...none })
      await giveVerdict(id, wholeVerdict('replaced', 9))
    }
    const results = [{ test_case_id: firstCase, stdout: null, stderr: null, passed: true }]
    await giveVerdict(id, { status: 'ACCEPTED', test_case_results: results })
    expect((await readVerdict(id)).test_case_results).toMatchObject([{ stdout: '', stderr: '' }])
  })

  it('is exactly one of 16 that arrive at the same time', async () => {
    const id = await submit(user)
    const verdicts = Array.from({ length: 16 }, (_, n) => wholeVerdict(`judge ${n}`, n + 1))
    await Promise.all(verdicts.map((verdict) => giveVerdict(id, verdict)))
    const stored = await readVerdict(id)
    const winner = verdicts.find(({ time_elapsed }) => time_elapsed === stored.time_elapsed)
    expect(stored).toEqual(storedOf(id, winner ?? wholeVerdict('none', 0)))
  })

  it('is refused, and stores nothing, with a wrong status, a test case of another problem (400) or more than 32 MiB (413)', async () => {
    const { cases: foreign } = await judging.createProblem()
    const must = /^status must be one of ACCEPTED, .+, SECURITY_VIOLATION, ABORTED$/
    const wrongStatus = refusal(400, '400', expect.stringMatching(must))
    const wrongStatuses = ['PENDING', 'FINISHED', 'accepted', '', ' ACCEPTED', null, 1]
    const named = [NOBODY, foreign[0]].flatMap((test_case_id) => {
      const results = [firstCase, test_case_id, firstCase].map((id) => ({ test_case_id: id, passed: false }))
      const error = `${test_case_id} is not a test case of the submission’s problem`
      return [{ failed_test_case_id: test_case_id }, { test_case_results: results }].map(
        (naming): Refused => [{ status: 'WRONG_ANSWER', ...naming }, refusal(400, '400', error)],
      )
    })
    const onlyWithout = refusal(400, '400', 'failed_test_case_id must be null or absent with ACCEPTED')
    const refused: Refused[] = [
      [{}, refusal(400, '400', 'status is required')],
      ...wrongStatuses.map((status): Refused => [{ status }, wrongStatus]),
      ...named,
      [{ status: 'ACCEPTED', failed_test_case_id: firstCase }, onlyWithout],
      [{ status: 'ACCEPTED', stderr: 'a'.repeat(33_554_432) }, refusal(413, 'PAYLOAD_TOO_LARGE')],
    ]
    const id = await submit(user)
    for (const [verdict, expected] of refused) {
      await judge.patch(`/v1/submissions/${id}`, { stdout: 'x', ...verdict }, expected)
      expect(await readVerdict(id)).toMatchObject({ status: 'PENDING', stdout: '' })
    }
  })
})

it('the test cases of a verdict may be written in upper case, and stay in old results after they are replaced (D20)', async () => {
  const { id: problem_id, cases } = await judging.createProblem()
  const [test_case_id = ''] = cases
  const id = await submit(user, { problem_id })
  const results = [{ test_case_id: test_case_id.toUpperCase(), passed: false }]
  const verdict = { status: 'WRONG_ANSWER', failed_test_case_id: test_case_id.toUpperCase() }
  await giveVerdict(id, { ...verdict, test_case_results: results })
  await admin.put(`/v1/problems/${problem_id}`, { test_cases: [{ input: 'new', expected_output: 'new' }] })
  expect(await readVerdict(id)).toMatchObject({
    failed_test_case_id: test_case_id,
    test_case_results: [{ test_case_id, stdout: '', stderr: '', passed: false }],
  })
})

describe('the outputs of a verdict', () => {
  const resultWith = (outputs: object) => [{ test_case_id: firstCase, ...outputs, passed: false }]

  it('have U+FFFD for characters that JSON or PostgreSQL cannot store (D7)', async () => {
    const printed = 'a\0b\uD800c\uDC00\0\0\u0001\u0008\u001b[31m\u007f\u0085\u2028\uFFFE🙂"\\\r\n\t'
    const read = 'a\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFD\u0001\u0008\u001b[31m\u007f\u0085\u2028\uFFFE🙂"\\\r\n\t'
    const id = await submit(user)
    const [sent, stored] = [printed, read].map((text) => ({ stdout: text, stderr: text }))
    await giveVerdict(id, { status: 'RUNTIME_ERROR', ...sent, test_case_results: resultWith({ ...sent }) })
    expect(await readVerdict(id)).toMatchObject({ ...stored, test_case_results: [{ ...stored }] })
  })

  it('may have many MiB, and are read back completely', async () => {
    const id = await submit(user)
    const stdout = 'é\n"\\🙂'.repeat(200_000)
    const results = [...resultWith({ stdout }), ...resultWith({ stdout })]
    await giveVerdict(id, { status: 'WRONG_ANSWER', stdout, test_case_results: results })
    const stored = await readVerdict(id)
    for (const one of [stored, ...stored.test_case_results]) expect(one.stdout === stdout).toBe(true)
    expect(stored.test_case_results).toHaveLength(2)
  })
})
