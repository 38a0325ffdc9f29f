import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { JUDGE_PASSWORD, WEB_BRIDGE_SECRET } from '../../../test/support/app.ts'
import { createJudgeClient, encodeSecret } from '../src/client.ts'
import { JudgeApiError, NoAnswerError, orThrow } from '../src/errors.ts'
import { nextCursor } from '../src/paging.ts'
import { type ListeningApp, openListeningApp } from './support/listening-app.ts'
import {
  answerBadGateway,
  answerWith,
  breakConnection,
  startTroubledServer,
  stayMute,
  type TroubledServer,
} from './support/troubled-server.ts'

let service: ListeningApp
let between: TroubledServer
beforeAll(async () => {
  service = await openListeningApp({ RATE_LIMIT_PUBLIC_RUNS: '1/1' })
  between = await startTroubledServer(service.url)
})
afterEach(() => {
  expect(between.troubles.splice(0)).toEqual([])
})
afterAll(async () => {
  await between.close()
  await service.close()
})

const account = (name: string) => ({ name, email: `${name}@example.org`, password: 'a password' })

describe('a list that is polled', () => {
  it('is read whole though it comes compressed, and is nothing new to whoever names its tag', async () => {
    const { client, submission } = await service.createSubmitter()
    const author = await service.createPerson({ admin: true })
    const prompt = 'Say it again. '.repeat(3000)
    const params = { path: { id: submission.problem_id } }
    await orThrow(service.connect(author.token).PUT('/v1/problems/{id}', { params, body: { prompt } }))
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
  it('is the raw token, given at first, set later or taken away', async () => {
    const person = await service.createPerson()
    const client = service.connect(person.token)
    const read = () => client.GET('/v1/users/{user_id}', { params: { path: { user_id: person.id } } })
    expect((await read()).data).toMatchObject({ name: person.name })
    client.setToken(undefined)
    expect((await read()).error).toMatchObject({ code: 'UNAUTHORIZED' })
    const { token } = await orThrow(client.POST('/v1/basic_register', { body: account('later') }))
    client.setToken(token)
    expect((await read()).data).toMatchObject({ name: person.name })
  })

  it('of one request goes before the token', async () => {
    const client = service.connect('not a token')
    const body = { id: 'github|1', name: 'From afar', email: 'afar@example.org', image: '' }
    const bridge = await client.POST('/v1/create_or_login_user', {
      body,
      headers: { authorization: WEB_BRIDGE_SECRET },
    })
    expect(bridge.data).toMatchObject({ name: 'From afar' })
    const judge = await client.POST('/v1/login_judge', { headers: { authorization: JUDGE_PASSWORD } })
    expect(judge.data?.token).toEqual(expect.any(String))
  })

  it('may have any characters', async () => {
    const password = 'пароль of the judge 裁判 é'
    const other = await openListeningApp({ JUDGE_PASSWORD: password })
    const headers = { authorization: encodeSecret(password) }
    const answer = await other.connect().POST('/v1/login_judge', { headers })
    await other.close()
    expect(answer.data?.token).toEqual(expect.any(String))
  })
})

describe('an answer', () => {
  it('of text is the bare id of a run', async () => {
    const { client, submission } = await service.createSubmitter()
    const { user_id, language_id } = submission
    const body = { user_id, language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(client.POST('/v1/input_submissions', { body }))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const run = await orThrow(client.GET('/v1/input_submissions/{id}', { params: { path: { id } } }))
    expect(run).toEqual({ status: 'PENDING', finished: false })
  })

  it('without a body is no data and no error', async () => {
    const { id, client } = await service.createSubmitter()
    const { data, error, response } = await client.DELETE('/v1/users/{user_id}', {
      params: { path: { user_id: id } },
    })
    expect({ data, error, status: response.status }).toEqual({
      data: undefined,
      error: undefined,
      status: 204,
    })
  })

  it('of a list leads from page to page by its cursor, up to the last, which has none', async () => {
    const { client } = await service.createSubmitter()
    await service.createSubmitter()
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

describe('a refusal', () => {
  it('is the error of its call, by its code', async () => {
    const client = service.connect()
    const { error } = await client.POST('/v1/basic_login', {
      body: { email: 'nobody@example.org', password: 'x' },
    })
    expect(error).toEqual({
      code: 'INVALID_CREDENTIALS',
      error: 'Invalid credentials',
      message: 'Invalid credentials',
    })
  })

  it('is thrown by orThrow with its status, code, words and request id', async () => {
    const { client } = await service.createSubmitter()
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

  it('says in how many seconds to try again', async () => {
    const { submission } = await service.createSubmitter()
    const body = { language_id: submission.language_id, source_code: 'x', stdin: '' }
    const run = () => orThrow(service.connect().POST('/v1/public/input_submissions', { body }))
    await run()
    await expect(run()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 60 })
  })
})

describe('what the service did not say', () => {
  const list = (signal?: AbortSignal) =>
    createJudgeClient({ baseUrl: between.url }).GET('/v1/languages', signal ? { signal } : {})

  it.each([
    ['the page of a proxy', answerBadGateway, 502],
    ['a page in place of data', answerWith(200, { 'content-type': 'text/html' }, '<p>Log in</p>'), 200],
    ['text that is no id', answerWith(200, { 'content-type': 'text/plain' }, 'OK'), 200],
    ['half an answer', answerWith(200, { 'content-type': 'application/json' }, '[{"id":'), 200],
    ['nothing at all', answerWith(200, { 'content-length': '0' }, ''), 200],
    ['a refusal of another make', answerWith(403, { 'content-type': 'application/json' }, '{}'), 403],
    ['an empty refusal', answerWith(504, { 'content-length': '0', 'retry-after': '7' }, ''), 504],
  ])('%s is a NoAnswerError with its status', async (_, trouble, status) => {
    between.troubles.push(trouble)
    const err = await list().catch((err: unknown) => err)
    expect(err).toBeInstanceOf(NoAnswerError)
    expect(err).toMatchObject({ status, retryAfterSeconds: status === 504 ? 7 : undefined })
    expect(String(err)).toContain(`something else than the service answered GET /v1/languages: ${status}`)
  })

  it('a connection that breaks before or within the answer is one without a status', async () => {
    const breakWithin = (response: Parameters<typeof breakConnection>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('[', () => breakConnection(response))
    }
    between.troubles.push(breakConnection, breakWithin)
    for (const call of [await list().catch(String), await list().catch(String)])
      expect(call).toMatch(/^NoAnswerError: the service did not answer GET \/v1\/languages: ./)
    between.troubles.push(breakConnection)
    await expect(list()).rejects.toMatchObject({ status: undefined })
  })

  it('a redirection is not followed, so that no token goes elsewhere', async () => {
    const before = between.requests.length
    between.troubles.push(answerWith(302, { location: '/v1/categories' }, ''))
    await expect(list()).rejects.toBeInstanceOf(NoAnswerError)
    expect(between.requests.slice(before)).toEqual(['GET /v1/languages'])
  })

  it('an aborted call rejects with the reason of its signal, before and within the answer', async () => {
    const reason = new Error('enough')
    const aborting = new AbortController()
    const aborted = (response: Parameters<typeof stayMute>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[', () => aborting.abort(reason))
    }
    between.troubles.push(aborted)
    await expect(list(aborting.signal)).rejects.toBe(reason)
    await expect(list(aborting.signal)).rejects.toBe(reason)
    between.troubles.push(stayMute)
    await expect(list(AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
