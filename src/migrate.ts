#!/usr/bin/env node
import { replaceControls } from '@judge-data-layer/runtime/visible-text'
import { loadDatabaseConfig } from './config/config.ts'
import { becomeServiceUser } from './config/service-user.ts'
import { DatabaseError } from './db/database.ts'
import { migrate, searchMigrations } from './db/migrate.ts'
import { openPools } from './db/pools.ts'
import { waitForDatabase } from './db/wait-for-database.ts'

try {
  const { searchBackend, waitSeconds, ...options } = loadDatabaseConfig(process.env)
  await becomeServiceUser(process.env)
  const pools = await openPools(options)
  const onWait = (reason: string) => console.log(`Waiting up to ${waitSeconds} s: ${reason}`)
  const applied = await waitForDatabase(pools.background, waitSeconds, onWait)
    .then(() => migrate(pools.background, undefined, (text) => console.log(replaceControls(text))))
    .then(async (versions) => {
      const more = searchBackend === 'postgres' ? await migrate(pools.background, searchMigrations) : []
      return [...versions, ...more.map((version) => `search ${version}`)]
    })
    .finally(() => pools.close())
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  )
} catch (err) {
  console.error(describeFailure(err))
  process.exitCode = 1
}

/** Returns only the message: the whole error may contain the database's URL with the password. */
function describeFailure(err: unknown): string {
  if (err instanceof DatabaseError) return `The migration failed: ${err.message} (SQLSTATE ${err.sqlState})`
  return err instanceof Error ? err.message : String(err)
}
