import { randomUUID } from 'node:crypto'
import { describe, expect, expectTypeOf, it, type TestContext } from 'vitest'
import { WEB_BRIDGE_SECRET } from '../../../test/support/app.ts'
import type { JudgeClient, Schemas } from '../src/client.ts'
import { createJudgeClient, encodeSecret } from '../src/client.ts'
import { type ErrorCode, JudgeApiError, NoResponseError, orThrow } from '../src/errors.ts'
import { nextCursor } from '../src/paging.ts'
import { waitForRun, waitForVerdict } from '../src/waiting.ts'
import { useService } from './support/listening-app.ts'
import * as troubles from './support/troubled-server.ts'

const { breakConnection, neverRespond, respondBadGateway, respondWith } = troubles

const JUDGE_PASSWORD = 'пароль of the judge 裁判 é'
const setup = await useService({ RATE_LIMIT_PUBLIC_RUNS: '1/1', JUDGE_PASSWORD })

const account = (name: string) => ({ name, email: `${name}@example.org`, password: 'a password' })

it('a polled list is decompressed; with a current entity tag the response is 304 without data', async () => {
  const { client, submission } = await setup.service.createSubmitter()
  const author = await setup.service.createPerson({ admin: true })
  const prompt = 'Say it again. '.repeat(3000)
  await author.put(`/v1/problems/${submission.problem_id}`, { prompt })
  const whole = await client.GET('/v1/problems')
  expect(whole.response.headers.get('content-encoding')).toBe('gzip')
  expect(whole.data).toContainEqual(expect.objectContaining({ id: submission.problem_id, prompt }))
  const header = { 'If-None-Match': whole.response.headers.get('etag') ?? '' }
  const { data, response } = await client.GET('/v1/problems', { params: { header } })
  expect([response.status, data]).toEqual([304, undefined])
})

describe('credentials', () => {
  it('are the raw token, which can be set and removed', async () => {
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

  it('in the headers of a request replace the token, and may have any characters', async () => {
    const client = setup.service.connect('not a token')
    const body = { id: 'github|1', name: 'From afar', email: 'afar@example.org', image: '' }
    const bridged = { body, headers: { authorization: WEB_BRIDGE_SECRET } }
    expect((await client.POST('/v1/create_or_login_user', bridged)).data).toMatchObject({ name: 'From afar' })
    const headers = { authorization: encodeSecret(JUDGE_PASSWORD) }
    expect((await client.POST('/v1/login_judge', { headers })).data?.token).toEqual(expect.any(String))
  })
})

describe('a response', () => {
  it('has the id of a new run as its data, and neither data nor error if it has no body', async () => {
    const { id: userId, client, submission } = await setup.service.createSubmitter()
    const { user_id, language_id } = submission
    const body = { user_id, language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(client.POST('/v1/input_submissions', { body }))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const run = await orThrow(client.GET('/v1/input_submissions/{id}', { params: { path: { id } } }))
    expect(run).toEqual({ status: 'PENDING', finished: false })
    const params = { path: { user_id: userId } }
    const { data, error, response } = await client.DELETE('/v1/users/{user_id}', { params })
    expect([data, error, response.status]).toEqual([undefined, undefined, 204])
  })

  it('has the cursor of the next page of a list, except on the last page', async () => {
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
  ])('with the Link header %s has the cursor %s', (link, cursor) => {
    const headers = new Headers(link === undefined ? {} : { link })
    expect(nextCursor(new Response('[]', { headers }))).toBe(cursor)
  })
})

describe('an error response', () => {
  it('is the error of its call; orThrow throws it with its status, code, message and request id', async () => {
    const { client } = await setup.service.createSubmitter()
    const params = { path: { submission_id: randomUUID() } }
    const { error } = await client.GET('/v1/submissions/{submission_id}', { params })
    const message = 'There is no such submission'
    expect(error).toMatchObject({ code: 'NOT_FOUND', error: message, message })
    const call = orThrow(client.GET('/v1/submissions/{submission_id}', { params }))
    const err = await call.catch((err: unknown) => err)
    expect(err).toBeInstanceOf(JudgeApiError)
    expect(err).toMatchObject({
      ...{ name: 'JudgeApiError', status: 404, code: 'NOT_FOUND', message, retryAfterSeconds: undefined },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
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
  /** Starts a proxy with these troubles. Resolves to a function that sends a request through it. */
  async function openList(context: TestContext, ...ofProxy: troubles.Trouble[]) {
    const proxy = await setup.startProxy(context, ...ofProxy)
    const client = createJudgeClient({ baseUrl: proxy.url })
    const list = (signal?: AbortSignal) => client.GET('/v1/languages', signal ? { signal } : {})
    return Object.assign(list, { requests: proxy.requests })
  }
  const json = { 'content-type': 'application/json' }
  const startBody =
    (then: troubles.Trouble): troubles.Trouble =>
    (response) => {
      response.writeHead(200, { ...json, 'content-length': '100' }).write('[', () => then(response))
    }

  it.for([
    ['the page of a proxy', respondBadGateway, 502],
    ['a page in place of data', respondWith(200, { 'content-type': 'text/html' }, '<p>Log in</p>'), 200],
    ['text other than an id', respondWith(200, { 'content-type': 'text/plain' }, 'OK'), 200],
    ['an incomplete response', respondWith(200, json, '[{"id":'), 200],
    ['an empty response', respondWith(200, { 'content-length': '0' }, ''), 200],
    ['an error with another body', respondWith(403, json, '{}'), 403],
    ['an error without a body', respondWith(504, { 'content-length': '0', 'retry-after': '7' }, ''), 504],
  ] as const)('%s throws NoResponseError with its status', async ([, trouble, status], context) => {
    const list = await openList(context, trouble)
    const err = await list().catch((err: unknown) => err)
    expect(err).toBeInstanceOf(NoResponseError)
    expect(err).toMatchObject({ status, retryAfterSeconds: status === 504 ? 7 : undefined })
    expect(String(err)).toContain(`the response is not from the service (GET /v1/languages: ${status}`)
  })

  it('a connection that fails before or during the response throws it without a status', async (context) => {
    const list = await openList(context, breakConnection, startBody(breakConnection))
    for (const err of [await list().catch((err) => err), await list().catch((err) => err)]) {
      expect(err).toMatchObject({ name: 'NoResponseError', status: undefined })
      expect(String(err)).toMatch(/^NoResponseError: no response to GET \/v1\/languages: ./)
    }
  })

  it('a redirect is not followed, so that no other server gets the token', async (context) => {
    const list = await openList(context, respondWith(302, { location: '/v1/categories' }, ''))
    await expect(list()).rejects.toBeInstanceOf(NoResponseError)
    expect(list.requests).toEqual(['GET /v1/languages'])
  })

  it('an aborted call rejects with the reason of its signal, before and during the response', async (context) => {
    const reason = new Error('enough')
    const aborting = new AbortController()
    const list = await openList(
      context,
      startBody(() => aborting.abort(reason)),
      neverRespond,
    )
    await expect(list(aborting.signal)).rejects.toBe(reason)
    await expect(list(aborting.signal)).rejects.toBe(reason)
    await expect(list(AbortSignal.timeout(1000))).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

// The compiler checks these; the functions are never called.

const submission = { user_id: '', problem_id: 1, language_id: '', source_code: '' }
const login = { email: '', password: '' }

describe('the types', () => {
  it('give each route its own type of data', () => {
    const submit = (client: JudgeClient) => orThrow(client.POST('/v1/submissions', { body: submission }))
    expectTypeOf<Awaited<ReturnType<typeof submit>>>().toEqualTypeOf<Schemas['CreatedSubmission']>()
    const remove = (client: JudgeClient) =>
      orThrow(client.DELETE('/v1/users/{user_id}', { params: { path: { user_id: '' } } }))
    expectTypeOf<Awaited<ReturnType<typeof remove>>>().toEqualTypeOf<undefined>()
    const run = (client: JudgeClient) =>
      orThrow(client.POST('/v1/public/input_submissions', { body: { ...submission, stdin: '' } }))
    expectTypeOf<Awaited<ReturnType<typeof run>>>().toEqualTypeOf<string>()
    expectTypeOf(waitForVerdict).returns.resolves.toEqualTypeOf<Schemas['Submission']>()
    expectTypeOf(waitForRun).returns.resolves.toEqualTypeOf<Schemas['Run']>()
  })

  it('list exactly the error codes of each route, so that the compiler checks a switch', () => {
    const logIn = async (client: JudgeClient): Promise<string> => {
      const { data, error } = await client.POST('/v1/basic_login', { body: login })
      if (!error) return data.token
      switch (error.code) {
        case 'INVALID_CREDENTIALS':
        case '400':
        case 'PAYLOAD_TOO_LARGE':
        case 'RATE_LIMIT_EXCEEDED':
        case 'INTERNAL':
        case 'UNAVAILABLE':
          return error.message
      }
    }
    const forgetful = async (client: JudgeClient) => {
      const { error } = await client.POST('/v1/basic_login', { body: login })
      if (error && error.code !== 'INVALID_CREDENTIALS' && error.code !== 'RATE_LIMIT_EXCEEDED') {
        // @ts-expect-error four codes are left
        const rest: never = error.code
        // @ts-expect-error a code of other routes
        return error.code === 'TEAM_NAME_TAKEN' ? rest : undefined
      }
    }
    expectTypeOf(logIn).returns.resolves.toBeString()
    expectTypeOf(forgetful).toBeFunction()
    expectTypeOf<JudgeApiError['code']>().toEqualTypeOf<ErrorCode>()
  })
})
