import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCompression } from '../../src/lists/compression.ts'
import { createProblem } from '../features/problems-support.ts'
import { openBareApp, TESTS_ROUTE } from '../http/bare-app.ts'
import { openTestApp } from '../support/app.ts'

const LENGTH = 100_000
let problemId: number

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const prompt = 'Add the numbers – all of them. '.repeat(100)
for (let n = 0; n < 8; n += 1) problemId = await createProblem(service, admin, { prompt })

const ask = (
  encoding: string | undefined,
  { method = 'GET' as 'GET' | 'HEAD', url = '/v1/problems', tag = '' } = {},
) =>
  service.app.inject({
    method,
    url,
    headers: {
      authorization: admin.token,
      'if-none-match': tag,
      ...(encoding !== undefined && { 'accept-encoding': encoding }),
    },
  })

describe('a long list', () => {
  it.each(['gzip', 'gzip, deflate, br', 'GZIP', '*', 'br;q=1.0, gzip;q=0.8, *;q=0.1'])(
    'is compressed for a client that takes it: %s',
    async (encoding) => {
      const plain = await ask(undefined)
      const { headers, rawPayload } = await ask(encoding)
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(rawPayload.length),
        etag: plain.headers.etag,
      })
      expect(gunzipSync(rawPayload).toString()).toBe(plain.payload)
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 10)
    },
  )

  it.each([
    undefined,
    '',
    'identity',
    'br',
    'none',
    'gzip;q=0',
    'gzip;q=0, *',
    'identity, gzip;q=0.5',
    'x-gzip',
  ])('is sent as it is to a client that does not: %s', async (encoding) => {
    const { headers, payload } = await ask(encoding)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toContain('Accept-Encoding')
    expect(JSON.parse(payload)).toHaveLength(8)
  })

  it('has the same head by HEAD, and no bytes', async () => {
    const whole = await ask('gzip')
    const head = await ask('gzip', { method: 'HEAD' })
    expect(head.payload).toBe('')
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(whole.headers[name])
  })

  it('is a 304 to whoever has it, compressed or not', async () => {
    const { headers } = await ask('gzip')
    for (const encoding of ['gzip', undefined]) {
      const answer = await ask(encoding, { tag: String(headers.etag) })
      expect(answer).toMatchObject({ statusCode: 304, payload: '' })
      expect(answer.headers).not.toHaveProperty('content-encoding')
    }
  })

  it('is whole to everybody when many ask at the same instant: those beyond the bound are sent as they are', async () => {
    const plain = (await ask(undefined)).payload
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('gzip')))
    for (const { headers, rawPayload, payload } of answers) {
      const text = headers['content-encoding'] === 'gzip' ? gunzipSync(rawPayload).toString() : payload
      expect(text).toBe(plain)
    }
  })

  it('is compressed one at a time, and again once that is done', async () => {
    const { app } = await openBareApp()
    const compress = createCompression()
    app.get(TESTS_ROUTE, async (request, reply) => {
      const round = () =>
        Promise.all([1, 2, 3].map(() => compress(request, reply, Buffer.alloc(LENGTH, 'x'))))
      const sent = [...(await round()), ...(await round())]
      reply.removeHeader('content-encoding')
      return sent.map((one) => one.length === LENGTH)
    })
    const { payload } = await app.inject({ url: TESTS_ROUTE, headers: { 'accept-encoding': 'gzip' } })
    expect(JSON.parse(payload)).toEqual([false, true, true, false, true, true])
  })

  it('is compressed once for all who are sent the same bytes, at the same instant and after', async () => {
    const { app } = await openBareApp()
    const compress = createCompression()
    const body = Buffer.alloc(LENGTH, 'x')
    app.get(TESTS_ROUTE, async (request, reply) => {
      const round = () => Promise.all([1, 2, 3].map(() => compress(request, reply, body)))
      const sent = [...(await round()), ...(await round())]
      reply.removeHeader('content-encoding')
      return [new Set(sent).size, sent.every((one) => gunzipSync(one).equals(body))]
    })
    const { payload } = await app.inject({ url: TESTS_ROUTE, headers: { 'accept-encoding': 'gzip' } })
    expect(JSON.parse(payload)).toEqual([1, true])
  })
})

describe('never compressed is', () => {
  it.each(['/v1/languages', '/v1/problems?limit=1', '/v1/categories'])('what is short: %s', async (url) => {
    expect((await ask('gzip', { url })).headers).not.toHaveProperty('content-encoding')
  })

  it('what is not a list that is polled, such as a record or a refusal', async () => {
    const long = 'x'.repeat(40_000)
    for (const url of [
      `/v1/problems/${problemId}/none`,
      `/v1/problems/${problemId}`,
      '/openapi.json',
      `/v1/${long.slice(0, 10_000)}`,
    ]) {
      const { headers } = await ask('gzip', { url })
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers.vary ?? '').not.toContain('Accept-Encoding')
    }
  })

  it('a login’s answer, which has a token', async () => {
    const { headers } = await service.app.inject({
      method: 'POST',
      url: '/v1/login_judge',
      headers: { authorization: 'judge-password-of-the-tests', 'accept-encoding': 'gzip' },
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })
})
