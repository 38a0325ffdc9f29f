import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import type { Command } from 'commander'
import {
  addPasswords,
  explainRefusal,
  importAccounts,
  isRefusal,
  type PasswordFiles,
  writePasswordFiles,
} from '../accounts/new-accounts.ts'
import { type Person, readPeople } from '../accounts/people-csv.ts'
import { locateContest } from '../contest/find-contest.ts'
import { findUser } from '../lookup/find-user.ts'
import { readEvent } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { isMadeSafe } from '../shared/csv.ts'
import { adviceFor, CliError, describeError, EXIT, exitCodeOf, usageError } from '../shared/errors.ts'
import { askSecret, readStdin } from '../shared/prompts.ts'
import { readUserId } from '../shared/settings.ts'
import { type Cell, count, inOneLine } from '../shared/text.ts'

type ImportedUser = Schemas['ImportedUser']

interface ImportOptions {
  readonly contest?: string
  readonly slips?: string
  readonly output?: string
  readonly partial?: true
}

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
  addImportCommand(users, cli)
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
  const { client, io, writer } = ctx
  if (options.passwordStdin && options.generate)
    throw usageError('Give either --password-stdin or --generate.')
  const ownId = readUserId(ctx)
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

function choosePassword({ io }: Context, options: PasswordOptions): Promise<string> | string {
  if (options.generate) return generatePassword(LEAST_CHARACTERS)
  return options.passwordStdin
    ? readStdin(io)
    : askSecret(io, 'New password: ', '--password-stdin or --generate')
}

function addImportCommand(parent: Command, cli: Cli): void {
  parent
    .command('import')
    .description('Create the accounts of a CSV file, and save their passwords in a new file.')
    .argument('<file>', 'CSV file with the columns name, email, and if wanted password and team')
    .option('--contest <contest>', 'let them take part in this contest (an id, or a contest.lock)')
    .option('--slips <file>', 'write slips with the passwords too: HTML for A4 paper, six per page')
    .option('-o, --output <path>', 'new file or folder for the passwords (default: a new file here)')
    .option('--partial', 'import the others if some people are refused (default: import nobody)')
    .addHelpText('after', IMPORT_EXAMPLES)
    .action(cli.action(importUsers))
}

const IMPORT_EXAMPLES = `
Examples:
  $ judge users import people.csv
  $ judge users import people.csv --contest 3 --slips slips.html
  $ judge users import people.csv --contest 3 -o passwords/

people.csv:
  name,email,team
  Nora Berg,nora@example.org,Red

The separator may also be a semicolon or a tab. Accounts that exist stay as they are, and get
no new password. The column team needs --contest. Only admins can import people.
If the response is lost, keep the file of the passwords, and import the people again.`

async function importUsers(ctx: Context, file: string, options: ImportOptions): Promise<Outcome> {
  const { people, warnings } = await readPeople(file, 'accounts')
  for (const one of warnings) ctx.io.stderr.write(`${ctx.writer.paint(`warning: ${inOneLine(one)}.`)}\n`)
  if (options.contest === undefined && people.some(({ team }) => team !== undefined))
    throw usageError(`${file}: has teams. Name their contest with --contest.`)
  const contest = options.contest === undefined ? undefined : await locateContest(options.contest, ctx.url)
  const { output, slips, partial = false } = options
  const event = slips !== undefined && contest ? await readEvent(ctx.client, contest.id) : undefined
  const title = event?.title ?? 'Your account'
  const url = contest === undefined ? ctx.url : `${contest.address}/v1/contest/${contest.id}`
  const accounts = addPasswords(people)
  const files = await writePasswordFiles(accounts, { output, slips, title, url })
  const query = { ...(contest !== undefined && { event_id: contest.id }), partial }
  const imported = await importAccounts(ctx.client, accounts, files, query).catch((err: unknown) => {
    throw explainLoss(err, file, files, ctx.url)
  })
  return describeImport(ctx, people, imported, files)
}

/** After a lost response or an error of the service, the accounts may exist. */
function explainLoss(err: unknown, file: string, { paths }: PasswordFiles, url: string): unknown {
  if (err instanceof CliError) return err
  if (isRefusal(err)) return explainRefusal(err)
  const { message, code } = describeError(err, url)
  const [credentials = ''] = paths
  const lines = [
    ...[message, adviceFor(err)].filter((line) => line !== ''),
    `The accounts may exist all the same. Keep ${paths.join(' and ')}, and import ${file} again.`,
    `New accounts that it reports as existing were created by this import: their passwords are in ${credentials}.`,
    'If it creates them, use the passwords of its own new file.',
  ]
  return new CliError(lines.join('\n'), exitCodeOf(err), code)
}

const OUTCOMES = {
  created: { text: 'created', colour: 'green' },
  exists: { text: 'exists', colour: 'yellow' },
  refused: { text: 'refused', colour: 'red' },
} as const satisfies Record<ImportedUser['outcome'], Cell>

function describeImport(
  { writer }: Context,
  people: readonly Person[],
  { users, created }: Awaited<ReturnType<typeof importAccounts>>,
  files: PasswordFiles,
): Outcome {
  const rows = users.map(({ email, outcome, error = '' }, i): Cell[] => [
    ...[people[i]?.name ?? '', email, OUTCOMES[outcome], error],
  ])
  const number = (wanted: ImportedUser['outcome']) => users.filter(({ outcome }) => outcome === wanted).length
  const refused = number('refused')
  const note = refused === 0 ? '' : `, ${refused} refused`
  const total = `${count(created.length, 'new account')}, ${number('exists')} existed${note}.`
  const [credentials, slips] = created.length === 0 ? [] : files.paths
  const lines = [
    ...(credentials === undefined ? [] : [`Passwords: ${writer.paint(credentials)} (only you can read it)`]),
    ...(created.some(({ password }) => isMadeSafe(password)) ? [APOSTROPHES] : []),
    ...(slips ? [`Slips: ${writer.paint(slips)} (print on A4, without margins of the browser)`] : []),
  ]
  return {
    json: {
      users: users.map((user, i) => ({ name: people[i]?.name, ...user })),
      ...(credentials !== undefined && { credentials_file: credentials }),
      ...(slips !== undefined && { slips_file: slips }),
    },
    text: [`${writer.table(['Name', 'E-mail', 'Outcome', ''], rows)}\n`, total, ...lines].join('\n'),
    exitCode: refused === 0 ? EXIT.done : EXIT.rejected,
  }
}

const APOSTROPHES =
  'In that file, passwords that begin with = + - @ have an apostrophe in front: leave it out.'
