import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { generatePassword } from '@judge-data-layer/process/generated-password'
import {
  createCredentialsFile,
  createPrivateFile,
  formatCredentials,
  type NewAccount,
} from '../credentials-file.ts'
import { CliError } from '../errors.ts'
import { fold } from '../find-user.ts'
import { readPeople } from '../people-csv.ts'
import { formatSlips } from '../slips.ts'
import type { Job } from './apply.ts'
import type { Lock } from './lock.ts'
import type { ServiceState } from './read-state.ts'

/** The accounts of the service with the new ones, and the files with the new passwords. */
export interface Accounts {
  readonly ids: ReadonlyMap<string, string>
  readonly files: readonly string[]
  /** The new accounts. */
  readonly onSlips: readonly NewAccount[]
  /** Addresses whose account existed already: the password in the files is not theirs. */
  readonly existing: readonly string[]
}

/**
 * Creates the missing accounts in one request. Their passwords are in a file before it is sent, so
 * that no interruption can lose them.
 */
export async function createAccounts(job: Job): Promise<Accounts> {
  const { ctx, service, differences } = job
  const ids = new Map([...service.users].map(([email, { id }]) => [email, id]))
  if (differences.accounts.length === 0) return { ids, files: [], onSlips: [], existing: [] }
  const accounts = differences.accounts.map(({ name, email, password, team }) => ({
    ...{ name, email, password: password ?? generatePassword(0) },
    ...(team !== undefined && { team }),
  }))
  const files = await writePasswords(job, accounts)
  const users = accounts.map(({ name, email, password }) => ({ name, email, password }))
  const call = ctx.client.POST('/v1/users/import', { params: { query: {} }, body: { users } })
  const imported = await orThrow(call).catch(async (err: unknown) => {
    // After a refusal there are no accounts; after a lost response there may be.
    if (err instanceof JudgeApiError && err.status < 500) await forgetPasswords(job, files)
    throw err
  })
  for (const { email, id } of imported.users) if (id !== undefined) ids.set(fold(email), id)
  // Somebody else may have created an account since the state was read: it keeps its password.
  const existing = new Set(
    imported.users.flatMap(({ outcome, email }) => (outcome === 'created' ? [] : fold(email))),
  )
  const onSlips = accounts.filter(({ email }) => !existing.has(fold(email)))
  return { ids, files, onSlips, existing: [...existing] }
}

/**
 * Writes the page of a new contest on the slips, which were made before it had an id. The files of
 * passwords are complete then: until now, the next run would name them.
 */
export async function completeSlips(
  job: Job,
  { onSlips, existing }: Accounts,
  contestId: number,
): Promise<void> {
  const { slips, contest, keeper } = job
  const isComplete = contest !== undefined && existing.length === 0
  if (slips !== undefined && !isComplete && onSlips.length > 0) {
    const complete = await createPrivateFile(`${slips}.${randomBytes(6).toString('hex')}`)
    await complete.write(slipsOf(job, onSlips, contestId))
    await rename(complete.path, slips)
  }
  await keeper.drop('credentials')
}

/** People log in on the page of the contest. */
function slipsOf(
  { ctx, wanted }: Job,
  accounts: readonly NewAccount[],
  contestId: number | undefined,
): string {
  const { address = ctx.url } = wanted
  const url = contestId === undefined ? address : `${address}/v1/contest/${contestId}`
  return formatSlips({ title: wanted.fields.title, url, accounts })
}

/** The lock names the files before they have a content, so that none is left behind. */
async function writePasswords(job: Job, accounts: readonly NewAccount[]): Promise<string[]> {
  const { wanted, keeper, slips, contest } = job
  const credentials = await createCredentialsFile(dirname(wanted.file))
  const files = [credentials.path]
  try {
    const sheet = slips === undefined ? undefined : await createPrivateFile(slips)
    if (sheet !== undefined) files.push(sheet.path)
    const paths = files.map((file, i) => (i === 0 ? basename(file) : resolve(file)))
    await keeper.update({ credentials: paths })
    await credentials.write(formatCredentials(accounts))
    await sheet?.write(slipsOf(job, accounts, contest?.event.id))
    return files
  } catch (err) {
    await Promise.all(files.map((file) => rm(file, { force: true })))
    throw err
  }
}

async function forgetPasswords({ keeper }: Job, files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })))
  await keeper.drop('credentials')
}

/** Files with passwords that an interrupted run has left. */
export interface LeftPasswords {
  readonly files: readonly string[]
  /** False: the accounts were not created. */
  readonly areValid: boolean
}

/** Finds them, if there are any. Accounts are created all or none. */
export async function findLeftPasswords(
  lockFile: string,
  { credentials = [] }: Lock,
  { users }: ServiceState,
): Promise<LeftPasswords | undefined> {
  const [name, ...others] = credentials
  if (name === undefined) return undefined
  const file = join(dirname(lockFile), name)
  const people = await readPeople(file).catch((err: unknown) => {
    // The run ended before the file was written, or somebody has moved it.
    if (err instanceof CliError || Object(err).code === 'ENOENT') return []
    throw err
  })
  return {
    files: [file, ...others],
    areValid: people.some(({ email }) => users.has(fold(email))),
  }
}
