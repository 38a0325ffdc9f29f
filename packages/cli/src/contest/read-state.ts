import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { fold } from '@judge-data-layer/runtime/visible-text'
import {
  listEventProblems,
  listParticipants,
  listProblems,
  readClock,
  readEvent,
  readPages,
  readTeams,
  teamNamesOf,
} from '../lookup/problems-and-contests.ts'
import { usageError } from '../shared/errors.ts'

/** A contest as the service has it. */
export interface ContestState {
  readonly event: Schemas['PublicEvent']
  readonly clock: Schemas['EventClock']
  readonly problems: readonly Schemas['EventProblem'][]
  readonly participants: readonly Schemas['Participant'][]
  /** The names of the teams, by the ids of their members. */
  readonly teams: ReadonlyMap<string, string>
}

/** The accounts, languages, problems and contests of the service. */
export interface ServiceState {
  /** By their e-mail addresses. */
  readonly users: ReadonlyMap<string, Schemas['User']>
  readonly languages: readonly Schemas['Language'][]
  readonly problems: readonly Schemas['ProblemSummary'][]
  readonly events: readonly Schemas['EventSummary'][]
}

/** Reads the accounts, languages, problems and contests; for admins. */
export async function readService(client: JudgeClient): Promise<ServiceState> {
  const [users, languages, problems, events] = await Promise.all([
    readPages((query) => client.GET('/v1/users', { params: { query } })),
    orThrow(client.GET('/v1/languages')),
    listProblems(client),
    listContests(client),
  ])
  return { users: new Map(users.map((user) => [fold(user.email), user])), languages, problems, events }
}

/** Reads all contests. */
export function listContests(client: JudgeClient): Promise<Schemas['EventSummary'][]> {
  return readPages((query) => client.GET('/v1/public/events', { params: { query } }))
}

/** Reads the contest of a lock. Throws a usage error, which names the lock, if it was deleted. */
export async function readContest(client: JudgeClient, id: number, lockFile: string): Promise<ContestState> {
  return readContestState(client, id).catch((err: unknown) => {
    if (!(err instanceof JudgeApiError) || err.code !== 'NOT_FOUND') throw err
    throw usageError(
      `${lockFile}: the service has no contest ${id}: it was deleted. To create it anew, remove the line "contest: ${id}" from the file.`,
    )
  })
}

/** Reads a contest that the user may see. */
export async function readContestState(client: JudgeClient, id: number): Promise<ContestState> {
  const event = await readEvent(client, id)
  const [clock, problems, participants, teams] = await Promise.all([
    readClock(client, id),
    listEventProblems(client, id),
    listParticipants(client, id),
    event.teams ? readTeams(client, id) : [],
  ])
  return { event, clock, problems, participants, teams: teamNamesOf(teams) }
}
