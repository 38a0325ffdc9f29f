import { describe, expect, it } from 'vitest'
import { endpoints } from '../../scripts/generated/conformance-rows.ts'
import type { Policy } from '../../src/http/routing/policy.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { openTestApp, type Person, type TestApp, type TestRequest } from '../support/app.ts'
import { NO_PROBLEM, NOBODY } from '../support/ids.ts'
import { forbidden, invalid, refusal, refusalAt, unauthorized } from '../support/refusals.ts'

const service = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
const beside = await service.openBeside()
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

const label = ({ method, url }: Pick<Route, 'method' | 'url'>) => `${method} ${url}`

describe('a request without a route', () => {
  const requests: readonly TestRequest[] = [
    { method: 'GET', url: '/v1/nothing' },
    { method: 'GET', url: '/v2/problems' },
    { method: 'DELETE', url: '/health' },
    { method: 'PUT', url: '/v1/submissions' },
    { method: 'GET', url: '/V1/problems' },
    { method: 'GET', url: '/v1/languages/' },
    { method: 'GET', url: '//v1//problems' },
    { method: 'POST', url: '/v1/nothing', raw: '{"not": json', token: 'nonsense' },
    { method: 'POST', url: '/v1/nothing', raw: 'x', headers: { 'content-type': 'nonsense' } },
    { method: 'GET', url: '/v1/nothing?%zz' },
    { method: 'POST', url: '/v1/nothing', raw: ' '.repeat(1_048_577) },
  ]

  it('gets 404 with the usual error body: unknown path, other method, other case, additional slash, any body', async () => {
    for (const request of requests) {
      const error = `There is no route ${request.method} ${request.url.split('?')[0]}`
      const { status, body } = await service.send(request)
      expect([status, body], request.url).toEqual([404, { error, code: 'NOT_FOUND', message: error }])
    }
  })

  it('gets 400 if its path is not percent-encoded UTF-8', async () => {
    const error = 'The path must be UTF-8, with percent signs as %25'
    for (const url of ['/v1/users/%zz', '/%', '/v1/users/%c3%28', '/v1/%ff'])
      await admin.get(url, refusal(400, '400', error))
  })
})

describe('every response', () => {
  it('has its own x-request-id, and ignores the client’s', async () => {
    const urls = ['/health', '/v1/nothing', '/v1/problems', '/v1/users/%zz', '/v1/languages?limit=0']
    const ids = new Set<string>()
    for (const url of urls) {
      const { headers } = await service.send({ method: 'GET', url, headers: { 'x-request-id': 'mine' } })
      expect(headers['x-request-id'], url).toMatch(/^[0-9a-f-]{36}$/)
      ids.add(String(headers['x-request-id']))
    }
    expect(ids.size).toBe(urls.length)
  })

  it('to HEAD has the status and type of GET without a body', async () => {
    const headers = { authorization: user.token }
    const ofUsers = [`users/${user.id}`, `users/${NOBODY}`, 'users/x']
    for (const path of ['languages', ...ofUsers, 'nothing', 'clics/contests/x', 'clics/nothing']) {
      const url = `/v1/${path}`
      const get = await service.app.inject({ method: 'GET', url, headers })
      const head = await service.app.inject({ method: 'HEAD', url, headers })
      const expected = [get.statusCode, get.headers['content-type'], '']
      expect([head.statusCode, head.headers['content-type'], head.payload]).toEqual(expected)
    }
  })
})

/** The files of the page at /docs, which is not part of the API. */
const docs = ['', '/', '/json', '/yaml', '/static/index.html', '/static/swagger-initializer.js', '/static/*']

it('registers each route once, and otherwise only the page at /docs', () => {
  const named = service.routes.map(label)
  expect(new Set(named).size).toBe(named.length)
  const page = docs.map((file) => ({ method: 'GET', url: `/docs${file}` }) as const)
  for (const route of [...service.routes, ...page]) expect(service.app.hasRoute(route)).toBe(true)
  const registered = (service.app.printRoutes({ commonPrefix: false }).match(/\((.*?)\)/g) ?? [])
    .flatMap((line) => line.slice(1, -1).split(', '))
    .filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
  expect(registered).toHaveLength(named.length + page.length)
})

/** A path with well-formed ids that do not exist. */
const pathOf = ({ url }: Route) =>
  url
    .replaceAll(/:(problem_id|problem_description_id|event_id|event_problem_id)\b/g, `${NO_PROBLEM}`)
    .replace(/problem_description\/:id/, `problem_description/${NO_PROBLEM}`)
    .replaceAll(/:\w+/g, NOBODY)

interface Called {
  readonly routes?: readonly Route[]
  /** They take turns. After a change of the account, each instance must know it. */
  readonly instances?: readonly Pick<TestApp, 'send'>[]
}

const both = { instances: [service, beside] }

const routesWith = (...policies: Policy[]) => service.routes.filter(({ policy }) => policies.includes(policy))

/** Calls every route with these policies, and expects one refusal each time. */
async function expectRefusals(
  policies: readonly Policy[],
  tokens: readonly (string | undefined)[],
  expected: ReturnType<typeof refusal>,
  { routes = routesWith(...policies), instances = [service] }: Called = {},
): Promise<void> {
  expect(routes).not.toEqual([])
  for (const [place, route] of routes.entries()) {
    const { send } = instances[place % instances.length] ?? service
    for (const token of tokens) {
      const request = { method: route.method, url: pathOf(route), ...(token !== undefined && { token }) }
      expect(await send(request), label(route)).toMatchObject(refusalAt(route.url, expected))
    }
  }
}

async function expectAccepted({ token }: Person, url = '/v1/problems'): Promise<void> {
  for (const instance of [service, beside])
    expect(await instance.send({ method: 'GET', url, token })).toMatchObject({ status: 200 })
}

/** Without a token, routes where something is public refuse unknown records like private ones. */
const byToken: Policy[] = [
  ...(['user', 'user, or none if public', 'self or admin'] as const),
  ...(['owner, judge or admin', 'judge or admin', 'admin'] as const),
  ...(['user or Basic', 'user or Basic, or none if public'] as const),
]

/** Callers without a token read whole lists of what is public. */
const refusesAnonymous = ({ policy, url }: Route) => !/none if public/.test(policy) || url.includes(':')

describe('every route that needs a token', () => {
  it('refuses requests without a token (401) [Auth: 401 and 403] [Error: 401]', () =>
    expectRefusals(byToken, [undefined], unauthorized, {
      routes: routesWith(...byToken).filter(refusesAnonymous),
    }))

  it('refuses malformed tokens, also with the prefix Bearer (401) [Auth: raw token, no Bearer]', () => {
    const malformed = refusal(401, 'MALFORMED_TOKEN', expect.stringMatching(/^Malformed JWT token/))
    return expectRefusals(byToken, ['nonsense', `Bearer ${admin.token}`], malformed)
  })

  it('refuses deleted users and admins first, on every instance (401) (specification, Authentication 3) [Auth: deleted account]', async () => {
    const gone = [await service.createPerson(), await service.createPerson({ admin: true })]
    for (const person of gone) {
      await expectAccepted(person)
      await admin.delete(`/v1/users/${person.id}`, 204)
    }
    const deleted = refusal(401, 'ACCOUNT_DELETED', 'User account no longer exists')
    const tokens = gone.map(({ token }) => token)
    await expectRefusals(byToken, tokens, deleted, both)
  })

  it('refuses tokens from before a password reset, and the reset token a second time, on every instance (401) (D9, D13)', async () => {
    const person = await service.createPerson()
    const { email } = person
    await expectAccepted(person)
    const { token } = await service.anonymous.post('/v1/basic_request_password_reset', { email })
    const body = { email, token, new_password: 'another password' }
    await service.anonymous.post('/v1/basic_reset_password', body)
    await expectRefusals(byToken, [person.token], refusal(401, 'TOKEN_EXPIRED'), both)
    const again = { method: 'POST', url: '/v1/basic_reset_password', body } as const
    for (const { send } of [service, beside]) expect(await send(again)).toMatchObject({ status: 401 })
    const credentials = { email, password: body.new_password }
    const login = { method: 'POST', url: '/v1/basic_login', body: credentials } as const
    expect(await beside.send(login)).toMatchObject({ status: 200 })
  })
})

describe('every route that needs a role', () => {
  it('refuses users if it is for admins, or for judges and admins (403) [Auth: 401 and 403] [Error: 403]', () =>
    expectRefusals(['admin', 'judge or admin'], [user.token], forbidden))

  it('refuses judges if it is for admins (403)', () =>
    expectRefusals(['admin'], [service.judgeToken], forbidden))

  it('refuses judges and other users if it is for the user in the path (403)', () =>
    expectRefusals(['self or admin'], [user.token, service.judgeToken], forbidden))

  it('refuses former admins, who are users now, on every instance (403) (D10)', async () => {
    const demoted = await service.createPerson({ admin: true })
    await expectAccepted(demoted, '/v1/users')
    await admin.put(`/v1/users/${demoted.id}`, { is_admin: false })
    await expectRefusals(['admin', 'judge or admin', 'self or admin'], [demoted.token], forbidden, both)
    await expectAccepted(demoted)
  })
})

it('every route that needs a secret refuses no secret, another secret and tokens (401) [Auth: bridge secret] [Auth: judge password]', async () => {
  const wrong = [undefined, 'wrong', admin.token]
  const { webBridge, judgePassword } = service.config.secrets
  await expectRefusals(['bridge secret'], [...wrong, judgePassword], unauthorized)
  await expectRefusals(['judge password'], [...wrong, webBridge], unauthorized)
  await expectRefusals(['scoreboard token'], [...wrong, webBridge, service.judgeToken], unauthorized)
})

it('refuses a body that is no JSON object on every route with a body (400)', async () => {
  const { webBridge, judgePassword } = service.config.secrets
  const credentials: Record<string, string> = { 'bridge secret': webBridge, 'judge password': judgePassword }
  const withBody = service.routes.filter(({ body }) => body && !('x-optional' in body))
  for (const [n, route] of withBody.entries()) {
    const token = credentials[route.policy] ?? admin.token
    for (const raw of n === 0 ? ['', '{', '[]', '"text"', '12', 'null', 'true'] : ['{', '[]']) {
      const response = await service.send({ method: route.method, url: pathOf(route), token, raw })
      expect(response, `${label(route)} ${raw}`).toMatchObject(refusalAt(route.url, invalid))
      expect(response.body.message).toMatch(/JSON/)
    }
  }
})

/** The routes of the specification, by their Auth (its Endpoints tables) and successful status. */
const specified: Readonly<Record<string, readonly string[]>> = {
  'none: 200': [
    ...['GET /', 'GET /health', 'GET /healthy', 'POST /v1/basic_login'],
    ...['POST /v1/basic_request_password_reset', 'POST /v1/basic_reset_password'],
    ...['GET /v1/public/input_submissions/{id}', 'GET /v1/bench/input_submissions/{id}'],
    ...['GET /v1/languages'],
  ],
  'none: 201': [
    ...['POST /v1/basic_register', 'POST /v1/public/input_submissions'],
    ...['POST /v1/bench/input_submissions'],
  ],
  'bridge secret: 200': ['POST /v1/create_or_login_user'],
  'judge password: 200': ['POST /v1/login_judge'],
  'admin: 200': [
    ...['GET /v1/users', 'PUT /v1/problems/{problem_id}'],
    ...['PUT /v1/admin/problems/{problem_id}/toggle-visibility', 'GET /v1/events'],
    ...['GET /v1/events/{event_id}', 'PUT /v1/events/{event_id}', 'POST /v1/events/{id}/end'],
    ...['GET /v1/events/{id}/participants'],
  ],
  'user: 200': [
    ...['GET /v1/users/{user_id}', 'GET /v1/problems', 'GET /v1/problems/{problem_id}'],
    ...['GET /v1/categories', 'GET /v1/input_submissions/{id}', 'GET /v1/public/events'],
    ...['GET /v1/public/events/{event_id}', 'GET /v1/public/events/{event_id}/participants'],
    ...['GET /v1/events/{id}/problems', 'GET /v1/events/{id}/problems/{event_problem_id}'],
    ...['GET /v1/events/{id}/submissions', 'GET /v1/events/{id}/attempts'],
    ...['GET /v1/events/{id}/user_problem_status', 'GET /v1/events/{id}/problems_stats'],
    ...['GET /v1/events/{id}/questions', 'PUT /v1/events/{id}/questions/{question_id}/answer'],
    ...['GET /v1/events/{id}/teams', 'GET /v1/events/{id}/teams/me'],
    ...['GET /v1/events/{id}/teams/{team_id}', 'GET /v1/user/notifications/count'],
    ...['GET /v1/user/notifications', 'PUT /v1/user/notifications/mark-read'],
  ],
  'admin: 201': [
    ...['POST /v1/users', 'POST /v1/problems', 'POST /v1/languages', 'POST /v1/events'],
    ...['POST /v1/events/{id}/participants'],
  ],
  'admin: 204': [
    ...['PUT /v1/users/{user_id}', 'DELETE /v1/problems/{problem_description_id}'],
    ...['DELETE /v1/languages/{language_id}', 'DELETE /v1/events/{event_id}'],
  ],
  'self or admin: 204': ['DELETE /v1/users/{user_id}'],
  'judge or admin: 200': ['GET /v1/problem_description/{id}/tests'],
  'user: 201': [
    ...['POST /v1/submissions', 'POST /v1/input_submissions'],
    ...['POST /v1/public/events/{event_id}/register', 'POST /v1/events/{id}/problems'],
    ...['POST /v1/events/{id}/questions', 'POST /v1/events/{id}/teams'],
    ...['POST /v1/events/{id}/teams/{team_id}/join'],
  ],
  'owner, judge or admin: 200': [
    ...['GET /v1/submissions/{submission_id}', 'GET /v1/submissions/{submission_id}/status'],
  ],
  'judge or admin: 204': [
    ...['PATCH /v1/submissions/{submission_id}', 'PATCH /v1/input_submissions/{submission_id}'],
  ],
  'self or admin: 200': [
    ...['GET /v1/user_submissions/{user_id}', 'GET /v1/user_problem_submissions/{user_id}/{problem_id}'],
  ],
}

/** The names of path parameters may differ. */
const unnamed = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '{}')

it('serves every route of the specification with its Auth and its successful status', () => {
  expect(Object.values(specified).flat().sort()).toEqual(Object.values(endpoints).flat().sort())
  const served = new Map(
    service.routes.map(({ method, url, policy, responses }) => [
      unnamed(`${method} ${url}`),
      [policy, ...Object.keys(responses)].join(': '),
    ]),
  )
  for (const [auth, routes] of Object.entries(specified))
    for (const route of routes) expect(served.get(unnamed(route)), route).toBe(auth)
})
