import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { takeContest } from '../contest/arguments.ts'
import { locateContest, type NamedContest } from '../contest/find-contest.ts'
import { formatTime } from '../contest/times.ts'
import { readPages } from '../lookup/find-problem.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { notFound, usageError } from '../shared/errors.ts'

interface ScoreboardOptions {
  readonly label?: string
  readonly list?: true
  readonly revoke?: string
}

/** Adds `contest scoreboard`. */
export function addScoreboardCommand(parent: Command, cli: Cli): void {
  takeContest(parent.command('scoreboard'))
    .description('Make an address that shows the standings on a projector.')
    .addOption(new Option('--label <text>', 'where it is used').conflicts(['list', 'revoke']))
    .addOption(new Option('--list', 'list the addresses that are valid').conflicts('revoke'))
    .option('--revoke <id>', 'make an address invalid: its id, or the beginning or the end of it')
    .addHelpText('after', EXAMPLES)
    .action(cli.action(perform))
}

const EXAMPLES = `
Examples:
  $ judge contest scoreboard exam --label "Lecture hall"
  $ judge contest scoreboard exam --list
  $ judge contest scoreboard exam --revoke 019ba747-cfe0-7b04-8f1a-2c6d9e0b7a53

Open the address in the browser of the projector. It ends with a token, which shows the
standings as the public sees them, and nothing else. It is printed only once.`

async function perform(ctx: Context, name: string | undefined, options: ScoreboardOptions): Promise<Outcome> {
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
  const [token, ...others] = found
  if (token === undefined) throw notFound(`No token ${name}. List them with --list.`)
  if (others.length === 0) return token
  throw usageError(`Several tokens have ids that begin or end with ${name}. Write more of the id.`)
}
