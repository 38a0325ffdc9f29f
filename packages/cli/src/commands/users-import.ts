import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import type { Cli, Context, Failure, Outcome } from '../cli.ts'
import {
  createCredentialsFile,
  createPrivateFile,
  formatCredentials,
  type NewAccount,
  type PrivateFile,
} from '../credentials-file.ts'
import { isMadeSafe } from '../csv.ts'
import { CliError, describeError, EXIT, usageError } from '../errors.ts'
import { locateContest } from '../find-contest.ts'
import { type Person, readPeople } from '../people-csv.ts'
import { formatSlips, type Slips } from '../slips.ts'
import { type Cell, count } from '../text.ts'

type ImportedUser = Schemas['ImportedUser']

interface ImportOptions {
  readonly contest?: string
  readonly slips?: string
  readonly output?: string
  readonly partial?: true
}

/** Adds `users import`. */
export function addUserImportCommand(parent: Command, cli: Cli): void {
  parent
    .command('import')
    .description('Create the accounts of a CSV file, and save their passwords in a new file.')
    .argument('<file>', 'CSV file with the columns name, email, and if wanted password and team')
    .option('--contest <contest>', 'let them take part in this contest (an id, or a contest.lock)')
    .option('--slips <file>', 'write slips with the passwords too: HTML for A4 paper, six per page')
    .option('-o, --output <path>', 'new file or folder for the passwords (default: a new file here)')
    .option('--partial', 'import the others if some people are refused (default: import nobody)')
    .addHelpText('after', EXAMPLES)
    .action((file: string, options: ImportOptions, command: Command) =>
      cli.perform(command, (ctx) => importUsers(ctx, file, options)),
    )
}

const EXAMPLES = `
Examples:
  $ judge users import people.csv
  $ judge users import people.csv --contest 3 --slips slips.html
  $ judge users import people.csv --contest 3 -o passwords/

people.csv:
  name,email,team
  Nora Berg,nora@example.org,Red

The separator may also be a semicolon or a tab. Accounts that exist stay as they are, and get
no new password. The column team needs --contest. Only admins can import people.`

async function importUsers(ctx: Context, file: string, options: ImportOptions): Promise<Outcome> {
  const people = await readPeople(file)
  if (options.contest === undefined && people.some(({ team }) => team !== undefined))
    throw usageError(`${file}: has teams. Name their contest with --contest.`)
  const contest = options.contest === undefined ? undefined : await locateContest(options.contest, ctx.url)
  const eventId = contest?.id
  const title = options.slips === undefined ? '' : await readTitle(ctx, eventId)
  const url = contest === undefined ? ctx.url : `${contest.address}/v1/contest/${contest.id}`
  // The passwords are shown only once: a place for them is needed before the request.
  const files = await createFiles(options)
  const users = await send(ctx, people, eventId, options.partial).catch(async (err: unknown) => {
    await discard(files)
    throw explainLoss(err, file, ctx.url)
  })
  const accounts = users.flatMap((user, i) => toNewAccount(user, people[i]))
  if (accounts.length === 0) {
    await discard(files)
    return describeImport(ctx, people, users, {})
  }
  const written = await writeFiles(ctx, files, accounts, { title, url })
  const outcome = describeImport(ctx, people, users, files)
  return { ...outcome, text: `${outcome.text}\n${written.text}`, failures: written.failures }
}

/** The new files of an import. */
interface Files {
  readonly credentials?: PrivateFile
  readonly slips?: PrivateFile
}

async function createFiles({ output, slips }: ImportOptions): Promise<Files> {
  const credentials = await createCredentialsFile(output)
  if (slips === undefined) return { credentials }
  try {
    return { credentials, slips: await createPrivateFile(slips) }
  } catch (err) {
    await credentials.discard()
    throw err
  }
}

async function discard({ credentials, slips }: Files): Promise<void> {
  await Promise.all([credentials?.discard(), slips?.discard()])
}

async function readTitle({ client }: Context, eventId: number | undefined): Promise<string> {
  if (eventId === undefined) return 'Your account'
  const params = { path: { event_id: eventId } }
  return (await orThrow(client.GET('/v1/public/events/{event_id}', { params }))).title
}

async function send(
  { client }: Context,
  people: readonly Person[],
  eventId: number | undefined,
  isPartial = false,
): Promise<ImportedUser[]> {
  const query = { ...(eventId !== undefined && { event_id: eventId }), partial: isPartial }
  const users = people.map(({ name, email, password, team }) => ({
    ...{ name, email },
    ...(password !== undefined && { password }),
    ...(team !== undefined && { team }),
  }))
  const call = client.POST('/v1/users/import', { params: { query }, body: { users } })
  return (await orThrow(call)).users
}

/** Without a response, the accounts may exist, but nobody knows their passwords. */
function explainLoss(err: unknown, file: string, url: string): unknown {
  if (!(err instanceof NoResponseError)) return err
  const { message } = describeError(err, url)
  const advice = `The accounts may exist. Import ${file} again. If it reports that new accounts exist already, set their passwords with: judge users password EMAIL --generate`
  return new CliError(`${message}\n${advice}`, EXIT.unreachable, 'UNREACHABLE')
}

/** A created account; its password is the generated one, or else from the file. */
function toNewAccount(user: ImportedUser, person: Person | undefined): NewAccount[] {
  if (user.outcome !== 'created' || person === undefined) return []
  const { name, team, password: given = '' } = person
  return [{ name, email: user.email, password: user.password ?? given, ...(team !== undefined && { team }) }]
}

/** If a file cannot be written, the passwords are printed instead: they must not be lost. */
async function writeFiles(
  { writer }: Context,
  { credentials, slips }: Files,
  accounts: readonly NewAccount[],
  head: Pick<Slips, 'title' | 'url'>,
): Promise<{ readonly text: string; readonly failures: readonly Failure[] }> {
  const lines: string[] = []
  const failures: Failure[] = []
  const fail = (path: string, err: unknown) =>
    failures.push({
      ...describeError(err, undefined),
      message: `${path} was not written: ${err}`,
      advice: '',
    })
  const rows = formatCredentials(accounts)
  try {
    await credentials?.write(rows)
    lines.push(`Passwords: ${writer.paint(credentials?.path ?? '')} (only you can read it)`)
  } catch (err) {
    fail(credentials?.path ?? '', err)
    lines.push(`Copy the passwords from here:\n${writer.paint(rows.slice(1))}`)
  }
  if (accounts.some(({ password }) => isMadeSafe(password)))
    lines.push('In that file, passwords that begin with = + - @ have an apostrophe in front: leave it out.')
  if (slips === undefined) return { text: lines.join('\n'), failures }
  await slips.write(formatSlips({ ...head, accounts })).then(
    () => lines.push(`Slips: ${writer.paint(slips.path)} (print on A4, without margins of the browser)`),
    (err: unknown) => fail(slips.path, err),
  )
  return { text: lines.join('\n'), failures }
}

const OUTCOMES = {
  created: { text: 'created', colour: 'green' },
  exists: { text: 'exists', colour: 'yellow' },
  refused: { text: 'refused', colour: 'red' },
} as const satisfies Record<ImportedUser['outcome'], Cell>

function describeImport(
  { writer }: Context,
  people: readonly Person[],
  users: readonly ImportedUser[],
  { credentials, slips }: Files,
): Outcome {
  const rows = users.map(({ email, outcome, error = '' }, i): Cell[] => [
    ...[people[i]?.name ?? '', email, OUTCOMES[outcome], error],
  ])
  const number = (wanted: ImportedUser['outcome']) => users.filter(({ outcome }) => outcome === wanted).length
  const refused = number('refused')
  const note = refused === 0 ? '' : `, ${refused} refused`
  const total = `${count(number('created'), 'new account')}, ${number('exists')} existed${note}.`
  return {
    json: {
      users: users.map(({ password: _, ...user }, i) => ({ name: people[i]?.name, ...user })),
      ...(credentials && { credentials_file: credentials.path }),
      ...(slips && { slips_file: slips.path }),
    },
    text: `${writer.table(['Name', 'E-mail', 'Outcome', ''], rows)}\n\n${total}`,
    exitCode: refused === 0 ? EXIT.done : EXIT.rejected,
  }
}
