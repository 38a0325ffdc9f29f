import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { generatePassword } from '@judge-data-layer/runtime/generated-password'
import { CliError, describeError, exitCodeOf } from '../shared/errors.ts'
import { replaceFile } from '../shared/files.ts'
import {
  createCredentialsFile,
  createPrivateFile,
  formatCredentials,
  type NewAccount,
  type PrivateFile,
} from './credentials-file.ts'
import type { Person } from './people-csv.ts'
import { formatSlips, type Slips } from './slips.ts'

/** The new files with the passwords of accounts: a CSV file, and slips if wanted. */
export interface PasswordFiles {
  /** The CSV file is the first. */
  readonly paths: readonly string[]
  /** Rewrites the files at once, with these accounts only. */
  rewrite(accounts: readonly NewAccount[]): Promise<void>
  remove(): Promise<void>
}

/** The places of the files, and the head of the slips. */
export interface PasswordPlaces extends Pick<Slips, 'title' | 'url'> {
  /** A file or a folder, as for `createCredentialsFile`. */
  readonly output: string | undefined
  readonly slips: string | undefined
}

/** The response to an import. */
export interface ImportedAccounts {
  /** In the order of the request. */
  readonly users: readonly Schemas['ImportedUser'][]
  /** The accounts that have the passwords of the files. */
  readonly created: readonly NewAccount[]
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
): Promise<PasswordFiles> {
  const files: PrivateFile[] = [await createCredentialsFile(output)]
  const remove = async () => void (await Promise.all(files.map((file) => file.discard())))
  const format = (shown: readonly NewAccount[]) =>
    files.map((file, i) => ({
      file,
      text: i === 0 ? formatCredentials(shown) : formatSlips({ ...head, accounts: shown }),
    }))
  try {
    if (slips !== undefined) files.push(await createPrivateFile(slips))
    await announce(files.map(({ path }) => path))
    for (const { file, text } of format(accounts)) await file.write(text)
  } catch (err) {
    await remove()
    throw err
  }
  return {
    paths: files.map(({ path }) => path),
    remove,
    async rewrite(created) {
      for (const { file, text } of format(created)) await replaceFile(file.path, text, 0o600)
    },
  }
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
 * one, and after a refusal, they are removed.
 */
export async function importAccounts(
  client: JudgeClient,
  accounts: readonly NewAccount[],
  files: PasswordFiles,
  query: { readonly event_id?: number; readonly partial?: boolean } = {},
): Promise<ImportedAccounts> {
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
