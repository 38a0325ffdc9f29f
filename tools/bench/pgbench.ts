import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ask } from '../local-servers/database.ts'
import { findPostgresBinaries } from '../local-servers/postgres.ts'
import { difference, type Target, type TargetName } from './measure.ts'
import { type HotRoute, type PgbenchScript, WRITTEN } from './route.ts'
import { POOL_SIZE } from './sizes.ts'
import type { Stage } from './stage.ts'

/** Connections of the service and of the benchmark. */
const RESERVED_CONNECTIONS = POOL_SIZE + 15
/** More clients only wait for each other and take seconds to connect. */
const MOST_CLIENTS = 64

const MAKE_PENDING = `
  with emptied as (delete from verdicts)
  update submissions set status = 'PENDING', judged_at = null, test_case_results = null
  where submissions.event_id = 1 and submissions.status <> 'PENDING'`

/** Counts through the submissions of the first contest, so that each gets one verdict. */
export function countJudged({ database, world }: Stage) {
  let next = Number.POSITIVE_INFINITY
  return {
    /** The first submission for a slice. Makes all pending again when half are judged. */
    async next(): Promise<number> {
      if (next > world.size.events[0].submissions / 2) {
        for (const sql of [MAKE_PENDING, 'vacuum submissions', 'vacuum verdicts']) await ask(database, sql)
        next = 0
      }
      return next
    },
    note(count: number): void {
      next += count
    },
  }
}

type Judged = ReturnType<typeof countJudged>

/**
 * The ceilings of a write: the statement with as many clients as the service has, and with as many
 * as it has database connections. The service is frozen: its relay would send pgbench's messages.
 */
export function openPgbench(script: PgbenchScript, route: HotRoute, stage: Stage, judged: Judged): Target[] {
  const most = Math.min(MOST_CLIENTS, stage.postgres.maxConnections - RESERVED_CONNECTIONS)
  const target = (name: TargetName, mostClients: number): Target => ({
    name,
    run: async (connections, seconds) => {
      const clients = Math.min(most, mostClients, connections)
      const first = route.writes === 'verdicts' ? await judged.next() : 0
      stage.service.freeze()
      const slice = runOn(stage, script, route, judged, { clients, seconds, first })
      return slice.finally(() => stage.service.thaw())
    },
    end: async () => {},
  })
  return [target('pgbench', MOST_CLIENTS), target('pgbench, pool', POOL_SIZE)]
}

interface Run {
  readonly clients: number
  readonly seconds: number
  readonly first: number
}

async function runOn(stage: Stage, script: PgbenchScript, route: HotRoute, judged: Judged, run: Run) {
  const [clock] = await ask<{ at: string }>(stage.database, 'select clock_timestamp()::text as at')
  const before = stage.postgres.readCpuMs()
  const { meanLatencyMs, ...result } = await runPgbench(script, stage.databaseUrl, run)
  const postgresCpuMs = difference(stage.postgres.readCpuMs(), before)
  // A statement that rejects its values is fast too.
  const [written] = await ask<{ count: number }>(
    stage.database,
    `select count(*)::integer as count
     from submissions
     where submissions.${WRITTEN[route.writes ?? 'submissions']} >= '${clock?.at}'`,
  )
  const most = route.writes === 'verdicts' ? stage.world.size.events[0].submissions : Number.POSITIVE_INFINITY
  if (written === undefined || written.count < Math.min(result.requests, most))
    throw new Error(`${route.name}: ${result.requests} statements of pgbench wrote ${written?.count} rows`)
  await ask(stage.database, 'truncate outbox')
  // Some clients are faster than others.
  judged.note(Math.ceil(result.requests * 1.5))
  return { ...result, refused: 0, latenciesMs: [meanLatencyMs], postgresCpuMs }
}

/** Runs a prepared statement for whole seconds. Throws after a failed transaction. */
async function runPgbench(script: PgbenchScript, url: string, { clients, seconds, first }: Run) {
  const folder = await mkdtemp(join(tmpdir(), 'judge-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, writeScript(script))
    const variables = { ...script.variables, first: String(first), clients: String(clients) }
    const { stdout } = await promisify(execFile)(join(findPostgresBinaries() ?? '', 'pgbench'), [
      ...['-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', String(Math.min(2, clients))],
      ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      // pgbench needs whole seconds, and its time includes connecting.
      ...['-T', String(Math.max(1, Math.round(seconds)) + Math.ceil(clients / 32)), url],
    ])
    return readResult(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Writes the script, with SQL for each parameter of the statement. Throws if one is missing. */
function writeScript({ statement: { name, text, order }, prologue, values }: PgbenchScript): string {
  const sql = text.replace(/\$(\d+)/g, (_, n) => {
    const parameter = order?.[Number(n) - 1] ?? ''
    const value = values[parameter]
    if (value === undefined) throw new Error(`There is no value for :${parameter} of ${name}`)
    return value
  })
  return `${prologue.join('\n')}\n${sql.trim()};\n`
}

/** Reads the output of pgbench. Throws after a failed transaction, and if a figure is missing. */
export function readResult(output: string) {
  const read = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1]
    if (found === undefined) throw new Error(`pgbench did not print ${pattern}:\n${output}`)
    return Number(found)
  }
  const failed = read(/number of failed transactions: (\d+)/)
  if (failed > 0) throw new Error(`${failed} transactions of pgbench failed`)
  const requests = read(/number of transactions actually processed: (\d+)/)
  if (requests === 0) throw new Error(`pgbench ran no transaction:\n${output}`)
  const meanLatencyMs = read(/latency average = ([\d.]+) ms/)
  return { requests, seconds: requests / read(/tps = ([\d.]+)/), meanLatencyMs }
}
