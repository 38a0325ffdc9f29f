import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { isWrong, type Load, personOf } from '../load.ts'
import type { World } from '../world.ts'

/** Sends one request. `less` describes what the list lacks; undefined if there was no list. */
type Reader = (signal: AbortSignal) => Promise<{ readonly response: Response; readonly less?: string[] }>

const POLL_MS = 500
const TIMEOUT_MS = 5000

/**
 * Polls the submissions of some people, and the attempts of the event, and compares each response
 * with everything before it.
 */
export function watchSeen(url: string, world: World, load: Load, people: number) {
  const found: string[] = []
  const stopping = new AbortController()
  const readers = [
    ...Array.from({ length: people }, (_, place) => ownReader(url, world, load, place)),
    attemptsReader(url, world),
  ]
  const watchOne = async (read: Reader) => {
    const respondedAtMs: number[] = []
    while (!stopping.signal.aborted) {
      const deadline = startDeadline(TIMEOUT_MS)
      try {
        const { less, response } = await read(deadline.signal)
        if (less !== undefined) {
          respondedAtMs.push(performance.now())
          found.push(...less)
        } else if (isWrong(response)) found.push(`a list was answered with ${response.status}`)
      } catch {
        // No response in time.
      } finally {
        deadline.close()
      }
      await sleep(POLL_MS)
    }
    return respondedAtMs
  }
  const watching = Promise.all(readers.map(watchOne))
  return {
    /**
     * Describes every wrong response, and every one that showed less than an earlier one. Returns
     * also the times of the responses of each client.
     */
    stop: async () => {
      stopping.abort()
      return { respondedAtMs: await watching, found }
    },
  }
}

function ownReader(url: string, { people }: World, load: Load, place: number): Reader {
  const { id, token } = personOf(people, place)
  const client = createJudgeClient({ baseUrl: url, token })
  const params = { path: { user_id: id } }
  let seen: ReadonlyMap<string, string> = new Map()
  return async (signal) => {
    const acknowledged = load.submitted.flatMap(({ id: own }, number) =>
      own !== undefined && personOf(people, number).id === id ? [own] : [],
    )
    const { data, response } = await client.GET('/v1/user_submissions/{user_id}', { params, signal })
    if (data === undefined) return { response }
    const now = new Map(data.map((submission) => [submission.id, submission.status]))
    const less = findLess(seen, acknowledged, now)
    seen = now
    return { response, less }
  }
}

function attemptsReader(url: string, { people, eventId }: World): Reader {
  const client = createJudgeClient({ baseUrl: url, token: personOf(people, 0).token })
  const params = { path: { event_id: eventId } }
  let seen: ReadonlyMap<string, number> = new Map()
  return async (signal) => {
    const { data, response } = await client.GET('/v1/events/{event_id}/attempts', { params, signal })
    if (data === undefined) return { response }
    const now = new Map(data.map((cell) => [`${cell.user_id} ${cell.problem_id}`, cell.total_attempts]))
    const less = findFewer(seen, now)
    seen = now
    return { response, less }
  }
}

/**
 * Describes what `now` lacks: acknowledged or seen submissions, and verdicts that were seen. The
 * maps have the status of each submission.
 */
export function findLess(
  seen: ReadonlyMap<string, string>,
  acknowledged: readonly string[],
  now: ReadonlyMap<string, string>,
): string[] {
  const missing = [...acknowledged, ...seen.keys()].filter((id) => !now.has(id))
  const unjudged = [...seen].filter(([id, status]) => status !== 'PENDING' && now.get(id) === 'PENDING')
  return [
    ...[...new Set(missing)].map((id) => `a list without ${id}, which was acknowledged or seen before`),
    ...unjudged.map(([id, status]) => `${id} is PENDING, after ${status} was seen`),
  ]
}

/** Describes the cells of the standings that have fewer submissions than before. */
export const findFewer = (seen: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): string[] =>
  [...seen].flatMap(([cell, attempts]) =>
    (now.get(cell) ?? 0) < attempts ? [`${cell} has fewer than ${attempts} attempts`] : [],
  )
