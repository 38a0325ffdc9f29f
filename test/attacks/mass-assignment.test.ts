import { expect, it } from 'vitest'
import { type Statement, statement } from '../../src/db/database.ts'
import type { Route } from '../../src/http/routing/route.ts'
import type { Schema } from '../../verification/openapi-operations.ts'
import { openContests } from '../contests/events-support.ts'
import { rightValue } from '../http/hostile-values.ts'

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
const readColumns: Statement<Column> = statement(
  '',
  `select columns.table_name, columns.column_name, columns.data_type
   from information_schema.columns
   where columns.table_schema = 'public'`,
)

const contests = await openContests()
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
  const writing = service.routes.filter(({ schema }) => schema.body !== undefined)
  const written: string[] = []
  for (const [index, route] of writing.entries()) {
    const schema = schemaOf(route.schema.body)
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
      statement<{ row: string }>('', `select to_jsonb(held)::text as row from "${name}" as held`),
    )
    for (const { row } of rows) expect(row, name).not.toMatch(TRACES)
  }
  const admins = await service.database.query(
    statement<{ id: string }>(
      '',
      'select users.id from users where users.is_admin and users.deleted_at is null',
    ),
  )
  expect(admins.map(({ id }) => id)).toEqual([admin.id])
})
