import { expect, it } from 'vitest'
import { openTestApp, type Person, type TestResponse } from '../support/app.ts'

const NOBODY = '00000000-0000-7000-8000-000000000000'

const service = await openTestApp({ RATE_LIMIT_SUBMISSIONS: '1/1', BODY_LIMIT_BYTES: '1000' })
const user = await service.createPerson()
const gone = await service.createPerson()

const large = 'a'.repeat(1001)
const broken = '{'
/** Fits in everything but what it names. */
const unknown = (person: Person, owner = person.id) =>
  JSON.stringify({ user_id: owner, problem_id: 1, language_id: NOBODY, source_code: 'x' })

const submit = (token: string | undefined, raw: string): Promise<TestResponse> =>
  service.send({ method: 'POST', url: '/v1/submissions', raw, ...(token !== undefined && { token }) })

it('refuses in the order 401, 429, 413, 400, 403 and 404 where all apply at once (D2)', async () => {
  const first = await service.createPerson()
  expect(await submit(undefined, large)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect(await submit('nonsense', large)).toMatchObject({ status: 401, body: { code: 'MALFORMED_TOKEN' } })
  expect(await submit(first.token, large)).toMatchObject({ status: 413 })
  expect(await submit(first.token, large)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  expect(await submit(first.token, broken)).toMatchObject({ status: 429 })
  expect(await submit((await service.createPerson()).token, broken)).toMatchObject({ status: 400 })
  const second = await service.createPerson()
  expect(await submit(second.token, unknown(second, user.id))).toMatchObject({ status: 403 })
  const third = await service.createPerson()
  expect(await submit(third.token, unknown(third))).toMatchObject({ status: 404 })
})

it('refuses in the order 401, 403, 413, 400 and 404 where a role is needed (D2)', async () => {
  const admin = await service.createPerson({ admin: true })
  const update = (token: string | undefined, raw: string, id = 'x') =>
    service.send({ method: 'PUT', url: `/v1/users/${id}`, raw, ...(token !== undefined && { token }) })
  expect(await update(undefined, large)).toMatchObject({ status: 401 })
  expect(await update(user.token, large)).toMatchObject({ status: 403 })
  expect(await update(admin.token, large)).toMatchObject({ status: 413 })
  expect(await update(admin.token, broken)).toMatchObject({ status: 400 })
  expect(await update(admin.token, '{}', NOBODY)).toMatchObject({ status: 404 })
})

it('puts the 401 of a deleted account before the 403, 429, 413, 400 and 404 that would come first', async () => {
  const { id, token } = gone
  await service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })
  const expected = {
    status: 401,
    body: { error: 'User account no longer exists', code: 'ACCOUNT_DELETED' },
  }
  for (const raw of [large, large, broken, '', unknown(gone), unknown(gone, user.id)]) {
    const answer = await submit(token, raw)
    expect(answer, raw.slice(0, 20)).toMatchObject(expected)
    expect(answer.headers).not.toHaveProperty('retry-after')
  }
  for (const [method, url] of [
    ['PUT', `/v1/users/${NOBODY}`],
    ['GET', '/v1/submissions/x'],
    ['GET', `/v1/submissions/${NOBODY}`],
    ['GET', '/v1/problems?limit=x'],
    ['GET', `/v1/user_submissions/${NOBODY}`],
  ] as const) {
    expect(await service.send({ method, url, token }), `${method} ${url}`).toMatchObject(expected)
  }
})
