import type { Cell } from './cell.ts'
import type { Cells } from './cells.ts'
import type { Column } from './column.ts'
import type { Named } from './names.ts'
import { type FullScore, type Gain, PointScale } from './rules/points.ts'
import type { Totals } from './rules/rules.ts'
import { SCORINGS, type Scoring } from './rules/scorings.ts'
import { CELLS_IN_SLICE, inSlices } from './slices.ts'
import { minutesFrom } from './times.ts'

/** What a contest says about its standings. */
export interface ContestRules {
  readonly scoring: Scoring
  /** Microseconds since 1970. */
  readonly startTime: number
  /** For each rejected submission to a solved problem. */
  readonly penaltyMinutes: number
  /** The problems of the standings, in their order. */
  readonly problemIds: readonly number[]
  /** Of the same problems. */
  readonly fullScores: readonly FullScore[]
}

/** The result of a row, with exact times; NaN: there is no such time. */
export interface Result extends Totals {
  /** Of the last solved problem. */
  readonly lastAcceptedAt: number
  /** When the row last got better: it solved a problem, or with points got more of them. */
  readonly improvedAt: number
}

const NO_RESULT: Result = {
  ...{ solved: 0, points: 0, penalty: 0, lastMinute: -1 },
  ...{ lastAcceptedAt: Number.NaN, improvedAt: Number.NaN },
}

/** Memory of a row with its owner. */
const ROW_BYTES = 300

/**
 * The ranked table of a contest, of users or of teams (P22). Rows are named by the numbers of their
 * owners, whose order is that of rows that share a rank. A whole table is an update that starts
 * from nothing.
 */
export class Standings {
  readonly rules: ContestRules
  /** In the order of `compareNames`. */
  readonly owners: readonly Named[]
  /** The rows in the order of their ranks. */
  readonly order: number[]
  /** The rank of each place of `order`. */
  readonly ranks: Uint32Array
  /** Changes whenever something changes that a row shows, but for its rank. */
  readonly revisions: Uint32Array
  readonly #cells: Cells
  /** Undefined: nobody gets points. */
  readonly #scale: PointScale | undefined
  /** The owners' numbers in the columns; -1: the owner has no cell. */
  readonly #numbers: Int32Array
  readonly #places: ReadonlyMap<string, number>
  readonly #results: Result[]
  /** By problem, when its first solution was sent; NaN: there is none, or it is not certain. */
  readonly #firstTimes: number[]

  constructor(rules: ContestRules, owners: readonly Named[], cells: Cells) {
    this.rules = rules
    this.owners = owners
    this.#cells = cells
    this.#scale = this.scoring.hasPoints ? new PointScale(rules.fullScores) : undefined
    this.order = [...owners.keys()]
    this.ranks = new Uint32Array(owners.length)
    this.revisions = new Uint32Array(owners.length)
    this.#places = new Map(owners.map(({ id }, place) => [id, place]))
    this.#numbers = new Int32Array(owners.length).fill(-1)
    this.#results = owners.map(() => NO_RESULT)
    this.#firstTimes = rules.problemIds.map(() => Number.NaN)
  }

  get bytes(): number {
    return this.owners.length * ROW_BYTES
  }

  get cellsInRow(): number {
    return this.rules.problemIds.length
  }

  get scoring() {
    return SCORINGS[this.rules.scoring]
  }

  /** Counts rows again after changes of their owners' cells; without a set, all of them. */
  async update(changedOwners?: ReadonlySet<string>): Promise<void> {
    const rows = changedOwners === undefined ? [...this.owners.keys()] : this.#rowsOf(changedOwners)
    const columns = this.rules.problemIds.map((id) => this.#cells.columnOf(id))
    const rowsInSlice = Math.ceil(CELLS_IN_SLICE / (columns.length + 1))
    await inSlices(rows.length, rowsInSlice, (place) => {
      const row = rows[place] ?? 0
      this.#numbers[row] = this.#cells.numberOf(this.owners[row]?.id ?? '') ?? -1
      this.#results[row] = this.#countResult(row, columns)
      this.#touch(row)
    })
    await inSlices(columns.length, 1, (place) => this.#findFirst(place, columns[place]))
    this.#rank()
  }

  resultOf(row: number): Result {
    return this.#results[row] ?? NO_RESULT
  }

  /**
   * The cell of a row at a problem of `rules`, by its place there; undefined: no submission. With
   * points, its score is what it counts in the contest.
   */
  cellOf(row: number, problem: number): Cell | undefined {
    const cell = this.#columnOf(problem)?.read(this.#numbers[row] ?? -1)
    if (cell === undefined || cell.submissions === 0) return undefined
    if (this.#scale === undefined) return cell
    const { points, at = Number.NaN } = this.#scale.pointsOf(problem, cell) ?? {}
    return { ...cell, score: points === undefined ? Number.NaN : this.#scale.round(points), scoredAt: at }
  }

  /**
   * The cell has the first solution of its problem for certain: no submission that was sent earlier
   * is still pending. Solutions that were sent in the same microsecond are all the first.
   */
  isFirst(problem: number, { acceptedAt }: Cell): boolean {
    return acceptedAt === this.#firstTimes[problem]
  }

  /** The rows that have the first solution of a problem for certain. */
  firstRows(problem: number): number[] {
    return this.#rowsAcceptedAt(this.#columnOf(problem), this.#firstTimes[problem] ?? Number.NaN)
  }

  /** The cell has a submission that is frozen until staff reveals it. */
  isFrozen(row: number, problem: number): boolean {
    return this.#columnOf(problem)?.isFrozen(this.#numbers[row] ?? -1) ?? false
  }

  #columnOf(problem: number): Column | undefined {
    return this.#cells.columnOf(this.rules.problemIds[problem] ?? 0)
  }

  #rowsOf(ownerIds: ReadonlySet<string>): number[] {
    return [...ownerIds].flatMap((id) => this.#places.get(id) ?? [])
  }

  #countResult(row: number, columns: readonly (Column | undefined)[]): Result {
    const number = this.#numbers[row] ?? -1
    const { startTime, penaltyMinutes } = this.rules
    let { solved, penalty, lastMinute, lastAcceptedAt, improvedAt } = NO_RESULT
    let points = 0n
    for (const [problem, column] of columns.entries()) {
      const cell = column?.read(number)
      if (cell === undefined) continue
      const { acceptedAt, tries } = cell
      const isSolved = !Number.isNaN(acceptedAt)
      if (isSolved) {
        solved += 1
        lastAcceptedAt = latest(lastAcceptedAt, acceptedAt)
      }
      const gain = this.#gainOf(problem, cell)
      if (gain === undefined) continue
      points += gain.points
      improvedAt = latest(improvedAt, gain.at)
      if (!isSolved) continue
      const minutes = minutesFrom(startTime, acceptedAt)
      penalty += minutes + (tries - 1) * penaltyMinutes
      lastMinute = Math.max(lastMinute, minutes)
    }
    return {
      ...{ solved, points: this.#scale?.round(points) ?? 0, penalty, lastMinute },
      ...{ lastAcceptedAt, improvedAt },
    }
  }

  /** What a cell adds to its row; undefined: nothing. With points, a solution without any does not. */
  #gainOf(problem: number, cell: Cell): Gain | undefined {
    if (this.#scale === undefined) {
      return Number.isNaN(cell.acceptedAt) ? undefined : { points: 0n, at: cell.acceptedAt }
    }
    const gain = this.#scale.pointsOf(problem, cell)
    return gain?.points ? gain : undefined
  }

  /** Only the cells of rows count: hidden and removed participants neither solve nor wait. */
  #findFirst(problem: number, column: Column | undefined): void {
    const before = this.#firstTimes[problem] ?? Number.NaN
    const { accepted = Number.NaN, pending = Number.NaN } = column?.earliest(this.#numbers) ?? {}
    const first = accepted < Number.POSITIVE_INFINITY && !(pending < accepted) ? accepted : Number.NaN
    if (Object.is(first, before)) return
    this.#firstTimes[problem] = first
    for (const row of [...this.#rowsAcceptedAt(column, first), ...this.#rowsAcceptedAt(column, before)])
      this.#touch(row)
  }

  #rowsAcceptedAt(column: Column | undefined, time: number): number[] {
    return [...this.#numbers.keys()].filter((row) => column?.acceptedAt(this.#numbers[row] ?? -1) === time)
  }

  #touch(row: number): void {
    this.revisions[row] = (this.revisions[row] ?? 0) + 1
  }

  #rank(): void {
    const { compare } = this.scoring
    const { order, ranks } = this
    order.sort((a, b) => compare(this.resultOf(a), this.resultOf(b)) || a - b)
    for (let place = 0; place < order.length; place += 1) {
      const [above = -1, row = -1] = [order[place - 1], order[place]]
      const sharesRank = above >= 0 && compare(this.resultOf(above), this.resultOf(row)) === 0
      ranks[place] = sharesRank ? (ranks[place - 1] ?? 0) : place + 1
    }
  }
}

/** The later time; `known` may be NaN. */
const latest = (known: number, time: number) => (known >= time ? known : time)
