import type { Database, Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { checkDatabase } from './checks.ts'
import type { Load } from './load.ts'
import * as report from './report.ts'
import type { Reports } from './worker.ts'
import { findUnready, readStandings, type World } from './world.ts'

export type RecoveryWatch = ReturnType<typeof watchRecovery>

const POLL_MS = 50

/** Measures the time from each fault to the recovery. `countPending` may throw during a fault. */
export function watchRecovery(
  load: Load,
  countPending: (ids: readonly string[]) => Promise<number>,
  withinMs: number,
) {
  const acknowledgements: Promise<number | undefined>[] = []
  const verdicts: Promise<number | undefined>[] = []
  return {
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

/** The parts of a system under load, whose clients have stopped. */
interface End {
  readonly load: Load
  readonly world: World
  readonly worker: Reports
  readonly recovery: RecoveryWatch
  readonly recoverWithinMs: number
  readonly stores: {
    readonly database: Database
    /** The number of messages in the queue; undefined if it does not exist. */
    countMessages(): Promise<number | undefined>
  }
  readonly serviceUrls: readonly string[]
  /** The address that clients use, also after the restart. */
  url(): string
  restartServices(): Promise<unknown>
  stopWorkers(): Promise<unknown>
}

/** Waits for the remaining work, and compares the database with what clients and workers saw. */
export async function checkEnd(end: End) {
  const { load, world, worker, recovery, recoverWithinMs, stores } = end
  const drain = () => pollUntil(() => isDrained(stores), recoverWithinMs)
  const wasDrained = await drain()
  const someId = load.acknowledged().at(-1)?.id
  const unready = await Promise.all(end.serviceUrls.map((url) => findUnready(url, world, someId)))
  // The requests of clients that gave up could still be stored, even between two checks. They end
  // with the process.
  await end.restartServices()
  const isDone = wasDrained && (await drain())
  const recoverMs = await recovery.slowest()
  // A message that was delivered twice may get a second verdict, and unacknowledged messages return
  // to the queue.
  await end.stopWorkers()
  const left = await stores.countMessages()
  const standings = await readStandings(end.url(), world)
  const { submitted, shadows } = load
  const evidence = { submitted, shadows, worker, world, standings }
  const { lost, findings } = await checkDatabase(stores.database, evidence)
  const failures = [
    ...unready.flat(),
    ...(isDone ? [] : [`work remains ${recoverWithinMs / 1000} s after the last submission`]),
    ...report.describeLeft(left),
    ...report.describeUnacknowledged(submitted),
    ...report.describeRefusals([...submitted, ...shadows]),
    ...findings.flatMap(report.describeFinding),
    ...report.describeRecovery(recoverMs, recoverWithinMs),
  ]
  return { lost, failures, recoverMs }
}

const PENDING_SHADOWS = `select from shadow_judgings where shadow_judgings.status = 'PENDING'`

/** Whether everything is judged, and no message is left. */
async function isDrained({ database, countMessages }: End['stores']): Promise<boolean> {
  return (
    (await countPending(database)) === 0 &&
    (await ask(database, PENDING_SHADOWS)).length === 0 &&
    (await ask(database, 'select from outbox limit 1')).length === 0 &&
    (await countMessages()) === 0
  )
}

/** Counts submissions without a verdict, of these or of all. */
export async function countPending(db: Queryable, ids?: readonly string[]): Promise<number> {
  const among = ids && `and submissions.id = any('{${ids.join(',')}}')`
  return (await ask(db, `select from submissions where submissions.status = 'PENDING' ${among ?? ''}`)).length
}
