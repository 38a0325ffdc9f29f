import type { Schemas } from '@judge-data-layer/client'
import type { Cell, Writer } from '../shared/text.ts'

type Row = Schemas['StandingsRow']
type StandingsCell = Schemas['StandingsCell']

/** The standings as a table: one column for each problem. */
export function formatStandings(writer: Writer, { problems, rows, state }: Schemas['Standings']): string {
  if (rows.length === 0) return `State: ${state}. Nobody is in the standings yet.`
  const hasPoints = rows.some(({ points }) => points !== undefined)
  const labels = problems.map(({ label }) => label)
  const headings = ['Place', 'Name', hasPoints ? 'Points' : 'Solved', 'Time', ...labels]
  const describeRow = (row: Row) => {
    const total = hasPoints ? (row.points ?? 0) : row.solved
    const cells = new Map(row.cells.map((cell) => [cell.problem_id, cell]))
    const shown = problems.map(({ problem_id }) => describeCell(cells.get(problem_id)))
    return [String(row.rank), nameOf(row), String(total), String(row.penalty), ...shown]
  }
  const table = writer.table(headings, rows.map(describeRow))
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
