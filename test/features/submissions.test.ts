import { describe, expect, it } from 'vitest'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem, submissionBody } from '../support/judging.ts'

const judging = await serviceWithProblem()

const url = '/v1/submissions'

const bodyOf = (person: Person, changes: Record<string, unknown> = {}) => ({
  ...submissionBody(person, judging.problem, judging.language),
  ...changes,
})

const post = (token: string, body: unknown): Promise<TestResponse> =>
  judging.service.send({ method: 'POST', url, token, body })

/** Sends it and makes sure that a refusal has left nothing behind: no row, no message, no wake-up of the relay. */
async function refused(token: string, body: unknown): Promise<TestResponse> {
  const before = await countRows(judging.service)
  const answer = await post(token, body)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await countRows(judging.service)).toEqual(before)
  return answer
}

describe('a submission', () => {
  it('is stored as PENDING and answered in full (201) [POST /v1/submissions] [State: submission created]', async () => {
    const { user } = judging
    const before = Date.now()
    const answer = await post(user.token, bodyOf(user))
    expect(answer.status).toBe(201)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.body).toEqual({
      ...bodyOf(user),
      id: expect.stringMatching(UUID),
      status: 'PENDING',
      submit_time: expect.stringMatching(/Z$/),
      time_elapsed: 0,
    })
    const submitted = Date.parse(answer.body.submit_time)
    expect(submitted).toBeGreaterThanOrEqual(before - 1000)
    expect(submitted).toBeLessThanOrEqual(Date.now() + 1000)
  })

  it('has its message written with it, one, and the relay told of it once [State: submission created] [Event: queue message]', async () => {
    const before = await countRows(judging.service)
    const id = await judging.submit(judging.user)
    expect(await messagesFor(judging.service, id)).toEqual([{ kind: 'submission', judging: 1 }])
    expect(await countRows(judging.service)).toEqual({
      submissions: (before.submissions ?? 0) + 1,
      runs: before.runs,
      messages: (before.messages ?? 0) + 1,
      wakes: before.wakes + 1,
    })
  })

  it('keeps a program to the character: line ends, control characters, every plane of Unicode', async () => {
    const source_code = ' \t\r\n\u0001\u007f\u2028é漢🙂\uFFFD"\\\'; drop table users; --\n'
    const answer = await post(judging.user.token, bodyOf(judging.user, { source_code }))
    expect(answer.body.source_code).toBe(source_code)
    expect((await judging.readRecord(answer.body.id)).source_code).toBe(source_code)
  })

  it('takes ids in upper case and answers them in lower case', async () => {
    const { user, language } = judging
    const answer = await post(
      user.token,
      bodyOf(user, { user_id: user.id.toUpperCase(), language_id: language.id.toUpperCase() }),
    )
    expect(answer).toMatchObject({ status: 201, body: { user_id: user.id, language_id: language.id } })
  })

  it('ignores fields that it does not know, those that the judge sets included', async () => {
    const { user } = judging
    const extra = { id: NOBODY, status: 'ACCEPTED', time_elapsed: 5, type: 'private', stdout: 'x' }
    const answer = await post(user.token, bodyOf(user, extra))
    expect(answer).toMatchObject({ status: 201, body: { status: 'PENDING', time_elapsed: 0 } })
    expect(answer.body.id).not.toBe(NOBODY)
  })

  it('takes a null event_id as none', async () => {
    const answer = await post(judging.user.token, bodyOf(judging.user, { event_id: null }))
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('event_id')
  })
})

describe('a submission with a wrong field is refused, with nothing stored or queued', () => {
  it('when the program has more than 256 KiB, counted in bytes and not in characters (400)', async () => {
    const { user } = judging
    const fitting = ['a'.repeat(262_144), `${'€'.repeat(87_381)}a`, '🙂'.repeat(65_536)]
    for (const source_code of fitting) {
      const answer = await post(user.token, bodyOf(user, { source_code }))
      expect(answer.status).toBe(201)
      expect(answer.body.source_code).toBe(source_code)
      const longer = await refused(user.token, bodyOf(user, { source_code: `${source_code}b` }))
      expect(longer).toMatchObject({
        status: 400,
        body: { error: 'source_code must have at most 262144 bytes' },
      })
    }
  })

  it('when the body has more than 1 MiB (413)', async () => {
    const body = bodyOf(judging.user, { padding: 'a'.repeat(1_048_576) })
    const answer = await refused(judging.user.token, body)
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })
})

describe('a submission for another', () => {
  it('is refused to users and judges, also when there is no such user (403) [Error: 403]', async () => {
    for (const token of [judging.user.token, judging.service.judgeToken]) {
      for (const user_id of [judging.stranger.id, NOBODY]) {
        const answer = await refused(token, bodyOf(judging.user, { user_id }))
        expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
  })

  it('is stored as the other’s when an admin sends it', async () => {
    const { admin, user } = judging
    const answer = await post(admin.token, bodyOf(user))
    expect(answer).toMatchObject({ status: 201, body: { user_id: user.id } })
    expect((await judging.readRecord(answer.body.id)).user.id).toBe(user.id)
  })

  it('is refused to admins when there is no such user, or no more (404)', async () => {
    const { service, admin } = judging
    const gone = await service.createPerson()
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    for (const user_id of [NOBODY, gone.id]) {
      const answer = await refused(admin.token, bodyOf(admin, { user_id }))
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such user' } })
    }
  })

  it('is refused to a judge in its own name: a judge is no user (404)', async () => {
    const answer = await refused(judging.service.judgeToken, bodyOf(judging.user, { user_id: NIL_UUID }))
    expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such user' } })
  })
})

describe('a submission to what is not there', () => {
  it('is refused with the name of what is missing: problem, language or event (404)', async () => {
    const { user } = judging
    const cases: [Record<string, unknown>, string][] = [
      [{ problem_id: 2_147_483_647 }, 'problem'],
      [{ problem_id: 0 }, 'problem'],
      [{ language_id: NOBODY }, 'language'],
      [{ event_id: 1 }, 'event'],
      [{ event_id: 0 }, 'event'],
    ]
    for (const [changes, what] of cases) {
      const answer = await refused(user.token, bodyOf(user, changes))
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: `There is no such ${what}` },
      })
    }
  })

  it('is refused when the problem has been deleted (404)', async () => {
    const { service, admin, user } = judging
    const { id } = await judging.createProblem()
    await service.send({ method: 'DELETE', url: `/v1/problems/${id}`, token: admin.token })
    for (const person of [user, admin]) {
      expect(await refused(person.token, bodyOf(person, { problem_id: id }))).toMatchObject({ status: 404 })
    }
  })

  it('is refused when the language has been retired (404)', async () => {
    const { service, admin, user, language } = judging
    const body = { ...language, version: 'to be retired' }
    const made = await service.send({ method: 'POST', url: '/v1/languages', token: admin.token, body })
    const { id } = made.body
    expect((await post(user.token, bodyOf(user, { language_id: id }))).status).toBe(201)
    await service.send({ method: 'DELETE', url: `/v1/languages/${id}`, token: admin.token })
    expect(await refused(user.token, bodyOf(user, { language_id: id }))).toMatchObject({
      status: 404,
      body: { error: 'There is no such language' },
    })
  })

  it('is refused for a private problem exactly as for an unknown one (404), save to its author and admins', async () => {
    const { user, stranger, admin } = judging
    const { id } = await judging.createProblem({ public: false, user_id: user.id })
    const unseen = await refused(stranger.token, bodyOf(stranger, { problem_id: id }))
    const unknown = await refused(stranger.token, bodyOf(stranger, { problem_id: 2_147_483_647 }))
    expect(unseen.status).toBe(404)
    expect(unseen.body).toEqual(unknown.body)
    for (const person of [user, admin]) {
      expect((await post(person.token, bodyOf(person, { problem_id: id }))).status).toBe(201)
    }
  })
})

describe('the order of refusals', () => {
  it('is 400 before 403 and 404, and 403 before 404', async () => {
    const { user, stranger } = judging
    const wrong = { user_id: stranger.id, problem_id: 2_147_483_647, source_code: '' }
    expect(await refused(user.token, bodyOf(user, wrong))).toMatchObject({ status: 400 })
    expect(await refused(user.token, bodyOf(user, { ...wrong, source_code: 'x' }))).toMatchObject({
      status: 403,
    })
  })

  it('puts the token of a deleted account before a wrong body and another’s user_id (401)', async () => {
    const { service } = judging
    const gone = await service.createPerson()
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    for (const changes of [{}, { source_code: '' }, { user_id: NOBODY }, { event_id: 1 }]) {
      const answer = await refused(gone.token, bodyOf(gone, changes))
      expect(answer).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
    }
  })
})

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
