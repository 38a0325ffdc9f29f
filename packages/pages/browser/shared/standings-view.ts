import type { Schemas } from '@judge-data-layer/client'

export type Standings = Schemas['Standings']
export type StandingsRow = Schemas['StandingsRow']
type Cell = Schemas['StandingsCell']

/** How a cell is shown: its look, its texts, and its words for screen readers. */
export interface CellView {
  readonly state: 'solved' | 'partial' | 'tried' | 'pending' | 'empty'
  readonly isFirst: boolean
  readonly main: string
  readonly detail: string
  readonly spoken: string
}

/** A cell of the table. */
export interface CellPlace {
  readonly rowId: string
  readonly problemId: number
}

const EMPTY: CellView = { state: 'empty', isFirst: false, main: '', detail: '', spoken: 'no submission' }

const countOf = (tries: number) => `${tries} ${tries === 1 ? 'try' : 'tries'}`

/**
 * Describes a cell; undefined if there is no submission. With points it has a score, and shows no
 * minute.
 */
export function viewCell(cell: Cell | undefined): CellView {
  if (cell === undefined || (cell.tries === 0 && cell.pending === 0)) return EMPTY
  const { tries, pending, minutes, score } = cell
  const isFirst = cell.first === true
  const shared = { isFirst, detail: countOf(tries) }
  const points = score === undefined ? '' : `${score} points, `
  if (minutes !== undefined) {
    const result = points || `minute ${minutes}, `
    const spoken = `solved, ${result}${countOf(tries)}${isFirst ? ', first solution' : ''}`
    const detail = tries > 1 ? countOf(tries) : ''
    return { ...shared, detail, state: 'solved', main: String(score ?? minutes), spoken }
  }
  if (pending > 0) {
    const all = countOf(tries + pending)
    return { ...shared, state: 'pending', main: '?', detail: all, spoken: `pending, ${points}${all}` }
  }
  if (score !== undefined && score > 0) {
    const spoken = `${points}${countOf(tries)}`
    return { ...shared, state: 'partial', main: String(score), spoken }
  }
  return { ...shared, state: 'tried', main: '✗', spoken: `not solved, ${countOf(tries)}` }
}

/** The id and the name of the person or team of a row. */
export function partyOf({ user, team }: StandingsRow): { readonly id: string; readonly name: string } {
  return user ?? team ?? { id: '', name: '' }
}

/** The cells of a row by `problem_id`. */
export const cellsOf = ({ cells }: StandingsRow) => new Map(cells.map((cell) => [cell.problem_id, cell]))

/** Whether rows are ranked by points. */
export const hasPoints = ({ rows }: Standings) => rows.some(({ points }) => points !== undefined)

/** The width of the star of a first solution, in characters. */
const STAR = 1.5

/** How many characters the longest total and the longest cell have; 0 without points. */
export function measureTexts(standings: Standings) {
  if (!hasPoints(standings)) return { total: 0, cell: 0 }
  const { rows } = standings
  const cells = rows.flatMap((row) => row.cells.map(viewCell))
  return {
    total: Math.max(0, ...rows.map(({ points = '' }) => String(points).length)),
    cell: Math.max(0, ...cells.map(({ main, isFirst }) => main.length + (isFirst ? STAR : 0))),
  }
}

/** The cell that the next step of the thaw reveals: the first pending one of the last such row. */
export function findNextReveal({ rows }: Standings): CellPlace | undefined {
  const row = rows.findLast(({ cells }) => cells.some(isPending))
  const cell = row?.cells.find(isPending)
  return row && cell && { rowId: partyOf(row).id, problemId: cell.problem_id }
}

const isPending = (cell: Cell) => viewCell(cell).state === 'pending'

/** Describes what has changed between two standings, most important first; for screen readers. */
export function describeChanges(before: Standings, after: Standings): string[] {
  const earlier = new Map(before.rows.map((row) => [partyOf(row).id, row]))
  const labels = new Map(after.problems.map(({ problem_id, label }) => [problem_id, label]))
  const solutions = after.rows.flatMap((row) => {
    const { id, name } = partyOf(row)
    const known = earlier.get(id)
    const knownCells = known && cellsOf(known)
    const solved = row.cells.filter(
      ({ problem_id, minutes }) =>
        minutes !== undefined && knownCells?.get(problem_id)?.minutes === undefined,
    )
    if (solved.length === 0) return []
    const names = solved.map(({ problem_id }) => labels.get(problem_id) ?? '').join(' and ')
    return [`${name} has solved ${names} and is at rank ${row.rank}.`]
  })
  return [...describeState(before, after), ...solutions]
}

function describeState(before: Standings, after: Standings): string[] {
  if (before.state === after.state) return []
  return [{ scheduled: '', running: 'The contest is running.', ...LATER }[after.state]].filter(Boolean)
}

const LATER = { frozen: 'The standings are frozen.', ended: 'The contest has ended.' }
