import type { Cluster } from '../../cluster/cluster.ts'
import type { Scene, Sizes } from '../scenario.ts'

/** Everything that a scenario on a cluster can disturb. */
export interface ClusterScene extends Pick<Scene, 'load' | 'recovery' | 'pause' | 'note' | 'fail'> {
  readonly cluster: Cluster
  readonly sizes: ClusterSizes
  /** A number from 0 to 1 that depends on the seed. */
  random(): number
}

/** How much a run does. A machine stays away for longer than every limit without service. */
export interface ClusterSizes extends Pick<Sizes, 'times' | 'betweenMs' | 'recoverWithinMs' | 'boundMs'> {
  readonly awayMs: number
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
