import { type Database, statement } from '../db/database.ts'
import type { Broker } from './broker.ts'
import { type Logger, OutageLog } from './outage-log.ts'
import { queuedFrom } from './outbox.ts'
import { Bell, settlesWithin } from './waiting.ts'

export interface RecoveryOptions {
  readonly database: Database
  readonly broker: Broker
  readonly logger: Logger
  /** How long a judge may take once the queue was empty before what it should have judged is queued again. */
  readonly requeueAfterMs: number
  /** Says that the outbox has rows. */
  readonly wakeRelay: () => void
}

export interface Recovery {
  stop(): Promise<void>
}

/**
 * Finds work whose message has vanished, and queues it again as a new attempt, until stopped. When the queue is empty, all that has left the
 * outbox is with a worker, or lost; what of it is still pending `requeueAfterMs` later, with the queue empty again, is taken for lost.
 * So a mere backlog is never queued twice, and what is lost at most once each `requeueAfterMs`.
 */
export function startRecovery(options: RecoveryOptions): Recovery {
  const stopping = { isStopping: false, bell: new Bell() }
  const loop = watch(options, stopping)
  return {
    async stop() {
      stopping.isStopping = true
      stopping.bell.ring()
      await settlesWithin(loop, STOP_MS)
    },
  }
}

const MAX_PAUSE_MS = 60_000
/** A broker that has gone silent answers nothing until its connection is given up. */
const STOP_MS = 4000

interface Stopping {
  readonly isStopping: boolean
  readonly bell: Bell
}

async function watch(options: RecoveryOptions, stopping: Stopping): Promise<void> {
  const outage = new OutageLog(options.logger, 'warn', 'Lost work can be looked for again.')
  let seen: EmptyQueue[] = []
  const pauseMs = Math.min(MAX_PAUSE_MS, options.requeueAfterMs / 4)
  while (!(await stopping.bell.wait(pauseMs))) {
    try {
      seen = await recover(options, seen, stopping)
      outage.works()
    } catch (err) {
      if (!stopping.isStopping) outage.failed({ err }, 'Lost work cannot be looked for.')
    }
  }
}

/** The queue was empty at `seen_ms`: what had been queued before `queued_before` had left outbox and queue. By the database's clock. */
type EmptyQueue = { queued_before: string; seen_ms: number }

// The one statement that reads the whole outbox, which is short but for an outage: 16 ms for 100,000 rows.
const readOutbox = statement<EmptyQueue>(
  'read_outbox_age',
  `select coalesce(min(outbox.enqueued_at), now())::text as queued_before,
          (extract(epoch from now()) * 1000)::double precision as seen_ms
   from outbox`,
)

/** One look; answers what to remember of the empty queues seen so far, oldest first. */
async function recover(
  options: RecoveryOptions,
  seen: readonly EmptyQueue[],
  stopping: Stopping,
): Promise<EmptyQueue[]> {
  const { database, broker, requeueAfterMs } = options
  // The outbox first: what it did not hold then has been in the queue.
  const [now] = await database.query(readOutbox)
  if (now === undefined || !(await broker.isEmpty())) return [...seen]
  const isOld = (queue: EmptyQueue) => queue.seen_ms <= now.seen_ms - requeueAfterMs
  const old = seen.filter(isOld).at(-1)
  if (old !== undefined) await requeueLost(options, [old.queued_before, now.queued_before], stopping)
  return [...(old === undefined ? [] : [old]), ...seen.filter((queue) => !isOld(queue)), now]
}

const BATCH = 1000

const requeue = (table: 'submissions' | 'runs', isPending: string, kind: 'submission' | 'input') =>
  statement<{ count: number }>(
    `requeue_lost_${table}`,
    `
  with lost as (
    select ${table}.id
    from ${table}
    where ${isPending} and ${table}.queued_at < least($1::timestamptz, $2::timestamptz)
    order by ${table}.queued_at
    limit ${BATCH}
    for update skip locked
  ), requeued as (
    update ${table}
    set attempt = ${table}.attempt + 1, queued_at = now()
    from lost
    where ${table}.id = lost.id
    returning ${table}.id, ${table}.attempt
  ), queued as (
    ${queuedFrom('requeued', kind)}
  )
  select count(*)::integer as count from requeued`,
  )

const requeueSubmissions = requeue('submissions', `submissions.status = 'PENDING'`, 'submission')
const requeueRuns = requeue('runs', 'not runs.finished', 'input')

/** `queuedBefore` is of both looks: what committed only after the first one may still be in the outbox at the second. */
async function requeueLost(
  { database, logger, wakeRelay }: RecoveryOptions,
  queuedBefore: readonly [string, string],
  stopping: Stopping,
): Promise<void> {
  for (const lost of [requeueSubmissions, requeueRuns]) {
    let count: number
    do {
      const [row] = await database.query(lost, queuedBefore)
      count = row?.count ?? 0
      if (count > 0) {
        logger.warn({ count }, 'Messages were lost; what they asked for is queued again.')
        wakeRelay()
      }
    } while (count === BATCH && !stopping.isStopping)
  }
}
