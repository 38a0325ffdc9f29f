import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { type Load, personOf } from '../load.ts'
import type { World } from '../world.ts'

/** The status of each submission, by id. */
type Seen = ReadonlyMap<string, string>

const POLL_MS = 500
const TIMEOUT_MS = 5000

/** Polls the submissions of some people, and compares each response with everything before it. */
export function watchSeen(url: string, world: World, load: Load, people: number) {
  const found: string[] = []
  const stopping = new AbortController()
  const respondedAtMs: number[] = []
  const watchOne = async (place: number) => {
    const { id, token } = personOf(world.people, place)
    const client = createJudgeClient({ baseUrl: url, token })
    let seen: Seen = new Map()
    while (!stopping.signal.aborted) {
      const acknowledged = load.submitted.flatMap(({ id: own }, number) =>
        own !== undefined && personOf(world.people, number).id === id ? [own] : [],
      )
      const now = await readOwn(client, id)
      if (now !== undefined) {
        respondedAtMs.push(performance.now())
        found.push(...findLess(seen, acknowledged, now))
        seen = now
      }
      await sleep(POLL_MS)
    }
  }
  const watching = Promise.all(Array.from({ length: people }, (_, place) => watchOne(place)))
  return {
    /** Describes every response that showed less than an earlier one; the times of all responses. */
    stop: async () => {
      stopping.abort()
      await watching
      return { respondedAtMs, found }
    },
  }
}

/** Undefined without a response in time, or with an error. */
async function readOwn(client: ReturnType<typeof createJudgeClient>, id: string): Promise<Seen | undefined> {
  const deadline = startDeadline(TIMEOUT_MS)
  const params = { path: { user_id: id } }
  try {
    const { data } = await client.GET('/v1/user_submissions/{user_id}', { params, signal: deadline.signal })
    return data && new Map(data.map((submission) => [submission.id, submission.status]))
  } catch {
    return undefined
  } finally {
    deadline.close()
  }
}

/** Describes what `now` lacks: acknowledged or seen submissions, and verdicts that were seen. */
export function findLess(seen: Seen, acknowledged: readonly string[], now: Seen): string[] {
  const missing = [...acknowledged, ...seen.keys()].filter((id) => !now.has(id))
  const unjudged = [...seen].filter(([id, status]) => status !== 'PENDING' && now.get(id) === 'PENDING')
  return [
    ...[...new Set(missing)].map((id) => `a list without ${id}, which was acknowledged or seen before`),
    ...unjudged.map(([id, status]) => `${id} is PENDING, after ${status} was seen`),
  ]
}
