import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { takeContest } from '../contest/arguments.ts'
import { locateContest, type NamedContest } from '../contest/find-contest.ts'
import { formatStandings } from '../contest/standings-table.ts'
import { formatTime } from '../contest/times.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { pause } from '../shared/patience.ts'
import { waitUntilStopped } from '../shared/waits.ts'

interface StandingsOptions {
  readonly watch?: true
  readonly by?: 'user' | 'team'
}

const PAUSE_MS = 2000
/** Moves the cursor home and clears the screen. */
const CLEAR = '\u001b[H\u001b[2J'

/** Adds `contest standings`. */
export function addStandingsCommand(parent: Command, cli: Cli): void {
  takeContest(parent.command('standings'))
    .description('Show the standings, as staff sees them.')
    .option('--watch', 'show each change, until Ctrl-C')
    .addOption(new Option('--by <whom>', 'rank users, or teams').choices(['user', 'team']))
    .addHelpText('after', EXAMPLES)
    .action(cli.action(showStandings))
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

interface Version {
  /** Undefined: unchanged. */
  readonly standings: Schemas['Standings'] | undefined
  readonly etag: string | undefined
}

async function readStandings(
  { client }: Context,
  id: number,
  { by }: StandingsOptions,
  etag: string | undefined,
  signal?: AbortSignal,
): Promise<Version> {
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
        else if (isLost) ctx.io.stderr.write(`${describeNow(contest)}  The service is back.\n`)
        isLost = false
        etag = version.etag
      } catch (err) {
        if (!isPassing(err)) throw err
        if (!isLost)
          ctx.io.stderr.write(`${describeNow(contest)}  No response from ${ctx.url}; trying again.\n`)
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
    io.stdout.write(`${JSON.stringify(standings)}\n`)
    return
  }
  const text = `${describeNow(contest)}\n\n${formatStandings(writer, standings)}\n`
  io.stdout.write(io.stdout.isTTY === true ? CLEAR + text : `${text}\n`)
}

const describeNow = ({ timeZone }: NamedContest) => formatTime(Date.now(), timeZone)
