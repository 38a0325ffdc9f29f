import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { statement } from '../db/database.ts'
import type { Pools } from '../db/pools.ts'
import { settlesWithin } from '../queue/waiting.ts'

/** What the service counts of itself, for Prometheus. */
export interface Metrics {
  /** `route` is the route's pattern, never a URL: as many series as there are routes. */
  observeRequest(method: string, route: string, status: number, seconds: number): void
  countVerdict(kind: 'submission' | 'run', status: string): void
  countRelayFailure(of: 'database' | 'queue'): void
  /** The text format of Prometheus. */
  describe(): Promise<{ type: string; text: string }>
}

/**
 * Measures one instance; what the database holds is asked at each scrape, through the background's pool. `statuses` are those of verdicts:
 * a series that is there from the start shows its first one as an increase.
 */
export function createMetrics(pools: Pools, statuses: readonly string[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'judge_http_request_duration_seconds',
    help: 'From the arrival of a request’s head to the end of its answer; status 499: the client did not wait.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const verdicts = new Counter({
    name: 'judge_verdicts_total',
    help: 'Verdicts that this instance has taken, late ones included.',
    labelNames: ['kind', 'status'],
    registers,
  })
  for (const status of statuses) for (const kind of ['submission', 'run']) verdicts.inc({ kind, status }, 0)
  const relayFailures = new Counter({
    name: 'judge_relay_failures_total',
    help: 'Rounds of the relay that failed at the database, and messages that the queue did not take.',
    labelNames: ['of'],
    registers,
  })
  for (const of of ['database', 'queue']) relayFailures.inc({ of }, 0)
  watchConnections(pools, registers)
  const collectWork = watchWork(pools, registers)
  return {
    observeRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    countVerdict: (kind, status) => verdicts.inc({ kind, status }),
    countRelayFailure: (of) => relayFailures.inc({ of }),
    describe: async () => {
      await collectWork()
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}

function watchConnections(pools: Pools, registers: Registry[]): void {
  const { quick, lists, bulk, background } = pools
  new Gauge({
    name: 'judge_database_connections',
    help: 'Connections to the database by pool, and the statements that wait for one.',
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

type Work = { outbox_rows: number; outbox_age: number; pending: number; pending_age: number }

const readWork = statement<Work>(
  'read_work',
  `select (select count(*)::integer from outbox) as outbox_rows,
          coalesce((select extract(epoch from now() - min(outbox.enqueued_at)) from outbox), 0)::double precision as outbox_age,
          (select count(*)::integer from submissions where submissions.status = 'PENDING') as pending,
          coalesce((select extract(epoch from now() - min(submissions.queued_at))
                    from submissions where submissions.status = 'PENDING'), 0)::double precision as pending_age`,
)

/** Prometheus waits 10 s for the whole scrape, and the background's pool 12 s for an answer. */
const ANSWER_MS = 3000

/** While the database is out of reach its numbers are left out, and `judge_database_up` is 0. */
function watchWork(pools: Pools, registers: Registry[]): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const up = gauge('judge_database_up', 'Whether the database answered at this scrape.')
  const gauges = {
    outbox_rows: gauge('judge_outbox_rows', 'Messages that are not with the queue yet.'),
    outbox_age: gauge(
      'judge_outbox_oldest_seconds',
      'How long the oldest of them has waited; 0 without any.',
    ),
    pending: gauge('judge_pending_submissions', 'Submissions without a verdict.'),
    pending_age: gauge(
      'judge_pending_oldest_seconds',
      'How long ago the first of them was queued; 0 without any.',
    ),
  }
  let asked: Promise<Work[]> | undefined
  const ask = () =>
    pools.background
      .query(readWork)
      .catch((): Work[] => [])
      .finally(() => {
        asked = undefined
      })
  return async () => {
    asked ??= ask()
    const answer = asked
    const [work] = (await settlesWithin(answer, ANSWER_MS)) ? await answer : []
    up.set(work === undefined ? 0 : 1)
    for (const [name, value] of Object.entries(gauges)) {
      if (work === undefined) value.remove()
      else value.set(work[name as keyof Work])
    }
  }
}
