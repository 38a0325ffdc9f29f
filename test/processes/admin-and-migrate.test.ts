import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@node-rs/argon2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockDirectory } from '../../src/db/directory-lock.ts'
import { openPools } from '../../src/db/pools.ts'
import { type Row, type Statement, unprepared, type Value } from '../../src/db/statement.ts'
import {
  AdministrationError,
  createAccount,
  promote,
  replacePassword,
} from '../../src/features/people/accounts/administration.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { openTestDatabase } from '../support/database.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const run = (variables: Record<string, string>, args: readonly string[], input = '') =>
  runScript('admin', variables, { args, input })

const readAccounts = unprepared<{ password_hash: string }>(
  `select name, email, is_admin, password_hash, session_version,
          exists (select from password_resets where password_resets.user_id = users.id) as has_reset
   from users order by join_date`,
)

/** Runs a statement while no process uses the database. */
async function query<R extends Row>(
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' }: Record<string, string>,
  statement: Statement<R, readonly Value[]>,
) {
  const pools = await openPools({ databaseUrl, dataDir, poolSize: 4 })
  return pools.background.query(statement).finally(() => pools.close())
}

const passwordIn = (output: string) => /^Password: (\S+)$/m.exec(output)?.[1] ?? ''
const ada = ['--name', 'Ada', '--email', 'ada@example.org']

describe('npm run admin', () => {
  it('creates the first admin, sets passwords and promotes users, without the secrets of the service', async () => {
    const variables = { ...(await freshDatabaseVariables()), ADMIN_EMAILS: 'Root@example.org' }
    const created = await run(variables, ['create', ...ada, '--admin'])
    expect(created).toEqual({
      ...{ code: 0, errors: '' },
      output: expect.stringMatching(
        /^Created the admin ada@example\.org \([0-9a-f-]{36}\)\.\nPassword: [a-z2-9]{4}(-[a-z2-9]{4}){3}\n$/,
      ),
    })
    const sent = 'a password of mine'
    for (const [name, email] of Object.entries({
      ' Ulla ': ' ulla@example.org ',
      Root: 'root@example.org',
    })) {
      const args = ['create', '--name', name, '--email', email, '--password-stdin']
      const { code, output } = await run(variables, args, `${sent}\r\nnot this\n`)
      expect([code, output.includes('assword')]).toEqual([0, false])
    }
    await query(
      variables,
      unprepared(`insert into password_resets (user_id, token_hash, expires_at)
       select users.id, 'x', now() + interval '1 hour' from users where users.email = 'ada@example.org'`),
    )
    const replaced = await run(variables, ['password', '--email', ' ADA@example.org'])
    expect(replaced).toMatchObject({ code: 0, errors: '' })
    expect(await run(variables, ['promote', '--email', 'ULLA@example.org'])).toMatchObject({ code: 0 })
    const accounts = await query(variables, readAccounts)
    const shown = { is_admin: true, session_version: 1, has_reset: false }
    expect(accounts.map(({ password_hash: _, ...account }) => account)).toEqual([
      { ...shown, name: 'Ada', email: 'ada@example.org', session_version: 2 },
      { ...shown, name: 'Ulla', email: 'ulla@example.org' },
      { ...shown, name: 'Root', email: 'root@example.org' },
    ])
    const hashes = accounts.map(({ password_hash }) => password_hash)
    expect(await verify(hashes[0] ?? '', passwordIn(replaced.output))).toBe(true)
    expect(await verify(hashes[0] ?? '', passwordIn(created.output))).toBe(false)
    expect(await verify(hashes[1] ?? '', sent)).toBe(true)
  })

  it('refuses wrong values, unknown e-mails and duplicates, and then changes nothing', async () => {
    const { database, close } = await openTestDatabase()
    onTestFinished(close)
    const rules = { accounts: { adminEmails: new Set<string>(), passwordMinLength: 6 } }
    const tools = { database, passwords: createPasswords(), ...rules, sizes: { nameCharacters: 255 } }
    const right = { name: 'Ada', email: 'ada@example.org' }
    const create = (fields: object, password = 'long enough') =>
      createAccount(tools, { ...right, ...fields }, { isAdmin: false, password })
    await create({})
    const before = await database.query(readAccounts)
    const [taken, short] = [
      /^Another account has this name or e-mail address\.$/,
      /^password must have at least 6 c/,
    ]
    const [nobody, unknown] = ['nobody@example.org', /^No account has this e-mail address\.$/]
    const failures: [() => Promise<unknown>, RegExp][] = [
      [() => create({ email: 'other@example.org' }), taken],
      [() => create({ name: 'Other' }), taken],
      [() => create({ name: ' ' }), /^name must not be empty\.$/],
      [() => create({ email: 'x' }), /^email must be an e-mail address\.$/],
      [() => create({ email: 'x@y' }, 'tiny'), short],
      [() => replacePassword(tools, right.email, 'tiny'), short],
      [() => replacePassword(tools, nobody, undefined), unknown],
      [() => promote(tools, nobody), unknown],
    ]
    for (const [fail, message] of failures) {
      const failure: unknown = await fail().catch((err: unknown) => err)
      expect(failure).toBeInstanceOf(AdministrationError)
      expect(Object(failure).message).toMatch(message)
    }
    expect(await database.query(readAccounts)).toEqual(before)
  })

  it('says that there is no database, that its tables are missing or old, and that the service uses it', async () => {
    const [nothing, locked] = [await makeTemporaryFolder(), await makeTemporaryFolder()]
    const old = await freshDatabaseVariables()
    await mkdir(join(locked, 'database'))
    onTestFinished(await lockDirectory(locked))
    const expectFault = async (variables: Record<string, string>, line: RegExp) => {
      const end = await run(variables, ['promote', '--email', 'a@example.org'])
      expect(end).toEqual({ code: 1, output: '', errors: expect.stringMatching(line) })
    }
    const inUse = new RegExp(`^DATA_DIR: .* is in use by process ${process.pid}: stop it.*\\n$`)
    await expectFault({ DATA_DIR: nothing }, /^There is no database in .*: start the service once.*\n$/)
    await expectFault({ DATA_DIR: locked }, inUse)
    await query(old, unprepared('delete from schema_versions where version > 0'))
    await expectFault(old, /^The tables are of an older release: .*\n$/)
    await query(old, unprepared('insert into schema_versions (version) values (44)'))
    await expectFault(old, /^DATABASE_URL or DATA_DIR: this is a database of version 0\.1\.0, .*\n$/)
    await query(old, unprepared('drop table schema_versions'))
    await expectFault(old, /^The database has no tables: .*\n$/)
    await expectFault({ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be a URL/)
  })
})

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
  expect(await migrate(variables)).toEqual({ code: 0, output: 'The database is up to date.\n', errors: '' })
  await query(variables, unprepared('update schema_versions set version = 44 where version = 1'))
  await expectFault(variables, /^DATABASE_URL or DATA_DIR: this is a database of version 0\.1\.0, .*\n$/)
  await query(variables, unprepared('drop table public.schema_versions'))
  await expectFault(variables, /^The migration failed: .+ already exists.* \(SQLSTATE 42\w{3}\)\n$/)
})
