import { describe, expect, it } from 'vitest'
import { openTestApp, type Person } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { NO_PROBLEM } from '../support/ids.ts'
import { createCategory, createProblem, submit } from '../support/problems.ts'
import { notFound } from '../support/refusals.ts'

interface Listed {
  readonly id: number
}

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const author = await service.createPerson()
const user = await service.createPerson()

const create = (fields: Record<string, unknown> = {}) => createProblem(service, admin, fields)
const urlOf = (id: number) => `/v1/problems/${id}`
const toggleUrl = (id: number) => `/v1/admin/problems/${id}/toggle-visibility`
const findListed = async (id: number, caller: Caller) =>
  (await caller.get('/v1/problems', 200)).find((problem: Listed) => problem.id === id)

/** Returns the status of each route that can show a problem; the list counts as 200 or 404. */
async function statusesFor(person: Person, id: number) {
  const statusOf = async (url: string) => (await person.send('GET', url)).status
  return {
    list: (await findListed(id, person)) === undefined ? 404 : 200,
    read: await statusOf(urlOf(id)),
    categories: await statusOf(`/v1/categories/${id}`),
    attempts: await statusOf(`/v1/user_problem_submissions/${person.id}/${id}`),
    submit: (await submit(service, person, id)).status,
  }
}

const visible = { list: 200, read: 200, categories: 200, attempts: 200, submit: 201 }
const missing = { list: 404, read: 404, categories: 404, attempts: 404, submit: 404 }

async function expectVisibleToJudges(id: number): Promise<void> {
  expect(await findListed(id, service.judge)).toMatchObject({ id })
  for (const path of [`problems/${id}`, `categories/${id}`, `problem_description/${id}/tests`])
    await service.judge.get(`/v1/${path}`, 200)
}

describe('the visibility of problems (D19)', () => {
  it('shows a public problem to users, admins and judges on every route', async () => {
    const id = await create({ public: true, user_id: author.id })
    expect(await statusesFor(user, id)).toEqual(visible)
    await expectVisibleToJudges(id)
  })

  it('shows a private problem to its author, admins and judges only; others get 404', async () => {
    const id = await create({ public: false, user_id: author.id })
    const otherAdmin = await service.createPerson({ admin: true })
    for (const person of [author, otherAdmin]) expect(await statusesFor(person, id)).toEqual(visible)
    await expectVisibleToJudges(id)
    expect(await statusesFor(user, id)).toEqual(missing)
    const refused = await user.get(urlOf(id), notFound('problem'))
    expect(refused).toEqual(await user.get(urlOf(NO_PROBLEM), 404))
  })

  it('is switched by an admin, who gets the new summary [PUT /v1/admin/problems/{problem_id}/toggle-visibility] [State: problem visibility flipped]', async () => {
    const id = await create({ timeout: 3 })
    const { test_cases: _, ...before } = await service.judge.get(urlOf(id))
    const summary = { ...before, updated_at: expect.any(String) }
    expect(await admin.put(toggleUrl(id), undefined, 200)).toEqual({ ...summary, public: true })
    expect(await statusesFor(user, id)).toEqual(visible)
    expect(await admin.put(toggleUrl(id), undefined, 200)).toEqual({ ...summary, public: false })
    // Users keep seeing their own attempts.
    expect(await statusesFor(user, id)).toEqual({ ...missing, attempts: 200 })
  })

  it('is switched once by each of several concurrent requests, with any body or none (D3)', async () => {
    const id = await create()
    const request = { method: 'PUT', url: toggleUrl(id), token: admin.token } as const
    const bodies = [{ raw: '' }, { body: { public: true } }, { raw: '{' }]
    const summaries = await Promise.all(bodies.map((body) => service.send({ ...request, ...body })))
    expect(summaries.map(({ body }) => body.public).sort()).toEqual([false, true, true])
    expect(await service.judge.get(urlOf(id))).toMatchObject({ public: true })
  })
})

describe('the list of problems', () => {
  it('has every field but the test cases, no timeout if there is none (D5), in the order of ids (D18) [GET /v1/problems] [Fields: Problem]', async () => {
    const category = await createCategory(service, admin, 'problems list')
    const fields = { public: true, source: 'Contest 7', category_ids: [category.id] }
    const [first, second] = [await create({ ...fields, timeout: 4 }), await create(fields)]
    for (const id of [first, second]) {
      const { test_cases, ...rest } = await service.judge.get(urlOf(id))
      expect(test_cases).toHaveLength(1)
      expect(await findListed(id, user)).toEqual(rest)
    }
    expect(await findListed(second, user)).not.toHaveProperty('timeout')
    const ids = (await user.get('/v1/problems')).map((problem: Listed) => problem.id)
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b))
  })

  it('ignores query without a search backend, type=private and unknown parameters (D2, D38)', async () => {
    const id = await create({ user_id: author.id })
    const list = await user.get('/v1/problems')
    for (const query of ['query=nothing-has-this', 'type=private', 'offset=5&page=2', 'query='])
      expect(await user.get(`/v1/problems?${query}`), query).toEqual(list)
    await user.get(`${urlOf(id)}?type=private`, notFound('problem'))
  })
})

describe('deleting a problem', () => {
  it('responds with 204; then every route responds with 404, also to the author and admins [DELETE /v1/problems/{problem_description_id}] [Error: 404]', async () => {
    const id = await create({ public: true, user_id: author.id })
    expect(await admin.send('DELETE', urlOf(id))).toMatchObject({ status: 204, text: '' })
    for (const person of [user, author, admin]) expect(await statusesFor(person, id)).toEqual(missing)
    expect(await findListed(id, service.judge)).toBeUndefined()
    await admin.put(toggleUrl(id), undefined, notFound('problem'))
    await admin.put(urlOf(id), { title: 'x' }, notFound('problem'))
    await admin.delete(urlOf(id), notFound('problem'))
    for (const caller of [admin, service.judge])
      await caller.get(`/v1/problem_description/${id}/tests`, notFound('problem'))
  })

  it('leaves its submissions readable, alone and in lists', async () => {
    const id = await create({ public: true, title: 'Short-lived' })
    const submission = (await submit(service, user, id)).body.id
    await admin.delete(urlOf(id))
    const url = `/v1/submissions/${submission}`
    for (const person of [user, admin]) {
      expect(await person.get(url)).toMatchObject({ problem: { id, title: 'Short-lived' } })
      expect(await person.get(`${url}/status`)).toMatchObject({ status: 'PENDING' })
      for (const list of [`user_submissions/${user.id}`, `user_problem_submissions/${user.id}/${id}`]) {
        const ids = (await person.get(`/v1/${list}`)).map((item: { id: string }) => item.id)
        expect(ids, list).toContain(submission)
      }
    }
  })

  it('succeeds for one of several concurrent requests (404 for the others)', async () => {
    const id = await create()
    const deletions = await Promise.all([1, 2, 3].map(() => admin.send('DELETE', urlOf(id))))
    expect(deletions.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })
})
