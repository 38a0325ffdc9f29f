import { describe, expect, it } from 'vitest'
import { openBareApp } from './bare-app.ts'

const ours = 'https://judge.example.org'
const other = 'https://other.example.org'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What a browser asks before it sends a request with a token and JSON. */
const preflight = (origin: string, method = 'PATCH', url = '/v1/submissions/1') => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,if-none-match',
  },
})

const request = (origin: string, url = '/health') => ({ method: 'GET' as const, url, headers: { origin } })
const words = (value: unknown) => String(value).toLowerCase().split(/, */)

describe('without an origin configured', () => {
  it('no page may call the service', async () => {
    const { app } = await openBareApp()
    for (const asked of [preflight(ours), request(ours), request('null')]) {
      const { headers } = await app.inject(asked)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

describe('with origins configured', () => {
  it('a preflight from one of them may send any method, a token and JSON', async () => {
    const { app } = await openBareApp({ CORS_ORIGINS: `https://first.example.org, ${ours}` })
    for (const method of methods) {
      const { statusCode, headers, payload } = await app.inject(preflight(ours, method))
      expect(statusCode).toBe(204)
      expect(payload).toBe('')
      expect(headers['access-control-allow-origin']).toBe(ours)
      expect(words(headers['access-control-allow-methods'])).toContain(method.toLowerCase())
      expect(words(headers['access-control-allow-headers'])).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'if-none-match']),
      )
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
      expect(words(headers.vary)).toContain('origin')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  it('an answer to a page of theirs may be read, with its ETag, Link, Retry-After and x-request-id, refusals too', async () => {
    const { app } = await openBareApp({ CORS_ORIGINS: ours, RATE_LIMIT_PUBLIC_RUNS: '1/1' })
    for (const url of ['/health', '/v1/nothing', '/v1/problems']) {
      const { headers } = await app.inject(request(ours, url))
      expect(headers['access-control-allow-origin'], url).toBe(ours)
      expect(words(headers['access-control-expose-headers'])).toEqual([
        'etag',
        'link',
        'retry-after',
        'x-request-id',
      ])
      expect(words(headers.vary)).toContain('origin')
    }
  })

  it('a page of any other origin may not: not one that begins or ends alike, nor null', async () => {
    const { app } = await openBareApp({ CORS_ORIGINS: ours })
    const alike = [
      `${ours}.evil.org`,
      `https://evil-judge.example.org`,
      ours.replace('https', 'http'),
      'null',
    ]
    for (const origin of [other, ...alike, `${ours}:8443`]) {
      for (const asked of [preflight(origin), request(origin)]) {
        const { headers } = await app.inject(asked)
        expect(headers, origin).not.toHaveProperty('access-control-allow-origin')
        expect(words(headers.vary)).toContain('origin')
      }
    }
  })
})

describe('with * configured', () => {
  it('every page may call the service, also beside other origins', async () => {
    for (const origins of ['*', `${ours},*`]) {
      const { app } = await openBareApp({ CORS_ORIGINS: origins })
      const { headers } = await app.inject(preflight(other))
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(words(headers['access-control-allow-headers'])).toContain('authorization')
      expect((await app.inject(request(other))).headers['access-control-allow-origin']).toBe('*')
    }
  })
})
