import { describe, expect, it } from 'vitest'
import { endpoints } from '../../scripts/generated/conformance-rows.ts'
import type { Policy } from '../../src/http/routing/policy.ts'
import { openTestApp, type Person, type TestResponse } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import { NOBODY } from '../support/ids.ts'

const service = await openTestApp()

type Row = readonly [auth: Policy, success: 200 | 201 | 204]

/** The Auth column of the specification's Endpoints tables, and the status of success that they and the decisions give. */
const specified: Readonly<Record<string, Row>> = {
  'GET /': ['none', 200],
  'GET /health': ['none', 200],
  'GET /healthy': ['none', 200],

  'POST /v1/basic_register': ['none', 201],
  'POST /v1/basic_login': ['none', 200],
  'POST /v1/create_or_login_user': ['bridge secret', 200],
  'POST /v1/login_judge': ['judge password', 200],
  'POST /v1/basic_request_password_reset': ['none', 200],
  'POST /v1/basic_reset_password': ['none', 200],

  'GET /v1/users': ['admin', 200],
  'GET /v1/users/{user_id}': ['user', 200],
  'POST /v1/users': ['admin', 201],
  'PUT /v1/users/{user_id}': ['admin', 204],
  'DELETE /v1/users/{user_id}': ['self or admin', 204],

  'GET /v1/problems': ['user', 200],
  'GET /v1/problems/{problem_id}': ['user', 200],
  'POST /v1/problems': ['admin', 201],
  'PUT /v1/problems/{problem_id}': ['admin', 200],
  'DELETE /v1/problems/{problem_description_id}': ['admin', 204],
  'PUT /v1/admin/problems/{problem_id}/toggle-visibility': ['admin', 200],
  'GET /v1/problem_description/{id}/tests': ['judge or admin', 200],
  'GET /v1/categories': ['user', 200],

  'POST /v1/submissions': ['user', 201],
  'GET /v1/submissions/{submission_id}': ['owner, judge or admin', 200],
  'GET /v1/submissions/{submission_id}/status': ['owner, judge or admin', 200],
  'PATCH /v1/submissions/{submission_id}': ['judge or admin', 204],
  'GET /v1/user_submissions/{user_id}': ['self or admin', 200],
  'GET /v1/user_problem_submissions/{user_id}/{problem_id}': ['self or admin', 200],

  'POST /v1/input_submissions': ['user', 201],
  'GET /v1/input_submissions/{id}': ['user', 200],
  'PATCH /v1/input_submissions/{submission_id}': ['judge or admin', 204],
  'POST /v1/public/input_submissions': ['none', 201],
  'POST /v1/bench/input_submissions': ['none', 201],
  'GET /v1/public/input_submissions/{id}': ['none', 200],
  'GET /v1/bench/input_submissions/{id}': ['none', 200],

  'GET /v1/languages': ['none', 200],
  'POST /v1/languages': ['admin', 201],
  'DELETE /v1/languages/{language_id}': ['admin', 204],

  'GET /v1/public/events': ['user', 200],
  'GET /v1/public/events/{event_id}': ['user', 200],
  'POST /v1/public/events/{event_id}/register': ['user', 201],
  'GET /v1/public/events/{event_id}/participants': ['user', 200],
  'GET /v1/events': ['admin', 200],
  'GET /v1/events/{event_id}': ['admin', 200],
  'POST /v1/events': ['admin', 201],
  'PUT /v1/events/{event_id}': ['admin', 200],
  'DELETE /v1/events/{event_id}': ['admin', 204],
  'POST /v1/events/{id}/end': ['admin', 200],

  'GET /v1/events/{id}/problems': ['user', 200],
  'GET /v1/events/{id}/problems/{event_problem_id}': ['user', 200],
  'POST /v1/events/{id}/problems': ['user', 201],
  'GET /v1/events/{id}/submissions': ['user', 200],
  'GET /v1/events/{id}/attempts': ['user', 200],
  'GET /v1/events/{id}/user_problem_status': ['user', 200],
  'GET /v1/events/{id}/problems_stats': ['user', 200],
  'GET /v1/events/{id}/participants': ['admin', 200],
  'POST /v1/events/{id}/participants': ['admin', 201],
  'GET /v1/events/{id}/questions': ['user', 200],
  'POST /v1/events/{id}/questions': ['user', 201],
  'PUT /v1/events/{id}/questions/{question_id}/answer': ['user', 200],

  'GET /v1/events/{id}/teams': ['user', 200],
  'POST /v1/events/{id}/teams': ['user', 201],
  'GET /v1/events/{id}/teams/me': ['user', 200],
  'GET /v1/events/{id}/teams/{team_id}': ['user', 200],
  'POST /v1/events/{id}/teams/{team_id}/join': ['user', 201],

  'GET /v1/user/notifications/count': ['user', 200],
  'GET /v1/user/notifications': ['user', 200],
  'PUT /v1/user/notifications/mark-read': ['user', 200],
}

/** Ours: readiness (D39), and what the specification says of without a path or leaves to us (D21, D31). */
const beyond: Readonly<Record<string, Row>> = {
  'GET /openapi.json': ['none', 200],
  'GET /v1/submissions/{submission_id}/verdicts': ['owner, judge or admin', 200],
  'POST /v1/admin/rejudge': ['admin', 200],
  'GET /ready': ['none', 200],
  'GET /v1/categories/{problem_id}': ['user', 200],
  'POST /v1/categories': ['admin', 201],
  'DELETE /v1/categories/{category_id}': ['admin', 204],
  'GET /v1/event_details': ['admin', 200],
}

/** The names of parameters may differ. */
const unnamed = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '{}')

const registered = () =>
  new Map(
    service.routes.map(({ method, url, policy, responses }) => [
      unnamed(`${method} ${url}`),
      [policy, ...Object.keys(responses).map(Number)],
    ]),
  )

describe('the routes of the specification', () => {
  it('are those whose policies stand here, each of its tables whole', () => {
    expect(Object.keys(specified)).toEqual(Object.values(endpoints).flat())
  })

  it('are each registered with the Auth and the status of success that the specification gives', () => {
    const found = Object.keys(specified).map((row) => [row, registered().get(unnamed(row))])
    expect(Object.fromEntries(found)).toEqual(specified)
    for (const { method, url } of service.routes) expect(service.app.hasRoute({ method, url })).toBe(true)
  })
})

describe('the routes beyond the specification', () => {
  it('are these and no others, each with its policy', () => {
    const known = new Set(Object.keys(specified).map(unnamed))
    const others = [...registered()].filter(([row]) => !known.has(row))
    const expected = Object.entries(beyond).map(([row, said]) => [unnamed(row), said])
    expect(Object.fromEntries(others)).toEqual(Object.fromEntries(expected))
  })
})

const limited = await openTestApp({ RATE_LIMIT_SUBMISSIONS: '1/1', BODY_LIMIT_BYTES: '1000' })
const user = await limited.createPerson()
const gone = await limited.createPerson()

const large = 'a'.repeat(1001)
const broken = '{'
/** Fits in everything but what it names. */
const unknown = (person: Person, owner = person.id) =>
  JSON.stringify({ user_id: owner, problem_id: 1, language_id: NOBODY, source_code: 'x' })

const submit = (token: string | undefined, raw: string): Promise<TestResponse> =>
  limited.send({ method: 'POST', url: '/v1/submissions', raw, ...(token !== undefined && { token }) })

it('refuses in the order 401, 429, 413, 400, 403 and 404 where all apply at once (D2)', async () => {
  const first = await limited.createPerson()
  expect(await submit(undefined, large)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect(await submit('nonsense', large)).toMatchObject({ status: 401, body: { code: 'MALFORMED_TOKEN' } })
  expect(await submit(first.token, large)).toMatchObject({ status: 413 })
  expect(await submit(first.token, large)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
  expect(await submit(first.token, broken)).toMatchObject({ status: 429 })
  expect(await submit((await limited.createPerson()).token, broken)).toMatchObject({ status: 400 })
  const second = await limited.createPerson()
  expect(await submit(second.token, unknown(second, user.id))).toMatchObject({ status: 403 })
  const third = await limited.createPerson()
  expect(await submit(third.token, unknown(third))).toMatchObject({ status: 404 })
})

it('refuses in the order 401, 403, 413, 400 and 404 where a role is needed (D2)', async () => {
  const admin = await limited.createPerson({ admin: true })
  const update = (token: string | undefined, raw: string, id = 'x') =>
    limited.send({ method: 'PUT', url: `/v1/users/${id}`, raw, ...(token !== undefined && { token }) })
  expect(await update(undefined, large)).toMatchObject({ status: 401 })
  expect(await update(user.token, large)).toMatchObject({ status: 403 })
  expect(await update(admin.token, large)).toMatchObject({ status: 413 })
  expect(await update(admin.token, broken)).toMatchObject({ status: 400 })
  expect(await update(admin.token, '{}', NOBODY)).toMatchObject({ status: 404 })
})

it('puts the 401 of a deleted account before the 403, 429, 413, 400 and 404 that would come first', async () => {
  const { id, token } = gone
  await limited.send({ method: 'DELETE', url: `/v1/users/${id}`, token })
  const expected = {
    status: 401,
    body: { error: 'User account no longer exists', code: 'ACCOUNT_DELETED' },
  }
  for (const raw of [large, large, broken, '', unknown(gone), unknown(gone, user.id)]) {
    const answer = await submit(token, raw)
    expect(answer, raw.slice(0, 20)).toMatchObject(expected)
    expect(answer.headers).not.toHaveProperty('retry-after')
  }
  for (const [method, url] of [
    ['PUT', `/v1/users/${NOBODY}`],
    ['GET', '/v1/submissions/x'],
    ['GET', `/v1/submissions/${NOBODY}`],
    ['GET', '/v1/problems?limit=x'],
    ['GET', `/v1/user_submissions/${NOBODY}`],
  ] as const) {
    expect(await limited.send({ method, url, token }), `${method} ${url}`).toMatchObject(expected)
  }
})

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
