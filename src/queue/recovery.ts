import { setTimeout } from 'node:timers/promises'
import { type Logger, OutageLog } from '../background/outage-log.ts'
import { settlesWithin } from '../background/waiting.ts'
import type { Database } from '../db/database.ts'
import { type RowOf, statement } from '../db/statement.ts'
import type { Broker } from './broker.ts'
import { type OutboxKind, queuedFrom } from './outbox.ts'

export interface RecoveryOptions {
  readonly database: Database
  readonly broker: Broker
  readonly logger: Logger
  /** Time from an empty queue until pending work is queued again. */
  readonly requeueAfterMs: number
  /** Tells the relay that the outbox has rows. */
  readonly wakeRelay: () => void
}

/**
 * Finds submissions, runs and shadow judgings with a lost message, and queues each again as a new
 * judging, until stopped. While the queue is empty, a message that has left the outbox is with a
 * worker, or lost. It counts as lost if its work is still pending `requeueAfterMs` later, the queue
 * is empty again, and no worker has renewed its judging meanwhile. So a backlog is never queued
 * twice, lost work at most once each `requeueAfterMs`.
 */
export function startRecovery(options: RecoveryOptions) {
  const stopping = new AbortController()
  const loop = watch(options, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await settlesWithin(loop, STOP_MS)
    },
  }
}

const MAX_PAUSE_MS = 60_000
/** A silent broker does not respond until its connection is closed. */
const STOP_MS = 4000

async function watch(options: RecoveryOptions, signal: AbortSignal): Promise<void> {
  const outage = new OutageLog(options.logger, 'warn', 'The search for lost messages works again.')
  let seen: EmptyQueue[] = []
  const pauseMs = Math.min(MAX_PAUSE_MS, options.requeueAfterMs / 4)
  while (await setTimeout(pauseMs, true, { signal }).catch(() => false)) {
    try {
      seen = await recover(options, seen, signal)
      outage.works()
    } catch (err) {
      if (!signal.aborted) outage.failed({ err }, 'The search for lost messages fails.')
    }
  }
}

/**
 * The queue was empty at `seen_ms`: every message about a submission from before
 * `submissions_before` had left outbox and queue, and likewise for the others, by the database's
 * clock.
 */
const emptyQueueColumns = {
  ...({ submissions_before: 'text', runs_before: 'text' } as const),
  ...({ shadows_before: 'text', seen_ms: 'float8' } as const),
}

type EmptyQueue = RowOf<typeof emptyQueueColumns>

const oldest = (kind: OutboxKind) =>
  `coalesce(min(outbox.enqueued_at) filter (where outbox.kind = '${kind}'), now())::text`

/** Reads the whole outbox (16 ms for 100,000 rows); waiting runs do not hide lost submissions. */
export const readOutboxAge = statement({
  name: 'read_outbox_age',
  columns: emptyQueueColumns,
  sql: `select ${oldest('submission')} as submissions_before,
               ${oldest('input')} as runs_before,
               ${oldest('shadow')} as shadows_before,
               (extract(epoch from now()) * 1000)::double precision as seen_ms
        from outbox`,
})

/** Searches once. Returns the empty queues to remember, oldest first. */
async function recover(
  options: RecoveryOptions,
  seen: readonly EmptyQueue[],
  signal: AbortSignal,
): Promise<EmptyQueue[]> {
  const { database, broker, requeueAfterMs } = options
  // Read the outbox first: messages that have left it are or were in the queue.
  const [now] = await database.query(readOutboxAge)
  if (now === undefined || !(await broker.isEmpty())) return [...seen]
  const isOld = (queue: EmptyQueue) => queue.seen_ms <= now.seen_ms - requeueAfterMs
  const old = seen.filter(isOld).at(-1)
  if (old !== undefined) await requeue(options, old, now, signal)
  return [...(old === undefined ? [] : [old]), ...seen.filter((queue) => !isOld(queue)), now]
}

const BATCH = 1000

const SEARCHED = 'least(:first_search, :second_search)'

type Table = 'submissions' | 'runs' | 'shadow_judgings'

/** Queues lost work again, at most a batch. `changes` are further changes. */
const requeueLost = (table: Table, isPending: string, kind: OutboxKind, changes = '') =>
  statement({
    name: `requeue_lost_${table}`,
    params: { first_search: 'timestamptz', second_search: 'timestamptz' },
    columns: { count: 'integer' },
    sql: `with lost as (
          select ${table}.id
          from ${table}
          where ${isPending} and ${table}.queued_at < ${SEARCHED}
          order by ${table}.queued_at
          limit ${BATCH}
          for update skip locked
        ), requeued as (
          update ${table}
          set attempt = ${table}.attempt + 1, queued_at = now()${changes}
          from lost
          where ${table}.id = lost.id
          returning ${table}.id, ${table}.attempt
        ), queued as (
          ${queuedFrom('requeued', kind)}
        )
        select count(*)::integer as count from requeued`,
  })

/** A worker that has renewed the judging since is alive: its work is not lost. */
const isAbandoned = (table: Table) => `${table}.status = 'PENDING'
            and (${table}.renewed_at is null or ${table}.renewed_at < ${SEARCHED})`
/** Its message is in the outbox again: it makes room for others. */
const UNPUBLISHED = ', published = false'
const NOT_RENEWED = ', renewed_at = null'

export const requeueSubmissions = requeueLost(
  'submissions',
  isAbandoned('submissions'),
  'submission',
  NOT_RENEWED,
)
export const requeueRuns = requeueLost('runs', 'not runs.finished', 'input', UNPUBLISHED)
export const requeueShadows = requeueLost(
  'shadow_judgings',
  isAbandoned('shadow_judgings'),
  'shadow',
  UNPUBLISHED + NOT_RENEWED,
)

/** A message committed after the first search may be in the outbox at the second: both count. */
async function requeue(
  { database, logger, wakeRelay }: RecoveryOptions,
  first: EmptyQueue,
  second: EmptyQueue,
  signal: AbortSignal,
): Promise<void> {
  for (const [statement, before] of [
    [requeueSubmissions, 'submissions_before'],
    [requeueRuns, 'runs_before'],
    [requeueShadows, 'shadows_before'],
  ] as const) {
    const values = { first_search: first[before], second_search: second[before] }
    let count: number
    do {
      const [requeued] = await database.query(statement, values)
      count = requeued?.count ?? 0
      if (count > 0) {
        logger.warn({ count }, 'Messages were lost; their work is queued again.')
        wakeRelay()
      }
    } while (count === BATCH && !signal.aborted)
  }
}
