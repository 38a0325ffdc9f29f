import type { Schemas } from '@judge-data-layer/client'
import { readContestProblems } from '../lookup/contest-problems.ts'
import { listParticipants, listTeams } from '../lookup/contests.ts'
import type { Context } from '../shared/cli.ts'
import { type Cell, colourVerdict, count, type Entry } from '../shared/text.ts'

type Rejudging = Schemas['RejudgingDecision']

/** Describes a rejudging: its progress, the changed verdicts, and whose rank changes. */
export async function describeRejudging(ctx: Context, rejudging: Rejudging): Promise<string> {
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
      colourVerdict(withScore(change.from_status, change.from_score)),
      colourVerdict(withScore(change.to_status, change.to_score)),
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
  return [...parts, ...describeNextStep(rejudging)].join('\n\n')
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

const withScore = (status: string, score: number | undefined) =>
  score === undefined ? status : `${status} (${score})`

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
