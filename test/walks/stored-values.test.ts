import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { labelOf, openWithRecords, schemaOf } from '../http/right-requests.ts'
import type { TestResponse } from '../support/caller.ts'
import type { Schema } from '../support/verification/openapi-operations.ts'

const recorded = await openWithRecords({ SEARCH_BACKEND: 'postgres', LOG_LEVEL: 'trace' })
const { service, admin, user, known, pathOf, bodyOf, credentialOf } = recorded
const writes = service.routes.filter(({ body }) => body !== undefined)

const HOSTILE = `'"\\;--/*%_$1{}::text<script>\${x}`

/** The hostile texts of accepted requests, by route and field. */
const sentTexts = new Map<string, string>()
service.log.length = 0
await writeHostileTexts()

/** Sends a valid body to every route, with hostile texts in all fields of free text. */
async function writeHostileTexts(): Promise<void> {
  let count = 0
  for (const route of writes) {
    const texts = new Map<string, string>()
    const body = replaceTexts(bodyOf(route), schemaOf(route.body), (name) => {
      count += 1
      const text = name === 'email' ? `hostile-${count}-'"%_$1--@example.org` : `hostile-${count}-${HOSTILE}`
      texts.set(`${labelOf(route)} ${name}`, text)
      return text
    })
    const { status } = await write(route, credentialOf(route, admin.token), body)
    if (status < 300) for (const [field, text] of texts) sentTexts.set(field, text)
  }
}

async function write(route: Route, token: string, body: unknown): Promise<TestResponse> {
  const response = await service.send({ method: route.method, url: pathOf(route), token, body })
  expect(response.status, `${labelOf(route)} ${response.text}`).toBeLessThan(500)
  return response
}

/** Replaces every free text in a value of this schema. */
function replaceTexts(value: unknown, schema: Schema, replace: (name: string) => string, name = ''): unknown {
  const own = schema.anyOf?.[0] ?? schema
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, own.items ?? {}, replace, name))
  if (own.properties !== undefined) {
    const fields = Object.entries(Object(value))
    return Object.fromEntries(
      fields.map(([key, field]) => [key, replaceTexts(field, own.properties?.[key] ?? {}, replace, key)]),
    )
  }
  const isFree = own.type === 'string' && own.enum === undefined && own.format === undefined
  return isFree && !(name in known) ? replace(name) : value
}

type Column = { table_name: string; column_name: string; data_type: string }
const readColumns = unprepared<Column>(`select columns.table_name, columns.column_name, columns.data_type
   from information_schema.columns
   where columns.table_schema = 'public'`)
const columns = await service.database.query(readColumns)

async function readRows(): Promise<string[]> {
  const rows: string[] = []
  for (const name of new Set(columns.map(({ table_name }) => table_name))) {
    const select = unprepared<{ row: string }>(`select to_jsonb(held)::text as row from "${name}" as held`)
    rows.push(...(await service.database.query(select)).map(({ row }) => row))
  }
  return rows
}

/** Passwords are hashed; the other requests change nothing. */
const NOT_STORED = [
  ...['POST /v1/basic_register password', 'POST /v1/basic_request_password_reset email'],
  ...['email', 'new_password', 'token'].map((field) => `POST /v1/basic_reset_password ${field}`),
  ...['POST /v1/users password', 'POST /v1/users/import password'],
  'PUT /v1/users/:user_id/password current_password',
  'PUT /v1/users/:user_id/password password',
]

it('stores texts with SQL, HTML and template syntax to the letter, except passwords', async () => {
  const texts = new Set<unknown>()
  for (const row of await readRows()) JSON.parse(row, (_, value) => texts.add(value) && value)
  const lost = [...sentTexts].filter(([, text]) => !texts.has(text)).map(([field]) => field)
  expect(sentTexts.size - lost.length).toBeGreaterThan(25)
  expect(lost.sort()).toEqual(NOT_STORED)
})

const MARK = 'assigned-by-mass'
const NUMBER = 777_000_777

/** Values that no other request contains, by the type of the column. */
const PLANTED: Readonly<Record<string, unknown>> = {
  ...{ text: MARK, uuid: 'deadbeef-dead-7eef-8ead-deadbeefdead', boolean: true },
  ...{ integer: NUMBER, bigint: NUMBER, 'double precision': NUMBER, numeric: NUMBER },
  'timestamp with time zone': '1987-06-05T04:03:02Z',
}
const TRACES = /assigned-by-mass|deadbeef|777000777|1987-06-05|__proto__|pollut/

/** All columns, names that other services assign, and prototypes. */
const foreignFields: readonly [name: string, value: unknown][] = [
  ...columns.map(
    ({ column_name, data_type }) => [column_name, PLANTED[data_type] ?? MARK] satisfies [string, unknown],
  ),
  ...Object.entries({ role: 2, isAdmin: true, admin: true, roles: ['admin'], verified: true }),
  ['passwordHash', MARK],
  ['__proto__', { polluted: MARK }],
  ['constructor', { prototype: { polluted: MARK } }],
]

/** Adds the foreign fields to every object whose schema does not have them. */
function assignAll(value: unknown, schema: Schema): unknown {
  const own = schema.anyOf?.[0] ?? schema
  if (Array.isArray(value)) return value.map((item) => assignAll(item, own.items ?? {}))
  const { properties } = own
  if (properties === undefined) return value
  const fields = Object.entries(Object(value))
  return Object.fromEntries([
    ...foreignFields.filter(([name]) => !Object.hasOwn(properties, name)),
    ...fields.map(([name, field]) => [name, assignAll(field, properties[name] ?? {})] as const),
  ])
}

/** Routes of users for the staff of the contest: the admin owns it. */
const FOR_STAFF =
  /Rejudging|Standings$|announce|ScoreboardToken|^(change|remove)Participant|^(update|remove)EventProblem/

/** Returns the person with the fewest rights whom the route accepts. */
function leastOf(route: Route): { id: string; token: string } {
  const { policy } = route
  if (FOR_STAFF.test(route.name)) return admin
  if (policy === 'judge or admin') return { id: user.id, token: service.judgeToken }
  return policy === 'admin' ? admin : user
}

it('ignores fields that the schema does not name, and pollutes no prototype, on every route', async () => {
  const accepted: string[] = []
  for (const [index, route] of writes.entries()) {
    const caller = leastOf(route)
    const unique = { name: `name ${index}`, email: `mass-${index}@example.org`, title: `title ${index}` }
    const body = assignAll(bodyOf(route, { ...unique, user_id: caller.id }), schemaOf(route.body))
    const { status, text } = await write(route, credentialOf(route, caller.token), body)
    expect(text, labelOf(route)).not.toMatch(TRACES)
    if (status < 300) accepted.push(labelOf(route))
  }
  // A refused request proves nothing.
  expect(accepted.length, `${accepted}`).toBeGreaterThan(writes.length * 0.7)
  for (const row of await readRows()) expect(row).not.toMatch(TRACES)
  const readAdmins = unprepared<{ id: string }>(
    'select users.id from users where users.is_admin and users.deleted_at is null',
  )
  expect(await service.database.query(readAdmins)).toEqual([{ id: admin.id }])
  expect(Object(Object.prototype).polluted).toBeUndefined()
  expect(Object.getOwnPropertyNames({})).toEqual([])
})

it('logs no text of a request, no token and no secret, not even with LOG_LEVEL=trace', () => {
  expect(service.log.length).toBeGreaterThanOrEqual(writes.length)
  const log = service.log.join('')
  const { judgePassword, webBridge, jwtSigning } = service.config.secrets
  for (const text of [judgePassword, webBridge, jwtSigning, admin.token, 'hostile-', 'example.org', MARK])
    expect(log).not.toContain(text)
  expect(log).not.toMatch(/eyJ|argon2/)
})
