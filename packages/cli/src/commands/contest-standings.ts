import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { locateContest, type NamedContest, takeContest } from '../contest/find-contest.ts'
import { formatTime } from '../contest/times.ts'
import { readPages } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { takeOnly } from '../shared/errors.ts'
import { printNote, printText } from '../shared/io.ts'
import { type Cell, formatJson, type Writer } from '../shared/text.ts'
import { pause, waitUntilStopped } from '../shared/waits.ts'

type Row = Schemas['StandingsRow']
type StandingsCell = Schemas['StandingsCell']

interface StandingsOptions {
  readonly watch?: true
  readonly by?: 'user' | 'team'
}

interface ScoreboardOptions {
  readonly label?: string
  readonly list?: true
  readonly revoke?: string
}

const PAUSE_MS = 2000
/** Moves the cursor home and clears the screen. */
const CLEAR = '\u001b[H\u001b[2J'

/** Adds `contest standings` and `contest scoreboard`. */
export function addStandingsCommands(parent: Command, cli: Cli): void {
  takeContest(parent.command('standings'))
    .description('Show the standings, as staff sees them.')
    .option('--watch', 'show each change, until Ctrl-C')
    .addOption(new Option('--by <whom>', 'rank users, or teams').choices(['user', 'team']))
    .addHelpText('after', EXAMPLES)
    .action(cli.action(showStandings))
  takeContest(parent.command('scoreboard'))
    .description('Make an address that shows the standings on a projector.')
    .addOption(new Option('--label <text>', 'where it is used').conflicts(['list', 'revoke']))
    .addOption(new Option('--list', 'list the addresses that are valid').conflicts('revoke'))
    .option('--revoke <id>', 'make an address invalid: its id, or the beginning or the end of it')
    .addHelpText('after', SCOREBOARD_EXAMPLES)
    .action(cli.action(manageScoreboard))
}

const EXAMPLES = `
Examples:
  $ judge contest standings exam
  $ judge contest standings 7 --by team --watch

With --watch and --json it prints one document for each change.`

async function showStandings(
  ctx: Context,
  name: string | undefined,
  options: StandingsOptions,
): Promise<Outcome> {
  const contest = await locateContest(name, ctx.url)
  if (options.watch) return watchStandings(ctx, contest, options)
  const { standings } = await readStandings(ctx, contest.id, options, undefined)
  return { json: standings, text: standings === undefined ? '' : formatStandings(ctx.writer, standings) }
}

/** Without standings if they have the tag. */
async function readStandings(
  { client }: Context,
  id: number,
  { by }: StandingsOptions,
  etag: string | undefined,
  signal?: AbortSignal,
) {
  const { data, error, response } = await client.GET('/v1/events/{event_id}/standings', {
    params: {
      path: { event_id: id },
      query: { ...(by && { by }) },
      header: { ...(etag !== undefined && { 'If-None-Match': etag }) },
    },
    ...(signal && { signal }),
  })
  if (response.status === 304) return { standings: undefined, etag }
  if (error !== undefined) throw new JudgeApiError(response, error)
  return { standings: data, etag: response.headers.get('etag') ?? undefined }
}

/** Ends only with Ctrl-C, or with an error of the service. */
function watchStandings(ctx: Context, contest: NamedContest, options: StandingsOptions): Promise<never> {
  const advice = `Watch again: judge contest standings ${contest.id} --watch`
  return waitUntilStopped(ctx.io, advice, async (signal) => {
    let etag: string | undefined
    let isLost = false
    for (;;) {
      try {
        const version = await readStandings(ctx, contest.id, options, etag, signal)
        if (version.standings !== undefined) draw(ctx, contest, version.standings)
        else if (isLost) printNote(ctx.io, `${describeNow(contest)}  The service is back.`)
        isLost = false
        etag = version.etag
      } catch (err) {
        if (!isPassing(err)) throw err
        if (!isLost) printNote(ctx.io, `${describeNow(contest)}  No response from ${ctx.url}; trying again.`)
        isLost = true
      }
      await pause(PAUSE_MS, signal)
    }
  })
}

/** The service restarts, or is busy. */
const isPassing = (err: unknown) =>
  err instanceof NoResponseError ||
  (err instanceof JudgeApiError && (err.status >= 500 || err.retryAfterSeconds !== undefined))

function draw({ io, isJson, writer }: Context, contest: NamedContest, standings: Schemas['Standings']): void {
  if (isJson) {
    io.stdout.write(`${formatJson(standings)}\n`)
    return
  }
  const isTerminal = io.stdout.isTTY === true
  if (isTerminal) io.stdout.write(CLEAR)
  const text = `${describeNow(contest)}\n\n${formatStandings(writer, standings)}`
  printText(io.stdout, isTerminal ? text : `${text}\n`)
}

const describeNow = ({ timeZone }: NamedContest) => formatTime(Date.now(), timeZone)

/** The standings as a table: one column for each problem. */
function formatStandings(writer: Writer, { problems, rows, state }: Schemas['Standings']): string {
  if (rows.length === 0) return `State: ${state}. Nobody is in the standings yet.`
  const hasPoints = rows.some(({ points }) => points !== undefined)
  const labels = problems.map(({ label }) => label)
  const headings = ['Place', 'Name', hasPoints ? 'Points' : 'Solved', 'Time', ...labels]
  const describeRow = (row: Row) => {
    const total = hasPoints ? (row.points ?? 0) : row.solved
    const cells = new Map(row.cells.map((cell) => [cell.problem_id, cell]))
    const shown = problems.map(({ problem_id }) => describeCell(cells.get(problem_id)))
    return [String(row.rank), nameOf(row), String(total), String(row.penalty), ...shown]
  }
  const table = writer.table(headings, rows.map(describeRow))
  return `${table}\n\nState: ${state}. Cells: tries/minute, * first to solve, ? not shown yet.`
}

const nameOf = ({ user, team }: Row) => (team ?? user)?.name ?? ''

function describeCell(cell: StandingsCell | undefined): Cell {
  if (cell === undefined) return ''
  const { tries, pending, minutes, score, first } = cell
  const points = score === undefined ? '' : ` (${score})`
  if (minutes !== undefined)
    return { text: `${tries}/${minutes}${first ? '*' : ''}${points}`, colour: first ? 'bold' : 'green' }
  if (pending > 0) return { text: `${tries > 0 ? `${tries} ` : ''}?${points}`, colour: 'yellow' }
  return { text: `${tries}/-${points}`, colour: 'red' }
}

const SCOREBOARD_EXAMPLES = `
Examples:
  $ judge contest scoreboard exam --label "Lecture hall"
  $ judge contest scoreboard exam --list
  $ judge contest scoreboard exam --revoke 019ba747-cfe0-7b04-8f1a-2c6d9e0b7a53

Open the address in the browser of the projector. It ends with a token, which shows the
standings as the public sees them, and nothing else. It is printed only once.`

async function manageScoreboard(
  ctx: Context,
  name: string | undefined,
  options: ScoreboardOptions,
): Promise<Outcome> {
  const { id, timeZone, address } = await locateContest(name, ctx.url)
  if (options.list) return listTokens(ctx, id, timeZone)
  if (options.revoke !== undefined) return revokeToken(ctx, id, options.revoke)
  return createToken(ctx, { id, address }, options.label)
}

async function createToken(
  { client }: Context,
  { id: event_id, address }: Pick<NamedContest, 'id' | 'address'>,
  label?: string,
): Promise<Outcome> {
  const params = { path: { event_id } }
  const body = label === undefined ? {} : { label }
  const created = await orThrow(client.POST('/v1/events/{event_id}/scoreboard_tokens', { params, body }))
  const url = `${address}/v1/scoreboard/${event_id}#token=${created.token}`
  return { json: { ...created, url }, text: url }
}

function readTokens({ client }: Context, event_id: number): Promise<Schemas['ScoreboardToken'][]> {
  return readPages((query) =>
    client.GET('/v1/events/{event_id}/scoreboard_tokens', { params: { path: { event_id }, query } }),
  )
}

async function listTokens(ctx: Context, event_id: number, zone: string): Promise<Outcome> {
  const tokens = await readTokens(ctx, event_id)
  const rows = tokens.map(({ id, label = '', created_at }) => [id, label, formatTime(created_at, zone)])
  const text = rows.length === 0 ? 'No addresses.' : ctx.writer.table(['Id', 'Label', 'Created'], rows)
  return { json: tokens, text }
}

async function revokeToken(ctx: Context, event_id: number, name: string): Promise<Outcome> {
  const { id: scoreboard_token_id } = chooseToken(await readTokens(ctx, event_id), name)
  const path = { event_id, scoreboard_token_id }
  await orThrow(
    ctx.client.DELETE('/v1/events/{event_id}/scoreboard_tokens/{scoreboard_token_id}', { params: { path } }),
  )
  return { json: { revoked: scoreboard_token_id }, text: 'The address is not valid any more.' }
}

function chooseToken(tokens: readonly Schemas['ScoreboardToken'][], name: string) {
  const wanted = name.trim().toLowerCase()
  const found = tokens.filter(({ id }) => wanted !== '' && (id.startsWith(wanted) || id.endsWith(wanted)))
  const several = `Several tokens have ids that begin or end with ${name}. Write more of the id.`
  return takeOnly(found, `No token ${name}. List them with --list.`, several)
}
