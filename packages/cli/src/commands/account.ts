import { createJudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { unauthorized } from '../shared/errors.ts'
import { printNote } from '../shared/io.ts'
import { askSecret, askText, readStdin } from '../shared/prompts.ts'
import {
  credentialsFile,
  readCredentials,
  readUserId,
  tokenVariable,
  writeCredentials,
} from '../shared/settings.ts'

interface LoginOptions {
  readonly email?: string
  readonly passwordStdin?: true
}

/** Adds `login`, `logout` and `whoami`. */
export function addAccountCommands(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('Log in, and store the token in a file that only you can read.')
    .option('--email <email>', 'your e-mail address (default: asks for it)')
    .option('--password-stdin', 'read the password from standard input (default: asks for it)')
    .addHelpText('after', LOGIN_EXAMPLES)
    .action(cli.action(logIn))
  program
    .command('logout')
    .description('Forget the token of this service.')
    .addHelpText('after', '\nExample:\n  $ judge logout')
    .action(cli.action(logOut))
  program
    .command('whoami')
    .description('Show your account and the service.')
    .addHelpText('after', '\nExample:\n  $ judge whoami --json')
    .action(cli.action(showAccount))
}

const LOGIN_EXAMPLES = `
Examples:
  $ judge login --url https://judge.example.org --email ada@example.org
  $ judge login --email ada@example.org --password-stdin < password.txt

Later commands use the service of the last login.`

async function logIn({ io, url, writer }: Context, options: LoginOptions): Promise<Outcome> {
  const file = credentialsFile(io.env)
  const { tokens } = await readCredentials(file)
  const email = options.email ?? (await askText(io, 'E-mail: ', '--email'))
  const password = options.passwordStdin
    ? await readStdin(io)
    : await askSecret(io, 'Password: ', '--password-stdin')
  const anonymous = createJudgeClient({ baseUrl: url })
  const login = anonymous.POST('/v1/basic_login', { body: { email, password } })
  const session = await orThrow(login).catch((err: unknown) => {
    const isWrong = err instanceof JudgeApiError && err.code === 'INVALID_CREDENTIALS'
    throw isWrong ? unauthorized('The e-mail address or the password is wrong.') : err
  })
  await writeCredentials(file, { url, tokens: { ...tokens, [url]: session.token } })
  const variable = tokenVariable(io.env)
  if (variable !== undefined) printNote(io, `${variable} is set: commands use it instead of this login.`)
  const { id, name } = session
  return {
    json: { url, id, name, email: session.email },
    text: `Logged in to ${url} as ${writer.paint(name)}.`,
  }
}

async function logOut({ io, url }: Context): Promise<Outcome> {
  const file = credentialsFile(io.env)
  const { tokens, ...stored } = await readCredentials(file)
  const { [url]: token, ...others } = tokens
  if (token !== undefined) await writeCredentials(file, { ...stored, tokens: others })
  const variable = tokenVariable(io.env)
  if (variable !== undefined) printNote(io, `${variable} is set: commands still use it.`)
  const text = token === undefined ? `You are not logged in to ${url}.` : `Logged out of ${url}.`
  return { json: { url, logged_out: token !== undefined }, text }
}

async function showAccount({ client, url, token, writer }: Context): Promise<Outcome> {
  const user_id = readUserId({ token, url })
  const { id, name, email, is_admin } = await orThrow(
    client.GET('/v1/users/{user_id}', { params: { path: { user_id } } }),
  )
  const role = is_admin ? 'admin' : 'user'
  const text = writer.list([
    ['Name', name],
    ['E-mail', email],
    ['Role', role],
    ['Id', id],
    ['Service', url],
  ])
  return { json: { url, id, name, email, is_admin }, text }
}
