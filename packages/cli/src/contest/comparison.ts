import type { Wanted } from './contest-file.ts'
import type { Lock } from './lock.ts'
import type { ContestState, ServiceState } from './read-state.ts'

/** A difference for people: added, removed or changed. */
export interface Line {
  readonly sign: '+' | '-' | '~'
  readonly text: string
}

/** Differences of one kind. */
export const toLines = <Item>(
  sign: Line['sign'],
  items: readonly Item[],
  describe: (item: Item) => string,
): Line[] => items.map((item) => ({ sign, text: describe(item) }))

/** The results of a part of the comparison, for people. */
export interface Findings {
  readonly lines: readonly Line[]
  /** Records that only the service has, and that stay. */
  readonly kept: readonly string[]
  /** Reasons to change nothing. */
  readonly refusals: readonly string[]
}

/** The file, the service, and what the user allows. */
export interface Comparison {
  readonly wanted: Wanted
  readonly lock: Lock
  readonly service: ServiceState
  /** Undefined: it does not exist yet. */
  readonly contest: ContestState | undefined
  readonly isForced: boolean
  /** The time of the service, or of this computer if there is no contest yet; in milliseconds. */
  readonly now: number
}

/** True once the contest has started. */
export const hasStarted = (contest: ContestState | undefined) =>
  contest !== undefined && contest.clock.state !== 'scheduled'
