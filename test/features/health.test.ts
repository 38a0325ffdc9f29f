import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'

const service = await openTestApp()

const BODIES = {
  '/': '{"status":"ok","service":"judge-data-layer","health":"/health","api":"/v1"}',
  '/health': '{"status":"ok"}',
  '/healthy': '{"status":"ok"}',
  '/ready': '{"status":"ready"}',
}

describe.each(Object.entries(BODIES))('GET %s', (url, text) => {
  it('answers 200 with its body, to the letter, with any query and without a token [GET /] [GET /health] [GET /healthy]', async () => {
    for (const queried of [url, `${url}?a=b&a=c`, `${url}?`, `${url}?%00`]) {
      for (const caller of [service.anonymous, service.as('nonsense')]) {
        const answer = await caller.send('GET', queried)
        expect(answer).toMatchObject({ status: 200, text })
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      }
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
