import { describe, expect, it } from 'vitest'
import { isoIn } from '../contests/contest-judging.ts'
import { createProblem } from '../features/problems-support.ts'
import { openTestApp } from '../support/app.ts'

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
