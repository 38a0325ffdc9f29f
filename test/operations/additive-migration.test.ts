import { readdir } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'

/** Adds a column and an index to every table, and a table. */
const MIGRATION = `
  do $$
  declare existing record;
  begin
    for existing in
      select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    loop
      execute format('alter table %I add column of_the_next_release text not null default %L', existing.relname, 'new');
      execute format('create index on %I (of_the_next_release)', existing.relname);
    end loop;
  end $$;
  create table of_the_next_release (id integer primary key)`

type Named = { readonly name: string; readonly text: string }

const isNamed = (value: unknown): value is Named =>
  typeof Object(value).name === 'string' && typeof Object(value).text === 'string'

/** Finds the statements that the features export, also those of their lists. */
async function findStatements(): Promise<Named[]> {
  const features = fileURLToPath(new URL('../../src/features', import.meta.url))
  const files = (await readdir(features, { recursive: true })).filter((file) => file.endsWith('sql.ts'))
  const modules: object[] = await Promise.all(
    files.map((file) => import(pathToFileURL(`${features}/${file}`).href)),
  )
  const exported: unknown[] = modules.flatMap((module) => Object.values(module))
  const found = exported.flatMap((one) => [one, ...Object.values(Object(one))]).filter(isNamed)
  return [...new Map(found.filter(({ name }) => name !== '').map((one) => [one.name, one])).values()]
}

/** Plans a prepared statement again, without running it. */
async function plan(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    'select cardinality(parameter_types) as count from pg_prepared_statements where name = $1',
    [name],
  )
  const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null')
  await client.query(`explain execute "${name}"${values.length > 0 ? ` (${values.join(', ')})` : ''}`)
}

// PGlite has one session, so no other instance can migrate its database.
describe('a migration that only adds, during a running release,', onPostgres, () => {
  let judging: ProblemService
  let client: pg.Client
  let statements: Named[]

  const submitAndJudge = async () => {
    const { user, submit, patch, readRecord } = judging
    const id = await submit(user)
    expect(await patch(id, { status: 'WRONG_ANSWER' })).toMatchObject({ status: 204 })
    expect(await patch(id, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
    expect(await readRecord(id)).toMatchObject({ id, status: 'ACCEPTED' })
  }

  beforeAll(async () => {
    judging = await serviceWithProblem({ SEARCH_BACKEND: 'postgres' })
    // Concurrent requests prepare the statements on every connection of the pool.
    await Promise.all(Array.from({ length: 16 }, submitAndJudge))
    client = new pg.Client(judging.service.databaseUrl)
    await client.connect()
    statements = await findStatements()
    for (const { name, text } of statements) await client.query(`prepare "${name}" as ${text}`)
    await client.query('prepare "of all columns" as select * from users')
    for (const { name } of statements) await plan(client, name)
    await judging.service.database.transaction((tx) => tx.execute(MIGRATION))
  })
  afterAll(async () => {
    await client?.end()
    await judging?.service.close()
  })

  it('keeps the columns of every prepared statement of the features', async () => {
    expect(statements.length).toBeGreaterThan(80)
    for (const { name } of statements) await expect(plan(client, name), name).resolves.toBeUndefined()
    // This statement shows that the check finds changed columns.
    await expect(plan(client, 'of all columns')).rejects.toMatchObject({ code: '0A000' })
  })

  it('lets the instance accept submissions and verdicts on its open connections', async () => {
    await Promise.all(Array.from({ length: 16 }, submitAndJudge))
    const count = `select count(*)::integer as count from submissions where of_the_next_release = 'new'`
    expect(await judging.service.database.query(unprepared(count))).toEqual([{ count: 32 }])
  })
})
