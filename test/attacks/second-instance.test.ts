import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/routing/route.ts'
import { type Service, startService } from '../../src/service.ts'
import { type ContractFetch, openContractFetch } from '../../verification/contract.ts'
import { openTestApp, type Person, type TestApp } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'

const NOTHING = '00000000-0000-7000-8000-000000000000'

// An embedded database has one process, and so one instance.
describe.runIf(databaseKind === 'postgres')('a second instance, which has already seen the token,', () => {
  let first: TestApp
  let second: Service
  let contract: ContractFetch
  let admin: Person

  beforeAll(async () => {
    first = await openTestApp({ PASSWORD_RESET_DEBUG: 'true' })
    const database = { ...first.config.database, databaseUrl: first.databaseUrl, poolSize: 4 }
    const config = { ...first.config, host: '127.0.0.1', port: 0, database }
    second = await startService(config, pino({ level: 'silent' }))
    contract = await openContractFetch(second.url)
    admin = await first.createPerson({ admin: true })
  })
  afterAll(async () => {
    await second.stop()
    await first.close()
    expect(contract.violations).toEqual([])
  })

  /** Asks the second instance; what is not there and an empty body, so that only who asks decides. */
  async function ask(route: Pick<Route, 'method' | 'url'>, token: string) {
    const isNumber = (name: string) => /event_id|problem|^id$/.test(name)
    const path = route.url.replaceAll(/:(\w+)/g, (_, name: string) => (isNumber(name) ? '1' : NOTHING))
    const init = { method: route.method, headers: { authorization: token } }
    const response = await contract.fetch(new Request(second.url + path, init))
    const text = await response.text()
    const isRefusal = response.status >= 400
    return { status: response.status, code: isRefusal ? JSON.parse(text).code : undefined }
  }

  const listUsers = { method: 'GET', url: '/v1/users' } as const
  const listProblems = { method: 'GET', url: '/v1/problems' } as const

  const withPolicy = (...policies: Route['policy'][]) =>
    first.routes.filter(({ policy }) => policies.includes(policy))

  const byToken = () =>
    first.routes.filter(({ policy }) => !['none', 'bridge secret', 'judge password'].includes(policy))

  it('refuses the token of a user who was deleted on the first, on every route at once (specification, Authentication 3)', async () => {
    const { id, token } = await first.createPerson()
    expect(await ask(listProblems, token)).toMatchObject({ status: 200 })
    const url = `/v1/users/${id}`
    expect(await first.send({ method: 'DELETE', url, token })).toMatchObject({ status: 204 })
    for (const route of byToken()) {
      const label = `${route.method} ${route.url}`
      expect(await ask(route, token), label).toEqual({ status: 401, code: 'ACCOUNT_DELETED' })
    }
  })

  it('refuses the token of an admin who was deleted on the first, on every route at once', async () => {
    const other = await first.createPerson({ admin: true })
    expect(await ask(listUsers, other.token)).toMatchObject({ status: 200 })
    const url = `/v1/users/${other.id}`
    expect(await first.send({ method: 'DELETE', url, token: admin.token })).toMatchObject({ status: 204 })
    for (const route of byToken()) {
      const label = `${route.method} ${route.url}`
      expect(await ask(route, other.token), label).toEqual({ status: 401, code: 'ACCOUNT_DELETED' })
    }
  })

  it('grants an admin who was demoted on the first no more than a user, on every route at once (D10)', async () => {
    const other = await first.createPerson({ admin: true })
    expect(await ask(listUsers, other.token)).toMatchObject({ status: 200 })
    const demotion = { method: 'PUT', url: `/v1/users/${other.id}`, body: { is_admin: false } } as const
    expect(await first.send({ ...demotion, token: admin.token })).toMatchObject({ status: 204 })
    const forAdmins = withPolicy('admin', 'judge or admin', 'self or admin')
    expect(forAdmins.length).toBeGreaterThan(20)
    for (const route of forAdmins) {
      const label = `${route.method} ${route.url}`
      expect(await ask(route, other.token), label).toEqual({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await ask(listProblems, other.token)).toMatchObject({ status: 200 })
  })

  it('refuses the token from before a password reset on the first, and takes that reset token no second time (D9, D13)', async () => {
    const { email, token } = await first.createPerson()
    expect(await ask(listProblems, token)).toMatchObject({ status: 200 })
    const post = async (base: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return contract.fetch(new Request(second.url + base, init))
    }
    const asked = await first.send({
      method: 'POST',
      url: '/v1/basic_request_password_reset',
      body: { email },
    })
    const body = { email, token: asked.body.token, new_password: 'another password' }
    expect(await first.send({ method: 'POST', url: '/v1/basic_reset_password', body })).toMatchObject({
      status: 200,
    })
    expect(await ask(listProblems, token)).toEqual({ status: 401, code: 'TOKEN_EXPIRED' })
    expect((await post('/v1/basic_reset_password', body)).status).toBe(401)
    expect((await post('/v1/basic_login', { email, password: body.new_password })).status).toBe(200)
  })
})
