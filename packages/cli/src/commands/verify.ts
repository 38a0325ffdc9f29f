import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import pLimit from 'p-limit'
import { findProblem } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { CliError, EXIT } from '../shared/errors.ts'
import { printNote, startProgress } from '../shared/io.ts'
import { type Cell, colourVerdict, count, formatSeconds, type Writer } from '../shared/text.ts'
import { readPatiently, readWhilePending, timeoutOption, waitAtMost } from '../shared/waits.ts'

type Verification = Schemas['Verification']

const VERIFICATIONS_AT_ONCE = 4
const LONGEST_PAUSE_MS = 1000
const VERIFICATIONS = '/v1/problem_packages/{problem_id}/verifications'
const VERIFICATION = `${VERIFICATIONS}/{verification_id}` as const

/** Times in seconds. */
export interface VerifyOptions {
  readonly verification?: string
  readonly timeout: number
}

/** Adds `problem verify`. */
export function addVerifyCommand(parent: Command, cli: Cli): void {
  parent
    .command('verify')
    .description('Judge the programs of a package and compare the verdicts with the expected ones.')
    .argument('<problem>', 'id or identifier of the problem')
    .option('--verification <id>', 'wait for this verification instead of a new one')
    .addOption(timeoutOption())
    .addHelpText('after', EXAMPLES)
    .action(cli.action(verifyProblem))
}

const EXAMPLES = `
Examples:
  $ judge problem verify 7
  $ judge problem verify sum --json --timeout 600
  $ judge problem verify 7 --verification 019ba72d-4300-762a-a12c-358923b79fbd

The folder of a program says which verdict is expected: submissions/accepted,
submissions/wrong_answer and so on. The exit code is 1 unless all results are as expected.`

async function verifyProblem(ctx: Context, name: string, options: VerifyOptions): Promise<Outcome> {
  const id = await findProblem(ctx.client, name)
  const [found] = await verifyProblems(ctx, [id], options)
  if (found?.report === undefined) throw found?.err
  const exitCode = found.report.agrees === true ? EXIT.done : EXIT.rejected
  return { json: found.report, text: describeVerification(ctx.writer, found.report), exitCode }
}

/** A finished verification, or the error that prevented it. */
export interface Verified {
  readonly problemId: number
  readonly report?: Verification
  readonly err?: unknown
}

/** Verifies problems, a few at a time, and waits for the reports. */
export async function verifyProblems(
  ctx: Context,
  problemIds: readonly number[],
  options: VerifyOptions,
): Promise<Verified[]> {
  const progress = startProgress(ctx.io, 'Verifying', 0)
  let total = 0
  let interruption: CliError | undefined
  const limit = pLimit(VERIFICATIONS_AT_ONCE)
  const verify = async (problemId: number): Promise<Verified> => {
    if (interruption !== undefined) return { problemId, err: interruption }
    try {
      const started = await (options.verification === undefined
        ? orThrow(ctx.client.POST(VERIFICATIONS, { params: { path: { problem_id: problemId } } }))
        : readVerification(ctx, { problem_id: problemId, id: options.verification }))
      if (isPending(started)) printNote(ctx.io, `Verification of ${problemId}: ${started.id}`)
      total += countParts(started)
      progress.setTotal(total)
      const advice = `The verification goes on: judge problem verify ${problemId} --verification ${started.id}`
      const wait = (signal: AbortSignal) => {
        const readNext = (before: Verification) => readVerification(ctx, before, signal)
        const waiting = { progress, longestPauseMs: LONGEST_PAUSE_MS, signal }
        return readWhilePending(started, isPending, countDone, readNext, waiting)
      }
      return { problemId, report: await waitAtMost(ctx.io, options.timeout, advice, wait) }
    } catch (err) {
      if (err instanceof CliError && err.exitCode === EXIT.interrupted)
        interruption = new CliError('Stopped before the verification.', err.exitCode, err.code)
      return { problemId, err }
    }
  }
  try {
    return await limit.map(problemIds, verify)
  } finally {
    progress.stop()
  }
}

function readVerification(
  { client }: Context,
  { problem_id, id }: Pick<Verification, 'problem_id' | 'id'>,
  signal?: AbortSignal,
): Promise<Verification> {
  const params = { path: { problem_id, verification_id: id } }
  return readPatiently(() => orThrow(client.GET(VERIFICATION, { params, ...(signal && { signal }) })), signal)
}

const OUTDATED =
  'The problem has changed during this verification, so its results may be mixed. Verify it again.'

/** Describes a finished verification: programs, validators, the time limit and the agreement. */
export function describeVerification(writer: Writer, verification: Verification): string {
  const { programs, validators } = verification
  const parts: string[] = []
  if (programs.length > 0) parts.push(describePrograms(writer, programs))
  if (validators.length > 0) parts.push(describeValidators(writer, validators))
  parts.push(writer.paint(describeTimeLimit(verification)))
  if (verification.outdated) parts.push(writer.paint({ text: OUTDATED, colour: 'yellow' }))
  parts.push(describeAgreement(writer, verification))
  return parts.join('\n\n')
}

/** Programs that the service cannot judge are named apart: they alone do not make it disagree. */
function describeAgreement(writer: Writer, verification: Verification): string {
  const { programs, validators, agrees, message = 'There are no results' } = verification
  const parts = [...programs, ...validators]
  const wrong = parts.filter((one) => one.agrees === false).length
  const unknown = parts.filter((one) => one.agrees === undefined).map(({ path }) => path)
  const note = unknown.length === 0 ? '' : ` Not judged: ${unknown.join(', ')}.`
  if (agrees === undefined) return writer.paint({ text: `${message}.${note}`, colour: 'red' })
  const all = unknown.length === 0 ? 'All' : 'All other'
  if (agrees) return writer.paint({ text: `${all} results are as expected.${note}`, colour: 'green' })
  const text = wrong === 0 ? 'Not as expected.' : `${count(wrong, 'result')} not as expected.`
  return writer.paint({ text: text + note, colour: 'red' })
}

function describePrograms(writer: Writer, programs: readonly Schemas['VerifiedProgram'][]): string {
  const rows = programs.map(({ path, expected, status, slowest_time, score, agrees }): Cell[] => [
    path,
    expected,
    colourIf(agrees, score === undefined ? status : `${status} (${score})`),
    slowest_time === undefined ? '' : formatSeconds(slowest_time),
    agreement(agrees),
  ])
  const table = writer.table(['Program', 'Expected', 'Actual', 'Slowest', ''], rows)
  return [table, ...describeMessages(writer, programs)].join('\n')
}

function describeValidators(writer: Writer, validators: readonly Schemas['VerifiedValidator'][]): string {
  const rows = validators.map(({ path, kind, status, agrees }): Cell[] => [
    path,
    kind,
    agrees === undefined ? colourVerdict(status) : colourIf(agrees, status),
    agreement(agrees),
  ])
  const rejected = validators.flatMap(({ path, rejected }) =>
    rejected.map(({ test_case, message = 'rejected' }) => ({ path: `${path}, ${test_case}`, message })),
  )
  const table = writer.table(['Validator', 'Checks', 'Result', ''], rows)
  return [table, ...describeMessages(writer, [...validators, ...rejected])].join('\n')
}

function describeMessages(
  writer: Writer,
  parts: readonly { readonly path: string; readonly message?: string }[],
): string[] {
  return parts.flatMap(({ path, message }) =>
    message ? [`  ${writer.paint(`${path}: ${message.trim()}`)}`] : [],
  )
}

function describeTimeLimit({ time_limit: limit }: Verification): string {
  const describe = (name: string, seconds: number | undefined) =>
    seconds === undefined ? [] : [`${name}: ${formatSeconds(seconds)}`]
  const facts = [
    `Time limit: ${limit.seconds} s${limit.provisional ? ' (provisional)' : ''}`,
    ...(limit.computed === undefined ? [] : [`computed: ${limit.computed} s`]),
    ...describe('slowest accepted', limit.slowest_accepted),
    ...describe('fastest too slow', limit.fastest_too_slow),
  ].join(', ')
  return limit.message ? `${facts}\n${limit.message}` : facts
}

const agreement = (agrees: boolean | undefined): Cell =>
  agrees === undefined ? '' : colourIf(agrees, agrees ? 'as expected' : 'NOT AS EXPECTED')

const colourIf = (agrees: boolean | undefined, text: string): Cell =>
  agrees === undefined ? text : { text, colour: agrees ? 'green' : 'red' }

const isPending = ({ status }: { readonly status: string }) => status === 'PENDING'

const countParts = ({ programs, validators }: Verification) => programs.length + validators.length

const countDone = ({ programs, validators }: Verification) =>
  [...programs, ...validators].filter((one) => !isPending(one)).length
