import { orThrow } from '@judge-data-layer/client/errors'
import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import type { Command } from 'commander'
import { findUser } from '../lookup/find-user.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { askSecret, readStdin } from '../shared/prompts.ts'
import { readUserId } from '../shared/settings.ts'
import { requireToken } from './account.ts'
import { addUserImportCommand } from './users-import.ts'

interface PasswordOptions {
  readonly passwordStdin?: true
  readonly generate?: true
}

/** Adds `users` with its commands. */
export function addUserCommands(program: Command, cli: Cli): void {
  const users = program
    .command('users')
    .description('Create accounts from a CSV file, and set passwords.')
    .addHelpText('after', EXAMPLES)
  addUserImportCommand(users, cli)
  users
    .command('password')
    .description('Set the password of a user. It ends the sessions of the user.')
    .argument('<user>', 'id, e-mail address or name of the user')
    .option('--password-stdin', 'read the password from standard input (default: asks for it)')
    .option('--generate', 'generate a password, and print it once')
    .addHelpText('after', PASSWORD_EXAMPLES)
    .action(cli.action(setPassword))
}

const EXAMPLES = `
Examples:
  $ judge users import people.csv --contest 3 --slips slips.html
  $ judge users password nora@example.org --generate

Only admins can do this.`

const PASSWORD_EXAMPLES = `
Examples:
  $ judge users password nora@example.org
  $ judge users password "Nora Berg" --generate
  $ judge users password nora@example.org --password-stdin < password.txt

For your own account it asks for the present password too. On the server,
judge-data-layer-admin sets the passwords of other admins.`

const LEAST_CHARACTERS = 16

async function setPassword(ctx: Context, name: string, options: PasswordOptions): Promise<Outcome> {
  const { client, io, token, url, writer } = ctx
  if (options.passwordStdin && options.generate)
    throw usageError('Give either --password-stdin or --generate.')
  const ownId = readUserId(requireToken(token, url))
  const user = await findUser(client, name)
  const isOwn = user.id === ownId
  const current = isOwn ? await askSecret(io, 'Present password: ', 'another user') : undefined
  const password = await choosePassword(ctx, options)
  const body = { password, ...(current !== undefined && { current_password: current }) }
  await orThrow(client.PUT('/v1/users/{user_id}/password', { params: { path: { user_id: user.id } }, body }))
  const generated = options.generate ? { password } : {}
  const lines = [
    `${writer.paint(user.name)} (${writer.paint(user.email)}) has a new password.`,
    ...(options.generate ? [password] : []),
    ...(isOwn ? ['Your sessions have ended. Log in with: judge login'] : []),
  ]
  return {
    json: { user_id: user.id, name: user.name, email: user.email, ...generated },
    text: lines.join('\n'),
  }
}

async function choosePassword(
  { io }: Context,
  { passwordStdin, generate }: PasswordOptions,
): Promise<string> {
  if (generate) return generatePassword(LEAST_CHARACTERS)
  return passwordStdin ? readStdin(io) : askSecret(io, 'New password: ', '--password-stdin or --generate')
}
