import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import { locateContest, type NamedContest, takeContest } from '../contest/find-contest.ts'
import { formatTime } from '../contest/times.ts'
import { listParticipants, readClock, readContestProblems } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { CliError, EXIT } from '../shared/errors.ts'
import { confirm } from '../shared/prompts.ts'
import { count, inOneLine } from '../shared/text.ts'

interface ThawOptions {
  readonly next?: true
  readonly undo?: true
  readonly all?: true
  readonly yes?: true
}

/** Adds `contest thaw`. */
export function addThawCommand(parent: Command, cli: Cli): void {
  takeContest(parent.command('thaw'))
    .description('Show the results of the freeze: all at once, or one by one for a ceremony.')
    .addOption(new Option('--next', 'only the next cell, from the bottom').conflicts(['undo', 'all']))
    .addOption(new Option('--undo', 'hide the last revealed cell again').conflicts('all'))
    .option('--all', 'everything at once (the default); asks first')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(cli.action(thaw))
}

const EXAMPLES = `
Examples:
  $ judge contest thaw exam
  $ judge contest thaw exam --next
  $ judge contest thaw exam --undo

Only after the end of the last participant, with all extra minutes. Thawing everything cannot
be undone.`

async function thaw(ctx: Context, name: string | undefined, options: ThawOptions): Promise<Outcome> {
  const { client, io, url } = ctx
  const { next = false, undo = false } = options
  const contest = await locateContest(name, url)
  const { id } = contest
  if (!next && !undo && !options.yes)
    await confirm(io, `Show all results of contest ${id} now?`, 'nothing was shown')
  const params = { path: { event_id: id }, query: { ...(next && { next }), ...(undo && { undo }) } }
  const call = orThrow(client.POST('/v1/events/{event_id}/thaw', { params }))
  const thawed = await call.catch(async (err: unknown) => {
    throw err instanceof JudgeApiError && err.code === 'EVENT_NOT_ENDED'
      ? await explainEnds(ctx, contest, err)
      : err
  })
  return { json: thawed, text: await describeThaw(ctx, thawed) }
}

const MOST_PEOPLE = 10

/** Says until when people may submit; only staff may know who has extra minutes. */
async function explainEnds(
  { client }: Context,
  { id, timeZone }: NamedContest,
  { message, code }: JudgeApiError,
): Promise<CliError> {
  const clock = await readClock(client, id)
  const [now, end] = [Date.parse(clock.now), Date.parse(clock.end_time)]
  const people = (await listParticipants(client, id)).flatMap(({ name, email, extra_minutes = 0 }) => {
    const own = end + extra_minutes * 60_000
    return extra_minutes > 0 && own > now ? [{ name, email, extra_minutes, own }] : []
  })
  people.sort((one, other) => other.own - one.own)
  const lines = people.slice(0, MOST_PEOPLE).map(({ name, email, extra_minutes, own }) => {
    const until = `until ${formatTime(own, timeZone)} (${timeZone})`
    return `  ${inOneLine(`${name} <${email}>`)}: ${count(extra_minutes, 'extra minute')}, ${until}`
  })
  if (people.length > MOST_PEOPLE) lines.push(`  … and ${people.length - MOST_PEOPLE} more`)
  const common = end > now ? [`The contest ends at ${formatTime(end, timeZone)} (${timeZone}).`] : []
  const own = lines.length === 0 ? [] : ['These people may submit longer:', ...lines]
  const text = [`${message.replace(/\.$/, '')}.`, ...common, ...own].join('\n')
  return new CliError(text, EXIT.rejected, code)
}

async function describeThaw({ client, writer }: Context, thawed: Schemas['Thaw']): Promise<string> {
  const { event_id, steps_left, revealed, hidden } = thawed
  const cell = revealed ?? hidden
  const rest = steps_left === 0 ? 'The standings are thawed.' : `${count(steps_left, 'step')} left.`
  if (cell === undefined) return rest
  const problems = await readContestProblems(client, event_id)
  const problem = problems.find(({ id }) => id === cell.problem_id)
  const name = (cell.user ?? cell.team)?.name ?? ''
  const what = `${name}, problem ${problem?.label ?? cell.problem_id}`
  return `${revealed === undefined ? 'Hidden again' : 'Revealed'}: ${writer.paint(what)}. ${rest}`
}
