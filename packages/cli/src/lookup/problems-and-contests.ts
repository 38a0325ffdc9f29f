import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { type ErrorBody, JudgeApiError, orThrow, type Result } from '@judge-data-layer/client/errors'
import { nextCursor } from '@judge-data-layer/client/paging'
import pLimit from 'p-limit'
import { takeOnly } from '../shared/errors.ts'
import type { readPatiently } from '../shared/waits.ts'

const PAGE_SIZE = 1000
const READS_AT_ONCE = 4

/** Reads all problems that the user may see, or the problems of a contest. */
export function listProblems(client: JudgeClient): Promise<Schemas['ProblemSummary'][]> {
  return readPages((query) => client.GET('/v1/problems', { params: { query } }))
}

type Page = { readonly limit: number; readonly after?: string }

/** Reads all pages of a list. */
export async function readPages<Item>(
  readPage: (page: Page) => Promise<Result<Item[], ErrorBody>>,
): Promise<Item[]> {
  const items: Item[] = []
  let after: string | undefined
  do {
    const result = await readPage({ limit: PAGE_SIZE, ...(after !== undefined && { after }) })
    if (result.error !== undefined) throw new JudgeApiError(result.response, result.error)
    items.push(...result.data)
    after = nextCursor(result.response)
  } while (after !== undefined)
  return items
}

/** Finds a problem by its id, or by its identifier if only one has it; resolves to the id. */
export async function findProblem(client: JudgeClient, name: string): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  return findByIdentifier(await listProblems(client), name, 'that you may see')
}

/** The same among the problems of a contest. */
export async function findContestProblem(
  client: JudgeClient,
  eventId: number,
  name: string,
): Promise<number> {
  if (/^\d+$/.test(name)) return Number(name)
  const params = { path: { event_id: eventId } }
  const listed = await orThrow(client.GET('/v1/events/{event_id}/problems', { params }))
  const problems = listed.flatMap(({ problem }) => ('identifier' in problem ? [problem] : []))
  return findByIdentifier(problems, name, `in contest ${eventId}`)
}

/** Reads the title of a problem. */
export async function readTitle(client: JudgeClient, id: number): Promise<string> {
  return (await orThrow(client.GET('/v1/problems/{id}', { params: { path: { id } } }))).title
}

type Named = Pick<Schemas['ProblemSummary'], 'id' | 'identifier' | 'title'>

function findByIdentifier(problems: readonly Named[], name: string, where: string): number {
  const found = problems.filter(({ identifier }) => identifier === name)
  const known = found.map(({ id, title }) => `  ${id}  ${title}`).join('\n')
  const several = `Several problems have the identifier ${name}. Use one of these ids:\n${known}`
  return takeOnly(found, `No problem ${where} has the identifier ${name}.`, several).id
}

/** Reads a contest that the user may see. */
export const readEvent = (client: JudgeClient, event_id: number): Promise<Schemas['PublicEvent']> =>
  orThrow(client.GET('/v1/public/events/{event_id}', { params: { path: { event_id } } }))

/** Reads the clock of a contest. */
export const readClock = (client: JudgeClient, event_id: number): Promise<Schemas['EventClock']> =>
  orThrow(client.GET('/v1/events/{event_id}/clock', { params: { path: { event_id } } }))

/** Reads the problems of a contest in their order. */
export const listEventProblems = (client: JudgeClient, event_id: number) =>
  readPages((query) =>
    client.GET('/v1/events/{event_id}/problems', { params: { path: { event_id }, query } }),
  )

/** Reads the participants; staff sees their extra time, and hidden ones. */
export const listParticipants = (client: JudgeClient, event_id: number): Promise<Schemas['Participant'][]> =>
  readPages((query) =>
    client.GET('/v1/public/events/{event_id}/participants', { params: { path: { event_id }, query } }),
  )

/** Reads the teams of a contest. */
export const listTeams = (client: JudgeClient, event_id: number) =>
  readPages((query) => client.GET('/v1/events/{event_id}/teams', { params: { path: { event_id }, query } }))

/** Reads the teams of a contest with their members. `read` may try again. */
export async function readTeams(
  client: JudgeClient,
  event_id: number,
  read: typeof readPatiently = (call) => call(),
): Promise<Schemas['Team'][]> {
  const teams = await read(() => listTeams(client, event_id))
  return pLimit(READS_AT_ONCE).map(teams, ({ id: team_id }) => {
    const params = { path: { event_id, team_id } }
    return read(() => orThrow(client.GET('/v1/events/{event_id}/teams/{team_id}', { params })))
  })
}

/** The names of teams by the ids of their members. */
export const teamNamesOf = (teams: readonly Schemas['Team'][]): ReadonlyMap<string, string> =>
  new Map(teams.flatMap(({ name, members }) => members.map(({ id }) => [id, name] as const)))

/** Reads the questions and the announcements, the newest first. */
export const listQuestions = (client: JudgeClient, event_id: number): Promise<Schemas['Question'][]> =>
  readPages((query) =>
    client.GET('/v1/events/{event_id}/questions', { params: { path: { event_id }, query } }),
  )

/** A problem of a contest. */
export interface ContestProblem {
  readonly id: number
  /** As in the standings; `problem-7` for a hidden problem without a label of its own. */
  readonly label: string
  readonly title: string
  /** Empty if the user may not see the problem. */
  readonly identifier: string
}

/** Reads the problems of a contest in their order. */
export async function readContestProblems(client: JudgeClient, eventId: number): Promise<ContestProblem[]> {
  const problems = await listEventProblems(client, eventId)
  const hasAllLabels = problems.every(({ label, hidden }) => label !== undefined || hidden)
  const labels = hasAllLabels ? new Map<number, string>() : await readLabels(client, eventId)
  return problems.map(({ problem_id: id, label, problem }) => ({
    id,
    label: label ?? labels.get(id) ?? `problem-${id}`,
    title: problem.title,
    identifier: 'identifier' in problem ? problem.identifier : '',
  }))
}

/** The letters of problems without a label depend on all problems of the standings. */
async function readLabels(client: JudgeClient, eventId: number): Promise<Map<number, string>> {
  const params = { path: { event_id: eventId } }
  const { problems } = await orThrow(client.GET('/v1/events/{event_id}/standings', { params }))
  return new Map(problems.map(({ problem_id, label }) => [problem_id, label]))
}

/** Finds a problem of a contest by its label, its id or its identifier; resolves to the id. */
export async function findLabelledProblem(
  client: JudgeClient,
  eventId: number,
  name: string,
): Promise<number> {
  const problems = await readContestProblems(client, eventId)
  const wanted = name.toLowerCase()
  const matches = [
    problems.filter(({ label }) => label.toLowerCase() === wanted),
    problems.filter(({ id }) => String(id) === name),
    problems.filter(({ identifier }) => identifier === name),
  ]
  const found = matches.find((some) => some.length > 0) ?? []
  const known = problems.map(({ label, id, title }) => `  ${label}  ${title} (${id})`).join('\n')
  const none = `Contest ${eventId} has no problem ${name}. Its problems:\n${known}`
  return takeOnly(found, none, `Several problems are ${name}. Use an id:\n${known}`).id
}
