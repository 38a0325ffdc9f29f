import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fold } from '@judge-data-layer/runtime/visible-text'
import {
  addPasswords,
  explainRefusal,
  importAccounts,
  isRefusal,
  writePasswordFiles,
} from '../accounts/new-accounts.ts'
import { readPeople } from '../accounts/people-csv.ts'
import { replaceAddress } from '../accounts/slips.ts'
import { CliError } from '../shared/errors.ts'
import { ignoreMissing, replaceFile } from '../shared/files.ts'
import type { Job } from './differences.ts'
import type { LockKeeper } from './lock.ts'
import type { ServiceState } from './read-state.ts'

/**
 * Creates the missing accounts in one request. The passwords are in `files` next to the contest
 * file, the slips in the second one. `existing` are addresses whose account somebody else has
 * created since the state was read.
 */
export async function createAccounts(job: Job) {
  const { ctx, wanted, service, differences, keeper, slips, contest } = job
  const ids = new Map([...service.users].map(([email, { id }]) => [email, id]))
  if (differences.accounts.length === 0) return { ids, files: [], existing: [] }
  const accounts = addPasswords(differences.accounts)
  const places = { output: dirname(wanted.file), slips, title: wanted.fields.title }
  const head = { ...places, url: pageOf(job, contest?.event.id) }
  // The lock names the files before they have a content, so that none is left behind.
  const files = await writePasswordFiles(accounts, head, ([credentials = '', ...others]) =>
    keeper.update({ credentials: [basename(credentials), ...others.map((path) => resolve(path))] }),
  )
  const { users, created } = await importAccounts(ctx.client, accounts, files).catch(async (err: unknown) => {
    if (isRefusal(err)) await keeper.drop('credentials')
    throw explainRefusal(err)
  })
  for (const { email, id } of users) if (id !== undefined) ids.set(fold(email), id)
  const existing = users.flatMap(({ outcome, email }) => (outcome === 'created' ? [] : email))
  return { ids, files: created.length === 0 ? [] : files.paths, existing }
}

/**
 * Writes the page of the contest on the slips, also on those that an interrupted run has made
 * before the contest had an id. Until then, the lock names the files of passwords.
 */
export async function completeSlips(job: Job, files: readonly string[], contestId: number): Promise<void> {
  for (const [, slips] of [job.left, files])
    if (slips !== undefined) await completeFile(job, slips, contestId)
  await job.keeper.drop('credentials')
}

async function completeFile(job: Job, slips: string, contestId: number): Promise<void> {
  // Somebody may have moved the slips of an interrupted run.
  const html = await readFile(slips, 'utf8').catch(ignoreMissing)
  if (html === undefined) return
  const complete = replaceAddress(html, pageOf(job, contestId))
  if (complete !== html) await replaceFile(slips, complete, 0o600)
}

/**
 * Says who gets no new password, and that slips were not written. `files` are all files with
 * passwords; those that an interrupted run has left have the passwords of some accounts.
 */
export async function describeExisting(job: Job, files: readonly string[]): Promise<string[]> {
  const { slips, differences, left } = job
  const [credentials] = left
  const earlier = credentials === undefined ? [] : (await readPeople(credentials, 'accounts')).people
  const withPassword = new Set(earlier.map(({ email }) => fold(email)))
  const known = differences.known.filter((email) => !withPassword.has(email))
  const notes: string[] = []
  const are = known.length === 1 ? 'account exists' : 'accounts exist'
  const noSlips = slips === undefined ? '' : ' and no slips'
  if (known.length > 0) notes.push(`${known.length} ${are} already: no new passwords${noSlips} for them.`)
  if (slips !== undefined && files.length === 0)
    notes.push(`${slips} was not written: all accounts exist already.`)
  if (notes.length > 0) notes.push('To set a new password: judge users password EMAIL --generate')
  return notes.map(job.ctx.writer.paint)
}

/** People log in on the page of the contest. */
function pageOf({ ctx, wanted }: Job, contestId: number | undefined): string {
  const { address = ctx.url } = wanted
  return contestId === undefined ? address : `${address}/v1/contest/${contestId}`
}

/**
 * Finds the files of passwords that an interrupted run has left. Deletes them if the accounts were
 * not created: they are created all or none.
 */
export async function settleLeftPasswords(
  lockFile: string,
  { lock: { credentials = [] }, drop }: LockKeeper,
  { users }: ServiceState,
): Promise<readonly string[]> {
  const [name, ...others] = credentials
  if (name === undefined) return []
  const files = [join(dirname(lockFile), name), ...others]
  const [file = ''] = files
  const { people } = await readPeople(file, 'accounts').catch((err: unknown) => {
    // The run ended before the file was written, or somebody has moved it.
    if (err instanceof CliError || Object(err).code === 'ENOENT') return { people: [] }
    throw err
  })
  if (people.some(({ email }) => users.has(fold(email)))) return files
  await Promise.all(files.map((one) => rm(one, { force: true })))
  await drop('credentials')
  return []
}
