import { statement } from '../../src/db/database.ts'
import type { JudgedSubmissions } from './judged-submissions.ts'
import { runPgbench } from './pgbench.ts'
import { SUBMISSIONS_PER_BATCH, writeRelayScript } from './relay-script.ts'
import type { HotRoute, PgbenchScript } from './route.ts'
import { POOL_SIZE } from './service.ts'
import { differenceOf, type Slice } from './slice.ts'
import type { Stage } from './stage.ts'
import type { Target } from './targets.ts'

/** Connections that the service and the benchmark itself hold. */
const RESERVED_CONNECTIONS = POOL_SIZE + 15

/** More only wait for each other, and take seconds to connect. */
const MOST_CLIENTS = 64

/**
 * The ceilings of a write: the statement alone, with as many clients as the service has, and with as many as it has connections to the
 * database. Meanwhile the service stands still, else its relay would take up the messages that pgbench leaves.
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
    targets.push(target('pgbench, with the relay', ofPool, await writeRelayScript()))
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
  process.kill(stage.service.pid, 'SIGSTOP')
  try {
    const started = await readClock(stage)
    const before = stage.postgres.readCpuMs()
    const result = await runPgbench(script, { url: stage.databaseUrl, clients, seconds, first, beside })
    const postgresCpuMs = differenceOf(stage.postgres.readCpuMs(), before)
    const written = await countWrittenSince(stage, route, started)
    if (written < Math.min(result.requests, mostWritten(stage, route))) {
      throw new Error(
        `${route.name}: pgbench counts ${result.requests} statements, which wrote ${written} rows`,
      )
    }
    await stage.admin.query(statement('', 'truncate outbox'))
    // Some clients get further than others.
    judged.note(Math.ceil(result.requests * 1.5))
    return {
      requests: result.requests,
      refused: 0,
      seconds: result.seconds,
      bytes: 0,
      latenciesMs: Float64Array.of(result.meanLatencyMs),
      nodeCpuMs: undefined,
      postgresCpuMs,
      generatorCpuMs: undefined,
      residentMebibytes: undefined,
    }
  } finally {
    process.kill(stage.service.pid, 'SIGCONT')
  }
}

async function readClock({ admin }: Stage): Promise<string> {
  const [row] = await admin.query(statement<{ at: string }>('', 'select clock_timestamp()::text as at'))
  return row?.at ?? ''
}

/** How many rows were written by the statement of a route, once for each: one that refuses its values is quick too. */
async function countWrittenSince({ admin }: Stage, route: HotRoute, started: string): Promise<number> {
  const column = route.writes === 'verdicts' ? 'judged_at' : 'submit_time'
  const [row] = await admin.query(
    statement<{ count: number }>(
      '',
      `select count(*)::integer as count from submissions where submissions.${column} >= $1::timestamptz`,
    ),
    [started],
  )
  return row?.count ?? 0
}

const mostWritten = ({ world }: Stage, route: HotRoute) =>
  route.writes === 'verdicts' ? world.size.contests[0].submissions : Number.POSITIVE_INFINITY
