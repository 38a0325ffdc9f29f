import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { notFound, usageError } from '../shared/errors.ts'
import { listEventProblems } from './contests.ts'

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
  const [found, ...others] = matches.find((some) => some.length > 0) ?? []
  const known = problems.map(({ label, id, title }) => `  ${label}  ${title} (${id})`).join('\n')
  if (found === undefined)
    throw notFound(`Contest ${eventId} has no problem ${name}. Its problems:\n${known}`)
  if (others.length > 0) throw usageError(`Several problems are ${name}. Use an id:\n${known}`)
  return found.id
}
