import { createJudgeClient, type Schemas } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { World } from './world.ts'

/** The service's responses about the event. */
export interface Standings {
  readonly attempts: readonly Schemas['AttemptStat'][]
  readonly problems: readonly Schemas['ProblemStats'][]
}

/** Reads the standings and the statistics of the event. */
export async function readStandings(baseUrl: string, { judgeToken, eventId }: World): Promise<Standings> {
  const client = createJudgeClient({ baseUrl, token: judgeToken })
  const params = { path: { event_id: eventId } }
  const attempts = await orThrow(client.GET('/v1/events/{event_id}/attempts', { params }))
  const problems = await orThrow(client.GET('/v1/events/{event_id}/problems_stats', { params }))
  return { attempts, problems }
}

/** Checks that an instance is ready and returns the verdict of a submission. */
export async function findUnready(
  baseUrl: string,
  { judgeToken }: World,
  id: string | undefined,
): Promise<string[]> {
  const ready = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
  const found = ready?.status === 200 ? [] : [`GET /ready of ${baseUrl}: ${ready?.status ?? 'no response'}`]
  if (id === undefined) return [...found, 'no submission was acknowledged']
  const client = createJudgeClient({ baseUrl, token: judgeToken })
  const params = { path: { submission_id: id } }
  const { data } = await client.GET('/v1/submissions/{submission_id}/status', { params })
  if (data === undefined || data.status === 'PENDING')
    found.push(`the status of ${id}: ${data?.status ?? 'no response'}`)
  return found
}
