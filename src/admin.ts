#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import { loadAdministrationConfig } from './config/config.ts'
import { becomeServiceUser } from './config/service-user.ts'
import { ConfigError } from './config/start-error.ts'
import { DatabaseError } from './db/database.ts'
import { openPools } from './db/pools.ts'
import { findSchemaFault, refuseOldDatabase } from './db/schema-version.ts'
import { waitForDatabase } from './db/wait-for-database.ts'
import {
  type Administration,
  AdministrationError,
  createAccount,
  promote,
  replacePassword,
} from './features/people/accounts/administration.ts'
import { createPasswords } from './http/routing/passwords.ts'

const START_FIRST = 'start the service once, or run npm run migrate.'

interface PasswordOption {
  readonly passwordStdin?: true
}

const program = new Command('npm run admin --')
  .description('Changes accounts in the database, without the service.')
  .addHelpText('after', '\nIt reads DATABASE_URL or DATA_DIR, ADMIN_EMAILS and PASSWORD_MIN_LENGTH.')
  .showHelpAfterError('(see --help)')

withPassword(program.command('create').description('Create an account.'))
  .requiredOption('--name <name>', 'the name')
  .requiredOption('--email <address>', 'the e-mail address')
  .option('--admin', 'make it an admin; addresses in ADMIN_EMAILS always are')
  .action((options: PasswordOption & { name: string; email: string; admin?: true }) =>
    perform(async (administration) => {
      const { name, email } = options
      const given = await readPassword(options)
      const choice = { isAdmin: options.admin === true, password: given }
      const { id, isAdmin, password } = await createAccount(administration, { name, email }, choice)
      return [`Created ${isAdmin ? 'the admin' : 'the user'} ${email} (${id}).`, ...show(password, given)]
    }),
  )

withPassword(program.command('password').description('Set the password of an account; its sessions end.'))
  .requiredOption('--email <address>', 'the e-mail address')
  .action((options: PasswordOption & { email: string }) =>
    perform(async (administration) => {
      const given = await readPassword(options)
      const password = await replacePassword(administration, options.email, given)
      return [`Set the password of ${options.email}.`, ...show(password, given)]
    }),
  )

program
  .command('promote')
  .description('Make a user an admin.')
  .requiredOption('--email <address>', 'the e-mail address')
  .action(({ email }: { email: string }) =>
    perform(async (administration) => {
      await promote(administration, email)
      return [`${email} is an admin, after the next login.`]
    }),
  )

await program.parseAsync()

function withPassword(command: Command): Command {
  return command.option('--password-stdin', 'read the password from standard input; else one is generated')
}

/** The first line of standard input; undefined if a password is to be generated. */
async function readPassword({ passwordStdin }: PasswordOption): Promise<string | undefined> {
  return passwordStdin && (await text(process.stdin)).split(/\r?\n/, 1)[0]
}

function show(password: string, given: string | undefined): string[] {
  return given === undefined ? [`Password: ${password}`] : []
}

/** Opens the database for `work`, and prints its lines, or one line about what failed. */
async function perform(work: (administration: Administration) => Promise<string[]>): Promise<void> {
  try {
    const { database, ...rules } = loadAdministrationConfig(process.env)
    const { waitSeconds, databaseUrl, dataDir } = database
    await becomeServiceUser(process.env)
    // Opening the embedded database would create it.
    if (databaseUrl === undefined && !existsSync(join(dataDir, 'database')))
      throw new AdministrationError(`There is no database in ${resolve(dataDir)}: ${START_FIRST}`)
    const pools = await openPools(database)
    try {
      const onWait = (reason: string) => console.error(`Waiting up to ${waitSeconds} s: ${reason}`)
      await waitForDatabase(pools.background, waitSeconds, onWait)
      await refuseOldDatabase(pools.background)
      const fault = await findSchemaFault(pools.background)
      if (fault === 'missing') throw new AdministrationError(`The database has no tables: ${START_FIRST}`)
      if (fault === 'old') throw new AdministrationError(`The tables are of an older release: ${START_FIRST}`)
      const lines = await work({ database: pools.background, passwords: createPasswords(), ...rules })
      console.log(lines.join('\n'))
    } finally {
      await pools.close()
    }
  } catch (err) {
    console.error(describeFailure(err))
    process.exitCode = 1
  }
}

/** Returns only the message: the whole error may contain the database's URL with the password. */
function describeFailure(err: unknown): string {
  if (err instanceof ConfigError || err instanceof AdministrationError) return err.message
  if (err instanceof DatabaseError) return `The change failed: ${err.message} (SQLSTATE ${err.sqlState})`
  return err instanceof Error ? err.message : String(err)
}
