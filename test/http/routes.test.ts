import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../../src/http/routing/policy.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { describeRoutes } from '../../src/http/routing/route-table.ts'
import { openTestApp } from '../support/app.ts'

const document = new URL('../../docs/routes.md', import.meta.url)

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

const service = await openTestApp()
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })

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
  it('is what docs/routes.md says (UPDATE_DOCS=1 writes it anew)', async () => {
    const text = await readFile(document, 'utf8')
    const head = text.slice(0, text.indexOf('| Method |'))
    const table = describeRoutes(service.routes)
    if (process.env.UPDATE_DOCS) await writeFile(document, head + table)
    else expect(text).toBe(head + table)
  })

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
    for (const route of service.routes.filter(
      ({ schema }) => schema.body && !('x-optional' in schema.body),
    )) {
      const token = credentials[route.policy] ?? admin.token
      for (const raw of ['', '{', '[]', '"text"', '12', 'null', 'true']) {
        const answer = await service.send({ method: route.method, url: pathOf(route), token, raw })
        expect(answer, `${label(route)} ${raw}`).toMatchObject({ status: 400, body: { code: '400' } })
        expect(answer.body.error).toMatch(/JSON/)
      }
    }
  })
})
