import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import { formatCsv } from '../shared/csv.ts'
import { CliError, describeError, exitCodeOf, usageError } from '../shared/errors.ts'
import { isFolder, replaceFile } from '../shared/files.ts'
import type { NewAccount, Person } from './people-csv.ts'
import { formatSlips, type Slips } from './slips.ts'

/** The new files with the passwords of accounts: a CSV file, and slips if wanted. */
export type PasswordFiles = Awaited<ReturnType<typeof writePasswordFiles>>

/** The places of the files, and the head of the slips. */
export interface PasswordPlaces extends Pick<Slips, 'title' | 'url'> {
  /** A file or a folder, as for `createCredentialsFile`. */
  readonly output: string | undefined
  readonly slips: string | undefined
}

/** Generates a password for each person without one. */
export function addPasswords(people: readonly Person[]): NewAccount[] {
  return people.map(({ name, email, password, team }) => ({
    ...{ name, email, password: password ?? generatePassword(0) },
    ...(team !== undefined && { team }),
  }))
}

/**
 * Writes the passwords into new files that only the user can read. `announce` gets their paths
 * before they have a content. No file remains after an error.
 */
export async function writePasswordFiles(
  accounts: readonly NewAccount[],
  { output, slips, ...head }: PasswordPlaces,
  announce: (paths: readonly string[]) => Promise<void> = async () => {},
) {
  const credentials = await createCredentialsFile(output)
  /** The CSV file is the first. */
  const paths = [credentials]
  const remove = async () => void (await Promise.all(paths.map((path) => rm(path, { force: true }))))
  const write = async (
    shown: readonly NewAccount[],
    writeText: (path: string, text: string) => Promise<void>,
  ) => {
    await writeText(credentials, formatCredentials(shown))
    if (slips !== undefined) await writeText(slips, formatSlips({ ...head, accounts: shown }))
  }
  /** Replaces each file at once: then it has only these accounts. */
  const rewrite = (shown: readonly NewAccount[]) =>
    write(shown, (path, text) => replaceFile(path, text, 0o600))
  try {
    if (slips !== undefined) paths.push(await createPrivateFile(slips))
    await announce(paths)
    // Into the announced files themselves: no other file has a password after a kill.
    await write(accounts, (path, text) => writeFile(path, text, { flush: true }))
  } catch (err) {
    await remove()
    throw err
  }
  return { paths, rewrite, remove }
}

/** False after a lost response and after an error of the service: the accounts may exist then. */
export const isRefusal = (err: unknown) => err instanceof JudgeApiError && err.status < 500

/** A refusal, with advice if the service wants longer passwords than the generated ones. */
export function explainRefusal(err: unknown): unknown {
  if (!(err instanceof JudgeApiError)) return err
  const [, least] = /password must have at least (\d+) characters/.exec(err.message) ?? []
  const { length } = generatePassword(0)
  if (least === undefined || Number(least) <= length) return err
  const advice = `Generated passwords have ${length} characters. Write longer ones into the column password of the CSV files.`
  return new CliError(`${err.message}.\n${advice}`, exitCodeOf(err), err.code)
}

/**
 * Creates the accounts that do not exist, in one request. Their passwords are in the files before,
 * so that no interruption loses them. Afterwards the files have only the created accounts; without
 * one, and after a refusal, they are removed. `users` are in the order of the request; the
 * `created` accounts have the passwords of the files.
 */
export async function importAccounts(
  client: JudgeClient,
  accounts: readonly NewAccount[],
  files: PasswordFiles,
  query: { readonly event_id?: number; readonly partial?: boolean } = {},
) {
  const users = accounts.map(({ team, ...account }) => ({
    ...account,
    ...(team !== undefined && query.event_id !== undefined && { team }),
  }))
  const call = client.POST('/v1/users/import', { params: { query }, body: { users } })
  const response = await orThrow(call).catch(async (err: unknown) => {
    if (isRefusal(err)) await files.remove()
    throw err
  })
  const created = accounts.filter((_, i) => response.users[i]?.outcome === 'created')
  if (created.length === 0) await files.remove()
  else if (created.length < accounts.length)
    await files.rewrite(created).catch((err: unknown) => {
      throw explainOldFiles(err, files)
    })
  return { users: response.users, created }
}

function explainOldFiles(err: unknown, { paths }: PasswordFiles): CliError {
  const { message, code } = describeError(err, undefined)
  return new CliError(
    `The accounts are created, and their passwords are in ${paths.join(' and ')}. The rows of accounts that existed already could not be removed: ${message}`,
    exitCodeOf(err),
    code,
  )
}

/** Creates an empty file that nobody else can read. Throws a usage error if it exists. */
async function createPrivateFile(path: string): Promise<string> {
  if (await tryCreate(path)) return path
  throw usageError(`${path} exists already. Choose another name.`)
}

/** Creates the file `output`, or one such as `credentials-20261201-090000.csv` in that folder. */
async function createCredentialsFile(output: string | undefined): Promise<string> {
  if (output !== undefined && !(await isFolder(output))) return createPrivateFile(output)
  const name = `credentials-${formatLocalTime(new Date())}`
  // Two commands may start in the same second.
  for (let number = 1; ; number += 1) {
    const path = join(output ?? '', `${name}${number === 1 ? '' : `-${number}`}.csv`)
    if (await tryCreate(path)) return path
  }
}

/** The text of the file: columns as in the file of an import. */
function formatCredentials(accounts: readonly NewAccount[]): string {
  const rows = accounts.map(({ name, email, team, password }) => [name, email, team, password])
  return formatCsv(['name', 'email', 'team', 'password'], rows)
}

/** False if the file exists. */
async function tryCreate(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (err) {
    if (Object(err).code === 'EEXIST') return false
    throw err
  }
}

/** Such as `20261201-090000`, in the time zone of the computer. */
function formatLocalTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
