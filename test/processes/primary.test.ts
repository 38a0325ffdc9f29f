import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import {
  findPostgresBinaries,
  type LocalPostgres,
  type LocalStandby,
  startLocalPostgres,
  startLocalStandby,
} from '../../tools/local-servers/postgres.ts'
import { openPatient, openPool } from '../support/database.ts'

const binaries = findPostgresBinaries()
const isRequired = Boolean(process.env.TEST_REQUIRE_ALL)
const unless = binaries || isRequired ? '' : ' (SKIPPED: PostgreSQL is not installed)'

const insert = unprepared('insert into written values (1)')
const port = unprepared<{ port: string }>(`select current_setting('port') as port`)
const pid = unprepared<{ pid: number }>('select pg_backend_pid() as pid')
const sleep = unprepared('select pg_sleep(60)')
const sleeping = unprepared(`
  select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`)
const LOOKS_MS = 5000

const open = (url: string, statementTimeoutMs = 2000) =>
  openPool(url, { poolSize: 3, statementTimeoutMs, connectTimeoutMs: 1000 })

const portOf = (url: string) => [{ port: new URL(url).port }]
const withHosts = (first: string, second: string) =>
  `postgres://postgres@${new URL(first).host},${new URL(second).host}/postgres?target_session_attrs=read-write`

/** Statements may be refused as unavailable; in the end one succeeds. */
async function untilWritten(database: Database): Promise<void> {
  const nameOf = (err: unknown) => (err instanceof DatabaseUnavailable ? 'unavailable' : err)
  await expect.poll(() => database.query(insert).catch(nameOf)).toEqual([])
}

describe.runIf(binaries || isRequired)(`with a primary and a standby${unless}`, () => {
  let primary: LocalPostgres
  let standby: LocalStandby
  beforeAll(async () => {
    primary = await startLocalPostgres()
    const database = openPatient(primary.url)
    await database.query(unprepared('create table written (number int)'))
    await database.close()
    standby = await startLocalStandby(primary.url)
  })
  afterAll(() => Promise.all([primary?.remove(), standby?.remove()]))

  test('statements go to the server that accepts writes, in any order of the hosts', async () => {
    for (const url of [withHosts(primary.url, standby.url), withHosts(standby.url, primary.url)]) {
      const database = open(url)
      await database.query(insert)
      expect(await database.query(port)).toEqual(portOf(primary.url))
    }
  })

  test('a standby by itself is refused, because its rows may be old', async () => {
    await expect(open(standby.url).query(port)).rejects.toThrow(/is a standby/)
  })

  test('a refused write is unavailable, and its connection is replaced', async () => {
    const database = open(`${primary.url}?options=-c%20default_transaction_read_only%3Don`)
    const before = await database.query(pid)
    await expect(database.query(insert)).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await database.query(pid)).not.toEqual(before)
  })

  test('a promotion ends the statements on a frozen primary at once, and for good', async () => {
    const database = open(withHosts(primary.url, standby.url), 60_000)
    const hanging = expect(database.query(sleep)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect.poll(() => open(primary.url).query(sleeping)).toHaveLength(1)
    primary.freeze()
    onTestFinished(() => primary.thaw())
    await standby.promote()
    // It opens a connection, which fails after a second; then both servers are asked.
    await untilWritten(database)
    await hanging
    primary.thaw()
    await expect.poll(() => open(primary.url).query(insert)).toEqual([])
    // Longer than the two seconds between two looks at the other servers.
    for (const endMs = performance.now() + LOOKS_MS; performance.now() < endMs; )
      expect(await database.query(port)).toEqual(portOf(standby.url))
  })
})
