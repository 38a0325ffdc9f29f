import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

it('npm run migrate: an up-to-date database is 0; each fault is 1 and one line, without the password', async () => {
  const migrate = (variables: Record<string, string>) => runScript('migrate', variables)
  const expectFault = async (variables: Record<string, string>, line: RegExp) =>
    expect(await migrate(variables)).toEqual({ code: 1, output: '', errors: expect.stringMatching(line) })
  const address = `127.0.0.1:${(await findFreePorts(1))[0]}`
  await expectFault(
    { DATABASE_URL: `postgres://judge:password1@${address}/judge`, DATABASE_WAIT_SECONDS: '0' },
    new RegExp(`^DATABASE_URL: The database cannot be reached: connect ECONNREFUSED ${address}\n$`),
  )
  const file = join(await makeTemporaryFolder(), 'file')
  await writeFile(file, '')
  await expectFault({ DATA_DIR: file }, /^DATA_DIR: .+file is not a folder\n$/)

  const variables = await freshDatabaseVariables()
  const upToDate = { code: 0, output: 'The database is up to date.\n', errors: '' }
  expect(await migrate(variables)).toEqual(upToDate)
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = variables
  const pools = await openPools({ databaseUrl, dataDir, poolSize: 4 })
  await pools.background.query(unprepared('drop table public.schema_versions'))
  await pools.close()
  await expectFault(variables, /^The migration failed: .+ already exists.* \(SQLSTATE 42\w{3}\)\n$/)
})
