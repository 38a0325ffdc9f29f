import type { JudgeClient, Schemas } from '@judge-data-layer/client'
import { type ErrorBody, JudgeApiError, orThrow, type Result } from '@judge-data-layer/client/errors'
import { nextCursor } from '@judge-data-layer/client/paging'
import { notFound, usageError } from '../shared/errors.ts'

const PAGE_SIZE = 1000

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
  const [found, ...others] = problems.filter(({ identifier }) => identifier === name)
  if (found === undefined) throw notFound(`No problem ${where} has the identifier ${name}.`)
  if (others.length === 0) return found.id
  const known = [found, ...others].map(({ id, title }) => `  ${id}  ${title}`).join('\n')
  throw usageError(`Several problems have the identifier ${name}. Use one of these ids:\n${known}`)
}
