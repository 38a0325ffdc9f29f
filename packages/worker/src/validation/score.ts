import type { TestGroup } from '../service/judging-options.ts'
import type { CaseScore } from '../verdicts/case-result.ts'
import {
  addFractions,
  compareFractions,
  divideByInteger,
  type Fraction,
  hasFiniteDecimal,
  multiplyFractions,
  roundToHundredths,
  toFraction,
  toNumber,
  ZERO,
} from './fraction.ts'
import { JudgeError } from './judge-error.ts'

export interface CaseOutcome {
  readonly accepted: boolean
  readonly score?: CaseScore | undefined
}

export interface Score {
  /** At most two decimals; below the maximum unless `isFull`. */
  readonly score: number
  /** The exact score is the maximum. ACCEPTED needs this and no first failure. */
  readonly isFull: boolean
  /**
   * The points of the test cases that were run, by their numbers, with twelve decimals; those in no
   * group have none.
   */
  readonly ofCases: ReadonlyMap<number, number>
}

/**
 * A validator's points so close to the maximum count as the maximum: decimals of 100/3, and if the
 * maximum has a finite decimal, the rounding of doubles such as 0.1 + 0.2.
 */
const DECIMAL_EPSILON = toFraction(1e-9)
const ROUNDING = toFraction(2 ** -50)

/**
 * Runs the test cases one after another and computes the score (package format 2025-09, "Result
 * aggregation"). First come the cases that are in no group, in their order: they give no points,
 * and their scores are ignored, as for the format's samples. Then come the groups and their cases,
 * in the listed order.
 *
 * A case of a `sum` group has at most points/N, a case of a `min` group the group's points. A
 * failed case has 0. An accepted case has the maximum, or what its validator says.
 * Cases whose results cannot change anything are skipped unless `runAll`: the rest of the cases
 * without a group after one failed, and the rest of a `min` group after its first score of 0.
 *
 * Errors: a `JudgeError` if the groups or a validator's score break the format's rules.
 */
export async function computeScore(options: {
  groups: readonly TestGroup[]
  /** Test cases of the problem, in groups or not. */
  caseCount: number
  runCase: (number: number) => Promise<CaseOutcome>
  runAll?: boolean
}): Promise<Score> {
  const grouped = collectCases(options.groups, options.caseCount)
  const scoring = new Scoring(options.runCase, options.runAll ?? false)
  for (let number = 1; number <= options.caseCount; number += 1) {
    if (grouped.has(number)) continue
    const { accepted } = await scoring.run(number)
    if (!accepted && !options.runAll) break
  }
  let score = ZERO
  let maximum = ZERO
  for (const group of options.groups) {
    score = addFractions(score, await scoring.scoreGroup(group, group.name))
    maximum = addFractions(maximum, toFraction(group.points))
  }
  const isFull = compareFractions(score, maximum) === 0
  const most = roundToHundredths(maximum)
  const rounded = roundToHundredths(score)
  return {
    score: Number(rounded === most && !isFull ? most - 1n : rounded) / 100,
    isFull,
    ofCases: scoring.ofCases,
  }
}

class Scoring {
  readonly ofCases = new Map<number, number>()
  private readonly runCase: (number: number) => Promise<CaseOutcome>
  private readonly runAll: boolean
  private usedFile: 'score.txt' | 'score_multiplier.txt' | undefined

  constructor(runCase: (number: number) => Promise<CaseOutcome>, runAll: boolean) {
    this.runCase = runCase
    this.runAll = runAll
  }

  async run(number: number): Promise<CaseOutcome> {
    const outcome = await this.runCase(number)
    if (outcome.score) this.checkFile(outcome.score, number)
    return outcome
  }

  async scoreGroup(group: TestGroup, path: string): Promise<Fraction> {
    const points = toFraction(group.points)
    const children: readonly (number | TestGroup)[] = group.cases ?? group.groups ?? []
    const maximum =
      group.cases && group.aggregation === 'sum' ? divideByInteger(points, group.cases.length) : points
    let score = group.aggregation === 'sum' ? ZERO : points
    for (const child of children) {
      const childScore =
        typeof child === 'number'
          ? await this.scoreCase(child, maximum, path)
          : await this.scoreGroup(child, `${path} / ${child.name}`)
      if (group.aggregation === 'sum') score = addFractions(score, childScore)
      else if (compareFractions(childScore, score) < 0) score = childScore
      if (!this.runAll && group.aggregation === 'min' && isDecided(points, score)) break
    }
    if (compareFractions(score, points) > 0)
      throw new JudgeError(`group ${JSON.stringify(path)} has more than its ${group.points} points`)
    return score
  }

  private async scoreCase(number: number, maximum: Fraction, path: string): Promise<Fraction> {
    const score = await this.readScore(number, maximum, path)
    this.ofCases.set(number, toNumber(score))
    return score
  }

  private async readScore(number: number, maximum: Fraction, path: string): Promise<Fraction> {
    const { accepted, score } = await this.run(number)
    const place = `test case ${number} of group ${JSON.stringify(path)}`
    if (!accepted && score) throw new JudgeError(`${place}: the validator scored an output that it rejected`)
    if (!accepted) return ZERO
    if (!score) return maximum
    return readScore(score, maximum, place)
  }

  /** A validator must always use the same of the two files, also where its score is ignored. */
  private checkFile(score: CaseScore, number: number): void {
    const file = 'points' in score ? 'score.txt' : 'score_multiplier.txt'
    this.usedFile ??= file
    if (this.usedFile !== file)
      throw new JudgeError(`test case ${number}: the validator wrote ${file}, but before ${this.usedFile}`)
  }
}

/** A result of 0 stays 0. A group of 0 points runs on, because its failures still count. */
function isDecided(points: Fraction, score: Fraction): boolean {
  return score.numerator === 0n && points.numerator !== 0n
}

function readScore(score: CaseScore, maximum: Fraction, place: string): Fraction {
  if ('multiplier' in score) {
    if (!(score.multiplier >= 0 && score.multiplier <= 1))
      throw new JudgeError(`${place}: the multiplier ${score.multiplier} is not between 0 and 1`)
    return multiplyFractions(toFraction(score.multiplier), maximum)
  }
  if (!(score.points >= 0 && Number.isFinite(score.points)))
    throw new JudgeError(`${place}: the points ${score.points} are not a number from 0`)
  const points = toFraction(score.points)
  const epsilon = hasFiniteDecimal(maximum) ? multiplyFractions(maximum, ROUNDING) : DECIMAL_EPSILON
  if (compareFractions(addFractions(points, epsilon), maximum) < 0) return points
  if (compareFractions(points, addFractions(maximum, epsilon)) <= 0) return maximum
  const most = Number(maximum.numerator) / Number(maximum.denominator)
  throw new JudgeError(`${place}: ${score.points} points are more than its maximum of ${most}`)
}

/** The cases in groups. Each must exist and be in one group only. */
function collectCases(groups: readonly TestGroup[], caseCount: number): ReadonlySet<number> {
  const collected = new Set<number>()
  const collect = (group: TestGroup, path: string): void => {
    for (const number of group.cases ?? []) {
      const place = `group ${JSON.stringify(path)} names test case ${number}`
      if (!Number.isInteger(number) || number < 1 || number > caseCount)
        throw new JudgeError(`${place}, but the problem has ${caseCount} test cases`)
      if (collected.has(number)) throw new JudgeError(`${place}, which is in a group already`)
      collected.add(number)
    }
    for (const child of group.groups ?? []) collect(child, `${path} / ${child.name}`)
  }
  for (const group of groups) collect(group, group.name)
  return collected
}
