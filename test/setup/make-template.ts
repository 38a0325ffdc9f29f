import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { databaseUrl, openAdmin } from '../support/database.ts'
import { type Emptying, prepareEmptying } from '../support/empty-database.ts'

/** Makes a migrated embedded database in a new folder. */
export async function makePgliteTemplate(dataDir: string): Promise<Emptying> {
  return fill(await openPglite({ dataDir }))
}

/** Migrates a database, and closes it. */
async function fill(database: Database): Promise<Emptying> {
  try {
    await migrate(database)
    return await prepareEmptying(database)
  } finally {
    await database.close()
  }
}

/** Makes a migrated database on a server. `dispose` drops it and its clones. */
export async function makePostgresTemplate(
  serverUrl: string,
): Promise<{ readonly name: string; readonly emptying: Emptying; dispose(): Promise<void> }> {
  const name = `judge_test_${process.pid}_${randomUUID().slice(0, 8)}`
  const admin = openAdmin(serverUrl)
  const dispose = async (): Promise<void> => {
    await dropDatabases(admin, name)
    await admin.close()
  }
  try {
    await admin.query(unprepared(`create database ${name}`))
    return { name, emptying: await fill(openAdmin(databaseUrl(serverUrl, name))), dispose }
  } catch (err) {
    await dispose()
    throw err
  }
}

/** Drops the template and its clones, whose names begin with its name. */
async function dropDatabases(admin: Database, prefix: string): Promise<void> {
  const found = await admin.query(
    unprepared<{ name: string }>(
      'select database.datname as name from pg_database as database where starts_with(database.datname, $1)',
    ),
    [prefix],
  )
  for (const { name } of found) await admin.query(unprepared(`drop database if exists ${name} with (force)`))
}
