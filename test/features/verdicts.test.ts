import { describe, expect, it } from 'vitest'
import type { Expected } from '../support/caller.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { refusal } from '../support/refusals.ts'

const STATUSES = [
  ...['ACCEPTED', 'WRONG_ANSWER', 'PRESENTATION_ERROR', 'TIME_LIMIT_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED'],
  ...['OUTPUT_LIMIT_EXCEEDED', 'RUNTIME_ERROR', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR'],
]

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION, PENDING ,ABORTED' })
const { service, admin, user, problem, giveVerdict } = judging
const { judge } = service
const [firstCase = '', secondCase = ''] = problem.cases

const submit = () => judging.submit(user)

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
      const id = await submit()
      const url = `/v1/submissions/${id.toUpperCase()}`
      const response = await caller.send('PATCH', url, wholeVerdict('a', 0.125))
      expect(response).toMatchObject({ status: 204, text: '' })
      expect(await readVerdict(id)).toEqual(storedOf(id, wholeVerdict('a', 0.125)))
    }
  })

  it('may have every status of the specification and of JUDGE_EXTRA_STATUSES, without a failed test case', async () => {
    const id = await submit()
    for (const status of [...STATUSES, 'SECURITY_VIOLATION', 'ABORTED']) {
      await giveVerdict(id, { status, failed_test_case_id: null })
      expect(await readVerdict(id)).toMatchObject({ status, failed_test_case_id: null })
    }
  })

  it('may omit all but its status, and replaces all of an earlier verdict, results included', async () => {
    const none = { stdout: '', stderr: '', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
    const nulls = Object.fromEntries(Object.keys(none).map((name) => [name, null]))
    const id = await submit()
    for (const absent of [{}, nulls]) {
      await giveVerdict(id, { status: 'INTERNAL_ERROR', ...absent })
      expect(await readVerdict(id)).toEqual({ status: 'INTERNAL_ERROR', ...none })
      await giveVerdict(id, wholeVerdict('replaced', 9))
    }
    const results = [{ test_case_id: firstCase, stdout: null, stderr: null, passed: true }]
    await giveVerdict(id, { status: 'ACCEPTED', test_case_results: results })
    expect((await readVerdict(id)).test_case_results).toMatchObject([{ stdout: '', stderr: '' }])
  })

  it('is exactly one of 16 that arrive at the same time', async () => {
    const id = await submit()
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
    const id = await submit()
    for (const [verdict, expected] of refused) {
      await judge.patch(`/v1/submissions/${id}`, { stdout: 'x', ...verdict }, expected)
      expect(await readVerdict(id)).toMatchObject({ status: 'PENDING', stdout: '' })
    }
  })
})

it('the test cases of a verdict may be written in upper case, and stay in old results after they are replaced (D20)', async () => {
  const { id: problem_id, cases } = await judging.createProblem()
  const [test_case_id = ''] = cases
  const id = await judging.submit(user, { problem_id })
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
    const id = await submit()
    const [sent, stored] = [printed, read].map((text) => ({ stdout: text, stderr: text }))
    await giveVerdict(id, { status: 'RUNTIME_ERROR', ...sent, test_case_results: resultWith({ ...sent }) })
    expect(await readVerdict(id)).toMatchObject({ ...stored, test_case_results: [{ ...stored }] })
  })

  it('may have many MiB, and are read back completely', async () => {
    const id = await submit()
    const stdout = 'é\n"\\🙂'.repeat(200_000)
    const results = [...resultWith({ stdout }), ...resultWith({ stdout })]
    await giveVerdict(id, { status: 'WRONG_ANSWER', stdout, test_case_results: results })
    const stored = await readVerdict(id)
    for (const one of [stored, ...stored.test_case_results]) expect(one.stdout === stdout).toBe(true)
    expect(stored.test_case_results).toHaveLength(2)
  })
})
