import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { describeHardware, writeTable } from '../local-servers/report.ts'
import type { Finding } from './checks.ts'
import type { Instance } from './instance.ts'
import type { Load, Submitted } from './load.ts'
import type { Result } from './scenario.ts'
import type { Worker } from './worker.ts'

/** The end of a scenario. It has no result after an error. */
export interface Outcome {
  readonly name: string
  readonly state: 'ended' | 'error' | 'not run'
  readonly result?: Result & { readonly seconds: number }
}

const HEADINGS = [
  ...['scenario', 'submissions/s', 'requests', 'acknowledged', 'lost', 'returned by the worker'],
  ...['duplicate deliveries', 'slowest recovery', 'result'],
]

/** Writes the table as Markdown. */
export function writeMarkdown(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ name, state, result }) =>
    result === undefined
      ? [name, ...HEADINGS.slice(2).map(() => undefined), state.toUpperCase()]
      : [
          [result.name, ...result.notes].join(', '),
          ...[result.perSecond, result.requests, result.acknowledged, result.lost, result.returned],
          result.duplicates,
          result.recoverMs === undefined ? 'never' : `${(result.recoverMs / 1000).toFixed(1)} s`,
          result.failures.length === 0 ? 'passed' : 'FAILED',
        ],
  )
  return writeTable(HEADINGS, rows)
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

/** Counts submissions, requests and deliveries. */
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
