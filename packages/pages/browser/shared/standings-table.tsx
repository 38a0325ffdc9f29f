import { useRef } from 'preact/hooks'
import { useMovingRows } from './moving-rows.ts'
import { ProblemLabel } from './problem-label.tsx'
import {
  type CellPlace,
  cellsOf,
  hasPoints,
  partyOf,
  type Standings,
  type StandingsRow,
  viewCell,
} from './standings-view.ts'

export interface StandingsTableProps {
  readonly standings: Standings
  readonly caption: string
  /** Milliseconds of a row's movement; 0 for none. */
  readonly moveMs: number
  /** The cell that was revealed last, and the one that comes next. */
  readonly revealed?: CellPlace | undefined
  readonly next?: CellPlace | undefined
  /** The row of the reader. */
  readonly ownId?: string | undefined
}

/** The standings as a table, whose rows move when their order changes. */
export function StandingsTable({ standings, caption, moveMs, revealed, next, ownId }: StandingsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  useMovingRows(body, standings, moveMs)
  const byPoints = hasPoints(standings)
  return (
    <table class="standings">
      <caption class="spoken">{caption}</caption>
      <colgroup>
        <col class="rank" />
        <col class="name" />
        <col class="total" />
        {!byPoints && <col class="total" />}
        {standings.problems.map(({ problem_id }) => (
          <col key={problem_id} class="problem" />
        ))}
      </colgroup>
      <Head standings={standings} byPoints={byPoints} />
      <tbody ref={body}>
        {standings.rows.map((row) => {
          const { id } = partyOf(row)
          return (
            <Row
              key={id}
              row={row}
              problems={standings.problems}
              revealed={revealed?.rowId === id ? revealed.problemId : undefined}
              next={next?.rowId === id ? next.problemId : undefined}
              isOwn={id === ownId}
            />
          )
        })}
      </tbody>
    </table>
  )
}

interface HeadProps {
  readonly standings: Standings
  readonly byPoints: boolean
}

function Head({ standings: { problems }, byPoints }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col" class="rank">
          <span class="spoken">Rank</span>
        </th>
        <th scope="col" class="name">
          Name
        </th>
        <th scope="col" class="total">
          {byPoints ? 'Points' : 'Solved'}
        </th>
        {!byPoints && (
          <th scope="col" class="total">
            Time
          </th>
        )}
        {problems.map(({ problem_id, label, color, points }) => (
          <th key={problem_id} scope="col" class={points === undefined ? 'problem' : 'problem with-points'}>
            <ProblemLabel label={label} color={color} />
            {points !== undefined && (
              <span class="worth">
                {points}
                <span class="spoken"> points</span>
              </span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface RowProps {
  readonly row: StandingsRow
  readonly problems: Standings['problems']
  readonly revealed: number | undefined
  readonly next: number | undefined
  readonly isOwn: boolean
}

function Row({ row, problems, revealed, next, isOwn }: RowProps) {
  const { id, name } = partyOf(row)
  const cells = cellsOf(row)
  const isMarked = revealed !== undefined || next !== undefined
  return (
    <tr data-row={id} class={`${isMarked ? 'marked' : ''} ${isOwn ? 'own' : ''}`}>
      <td class="rank">{row.rank}</td>
      <th scope="row" class="name" title={name}>
        <span class="name-text">{name}</span>
      </th>
      <td class="total">{row.points ?? row.solved}</td>
      {row.points === undefined && <td class="total time">{row.penalty}</td>}
      {problems.map(({ problem_id }) => {
        const { state, isFirst, main, detail, spoken } = viewCell(cells.get(problem_id))
        const mark = problem_id === revealed ? 'revealed' : problem_id === next ? 'next' : ''
        return (
          <td key={problem_id} data-problem={problem_id} class="problem">
            <div class={`cell ${state} ${isFirst ? 'first' : ''} ${mark}`} aria-hidden="true">
              <span class="main">
                {isFirst && <span class="star">★</span>}
                {main}
              </span>
              {detail && <span class="detail">{detail}</span>}
            </div>
            <span class="spoken">{spoken}</span>
          </td>
        )
      })}
    </tr>
  )
}
