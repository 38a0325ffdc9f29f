import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient } from '@judge-data-layer/client'
import { inTime, isWrong, type Load, personOf, type Submitted } from '../../faults/load.ts'
import type { World } from '../../faults/world.ts'

/** Sends one request. `less` describes what the list lacks; undefined if there was no list. */
type Reader = (signal: AbortSignal) => Promise<{ readonly response: Response; readonly less?: string[] }>

const POLL_MS = 500
const TIMEOUT_MS = 5000

/** Polls lists of some people and the attempts, and compares each response with all before it. */
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
      const { less, response } = (await inTime(TIMEOUT_MS, read)) ?? {}
      if (less !== undefined) {
        respondedAtMs.push(performance.now())
        found.push(...less)
      } else if (response && isWrong(response)) found.push(`a list was answered with ${response.status}`)
      await sleep(POLL_MS)
    }
    return respondedAtMs
  }
  const watching = Promise.all(readers.map(watchOne))
  return {
    /** Describes wrong responses, and those that showed less. With the times of each client. */
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

/** Describes what `now` lacks: acknowledged or seen submissions, and verdicts that were seen. */
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

const WINDOW_MS = 1000
/** With three instances, the loss of one costs a third of the requests until it is noticed. */
const LEAST_SHARE = 0.5

interface Watch {
  readonly fromMs: number
  readonly toMs: number
}

/** The longest time between two of these times, or before the first, or after the last one. */
export function longestGap(times: readonly number[], { fromMs, toMs }: Watch): number {
  const within = times.filter((time) => time > fromMs && time < toMs)
  const sorted = [fromMs, ...within.sort((one, other) => one - other), toMs]
  return Math.max(0, ...sorted.slice(1).map((time, n) => time - (sorted[n] ?? time)))
}

/**
 * The longest time without service: seconds in a row in which fewer than half of the requests of
 * clients that do not repeat them were acknowledged, or the longest time without any
 * acknowledgement. In milliseconds.
 */
export function longestOutage(submitted: readonly Submitted[]): number {
  const seconds = new Map<number, { sent: number; acknowledged: number }>()
  for (const { isRetrying, sentAtMs, id } of submitted) {
    if (isRetrying) continue
    const second = Math.floor(sentAtMs / WINDOW_MS)
    const { sent, acknowledged } = seconds.get(second) ?? { sent: 0, acknowledged: 0 }
    seconds.set(second, { sent: sent + 1, acknowledged: acknowledged + (id === undefined ? 0 : 1) })
  }
  const good = [...seconds].flatMap(([second, { sent, acknowledged }]) =>
    acknowledged >= sent * LEAST_SHARE ? [second * WINDOW_MS] : [],
  )
  const acknowledgedAtMs = submitted.flatMap((one) => one.acknowledgedAtMs ?? [])
  const withoutAny = longestGap(acknowledgedAtMs, {
    fromMs: submitted[0]?.sentAtMs ?? 0,
    toMs: Math.max(submitted.at(-1)?.sentAtMs ?? 0, ...acknowledgedAtMs),
  })
  if (seconds.size === 0) return withoutAny
  const around = {
    fromMs: (Math.min(...seconds.keys()) - 1) * WINDOW_MS,
    toMs: (Math.max(...seconds.keys()) + 1) * WINDOW_MS,
  }
  // Between two good seconds in a row there is no outage.
  return Math.max(withoutAny, longestGap(good, around) - WINDOW_MS)
}
