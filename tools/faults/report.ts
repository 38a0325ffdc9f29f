import { type Database, statement } from '../../src/db/database.ts'
import { describeHardware } from '../local-servers/machine.ts'
import { writeTable } from '../local-servers/markdown-table.ts'
import type { Result } from './scenario.ts'

/** What a scenario came to; `result` only where it came to its end. */
export interface Outcome {
  readonly name: string
  readonly state: 'ended' | 'failed' | 'not run'
  readonly result?: Result
}

const HEADINGS = [
  'scenario',
  'submissions a second',
  'requests',
  'acknowledged',
  'lost',
  'given back by the worker',
  'duplicated deliveries',
  'longest time to recover',
  'result',
]

/** The rows of the table, its headings first. */
export function tabulate(outcomes: readonly Outcome[]): string[][] {
  return [
    HEADINGS,
    ...outcomes.map(({ name, state, result }) =>
      result === undefined
        ? [name, ...HEADINGS.slice(2).map(() => '–'), state === 'failed' ? 'FAILED' : 'NOT RUN']
        : tabulateResult(result),
    ),
  ]
}

function tabulateResult(result: Result): string[] {
  return [
    [result.name, ...result.notes].join(', '),
    String(result.perSecond),
    String(result.requests),
    String(result.acknowledged),
    String(result.lost),
    String(result.returned),
    String(result.duplicates),
    result.recoverMs === undefined ? 'never' : `${(result.recoverMs / 1000).toFixed(1)} s`,
    result.failures.length === 0 ? 'right' : 'WRONG',
  ]
}

/** The table as Markdown. */
export function writeMarkdown(outcomes: readonly Outcome[]): string {
  const [headings = [], ...rows] = tabulate(outcomes)
  return writeTable(headings, rows)
}

const describeServer = statement<{ version: string; fsync: string }>(
  '',
  `select split_part(version(), ' (', 1) as version, current_setting('fsync') as fsync`,
)

/** What the figures were measured on, in one line. */
export async function describeMachine(database: Database): Promise<string> {
  const { processor, memory, node } = describeHardware()
  const [server] = await database.query(describeServer)
  return [
    processor,
    `${memory} of memory`,
    `Node.js ${node}`,
    server?.version,
    `fsync ${server?.fsync}`,
  ].join(', ')
}
