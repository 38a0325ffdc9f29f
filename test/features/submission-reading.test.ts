import { describe, expect, it } from 'vitest'
import { NOBODY, openJudging, submissionBody, UUID } from './judging-support.ts'

const judging = await openJudging()

const read = (id: string, token: string) =>
  judging.service.send({ method: 'GET', url: `/v1/submissions/${id}`, token })

const readStatus = (id: string, token: string) =>
  judging.service.send({ method: 'GET', url: `/v1/submissions/${id}/status`, token })

/** The record of a fresh submission, as D26 says. */
function freshRecord(id: string) {
  const { user, problem, language } = judging
  return {
    ...submissionBody(user, problem, language),
    id,
    status: 'PENDING',
    submit_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    time_elapsed: 0,
    stdout: '',
    stderr: '',
    failed_test_case_id: null,
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      image: '',
      is_admin: false,
      join_date: expect.stringMatching(/Z$/),
    },
    problem: {
      id: problem.id,
      title: 'Answer',
      identifier: 'answer',
      difficulty: 'EASY',
      accept_timeout: 3,
      execution_timeout: 1.5,
      memory_limit: 64,
    },
    language,
  }
}

function verdict() {
  const [first = '', second = ''] = judging.problem.cases
  return {
    status: 'WRONG_ANSWER',
    stdout: 'compiled\n',
    stderr: 'a warning',
    time_elapsed: 1.25,
    failed_test_case_id: second,
    test_case_results: [
      { test_case_id: first, stdout: '42\n', stderr: '', passed: true },
      { test_case_id: second, stdout: '41\n', stderr: 'oops', passed: false },
    ],
  }
}

describe('the record of a submission', () => {
  it('shows before grading every field but the results, empty or null or 0 [GET /v1/submissions/{submission_id}] [Fields: Submission]', async () => {
    const id = await judging.submit(judging.user)
    const answer = await read(id, judging.user.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(freshRecord(id))
    expect(answer.body).not.toHaveProperty('test_case_results')
    expect(answer.body).not.toHaveProperty('event_id')
  })

  it('shows after grading the verdict and each result with ids of its own [GET /v1/submissions/{submission_id}] [Fields: TestCaseResult]', async () => {
    const id = await judging.submit(judging.user)
    expect((await judging.patch(id, verdict())).status).toBe(204)
    const { test_case_results: results, ...rest } = verdict()
    const { body } = await read(id, judging.user.token)
    expect(body).toEqual({
      ...freshRecord(id),
      ...rest,
      test_case_results: results.map((result) => ({
        ...result,
        id: expect.stringMatching(UUID),
        submission_id: id,
      })),
    })
    expect(body.test_case_results[0].id).not.toBe(body.test_case_results[1].id)
  })

  it('shows an empty array of results after a verdict without any', async () => {
    const id = await judging.submit(judging.user)
    await judging.patch(id, { status: 'COMPILE_TIME_ERROR', stderr: 'no main' })
    expect((await read(id, judging.user.token)).body.test_case_results).toEqual([])
  })

  it('is the same to its owner, a judge and an admin, and by its id in upper case', async () => {
    const id = await judging.submit(judging.user)
    const { user, admin, service } = judging
    const [first, ...others] = await Promise.all([
      read(id, user.token),
      read(id, admin.token),
      read(id, service.judgeToken),
      read(id.toUpperCase(), user.token),
    ])
    for (const other of others) expect(other).toMatchObject({ status: 200, body: first.body })
  })

  it('stays readable when its problem is deleted and its language retired', async () => {
    const { service, admin, user, language } = judging
    const { id: problem_id } = await judging.createProblem()
    const body = { ...language, version: 'short-lived' }
    const made = await service.send({ method: 'POST', url: '/v1/languages', token: admin.token, body })
    const id = await judging.submit(user, { problem_id, language_id: made.body.id })
    await service.send({ method: 'DELETE', url: `/v1/problems/${problem_id}`, token: admin.token })
    await service.send({ method: 'DELETE', url: `/v1/languages/${made.body.id}`, token: admin.token })
    expect((await read(id, user.token)).body).toMatchObject({
      problem: { id: problem_id, title: 'Answer' },
      language: { id: made.body.id, version: 'short-lived' },
    })
    expect((await judging.patch(id, { status: 'ACCEPTED' })).status).toBe(204)
  })

  it('names a deleted owner as Deleted user, without an address (D16)', async () => {
    const gone = await judging.service.createPerson()
    const id = await judging.submit(gone)
    const token = judging.admin.token
    await judging.service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token })
    expect((await read(id, token)).body.user).toMatchObject({ id: gone.id, name: 'Deleted user', email: '' })
    expect(await read(id, gone.token)).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
  })
})

describe('the status of a submission', () => {
  it('is its id and its status and nothing else, before and after grading [GET /v1/submissions/{submission_id}/status]', async () => {
    const id = await judging.submit(judging.user)
    const { user, admin, service } = judging
    for (const token of [user.token, admin.token, service.judgeToken]) {
      expect(await readStatus(id, token)).toMatchObject({ status: 200 })
      expect((await readStatus(id, token)).body).toEqual({ id, status: 'PENDING' })
    }
    await judging.patch(id, verdict())
    expect((await readStatus(id.toUpperCase(), user.token)).body).toEqual({ id, status: 'WRONG_ANSWER' })
  })
})

describe.each([
  ['the record', ''],
  ['the status', '/status'],
])('%s of a submission', (_, suffix) => {
  const get = (id: string, token: string) =>
    judging.service.send({ method: 'GET', url: `/v1/submissions/${id}${suffix}`, token })

  it('is refused to any other user, and to an admin who no longer is one (401) [Error: 401]', async () => {
    const { service, admin, user, stranger } = judging
    const demoted = await service.createPerson({ admin: true })
    const body = { is_admin: false }
    await service.send({ method: 'PUT', url: `/v1/users/${demoted.id}`, token: admin.token, body })
    const id = await judging.submit(user)
    for (const { token } of [stranger, demoted]) {
      const answer = await get(id, token)
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
      expect(answer.text).not.toMatch(/console|PENDING/)
    }
  })

  it('is 404 for an id that names none, to everybody', async () => {
    const { service, user, admin } = judging
    for (const token of [user.token, admin.token, service.judgeToken]) {
      const answer = await get(NOBODY, token)
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such submission' } })
    }
  })

  it('is 400 for what is no UUID', async () => {
    for (const id of ['1', 'latest', '%00', `${NOBODY}0`, NOBODY.replaceAll('-', ''), `urn:uuid:${NOBODY}`]) {
      const answer = await get(id, judging.user.token)
      expect(answer, id).toMatchObject({ status: 400, body: { error: 'submission_id must be a UUID' } })
    }
  })
})
