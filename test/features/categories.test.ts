import { expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { createCategory, createProblem } from '../support/problems.ts'
import { notFound, refusal } from '../support/refusals.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const url = '/v1/categories'
const create = (name: string) => createCategory(service, admin, name)
const send = (name: string) => admin.send('POST', url, { name })
const listNames = async () => (await user.get(url)).map(({ name }: { name: string }) => name)
const categoriesOf = async (problemId: number) =>
  (await service.judge.get(`/v1/problems/${problemId}`)).categories

it('the categories exist after the first migration, for every caller with a token, sorted by name (D21) [GET /v1/categories] [Fields: Category]', async () => {
  const names = await listNames()
  expect(names.length).toBeGreaterThanOrEqual(24)
  expect(names).toEqual(expect.arrayContaining(['Dynamic Programming', 'Graphs', 'Strings', 'Two Pointers']))
  expect(names).toEqual(names.toSorted())
  for (const caller of [admin, service.judge]) expect(await caller.get(url)).toEqual(await user.get(url))
})

it('creating a category responds with its id and its trimmed name of up to 255 characters (201), lists it, and refuses an existing name in any case and with any space around it, also at the same time (409)', async () => {
  const longest = '😀'.repeat(255)
  expect(await create(longest)).toMatchObject({ name: longest })
  const category = await admin.post(url, { name: ' \tSegment Trees\n' }, 201)
  expect(category).toEqual({ id: expect.any(String), name: 'Segment Trees' })
  expect(await user.get(url)).toContainEqual(category)
  await create('Über-Flüsse')
  for (const name of ['Über-Flüsse', 'ÜBER-FLÜSSE', '  über-flüsse ', 'gRAPHS'])
    await admin.post(url, { name }, refusal(409, 'CATEGORY_EXISTS'))
  const responses = await Promise.all(['flows', 'Flows', 'FLOWS'].map(send))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

it('deleting a category removes it from the list and from its problems, and frees its name (204), also while problems are put into it', async () => {
  const [gone, kept] = [await create('Gone'), await create('Kept')]
  const problemId = await createProblem(service, admin, { category_ids: [gone.id, kept.id] })
  const response = await admin.send('DELETE', `${url}/${gone.id.toUpperCase()}`)
  expect(response).toMatchObject({ status: 204, text: '' })
  expect(await listNames()).not.toContain('Gone')
  expect(await categoriesOf(problemId)).toEqual([kept])
  await admin.delete(`${url}/${gone.id}`, notFound('category'))
  expect((await create('gone')).id).not.toBe(gone.id)
  for (let round = 0; round < 5; round += 1) {
    const { id } = await create(`Round ${round}`)
    const problemId = await createProblem(service, admin)
    const [updated, deleted] = await Promise.all([
      admin.send('PUT', `/v1/problems/${problemId}`, { category_ids: [id] }),
      admin.send('DELETE', `${url}/${id}`),
    ])
    expect(deleted.status).toBe(204)
    expect([200, 404]).toContain(updated.status)
    expect(await categoriesOf(problemId)).toEqual([])
  }
})

it('the categories of a problem are sorted by name, for every caller with a token; the list may be empty (D21)', async () => {
  const [b, a] = [await create('of one b'), await create('of one a')]
  const id = await createProblem(service, admin, { public: true, category_ids: [b.id, a.id] })
  await createProblem(service, admin, { category_ids: [b.id] })
  for (const caller of [user, admin, service.judge])
    expect(await caller.get(`${url}/${id}`, 200)).toEqual([a, b])
  const withoutCategories = await createProblem(service, admin, { public: true })
  expect(await user.get(`${url}/${withoutCategories}`, 200)).toEqual([])
})
