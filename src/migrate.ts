import { ConfigError, loadDatabaseConfig } from './config.ts'
import { migrate, searchMigrations } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'

try {
  const { searchBackend, ...options } = loadDatabaseConfig(process.env)
  const database = await openDatabase(options)
  const applied = await migrate(database)
    .then(async (versions) => {
      const more = searchBackend === 'postgres' ? await migrate(database, searchMigrations) : []
      return [...versions, ...more.map((version) => `search ${version}`)]
    })
    .finally(() => database.close())
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  )
} catch (err) {
  console.error(err instanceof ConfigError ? err.message : err)
  process.exitCode = 1
}
