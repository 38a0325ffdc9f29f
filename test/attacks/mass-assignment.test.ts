import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { type Service, startService } from '../../src/service.ts'
import { type ContractFetch, openContractFetch } from '../../verification/contract.ts'
import type { Schema } from '../../verification/openapi-operations.ts'
import { rightValue } from '../http/hostile-values.ts'
import { openTestApp, type Person, type TestApp } from '../support/app.ts'
import { serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'

/** Values that nobody sends but this test, by the type of the column that they are meant for. */
const PLANTED: Readonly<Record<string, unknown>> = {
  text: 'assigned-by-mass',
  uuid: 'deadbeef-dead-7eef-8ead-deadbeefdead',
  integer: 777_000_777,
  bigint: 777_000_777,
  'double precision': 777_000_777,
  numeric: 777_000_777,
  'timestamp with time zone': '1987-06-05T04:03:02Z',
  boolean: true,
}

/** What a row would show of them. */
const TRACES = /assigned-by-mass|deadbeef|777000777|1987-06-05/

/** Names under which other services take such things. */
const COMMON = {
  role: 2,
  isAdmin: true,
  admin: true,
  roles: ['admin'],
  verified: true,
  passwordHash: 'assigned-by-mass',
}

type Column = { table_name: string; column_name: string; data_type: string }
const readColumns = unprepared<Column>(`select columns.table_name, columns.column_name, columns.data_type
   from information_schema.columns
   where columns.table_schema = 'public'`)

const contests = await serviceWithContests()
const { service, admin, user, problem, language, ask } = contests
const columns = await service.database.query(readColumns)
const event = await contests.createEvent({ teams: true, problems: [{ problem_id: problem.id }] })
await contests.register(user, event)
const question = await ask(user, 'POST', `/v1/events/${event}/questions`, { question: 'Why?' })
const program = { language_id: language.id, source_code: 'x', stdin: '' }
const team = await ask(admin, 'POST', `/v1/events/${event}/teams`, { name: 'us' })
const run = await ask(user, 'POST', '/v1/input_submissions', program)
const ids: Record<string, string> = {
  ...{
    event_id: String(event),
    problem_id: String(problem.id),
    team_id: team.body.team_id,
    run_id: run.text,
  },
  ...{ question_id: question.body.id, submission_id: await contests.submit(user), user_id: user.id },
}
const known: Record<string, unknown> = {
  ...{
    problem_id: problem.id,
    language_id: language.id,
    status: 'ACCEPTED',
    category_ids: [],
    event_id: null,
  },
  ...{ test_case_id: problem.cases[0], failed_test_case_id: null, id: problem.cases[0], languages: [] },
  ...{
    difficulty: 'EASY',
    is_admin: false,
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2096-01-01T00:00:00Z',
  },
}

const schemaOf = (schema: object | undefined): Schema => JSON.parse(JSON.stringify(schema ?? {}))

function pathOf({ url }: Pick<Route, 'url'>): string {
  const isRun = url.includes('input_submissions')
  return url.replaceAll(/:(\w+)/g, (_, name: string) => ids[isRun ? 'run_id' : name] ?? String(known.id))
}

/** Adds every column of the database, and the names of elsewhere, to each object where its schema does not know them. */
function assignAll(value: unknown, schema: Schema): unknown {
  const own = schema.anyOf?.[0] ?? schema
  if (Array.isArray(value)) return value.map((item) => assignAll(item, own.items ?? {}))
  if (own.properties === undefined) return value
  const { properties } = own
  const planted = columns.map(({ column_name, data_type }) => [
    column_name,
    PLANTED[data_type] ?? 'assigned-by-mass',
  ])
  const foreign = [...planted, ...Object.entries(COMMON)].filter(([name]) => !(String(name) in properties))
  const fields = Object.entries(Object(value)).map(([name, field]) => [
    name,
    assignAll(field, properties[name] ?? {}),
  ])
  return Object.fromEntries([...foreign, ...fields])
}

/** The caller with the fewest rights that the route takes. */
function tokenFor({ policy }: Route): string {
  const { service, user, admin } = contests
  if (policy === 'bridge secret') return service.config.secrets.webBridge
  if (policy === 'judge password') return service.config.secrets.judgePassword
  if (policy === 'judge or admin') return service.judgeToken
  return policy === 'admin' ? admin.token : user.token
}

it('sets nothing that a route’s own schema does not name, on every route with a body, and makes nobody an admin', async () => {
  const { service, admin } = contests
  const writing = service.routes.filter(({ body }) => body !== undefined)
  const written: string[] = []
  for (const [index, route] of writing.entries()) {
    const schema = schemaOf(route.body)
    const token = tokenFor(route)
    const unique = { name: `name ${index}`, email: `mass-${index}@example.org`, title: `title ${index}` }
    const owner = token === admin.token ? admin.id : contests.user.id
    const right = rightValue(schema, { ...known, ...unique, user_id: owner })
    const answer = await service.send({
      method: route.method,
      url: pathOf(route),
      token,
      body: assignAll(right, schema),
    })
    const label = `${route.method} ${route.url}`
    expect(answer.status, `${label} ${answer.text}`).toBeLessThan(500)
    expect(answer.text, label).not.toMatch(TRACES)
    if (answer.status < 300) written.push(label)
  }
  // Most are taken: what is refused proves nothing.
  expect(written.length, `${written}`).toBeGreaterThan(writing.length * 0.7)
  for (const name of new Set(columns.map(({ table_name }) => table_name))) {
    const rows = await service.database.query(
      unprepared<{ row: string }>(`select to_jsonb(held)::text as row from "${name}" as held`),
    )
    for (const { row } of rows) expect(row, name).not.toMatch(TRACES)
  }
  const admins = await service.database.query(
    unprepared<{ id: string }>(
      'select users.id from users where users.is_admin and users.deleted_at is null',
    ),
  )
  expect(admins.map(({ id }) => id)).toEqual([admin.id])
})

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
