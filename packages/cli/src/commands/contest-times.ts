import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { fold } from '@judge-data-layer/runtime/visible-text'
import type { Command } from 'commander'
import { MOST_EXTRA_MINUTES } from '../accounts/people-csv.ts'
import {
  locateContest,
  type NamedContest,
  splitArguments,
  takeArguments,
  takeContest,
} from '../contest/find-contest.ts'
import { formatTime, readMinutes, readTime, toInstant, WrongValue } from '../contest/times.ts'
import { listParticipants, readClock, readEvent } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { notFound, usageError } from '../shared/errors.ts'
import { printNote } from '../shared/io.ts'
import { confirm } from '../shared/prompts.ts'
import { count } from '../shared/text.ts'

interface ExtendOptions {
  readonly to?: string
  readonly person?: string
  readonly yes?: boolean
}

/** Adds `contest extend` and `contest end`. */
export function addContestTimeCommands(parent: Command, cli: Cli): void {
  takeArguments(parent.command('extend'), 'minutes')
    .description('Move the end of a contest by minutes, or set the extra time of one person.')
    .option('--to <time>', 'instead of minutes: the new end, in the time zone of the contest file')
    .option('--person <email>', 'set the extra minutes of one participant; 0 removes them')
    .option('--yes', 'do not ask, if the contest has ended')
    .addHelpText('after', EXTEND_EXAMPLES)
    .action(cli.action(extend))
  takeContest(parent.command('end'))
    .description('End a contest now.')
    .option('--yes', 'do not ask')
    .addHelpText('after', END_EXAMPLES)
    .action(cli.action(end))
}

const EXTEND_EXAMPLES = `
Examples:
  $ judge contest extend exam 15
  $ judge contest extend 7 --to "2026-12-01 12:30"
  $ judge contest extend exam --person nora@example.org 30

Minutes are added to the end. The extra minutes of a person come after the end of the
contest, and replace earlier ones. After the end it asks first: people may submit again, and
results since the freeze are hidden again, also after a thaw.
Write the new end into the contest file too, so that the next apply agrees with it.`

const END_EXAMPLES = `
Examples:
  $ judge contest end exam
  $ judge contest end 7 --yes

Participants with extra minutes may still submit until their own end.`

async function extend(ctx: Context, args: readonly string[], options: ExtendOptions): Promise<Outcome> {
  const { to, person } = options
  if (to !== undefined && person !== undefined)
    throw usageError('--to moves the end for all. Use it without --person.')
  if (to !== undefined) {
    if (args.length > 1) throw usageError('Give either minutes or --to.')
    const contest = await locateContest(args[0], ctx.url)
    const newEnd = readNewEnd(to, contest.timeZone)
    return moveEnd(ctx, contest, options, () => newEnd)
  }
  const { contest: name, others } = splitArguments(args, 'minutes')
  const contest = await locateContest(name, ctx.url)
  const [text = ''] = others
  if (person !== undefined) return giveExtraTime(ctx, contest, { ...options, person }, text)
  const minutes = readMinutes(text)
  if (minutes === undefined) throw usageError(`${text}: must be a number of minutes, such as 15.`)
  return moveEnd(ctx, contest, options, (end) => end + minutes * 60_000)
}

function readNewEnd(text: string, timeZone: string): number {
  try {
    return readTime(text, timeZone)
  } catch (err) {
    if (!(err instanceof WrongValue)) throw err
    throw usageError(`--to ${err.message.replace(/^: /, '')}.`)
  }
}

async function moveEnd(
  ctx: Context,
  { id, timeZone, hasFile }: NamedContest,
  { yes = false }: ExtendOptions,
  choose: (end: number) => number,
): Promise<Outcome> {
  const { client } = ctx
  const params = { path: { event_id: id } }
  const clock = await readClock(client, id)
  const end = choose(Date.parse(clock.end_time))
  if (end <= Date.parse(clock.now))
    throw usageError(
      `The end would be ${formatTime(end, timeZone)}, which has passed. To end the contest now: judge contest end ${id}`,
    )
  if (!yes && Date.parse(clock.end_time) <= Date.parse(clock.now))
    await confirmReopening(ctx, clock, { who: 'everybody', end, timeZone })
  const body = { end_time: toInstant(end) }
  const event = await orThrow(client.PUT('/v1/events/{event_id}', { params, body }))
  const [former, next] = [clock.end_time, event.end_time].map((time) => formatTime(time, timeZone))
  const added = (Date.parse(event.end_time) - Date.parse(clock.end_time)) / 60_000
  const later = Number.isInteger(added) && added > 0 ? ` ${count(added, 'minute')} later,` : ''
  const lines = [`Contest ${id} ends${later} at ${next} (${timeZone}), no longer at ${former}.`]
  if (event.freeze_time !== undefined)
    lines.push(`The standings still freeze at ${formatTime(event.freeze_time, timeZone)}.`)
  if (hasFile) {
    lines.push(`Write "end: ${next}" into the contest file, instead of its end or duration.`)
    if (event.freeze_time !== undefined)
      lines.push(`Write "freeze: ${formatTime(event.freeze_time, timeZone)}" too.`)
  }
  const json = { contest_id: id, end_time: event.end_time, former_end_time: clock.end_time }
  return { json, text: lines.join('\n') }
}

async function giveExtraTime(
  ctx: Context,
  { id, timeZone }: NamedContest,
  { person, yes = false }: ExtendOptions & { readonly person: string },
  text: string,
): Promise<Outcome> {
  const { client, writer } = ctx
  const extra_minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(extra_minutes <= MOST_EXTRA_MINUTES))
    throw usageError(`${text}: must be a number of minutes from 0 to ${MOST_EXTRA_MINUTES}.`)
  const participants = await listParticipants(client, id)
  const wanted = fold(person)
  const found = participants.find(({ email, name }) => fold(email) === wanted || fold(name) === wanted)
  if (found === undefined) throw notFound(`No participant of contest ${id} is ${person}.`)
  const { extra_minutes: former = 0 } = found
  const clock = await readClock(client, id)
  const now = Date.parse(clock.now)
  const endWith = (minutes: number) => Date.parse(clock.end_time) + minutes * 60_000
  const end = endWith(extra_minutes)
  if (!yes && endWith(former) <= now && end > now)
    await confirmReopening(ctx, clock, { who: found.name, end, timeZone })
  const params = { path: { event_id: id, user_id: found.id } }
  const call = client.PUT('/v1/events/{event_id}/participants/{user_id}', { params, body: { extra_minutes } })
  const participant = await orThrow(call)
  const name = writer.paint(found.name)
  const before = former === 0 ? '' : ` in total (before: ${former})`
  return {
    json: participant,
    text: `${name} has ${count(extra_minutes, 'extra minute')}${before}, and may submit until ${formatTime(end, timeZone)} (${timeZone}).`,
  }
}

/** Asks before people may submit again: then the whole contest is frozen again (P23). */
async function confirmReopening(
  { io, writer }: Context,
  { event_id, end_time, freeze_time }: Schemas['EventClock'],
  { who, end, timeZone }: { readonly who: string; readonly end: number; readonly timeZone: string },
): Promise<void> {
  const [former, next] = [end_time, end].map((time) => formatTime(time, timeZone))
  const lines = [
    `Contest ${event_id} has ended at ${former} (${timeZone}).`,
    `Then ${writer.paint(who)} may submit again, until ${next}.`,
    ...(freeze_time === undefined
      ? []
      : ['The results since the freeze are hidden again, also those that a thaw has revealed.']),
  ]
  printNote(io, lines.join('\n'))
  await confirm(io, 'Extend it?', 'the contest stays ended')
}

async function end(ctx: Context, name: string | undefined, { yes }: ExtendOptions): Promise<Outcome> {
  const { client, io, url, writer } = ctx
  const { id, timeZone, hasFile } = await locateContest(name, url)
  if (!yes) {
    const { title } = await readEvent(client, id)
    await confirm(io, `End contest ${id}, "${writer.paint(title)}", now?`, 'the contest goes on')
  }
  const params = { path: { event_id: id } }
  const event = await orThrow(client.POST('/v1/events/{event_id}/end', { params }))
  const time = formatTime(event.end_time, timeZone)
  const advice = hasFile
    ? `\nWrite "end: ${time}" into the contest file, instead of its end or duration.`
    : ''
  return { json: event, text: `Contest ${id} has ended at ${time} (${timeZone}).${advice}` }
}
