import { ConfigError, loadDatabaseConfig } from './config.ts'
import { openLanes } from './db/lanes.ts'
import { migrate, searchMigrations } from './db/migrate.ts'

try {
  const { searchBackend, ...options } = loadDatabaseConfig(process.env)
  const lanes = await openLanes(options)
  const applied = await migrate(lanes.background)
    .then(async (versions) => {
      const more = searchBackend === 'postgres' ? await migrate(lanes.background, searchMigrations) : []
      return [...versions, ...more.map((version) => `search ${version}`)]
    })
    .finally(() => lanes.close())
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `Applied migrations ${applied.join(', ')}.`,
  )
} catch (err) {
  console.error(err instanceof ConfigError ? err.message : err)
  process.exitCode = 1
}
