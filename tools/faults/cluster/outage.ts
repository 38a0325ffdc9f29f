import type { Submitted } from '../load.ts'

const WINDOW_MS = 1000
/** With three instances, the loss of one costs a third of the requests until it is noticed. */
const LEAST_SHARE = 0.5

/** The time in which the clients were watched. */
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
