import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Statement } from '../../src/db/statement.ts'
import { findPostgresBinaries } from '../local-servers/postgres.ts'
import type { PgbenchScript } from './route.ts'

/** The result of a run of pgbench. */
export interface PgbenchResult {
  readonly requests: number
  readonly seconds: number
  readonly meanLatencyMs: number
}

/** Writes the script: the statement's text with SQL for each parameter. */
export function writeScript({ statement, prologue, values }: PgbenchScript): string {
  return `${prologue.join('\n')}\n${replaceValues(statement, values).trim()};\n`
}

/** Replaces each parameter of a statement by SQL. Throws if a value is missing. */
export function replaceValues(
  { name, text, order }: Pick<Statement, 'name' | 'text' | 'order'>,
  values: Readonly<Record<string, string>>,
): string {
  return text.replace(/\$(\d+)/g, (_, n) => {
    const parameter = order?.[Number(n) - 1] ?? ''
    const value = values[parameter]
    if (value === undefined) throw new Error(`There is no value for :${parameter} of ${name}`)
    return value
  })
}

/** Runs a prepared statement for whole seconds. Throws after a failed transaction. */
export async function runPgbench(
  script: PgbenchScript,
  run: {
    readonly url: string
    readonly clients: number
    readonly seconds: number
    readonly first: number
    /** A second script, which runs once per `every` runs of the first. */
    readonly beside?: { readonly script: string; readonly every: number } | undefined
  },
): Promise<PgbenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    await writeFile(file, writeScript(script))
    const variables = { ...script.variables, first: String(run.first), clients: String(run.clients) }
    const scripts = ['-f', file]
    if (run.beside !== undefined) {
      const beside = join(folder, 'beside.sql')
      await writeFile(beside, run.beside.script)
      scripts.splice(0, 2, '-f', `${file}@${run.beside.every}`, '-f', `${beside}@1`)
    }
    const clients = ['-c', String(run.clients), '-j', String(Math.min(2, run.clients))]
    const options = ['-n', '-M', 'prepared', ...scripts, ...clients]
    const given = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
    const { stdout } = await promisify(execFile)(findPgbench(), [
      ...options,
      ...given,
      // pgbench needs whole seconds, and its time includes connecting.
      ...['-T', String(Math.max(1, Math.round(run.seconds)) + Math.ceil(run.clients / 32)), run.url],
    ])
    return readResult(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads the output of pgbench. Throws after a failed transaction, and if a figure is missing. */
export function readResult(output: string): PgbenchResult {
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
  return {
    requests,
    seconds: all / read(/tps = ([\d.]+)/),
    meanLatencyMs: read(/latency average = ([\d.]+) ms/),
  }
}

function findPgbench(): string {
  const folder = findPostgresBinaries()
  return folder === undefined ? 'pgbench' : join(folder, 'pgbench')
}
