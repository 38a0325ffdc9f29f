import type { Cell } from '../cell.ts'
import { compareTimes, type Rules } from './rules.ts'

/** More points, then less time. */
export const points: Rules = {
  hasPoints: true,
  compare: (a, b) => b.points - a.points || compareTimes(a, b),
  hasScored: (totals) => totals.points > 0,
}

/** What the full score of a problem of a contest is. */
export interface FullScore {
  /** In the contest; null: it has set none. */
  readonly points: number | null
  /** Of the problem; null: it has no test groups. */
  readonly maxScore: number | null
}

/** The points of a cell, and when it first had them. */
export interface Gain {
  /** Exact: `PointScale` has their unit. */
  readonly points: bigint
  readonly at: number
}

/** Of problems without test groups, where the contest has set nothing. */
const USUAL_POINTS = 100

/**
 * Turns the results of cells into points of a contest (P22): an accepted program has the full
 * score, and with test groups a program has its share of it. Points are exact, as multiples of a
 * fraction of a hundredth, until `round`.
 */
export class PointScale {
  readonly #problems: readonly FullScore[]
  /** What one hundredth of a score, or a solution without a score, is worth. */
  readonly #weights: readonly bigint[]
  /** One hundredth of a point. */
  readonly #unit: bigint

  constructor(problems: readonly FullScore[]) {
    const shares = problems.map(({ points, maxScore }) => {
      const full = toHundredths(points ?? maxScore ?? USUAL_POINTS)
      const whole = maxScore ? toHundredths(maxScore) : 1n
      const divisor = greatestDivisor(full, whole)
      return { full: full / divisor, whole: whole / divisor }
    })
    const unit = shares.reduce((all, { whole }) => (all / greatestDivisor(all, whole)) * whole, 1n)
    this.#problems = problems
    this.#weights = shares.map(({ full, whole }) => full * (unit / whole))
    this.#unit = unit
  }

  /** The points of a cell of this problem; undefined: no submission has a score. */
  pointsOf(problem: number, cell: Cell): Gain | undefined {
    const weight = this.#weights[problem] ?? 0n
    if (this.#problems[problem]?.maxScore) {
      return Number.isNaN(cell.score) ? undefined : { points: BigInt(cell.score) * weight, at: cell.scoredAt }
    }
    if (cell.submissions === cell.pending) return undefined
    return { points: Number.isNaN(cell.acceptedAt) ? 0n : weight, at: cell.acceptedAt }
  }

  /** In hundredths; halves are rounded up. */
  round(points: bigint): number {
    return Number((2n * points + this.#unit) / (2n * this.#unit))
  }
}

const toHundredths = (score: number) => BigInt(Math.round(score * 100))

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}
