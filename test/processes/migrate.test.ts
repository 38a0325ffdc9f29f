import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const migrate = (variables: Record<string, string>) => runScript('migrate', variables)

describe('npm run migrate', () => {
  it('reports an unreachable database in one line without the password, and exits with 1', async () => {
    const [port] = await findFreePorts(1)
    const DATABASE_URL = `postgres://judge:password1@127.0.0.1:${port}/judge`
    const errors = `DATABASE_URL: The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}\n`
    const variables = { DATABASE_URL, DATABASE_WAIT_SECONDS: '0' }
    expect(await migrate(variables)).toEqual({ code: 1, output: '', errors })
  })

  it('reports an unusable DATA_DIR in one line, and exits with 1', async () => {
    const file = join(await makeTemporaryFolder(), 'file')
    await writeFile(file, '')
    const { code, output, errors } = await migrate({ DATA_DIR: file })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/^DATA_DIR: .+file is not a folder\n$/)
  })

  it('reports an up-to-date database (0), and a failed migration in one line with its SQLSTATE (1)', async () => {
    const variables = await freshDatabaseVariables()
    const upToDate = { code: 0, output: 'The database is up to date.\n', errors: '' }
    expect(await migrate(variables)).toEqual(upToDate)
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = variables
    const pools = await openPools({ databaseUrl, dataDir, poolSize: 4 })
    await pools.background.query(unprepared('drop table public.schema_versions'))
    await pools.close()
    const { code, output, errors } = await migrate(variables)
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/^The migration failed: .+ already exists.* \(SQLSTATE 42\w{3}\)\n$/)
  })
})
