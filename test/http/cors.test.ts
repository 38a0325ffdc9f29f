import { expect, it } from 'vitest'
import { openBareApp } from '../support/bare-app.ts'

const OURS = 'https://judge.example.org'
const OTHER = 'https://other.example.org'

const preflight = (origin: string, method = 'PATCH') => ({
  method: 'OPTIONS' as const,
  url: '/v1/submissions/1',
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers':
      'authorization,content-type,if-none-match,judge-capabilities,last-event-id',
  },
})

const request = (origin: string, url = '/health') => ({ method: 'GET' as const, url, headers: { origin } })
const words = (value: unknown) => String(value).toLowerCase().split(/, */)

it('allows no page without CORS_ORIGINS', async () => {
  const { app } = await openBareApp()
  for (const sent of [preflight(OURS), request(OURS), request('null')]) {
    const { headers } = await app.inject(sent)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

it('allows pages of CORS_ORIGINS any method, a token, JSON, If-None-Match, Last-Event-ID and Judge-Capabilities', async () => {
  const { app } = await openBareApp({ CORS_ORIGINS: `https://first.example.org, ${OURS}` })
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const { statusCode, headers, payload } = await app.inject(preflight(OURS, method))
    expect([statusCode, payload, headers['access-control-allow-origin']]).toEqual([204, '', OURS])
    expect(words(headers['access-control-allow-methods'])).toContain(method.toLowerCase())
    const allowed = expect.arrayContaining([
      ...['authorization', 'content-type', 'if-none-match', 'judge-capabilities', 'last-event-id'],
    ])
    expect(words(headers['access-control-allow-headers'])).toEqual(allowed)
    expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
    expect(words(headers.vary)).toContain('origin')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

it('lets pages of CORS_ORIGINS read responses and refusals with ETag, Link, WWW-Authenticate and others', async () => {
  const { app } = await openBareApp({ CORS_ORIGINS: OURS })
  for (const url of ['/health', '/v1/nothing', '/v1/problems']) {
    const { headers } = await app.inject(request(OURS, url))
    expect(headers['access-control-allow-origin'], url).toBe(OURS)
    const exposed = words(headers['access-control-expose-headers'])
    expect(exposed).toEqual(['etag', 'link', 'location', 'retry-after', 'www-authenticate', 'x-request-id'])
    expect(words(headers.vary)).toContain('origin')
  }
})

it('allows no other origin, not even a similar one or null', async () => {
  const { app } = await openBareApp({ CORS_ORIGINS: OURS })
  const similar = [`${OURS}.evil.org`, 'https://evil-judge.example.org', OURS.replace('https', 'http')]
  for (const origin of [OTHER, ...similar, 'null', `${OURS}:8443`]) {
    for (const sent of [preflight(origin), request(origin)]) {
      const { headers } = await app.inject(sent)
      expect(headers, origin).not.toHaveProperty('access-control-allow-origin')
      expect(words(headers.vary)).toContain('origin')
    }
  }
})

it('allows pages without an origin of their own, such as files, with CORS_ORIGINS=null only', async () => {
  const { app } = await openBareApp({ CORS_ORIGINS: `${OURS}, null` })
  for (const origin of ['null', OURS]) {
    for (const sent of [preflight(origin), request(origin)])
      expect((await app.inject(sent)).headers['access-control-allow-origin']).toBe(origin)
  }
  const { headers } = await app.inject(preflight(OTHER))
  expect(headers).not.toHaveProperty('access-control-allow-origin')
})

it.each(['*', `${OURS},*`])('allows every page with CORS_ORIGINS=%s', async (origins) => {
  const { app } = await openBareApp({ CORS_ORIGINS: origins })
  const { headers } = await app.inject(preflight(OTHER))
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(words(headers['access-control-allow-headers'])).toContain('authorization')
  expect((await app.inject(request(OTHER))).headers['access-control-allow-origin']).toBe('*')
})
