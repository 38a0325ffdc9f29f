import type { Cell } from '../../../standings/cell.ts'
import { SCORINGS } from '../../../standings/rules/scorings.ts'
import type { Standings } from '../../../standings/standings.ts'
import { minutesFrom } from '../../../standings/times.ts'
import { rankedProblems } from './contest-table.ts'
import type { ContestFacts } from './read-sql.ts'
import type { RowForm } from './row-texts.ts'
import type { RankedBy } from './shown.ts'
import { writeInstant } from './write-instant.ts'

/** The text of the standings before the rows; `]}` follows them. */
export function writeHead(contest: ContestFacts): string {
  const hasPoints = SCORINGS[contest.scoring].hasPoints
  const problems = rankedProblems(contest).map(({ problem_id, label, color, points }) =>
    JSON.stringify({
      ...{ problem_id, label },
      ...(color !== null && { color }),
      ...(hasPoints && points !== null && { points }),
    }),
  )
  const at = writeInstant(contest.changed_at)
  return `{"event_id":${contest.event_id},"state":"${contest.state}","at":"${at}","problems":[${problems.join(', ')}],"rows":[`
}

/** The rows of the standings as JSON (`StandingsRow`). */
export const jsonRows = (standings: Standings, by: RankedBy): RowForm => ({
  prefix: (rank) => `{"rank":${rank}`,
  separator: ',',
  write: (row) => writeRow(standings, by, row),
})

function writeRow(standings: Standings, by: RankedBy, row: number): string {
  const { id = '', name = '' } = standings.owners[row] ?? {}
  const { solved, points, penalty, lastAcceptedAt } = standings.resultOf(row)
  const cells = standings.rules.problemIds.flatMap((problemId, problem) => {
    const cell = standings.cellOf(row, problem)
    return cell === undefined ? [] : writeCell(standings, problemId, problem, cell)
  })
  return [
    `,"${by}":{"id" : "${id}", "name" : ${JSON.stringify(name)}},"solved":${solved}`,
    standings.scoring.hasPoints ? `,"points":${points / 100}` : '',
    `,"penalty":${penalty}`,
    solved === 0 ? '' : `,"last_accepted":"${writeInstant(lastAcceptedAt)}"`,
    `,"cells":[${cells.join(',')}]}`,
  ].join('')
}

function writeCell(standings: Standings, problemId: number, problem: number, cell: Cell): string {
  const { scoring, rules } = standings
  const isSolved = !Number.isNaN(cell.acceptedAt)
  const minutes = isSolved ? `,"minutes":${minutesFrom(rules.startTime, cell.acceptedAt)}` : ''
  const score = scoring.hasPoints && !Number.isNaN(cell.score) ? `,"score":${cell.score / 100}` : ''
  const first = standings.isFirst(problem, cell) ? ',"first": true' : ''
  return `{"problem_id":${problemId},"tries":${cell.tries},"pending":${cell.pending}${minutes}${score}${first}}`
}
