import { setTimeout } from 'node:timers/promises'
import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import { settlesWithin } from '../../../background/waiting.ts'
import type { Database } from '../../../db/database.ts'
import { filtersOf, findUnfinished, queueBatch } from './sql.ts'

export interface RejudgingOptions {
  readonly database: Database
  readonly logger: Logger
  readonly wakeRelay: () => void
  /** How often requests of other instances and former processes are looked for. */
  readonly pollMs?: number
}

const POLL_MS = 1000
const STOP_MS = 4000

/** Queues the rest of long rejudgings in the background, until stopped. */
export function startRejudging(options: RejudgingOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loop = run(options, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await settlesWithin(loop, STOP_MS)
    },
  }
}

async function run(options: RejudgingOptions, signal: AbortSignal): Promise<void> {
  const outage = new OutageLog(options.logger, 'warn', 'Rejudgings continue.')
  while (await setTimeout(options.pollMs ?? POLL_MS, true, { signal }).catch(() => false)) {
    try {
      while (!signal.aborted && (await continueRejudgings(options)));
      outage.works()
    } catch (err) {
      if (!signal.aborted) outage.failed({ err }, 'A rejudging cannot continue; it is tried again.')
    }
  }
}

/**
 * Queues a batch of each unfinished rejudging. False: there is none, or other processes hold them.
 * One transaction per batch: verdicts wait for one batch only, and nothing is repeated. Throws the
 * first failure after it has tried all of them.
 */
export async function continueRejudgings({ database, wakeRelay }: RejudgingOptions): Promise<boolean> {
  const unfinished = await database.query(findUnfinished)
  const batches = []
  for (const rejudging of unfinished) {
    const queueing = database.query(queueBatch(filtersOf(rejudging)), rejudging)
    batches.push((await Promise.allSettled([queueing]))[0])
  }
  const queued = batches.flatMap((batch) => (batch?.status === 'fulfilled' ? batch.value : []))
  if (queued.some((batch) => batch.queued > 0)) wakeRelay()
  const failure = batches.find((batch) => batch?.status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
  return queued.length > 0
}
