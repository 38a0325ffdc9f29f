import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { type BatchForm, oneOf, type Statement, statement, unprepared } from '../../src/db/statement.ts'
import { hasShape } from '../support/checked-rows.ts'
import { openTestDatabase } from '../support/database.ts'
import { statements } from './plan-cases.ts'

const { database } = await openTestDatabase()
await migrate(database, searchMigrations)
const { query } = pg.Client.prototype

/** What PostgreSQL says of a statement: types are numbers. */
interface Description extends Record<string, unknown> {
  columns: { name: string; dataTypeID: number }[]
  parameters: number[]
}

/** Describes a statement, which does not run, over the connection of the port. */
async function describe(text: string): Promise<Description> {
  const described: Description = { columns: [], parameters: [] }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client) {
    return new Promise((resolve, reject) => {
      const description = {
        callback: (err?: Error) => (err ? reject(err) : resolve({ rows: [] })),
        submit: (connection: pg.Connection) => {
          connection.once('parameterDescription', ({ dataTypeIDs }) => {
            described.parameters = dataTypeIDs
          })
          connection.stream.cork()
          connection.parse({ name: '', text, types: [] }, true)
          connection.describe({ type: 'S', name: '' }, true)
          connection.sync()
          connection.stream.uncork()
        },
        handleRowDescription: ({ fields }: { fields: Description['columns'] }) => {
          described.columns = fields
        },
        handleError: (err: Error) => description.callback(err),
        handleReadyForQuery: () => description.callback(),
      }
      Reflect.apply(query, this, [description])
    })
  })
  await database.query(unprepared(text)).finally(() => spy.mockRestore())
  return described
}

const readTypes = unprepared<{ oid: number; name: string }>(`
  select oid::integer, replace(replace(replace(format_type(oid, null),
           'double precision', 'float8'), 'timestamp with time zone', 'timestamptz'), 'jsonb', 'json') as name
  from pg_type`)
const types = new Map((await database.query(readTypes)).map(({ oid, name }) => [oid, name]))

type Form = Pick<Statement | BatchForm, 'name' | 'text' | 'order' | 'columns'>

/** The parameters and columns whose declaration differs from what PostgreSQL says. */
async function faultsOf({ name, text, order = [], columns }: Form): Promise<string[]> {
  const described = await describe(text)
  const found = described.parameters.map((oid, i) => `$${i + 1} ${types.get(oid)}`)
  const declared = new Set(
    order.map((_, i) => `$${i + 1} ${new RegExp(`\\$${i + 1}::(\\w+(\\[\\])?)`).exec(text)?.[1]}`),
  )
  if (columns !== undefined)
    found.push(...described.columns.map((one) => `${one.name} ${types.get(one.dataTypeID)}`))
  for (const [column, type] of (columns ?? []).flatMap((shape) => Object.entries(shape))) {
    const named = typeof type === 'object' ? type.type : type
    if (named !== 'null') declared.add(`${column} ${named.replace(' | null', '')}`)
  }
  return [
    ...found.filter((one) => !declared.has(one)).map((one) => `${name} has ${one}`),
    ...[...declared].filter((one) => !found.includes(one)).map((one) => `${name} declares ${one}`),
  ]
}

it('every statement has the parameters and columns that it declares', async () => {
  const faults: string[] = []
  for (const { batch, ...single } of statements.values())
    for (const form of [single, ...(batch ? [batch] : [])]) faults.push(...(await faultsOf(form)))
  expect(faults).toEqual([])
})

it('this test finds a renamed column and a wrong type', async () => {
  const wrong = statement({
    name: 'wrong',
    params: { id: 'uuid' },
    columns: { id: 'text', title: 'text' },
    sql: 'select users.id, users.name from users where users.id = :id',
  })
  expect(await faultsOf(wrong)).toEqual([
    ...['wrong has id uuid', 'wrong has name text'],
    ...['wrong declares id text', 'wrong declares title text'],
  ])
})

it('every test finds a null and a text that a statement does not declare', async () => {
  const shapes = [{ kind: oneOf('a'), id: 'integer' }, { kind: oneOf('b', null) }] as const
  const rows = await database.query(
    unprepared(
      `select * from (values ('a', 1), ('a', null), ('b', null), (null, 1), ('c', 1)) as rows (kind, id)`,
    ),
  )
  expect(rows.filter((row) => !hasShape(row, shapes))).toEqual([
    { kind: 'a', id: null },
    { kind: 'c', id: 1 },
  ])
})

it('no statement is longer than 150 lines or 8 kB', () => {
  const forms = [...statements.values()].flatMap(({ batch, ...single }) => [
    single,
    ...(batch ? [batch] : []),
  ])
  const sizes = forms.map(({ name, text }) => ({
    name,
    bytes: Buffer.byteLength(text),
    lines: text.split('\n').length,
  }))
  expect(sizes.filter(({ bytes, lines }) => bytes > 8000 || lines > 150)).toEqual([])
})
