import type { Schemas } from '@judge-data-layer/client'
import type { Cell, Writer } from '../shared/text.ts'

type Row = Schemas['StandingsRow']
type StandingsCell = Schemas['StandingsCell']

/** The standings as a table: one column for each problem. */
export function formatStandings(writer: Writer, { problems, rows, state }: Schemas['Standings']): string {
  if (rows.length === 0) return `State: ${state}. Nobody is in the standings yet.`
  const hasPoints = rows.some(({ points }) => points !== undefined)
  const headings = [
    'Place',
    'Name',
    hasPoints ? 'Points' : 'Solved',
    'Time',
    ...problems.map((one) => one.label),
  ]
  const table = writer.table(
    headings,
    rows.map((row) => [
      ...[
        String(row.rank),
        nameOf(row),
        String(hasPoints ? (row.points ?? 0) : row.solved),
        String(row.penalty),
      ],
      ...problems.map(({ problem_id }) =>
        describeCell(row.cells.find((cell) => cell.problem_id === problem_id)),
      ),
    ]),
  )
  return `${table}\n\nState: ${state}. Cells: tries/minute, * first to solve, ? not shown yet.`
}

const nameOf = ({ user, team }: Row) => (team ?? user)?.name ?? ''

function describeCell(cell: StandingsCell | undefined): Cell {
  if (cell === undefined) return ''
  const { tries, pending, minutes, score, first } = cell
  const points = score === undefined ? '' : ` (${score})`
  if (minutes !== undefined)
    return { text: `${tries}/${minutes}${first ? '*' : ''}${points}`, colour: first ? 'bold' : 'green' }
  if (pending > 0) return { text: `${tries > 0 ? `${tries} ` : ''}?${points}`, colour: 'yellow' }
  return { text: `${tries}/-${points}`, colour: 'red' }
}
