import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { databaseUrl, uniqueName } from '../../tools/local-servers/database.ts'
import { openPatient } from '../support/database.ts'
import { type Emptying, prepareEmptying } from '../support/empty-database.ts'

/** Makes a migrated embedded database in a new folder. */
export const makePgliteTemplate = async (dataDir: string): Promise<Emptying> =>
  fill(await openPglite({ dataDir }))

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
  const name = uniqueName('judge_test')
  const admin = openPatient(serverUrl)
  const dispose = async (): Promise<void> => {
    for (const clone of await admin.query(selectClones, [name]))
      await admin.query(unprepared(`drop database if exists ${clone.name} with (force)`))
    await admin.close()
  }
  try {
    await admin.query(unprepared(`create database ${name}`))
    return { name, emptying: await fill(openPatient(databaseUrl(serverUrl, name))), dispose }
  } catch (err) {
    await dispose()
    throw err
  }
}

/** The template and its clones, whose names begin with its name. */
const selectClones = unprepared<{ name: string }>(
  'select database.datname as name from pg_database as database where starts_with(database.datname, $1)',
)
