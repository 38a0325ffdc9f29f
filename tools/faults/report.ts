import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { describeHardware } from '../local-servers/machine.ts'
import { writeTable } from '../local-servers/markdown-table.ts'
import type { Result } from './scenario.ts'

/** The end of a scenario. It has no result after an error. */
export interface Outcome {
  readonly name: string
  readonly state: 'ended' | 'error' | 'not run'
  readonly result?: Result
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
