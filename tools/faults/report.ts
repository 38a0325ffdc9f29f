import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { type Cell, describeHardware, writeTable } from '../local-servers/report.ts'
import type { Finding } from './checks.ts'
import type { Instance } from './instance.ts'
import type { Load, Submitted } from './load.ts'
import type { Worker } from './worker.ts'

export type Columns<R> = Readonly<Record<string, (result: R) => Cell>>

interface Run<R> {
  readonly names: readonly string[]
  readonly outcomes: readonly Observed<R>[]
  readonly columns: Columns<R>
  readonly machine: string
  readonly markdown: string | undefined
}

/** Writes the table of a run as Markdown. Returns whether all scenarios ran and passed. */
export async function finish<R extends Record<'failures' | 'notes', readonly string[]>>(
  run: Run<R>,
): Promise<boolean> {
  const { names, outcomes, columns, machine, markdown } = run
  const rows = outcomes.map(({ name, result }) => [
    [name, ...(result?.notes ?? [])].join(', '),
    ...Object.values(columns).map((read) => result && read(result)),
    result === undefined ? 'ERROR' : result.failures.length === 0 ? 'passed' : 'FAILED',
  ])
  const left = names.filter((wanted) => !outcomes.some(({ name }) => name === wanted))
  for (const name of left) console.error(`NOT RUN ${name}: an earlier one may have left something behind`)
  const table = writeTable(['scenario', ...Object.keys(columns), 'result'], rows)
  console.log(`\n${table}\n${machine}`)
  if (markdown) await writeFile(markdown, `${table}\n${machine}.\n`)
  return left.length === 0 && outcomes.every(({ result }) => result?.failures.length === 0)
}

/** Describes the machine and the database server in one line. */
export async function describeMachine(database: Queryable): Promise<string> {
  const { processor, memory, node } = describeHardware()
  const [server] = await ask<{ version: string; fsync: string }>(
    database,
    `select split_part(version(), ' (', 1) as version, current_setting('fsync') as fsync`,
  )
  return `${processor}, ${memory} of memory, Node.js ${node}, ${server?.version}, fsync ${server?.fsync}`
}

/** Clients that repeat their request must get a 201 in the end. */
export function describeUnacknowledged(submitted: readonly Submitted[]): string[] {
  const failed = submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined)
  return failed.length > 0 ? [`${failed.length} clients repeated their request without success`] : []
}

/** No valid request may be rejected during any fault. */
export function describeRefusals(submitted: readonly Pick<Submitted, 'refusal'>[]): string[] {
  const [first, ...more] = submitted.flatMap(({ refusal }) => refusal ?? [])
  return first === undefined ? [] : [`${more.length + 1} valid requests were rejected: ${first}`]
}

/** The system must recover in time after each fault. */
export const describeRecovery = (recoverMs: number | undefined, withinMs: number): string[] =>
  recoverMs === undefined ? [`no recovery within ${withinMs / 1000} s after a fault`] : []

/** The queue must be empty at the end. */
export const describeLeft = (left: number | undefined): string[] =>
  left === 0 ? [] : [`${left ?? 'an unknown number of'} messages are left in the queue`]

const IDS_SHOWN = 5

/** One line with the first ids; nothing for a finding without ids. */
export function describeFinding({ what, ids }: Finding): string[] {
  if (ids.length === 0) return []
  const more = ids.length > IDS_SHOWN ? `, and ${ids.length - IDS_SHOWN} more` : ''
  return [`${ids.length} ${what}: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`]
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0)

export function countWork(
  { submitted, shadows }: Pick<Load, 'submitted' | 'shadows'>,
  worker: Pick<Worker, 'kind' | 'deliveries' | 'returned'>,
  instances: readonly Instance[],
) {
  const isAcknowledged = ({ id }: { id?: string }) => id !== undefined
  const acknowledged = submitted.filter(isAcknowledged).length
  const judged = acknowledged + shadows.filter(isAcknowledged).length
  // The real worker reads each delivered record once; nothing else reads them.
  const route = 'GET /v1/submissions/:submission_id'
  const duplicates =
    worker.kind === 'real'
      ? sum(instances.map((instance) => instance.countResponses(route))) - judged
      : sum(worker.deliveries.values()) - worker.returned() - worker.deliveries.size
  const requests = sum(submitted.map(({ tries }) => tries))
  return { submissions: submitted.length, requests, acknowledged, returned: worker.returned(), duplicates }
}

/** The end of a scenario, which has no result if it has thrown or taken too long. */
export interface Observed<Result> {
  readonly name: string
  readonly result?: Result
  readonly isLate?: boolean
}

/** Runs a scenario, and prints whether it passed. Parts of a late one may still run. */
export async function observe<Result extends { readonly failures: readonly string[] }>(
  name: string,
  boundMs: number,
  start: () => Promise<Result>,
): Promise<Observed<Result>> {
  const startedAtMs = performance.now()
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000)
  try {
    const result = await Promise.race([start(), sleep(boundMs, undefined, { ref: false })])
    if (result === undefined) {
      console.error(`ERROR ${name}: did not end within ${boundMs / 1000} s`)
      return { name, isLate: true }
    }
    const verdict = result.failures.length === 0 ? 'passed' : 'FAILED'
    console.log([`${verdict} ${name} (${seconds()} s)`, ...result.failures].join('\n  '))
    return { name, result }
  } catch (err) {
    console.error(`ERROR ${name}:`, err)
    return { name }
  }
}
