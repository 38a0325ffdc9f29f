import type { Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Command } from 'commander'
import { locateContest, showArguments, takeContest } from '../contest/find-contest.ts'
import { type ContestState, listContests, readContestState } from '../contest/read-state.ts'
import { formatTime, ownTimeZone } from '../contest/times.ts'
import { listQuestions } from '../lookup/problems-and-contests.ts'
import type { Cli, Context, Outcome } from '../shared/cli.ts'
import { count, type Entry } from '../shared/text.ts'
import { addApplyCommand } from './contest-apply.ts'
import { addContestExportCommand } from './contest-export.ts'
import { addQuestionCommands } from './contest-questions.ts'
import { addStandingsCommands } from './contest-standings.ts'
import { addThawCommand } from './contest-thaw.ts'
import { addContestTimeCommands } from './contest-times.ts'

/** Adds `contest` with its commands. */
export function addContestCommands(program: Command, cli: Cli): void {
  const contest = program
    .command('contest')
    .description('Create, change, run and watch contests.')
    .addHelpText('after', EXAMPLES)
  showArguments(contest)
  addApplyCommand(contest, cli)
  addContestListCommands(contest, cli)
  addContestTimeCommands(contest, cli)
  addThawCommand(contest, cli)
  addQuestionCommands(contest, cli)
  addStandingsCommands(contest, cli)
  addContestExportCommand(contest, cli)
}

const EXAMPLES = `
Examples:
  $ judge contest apply exam/contest.yaml
  $ judge contest list
  $ judge contest standings exam --watch

A contest is named by its id, or by the path of its contest file or folder, which has the
id in contest.lock. Without a name it is the one of contest.lock in this folder.`

/** Adds `contest list` and `contest show`. */
function addContestListCommands(parent: Command, cli: Cli): void {
  parent
    .command('list')
    .description('List the contests, the newest first.')
    .addHelpText('after', '\nExample:\n  $ judge contest list')
    .action(cli.action(showList))
  takeContest(parent.command('show'))
    .description('Show a contest: its times, rules, problems and numbers of people and questions.')
    .addHelpText('after', '\nExamples:\n  $ judge contest show 7\n  $ judge contest show exam/contest.yaml')
    .action(cli.action(showContest))
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
  const all = await listQuestions(client, id)
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

const STATE_COLOURS = { scheduled: 'dim', running: 'green', frozen: 'yellow', ended: 'bold' } as const

function describeTimes({ event, clock }: ContestState, zone: string): Entry[] {
  const time = (value: string) => formatTime(value, zone)
  return [
    ['Contest', String(event.id)],
    ['Title', event.title],
    ['State', { text: clock.state, colour: STATE_COLOURS[clock.state] }],
    ['Now', `${time(clock.now)} (${zone})`],
    ['Start', time(event.start_time)],
    ['Freeze', event.freeze_time && time(event.freeze_time)],
    ['End', time(event.end_time)],
    ['Thawed', event.thawed_at && time(event.thawed_at)],
  ]
}

function describeRules(event: Schemas['PublicEvent'], languages: readonly Schemas['Language'][]): Entry[] {
  const { medals, penalty_minutes } = event
  const allowed = event.languages.map((id) => languages.find((one) => one.id === id)?.name ?? String(id))
  return [
    ['Scoring', event.scoring],
    ['Penalty', penalty_minutes === undefined ? undefined : `${penalty_minutes} min`],
    ['Admission', event.admission],
    ['Scoreboard', event.scoreboard],
    ['Clarifications', event.clarifications],
    ['Medals', medals && `${medals.gold} gold, ${medals.silver} silver, ${medals.bronze} bronze`],
    ['Languages', event.enforce_languages ? allowed.join(', ') : undefined],
    ['Teams', event.teams ? 'yes' : undefined],
  ]
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

function describeProblem(shown: Schemas['EventProblem']) {
  const { label = '', color = '', points, problem, problem_id, hidden } = shown
  const notes = [...(points === undefined ? [] : [`${points} points`]), ...(hidden ? ['hidden'] : [])]
  return [label, problem.title, color, String(problem_id), notes.join(', ')]
}
