import { type Cell, UNSCORED } from '../cell.ts'
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
  /** `weight` is what a hundredth of a score gives. */
  readonly #problems: readonly {
    readonly hasGroups: boolean
    readonly full: bigint
    readonly weight: bigint
  }[]
  /** One hundredth of a point. */
  readonly #unit: bigint

  constructor(problems: readonly FullScore[]) {
    const wholes = problems.map(({ maxScore }) => (maxScore ? toHundredths(maxScore) : undefined))
    const unit = wholes.reduce<bigint>((all, whole = 1n) => (all / greatestDivisor(all, whole)) * whole, 1n)
    this.#unit = unit
    this.#problems = problems.map(({ points, maxScore }, place) => {
      const full = toHundredths(points ?? maxScore ?? USUAL_POINTS) * unit
      const whole = wholes[place]
      return { hasGroups: whole !== undefined, full, weight: whole === undefined ? unit : full / whole }
    })
  }

  /**
   * The points of a cell of this problem; undefined: no submission gives any. Until a rejudging,
   * judgings from before the problem got test groups have no score, and from before it lost them
   * have one.
   */
  pointsOf(problem: number, cell: Cell): Gain | undefined {
    const { score, scoredAt, acceptedAt, submissions, pending } = cell
    const { hasGroups = false, full = 0n, weight = 0n } = this.#problems[problem] ?? {}
    const isFull = score === UNSCORED || (!hasGroups && !Number.isNaN(acceptedAt))
    if (isFull) return { points: full, at: acceptedAt }
    if (!Number.isNaN(score)) return { points: BigInt(score) * weight, at: scoredAt }
    return hasGroups || submissions === pending ? undefined : { points: 0n, at: scoredAt }
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
