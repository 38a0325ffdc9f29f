import { ask } from '../local-servers/database.ts'
import type { JudgedSubmissions } from './judged-submissions.ts'
import { runPgbench } from './pgbench.ts'
import { SUBMISSIONS_PER_BATCH, writeRelayScript } from './relay-script.ts'
import type { HotRoute, PgbenchScript } from './route.ts'
import { POOL_SIZE } from './sizes.ts'
import type { Slice, Target } from './slice.ts'
import type { Stage } from './stage.ts'
import { difference } from './statistics.ts'

/** Connections of the service and of the benchmark. */
const RESERVED_CONNECTIONS = POOL_SIZE + 15

/** More clients only wait for each other and take seconds to connect. */
const MOST_CLIENTS = 64

/**
 * The ceilings of a write: the statement with as many clients as the service has, and with as many
 * as it has database connections. The service is frozen: its relay would send pgbench's messages.
 */
export async function openPgbench(
  script: PgbenchScript,
  route: HotRoute,
  stage: Stage,
  judged: JudgedSubmissions,
): Promise<Target[]> {
  const most = Math.min(MOST_CLIENTS, stage.postgres.maxConnections - RESERVED_CONNECTIONS)
  const target = (
    name: Extract<Target['name'], `pgbench${string}`>,
    clientsFor: (connections: number) => number,
    relayScript?: string,
  ): Target => ({
    name,
    run: (connections, seconds) => {
      const clients = Math.min(most, clientsFor(connections))
      return runAlone({ script, relayScript, route, stage, judged }, clients, seconds)
    },
    end: async () => {},
  })
  const ofPool = (connections: number) => Math.min(connections, POOL_SIZE)
  const targets = [target('pgbench', (connections) => connections), target('pgbench, pool', ofPool)]
  if (route.writes === 'submissions') {
    targets.push(target('pgbench, with the relay', ofPool, writeRelayScript()))
  }
  return targets
}

interface PgbenchTarget {
  readonly script: PgbenchScript
  readonly relayScript: string | undefined
  readonly route: HotRoute
  readonly stage: Stage
  readonly judged: JudgedSubmissions
}

async function runAlone(
  { script, relayScript, route, stage, judged }: PgbenchTarget,
  clients: number,
  seconds: number,
): Promise<Slice> {
  const first = route.writes === 'verdicts' ? await judged.next() : 0
  const beside = relayScript === undefined ? undefined : { script: relayScript, every: SUBMISSIONS_PER_BATCH }
  stage.service.freeze()
  try {
    const started = await readClock(stage)
    const before = stage.postgres.readCpuMs()
    const result = await runPgbench(script, { url: stage.databaseUrl, clients, seconds, first, beside })
    const postgresCpuMs = difference(stage.postgres.readCpuMs(), before)
    const written = await countWrittenSince(stage, route, started)
    if (written < Math.min(result.requests, mostWritten(stage, route))) {
      throw new Error(`${route.name}: ${result.requests} statements of pgbench wrote ${written} rows`)
    }
    await ask(stage.database, 'truncate outbox')
    // Some clients are faster than others.
    judged.note(Math.ceil(result.requests * 1.5))
    return {
      requests: result.requests,
      refused: 0,
      seconds: result.seconds,
      bytes: 0,
      latenciesMs: Float64Array.of(result.meanLatencyMs),
      postgresCpuMs,
    }
  } finally {
    stage.service.thaw()
  }
}

async function readClock({ database }: Stage): Promise<string> {
  const [row] = await ask<{ at: string }>(database, 'select clock_timestamp()::text as at')
  return row?.at ?? ''
}

/** Counts the written rows: a statement that rejects its values is fast too. */
async function countWrittenSince({ database }: Stage, route: HotRoute, started: string): Promise<number> {
  const column = route.writes === 'verdicts' ? 'judged_at' : 'submit_time'
  const sql = `select count(*)::integer as count from submissions where submissions.${column} >= '${started}'`
  const [row] = await ask<{ count: number }>(database, sql)
  return row?.count ?? 0
}

const mostWritten = ({ world }: Stage, route: HotRoute) =>
  route.writes === 'verdicts' ? world.size.contests[0].submissions : Number.POSITIVE_INFINITY
