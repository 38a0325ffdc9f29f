import type { Cluster } from '../../cluster/cluster.ts'
import type { Load } from '../load.ts'
import type { RecoveryWatch } from '../recovery-watch.ts'
import type { Range } from '../scenario.ts'

/** Everything that a scenario on a cluster can disturb. */
export interface ClusterScene {
  readonly cluster: Cluster
  readonly load: Load
  readonly recovery: RecoveryWatch
  readonly sizes: ClusterSizes
  /** Waits for a random time in this range. */
  pause(range: Range): Promise<void>
  /** A number from 0 to 1 that depends on the seed. */
  random(): number
  /** Adds a remark to the table. */
  note(text: string): void
  /** Adds a failure. */
  fail(text: string): void
}

/** How much a run does. */
export interface ClusterSizes {
  /** The number of faults in one scenario. */
  readonly times: number
  readonly betweenMs: Range
  /** How long a machine stays away: longer than every limit without service. */
  readonly awayMs: number
  /** The limit for a machine to work again, and for the remaining work at the end. */
  readonly recoverWithinMs: number
  /** The limit for a whole scenario. */
  readonly boundMs: number
}

/** A kind of fault. */
export interface ClusterScenario {
  readonly name: string
  /** The longest time without an acknowledged submission. */
  readonly withinMs: number
  /** Makes the faults, and reports the end of each. */
  disturb(scene: ClusterScene): Promise<void>
}

export const clusterSizesOf = (isShort: boolean): ClusterSizes => ({
  ...(isShort
    ? { times: 1, betweenMs: [1000, 2000] as const }
    : { times: 3, betweenMs: [2000, 6000] as const }),
  ...{ awayMs: 32_000, recoverWithinMs: 120_000, boundMs: 1_200_000 },
})
