import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import { openTestApp } from '../support/app.ts'
import type { Caller, TestRequest } from '../support/caller.ts'
import { NOBODY } from '../support/ids.ts'
import { refusal, unauthorized } from '../support/refusals.ts'

const service = await openTestApp({ RATE_LIMIT_SUBMISSIONS: '1/1', BODY_LIMIT_BYTES: '1000' })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

const HIDDEN = '/v1/clics/webhooks'

const send = (url: string, token?: string) =>
  service.send({ method: 'GET', url, ...(token !== undefined && { token }) })

async function expectError(url: string, token: string | undefined, status: number, message: unknown) {
  const { headers, ...response } = await send(url, token)
  expect(response, url).toMatchObject({ status, text: JSON.stringify(response.body) })
  expect(response.body).toEqual({ code: status, message })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  return headers
}

describe('an error of the Contest API', () => {
  it('is a status and a message for unknown routes (404), in every method', async () => {
    for (const url of ['/v1/clics/contest', '/v1/clics/nothing', '/v1/clics/nothing?x=1', '/v1/clics//'])
      await expectError(url, undefined, 404, `There is no route GET ${url.split('?')[0]}`)
    const put = await service.anonymous.send('PUT', '/v1/clics/nothing', 'x'.repeat(5000))
    expect(put.body).toEqual({ code: 404, message: 'There is no route PUT /v1/clics/nothing' })
  })

  it('shows no internals and no request_id (500); the header has the id', async () => {
    const rename = (from: string, to: string) =>
      service.database.query(unprepared(`alter table ${from} rename to ${to}`))
    await rename('webhooks', 'lost_webhooks')
    await expectError(HIDDEN, user.token, 500, 'Internal server error')
    await rename('lost_webhooks', 'webhooks')
  })

  it('has a challenge with every 401 and with no other error', async () => {
    const old = await service.tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 2 })
    for (const token of [undefined, 'nonsense', old, 'Basic x']) {
      const headers = await expectError(HIDDEN, token, 401, expect.any(String))
      expect(headers['www-authenticate']).toBe('Basic realm="Contest API", charset="UTF-8"')
    }
    for (const url of ['/v1/clics/nothing', '/v1/clics/%zz'])
      expect((await send(url)).headers).not.toHaveProperty('www-authenticate')
  })

  it('is sent for requests with the whole URL too', () => {
    for (const target of ['http://host/v1/clics/x', 'HTTPS://host:1/v1/clics?', '/v1/clics'])
      expect(isOfContestApi(target), target).toBe(true)
    for (const target of ['http://host/x/v1/clics/', 'http://host?/v1/clics', '/v1/clics%2f'])
      expect(isOfContestApi(target), target).toBe(false)
  })
})

it('leaves the errors of all other routes as they are (D1)', async () => {
  const similar = ['/v1/clicsx', '/v1/clics2/x', '/v2/clics/x', '/V1/clics/x', '/x?/v1/clics/']
  for (const url of ['/v1/users', ...similar]) {
    const { body, headers } = await send(url)
    expect([typeof body.code, body.message], url).toEqual(['string', body.error])
    expect(headers).not.toHaveProperty('www-authenticate')
  }
})

const LARGE = 'a'.repeat(1001)
const BROKEN = '{'

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
  for (const [list, status] of [['teams', 404] as const, ['submissions', 403] as const]) {
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
