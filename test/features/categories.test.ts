import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { NO_PROBLEM, NOBODY } from '../support/ids.ts'
import { createCategory, createProblem, readProblem } from '../support/problems.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()

const get = (url: string, token = user.token) => service.send({ method: 'GET', url, token })
const post = (body: Record<string, unknown>, token = admin.token) =>
  service.send({ method: 'POST', url: '/v1/categories', token, body })
const remove = (id: string, token = admin.token) =>
  service.send({ method: 'DELETE', url: `/v1/categories/${id}`, token })
const names = async () => (await get('/v1/categories')).body.map(({ name }: { name: string }) => name)

describe('the categories', () => {
  it('are there from the first migration on, for every caller with a token, sorted by name (D21) [GET /v1/categories] [Fields: Category]', async () => {
    for (const token of [user.token, admin.token, service.judgeToken]) {
      const { status, body } = await get('/v1/categories', token)
      expect(status).toBe(200)
      expect(body.length).toBeGreaterThanOrEqual(24)
    }
    const all = await names()
    expect(all).toEqual(expect.arrayContaining(['Dynamic Programming', 'Graphs', 'Strings', 'Two Pointers']))
    expect(all).toEqual(all.toSorted())
  })

  it('are refused without a token (401)', async () => {
    expect(await service.send({ method: 'GET', url: '/v1/categories' })).toMatchObject({ status: 401 })
  })
})

describe('creating a category', () => {
  it('answers 201 with its id and its trimmed name, and lists it', async () => {
    const answer = await post({ name: ' \tSegment Trees\n' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.any(String), name: 'Segment Trees' })
    expect((await get('/v1/categories')).body).toContainEqual(answer.body)
  })

  it('is refused where the name is taken, whatever its case or the space around it (409)', async () => {
    await createCategory(service, admin, 'Über-Flüsse')
    for (const name of ['Über-Flüsse', 'ÜBER-FLÜSSE', '  über-flüsse ', 'gRAPHS']) {
      const answer = await post({ name })
      expect(answer, name).toMatchObject({ status: 409, body: { code: 'CATEGORY_EXISTS' } })
    }
  })

  it('is granted to one of several requests at once for the same name (409 to the others)', async () => {
    const answers = await Promise.all(['flows', 'Flows', 'FLOWS'].map((name) => post({ name })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('takes a name of 255 characters, counted as characters', async () => {
    const name = '😀'.repeat(255)
    expect(await post({ name })).toMatchObject({ status: 201, body: { name } })
  })

  it('is for admins (403)', async () => {
    for (const token of [user.token, service.judgeToken]) {
      expect(await post({ name: 'Mine' }, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await names()).not.toContain('Mine')
  })
})

describe('deleting a category', () => {
  it('answers 204, takes it out of the list and off its problems, and frees its name', async () => {
    const [gone, kept] = [
      await createCategory(service, admin, 'Gone'),
      await createCategory(service, admin, 'Kept'),
    ]
    const id = await createProblem(service, admin, { category_ids: [gone.id, kept.id] })
    expect(await remove(gone.id.toUpperCase())).toMatchObject({ status: 204, text: '' })
    expect(await names()).not.toContain('Gone')
    expect((await readProblem(service, id)).categories).toEqual([kept])
    expect(await remove(gone.id)).toMatchObject({ status: 404, body: { error: 'There is no such category' } })
    expect((await createCategory(service, admin, 'gone')).id).not.toBe(gone.id)
  })

  it('is 404 for one that nobody knows, 400 for what is no UUID', async () => {
    expect(await remove(NOBODY)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const message = 'category_id must be a UUID'
    expect(await remove('Graphs')).toMatchObject({ status: 400, body: { code: '400', message } })
  })

  it('is for admins (403)', async () => {
    const { id } = await createCategory(service, admin, 'Admins only')
    for (const token of [user.token, service.judgeToken]) {
      expect(await remove(id, token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect(await names()).toContain('Admins only')
  })

  it('at the same instant as problems are filed under it ends well for both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await createCategory(service, admin, `Round ${round}`)
      const problem = await createProblem(service, admin)
      const url = `/v1/problems/${problem}`
      const body = { category_ids: [id] }
      const filing = service.send({ method: 'PUT', url, token: admin.token, body })
      const [filed, removed] = await Promise.all([filing, remove(id)])
      expect(removed.status).toBe(204)
      expect([200, 404]).toContain(filed.status)
      expect((await readProblem(service, problem)).categories).toEqual([])
    }
  })
})

describe('the categories of one problem (D21)', () => {
  it('are its own, sorted by name', async () => {
    const b = await createCategory(service, admin, 'of one b')
    const a = await createCategory(service, admin, 'of one a')
    const id = await createProblem(service, admin, { public: true, category_ids: [b.id, a.id] })
    await createProblem(service, admin, { category_ids: [b.id] })
    for (const token of [user.token, admin.token, service.judgeToken]) {
      expect(await get(`/v1/categories/${id}`, token)).toMatchObject({ status: 200, body: [a, b] })
    }
  })

  it('are an empty list where it has none', async () => {
    const id = await createProblem(service, admin, { public: true })
    expect(await get(`/v1/categories/${id}`)).toMatchObject({ status: 200, text: '[]' })
  })

  it('are 404 for a problem that nobody knows, 400 for what is no id', async () => {
    expect(await get(`/v1/categories/${NO_PROBLEM}`)).toMatchObject({
      status: 404,
      body: { error: 'There is no such problem' },
    })
    expect(await get('/v1/categories/Graphs')).toMatchObject({ status: 400, body: { code: '400' } })
  })
})
