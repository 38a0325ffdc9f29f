import { describe, expect, it } from 'vitest'
import { isOfContestApi } from '../../src/http/routing/errors.ts'
import { describeRoutes } from '../../src/http/routing/route-table.ts'
import { ELSEWHERE, openContestApiRoutes, ownRoutes, WRITE } from '../support/contest-api-routes.ts'

const service = await openContestApiRoutes({ RATE_LIMIT_WRITES: '1/1' })

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'HEAD'
  readonly token?: string
  readonly payload?: string
  readonly type?: string
}

async function send(url: string, { method = 'GET', token, payload, type = 'application/json' }: Sent = {}) {
  const headers = {
    ...(token !== undefined && { authorization: token }),
    ...(payload && { 'content-type': type }),
  }
  const response = await service.app.inject({
    method,
    url,
    headers,
    ...(payload !== undefined && { payload }),
  })
  return { status: response.statusCode, headers: response.headers, text: response.payload }
}

async function newToken(isAdmin = false): Promise<string> {
  const id = await service.createAccount(`${Math.random()}@example.org`, null, isAdmin)
  return service.tokens.issueUserToken({ id, isAdmin, sessionVersion: 1 })
}

/** Expects exactly a status as number and a message. */
async function expectError(url: string, sent: Sent, status: number, message: unknown = expect.any(String)) {
  const response = await send(url, sent)
  const { code, ...rest } = JSON.parse(response.text)
  expect([response.status, code, rest], `${sent.method} ${url}`).toEqual([status, status, { message }])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  return response
}

describe('an error of the Contest API', () => {
  it('is a status and a message for unknown routes (404), in every method', async () => {
    for (const url of ['/v1/clics', '/v1/clics/nothing', '/v1/clics?x=1', '/v1/clics//'])
      await expectError(url, {}, 404, `There is no route GET ${url.split('?')[0]}`)
    await expectError('/v1/clics/tests/open', { method: 'PUT', payload: 'x'.repeat(5000) }, 404)
  })

  it('is a status and a message for paths, queries and bodies that are not valid (400)', async () => {
    const token = await newToken(true)
    await expectError('/v1/clics/%zz', {}, 400, expect.stringMatching(/UTF-8/))
    await expectError('/v1/clics/tests/none', { token }, 400, expect.stringMatching(/^name must be one of/))
    for (const payload of ['', '{', '{}', '[]', '{"text":1}'])
      await expectError(WRITE, { method: 'POST', token, payload }, 400)
    await expectError(WRITE, { method: 'POST', token, payload: '{"text":""}', type: 'text/plain' }, 400)
  })

  it('is a status and a message for missing records (404), conflicts (409) and large bodies (413)', async () => {
    const token = await newToken(true)
    await expectError('/v1/clics/tests/hidden', { token }, 404, 'There is no such test')
    await expectError(WRITE, { method: 'POST', token, payload: '{"text":"taken"}' }, 409, 'The text is taken')
    await expectError(WRITE, { method: 'POST', token, payload: ' '.repeat(1001) }, 413)
  })

  it('is a status and a message with Retry-After for a rate (429)', async () => {
    const token = await newToken()
    const write = { method: 'POST', token, payload: '{"text":""}' } as const
    expect(await send(WRITE, write)).toMatchObject({ status: 200 })
    const { headers } = await expectError(WRITE, write, 429)
    expect(headers['retry-after']).toBe('60')
  })

  it('shows no internals and no request_id (500); the header has the id', async () => {
    const token = await newToken()
    const { text } = await expectError('/v1/clics/tests/broken', { token }, 500, 'Internal server error')
    expect(text).toBe('{"code":500,"message":"Internal server error"}')
  })

  it('has a challenge with every 401 and with no other error', async () => {
    const id = await service.createAccount('gone@example.org', null)
    const token = await service.tokens.issueUserToken({ id, isAdmin: false, sessionVersion: 2 })
    const challenge = 'Basic realm="Contest API", charset="UTF-8"'
    for (const sent of [undefined, 'nonsense', token, 'Basic x']) {
      const { headers } = await expectError(
        '/v1/clics/tests/hidden',
        { ...(sent !== undefined && { token: sent }) },
        401,
      )
      expect(headers['www-authenticate']).toBe(challenge)
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
    for (const [url, status] of [
      ['/v1/clics/tests/hidden', 401],
      ['/v1/clics/nothing', 404],
    ] as const)
      expect(await send(url, { method: 'HEAD' })).toMatchObject({ status, text: '' })
  })
})

it('leaves the errors of all other routes as they are (D1)', async () => {
  for (const url of [
    ELSEWHERE,
    '/v1/clicsx',
    '/v1/clics2/x',
    '/v2/clics/x',
    '/V1/clics/x',
    '/x?/v1/clics/',
  ]) {
    const { text, headers } = await send(url)
    const { code, error, message } = JSON.parse(text)
    expect([typeof code, message], url).toEqual(['string', error])
    expect(headers).not.toHaveProperty('www-authenticate')
  }
})

it('is a failed login or a rate limit on every route with HTTP Basic, in docs/routes.md too', () => {
  const [open = '', write = ''] = describeRoutes(ownRoutes()).split('\n').slice(2)
  expect(open).toContain('| user or Basic, or none if public |  | 200 | 400, 401, 404, 429, 500, 503 |')
  expect(write).toContain('| user or Basic | writes, by user | 200 | 400, 401, 413, 429, 500, 503 |')
})
