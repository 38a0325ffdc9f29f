import { describe, expect, it } from 'vitest'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import { INSTANT } from '../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY, UUID } from '../support/ids.ts'
import {
  countRows,
  expectRefused,
  messagesFor,
  serviceWithProblem,
  submissionBody,
} from '../support/judging.ts'
import { forbidden, notFound, refusal, unauthorized } from '../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, language, submit, giveVerdict } = judging
const { judge } = service

const url = '/v1/submissions'
const body = submissionBody(user, problem, language)
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
    const submittedAt = Date.parse(response.body.submit_time)
    expect(submittedAt).toBeGreaterThanOrEqual(sentAt - 1000)
    expect(submittedAt).toBeLessThanOrEqual(Date.now() + 1000)
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
    const status = await user.get(`${url}/${id.toUpperCase()}/status`)
    expect(status).toEqual({ id, status: 'WRONG_ANSWER' })
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
