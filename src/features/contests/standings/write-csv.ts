import { replaceControls } from '@judge-data-layer/runtime/visible-text'
import type { Standings } from '../../../standings/standings.ts'
import { minutesFrom } from '../../../standings/times.ts'
import { rankedProblems } from './contest-table.ts'
import type { ContestFacts } from './read-sql.ts'
import type { RowForm } from './row-texts.ts'
import type { RankedBy } from './shown.ts'
import { writeInstant } from './write-instant.ts'

/** The byte order mark, for Excel, and the names of the columns (RFC 4180) as a line. */
export function writeCsvHead(contest: ContestFacts, { scoring }: Standings, by: RankedBy): string {
  const { hasPoints } = scoring
  const kinds = ['tries', 'pending', 'minutes', ...(hasPoints ? ['score'] : [])]
  const columns = rankedProblems(contest).flatMap(({ label }) =>
    kinds.map((kind) => csvText(`${label} ${kind}`)),
  )
  const points = hasPoints ? ['points'] : []
  const names = ['rank', `${by}_id`, 'name', 'solved', ...points, 'penalty', 'last_accepted', ...columns]
  return `\ufeff${names.join(',')}\r\n`
}

/** The rows of the standings as lines of a CSV file. */
export const csvRows = (standings: Standings): RowForm => ({
  prefix: (rank) => `${rank}`,
  separator: '',
  write: (row) => writeRow(standings, row),
})

function writeRow(standings: Standings, row: number): string {
  const { id = '', name = '' } = standings.owners[row] ?? {}
  const { solved, points, penalty, lastAcceptedAt } = standings.resultOf(row)
  const { scoring, rules } = standings
  const fields = [
    ...['', id, csvText(name), solved, ...(scoring.hasPoints ? [points / 100] : [])],
    ...[penalty, solved === 0 ? '' : writeInstant(lastAcceptedAt)],
  ]
  for (const problem of rules.problemIds.keys()) {
    const cell = standings.cellOf(row, problem)
    const isSolved = cell !== undefined && !Number.isNaN(cell.acceptedAt)
    fields.push(cell?.tries ?? 0, cell?.pending ?? 0)
    fields.push(isSolved ? minutesFrom(rules.startTime, cell.acceptedAt) : '')
    if (scoring.hasPoints) fields.push(cell === undefined || Number.isNaN(cell.score) ? '' : cell.score / 100)
  }
  return `${fields.join(',')}\r\n`
}

/** A field of a CSV file. A spreadsheet must not take a name for a formula, nor show it reversed. */
const csvText = (name: string) => {
  const text = /^[-=+@\t\r]/.test(name) ? `'${name}` : name
  return `"${replaceControls(text).replaceAll('"', '""')}"`
}
