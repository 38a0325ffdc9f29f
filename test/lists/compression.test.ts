import { gunzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCompression } from '../../src/lists/compression.ts'
import { TextInParts } from '../../src/lists/text-in-parts.ts'
import { JUDGE_PASSWORD, openTestApp } from '../support/app.ts'
import { problemBody } from '../support/problems.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const prompt = 'Add the numbers – all of them. '.repeat(100)
let problemId: number
for (let n = 0; n < 8; n += 1) problemId = (await admin.post('/v1/problems', problemBody({ prompt }))).id

const ask = (
  encoding: string | undefined,
  { method = 'GET' as 'GET' | 'HEAD', url = '/v1/problems', tag = '' } = {},
) => {
  const headers = { authorization: admin.token, 'if-none-match': tag }
  const all = { ...headers, ...(encoding !== undefined && { 'accept-encoding': encoding }) }
  return service.app.inject({ method, url, headers: all })
}

describe('a long list', () => {
  it.each(['gzip', 'gzip, deflate, br', 'GZIP', '*', 'br;q=1.0, gzip;q=0.8, *;q=0.1'])(
    'is compressed for Accept-Encoding: %s',
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

  const without = ['', 'identity', 'br', 'none', 'gzip;q=0', 'gzip;q=0, *', 'identity, gzip;q=0.5', 'x-gzip']
  it.each([undefined, ...without])('is not compressed for Accept-Encoding: %s', async (encoding) => {
    const { headers, payload } = await ask(encoding)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toContain('Accept-Encoding')
    expect(JSON.parse(payload)).toHaveLength(8)
  })

  it('has the same headers for HEAD, without a body', async () => {
    const whole = await ask('gzip')
    const head = await ask('gzip', { method: 'HEAD' })
    expect(head.payload).toBe('')
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(whole.headers[name])
  })

  it('gets 304 for its tag, with and without compression', async () => {
    const { headers } = await ask('gzip')
    for (const encoding of ['gzip', undefined]) {
      const response = await ask(encoding, { tag: String(headers.etag) })
      expect(response).toMatchObject({ statusCode: 304, payload: '' })
      expect(response.headers).not.toHaveProperty('content-encoding')
    }
  })
})

const headers = { 'accept-encoding': 'gzip' }

it('concurrent bodies are compressed one after another; if many wait, further ones are sent uncompressed', async () => {
  const compress = createCompression()
  const numbers = Array.from({ length: 11 }, (_, number) => number)
  const round = () => Promise.all(numbers.map(() => compress(headers, Buffer.alloc(100_000, 'x'))))
  for (const bodies of [await round(), await round()])
    expect(bodies.map(({ body }) => body.length === 100_000)).toEqual(numbers.map((number) => number > 8))
})

describe('a text in parts', () => {
  const words = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word}${n}`).join()
  const partsOf = (...texts: string[]) => texts.map((text) => Buffer.from(text))

  it('is one gzip member with the same text, and plain for others', async () => {
    const text = new TextInParts(partsOf('[', words(9000, 'é'), '', words(9000, 'b'), ']'))
    const compress = createCompression()
    const [{ body }, plain] = [await compress(headers, text), await compress({}, text)]
    expect(gunzipSync(body).equals(text.join())).toBe(true)
    expect(inflateRawSync(body.subarray(10, -8)).equals(text.join())).toBe(true)
    expect(body.length).toBeLessThan(text.length / 2)
    expect(plain.body.toString()).toBe(`[${words(9000, 'é')}${words(9000, 'b')}]`)
  })
})

describe('not compressed are', () => {
  it.each(['/v1/languages', '/v1/problems?limit=1', '/v1/categories'])('short lists: %s', async (url) => {
    expect((await ask('gzip', { url })).headers).not.toHaveProperty('content-encoding')
  })

  it('responses that are not polled lists, such as records and refusals', async () => {
    const urls = [`/v1/problems/${problemId}/none`, `/v1/problems/${problemId}`, '/openapi.json']
    for (const url of [...urls, `/v1/${'x'.repeat(10_000)}`]) {
      const { headers } = await ask('gzip', { url })
      expect(headers).not.toHaveProperty('content-encoding')
      expect(headers.vary ?? '').not.toContain('Accept-Encoding')
    }
  })

  it('responses with a token', async () => {
    const headers = { authorization: JUDGE_PASSWORD, 'accept-encoding': 'gzip' }
    const login = await service.app.inject({ method: 'POST', url: '/v1/login_judge', headers })
    expect(login.statusCode).toBe(200)
    expect(login.headers).not.toHaveProperty('content-encoding')
  })
})
