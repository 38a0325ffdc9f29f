import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ask, createDatabase } from '../local-servers/database.ts'
import { findPostgresBinaries } from '../local-servers/postgres.ts'
import {
  createTables,
  deletions,
  fillTable,
  partitionStatements,
  type SubmissionsTable,
  submissionsTables,
} from './partitions-sql.ts'
import { readResult } from './pgbench.ts'
import type { PostgresServer } from './servers.ts'

/** A step fills a table with one statement. */
const STATEMENT_MS = 3_600_000

/** What a table of submissions costs at one number of rows. */
export interface GrowthReading {
  readonly rows: number
  readonly table: SubmissionsTable
  readonly tableBytes: number
  readonly indexBytes: number
  /** The mean time of each statement on one connection, in milliseconds. */
  readonly meanMs: Readonly<Record<string, number>>
}

/** The removal of the oldest month from the full table. */
export interface DeletionReading {
  readonly how: string
  readonly seconds: number
  readonly walBytes: number
}

export interface PartitionsResult {
  readonly growth: readonly GrowthReading[]
  readonly deletions: readonly DeletionReading[]
}

/**
 * Measures `submissions` as one table and with a partition for each month, while rows are added.
 */
export async function runPartitions(
  server: PostgresServer,
  { steps, seconds }: { readonly steps: readonly number[]; readonly seconds: number },
): Promise<PartitionsResult> {
  const { url, database, drop } = await createDatabase(server.url, 'judge_bench_partitions', STATEMENT_MS)
  try {
    await migrate(database)
    for (const sql of createTables(Math.max(...steps))) await ask(database, sql)
    const growth: GrowthReading[] = []
    let stored = 0
    for (const rows of steps) {
      for (const table of submissionsTables) {
        console.log(`${table}: filling up to ${rows} rows`)
        await fillTable(database, table, { stored, rows })
      }
      stored = rows
      for (const table of submissionsTables) {
        const reading = await readGrowth({ url, database, table, rows, seconds })
        console.log(JSON.stringify(reading))
        growth.push(reading)
      }
    }
    return { growth, deletions: await measureDeletions(database) }
  } finally {
    await drop()
  }
}

interface Growth {
  readonly url: string
  readonly database: Database
  readonly table: SubmissionsTable
  readonly rows: number
  readonly seconds: number
}

async function readGrowth({ url, database, table, rows, seconds }: Growth): Promise<GrowthReading> {
  const [size] = await ask<{ heap: number; indexes: number }>(
    database,
    `select sum(pg_table_size(parts.id))::float8 as heap, sum(pg_indexes_size(parts.id))::float8 as indexes
     from (select '${table}'::regclass as id union select relid from pg_partition_tree('${table}')) as parts`,
  )
  if (size === undefined) throw new Error(`${table} does not exist`)
  const meanMs: Record<string, number> = {}
  for (const [name, sql] of Object.entries(partitionStatements(table, rows)))
    meanMs[name] = await measureStatement(url, sql, { rows, seconds })
  return { rows, table, tableBytes: size.heap, indexBytes: size.indexes, meanMs }
}

/** The mean time of a prepared statement, in milliseconds; `:n` is a random row. */
async function measureStatement(
  url: string,
  sql: string,
  { rows, seconds }: { readonly rows: number; readonly seconds: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, `\\set n random(1, ${rows})\n${sql};\n`)
    const pgbench = join(findPostgresBinaries() ?? '', 'pgbench')
    const run = async (duration: number) => {
      const options = ['-n', '-M', 'prepared', '-c', '1', '-T', String(duration), '-f', file, url]
      return readResult((await promisify(execFile)(pgbench, options)).stdout).meanLatencyMs
    }
    await run(1)
    return await run(Math.max(1, Math.round(seconds)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Removes the oldest month in both ways. */
async function measureDeletions(database: Database): Promise<DeletionReading[]> {
  const readings: DeletionReading[] = []
  for (const [how, statements] of Object.entries(deletions)) {
    await ask(database, 'checkpoint')
    const before = await readWalBytes(database)
    const startedMs = performance.now()
    for (const sql of statements) await ask(database, sql)
    const seconds = (performance.now() - startedMs) / 1000
    const reading = { how, seconds, walBytes: (await readWalBytes(database)) - before }
    console.log(JSON.stringify(reading))
    readings.push(reading)
  }
  return readings
}

async function readWalBytes(database: Database): Promise<number> {
  const sql = `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`
  const [row] = await ask<{ bytes: number }>(database, sql)
  if (row === undefined) throw new Error('PostgreSQL returned no position of its log')
  return row.bytes
}
