import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { type Command, Option } from 'commander'
import type { Cli, Context, Outcome } from '../cli.ts'
import { takeContest } from '../contest/arguments.ts'
import { readContestProblems } from '../contest-problems.ts'
import { findContest } from '../find-contest.ts'
import { confirm } from '../prompts.ts'
import { count } from '../text.ts'

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
    .action((name: string | undefined, options: ThawOptions, command: Command) =>
      cli.perform(command, (ctx) => thaw(ctx, name, options)),
    )
}

const EXAMPLES = `
Examples:
  $ judge contest thaw exam
  $ judge contest thaw exam --next
  $ judge contest thaw exam --undo

Only after the end. Thawing everything cannot be undone.`

async function thaw(ctx: Context, name: string | undefined, options: ThawOptions): Promise<Outcome> {
  const { client, io, url } = ctx
  const { next = false, undo = false } = options
  const id = await findContest(name, url)
  if (!next && !undo && !options.yes)
    await confirm(io, `Show all results of contest ${id} now?`, 'nothing was shown')
  const params = { path: { event_id: id }, query: { ...(next && { next }), ...(undo && { undo }) } }
  const thawed = await orThrow(client.POST('/v1/events/{event_id}/thaw', { params }))
  return { json: thawed, text: await describeThaw(ctx, thawed) }
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
