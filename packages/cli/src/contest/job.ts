import type { Context } from '../shared/cli.ts'
import type { Wanted } from './contest-file.ts'
import type { Differences } from './differences.ts'
import type { LockKeeper } from './lock-keeper.ts'
import type { ContestState, ServiceState } from './read-state.ts'

/** Everything that the steps of `contest apply` need. */
export interface Job {
  readonly ctx: Context
  readonly wanted: Wanted
  readonly service: ServiceState
  readonly contest: ContestState | undefined
  readonly differences: Differences
  readonly keeper: LockKeeper
  readonly slips: string | undefined
  /** Whether tests and times may change after the start. */
  readonly isForced: boolean
  /** Files with valid passwords of an interrupted run: a CSV file, and slips if there are any. */
  readonly left: readonly string[]
}
