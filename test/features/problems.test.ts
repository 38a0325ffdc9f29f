import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type Person } from '../support/app.ts'
import { NO_PROBLEM } from '../support/ids.ts'
import { createCategory, createProblem, readProblem, submit } from '../support/problems.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const author = await service.createPerson()
const user = await service.createPerson()

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, url: string, token: string) => service.send({ method, url, token })

const listed = async (id: number, token: string) => {
  const { status, body } = await call('GET', '/v1/problems', token)
  expect(status).toBe(200)
  return body.find((problem: { id: number }) => problem.id === id)
}

/** What each route that could show a problem answers a caller; the list as 200 or 404. */
const sightsOf = async (id: number, { id: userId, token }: Pick<Person, 'id' | 'token'>) => ({
  list: (await listed(id, token)) === undefined ? 404 : 200,
  read: (await call('GET', `/v1/problems/${id}`, token)).status,
  categories: (await call('GET', `/v1/categories/${id}`, token)).status,
  attempts: (await call('GET', `/v1/user_problem_submissions/${userId}/${id}`, token)).status,
  submit: (await submit(service, { id: userId, token, name: '', email: '', ...service.as(token) }, id))
    .status,
})

const everywhere = { list: 200, read: 200, categories: 200, attempts: 200, submit: 201 }
const nowhere = { list: 404, read: 404, categories: 404, attempts: 404, submit: 404 }

describe('a public problem (D19)', () => {
  it('is seen by every user, and by admins', async () => {
    const id = await createProblem(service, admin, { public: true, user_id: author.id })
    for (const person of [user, author, admin]) expect(await sightsOf(id, person)).toEqual(everywhere)
  })

  it('is seen by judges', async () => {
    const id = await createProblem(service, admin, { public: true })
    expect(await listed(id, service.judgeToken)).toMatchObject({ id })
    expect(await readProblem(service, id, service.judgeToken)).toMatchObject({ id })
  })
})

describe('a private problem (D19)', () => {
  let id: number
  beforeEach(async () => {
    id = await createProblem(service, admin, { public: false, user_id: author.id })
  })

  it('is 404 to another user on every route that could show it', async () => {
    expect(await sightsOf(id, user)).toEqual(nowhere)
    const message = 'There is no such problem'
    const answer = await call('GET', `/v1/problems/${id}`, user.token)
    expect(answer.body).toEqual({ error: message, code: 'NOT_FOUND', message })
    expect(answer.body).toEqual((await call('GET', `/v1/problems/${NO_PROBLEM}`, user.token)).body)
  })

  it('is seen by its author and by every admin', async () => {
    const other = await service.createPerson({ admin: true })
    for (const person of [author, admin, other]) expect(await sightsOf(id, person)).toEqual(everywhere)
  })

  it('is seen by judges', async () => {
    expect(await listed(id, service.judgeToken)).toMatchObject({ id })
    for (const path of [`problems/${id}`, `categories/${id}`, `problem_description/${id}/tests`]) {
      expect(await call('GET', `/v1/${path}`, service.judgeToken), path).toMatchObject({ status: 200 })
    }
  })

  it('is not seen by an admin who is one no longer', async () => {
    const demoted = await service.createPerson({ admin: true })
    const url = `/v1/users/${demoted.id}`
    await service.send({ method: 'PUT', url, token: admin.token, body: { is_admin: false } })
    expect(await sightsOf(id, demoted)).toEqual(nowhere)
  })
})

describe('the visibility of a problem', () => {
  const url = (id: number) => `/v1/admin/problems/${id}/toggle-visibility`

  it('is flipped by an admin, who gets the updated summary, and flipped back [PUT /v1/admin/problems/{problem_id}/toggle-visibility] [State: problem visibility flipped]', async () => {
    const id = await createProblem(service, admin, { timeout: 3 })
    const { test_cases: _, ...summary } = await readProblem(service, id)
    for (const isPublic of [true, false]) {
      const answer = await call('PUT', url(id), admin.token)
      expect(answer).toMatchObject({ status: 200, body: { ...summary, public: isPublic } })
      expect(await sightsOf(id, user)).toEqual(isPublic ? { ...everywhere } : { ...nowhere, attempts: 200 })
    }
  })

  it('is flipped once by each of several requests at once', async () => {
    const id = await createProblem(service, admin)
    const answers = await Promise.all([1, 2, 3].map(() => call('PUT', url(id), admin.token)))
    expect(answers.map(({ body }) => body.public).sort()).toEqual([false, true, true])
    expect(await readProblem(service, id)).toMatchObject({ public: true })
  })

  it('needs no body, and ignores one (D3)', async () => {
    const id = await createProblem(service, admin)
    const sent = { method: 'PUT', url: url(id), token: admin.token } as const
    expect(await service.send({ ...sent, raw: '' })).toMatchObject({ status: 200, body: { public: true } })
    expect(await service.send({ ...sent, body: { public: true } })).toMatchObject({ body: { public: false } })
    expect(await service.send({ ...sent, raw: '{' })).toMatchObject({ body: { public: true } })
  })

  it('is no user’s or judge’s to flip (403), not even the author’s', async () => {
    const id = await createProblem(service, admin, { user_id: author.id })
    for (const token of [author.token, service.judgeToken]) {
      expect(await call('PUT', url(id), token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })

  it('is 404 for a problem that nobody knows, 400 for what is no id', async () => {
    expect(await call('PUT', url(NO_PROBLEM), admin.token)).toMatchObject({ status: 404 })
    expect(await call('PUT', url(2 ** 31), admin.token)).toMatchObject({ status: 400, body: { code: '400' } })
  })
})

describe('the list of problems', () => {
  it('carries every field but the test cases, by id (D18) [GET /v1/problems] [Fields: Problem]', async () => {
    const category = await createCategory(service, admin, 'problems list')
    const fields = { public: true, timeout: 4, source: 'Contest 7', category_ids: [category.id] }
    const id = await createProblem(service, admin, fields)
    const next = await createProblem(service, admin, fields)
    const { test_cases, ...rest } = await readProblem(service, id)
    expect(test_cases).toHaveLength(1)
    expect(await listed(id, user.token)).toEqual(rest)
    const { body } = await call('GET', '/v1/problems', user.token)
    const ids = body.map((problem: { id: number }) => problem.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
    expect(ids).toContain(next)
  })

  it('leaves out timeout where a problem has none (D5)', async () => {
    const id = await createProblem(service, admin)
    expect(await listed(id, admin.token)).not.toHaveProperty('timeout')
  })

  it('ignores query while no search is enabled, type=private and what it does not know (D2, D38)', async () => {
    const id = await createProblem(service, admin, { user_id: author.id })
    const whole = await call('GET', '/v1/problems', user.token)
    for (const query of ['query=nothing-has-this', 'type=private', 'offset=5&page=2', 'query=']) {
      const answer = await call('GET', `/v1/problems?${query}`, user.token)
      expect(answer.body, query).toEqual(whole.body)
    }
    expect(await call('GET', `/v1/problems/${id}?type=private`, user.token)).toMatchObject({ status: 404 })
  })
})

describe('a problem’s test cases', () => {
  const shown = { input: 'shown in', expected_output: 'shown out', hidden: false }
  const hidden = { input: 'hidden in', expected_output: 'hidden out', hidden: true }
  const blank = { input: '', expected_output: '', hidden: true }
  let id: number
  beforeAll(async () => {
    const fields = { public: true, user_id: author.id, accept_timeout: 2.5, memory_limit: 64 }
    id = await createProblem(service, admin, { ...fields, test_cases: [hidden, shown, hidden] })
  })

  it('come back with the hidden ones blank to users, to the author and to admins (D18) [GET /v1/problems/{problem_id}] [Fields: TestCase]', async () => {
    for (const { token } of [user, author, admin]) {
      const { test_cases } = await readProblem(service, id, token)
      expect(test_cases).toMatchObject([blank, shown, blank])
    }
  })

  it('come back whole to judges', async () => {
    const { test_cases } = await readProblem(service, id, service.judgeToken)
    expect(test_cases).toMatchObject([hidden, shown, hidden])
  })

  it('come back whole to judges and admins on the tests route, with the three limits (D21) [GET /v1/problem_description/{id}/tests]', async () => {
    const { test_cases } = await readProblem(service, id, service.judgeToken)
    const limits = { accept_timeout: 2.5, execution_timeout: 5, memory_limit: 64 }
    for (const token of [service.judgeToken, admin.token]) {
      const answer = await call('GET', `/v1/problem_description/${id}/tests`, token)
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.body).toEqual({ problem_id: id, ...limits, test_cases })
    }
  })

  it('are no user’s to read on the tests route (403), not even the author’s', async () => {
    for (const { token } of [user, author]) {
      const answer = await call('GET', `/v1/problem_description/${id}/tests`, token)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })

  it('are 404 on the tests route for a problem that nobody knows, 400 for what is no id', async () => {
    const { token } = admin
    expect(await call('GET', `/v1/problem_description/${NO_PROBLEM}/tests`, token)).toMatchObject({
      status: 404,
    })
    expect(await call('GET', '/v1/problem_description/one/tests', token)).toMatchObject({
      status: 400,
      body: { code: '400', message: 'id must be an integer' },
    })
  })
})

describe('deleting a problem', () => {
  it('answers 204, and then 404 on every route, to everybody [DELETE /v1/problems/{problem_description_id}] [Error: 404]', async () => {
    const id = await createProblem(service, admin, { public: true, user_id: author.id })
    expect(await call('DELETE', `/v1/problems/${id}`, admin.token)).toMatchObject({ status: 204, text: '' })
    for (const person of [user, author, admin]) expect(await sightsOf(id, person)).toEqual(nowhere)
    expect(await listed(id, service.judgeToken)).toBeUndefined()
    const toggle = `/v1/admin/problems/${id}/toggle-visibility`
    expect(await call('PUT', toggle, admin.token)).toMatchObject({ status: 404 })
    expect(await call('DELETE', `/v1/problems/${id}`, admin.token)).toMatchObject({ status: 404 })
    const update = {
      method: 'PUT',
      url: `/v1/problems/${id}`,
      token: admin.token,
      body: { title: 'x' },
    } as const
    expect(await service.send(update)).toMatchObject({ status: 404 })
    for (const token of [admin.token, service.judgeToken]) {
      expect(await call('GET', `/v1/problem_description/${id}/tests`, token)).toMatchObject({ status: 404 })
    }
  })

  it('leaves the submissions to it readable, alone and in lists', async () => {
    const id = await createProblem(service, admin, { public: true, title: 'Short-lived' })
    const submission = (await submit(service, user, id)).body.id
    await call('DELETE', `/v1/problems/${id}`, admin.token)
    for (const { token } of [user, admin]) {
      const url = `/v1/submissions/${submission}`
      expect(await call('GET', url, token)).toMatchObject({ body: { problem: { id, title: 'Short-lived' } } })
      expect(await call('GET', `${url}/status`, token)).toMatchObject({ body: { status: 'PENDING' } })
      for (const list of [`user_submissions/${user.id}`, `user_problem_submissions/${user.id}/${id}`]) {
        const { body } = await call('GET', `/v1/${list}`, token)
        expect(
          body.map((item: { id: string }) => item.id),
          list,
        ).toContain(submission)
      }
    }
  })

  it('is no user’s or judge’s (403), not even the author’s', async () => {
    const id = await createProblem(service, admin, { user_id: author.id })
    for (const token of [author.token, service.judgeToken]) {
      const answer = await call('DELETE', `/v1/problems/${id}`, token)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await readProblem(service, id)).toMatchObject({ id })
  })

  it('is 404 for a problem that nobody knows, 400 for what is no id', async () => {
    expect(await call('DELETE', `/v1/problems/${NO_PROBLEM}`, admin.token)).toMatchObject({ status: 404 })
    expect(await call('DELETE', '/v1/problems/last', admin.token)).toMatchObject({ status: 400 })
  })

  it('answers 204 to one of several requests at once, 404 to the others', async () => {
    const id = await createProblem(service, admin)
    const deletions = [1, 2, 3].map(() => call('DELETE', `/v1/problems/${id}`, admin.token))
    expect((await Promise.all(deletions)).map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })
})
