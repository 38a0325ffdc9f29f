import type { Schemas } from '@judge-data-layer/client'
import { type Command, InvalidArgumentError, Option } from 'commander'
import pLimit from 'p-limit'
import { findProblem, readTitle } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Failure, Outcome } from '../shared/cli.ts'
import { adviceFor, describeError, EXIT, type ExitCode, exitCodeOf, usageError } from '../shared/errors.ts'
import { startProgress } from '../shared/io.ts'
import { describeWarning, uploadPackage } from '../shared/package-api.ts'
import { findPackage, type PackageSource } from '../shared/package-source.ts'
import { requireToken } from '../shared/settings.ts'
import { count, formatBytes, type Writer } from '../shared/text.ts'
import { timeoutOption } from '../shared/waits.ts'
import { describeVerification, verifyProblems } from './verify.ts'

type ImportReport = Schemas['ImportedPackage']

interface ImportOptions {
  readonly public?: true
  readonly verify?: true
  readonly difficulty?: string
  readonly replace?: string
  readonly timeout: number
}

interface Imported {
  readonly path: string
  readonly report?: ImportReport
  readonly verification?: Schemas['Verification']
  readonly failure?: Failure
  readonly exitCode: ExitCode
}

const UPLOADS_AT_ONCE = 4
const DIFFICULTIES = ['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD']

/** Adds `problem import`. */
export function addImportCommand(parent: Command, cli: Cli): void {
  parent
    .command('import')
    .description('Import problem packages: zips or folders.')
    .argument('<path...>', 'zip or folder of a package')
    .option('--public', 'show the problems to all users')
    .option('--verify', 'then judge the programs of each package; exit code 1 unless all agree')
    .addOption(
      new Option('--difficulty <difficulty>', `one of: ${DIFFICULTIES.join(', ')}`).argParser(readDifficulty),
    )
    .addOption(timeoutOption('--verify'))
    .option('--replace <problem>', 'replace this problem (id or identifier) with the package')
    .addHelpText('after', EXAMPLES)
    .action(cli.action(importPackages))
}

const EXAMPLES = `
Examples:
  $ judge problem import sum.zip
  $ judge problem import problems/* --public --difficulty "very easy"
  $ judge problem import sum/ --verify
  $ judge problem import sum/ --replace 7

New problems are private, and MEDIUM unless --difficulty says otherwise.
A replaced problem keeps its id and its submissions. It also keeps its visibility and
its difficulty, unless --public, --difficulty or an exported package says otherwise.
Of a folder, hidden files and folders such as .git are left out.`

async function importPackages(ctx: Context, paths: string[], options: ImportOptions): Promise<Outcome> {
  if (options.replace !== undefined && paths.length > 1)
    throw usageError('--replace takes exactly one package.')
  const sources = await Promise.all(paths.map((path) => tryFind(ctx, path, paths.length)))
  if (sources.some((source) => 'open' in source)) requireToken(ctx)
  const problemId = options.replace === undefined ? undefined : await findProblem(ctx.client, options.replace)
  const oldTitle = problemId === undefined ? undefined : await readTitle(ctx.client, problemId)
  const imported = await uploadPackages(ctx, sources, options, problemId)
  const results = options.verify ? await verifyImported(ctx, imported, options.timeout) : imported
  const isReplaced = problemId !== undefined && results.some(({ report }) => report !== undefined)
  const newTitle = isReplaced ? await readTitle(ctx.client, problemId).catch(() => undefined) : undefined
  const replaced =
    newTitle === undefined ? '' : `${ctx.writer.paint(`"${oldTitle}" is now "${newTitle}"`)}.\n`
  const json = results.map(({ path, report, verification, failure }) => {
    const error = failure && { code: failure.code, message: failure.message }
    return { path, ...report, ...(verification && { verification }), ...(error && { error }) }
  })
  return {
    json,
    text: replaced + describeResults(ctx.writer, results, isReplaced),
    failures: results.flatMap(({ failure }) => failure ?? []),
    // The codes are in the order of their weight.
    exitCode: results.reduce<ExitCode>((worst, { exitCode }) => (exitCode > worst ? exitCode : worst), 0),
  }
}

/** A path without a package fails alone: the other packages are imported. */
async function tryFind({ url }: Context, path: string, paths: number): Promise<PackageSource | Imported> {
  try {
    return await findPackage(path)
  } catch (err) {
    const failed = { path, ...failWith(path, err, url) }
    return paths > 1 ? { ...failed, exitCode: EXIT.rejected } : failed
  }
}

async function uploadPackages(
  ctx: Context,
  sources: readonly (PackageSource | Imported)[],
  options: ImportOptions,
  problemId: number | undefined,
): Promise<Imported[]> {
  const bytes = sources.reduce((sum, source) => sum + ('open' in source ? source.bytes : 0), 0)
  const progress = startProgress(ctx.io, 'Uploading', bytes, formatBytes(bytes))
  const fields = {
    ...(options.public && { public: true }),
    ...(options.difficulty !== undefined && { difficulty: options.difficulty }),
  }
  let done = 0
  const upload = async (source: PackageSource | Imported): Promise<Imported> => {
    if (!('open' in source)) return source
    const { path, zipBytes } = source
    const zip = source.open((read) => progress.advance(read))
    try {
      const report = await uploadPackage(ctx, problemId, { zip, zipBytes }, fields)
      return { path, report, exitCode: EXIT.done }
    } catch (err) {
      return { path, ...failWith(path, err, ctx.url) }
    } finally {
      done += 1
      progress.advance(0, `${done} of ${count(sources.length, 'package')}, ${formatBytes(bytes)}`)
    }
  }
  try {
    return await pLimit(UPLOADS_AT_ONCE).map(sources, upload)
  } finally {
    progress.stop()
  }
}

/** Verifies the new problems. They stay, even if their programs do not agree. */
async function verifyImported(
  ctx: Context,
  imported: readonly Imported[],
  timeout: number,
): Promise<Imported[]> {
  const ids = imported.flatMap(({ report }) => report?.problem_id ?? [])
  const verified = new Map((await verifyProblems(ctx, ids, { timeout })).map((one) => [one.problemId, one]))
  return imported.map((result) => {
    const { report, err } = verified.get(result.report?.problem_id ?? -1) ?? {}
    if (report !== undefined)
      return { ...result, verification: report, exitCode: report.agrees ? EXIT.done : EXIT.rejected }
    return err === undefined ? result : { ...result, ...failWith(result.path, err, ctx.url) }
  })
}

const failWith = (path: string, err: unknown, url: string) => {
  const { code, message: text } = describeError(err, url)
  const message = text.startsWith(path) ? text : `${path}: ${text}`
  return { failure: { code, message, advice: adviceFor(err) }, exitCode: exitCodeOf(err) }
}

function describeResults(writer: Writer, results: readonly Imported[], isReplaced: boolean): string {
  const blocks = results.flatMap((result) => describeResult(writer, result, isReplaced))
  const total = count(results.length, 'package')
  return [...blocks, ...(results.length > 1 ? [`${blocks.length} of ${total} imported`] : [])].join('\n')
}

function describeResult(
  writer: Writer,
  { path, report, verification }: Imported,
  isReplaced: boolean,
): string[] {
  if (report === undefined) return []
  const label = writer.paint({ text: `problem ${report.problem_id}`, colour: 'green' })
  const lines = [`${writer.paint(path)}: ${label} (${describeCounts(report.imported)})`]
  for (const warning of report.warnings) {
    lines.push(`  ${describeWarning(writer, warning)}`)
    const { problem_id: other } = warning
    if (other === undefined || isReplaced) continue
    lines.push(
      `  To replace problem ${other} instead: judge problem import --replace ${other} ${writer.paint(path)}`,
      `  To delete the new problem: judge problem delete ${report.problem_id}`,
    )
  }
  if (verification !== undefined) lines.push('', describeVerification(writer, verification), '')
  return [lines.join('\n')]
}

/** `12 test cases, 1 statement`, from the names of the service's counts. */
function describeCounts(imported: ImportReport['imported']): string {
  return Object.entries(imported)
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number} ${number === 1 ? toSingular(name) : name}`.replaceAll('_', ' '))
    .join(', ')
}

const toSingular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '')

function readDifficulty(text: string): string {
  const found = DIFFICULTIES.find((one) => one === text.toUpperCase())
  if (found !== undefined) return found
  throw new InvalidArgumentError(`It must be one of: ${DIFFICULTIES.join(', ')}.`)
}
