import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Statement } from '../../src/db/statement.ts'
import { claimRows, deleteRows } from '../../src/queue/outbox.ts'
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

/** The relay claims messages about once per 20 submissions at these rates. */
const SUBMISSIONS_PER_BATCH = 20
const BATCH = 100

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
    /** Adds judged submissions. */
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
  const target = (name: TargetName, mostClients: number, relayScript?: string): Target => ({
    name,
    run: async (connections, seconds) => {
      const clients = Math.min(most, mostClients, connections)
      const first = route.writes === 'verdicts' ? await judged.next() : 0
      stage.service.freeze()
      const slice = runOn(stage, script, route, judged, { clients, seconds, first, relayScript })
      return slice.finally(() => stage.service.thaw())
    },
    end: async () => {},
  })
  const targets = [target('pgbench', MOST_CLIENTS), target('pgbench, pool', POOL_SIZE)]
  const relay = target('pgbench, with the relay', POOL_SIZE, writeRelayScript())
  return route.writes === 'submissions' ? [...targets, relay] : targets
}

interface Run {
  readonly clients: number
  readonly seconds: number
  readonly first: number
  /** A second script, which runs once per batch. */
  readonly relayScript: string | undefined
}

async function runOn(stage: Stage, script: PgbenchScript, route: HotRoute, judged: Judged, run: Run) {
  const isJudging = route.writes === 'verdicts'
  const [clock] = await ask<{ at: string }>(stage.database, 'select clock_timestamp()::text as at')
  const before = stage.postgres.readCpuMs()
  const { meanLatencyMs, ...result } = await runPgbench(script, stage.databaseUrl, run)
  const postgresCpuMs = difference(stage.postgres.readCpuMs(), before)
  // A statement that rejects its values is fast too.
  const { table, column } = WRITTEN[route.writes ?? 'submissions']
  const [written] = await ask<{ count: number }>(
    stage.database,
    `select count(*)::integer as count from ${table} where ${table}.${column} >= '${clock?.at}'`,
  )
  const expected = isJudging
    ? Math.min(result.requests, stage.world.size.events[0].submissions)
    : result.requests
  if (written === undefined || written.count < expected) {
    throw new Error(`${route.name}: ${result.requests} statements of pgbench wrote ${written?.count} rows`)
  }
  await ask(stage.database, 'truncate outbox')
  if (route.cleanUp) await ask(stage.database, route.cleanUp)
  // Some clients are faster than others.
  judged.note(Math.ceil(result.requests * 1.5))
  return { ...result, refused: 0, bytes: 0, latenciesMs: Float64Array.of(meanLatencyMs), postgresCpuMs }
}

/** Runs a prepared statement for whole seconds. Throws after a failed transaction. */
async function runPgbench(script: PgbenchScript, url: string, { clients, seconds, first, relayScript }: Run) {
  const folder = await mkdtemp(join(tmpdir(), 'judge-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, writeScript(script))
    const scripts = ['-f', file]
    if (relayScript !== undefined) {
      const beside = join(folder, 'beside.sql')
      await writeFile(beside, relayScript)
      scripts.splice(0, 2, '-f', `${file}@${SUBMISSIONS_PER_BATCH}`, '-f', `${beside}@1`)
    }
    const variables = { ...script.variables, first: String(first), clients: String(clients) }
    const { stdout } = await promisify(execFile)(join(findPostgresBinaries() ?? '', 'pgbench'), [
      ...['-n', '-M', 'prepared', ...scripts, '-c', String(clients), '-j', String(Math.min(2, clients))],
      ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      // pgbench needs whole seconds, and its time includes connecting.
      ...['-T', String(Math.max(1, Math.round(seconds)) + Math.ceil(clients / 32)), url],
    ])
    return readResult(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Writes the script: the statement's text with SQL for each parameter. */
export const writeScript = ({ statement, prologue, values }: PgbenchScript): string =>
  `${prologue.join('\n')}\n${replaceValues(statement, values).trim()};\n`

/** Writes the relay's two statements as a script of pgbench. */
export function writeRelayScript(): string {
  const ids = `(array(
    select held.id from outbox as held
    where held.claimed_until is not null order by held.id limit ${BATCH} for update skip locked))`
  const claim = replaceValues(claimRows, { limit: String(BATCH), lease_ms: '20000', queued_runs_max: '20' })
  return `${claim};\n${replaceValues(deleteRows, { ids })};\n`
}

/** Replaces each parameter of a statement by SQL. Throws if a value is missing. */
function replaceValues({ name, text, order }: Statement, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\d+)/g, (_, n) => {
    const parameter = order?.[Number(n) - 1] ?? ''
    const value = values[parameter]
    if (value === undefined) throw new Error(`There is no value for :${parameter} of ${name}`)
    return value
  })
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
  const all = read(/number of transactions actually processed: (\d+)/)
  // Of two scripts only the first counts.
  const requests = output.includes('SQL script 1') ? read(/SQL script 1.*\n.*\n - (\d+) transactions/) : all
  if (requests === 0) throw new Error(`pgbench ran no transaction:\n${output}`)
  const meanLatencyMs = read(/latency average = ([\d.]+) ms/)
  return { requests, seconds: all / read(/tps = ([\d.]+)/), meanLatencyMs }
}
