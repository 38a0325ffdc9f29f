import { setTimeout as sleep } from 'node:timers/promises'
import { pollFor } from '../local-servers/polling.ts'
import type { Instance } from './instance.ts'
import type { Load } from './load.ts'
import type { RecoveryWatch } from './recovery.ts'
import type { Servers, Stage } from './stage.ts'
import type { Worker } from './worker.ts'
import type { World } from './world.ts'

/** A moment that comes by chance: it may take long on a busy machine. */
export const CAUGHT_WITHIN_MS = 120_000

export interface Scene extends Servers {
  readonly stage: Stage
  readonly instances: readonly [Instance, ...Instance[]]
  readonly worker: Worker
  readonly world: World
  readonly load: Load
  readonly recovery: RecoveryWatch
  readonly sizes: Sizes
  pause(range: Range): Promise<void>
  note(text: string): void
  fail(text: string): void
}

export type Range = readonly [number, number]

export interface Sizes {
  readonly times: number
  readonly betweenMs: Range
  /** How long a server stays stopped. */
  readonly awayMs: Range
  /** Longer than every timeout: the relay and the clients wait 5 s, the instant worker 4 s. */
  readonly freezeMs: number
  readonly embeddedRounds: number
  readonly embeddedRoundMs: Range
  /** The limit for each recovery, and for the remaining work at the end. */
  readonly recoverWithinMs: number
  /** Ends what hangs: several times what a scenario takes on a slow machine. */
  readonly boundMs: number
}

export interface Scenario {
  readonly name: string
  readonly instances: 1 | 2
  /** `supervised`: the real worker of `npm start -- --judge`, without RabbitMQ. */
  readonly worker: 'instant' | 'real' | 'supervised'
  readonly perSecond: number
  readonly requeueAfterSeconds: number
  readonly slow?: number
  /** Repeating clients submit to the event through the Contest API: in a transaction. */
  readonly usesContestApi?: true
  disturb(scene: Scene): Promise<void>
}

export interface Result {
  readonly name: string
  readonly perSecond: number
  readonly submissions: number
  readonly requests: number
  readonly acknowledged: number
  readonly lost: number
  /** Messages that the worker returned because the service was unreachable. */
  readonly returned: number
  /** Further deliveries of a message that the worker had not returned. */
  readonly duplicates: number
  readonly recoverMs: number | undefined
  readonly notes: readonly string[]
  /** Empty if every check passed. */
  readonly failures: readonly string[]
}

export interface ScenarioRun {
  readonly servers: Servers
  readonly sizes: Sizes
  /** Returns numbers from 0 to 1 that depend only on the seed and the name of the scenario. */
  readonly random: () => number
}

export const sizesOf = (isShort: boolean): Sizes =>
  isShort
    ? {
        ...{ times: 1, betweenMs: [300, 1200], awayMs: [500, 1500], freezeMs: 7000 },
        ...{ embeddedRounds: 3, embeddedRoundMs: [300, 1000], recoverWithinMs: 60_000, boundMs: 1_800_000 },
      }
    : {
        ...{ times: 4, betweenMs: [1500, 5000], awayMs: [2000, 8000], freezeMs: 20_000 },
        ...{ embeddedRounds: 12, embeddedRoundMs: [700, 3000], recoverWithinMs: 90_000, boundMs: 1_800_000 },
      }

const ACKNOWLEDGED_WITHIN_MS = 30_000

const PAUSE_MS = 200

/** Repeats each work, with a pause after it, until `stop`. */
export function startRepeating(...works: readonly ((number: number) => Promise<unknown>)[]) {
  let isStopping = false
  const repeat = async (work: (number: number) => Promise<unknown>) => {
    for (let number = 0; !isStopping; number += 1) {
      await work(number)
      await sleep(PAUSE_MS)
    }
  }
  const running = Promise.all(works.map(repeat))
  const stop = async () => {
    isStopping = true
    await running
  }
  return { isStopping: () => isStopping, stop }
}

export const untilDefined = <T>(send: () => Promise<T | undefined>) =>
  pollFor(send, ACKNOWLEDGED_WITHIN_MS, 'no request was acknowledged')
