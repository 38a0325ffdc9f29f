import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { WEB_BRIDGE_SECRET } from '../../../test/support/app.ts'
import { createJudgeClient, encodeSecret } from '../src/client.ts'
import { JudgeApiError, NoResponseError, orThrow } from '../src/errors.ts'
import { nextCursor } from '../src/paging.ts'
import { useServiceBehindProxy } from './support/listening-app.ts'
import { breakConnection, neverRespond, respondBadGateway, respondWith } from './support/troubled-server.ts'

const JUDGE_PASSWORD = 'пароль of the judge 裁判 é'
const setup = useServiceBehindProxy({ RATE_LIMIT_PUBLIC_RUNS: '1/1', JUDGE_PASSWORD })

const account = (name: string) => ({ name, email: `${name}@example.org`, password: 'a password' })

describe('a list that is polled', () => {
  it('is decompressed, and is empty with 304 for a current entity tag', async () => {
    const { client, submission } = await setup.service.createSubmitter()
    const author = await setup.service.createPerson({ admin: true })
    const prompt = 'Say it again. '.repeat(3000)
    const params = { path: { id: submission.problem_id } }
    await orThrow(setup.service.connect(author.token).PUT('/v1/problems/{id}', { params, body: { prompt } }))
    const whole = await client.GET('/v1/problems')
    expect(whole.response.headers.get('content-encoding')).toBe('gzip')
    expect(whole.data).toContainEqual(expect.objectContaining({ id: submission.problem_id, prompt }))
    const header = { 'If-None-Match': whole.response.headers.get('etag') ?? '' }
    const { data, response } = await client.GET('/v1/problems', { params: { header } })
    expect(response.status).toBe(304)
    expect(data).toBeUndefined()
  })
})

describe('the credential', () => {
  it('is the raw token, which can be set and removed', async () => {
    const person = await setup.service.createPerson()
    const client = setup.service.connect(person.token)
    const read = () => client.GET('/v1/users/{user_id}', { params: { path: { user_id: person.id } } })
    expect((await read()).data).toMatchObject({ name: person.name })
    client.setToken(undefined)
    expect((await read()).error).toMatchObject({ code: 'UNAUTHORIZED' })
    const { token } = await orThrow(client.POST('/v1/basic_register', { body: account('later') }))
    client.setToken(token)
    expect((await read()).data).toMatchObject({ name: person.name })
  })

  it('of a request replaces the token, and may have any characters', async () => {
    const client = setup.service.connect('not a token')
    const body = { id: 'github|1', name: 'From afar', email: 'afar@example.org', image: '' }
    const bridge = await client.POST('/v1/create_or_login_user', {
      body,
      headers: { authorization: WEB_BRIDGE_SECRET },
    })
    expect(bridge.data).toMatchObject({ name: 'From afar' })
    const headers = { authorization: encodeSecret(JUDGE_PASSWORD) }
    const judge = await client.POST('/v1/login_judge', { headers })
    expect(judge.data?.token).toEqual(expect.any(String))
  })
})

describe('a response', () => {
  it('with text is the id of a run', async () => {
    const { client, submission } = await setup.service.createSubmitter()
    const { user_id, language_id } = submission
    const body = { user_id, language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(client.POST('/v1/input_submissions', { body }))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const run = await orThrow(client.GET('/v1/input_submissions/{id}', { params: { path: { id } } }))
    expect(run).toEqual({ status: 'PENDING', finished: false })
  })

  it('without a body has neither data nor error', async () => {
    const { id, client } = await setup.service.createSubmitter()
    const { data, error, response } = await client.DELETE('/v1/users/{user_id}', {
      params: { path: { user_id: id } },
    })
    expect({ data, error, status: response.status }).toEqual({
      data: undefined,
      error: undefined,
      status: 204,
    })
  })

  it('with a page of a list has the cursor of the next page; the last page has none', async () => {
    const { client } = await setup.service.createSubmitter()
    await setup.service.createSubmitter()
    const all = await orThrow(client.GET('/v1/problems'))
    const listed: unknown[] = []
    let after: string | undefined
    do {
      const query = { limit: 1, ...(after !== undefined && { after }) }
      const { data, response } = await client.GET('/v1/problems', { params: { query } })
      expect(data).toHaveLength(1)
      listed.push(...(data ?? []))
      after = nextCursor(response)
    } while (after !== undefined && listed.length < all.length + 1)
    expect(all.length).toBeGreaterThan(1)
    expect(listed).toEqual(all)
  })

  it.each([
    [undefined, undefined],
    ['</v1/problems?limit=1&after=a%2Bb%3D>; rel="next"', 'a+b='],
    ['</v1/problems?after=x>; rel="prev", </v1/problems?after=y>; rel="next"', 'y'],
    ['</v1/problems?after=x>; rel="prev"', undefined],
  ])('with the link %s has the cursor %s', (link, cursor) => {
    const headers = new Headers(link === undefined ? {} : { link })
    expect(nextCursor(new Response('[]', { headers }))).toBe(cursor)
  })
})

describe('an error response', () => {
  it('is the error of its call, with its code', async () => {
    const client = setup.service.connect()
    const { error } = await client.POST('/v1/basic_login', {
      body: { email: 'nobody@example.org', password: 'x' },
    })
    expect(error).toEqual({
      code: 'INVALID_CREDENTIALS',
      error: 'Invalid credentials',
      message: 'Invalid credentials',
    })
  })

  it('is thrown by orThrow with its status, code, message and request id', async () => {
    const { client } = await setup.service.createSubmitter()
    const params = { path: { submission_id: randomUUID() } }
    const refused = await orThrow(client.GET('/v1/submissions/{submission_id}', { params })).catch(
      (err: unknown) => err,
    )
    expect(refused).toBeInstanceOf(JudgeApiError)
    expect(refused).toMatchObject({
      name: 'JudgeApiError',
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such submission',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      retryAfterSeconds: undefined,
    })
  })

  it('has the seconds until a retry', async () => {
    const { submission } = await setup.service.createSubmitter()
    const body = { language_id: submission.language_id, source_code: 'x', stdin: '' }
    const run = () => orThrow(setup.service.connect().POST('/v1/public/input_submissions', { body }))
    await run()
    await expect(run()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 })
  })
})

describe('without a valid response of the service', () => {
  const list = (signal?: AbortSignal) =>
    createJudgeClient({ baseUrl: setup.proxy.url }).GET('/v1/languages', signal ? { signal } : {})

  it.each([
    ['the page of a proxy', respondBadGateway, 502],
    ['a page in place of data', respondWith(200, { 'content-type': 'text/html' }, '<p>Log in</p>'), 200],
    ['text other than an id', respondWith(200, { 'content-type': 'text/plain' }, 'OK'), 200],
    ['an incomplete response', respondWith(200, { 'content-type': 'application/json' }, '[{"id":'), 200],
    ['an empty response', respondWith(200, { 'content-length': '0' }, ''), 200],
    ['an error with another body', respondWith(403, { 'content-type': 'application/json' }, '{}'), 403],
    ['an error without a body', respondWith(504, { 'content-length': '0', 'retry-after': '7' }, ''), 504],
  ])('%s throws NoResponseError with its status', async (_, trouble, status) => {
    setup.proxy.troubles.push(trouble)
    const err = await list().catch((err: unknown) => err)
    expect(err).toBeInstanceOf(NoResponseError)
    expect(err).toMatchObject({ status, retryAfterSeconds: status === 504 ? 7 : undefined })
    expect(String(err)).toContain(`the response is not from the service (GET /v1/languages: ${status}`)
  })

  it('a connection that fails before or during the response throws it without a status', async () => {
    const breakWithin = (response: Parameters<typeof breakConnection>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('[', () => breakConnection(response))
    }
    setup.proxy.troubles.push(breakConnection, breakWithin)
    for (const call of [await list().catch(String), await list().catch(String)])
      expect(call).toMatch(/^NoResponseError: no response to GET \/v1\/languages: ./)
    setup.proxy.troubles.push(breakConnection)
    await expect(list()).rejects.toMatchObject({ status: undefined })
  })

  it('a redirect is not followed, so that no other server gets the token', async () => {
    const before = setup.proxy.requests.length
    setup.proxy.troubles.push(respondWith(302, { location: '/v1/categories' }, ''))
    await expect(list()).rejects.toBeInstanceOf(NoResponseError)
    expect(setup.proxy.requests.slice(before)).toEqual(['GET /v1/languages'])
  })

  it('an aborted call rejects with the reason of its signal, before and during the response', async () => {
    const reason = new Error('enough')
    const aborting = new AbortController()
    const aborted = (response: Parameters<typeof neverRespond>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[', () => aborting.abort(reason))
    }
    setup.proxy.troubles.push(aborted)
    await expect(list(aborting.signal)).rejects.toBe(reason)
    await expect(list(aborting.signal)).rejects.toBe(reason)
    setup.proxy.troubles.push(neverRespond)
    await expect(list(AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
