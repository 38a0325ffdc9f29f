import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import { takeContest } from '../contest/arguments.ts'
import { locateContest } from '../contest/find-contest.ts'
import { type ContestState, listContests, readContestState } from '../contest/read-state.ts'
import { formatTime, ownTimeZone } from '../contest/times.ts'
import { readPages } from '../lookup/find-problem.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { type Cell, count } from '../shared/text.ts'

/** Adds `contest list` and `contest show`. */
export function addContestListCommands(parent: Command, cli: Cli): void {
  parent
    .command('list')
    .description('List the contests, the newest first.')
    .addHelpText('after', '\nExample:\n  $ judge contest list')
    .action((_: object, command: Command) => cli.perform(command, showList))
  takeContest(parent.command('show'))
    .description('Show a contest: its times, rules, problems and numbers of people and questions.')
    .addHelpText('after', '\nExamples:\n  $ judge contest show 7\n  $ judge contest show exam/contest.yaml')
    .action((name: string | undefined, _: object, command: Command) =>
      cli.perform(command, (ctx) => showContest(ctx, name)),
    )
}

async function showList({ client, writer }: Context): Promise<Outcome> {
  const zone = ownTimeZone()
  const contests = await listContests(client)
  const now = Date.now()
  const rows = contests.map((one) => [
    ...[String(one.id), one.title, formatTime(one.start_time, zone), formatTime(one.end_time, zone)],
    ...[stateOf(one, now), String(one.participant_count)],
  ])
  const headings = ['Id', 'Title', 'Start', 'End', 'State', 'People']
  const text = `${writer.table(headings, rows)}\n\nTimes are in ${zone}.`
  return { json: contests, text: rows.length === 0 ? 'No contests.' : text }
}

/** As the service says it for one contest, but without extra time. */
function stateOf(event: Schemas['EventSummary'], now: number): Schemas['EventClock']['state'] {
  const { start_time, end_time, freeze_time, thawed_at } = event
  if (now < Date.parse(start_time)) return 'scheduled'
  if (freeze_time !== undefined && thawed_at === undefined && now >= Date.parse(freeze_time)) return 'frozen'
  return now < Date.parse(end_time) ? 'running' : 'ended'
}

async function showContest({ client, url, writer }: Context, name: string | undefined): Promise<Outcome> {
  const { id, timeZone } = await locateContest(name, url)
  const state = await readContestState(client, id)
  const all = await readPages((query) =>
    client.GET('/v1/events/{event_id}/questions', { params: { path: { event_id: id }, query } }),
  )
  const questions = all.filter(({ is_announcement }) => is_announcement !== true)
  const languages = await orThrow(client.GET('/v1/languages'))
  const open = questions.filter((one) => !one.is_answered).length
  const { event, clock, problems } = state
  const entries = [
    ...describeTimes(state, timeZone),
    ...describeRules(event, languages),
    ...describePeople(state),
    ['Questions', open === 0 ? `${questions.length}` : `${questions.length}, ${open} open`] as const,
  ]
  const blocks = [writer.list(entries)]
  if (event.description !== '') blocks.push(writer.paint(event.description.trimEnd()))
  if (problems.length > 0) blocks.push(writer.table(PROBLEM_HEADINGS, problems.map(describeProblem)))
  const json = { ...event, clock, problems, questions: questions.length, open_questions: open }
  return { json, text: blocks.join('\n\n') }
}

type Entry = readonly [string, Cell]

const STATE_COLOURS = { scheduled: 'dim', running: 'green', frozen: 'yellow', ended: 'bold' } as const

function describeTimes({ event, clock }: ContestState, zone: string): Entry[] {
  const time = (value: string) => formatTime(value, zone)
  return [
    ['Contest', String(event.id)],
    ['Title', event.title],
    ['State', { text: clock.state, colour: STATE_COLOURS[clock.state] }],
    ['Now', `${time(clock.now)} (${zone})`],
    ['Start', time(event.start_time)],
    ...(event.freeze_time === undefined ? [] : [['Freeze', time(event.freeze_time)] as const]),
    ['End', time(event.end_time)],
    ...(event.thawed_at === undefined ? [] : [['Thawed', time(event.thawed_at)] as const]),
  ]
}

function describeRules(event: Schemas['PublicEvent'], languages: readonly Schemas['Language'][]): Entry[] {
  const { medals, penalty_minutes } = event
  const allowed = event.languages.map((id) => languages.find((one) => one.id === id)?.name ?? String(id))
  const rules: [string, string | undefined][] = [
    ['Scoring', event.scoring],
    ['Penalty', penalty_minutes === undefined ? undefined : `${penalty_minutes} min`],
    ['Admission', event.admission],
    ['Scoreboard', event.scoreboard],
    ['Clarifications', event.clarifications],
    ['Medals', medals && `${medals.gold} gold, ${medals.silver} silver, ${medals.bronze} bronze`],
    ['Languages', event.enforce_languages ? allowed.join(', ') : undefined],
    ['Teams', event.teams ? 'yes' : undefined],
  ]
  return rules.flatMap(([name, value]): Entry[] => (value === undefined ? [] : [[name, value]]))
}

function describePeople({ event, participants }: ContestState): Entry[] {
  const hidden = participants.filter((one) => one.hidden === true).length
  const extra = participants.filter((one) => (one.extra_minutes ?? 0) > 0).length
  const notes = [
    ...(hidden > 0 ? [`${hidden} hidden`] : []),
    ...(extra > 0 ? [`${extra} with extra time`] : []),
  ]
  return [
    ['People', [count(participants.length, 'participant'), ...notes].join(', ')],
    ['Staff', String(event.staff?.length ?? 0)],
  ]
}

const PROBLEM_HEADINGS = ['Label', 'Title', 'Colour', 'Problem', '']

const describeProblem = ({
  label = '',
  color = '',
  problem,
  problem_id,
  hidden,
}: Schemas['EventProblem']) => [...[label, problem.title, color, String(problem_id), hidden ? 'hidden' : '']]
