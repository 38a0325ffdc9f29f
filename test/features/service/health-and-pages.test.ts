import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { openBareApp } from '../../support/bare-app.ts'

const service = await openTestApp()

const BODIES = {
  '/': '{"status":"ok","service":"judge-data-layer","health":"/health","api":"/v1"}',
  '/health': '{"status":"ok"}',
  '/healthy': '{"status":"ok"}',
  '/ready': '{"status":"ready"}',
}

describe.each(Object.entries(BODIES))('GET %s', (url, text) => {
  it('answers 200 with its body, to the letter, with any query and without a token [GET /] [GET /health] [GET /healthy]', async () => {
    for (const queried of [url, `${url}?a=b&a=c`, `${url}?`, `${url}?%00`])
      for (const caller of [service.anonymous, service.as('nonsense')]) {
        const answer = await caller.send('GET', queried)
        expect(answer).toMatchObject({ status: 200, text })
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      }
    const { statusCode, headers, payload } = await service.app.inject({ method: 'HEAD', url })
    expect([statusCode, headers['content-length'], payload]).toEqual([200, String(text.length), ''])
  })
})

describe('while the database is away', () => {
  it('the service is up but not ready: 503 with the reason, the request’s id and one line of alarm', async () => {
    const { app, log } = await openBareApp()
    const answer = await app.inject({ method: 'GET', url: '/ready' })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    const error = 'The database is out of reach'
    const request_id = answer.headers['x-request-id']
    expect(answer.json()).toEqual({ error, code: 'UNAVAILABLE', message: error, request_id })
    expect(log.map((line) => JSON.parse(line).level)).toEqual([50, 30])
    expect(log[0]).toContain('ECONNREFUSED')
  })

  it('the routes that say that the process is up say so, and those that need the database are 503', async () => {
    const { app } = await openBareApp()
    for (const url of ['/', '/health', '/healthy']) expect((await app.inject(url)).statusCode).toBe(200)
    const languages = await app.inject('/v1/languages')
    expect(languages.statusCode).toBe(503)
    expect(languages.headers['retry-after']).toBe('5')
    expect(languages.json()).toMatchObject({ code: 'UNAVAILABLE' })
    expect(languages.payload).not.toContain('ECONNREFUSED')
  })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url, headers })
const page = await get('/v1/scoreboard/1')
const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)

describe('a page', () => {
  it.each(['/v1/scoreboard', '/v1/contest'])(
    '%s is the same for every event, also for an unknown one, and has no inline script or style',
    async (url) => {
      const [one, other] = [await get(`${url}/1`), await get(`${url}/2147483647`)]
      expect([one.statusCode, one.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect([other.statusCode, other.body, other.headers.etag]).toEqual([200, one.body, one.headers.etag])
      expect(one.body).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
      expect(one.body).toMatch(/<script type="module"[^>]* src="\/v1\/pages\/[\w-]+\.js">/)
    },
  )

  it('has a policy that allows nothing inline and nothing from other hosts', () => {
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(page.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    })
  })

  it('gets 304 for a client that has it', async () => {
    const again = await get('/v1/scoreboard/2', { 'if-none-match': String(page.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('a file of the pages', () => {
  it('may be kept for ever if its name has a hash, and has the policy', async () => {
    expect(files.length).toBeGreaterThan(2)
    for (const url of files) {
      const { statusCode, headers } = await get(url)
      expect(statusCode, url).toBe(200)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['content-security-policy']).toBe(page.headers['content-security-policy'])
    }
    expect((await get('/v1/pages/licences.txt')).headers['cache-control']).toBe('private, no-cache')
  })

  it('is compressed for clients that accept gzip', async () => {
    const url = files.find((file) => file.endsWith('.js')) ?? ''
    const [plain, short] = [await get(url), await get(url, { 'accept-encoding': 'gzip' })]
    if (plain.rawPayload.length < 16_384) return expect(short.rawPayload).toEqual(plain.rawPayload)
    expect(short.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(short.rawPayload)).toEqual(plain.rawPayload)
  })

  it('exists only with the name of one: others get 404', async () => {
    const escapes = ['..%2fpackage.json', '%2e%2e%2fsrc%2fread-pages.ts', '__proto__']
    for (const name of ['none.js', 'scoreboard.html', '', ...escapes])
      expect((await get(`/v1/pages/${name}`)).statusCode, name).toBe(404)
  })

  it('comes with the licences of the libraries in the bundles', async () => {
    const { body } = await get('/v1/pages/licences.txt')
    const libraries = ['preact', 'marked', 'dompurify', 'temml', 'openapi-fetch', '@fontsource/stix-two-math']
    for (const name of libraries)
      expect(body).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'))
  })
})
