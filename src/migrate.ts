import { ConfigError, loadDatabaseConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'

try {
  const database = await openDatabase(loadDatabaseConfig(process.env))
  const applied = await migrate(database).finally(() => database.close())
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  )
} catch (err) {
  console.error(err instanceof ConfigError ? err.message : err)
  process.exitCode = 1
}
