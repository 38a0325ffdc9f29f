import { describe, expect, it } from 'vitest'
import { openTestApp, type Person } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { NO_PROBLEM } from '../../support/ids.ts'
import { createCategory, createProblem, submit } from '../../support/problems.ts'
import { notFound, refusal } from '../../support/refusals.ts'

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
    expect(await user.get(urlOf(id), notFound('problem'))).toEqual(await user.get(urlOf(NO_PROBLEM), 404))
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

const CATEGORIES = '/v1/categories'
const add = (name: string) => createCategory(service, admin, name)
const send = (name: string) => admin.send('POST', CATEGORIES, { name })
const listNames = async () => (await user.get(CATEGORIES)).map(({ name }: { name: string }) => name)

it('the categories exist after the first migration, for every caller with a token, sorted by name (D21) [GET /v1/categories] [Fields: Category]', async () => {
  const names = await listNames()
  expect(names.length).toBeGreaterThanOrEqual(24)
  expect(names).toEqual(expect.arrayContaining(['Dynamic Programming', 'Graphs', 'Strings', 'Two Pointers']))
  expect(names).toEqual(names.toSorted())
  for (const caller of [admin, service.judge])
    expect(await caller.get(CATEGORIES)).toEqual(await user.get(CATEGORIES))
})

it('creating a category responds with its id and its trimmed name of up to 255 characters (201), lists it, and refuses an existing name in any case and with any space around it, also at the same time (409)', async () => {
  const longest = '😀'.repeat(255)
  expect(await add(longest)).toMatchObject({ name: longest })
  const category = await admin.post(CATEGORIES, { name: ' \tSegment Trees\n' }, 201)
  expect(category).toEqual({ id: expect.any(String), name: 'Segment Trees' })
  expect(await user.get(CATEGORIES)).toContainEqual(category)
  await add('Über-Flüsse')
  const spellings = ['Über-Flu\u0308sse', '\uFF27raphs', 'Gra\u200Cphs']
  for (const name of ['Über-Flüsse', 'ÜBER-FLÜSSE', '  über-flüsse ', 'gRAPHS', ...spellings])
    await admin.post(CATEGORIES, { name }, refusal(409, 'CATEGORY_EXISTS'))
  const responses = await Promise.all(['flows', 'Flows', 'FLOWS'].map(send))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

it('deleting a category removes it from the list and from its problems, and frees its name (204)', async () => {
  const [gone, kept] = [await add('Gone'), await add('Kept')]
  const problemId = await create({ category_ids: [gone.id, kept.id] })
  const response = await admin.send('DELETE', `${CATEGORIES}/${gone.id.toUpperCase()}`)
  expect(response).toMatchObject({ status: 204, text: '' })
  expect(await listNames()).not.toContain('Gone')
  expect(await service.judge.get(urlOf(problemId))).toMatchObject({ categories: [kept] })
  await admin.delete(`${CATEGORIES}/${gone.id}`, notFound('category'))
  expect((await add('gone')).id).not.toBe(gone.id)
})

it('the categories of a problem are sorted by name, for every caller with a token; the list may be empty (D21)', async () => {
  const [b, a] = [await add('of one b'), await add('of one a')]
  const id = await create({ public: true, category_ids: [b.id, a.id] })
  await create({ category_ids: [b.id] })
  for (const caller of [user, admin, service.judge])
    expect(await caller.get(`${CATEGORIES}/${id}`, 200)).toEqual([a, b])
  const withoutCategories = await create({ public: true })
  expect(await user.get(`${CATEGORIES}/${withoutCategories}`, 200)).toEqual([])
})
