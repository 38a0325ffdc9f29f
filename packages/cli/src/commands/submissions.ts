import { readFile, stat } from 'node:fs/promises'
import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import { type Command, InvalidArgumentError } from 'commander'
import { findLanguageOfFile, findNamedLanguage } from '../lookup/find-language.ts'
import { findContestProblem, findProblem } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { EXIT, usageError } from '../shared/errors.ts'
import { printNote } from '../shared/io.ts'
import { readUserId } from '../shared/settings.ts'
import { colourVerdict, type Entry, formatSeconds } from '../shared/text.ts'
import { timeoutOption, type WaitOptions, waitAtMost } from '../shared/waits.ts'

interface SubmitOptions extends WaitOptions {
  readonly problem: string
  readonly contest?: number
  readonly language?: string
}

/** The longest time of a timer: the option --timeout decides. */
const WAIT_AT_MOST_MS = 2 ** 31 - 1
const LONGEST_PAUSE_MS = 1000
const WAIT = 'wait for the verdict; exit code 1 unless it is ACCEPTED'

/** Adds `submit`, `status` and `languages`. */
export function addSubmissionCommands(program: Command, cli: Cli): void {
  program
    .command('submit')
    .description('Submit a program to a problem.')
    .argument('<file>', 'the source code; its extension decides the language')
    .requiredOption('--problem <problem>', 'id or identifier of the problem')
    .option('--contest <id>', 'the contest in which the submission counts', readId)
    .option('--language <language>', 'the language, if the extension is not enough')
    .option('--wait', WAIT)
    .addOption(timeoutOption('--wait'))
    .addHelpText('after', SUBMIT_EXAMPLES)
    .action(cli.action(submit))
  program
    .command('status')
    .description('Show a submission and its verdict.')
    .argument('<submission>', 'id of the submission')
    .option('--wait', WAIT)
    .addOption(timeoutOption('--wait'))
    .addHelpText('after', STATUS_EXAMPLES)
    .action(cli.action(showStatus))
  program
    .command('languages')
    .description('List the languages of the service.')
    .addHelpText('after', '\nExample:\n  $ judge languages')
    .action(cli.action(listLanguages))
}

const SUBMIT_EXAMPLES = `
Examples:
  $ judge submit sum.py --problem sum
  $ judge submit sum.cpp --problem 7 --contest 3 --wait
  $ judge submit sum.txt --problem 7 --language Python`

const STATUS_EXAMPLES = `
Examples:
  $ judge status 019ba72d-4300-762a-a12c-358923b79fbd
  $ judge status 019ba72d-4300-762a-a12c-358923b79fbd --wait`

async function submit(ctx: Context, file: string, options: SubmitOptions): Promise<Outcome> {
  const { client } = ctx
  const { contest, language } = options
  const user_id = readUserId(ctx)
  const source_code = await readSource(file)
  const languages = await orThrow(client.GET('/v1/languages'))
  const found = await (language === undefined
    ? findLanguageOfFile(languages, file)
    : findNamedLanguage(languages, language))
  const problem_id = await (contest === undefined
    ? findProblem(client, options.problem)
    : findContestProblem(client, contest, options.problem))
  const event = contest === undefined ? {} : { event_id: contest }
  const body = { user_id, problem_id, language_id: found.id, source_code, ...event }
  const created = await orThrow(client.POST('/v1/submissions', { body }))
  if (options.wait) {
    printNote(ctx.io, `Submitted: ${created.id}`)
    return showVerdict(ctx, created.id, options.timeout)
  }
  const text = `Submitted in ${ctx.writer.paint(found.name)}: ${created.id}\nSee the verdict with: judge status ${created.id} --wait`
  return { json: created, text }
}

async function readSource(file: string): Promise<string> {
  if ((await stat(file)).isDirectory()) throw usageError(`${file} is a folder: submit one source file.`)
  return readFile(file, 'utf8')
}

function showStatus(ctx: Context, id: string, { wait, timeout }: WaitOptions): Promise<Outcome> {
  return wait ? showVerdict(ctx, id, timeout) : showSubmission(ctx, id)
}

async function showVerdict(ctx: Context, id: string, timeoutSeconds: number): Promise<Outcome> {
  const limits = { timeoutMs: WAIT_AT_MOST_MS, maxDelayMs: LONGEST_PAUSE_MS }
  const advice = `The submission goes on: judge status ${id} --wait`
  const submission = await waitAtMost(ctx.io, timeoutSeconds, advice, (signal) =>
    waitForVerdict(ctx.client, id, { ...limits, signal }),
  )
  const exitCode = submission.status === 'ACCEPTED' ? EXIT.done : EXIT.rejected
  return { json: submission, text: describeSubmission(ctx, submission), exitCode }
}

async function showSubmission(ctx: Context, id: string): Promise<Outcome> {
  const params = { path: { submission_id: id } }
  const submission = await orThrow(ctx.client.GET('/v1/submissions/{submission_id}', { params }))
  return { json: submission, text: describeSubmission(ctx, submission) }
}

function describeSubmission({ writer }: Context, submission: Schemas['Submission']): string {
  const { id, problem, language, status, reason, stderr, submit_time } = submission
  const list = writer.list([
    ['Submission', id],
    ['Problem', `${problem.title} (${problem.id})`],
    ['Language', `${language.name} ${language.version}`.trim()],
    ['Submitted', submit_time],
    ['Verdict', colourVerdict(status, reason)],
    ...describeResults(submission),
  ])
  const messages = status === 'PENDING' ? '' : writer.paint(stderr.trim())
  return messages === '' ? list : `${list}\n\n${messages}`
}

function describeResults(submission: Schemas['Submission']): Entry[] {
  const { status, time_elapsed, memory_used, score, max_score, test_case_results = [] } = submission
  if (status === 'PENDING') return []
  const passed = test_case_results.filter((result) => result.passed).length
  const total = test_case_results.length
  return [
    ['Time', formatSeconds(time_elapsed)],
    ['Memory', memory_used === undefined ? undefined : `${Math.ceil(memory_used / 1024)} MiB`],
    ['Score', score === undefined ? undefined : `${score} of ${max_score ?? '?'}`],
    ['Test cases', total === 0 ? undefined : `${passed} of ${total} passed`],
  ]
}

async function listLanguages({ client, writer }: Context): Promise<Outcome> {
  const languages = await orThrow(client.GET('/v1/languages'))
  const rows = languages.map(({ name, version, extension }) => [name, version, extension])
  return { json: languages, text: writer.table(['Language', 'Version', 'Extension'], rows) }
}

function readId(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be the number of a contest.')
}
