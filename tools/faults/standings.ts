import { createJudgeClient, type Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Contest } from './contest.ts'

/** What the service says of a contest. */
export interface Standings {
  readonly attempts: readonly Schemas['AttemptStat'][]
  readonly problems: readonly Schemas['ProblemStats'][]
}

/** Asks the service for the statistics of the contest. */
export async function readStandings(baseUrl: string, contest: Contest): Promise<Standings> {
  const client = createJudgeClient({ baseUrl, token: contest.judgeToken })
  const params = { path: { event_id: contest.eventId } }
  const attempts = await orThrow(client.GET('/v1/events/{event_id}/attempts', { params }))
  const problems = await orThrow(client.GET('/v1/events/{event_id}/problems_stats', { params }))
  return { attempts, problems }
}

/** What is wrong with an instance when all is over: it must be ready, and tell the status of a submission. */
export async function findUnready(
  baseUrl: string,
  contest: Contest,
  id: string | undefined,
): Promise<string[]> {
  const ready = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  const found = ready?.status === 200 ? [] : [`GET /ready of ${baseUrl}: ${ready?.status ?? 'no answer'}`]
  if (id === undefined) return [...found, 'no submission was acknowledged at all']
  const client = createJudgeClient({ baseUrl, token: contest.judgeToken })
  const params = { path: { submission_id: id } }
  const { data } = await client.GET('/v1/submissions/{submission_id}/status', { params })
  if (data === undefined || data.status === 'PENDING')
    found.push(`the status of ${id}: ${data?.status ?? 'no answer'}`)
  return found
}
