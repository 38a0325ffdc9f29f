import type { PackageLimits } from '../package/package-problem.ts'
import { CaseMatcher, type Rule } from './expectations.ts'

/** A program's times. */
export interface TimedProgram {
  readonly path: string
  readonly rules: readonly Rule[]
  /** The factor of its language for the time limit. */
  readonly factor: number
  /** The CPU limit with which it ran, in seconds. */
  readonly limitSeconds: number
  readonly cases: readonly { readonly name: string; readonly status: string; readonly time: number }[]
}

/** Times are CPU seconds, divided by the factor of the language. */
export interface TimeLimitReport {
  /** True: the given limit is right, or the computed one exists. */
  readonly agrees: boolean
  /** The smallest limit that the programs allow. */
  readonly computed?: number
  /** The slowest time of the programs that must not be too slow. */
  readonly slowestAccepted?: number
  /** The time of the fastest program that must be too slow. */
  readonly fastestTooSlow?: number
  readonly message?: string
}

/** The time of a program that bounds the limit. */
interface Bound {
  readonly path: string
  readonly seconds: number
  /** The program was ended: it needs more than this time. */
  readonly isEnded: boolean
}

/** Sums and products of decimals have errors far below this. */
const DECIMALS = 6

/**
 * Computes the time limit that the programs need: the smallest multiple of `time_resolution` with
 * the margins of `time_multipliers`. With a `time_limit`, checks it.
 */
export function computeTimeLimit(
  programs: readonly TimedProgram[],
  limits: PackageLimits,
  matcher = new CaseMatcher(),
): TimeLimitReport {
  const bounds = findBounds(programs, limits, matcher)
  const { slowest, fastest } = bounds
  const smallest = findSmallest(bounds, limits.time_resolution ?? 1)
  const computed = smallest !== undefined && smallest <= bounds.most ? smallest : undefined
  const message = explainLimit(limits, bounds, smallest)
  return {
    agrees: message === undefined,
    ...(computed !== undefined && { computed }),
    ...(slowest && { slowestAccepted: slowest.seconds }),
    ...(fastest && { fastestTooSlow: fastest.seconds }),
    ...(message !== undefined && { message }),
  }
}

type Bounds = ReturnType<typeof findBounds>

/** The bounds for the limit, in seconds, and the programs that give them. */
function findBounds(programs: readonly TimedProgram[], limits: PackageLimits, matcher: CaseMatcher) {
  const { ac_to_time_limit = 2, time_limit_to_tle = 1.5 } = limits.time_multipliers ?? {}
  const slowest = maxOf(programs.flatMap((program) => findBound(program, isLower, matcher)))
  const upper = programs.flatMap((program) => findBound(program, isUpper, matcher))
  const [fastest] = upper.toSorted((a, b) => a.seconds - b.seconds)
  return {
    slowest,
    fastest,
    least: slowest && round(slowest.seconds * ac_to_time_limit),
    most: fastest ? round(fastest.seconds / time_limit_to_tle) : Number.POSITIVE_INFINITY,
  }
}

/** The slowest time in the test cases of the rules; none if no rule bounds the limit. */
function findBound(
  program: TimedProgram,
  isBounding: (rule: Rule) => boolean,
  matcher: CaseMatcher,
): Bound[] {
  const { path, rules, cases, factor, limitSeconds } = program
  const bounding = rules.filter((rule) => rule.useForTimeLimit !== false && isBounding(rule))
  const times = bounding.map((rule) => {
    const isAbout = matcher.matchCases(rule)
    const ended = cases.filter(({ name }) => isAbout(name)).map((one) => timeOf(one, limitSeconds))
    return maxOf(ended.map(({ seconds, isEnded }) => ({ path, seconds: round(seconds / factor), isEnded })))
  })
  return times.flatMap((time) => time ?? [])
}

/** A program that was ended would need at least the limit, also if it only waited. */
function timeOf({ status, time }: TimedProgram['cases'][number], limitSeconds: number) {
  const isEnded = status === 'TIME_LIMIT_EXCEEDED'
  return { seconds: isEnded ? Math.max(time, limitSeconds) : time, isEnded }
}

/** Rules that forbid TLE give a lower bound for the time limit. */
function isLower({ permitted, statuses }: Rule): boolean {
  if (permitted) return !permitted.includes('TLE')
  return statuses?.every((status) => status === 'ACCEPTED') ?? false
}

/** Rules that require TLE, and nothing else, give an upper bound. */
function isUpper({ required, statuses }: Rule): boolean {
  if (required) return required.every((verdict) => verdict === 'TLE')
  return statuses?.every((status) => status === 'TIME_LIMIT_EXCEEDED') ?? false
}

function findSmallest({ least, slowest }: Bounds, resolution: number): number | undefined {
  if (least === undefined || slowest?.isEnded) return undefined
  return round(Math.max(1, Math.ceil(round(least / resolution))) * resolution)
}

/** Why the limit does not agree. */
function explainLimit(limits: PackageLimits, bounds: Bounds, smallest: number | undefined) {
  const { slowest, fastest, most } = bounds
  const limit = limits.time_limit
  if (slowest?.isEnded) return `${slowest.path} was ended after ${slowest.seconds} s; it must not be too slow`
  if (limit === undefined && !slowest) return 'No judged program gives a lower bound for the time limit'
  const own = limit ?? smallest ?? 0
  const name = `The time limit of ${own} s`
  if (slowest && bounds.least !== undefined && own < bounds.least)
    return `${name} must be at least ${bounds.least} s: ${slowest.path} takes ${slowest.seconds} s`
  if (!fastest || own <= most) return undefined
  const because = `${fastest.path} takes ${fastest.isEnded ? 'at least ' : ''}${fastest.seconds} s`
  if (limit !== undefined) return `${name} must be at most ${most} s: ${because}`
  const least = `at least ${own} s, because ${slowest?.path} takes ${slowest?.seconds} s`
  return `No time limit fits: it must be ${least}, and at most ${most} s, because ${because}`
}

const maxOf = (bounds: readonly Bound[]) => bounds.toSorted((a, b) => b.seconds - a.seconds)[0]

const round = (value: number) => Math.round(value * 10 ** DECIMALS) / 10 ** DECIMALS
