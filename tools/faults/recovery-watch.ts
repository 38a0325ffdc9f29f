import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'

/** Measures how long it takes after each fault until all is as before. */
export interface RecoveryWatch {
  /** A fault has ended: from now on the service should find its way back. */
  faultEnded(): void
  /** Resolves once a submission has been acknowledged after each fault; false where that took too long. */
  firstAcknowledged(): Promise<boolean>
  /** Milliseconds of the slowest recovery; undefined where one did not end in time. */
  slowest(): Promise<number | undefined>
}

const POLL_MS = 50

/** `countPending` says how many of these submissions are without a verdict; it may throw while it cannot know. */
export function watchRecovery(
  load: Load,
  countPending: (ids: readonly string[]) => Promise<number>,
  withinMs: number,
): RecoveryWatch {
  const acknowledgements: Promise<number | undefined>[] = []
  const verdicts: Promise<number | undefined>[] = []
  return {
    faultEnded() {
      const endedAtMs = performance.now()
      const ids = load.acknowledged().flatMap(({ id }) => id ?? [])
      const isAcknowledged = async () =>
        load.submitted.some(({ acknowledgedAtMs = 0 }) => acknowledgedAtMs > endedAtMs)
      acknowledgements.push(measure(endedAtMs, withinMs, isAcknowledged))
      verdicts.push(measure(endedAtMs, withinMs, async () => (await countPending(ids)) === 0))
    },
    firstAcknowledged: async () => !(await Promise.all(acknowledgements)).includes(undefined),
    slowest: async () => {
      const times = await Promise.all([...acknowledgements, ...verdicts])
      const known = times.filter((time) => time !== undefined)
      return known.length < times.length ? undefined : Math.max(0, ...known)
    },
  }
}

async function measure(
  fromMs: number,
  withinMs: number,
  isDone: () => Promise<boolean>,
): Promise<number | undefined> {
  while (performance.now() - fromMs < withinMs) {
    if (await isDone().catch(() => false)) return performance.now() - fromMs
    await sleep(POLL_MS)
  }
  return undefined
}
