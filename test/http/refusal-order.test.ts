import { expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import type { Caller, TestRequest } from '../support/caller.ts'
import { NOBODY } from '../support/ids.ts'
import { refusal, unauthorized } from '../support/refusals.ts'

const service = await openTestApp({ RATE_LIMIT_SUBMISSIONS: '1/1', BODY_LIMIT_BYTES: '1000' })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

const LARGE = 'a'.repeat(1001)
const BROKEN = '{'

/** A submission with valid fields that names an unknown problem and an unknown language. */
const unknown = (userId: string) =>
  JSON.stringify({ user_id: userId, problem_id: 1, language_id: NOBODY, source_code: 'x' })

const sendRaw = (method: TestRequest['method'], url: string, token: string | undefined, raw: string) =>
  service.send({ method, url, raw, ...(token !== undefined && { token }) })
const submit = (token: string | undefined, raw: string) => sendRaw('POST', '/v1/submissions', token, raw)

it('refuses in the order 401, 429, 413, 400, 403, 404 (D2)', async () => {
  expect(await submit(undefined, LARGE)).toMatchObject(unauthorized)
  expect(await submit('nonsense', LARGE)).toMatchObject(refusal(401, 'MALFORMED_TOKEN'))
  const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(() => service.createPerson()))
  expect(await submit(first?.token, LARGE)).toMatchObject({ status: 413 })
  const limited = { status: 429, headers: { 'retry-after': '60' } }
  expect(await submit(first?.token, LARGE)).toMatchObject(limited)
  expect(await submit(first?.token, BROKEN)).toMatchObject(limited)
  expect(await submit(second?.token, BROKEN)).toMatchObject({ status: 400 })
  expect(await submit(third?.token, unknown(user.id))).toMatchObject({ status: 403 })
  expect(await submit(fourth?.token, unknown(fourth?.id ?? ''))).toMatchObject({ status: 404 })
})

it('refuses in the order 401, 403, 413, 400, 404 on routes for admins (D2)', async () => {
  const update = (token: string | undefined, raw: string, id = 'x') =>
    sendRaw('PUT', `/v1/users/${id}`, token, raw)
  expect(await update(undefined, LARGE)).toMatchObject({ status: 401 })
  expect(await update(user.token, LARGE)).toMatchObject({ status: 403 })
  expect(await update(admin.token, LARGE)).toMatchObject({ status: 413 })
  expect(await update(admin.token, BROKEN)).toMatchObject({ status: 400 })
  expect(await update(admin.token, '{}', NOBODY)).toMatchObject({ status: 400 })
  expect(await update(admin.token, '{"is_admin":true}', NOBODY)).toMatchObject({ status: 404 })
})

it('refuses a cursor of another form (400) before the 403 and 404 of a list (D2)', async () => {
  const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2099-01-01T00:00:00Z' }
  const { id } = await admin.post('/v1/events', { title: 'Without teams', ...times })
  for (const [list, status] of [
    ['teams', 404],
    ['submissions', 403],
  ] as const) {
    await user.get(`/v1/events/${id}/${list}`, status)
    await user.get(`/v1/events/${id}/${list}?after=zz`, 400)
  }
})

it('refuses deleted accounts (401) before any other refusal', async () => {
  const { id, token, ...gone } = await service.createPerson()
  await gone.delete(`/v1/users/${id}`)
  const deleted = refusal(401, 'ACCOUNT_DELETED', 'User account no longer exists')
  for (const raw of [LARGE, LARGE, BROKEN, '', unknown(id), unknown(user.id)]) {
    const response = await submit(token, raw)
    expect(response, raw.slice(0, 20)).toMatchObject(deleted)
    expect(response.headers).not.toHaveProperty('retry-after')
  }
  const caller: Caller = gone
  await caller.put(`/v1/users/${NOBODY}`, undefined, deleted)
  const paths = ['submissions/x', `submissions/${NOBODY}`, 'problems?limit=x', `user_submissions/${NOBODY}`]
  for (const path of paths) await caller.get(`/v1/${path}`, deleted)
})
