import { mkdir } from 'node:fs/promises'
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
} from '../../src/features/accounts/administration.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { openTestDatabase } from '../support/database.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Runs `npm run admin -- …`. */
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
): Promise<R[]> {
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
    const others = [
      ['create', '--name', ' Ulla ', '--email', ' ulla@example.org ', '--password-stdin'],
      ['create', '--name', 'Root', '--email', 'root@example.org', '--password-stdin'],
    ]
    for (const args of others) {
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
    const shown = accounts.map(({ password_hash: _, ...account }) => account)
    expect(shown).toEqual([
      { name: 'Ada', email: 'ada@example.org', is_admin: true, session_version: 2, has_reset: false },
      { name: 'Ulla', email: 'ulla@example.org', is_admin: true, session_version: 1, has_reset: false },
      { name: 'Root', email: 'root@example.org', is_admin: true, session_version: 1, has_reset: false },
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
    const choice = { isAdmin: false, password: 'long enough' }
    const right = { name: 'Ada', email: 'ada@example.org' }
    const create = (fields: object, options = choice) =>
      createAccount(tools, { ...right, ...fields }, options)
    await create({})
    const before = await database.query(readAccounts)
    const failures: [() => Promise<unknown>, RegExp][] = [
      [() => create({ email: 'other@example.org' }), /^Another account has this name or e-mail address\.$/],
      [() => create({ name: 'Other' }), /^Another account has this name or e-mail address\.$/],
      [() => create({ name: ' ' }), /^name must not be empty\.$/],
      [() => create({ email: 'x' }), /^email must be an e-mail address\.$/],
      [
        () => create({ email: 'x@y' }, { ...choice, password: 'tiny' }),
        /^password must have at least 6 char/,
      ],
      [() => replacePassword(tools, right.email, 'tiny'), /^password must have at least 6 char/],
      [
        () => replacePassword(tools, 'nobody@example.org', undefined),
        /^No account has this e-mail address\.$/,
      ],
      [() => promote(tools, 'nobody@example.org'), /^No account has this e-mail address\.$/],
    ]
    for (const [fail, message] of failures) {
      const failure: unknown = await fail().catch((err: unknown) => err)
      expect(failure).toBeInstanceOf(AdministrationError)
      expect(Object(failure).message).toMatch(message)
    }
    expect(await database.query(readAccounts)).toEqual(before)
  })

  it('says that there is no database, that its tables are missing or old, and that the service uses it', async () => {
    const [nothing, locked, old] = [
      await makeTemporaryFolder(),
      await makeTemporaryFolder(),
      await freshDatabaseVariables(),
    ]
    await mkdir(join(locked, 'database'))
    onTestFinished(await lockDirectory(locked))
    const promoteIn = async (variables: Record<string, string>) => {
      const { code, output, errors } = await run(variables, ['promote', '--email', 'a@example.org'])
      expect({ code, output }).toEqual({ code: 1, output: '' })
      return errors
    }
    expect(await promoteIn({ DATA_DIR: nothing })).toMatch(
      /^There is no database in .*: start the service once.*\n$/,
    )
    expect(await promoteIn({ DATA_DIR: locked })).toMatch(
      new RegExp(`^DATA_DIR: .* is in use by process ${process.pid}: stop it.*\\n$`),
    )
    await query(old, unprepared('delete from schema_versions where version > 20'))
    expect(await promoteIn(old)).toMatch(/^The tables are of an older release: .*\n$/)
    await query(old, unprepared('drop table schema_versions'))
    expect(await promoteIn(old)).toMatch(/^The database has no tables: .*\n$/)
    expect(await promoteIn({ DATABASE_URL: 'mysql://x' })).toMatch(/DATABASE_URL must be a URL/)
  })
})
