import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import pLimit from 'p-limit'
import { type ContestProblem, readContestProblems } from '../lookup/contest-problems.ts'
import { listQuestions, listTeams } from '../lookup/contests.ts'
import { readPages } from '../lookup/find-problem.ts'
import { readPatiently } from '../shared/patience.ts'

const READS_AT_ONCE = 4

type Standings = Schemas['Standings']

/** Everything of a contest but its submissions, as its staff sees it. */
export interface ContestDocuments {
  readonly contest: Omit<Schemas['FullEvent'], 'participants'>
  readonly problems: readonly ContestProblem[]
  readonly standings: RankedTable
  /** Only for a contest with teams. */
  readonly teamStandings: RankedTable | undefined
  readonly participants: readonly Schemas['Participant'][]
  readonly teams: readonly Schemas['Team'][]
  readonly questions: readonly Schemas['Question'][]
  readonly announcements: readonly Schemas['Question'][]
}

/** The standings as the service writes them. */
interface RankedTable {
  readonly json: Standings
  readonly csv: string
}

/** Reads the documents of a contest. The user must be an admin. */
export async function readDocuments(client: JudgeClient, eventId: number): Promise<ContestDocuments> {
  const path = { event_id: eventId }
  const { participants: _, ...contest } = await readPatiently(() =>
    orThrow(client.GET('/v1/events/{event_id}', { params: { path } })),
  )
  const participants = await readPatiently(() =>
    readPages((query) => client.GET('/v1/events/{event_id}/participants', { params: { path, query } })),
  )
  const all = await readPatiently(() => listQuestions(client, eventId))
  return {
    ...{ contest, participants },
    questions: all.filter(({ is_announcement }) => is_announcement !== true),
    announcements: all.filter(({ is_announcement }) => is_announcement === true),
    problems: await readPatiently(() => readContestProblems(client, eventId)),
    standings: await readStandings(client, eventId, 'user'),
    teamStandings: contest.teams ? await readStandings(client, eventId, 'team') : undefined,
    teams: contest.teams ? await readTeams(client, eventId) : [],
  }
}

async function readStandings(
  client: JudgeClient,
  eventId: number,
  by: 'user' | 'team',
): Promise<RankedTable> {
  const params = { path: { event_id: eventId }, query: { by } }
  const json = await readPatiently(() => orThrow(client.GET('/v1/events/{event_id}/standings', { params })))
  const csv = await readPatiently(async () => {
    const call = client.GET('/v1/events/{event_id}/standings.csv', { params, parseAs: 'stream' })
    return new Response(await orThrow(call)).text()
  })
  return { json, csv }
}

async function readTeams(client: JudgeClient, event_id: number): Promise<Schemas['Team'][]> {
  const teams = await readPatiently(() => listTeams(client, event_id))
  return pLimit(READS_AT_ONCE).map(teams, ({ id: team_id }) => {
    const params = { path: { event_id, team_id } }
    return readPatiently(() => orThrow(client.GET('/v1/events/{event_id}/teams/{team_id}', { params })))
  })
}
