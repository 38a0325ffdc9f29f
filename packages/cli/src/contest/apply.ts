import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { fold } from '@judge-data-layer/runtime/visible-text'
import pLimit from 'p-limit'
import { readClock } from '../lookup/problems-and-contests.ts'
import { CliError, describeError, exitCodeOf, usageError } from '../shared/errors.ts'
import { startProgress } from '../shared/io.ts'
import { describeWarning, uploadPackage } from '../shared/package-api.ts'
import { formatBytes } from '../shared/text.ts'
import { completeSlips, createAccounts, describeExisting } from './apply-accounts.ts'
import { hasStarted } from './comparison.ts'
import type { WantedProblem } from './contest-file.ts'
import type { Job } from './differences.ts'
import { movesTimes } from './field-differences.ts'
import { settingsOf } from './problem-differences.ts'
import type { ContestState } from './read-state.ts'

const REQUESTS_AT_ONCE = 4
const PEOPLE_AT_ONCE = 2000

/**
 * Makes the service match the file. After an interruption at any point, the next run completes it:
 * the lock knows each record that was created, or may have been. `files` have the new passwords.
 */
export async function applyDifferences(job: Job) {
  if (dependsOnStart(job)) await refuseAfterStart(job)
  const accounts = await createAccounts(job)
  const { ids, files } = accounts
  const warnings = await sendPackages(job)
  const contestId = await (job.contest === undefined
    ? createContest(job, ids)
    : changeContest(job, job.contest, ids))
  await completeSlips(job, files, contestId)
  const removals = await changeProblems(job, contestId)
  if (job.differences.takesMinutes) await refuseAfterStart(job)
  await changePeople(job, contestId, ids)
  const kept = accounts.existing.map((email) =>
    job.ctx.writer.paint(`${email} has an account already, which keeps its password.`),
  )
  const all = [...job.left, ...files]
  const existing = await describeExisting(job, all)
  return { contestId, files: all, notes: [...warnings, ...removals, ...kept, ...existing] }
}

/** True if the differences need `--force` once the contest has started. */
const dependsOnStart = ({ differences: { fields, replacements, takesMinutes } }: Job) =>
  movesTimes(fields) || replacements.length > 0 || takesMinutes

/**
 * Asks the service again whether the contest has started: it may have since its state was read.
 * Then throws a usage error, unless `--force` is given. Call it just before a write that needs it.
 */
async function refuseAfterStart({ ctx, contest, isForced }: Job): Promise<void> {
  if (contest === undefined || isForced) return
  const clock = await readClock(ctx.client, contest.event.id)
  if (!hasStarted({ ...contest, clock })) return
  throw usageError(
    'The contest has started in the meantime. Its times, its tests and extra minutes stay as they are, and nothing more was changed. Run the command again: it says how to make the file agree, or what --force would change.',
  )
}

/** Imports new packages as private problems, and replaces the changed ones. Returns warnings. */
async function sendPackages(job: Job): Promise<string[]> {
  const { imports, replacements } = job.differences
  const sent = [...imports, ...replacements]
  const bytes = sent.reduce((sum, { source }) => sum + source.bytes, 0)
  const progress = startProgress(job.ctx.io, 'Uploading', bytes, formatBytes(bytes))
  const warnings: string[] = []
  try {
    for (const problem of sent) {
      progress.advance(0, problem.path)
      warnings.push(...(await sendPackage(job, problem, (read) => progress.advance(read))))
    }
  } finally {
    progress.stop()
  }
  return warnings
}

async function sendPackage(
  job: Job,
  problem: WantedProblem,
  onRead: (bytes: number) => void,
): Promise<string[]> {
  const { ctx, keeper } = job
  const { path, source } = problem
  const known = keeper.lock.problems[path]
  if (known !== undefined) await refuseAfterStart(job)
  const upload = { zip: source.open(onRead), zipBytes: source.zipBytes }
  try {
    await markSent(job, problem)
    const report = await uploadPackage(ctx, known?.id, upload)
    await markStored(job, problem, report.problem_id)
    return report.warnings.map(
      (warning) => `${ctx.writer.paint(path)}: ${describeWarning(ctx.writer, warning)}`,
    )
  } catch (err) {
    upload.zip.destroy()
    const { message, code } = describeError(err, ctx.url)
    throw new CliError(`${path}: ${message}`, exitCodeOf(err), code)
  }
}

/** Until the response arrives, nobody knows whether the service has the package. */
function markSent({ keeper, service }: Job, { path }: WantedProblem): Promise<void> {
  const { problems, importing = {} } = keeper.lock
  const known = problems[path]
  if (known !== undefined) return keeper.update({ problems: { ...problems, [path]: { id: known.id } } })
  const ids = [...service.problems, ...Object.values(problems)].map(({ id }) => id)
  return keeper.update({ importing: { ...importing, [path]: { after: Math.max(0, ...ids) } } })
}

async function markStored({ keeper }: Job, { path, hash }: WantedProblem, id: number): Promise<void> {
  const { [path]: _, ...importing } = keeper.lock.importing ?? {}
  await keeper.update({ problems: { ...keeper.lock.problems, [path]: { id, package: hash } }, importing })
  if (Object.keys(importing).length === 0) await keeper.drop('importing')
}

/** The ids of accounts by their e-mail addresses. */
type Ids = ReadonlyMap<string, string>

function staffOf({ differences: { staff } }: Job, ids: Ids): { staff?: string[] } {
  if (staff === undefined) return {}
  return { staff: [...staff.keptIds, ...staff.emails.flatMap((email) => ids.get(email) ?? [])] }
}

async function createContest(job: Job, ids: Ids): Promise<number> {
  const { ctx, wanted, service, differences, keeper } = job
  const { title = '', start_time = '', end_time = '', ...fields } = differences.fields
  const problems = wanted.problems.map((problem) => ({
    problem_id: problemId(job, problem),
    ...dropNulls(settingsOf(problem)),
  }))
  const after = Math.max(0, ...service.events.map(({ id }) => id))
  await keeper.update({ creating: { after, title, problems: problems.map((one) => one.problem_id) } })
  const body = { title, start_time, end_time, ...dropNulls(fields), problems, ...staffOf(job, ids) }
  const { id } = await orThrow(ctx.client.POST('/v1/events', { body }))
  await keeper.update({ contest: id })
  await keeper.drop('creating')
  return id
}

async function changeContest(job: Job, { event }: ContestState, ids: Ids): Promise<number> {
  const body: Schemas['EventUpdateBody'] = { ...job.differences.fields, ...staffOf(job, ids) }
  const params = { path: { event_id: event.id } }
  if (movesTimes(body)) await refuseAfterStart(job)
  if (Object.keys(body).length > 0)
    await orThrow(job.ctx.client.PUT('/v1/events/{event_id}', { params, body }))
  return event.id
}

/** Returns notes on problems that could not be removed. */
async function changeProblems(job: Job, event_id: number): Promise<string[]> {
  const { ctx, differences } = job
  const { client } = ctx
  const change = (event_problem_id: number, body: Schemas['EventProblemUpdateBody']) => {
    const params = { path: { event_id, event_problem_id } }
    return orThrow(client.PUT('/v1/events/{event_id}/problems/{event_problem_id}', { params, body }))
  }
  const notes: string[] = []
  for (const { id: event_problem_id, problem } of differences.removed) {
    const params = { path: { event_id, event_problem_id } }
    const call = client.DELETE('/v1/events/{event_id}/problems/{event_problem_id}', { params })
    const isRemoved = await succeeds(orThrow(call), 'PROBLEM_HAS_SUBMISSIONS')
    if (isRemoved) continue
    await change(event_problem_id, { hidden: true })
    notes.push(ctx.writer.paint(`"${problem.title}" has submissions: it is hidden, not removed.`))
  }
  for (const problem of differences.added) {
    const body = { problem_id: problemId(job, problem), ...settingsOf(problem) }
    const params = { path: { event_id } }
    await orThrow(client.POST('/v1/events/{event_id}/problems', { params, body }))
  }
  for (const { eventProblemId, settings } of differences.changed) await change(eventProblemId, settings)
  return notes
}

async function changePeople({ ctx, differences }: Job, event_id: number, ids: Ids): Promise<void> {
  const { client } = ctx
  const { joining, teams, leaving } = differences
  const limit = pLimit(REQUESTS_AT_ONCE)
  const people = joining.flatMap(({ email, body }) => {
    const user_id = ids.get(fold(email))
    return user_id === undefined ? [] : [{ user_id, body }]
  })
  await limit.map(people, ({ user_id, body }) => {
    const params = { path: { event_id, user_id } }
    return orThrow(client.PUT('/v1/events/{event_id}/participants/{user_id}', { params, body }))
  })
  await limit.map(leaving, ({ id: user_id }) => {
    const params = { path: { event_id, user_id } }
    const call = client.DELETE('/v1/events/{event_id}/participants/{user_id}', { params })
    return succeeds(orThrow(call), 'NOT_FOUND')
  })
  for (let from = 0; from < teams.length; from += PEOPLE_AT_ONCE) {
    const users = teams.slice(from, from + PEOPLE_AT_ONCE)
    const params = { query: { event_id } }
    await orThrow(client.POST('/v1/users/import', { params, body: { users } }))
  }
}

/** False after the error with this code. */
async function succeeds(call: Promise<unknown>, code: string): Promise<boolean> {
  try {
    await call
    return true
  } catch (err) {
    if (err instanceof JudgeApiError && err.code === code) return false
    throw err
  }
}

function problemId({ keeper }: Job, { path }: WantedProblem): number {
  const id = keeper.lock.problems[path]?.id
  if (id === undefined) throw new Error(`${path} was not imported`)
  return id
}

type WithoutNulls<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null> }

/** A new record has no rules to remove. */
function dropNulls<Fields extends object>(fields: Fields): WithoutNulls<Fields>
function dropNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
