import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import { openTestApp } from '../support/app.ts'

const service = await openTestApp()
const user = await service.createPerson()

/** A route that needs a credential. */
const HIDDEN = '/v1/clics/webhooks'

const send = (url: string, token?: string) =>
  service.send({ method: 'GET', url, ...(token !== undefined && { token }) })

/** Expects exactly a status as number and a message. */
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

  it('has no body for HEAD', async () => {
    for (const [url, statusCode] of [[HIDDEN, 401] as const, ['/v1/clics/nothing', 404] as const])
      expect(await service.app.inject({ method: 'HEAD', url })).toMatchObject({ statusCode, payload: '' })
  })
})

it('leaves the errors of all other routes as they are (D1)', async () => {
  for (const url of [
    '/v1/users',
    '/v1/clicsx',
    '/v1/clics2/x',
    '/v2/clics/x',
    '/V1/clics/x',
    '/x?/v1/clics/',
  ]) {
    const { body, headers } = await send(url)
    expect([typeof body.code, body.message], url).toEqual(['string', body.error])
    expect(headers).not.toHaveProperty('www-authenticate')
  }
})
