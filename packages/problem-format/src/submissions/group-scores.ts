import { MAX_POINTS } from '../package/judging-options.ts'

/** A test data group: its score is the sum or the minimum of its test cases or groups. */
export interface JudgedGroup {
  /** The path below `data`, such as `secret/group1`. */
  readonly name: string
  /** Absent in verifications of 0.2.0. */
  readonly points?: number
  readonly aggregation: 'sum' | 'min'
  /** Names of test cases. */
  readonly cases?: readonly string[]
  readonly groups?: readonly JudgedGroup[]
}

/** The accepted test cases by their names. Without a score, a test case has all its points. */
export type AcceptedCases = ReadonlyMap<string, { readonly score?: number }>

/** Points with two decimals. */
export interface GroupScore {
  readonly name: string
  readonly score: number
  readonly inner: readonly GroupScore[]
}

/**
 * The scores of groups and of those in them, and their sum. Shares of the points are exact until a
 * score is rounded. The sum is below `maximum` unless it is the maximum.
 */
export function scoreGroups(groups: readonly JudgedGroup[], accepted: AcceptedCases, maximum?: number) {
  const units = new PointUnits(groups)
  const exact = groups.map((group) => scoreGroup(group, accepted, units))
  const sum = exact.reduce((total, { score }) => total + score, 0n)
  const round = ({ name, score, inner }: ExactScore): GroupScore => ({
    ...{ name, score: units.round(score), inner: inner.map(round) },
  })
  return { sum: units.round(sum, maximum), groups: exact.map(round) }
}

interface ExactScore {
  readonly name: string
  readonly score: bigint
  readonly inner: readonly ExactScore[]
}

function scoreGroup(group: JudgedGroup, accepted: AcceptedCases, units: PointUnits): ExactScore {
  const inner = (group.groups ?? []).map((one) => scoreGroup(one, accepted, units))
  const scores = group.cases
    ? scoreCases(group, group.cases, accepted, units)
    : inner.map(({ score }) => ({ score, count: 1 }))
  const sum = scores.reduce((total, { score, count }) => total + score * BigInt(count), 0n)
  const [first, ...others] = scores.map(({ score }) => score)
  const lowest = others.reduce((least, score) => (score < least ? score : least), first ?? 0n)
  return { name: group.name, score: group.aggregation === 'min' ? lowest : sum, inner }
}

/**
 * The different scores of a group's test cases, each with the number of cases that have it. Cases
 * that failed or were not judged have no points. A share of the points that a worker has rounded is
 * the exact share again.
 */
function scoreCases(
  { points, aggregation }: JudgedGroup,
  cases: readonly string[],
  accepted: AcceptedCases,
  units: PointUnits,
) {
  const all = points === undefined ? undefined : units.ofPoints(points)
  const share = all !== undefined && aggregation === 'sum' ? all / BigInt(cases.length) : all
  const counts = new Map<number | 'failed' | 'unknown', number>()
  for (const name of cases) {
    const one = accepted.get(name)
    const score = one === undefined ? 'failed' : (one.score ?? 'unknown')
    counts.set(score, (counts.get(score) ?? 0) + 1)
  }
  const scoreOf = (score: number | 'failed' | 'unknown'): bigint => {
    if (score === 'failed') return 0n
    if (score === 'unknown') return share ?? 0n
    return share !== undefined && units.isNear(score, share) ? share : units.of(score)
  }
  return [...counts].map(([score, count]) => ({ score: scoreOf(score), count }))
}

/** Decimals of the score of a test case that count. */
const DECIMALS = 9

/** Points as whole numbers of a unit that divides every share of these groups. */
class PointUnits {
  /** The least common multiple of the numbers of test cases. */
  readonly #shares: bigint
  readonly #hundredth: bigint

  constructor(groups: readonly JudgedGroup[]) {
    this.#shares = sizesOf(groups).reduce((multiple, size) => (multiple * size) / divisorOf(multiple, size), 1n)
    this.#hundredth = this.#shares * 10n ** BigInt(DECIMALS - 2)
  }

  /** Points of a group, which have two decimals. */
  ofPoints(points: number): bigint {
    return BigInt(Math.round(points * 100)) * this.#hundredth
  }

  /** The score of a test case. */
  of(score: number): bigint {
    return BigInt(Math.min(score, MAX_POINTS).toFixed(DECIMALS).replace('.', '')) * this.#shares
  }

  /** With two decimals. Halves are rounded up, but not to the maximum (D25). */
  round(units: bigint, maximum = Number.POSITIVE_INFINITY): number {
    const hundredths = Number((units * 2n + this.#hundredth) / (this.#hundredth * 2n))
    const isCut = hundredths === Math.round(maximum * 100) && units < this.ofPoints(maximum)
    return (isCut ? hundredths - 1 : hundredths) / 100
  }

  /** Whether the score is this number of units, rounded to two decimals or to more. */
  isNear(score: number, units: bigint): boolean {
    const difference = this.of(score) - units
    return score === this.round(units) || (-this.#shares <= difference && difference <= this.#shares)
  }
}

const sizesOf = (groups: readonly JudgedGroup[]): bigint[] =>
  groups.flatMap((group) => [
    ...(group.cases === undefined ? [] : [BigInt(group.cases.length)]),
    ...sizesOf(group.groups ?? []),
  ])

/** The greatest common divisor. */
function divisorOf(one: bigint, other: bigint): bigint {
  let [divisor, rest] = [one, other]
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest]
  return divisor
}
