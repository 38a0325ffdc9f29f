import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCompression } from '../../src/lists/compression.ts'
import { openTestApp } from '../support/app.ts'
import { openBareApp, TESTS_ROUTE } from '../support/bare-app.ts'
import { isoIn } from '../support/contests.ts'
import { createProblem } from '../support/problems.ts'

const service = await openTestApp({ SEARCH_BACKEND: 'postgres', CORS_ORIGINS: 'https://judge.example.org' })
const admin = await service.createPerson({ admin: true })
const user = await service.createPerson()
for (let n = 0; n < 3; n += 1) await createProblem(service, admin, { public: true })

const URL = '/v1/problems'

const get = (ifNoneMatch?: string, { url = URL, token = user.token } = {}) =>
  service.send({
    method: 'GET',
    url,
    token,
    headers: {
      origin: 'https://judge.example.org',
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    },
  })

const tagOf = async (options = {}) => (await get(undefined, options)).headers.etag ?? ''

describe('a list that has not changed', () => {
  it('is a 304 with the tag and without a body, its other headers as with 200', async () => {
    const whole = await get()
    expect(whole.status).toBe(200)
    expect(whole.headers.etag).toMatch(/^W\/"[\w.-]{30,80}"$/)
    const { status, text, headers } = await get(whole.headers.etag)
    expect({ status, text }).toEqual({ status: 304, text: '' })
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-expose-headers']) {
      expect(headers[name], name).toBe(whole.headers[name])
    }
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers.vary).toBe('Origin, Accept-Encoding')
    expect(headers).not.toHaveProperty('content-type')
    expect(headers).not.toHaveProperty('content-length')
  })

  it('is one to whoever names its tag in whatever way HTTP has', async () => {
    const tag = await tagOf()
    const strong = tag.slice(2)
    for (const known of [
      strong,
      `"a", ${tag}`,
      `W/"b",${strong} , "c"`,
      `"with, comma", ${tag}`,
      '*',
      ' * ',
    ]) {
      expect((await get(known)).status, known).toBe(304)
    }
    for (const other of [
      '',
      '"*"',
      strong.slice(1, -1),
      `"${strong}`,
      `W/"x${strong.slice(1)}`,
      ', ,',
      '"',
      strong.toUpperCase(),
    ]) {
      expect((await get(other)).status, other).toBe(200)
    }
  })

  it('is one to a HEAD too, which says nothing of a length', async () => {
    const headers = { authorization: user.token, 'if-none-match': await tagOf() }
    const head = await service.app.inject({ method: 'HEAD', url: URL, headers })
    expect(head).toMatchObject({ statusCode: 304, payload: '' })
    expect(head.headers).toMatchObject({ etag: headers['if-none-match'] })
    expect(head.headers).not.toHaveProperty('content-length')
    const whole = await service.app.inject({
      method: 'HEAD',
      url: URL,
      headers: { ...headers, 'if-none-match': '' },
    })
    expect(whole).toMatchObject({ statusCode: 200, payload: '' })
    expect(whole.headers).toMatchObject({ etag: headers['if-none-match'] })
  })

  it('has one tag for all who are shown the same', async () => {
    const author = await service.createPerson()
    const tags = async () => {
      const callers = [user.token, author.token, admin.token, service.judgeToken]
      return Promise.all(callers.map((token) => tagOf({ token })))
    }
    const [ofUser, ofAuthor, ofAdmin, ofJudge] = await tags()
    expect(ofAuthor).toBe(ofUser)
    expect(ofJudge).toBe(ofAdmin)
    expect(ofAdmin).not.toBe(ofUser)
    await createProblem(service, admin, { public: false, user_id: author.id })
    expect(new Set(await tags()).size).toBe(3)
  })

  it('has a tag of its own for each audience, page and search', async () => {
    const others = [
      { token: admin.token },
      { url: `${URL}?limit=1` },
      { url: `${URL}?limit=2` },
      { url: `${URL}?query=sum` },
      { url: `${URL}?query=sum&limit=1` },
    ]
    const page = await get(undefined, { url: `${URL}?limit=1` })
    const next = /<(.+)>/.exec(page.headers.link ?? '')?.[1] ?? ''
    const tags = [await tagOf(), await tagOf({ url: next })]
    for (const other of others) tags.push(await tagOf(other))
    expect(new Set(tags).size).toBe(others.length + 2)
    for (const [index, other] of [{}, { url: next }, ...others].entries()) {
      expect((await get(tags.filter((_, at) => at !== index).join(','), other)).status).toBe(200)
      expect((await get(tags.join(','), other)).status).toBe(304)
    }
  })

  it('is another by a search as soon as the problems that it finds are', async () => {
    const url = `${URL}?query=sum`
    const tag = await tagOf({ url })
    expect((await get(tag, { url })).status).toBe(304)
    await createProblem(service, admin, { public: true })
    const answer = await get(tag, { url })
    expect(answer).toMatchObject({ status: 200, headers: { etag: expect.not.stringMatching(tag) } })
  })
})

describe('whatever a client says to have', () => {
  it('a refusal stays what it is', async () => {
    const refusals = [
      [401, URL, 'no token'],
      [400, `${URL}?after=x`, user.token],
      [400, `${URL}?limit=0`, user.token],
      [404, '/v1/events/2147483647/attempts', user.token],
      [403, '/v1/events', user.token],
    ] as const
    for (const [status, url, token] of refusals) {
      expect(await get('*', { url, token }), url).toMatchObject({
        status,
        headers: expect.not.objectContaining({ etag: expect.anything() }),
      })
    }
  })

  it('an account that is gone is refused', async () => {
    const { id, token } = await service.createPerson()
    const tag = await tagOf({ token })
    expect((await service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })).status).toBe(204)
    expect((await get(tag, { token })).status).toBe(401)
    expect((await get('*', { token })).status).toBe(401)
  })

  it('a list that is not polled is answered whole, without a tag', async () => {
    const url = `/v1/users`
    const { status, headers } = await get('*', { url, token: admin.token })
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('etag')
  })

  it('the participants of events show only the caller: who joins makes the list another to everybody', async () => {
    const body = { title: 'E', start_time: isoIn(-1), end_time: isoIn(60) }
    const event = await service.send({ method: 'POST', url: '/v1/events', token: admin.token, body })
    const url = '/v1/public/events'
    const tag = await tagOf({ url })
    const joiner = await service.createPerson()
    const register = `${url}/${event.body.id}/register`
    expect((await service.send({ method: 'POST', url: register, token: joiner.token })).status).toBe(201)
    const { status, body: events } = await get(tag, { url })
    expect({ status, events }).toMatchObject({
      status: 200,
      events: [{ participant_count: 1, participants: [] }],
    })
  })
})

const LENGTH = 100_000
let problemId: number

const compressing = await openTestApp()
const compressingAdmin = await compressing.createPerson({ admin: true })
const prompt = 'Add the numbers – all of them. '.repeat(100)
for (let n = 0; n < 8; n += 1) problemId = await createProblem(compressing, compressingAdmin, { prompt })

const ask = (
  encoding: string | undefined,
  { method = 'GET' as 'GET' | 'HEAD', url = '/v1/problems', tag = '' } = {},
) =>
  compressing.app.inject({
    method,
    url,
    headers: {
      authorization: compressingAdmin.token,
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
    app.get(TESTS_ROUTE, async (request) => {
      const round = () =>
        Promise.all([1, 2, 3].map(() => compress(request.headers, Buffer.alloc(LENGTH, 'x'))))
      const sent = [...(await round()), ...(await round())]
      return sent.map(({ body }) => body.length === LENGTH)
    })
    const { payload } = await app.inject({ url: TESTS_ROUTE, headers: { 'accept-encoding': 'gzip' } })
    expect(JSON.parse(payload)).toEqual([false, true, true, false, true, true])
  })

  it('is compressed once for all who are sent the same bytes, at the same instant and after', async () => {
    const { app } = await openBareApp()
    const compress = createCompression()
    const body = Buffer.alloc(LENGTH, 'x')
    app.get(TESTS_ROUTE, async (request) => {
      const round = () => Promise.all([1, 2, 3].map(() => compress(request.headers, body)))
      const sent = [...(await round()), ...(await round())].map((one) => one.body)
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
    const { headers } = await compressing.app.inject({
      method: 'POST',
      url: '/v1/login_judge',
      headers: { authorization: 'judge-password-of-the-tests', 'accept-encoding': 'gzip' },
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })
})
