import { CliError, describeError, exitCodeOf } from '../shared/errors.ts'
import { describeWarning } from '../shared/package-warning.ts'
import { startProgress } from '../shared/progress.ts'
import { formatBytes } from '../shared/text.ts'
import type { WantedProblem } from './contest-file.ts'
import type { Job } from './job.ts'
import { refuseAfterStart } from './start-guard.ts'

/** Imports new packages as private problems, and replaces the changed ones. Returns warnings. */
export async function sendPackages(job: Job): Promise<string[]> {
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
    const report = await ctx.packages.upload(known?.id, upload, {})
    await markStored(job, problem, report.problem_id)
    return report.warnings.map((warning) => `${ctx.writer.paint(path)}: ${describeWarning(ctx, warning)}`)
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
