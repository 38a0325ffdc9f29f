import { pollUntil } from '../local-servers/polling.ts'
import type { Load } from './load.ts'

export type RecoveryWatch = ReturnType<typeof watchRecovery>

const POLL_MS = 50

/**
 * Measures the time from each fault to the recovery. `countPending` counts submissions without a
 * verdict. It may throw during a fault.
 */
export function watchRecovery(
  load: Load,
  countPending: (ids: readonly string[]) => Promise<number>,
  withinMs: number,
) {
  const acknowledgements: Promise<number | undefined>[] = []
  const verdicts: Promise<number | undefined>[] = []
  return {
    /** Call it when a fault has ended. */
    faultEnded(): void {
      const endedAtMs = performance.now()
      const ids = load.acknowledged().flatMap(({ id }) => id ?? [])
      const measure = async (isDone: () => Promise<boolean>) =>
        (await pollUntil(isDone, withinMs, POLL_MS)) ? performance.now() - endedAtMs : undefined
      const isAcknowledged = async () =>
        load.submitted.some(({ acknowledgedAtMs = 0 }) => acknowledgedAtMs > endedAtMs)
      acknowledgements.push(measure(isAcknowledged))
      verdicts.push(measure(async () => (await countPending(ids)) === 0))
    },
    /** Waits for an acknowledged submission after each fault. False if one took too long. */
    firstAcknowledged: async () => !(await Promise.all(acknowledgements)).includes(undefined),
    /** The slowest recovery in milliseconds; undefined if one took too long. */
    slowest: async (): Promise<number | undefined> => {
      const times = await Promise.all([...acknowledgements, ...verdicts])
      const known = times.filter((time) => time !== undefined)
      return known.length < times.length ? undefined : Math.max(0, ...known)
    },
  }
}
