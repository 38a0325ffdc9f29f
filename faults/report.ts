import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { findPostgresBinaries } from '../local-servers/postgres.ts'
import type { Result } from './scenario.ts'

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
export function tabulate(results: readonly Result[]): string[][] {
  return [
    HEADINGS,
    ...results.map((result) => [
      [result.name, ...result.notes].join(', '),
      String(result.perSecond),
      String(result.requests),
      String(result.acknowledged),
      String(result.lost),
      String(result.returned),
      String(result.duplicates),
      result.recoverMs === undefined ? 'never' : `${(result.recoverMs / 1000).toFixed(1)} s`,
      result.failures.length === 0 ? 'right' : 'WRONG',
    ]),
  ]
}

/** The table as Markdown. */
export function writeMarkdown(results: readonly Result[]): string {
  const [headings = [], ...rows] = tabulate(results)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n')
}

/** What the figures were measured on, in one line. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const binaries = findPostgresBinaries() ?? ''
  const postgres = execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  return [
    `${cpus().length} cores (${cpu?.model.trim()})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `Node.js ${process.version}`,
    postgres,
    'fsync on',
  ].join(', ')
}
