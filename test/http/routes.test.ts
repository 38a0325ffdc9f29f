import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/http/routing/policy.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { openTestApp, type TestRequest, type TestResponse } from '../support/app.ts'
import { NOBODY } from '../support/ids.ts'

const service = await openTestApp()
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

/** Sends what `POST /v1/categories` takes as it is; a name of its own makes it right. */
function postCategory(raw: string | Buffer, headers: Record<string, string> = {}): Promise<TestResponse> {
  return service.send({ method: 'POST', url: '/v1/categories', token: admin.token, raw, headers })
}

const refusal = (status: number, code: string, error: string) => ({
  status,
  body: { error, code, message: error },
})

describe('what no route takes', () => {
  it('is 404 with the one body: an unknown path, another method, another case, a slash more, a body of any size', async () => {
    const requests: TestRequest[] = [
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
    for (const request of requests) {
      const path = request.url.split('?')[0]
      const answer = await service.send(request)
      expect(answer, request.url).toMatchObject(
        refusal(404, 'NOT_FOUND', `There is no route ${request.method} ${path}`),
      )
      expect(Object.keys(answer.body)).toEqual(['error', 'code', 'message'])
    }
  })

  it('is 400 where the path is not percent-encoded UTF-8', async () => {
    for (const url of ['/v1/users/%zz', '/%', '/v1/users/%c3%28', '/v1/%ff']) {
      const answer = await service.send({ method: 'GET', url, token: admin.token })
      expect(answer, url).toMatchObject(
        refusal(400, '400', 'The path must be UTF-8, with percent signs as %25'),
      )
    }
  })
})

describe('a body that is not JSON in UTF-8', () => {
  it.each([
    ['{', 'broken JSON'],
    ['{"name": "a",}', 'a comma too many'],
    ["{'name': 'a'}", 'single quotes'],
    ['{"name": NaN}', 'NaN'],
    ['{"name": "a"} {}', 'a second document'],
    ['name=a', 'a form'],
    ['\u0000', 'U+0000'],
  ])('is refused: %s (400)', async (raw) => {
    expect(await postCategory(raw)).toMatchObject(refusal(400, '400', 'The body must be valid JSON'))
  })

  it('is refused by its content type, whatever it holds (400)', async () => {
    const error = 'Content-Type must be application/json, in UTF-8'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json; version=1; charset = "utf-16"; x=y',
      'application/json; charset=utf-80',
      'application/json charset=utf-8',
      'nonsense',
      'a/b/c',
      '',
    ]) {
      const answer = await postCategory('{"name": "typed"}', { 'content-type': type })
      expect(answer, type).toMatchObject(refusal(400, '400', error))
    }
  })

  it('is taken by its content type however that is written', async () => {
    for (const [i, type] of [
      'application/json',
      'APPLICATION/JSON',
      'application/json;charset=UTF-8',
      'application/json ; charset="utf-8"',
      'application/json; charset=utf8',
      'application/json;version=1; charset=utf-8; odata=verbose',
      'application/json;',
    ].entries()) {
      const answer = await postCategory(`{"name": "typed ${i}"}`, { 'content-type': type })
      expect(answer.status, `${type}: ${answer.text}`).toBe(201)
    }
  })

  it('is refused when its bytes are not UTF-8 (400)', async () => {
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const raw = Buffer.concat([Buffer.from('{"name": "'), Buffer.from(bytes), Buffer.from('"}')])
      expect(await postCategory(raw)).toMatchObject(refusal(400, '400', 'The body must be UTF-8'))
    }
    const utf16 = Buffer.from('{"name": "wide"}', 'utf16le')
    expect(await postCategory(utf16)).toMatchObject({ status: 400 })
  })

  it('is refused when it is compressed (400), and taken with the encoding that is none', async () => {
    const json = '{"name": "compressed"}'
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity']) {
      const answer = await postCategory(gzipSync(json), { 'content-encoding': encoding })
      expect(answer, encoding).toMatchObject(refusal(400, '400', 'The body must not be compressed'))
    }
    expect(await postCategory(json, { 'content-encoding': 'Identity' })).toMatchObject({ status: 201 })
  })
})

describe('a body of JSON', () => {
  it('may begin with a byte order mark and end with white space', async () => {
    expect(await postCategory('\uFEFF {"name": "marked"}\r\n\t ')).toMatchObject({ status: 201 })
  })

  it('may carry __proto__ and constructor, which are dropped like any unknown field', async () => {
    const extras = '"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}'
    const answer = await postCategory(`{"name": "plain", ${extras}, "other": {"__proto__": []}}`)
    expect(answer).toMatchObject({ status: 201, body: { name: 'plain' } })
    expect(Object.keys(answer.body)).toEqual(['id', 'name'])
    expect(Object(Object.prototype).polluted).toBeUndefined()
    expect(await postCategory('{"__proto__": {"name": "inherited"}}')).toMatchObject(
      refusal(400, '400', 'name is required'),
    )
  })

  it('may be nested as deep as it fits, in a field that is unknown or wrong', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    for (const nested of [deep, objects]) {
      expect(await postCategory(`{"name": ${nested}}`)).toMatchObject(
        refusal(400, '400', 'name must be a string'),
      )
    }
    expect(await postCategory(`{"name": "deep", "x": ${deep}}`)).toMatchObject({ status: 201 })
    expect(await postCategory(`{"__proto__": ${objects}}`)).toMatchObject({ status: 400 })
  })

  it('counts the last of two fields with one name', async () => {
    expect(await postCategory('{"name": 1, "name": "last"}')).toMatchObject({ body: { name: 'last' } })
  })

  it('may be 1 MiB to the byte, and no longer (413)', async () => {
    const padded = (bytes: number) => `${'{"name": "padded", "x": "'.padEnd(bytes - 2, 'a')}"}`
    expect(padded(1_048_576)).toHaveLength(1_048_576)
    expect(await postCategory(padded(1_048_576))).toMatchObject({ status: 201 })
    expect(await postCategory(padded(1_048_577))).toMatchObject(
      refusal(413, 'PAYLOAD_TOO_LARGE', 'The body is larger than this route takes'),
    )
  })
})

describe('an empty body', () => {
  it('is none, whatever its type: a route that needs one says so (400)', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const answer = await postCategory('', { 'content-type': type })
      expect(answer, type).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.error).toBe('The body must be a JSON object')
    }
    const request = { method: 'POST', url: '/v1/categories', token: admin.token } as const
    expect((await service.send(request)).body.error).toBe('The body must be a JSON object')
  })
})

describe('a route without a body', () => {
  const loginJudge = (headers: Record<string, string>, raw?: string) =>
    service.send({
      method: 'POST',
      url: '/v1/login_judge',
      token: service.config.secrets.judgePassword,
      headers,
      ...(raw !== undefined && { raw }),
    })

  it('takes none or an empty one, whatever type and length are named (D3)', async () => {
    for (const headers of [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'application/json', 'content-length': '0' },
      { 'content-length': '0' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'nonsense' },
      { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    ]) {
      const answer = await loginJudge(headers)
      expect(answer.status, JSON.stringify(headers)).toBe(200)
    }
    const url = `/v1/users/${(await service.createPerson()).id}`
    const headers = { 'content-type': 'application/json' }
    const gone = await service.send({ method: 'DELETE', url, token: admin.token, headers })
    expect(gone.status).toBe(204)
  })

  it('ignores one that is sent nevertheless, if it is not too large', async () => {
    for (const raw of ['{}', '{', 'null', '\0'])
      expect(await loginJudge({}, raw)).toMatchObject({ status: 200 })
    expect(await loginJudge({ 'content-type': 'a' }, 'x')).toMatchObject({ status: 200 })
    expect(await loginJudge({}, 'a'.repeat(1_048_577))).toMatchObject({ status: 413 })
  })
})

describe('every answer', () => {
  it('carries an id of its own in x-request-id, whatever the client sends there', async () => {
    const seen = new Set<string | undefined>()
    const headers = { 'x-request-id': 'mine' }
    for (const url of ['/health', '/v1/nothing', '/v1/problems', '/v1/users/%zz', '/v1/languages?limit=0']) {
      const answer = await service.send({ method: 'GET', url, headers })
      expect(answer.headers['x-request-id'], url).toMatch(/^[0-9a-f-]{36}$/)
      seen.add(answer.headers['x-request-id'])
    }
    expect(seen.size).toBe(5)
  })

  it('to HEAD is that to GET without its body', async () => {
    for (const url of [
      '/v1/languages',
      `/v1/users/${user.id}`,
      `/v1/users/${NOBODY}`,
      '/v1/users/x',
      '/nothing',
    ]) {
      const headers = { authorization: user.token }
      const get = await service.app.inject({ method: 'GET', url, headers })
      const head = await service.app.inject({ method: 'HEAD', url, headers })
      expect(head.statusCode).toBe(get.statusCode)
      expect(head.payload).toBe('')
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
  })
})

/** No routes of the API: what the page for people is made of (src/openapi/docs-page.ts). */
const docsPage = [
  '/docs',
  '/docs/',
  '/docs/json',
  '/docs/yaml',
  '/docs/static/index.html',
  '/docs/static/swagger-initializer.js',
  '/docs/static/*',
]

/** A path that is well-formed and names nothing. */
const pathOf = (route: Route) =>
  route.url
    .replaceAll(/:(problem_id|problem_description_id|event_id|event_problem_id)\b/g, '2147483647')
    .replace(/problem_description\/:id/, 'problem_description/2147483647')
    .replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000')

const calling = (route: Route, token?: string) =>
  service.send({ method: route.method, url: pathOf(route), ...(token !== undefined && { token }) })

const needing = (...policies: Policy[]) => service.routes.filter((route) => policies.includes(route.policy))

const label = (route: Route) => `${route.method} ${route.url}`

describe('the table of routes', () => {
  it('names each route of the application once, and beside it only the page at /docs and its files are registered', () => {
    const named = service.routes.map(label)
    expect(new Set(named).size).toBe(named.length)
    const page = docsPage.map((url) => ({ method: 'GET', url }) as const)
    for (const route of [...service.routes, ...page]) expect(service.app.hasRoute(route)).toBe(true)
    const lines = service.app.printRoutes({ commonPrefix: false }).match(/\((.*?)\)/g) ?? []
    const registered = lines
      .flatMap((line) => line.slice(1, -1).split(', '))
      .filter((m) => m !== 'HEAD' && m !== 'OPTIONS')
    expect(registered).toHaveLength(named.length + page.length)
  })
})

describe('every route that needs a token', () => {
  const policies: Policy[] = ['user', 'self or admin', 'owner, judge or admin', 'judge or admin', 'admin']

  it('refuses a caller without one (401) [Auth: 401 and 403] [Error: 401]', async () => {
    for (const route of needing(...policies)) {
      expect(await calling(route), label(route)).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      })
    }
  })

  it('refuses what is no token, a Bearer prefix included (401) [Auth: raw token, no Bearer]', async () => {
    for (const route of needing(...policies)) {
      for (const token of ['nonsense', `Bearer ${admin.token}`]) {
        const answer = await calling(route, token)
        expect(answer, label(route)).toMatchObject({ status: 401, body: { error: 'Malformed JWT token' } })
      }
    }
  })

  it('refuses the token of a deleted account before anything else (401) [Auth: deleted account]', async () => {
    const gone = [await service.createPerson(), await service.createPerson({ admin: true })]
    for (const { id } of gone) {
      const { status } = await service.send({ method: 'DELETE', url: `/v1/users/${id}`, token: admin.token })
      expect(status).toBe(204)
    }
    for (const route of needing(...policies)) {
      for (const { token } of gone) {
        const answer = await calling(route, token)
        const error = 'User account no longer exists'
        expect(answer, label(route)).toMatchObject({ status: 401, body: { error, code: 'ACCOUNT_DELETED' } })
      }
    }
  })
})

describe('every route that needs a role', () => {
  it('refuses users where it is for admins, or for judges and admins (403) [Auth: 401 and 403] [Error: 403]', async () => {
    for (const route of needing('admin', 'judge or admin')) {
      expect(await calling(route, user.token), label(route)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
    }
  })

  it('refuses judges where it is for admins (403)', async () => {
    for (const route of needing('admin')) {
      const answer = await calling(route, service.judgeToken)
      expect(answer, label(route)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })

  it('refuses other users and judges where it is for the user whom the path names (403)', async () => {
    for (const route of needing('self or admin')) {
      for (const token of [user.token, service.judgeToken]) {
        expect(await calling(route, token), label(route)).toMatchObject({
          status: 403,
          body: { code: 'FORBIDDEN' },
        })
      }
    }
  })

  it('lets an admin who was demoted act as a user only, with the same token (403)', async () => {
    const demoted = await service.createPerson({ admin: true })
    const url = `/v1/users/${demoted.id}`
    await service.send({ method: 'PUT', url, token: admin.token, body: { is_admin: false } })
    for (const route of needing('admin', 'judge or admin')) {
      expect(await calling(route, demoted.token), label(route)).toMatchObject({ status: 403 })
    }
    expect(await service.send({ method: 'GET', url, token: demoted.token })).toMatchObject({ status: 200 })
  })
})

describe('every route that needs a secret', () => {
  it('refuses a caller without it, or with another one, or with a token (401) [Auth: bridge secret] [Auth: judge password]', async () => {
    for (const route of needing('bridge secret', 'judge password')) {
      for (const token of [undefined, 'wrong', admin.token]) {
        expect(await calling(route, token), label(route)).toMatchObject({
          status: 401,
          body: { code: 'UNAUTHORIZED' },
        })
      }
    }
  })
})

describe('every route with a body', () => {
  it('refuses what is not a JSON object with a message that says so (400)', async () => {
    const credentials: Partial<Record<Policy, string>> = {
      'bridge secret': service.config.secrets.webBridge,
      'judge password': service.config.secrets.judgePassword,
    }
    for (const route of service.routes.filter(({ body }) => body && !('x-optional' in body))) {
      const token = credentials[route.policy] ?? admin.token
      for (const raw of ['', '{', '[]', '"text"', '12', 'null', 'true']) {
        const answer = await service.send({ method: route.method, url: pathOf(route), token, raw })
        expect(answer, `${label(route)} ${raw}`).toMatchObject({ status: 400, body: { code: '400' } })
        expect(answer.body.error).toMatch(/JSON/)
      }
    }
  })
})
