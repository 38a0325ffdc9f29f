import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { applyDifferences } from '../contest/apply.ts'
import { completeSlips, describeExisting, settleLeftPasswords } from '../contest/apply-accounts.ts'
import { readContestFile } from '../contest/contest-file.ts'
import { findDifferences, type Job } from '../contest/differences.ts'
import { checkService, keepLock, type Lock, lockFileOf, readLock } from '../contest/lock.ts'
import { readContest, readService } from '../contest/read-state.ts'
import { recoverLock } from '../contest/recover.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { CliError, EXIT, usageError } from '../shared/errors.ts'
import { printNote, printText } from '../shared/io.ts'
import { confirm } from '../shared/prompts.ts'
import { readUserId } from '../shared/settings.ts'
import { type Cell, count, inOneLine } from '../shared/text.ts'

interface ApplyOptions {
  readonly yes?: true
  readonly dryRun?: true
  readonly force?: true
  readonly slips?: string
}

const CONTEST_FILE = 'contest.yaml'

/** Adds `contest apply`. */
export function addApplyCommand(parent: Command, cli: Cli): void {
  parent
    .command('apply')
    .description('Create the contest of a file, or change it to match the file.')
    .argument('[file]', `contest file or its folder (default: ${CONTEST_FILE} in this folder)`)
    .option('--dry-run', 'print the differences, and change nothing')
    .option('--yes', 'do not ask')
    .option(
      '--force',
      'also remove people and problems that the file does not have, change tests and times and take extra minutes after the start, or set times that are over',
    )
    .option('--slips <file>', 'write slips with the new passwords too: HTML for A4 paper, six per page')
    .addHelpText('after', EXAMPLES)
    .action(cli.action(applyFile))
}

const EXAMPLES = `
Examples:
  $ judge contest apply exam/contest.yaml --dry-run
  $ judge contest apply exam/contest.yaml --slips slips.html
  $ judge contest apply exam/contest.yaml --yes

contest.yaml:
  title: Exam
  time_zone: Europe/Berlin
  start: 2026-12-01 09:00
  duration: 3h
  problems:
    - {package: problems/sum, label: A, color: red}
  participants: people.csv

It prints the differences and asks. The ids are kept in contest.lock next to the file: keep it.
If it is interrupted, run it again. Only admins can apply a contest.`

async function applyFile(ctx: Context, path: string | undefined, options: ApplyOptions): Promise<Outcome> {
  const userId = readUserId(ctx)
  const wanted = await readContestFile(await findFile(path ?? CONTEST_FILE))
  const lockFile = lockFileOf(wanted.file)
  const stored = await readLock(lockFile)
  if (stored !== undefined) checkService(lockFile, stored, ctx.url)
  const service = await readService(ctx.client)
  const { address: _, ...former } = stored ?? { problems: {} }
  const { timeZone: time_zone, address } = wanted
  const known: Lock = { ...former, service: ctx.url, time_zone, ...(address !== undefined && { address }) }
  const lock = recoverLock(known, wanted, service, userId)
  const contest =
    lock.contest === undefined ? undefined : await readContest(ctx.client, lock.contest, lockFile)
  const { slips, force: isForced = false } = options
  const now = contest === undefined ? Date.now() : Date.parse(contest.clock.now)
  const differences = findDifferences({ wanted, lock, service, contest, isForced, now })
  const keeper = keepLock(lockFile, lock)
  const plan: Job = { ctx, wanted, service, contest, differences, keeper, slips, isForced, left: [] }
  if (differences.refusals.length > 0)
    throw usageError(`Nothing was changed.\n${differences.refusals.map((one) => `  ${one}`).join('\n')}`)
  if (options.dryRun) return describeChanges(plan, { dry_run: true })
  const hasChanges = differences.lines.length > 0
  if (hasChanges) await confirmChanges(plan, options.yes === true)
  const left = await settleLeftPasswords(lockFile, keeper, service)
  // The findings after an interruption are kept at once.
  if (stored !== undefined && !isDeepStrictEqual(keeper.lock, stored)) await keeper.update({})
  const job = { ...plan, left }
  if (hasChanges) return describeApplied(job, await applyAll(job))
  if (contest !== undefined && left.length > 0) await completeSlips(job, [], contest.event.id)
  return describeChanges(job, { credentials_files: left, notes: await describeExisting(job, left) })
}

function applyAll(job: Job) {
  return applyDifferences(job).catch((err: unknown) => {
    // A usage error says itself how to go on.
    if (!(err instanceof CliError && err.exitCode === EXIT.usage))
      printNote(job.ctx.io, 'Not everything was done. Run the same command again: it does only the rest.')
    throw err
  })
}

async function findFile(path: string): Promise<string> {
  return (await stat(path)).isDirectory() ? join(path, CONTEST_FILE) : path
}

async function confirmChanges(job: Job, isConfirmed: boolean): Promise<void> {
  const { ctx, differences } = job
  const { io, isJson, url } = ctx
  const output = isJson ? io.stderr : io.stdout
  if (!isConfirmed || !isJson) printText(output, listDifferences(job))
  if (isConfirmed) return
  const question = `Make ${count(differences.lines.length, 'change')} at ${url}?`
  await confirm(io, question, 'nothing was changed', '--yes, or --dry-run to see only the differences')
}

const COLOURS = { '+': 'green', '-': 'red', '~': 'yellow' } as const
/** More lines of a kind, such as the people of a class, are only counted; `--json` has them all. */
const MOST_OF_A_KIND = 10

function listDifferences({ ctx, differences: { lines, kept, warnings } }: Job): string {
  const changes = lines.map(({ sign, text }) => ({
    text: `${sign} ${inOneLine(text)}`,
    colour: COLOURS[sign],
  }))
  const stays = kept.map((text) => ({ text: `  kept: ${inOneLine(text)}`, colour: 'dim' as const }))
  const cautions = warnings.map((text) => ({ text: `  warning: ${text}`, colour: 'yellow' as const }))
  return [...limitKinds(changes), ...limitKinds(stays), ...cautions].map(ctx.writer.paint).join('\n')
}

type Shown = Exclude<Cell, string>

/** The texts begin with their kind, such as `+ participant`. */
function limitKinds(cells: readonly Shown[]): Cell[] {
  const kindOf = ({ text }: Shown) => /^ *\S+ \S+/.exec(text)?.[0]
  const kinds = [...new Set(cells.map(kindOf))]
  return kinds.flatMap((kind) => {
    const all = cells.filter((cell) => kindOf(cell) === kind)
    // One more line is as short as the note.
    if (all.length <= MOST_OF_A_KIND + 1) return all
    return [...all.slice(0, MOST_OF_A_KIND), `  … and ${all.length - MOST_OF_A_KIND} more`]
  })
}

const CHANGES = { '+': 'add', '-': 'remove', '~': 'change' } as const

/** Results beside the differences, as `--json` has them. */
interface Results {
  readonly dry_run?: true
  readonly notes?: readonly string[]
  readonly credentials_files?: readonly string[]
}

function describeChanges(job: Job, results: Results): Outcome {
  const isSame = job.differences.lines.length === 0
  const last = isSame ? 'No changes.' : 'Nothing was changed: --dry-run.'
  return describe(job, results, listDifferences(job), last)
}

type Applied = Awaited<ReturnType<typeof applyAll>>

function describeApplied(job: Job, { contestId, files, notes }: Applied): Outcome {
  const done = job.differences.isNew
    ? `Contest ${contestId} is created. See it with: judge contest show ${contestId}`
    : `Contest ${contestId}: ${count(job.differences.lines.length, 'change')} made.`
  return describe(job, { notes, credentials_files: files }, '', done)
}

function describe(job: Job, results: Results, list: string, last: string): Outcome {
  const { lines, kept, warnings } = job.differences
  const { contest, problems } = job.keeper.lock
  const { notes = [], credentials_files: files = [] } = results
  const passwords = files.map((file) => `Passwords: ${job.ctx.writer.paint(file)} (only you can read it)`)
  const text = [...(list === '' ? [] : [list]), ...notes, ...passwords, last].join('\n')
  const json = {
    ...(contest !== undefined && { contest_id: contest }),
    changes: lines.map(({ sign, text }) => ({ change: CHANGES[sign], text })),
    kept,
    warnings,
    problems: Object.fromEntries(Object.entries(problems).map(([path, { id }]) => [path, id])),
  }
  return { json: { ...json, ...results }, text }
}
