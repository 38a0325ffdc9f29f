import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { settlesWithin } from '../background/waiting.ts'
import type { Pools } from '../db/pools.ts'
import { type RowOf, statement } from '../db/statement.ts'

const VERDICT_KINDS = ['submission', 'run', 'shadow'] as const

type VerdictKind = (typeof VERDICT_KINDS)[number]

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The metrics of one instance, for Prometheus. The gauges of the database are read at each scrape,
 * in the background pool. `statuses` are the verdict statuses: a counter must start at 0 for
 * Prometheus to see its first increase.
 */
export function createMetrics(pools: Pools, statuses: readonly string[]) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'judge_http_request_duration_seconds',
    help: 'Time from a request’s head to the end of its response; status 499: the client did not wait.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const verdicts = new Counter({
    name: 'judge_verdicts_total',
    help: 'Verdicts that this instance received, including late ones.',
    labelNames: ['kind', 'status'],
    registers,
  })
  for (const status of statuses) for (const kind of VERDICT_KINDS) verdicts.inc({ kind, status }, 0)
  const relayFailures = new Counter({
    name: 'judge_relay_failures_total',
    help: 'Failed database rounds of the relay, and messages that the queue did not confirm.',
    labelNames: ['of'],
    registers,
  })
  for (const of of ['database', 'queue']) relayFailures.inc({ of }, 0)
  const live = new Gauge({
    name: 'judge_live_connections',
    help: 'Open event streams and event feeds.',
    registers,
  })
  watchConnections(pools, registers)
  const collectWork = watchWork(pools, registers)
  return {
    /** `route` is the route's pattern, not a URL: each route is one series. */
    observeRequest: (method: string, route: string, status: number, seconds: number) =>
      requests.observe({ method, route, status }, seconds),
    countVerdict: (kind: VerdictKind, status: string) => verdicts.inc({ kind, status }),
    countRelayFailure: (of: 'database' | 'queue') => relayFailures.inc({ of }),
    /** Counts streams and feeds that have been opened (1) or closed (-1). */
    countLive: (change: 1 | -1) => live.inc(change),
    /** The page `/metrics`, in the text format of Prometheus. */
    describe: async () => {
      await collectWork()
      return { status: 200, type: registry.contentType, text: await registry.metrics() }
    },
  }
}

function watchConnections(pools: Pools, registers: Registry[]): void {
  const { quick, lists, bulk, background } = pools
  new Gauge({
    name: 'judge_database_connections',
    help: 'Connections to the database by pool, and statements that wait for one.',
    labelNames: ['lane', 'state'],
    registers,
    collect() {
      for (const [pool, database] of Object.entries({ quick, lists, bulk, background })) {
        const { open, idle, waiting } = database.usage()
        this.set({ lane: pool, state: 'busy' }, open - idle)
        this.set({ lane: pool, state: 'idle' }, idle)
        this.set({ lane: pool, state: 'waiting' }, waiting)
      }
    },
  })
}

const workColumns = {
  ...({ outbox_rows: 'integer', outbox_age: 'float8' } as const),
  ...({ pending: 'integer', pending_age: 'float8', workers: 'integer' } as const),
}

type Work = RowOf<typeof workColumns>

export const readWork = statement({
  name: 'read_work',
  columns: workColumns,
  sql: `select (select count(*)::integer from outbox) as outbox_rows,
               coalesce((select extract(epoch from now() - min(outbox.enqueued_at))
                         from outbox
                         where outbox.kind = 'submission' or outbox.claims > 0), 0)::float8 as outbox_age,
               (select count(*)::integer from submissions where submissions.status = 'PENDING') as pending,
               coalesce((select extract(epoch from now() - min(submissions.queued_at))
                         from submissions where submissions.status = 'PENDING'), 0)::float8 as pending_age,
               (select count(*)::integer from judges where judges.connected) as workers`,
})

/** Prometheus waits 10 s for the whole scrape, the background pool 12 s for a result. */
const READ_TIMEOUT_MS = 3000

/** Without a database, `judge_database_up` is 0 and the other gauges are absent. */
function watchWork(pools: Pools, registers: Registry[]): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const up = gauge('judge_database_up', 'Whether the database responded at this scrape.')
  const gauges: Record<keyof Work, Gauge> = {
    outbox_rows: gauge('judge_outbox_rows', 'Messages that the queue has not confirmed yet.'),
    outbox_age: gauge(
      'judge_outbox_oldest_seconds',
      'Age of the oldest of these messages, without runs and shadow judgings that wait for others; 0 without any.',
    ),
    pending: gauge('judge_pending_submissions', 'Submissions without a verdict.'),
    pending_age: gauge(
      'judge_pending_oldest_seconds',
      'Longest time since one of them was queued; 0 without any.',
    ),
    workers: gauge('judge_workers_connected', 'Workers that have registered within the last minute.'),
  }
  let running: Promise<Work[]> | undefined
  const read = () =>
    pools.background
      .query(readWork)
      .catch((): Work[] => [])
      .finally(() => {
        running = undefined
      })
  return async () => {
    running ??= read()
    const result = running
    const [work] = (await settlesWithin(result, READ_TIMEOUT_MS)) ? await result : []
    up.set(work === undefined ? 0 : 1)
    for (const name of ['outbox_rows', 'outbox_age', 'pending', 'pending_age', 'workers'] as const) {
      if (work === undefined) gauges[name].remove()
      else gauges[name].set(work[name])
    }
  }
}
