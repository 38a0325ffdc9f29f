import type { Instance } from './instance.ts'
import type { Random } from './random.ts'
import type { RecoveryWatch } from './recovery-watch.ts'
import type { Servers, Stage } from './stage.ts'
import type { Worker } from './worker.ts'

/** What a scenario may lay hands on while the load goes on. */
export interface Scene extends Servers {
  readonly stage: Stage
  readonly instances: readonly [Instance, ...Instance[]]
  readonly worker: Worker
  readonly recovery: RecoveryWatch
  readonly sizes: Sizes
  /** Waits for a random time between these, in milliseconds. */
  pause(range: Range): Promise<void>
  /** What the table says besides. */
  note(text: string): void
  /** Says what is wrong. */
  fail(text: string): void
}

/** The least and the most. */
export type Range = readonly [number, number]

/** How much is done, in the full and in the short form. */
export interface Sizes {
  readonly isShort: boolean
  /** How often something is killed, stopped or purged in one scenario. */
  readonly times: number
  /** Between two faults. */
  readonly betweenMs: Range
  /** How long something stays stopped. */
  readonly awayMs: Range
  /** Longer than anybody waits for an answer: the relay 5 s for a confirm, the clients 5 s, the instant worker 4 s. */
  readonly freezeMs: number
  readonly embeddedRounds: number
  readonly embeddedRoundMs: Range
  /** How long all may take to be as before, each time and at the end. */
  readonly recoverWithinMs: number
  /** How long a scenario may take in all. */
  readonly boundMs: number
}

/** A kind of fault, and the load that it is made under. */
export interface Scenario {
  readonly name: string
  readonly instances: 1 | 2
  readonly worker: 'instant' | 'real'
  readonly perSecond: number
  readonly requeueAfterSeconds: number
  /** Whether another may run at the same time: it neither stops what both use, PostgreSQL and RabbitMQ, nor holds it up for long. */
  readonly isPrivate: boolean
  /** Makes the faults, and says of each when it has ended. */
  disturb(scene: Scene): Promise<void>
}

/** What a scenario came to. */
export interface Result {
  readonly name: string
  readonly perSecond: number
  readonly submissions: number
  readonly requests: number
  readonly acknowledged: number
  /** Clients that sent again until a 201, and had none at the end. */
  readonly gaveUp: number
  readonly lost: number
  /** Deliveries that the worker gave back while the service was out of reach. */
  readonly returned: number
  /** Deliveries beyond those and the first of each message; the same by submission, whatever the attempt. */
  readonly duplicates: number
  readonly duplicatesById: number
  readonly recoverMs: number | undefined
  readonly seconds: number
  readonly notes: readonly string[]
  /** What is wrong, in words; empty where nothing is. */
  readonly failures: readonly string[]
}

/** What a scenario needs to run. */
export interface ScenarioRun {
  readonly servers: Servers
  readonly sizes: Sizes
  readonly random: Random
}

const FULL: Sizes = {
  isShort: false,
  times: 4,
  betweenMs: [1500, 5000],
  awayMs: [2000, 8000],
  freezeMs: 20_000,
  embeddedRounds: 12,
  embeddedRoundMs: [700, 3000],
  recoverWithinMs: 90_000,
  boundMs: 300_000,
}
const SHORT: Sizes = {
  isShort: true,
  times: 1,
  betweenMs: [300, 1200],
  awayMs: [500, 1500],
  freezeMs: 7000,
  embeddedRounds: 3,
  embeddedRoundMs: [300, 1000],
  recoverWithinMs: 60_000,
  boundMs: 120_000,
}

/** The sizes of the full or of the short form. */
export function sizesOf(isShort: boolean): Sizes {
  return isShort ? SHORT : FULL
}
