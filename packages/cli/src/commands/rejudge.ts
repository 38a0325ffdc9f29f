import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { CONTEST_HELP, locateContest } from '../contest/find-contest.ts'
import { findNamedLanguage } from '../lookup/find-language.ts'
import { findUser } from '../lookup/find-user.ts'
import {
  findLabelledProblem,
  findProblem,
  listParticipants,
  listTeams,
  readContestProblems,
} from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { usageError } from '../shared/errors.ts'
import { printNote, startProgress } from '../shared/io.ts'
import { confirm } from '../shared/prompts.ts'
import { type Cell, colourVerdict, count, type Entry } from '../shared/text.ts'
import {
  readPatiently,
  readWhilePending,
  timeoutOption,
  type WaitOptions,
  waitAtMost,
} from '../shared/waits.ts'

type Rejudging = Schemas['RejudgingDecision']
type Selection = Schemas['RejudgingDecisionBody']

interface CreateOptions extends WaitOptions {
  readonly contest?: string
  readonly problem?: string
  readonly language?: string
  readonly verdict?: NonNullable<Selection['status']>
  readonly user?: string
  readonly submission?: string[]
  readonly reason?: string
}

const ROUTE = '/v1/rejudgings/{decision_id}'
const VERDICTS: readonly NonNullable<Selection['status']>[] = [
  ...(['ACCEPTED', 'WRONG_ANSWER', 'PRESENTATION_ERROR', 'TIME_LIMIT_EXCEEDED'] as const),
  ...(['MEMORY_LIMIT_EXCEEDED', 'OUTPUT_LIMIT_EXCEEDED', 'RUNTIME_ERROR'] as const),
  ...(['COMPILE_TIME_ERROR', 'INTERNAL_ERROR'] as const),
]
const LONGEST_PAUSE_MS = 2000
const WAIT = 'wait until all submissions are judged again'

/** Adds `rejudge` with its commands. */
export function addRejudgeCommands(program: Command, cli: Cli): void {
  const rejudge = program
    .command('rejudge')
    .description('Judge submissions again. Nothing changes until you apply the new verdicts.')
    .addHelpText('after', EXAMPLES)
  addCreateCommand(rejudge, cli)
  rejudge
    .command('show')
    .description('Show the progress, the changed verdicts, and whose rank changes.')
    .argument('<id>', 'id of the rejudging')
    .option('--wait', WAIT)
    .addOption(timeoutOption('--wait'))
    .addHelpText('after', example('show', ' --wait'))
    .action(cli.action(showRejudging))
  rejudge
    .command('apply')
    .description('Replace the verdicts by the new ones, all at once.')
    .argument('<id>', 'id of the rejudging')
    .option('--yes', 'do not ask (without a terminal, it never asks)')
    .addHelpText('after', example('apply', ' --yes'))
    .action(cli.action(applyRejudging))
  rejudge
    .command('cancel')
    .description('Keep the present verdicts, and drop the new ones.')
    .argument('<id>', 'id of the rejudging')
    .addHelpText('after', example('cancel', ''))
    .action(cli.action(cancelRejudging))
}

function addCreateCommand(parent: Command, cli: Cli): void {
  parent
    .command('create')
    .description('Start to judge submissions again. A submission must match all options.')
    .option('--contest <contest>', `only submissions of this contest: ${CONTEST_HELP}`)
    .option('--problem <problem>', 'label in the contest, id or identifier of the problem')
    .option('--language <language>', 'only submissions in this language')
    .addOption(
      new Option('--verdict <verdict>', 'only submissions with this status or reason').choices(VERDICTS),
    )
    .option('--user <user>', 'only submissions of this user: id, e-mail address or name (for admins)')
    .option('--submission <id...>', 'only these submissions')
    .option('--reason <text>', 'the reason, for the history')
    .option('--wait', WAIT)
    .addOption(timeoutOption('--wait'))
    .addHelpText('after', CREATE_EXAMPLES)
    .action(cli.action(createRejudging))
}

const ID = '019ba72d-4300-762a-a12c-358923b79fbd'
const example = (name: string, options: string) =>
  `\nExamples:\n  $ judge rejudge ${name} ${ID}${options === '' ? '' : `\n  $ judge rejudge ${name} ${ID}${options}`}`

const EXAMPLES = `
Examples:
  $ judge rejudge create --contest 3 --problem B --reason "test 3 was wrong" --wait
  $ judge rejudge show ${ID}
  $ judge rejudge apply ${ID}

The staff of a contest can rejudge its submissions, admins all.`

const CREATE_EXAMPLES = `
Examples:
  $ judge rejudge create --contest 3 --problem B --reason "test 3 was wrong" --wait
  $ judge rejudge create --contest 3 --language C++ --verdict TIME_LIMIT_EXCEEDED
  $ judge rejudge create --problem sum
  $ judge rejudge create --submission ${ID}

Without --contest, submissions of all contests and outside of contests match (for admins).`

async function createRejudging(ctx: Context, options: CreateOptions): Promise<Outcome> {
  const body = await readSelection(ctx, options)
  if (Object.keys(body).length === 0)
    throw usageError(
      'Select submissions with --contest, --problem, --language, --verdict, --user or --submission.',
    )
  const { reason } = options
  const call = ctx.client.POST('/v1/rejudgings', { body: { ...body, ...(reason && { reason }) } })
  const { id } = await orThrow(call)
  if (options.wait) {
    printNote(ctx.io, `Rejudging: ${id}`)
    return showRejudging(ctx, id, options)
  }
  return {
    json: { id },
    text: `Rejudging ${id} has started.\nSee the changes with: judge rejudge show ${id} --wait`,
  }
}

async function readSelection(ctx: Context, options: CreateOptions): Promise<Selection> {
  const { client, url } = ctx
  const { contest, problem, language, verdict, user, submission } = options
  const event_id = contest === undefined ? undefined : (await locateContest(contest, url)).id
  const languages = language === undefined ? [] : await orThrow(client.GET('/v1/languages'))
  return {
    ...(event_id !== undefined && { event_id }),
    ...(problem !== undefined && {
      problem_id: await (event_id === undefined
        ? findProblem(client, problem)
        : findLabelledProblem(client, event_id, problem)),
    }),
    ...(language !== undefined && { language_id: (await findNamedLanguage(languages, language)).id }),
    ...(verdict !== undefined && { status: verdict }),
    ...(user !== undefined && { user_id: (await findUser(client, user)).id }),
    ...(submission !== undefined && { submission_ids: submission }),
  }
}

async function showRejudging(ctx: Context, id: string, { wait, timeout }: WaitOptions): Promise<Outcome> {
  const advice = `The rejudging goes on: judge rejudge show ${id} --wait`
  const rejudging = wait
    ? await waitAtMost(ctx.io, timeout, advice, (signal) => waitForJudgings(ctx, id, signal))
    : await read(ctx, id)
  return describe(ctx, rejudging)
}

const read = ({ client }: Context, id: string, signal?: AbortSignal): Promise<Rejudging> =>
  orThrow(client.GET(ROUTE, { params: { path: { decision_id: id } }, ...(signal && { signal }) }))

/** Polls until nothing is pending, or somebody has decided. */
async function waitForJudgings(ctx: Context, id: string, signal: AbortSignal): Promise<Rejudging> {
  const readNext = () => readPatiently(() => read(ctx, id, signal), signal)
  const first = await readNext()
  const progress = startProgress(ctx.io, 'Judging', first.total)
  const isPending = ({ state, pending }: Rejudging) => state === 'OPEN' && pending > 0
  const countDone = ({ judged }: Rejudging) => judged
  const waiting = { progress, longestPauseMs: LONGEST_PAUSE_MS, signal }
  try {
    return await readWhilePending(first, isPending, countDone, readNext, waiting)
  } finally {
    progress.stop()
  }
}

async function applyRejudging(ctx: Context, id: string, { yes }: { yes?: true }): Promise<Outcome> {
  const { client, io } = ctx
  const { changed = 0, rank_changes: ranks = [] } = await read(ctx, id)
  if (!yes) {
    const effect = `${count(changed, 'verdict')} and ${count(ranks.length, 'rank')} change`
    await confirm(io, `Apply rejudging ${id}? ${effect}.`, 'nothing was applied')
  }
  const params = { path: { decision_id: id } }
  const applied = await orThrow(client.POST(`${ROUTE}/apply`, { params }))
  const text = `Applied: ${count(applied.changes.length, 'verdict')} changed, ${count(applied.rank_changes?.length ?? 0, 'rank')} changed.`
  return { json: applied, text }
}

async function cancelRejudging({ client }: Context, id: string): Promise<Outcome> {
  const params = { path: { decision_id: id } }
  const cancelled = await orThrow(client.POST(`${ROUTE}/cancel`, { params }))
  return { json: cancelled, text: `Cancelled rejudging ${id}. All verdicts stay as they are.` }
}

/** Describes a rejudging: its progress, the changed verdicts, and whose rank changes. */
async function describe(ctx: Context, rejudging: Rejudging): Promise<Outcome> {
  const { writer } = ctx
  const parts = [writer.list(describeState(rejudging))]
  const names = await readNames(ctx, rejudging)
  const nameOf = (id: string | number | undefined) => names.get(String(id)) ?? String(id)
  const { changes, rank_changes: ranks = [], left_out_submissions: leftOut } = rejudging
  if (changes.length > 0) {
    const rows = changes.map((change): Cell[] => [
      change.submission_id,
      nameOf(change.user_id),
      nameOf(change.problem_id),
      colourVerdict(change.from_status, change.from_reason, change.from_score),
      colourVerdict(change.to_status, change.to_reason, change.to_score),
    ])
    parts.push(writer.table(['Submission', 'User', 'Problem', 'From', 'To'], rows))
  }
  if (ranks.length > 0) {
    const rows = ranks.map(({ user_id, team_id, from_rank, to_rank }) => [
      ...[nameOf(user_id ?? team_id), user_id === undefined ? 'team' : 'user'],
      ...[String(from_rank), String(to_rank)],
    ])
    parts.push(writer.table(['Name', 'Ranked as', 'From rank', 'To rank'], rows))
  }
  if (leftOut.length > 0) {
    const rows = leftOut.map(({ submission_id, why }) => [submission_id, why])
    parts.push(writer.table(['Keeps its verdict', 'Why'], rows))
  }
  return { json: rejudging, text: [...parts, ...describeNextStep(rejudging)].join('\n\n') }
}

function describeState(rejudging: Rejudging): Entry[] {
  const { id, state, reason, total, judged, pending, waiting, deleted, changes } = rejudging
  const { rank_changes: ranks } = rejudging
  const left = [
    ...(waiting > 0 ? [`${waiting} pending at the start`] : []),
    ...(deleted > 0 ? [`${deleted} of deleted problems`] : []),
  ]
  return [
    ['Rejudging', id],
    ['State', state],
    ['Reason', reason],
    ['Judged', `${judged} of ${count(total, 'submission')}${pending > 0 ? `, ${pending} pending` : ''}`],
    ['Left out', left.join(', ') || undefined],
    ['Changed', count(changes.length, 'verdict')],
    ['Ranks', ranks && `${ranks.length} changed`],
  ]
}

function describeNextStep({ id, state, pending }: Rejudging): string[] {
  if (state !== 'OPEN') return []
  if (pending > 0) return [`Wait for the rest with: judge rejudge show ${id} --wait`]
  return [`Apply it with: judge rejudge apply ${id}\nDrop it with: judge rejudge cancel ${id}`]
}

/** Reads the names of a contest's users and teams and the labels of its problems, by their ids. */
async function readNames({ client }: Context, rejudging: Rejudging): Promise<Map<string, string>> {
  const { event_id: eventId, changes, rank_changes: ranks = [] } = rejudging
  if (eventId === undefined || (changes.length === 0 && ranks.length === 0)) return new Map()
  const people = await listParticipants(client, eventId)
  const hasTeams = ranks.some(({ team_id }) => team_id !== undefined)
  const teams = hasTeams ? await listTeams(client, eventId) : []
  const problems = await readContestProblems(client, eventId)
  return new Map([
    ...[...people, ...teams].map(({ id, name }) => [id, name] as const),
    ...problems.map(({ id, label }) => [String(id), label] as const),
  ])
}
