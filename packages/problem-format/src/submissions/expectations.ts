import { compileGlob } from './glob-pattern.ts'
import { type GroupScore, type JudgedGroup, scoreGroups } from './group-scores.ts'

/** All verdicts that the format has for a test case. */
export const ALL_VERDICTS = ['AC', 'WA', 'TLE', 'RTE'] as const

export type Verdict = (typeof ALL_VERDICTS)[number]

/** The statuses of each verdict: too much output is a wrong answer, too much memory a crash. */
const STATUSES: Readonly<Record<Verdict, readonly [string, ...string[]]>> = {
  AC: ['ACCEPTED'],
  WA: ['WRONG_ANSWER', 'PRESENTATION_ERROR', 'OUTPUT_LIMIT_EXCEEDED'],
  TLE: ['TIME_LIMIT_EXCEEDED'],
  RTE: ['RUNTIME_ERROR', 'MEMORY_LIMIT_EXCEEDED'],
}

/** A condition for a program's results; every part must hold. JSON. */
export interface Rule {
  /** Pattern of the test cases or folders that the rule is about. Default: all test cases. */
  readonly cases?: string
  /** Each test case has one of these verdicts. */
  readonly permitted?: readonly Verdict[]
  /** At least one test case has one of these verdicts. */
  readonly required?: readonly Verdict[]
  /** The verdict of the program is one of these statuses of the service. */
  readonly statuses?: readonly string[]
  /** Lowest and highest score, of the program or of the test data group `cases`. */
  readonly score?: readonly [number, number]
  /** The program has some points, but not all. */
  readonly hasPartialScore?: true
  /** A text in the judge message of at least one test case. */
  readonly message?: string
  /** False: the program's times do not affect the time limit through this rule. */
  readonly useForTimeLimit?: false
}

export interface JudgedCase {
  /** As `PackageTest.name`. */
  readonly name: string
  /** The status that the worker gave. */
  readonly status: string
  /** CPU seconds. */
  readonly time: number
  readonly judgeMessage?: string
  /** Absent: the test case has all its points, or none if it failed. */
  readonly score?: number
}

/** A program's results, perhaps with a raised time limit. */
export interface JudgedProgram {
  readonly status: string
  readonly score?: number
  readonly max_score?: number
  /** In the order in which they are judged. */
  readonly cases: readonly JudgedCase[]
  /** Needed for scores at the problem's own limit and for scores of groups. */
  readonly groups?: readonly JudgedGroup[]
}

export interface Evaluation {
  readonly agrees: boolean
  /** The verdict at the problem's own limit. */
  readonly status: string
  /** The score at the problem's own limit. */
  readonly score?: number
  /** The slowest test case in CPU seconds. */
  readonly slowestTime: number | undefined
  /** Why the results do not agree. */
  readonly message?: string
}

/** Times and scores that differ by less are equal. */
const TOLERANCE = 1e-6

/**
 * Compares a program's results with its rules. `limitSeconds` is the program's own CPU limit: test
 * cases above it count as too slow. The worker may have used a higher limit.
 */
export function evaluate(
  { rules }: { readonly rules: readonly Rule[] },
  judged: JudgedProgram,
  limitSeconds: number,
  matcher = new CaseMatcher(),
): Evaluation {
  const own = applyLimit(judged, limitSeconds, matcher)
  const { cases, status, score } = own
  const isNotJudged = status === 'INTERNAL_ERROR'
  const message = isNotJudged ? 'The judge failed: the program has no verdict' : findFault(rules, own)
  return {
    agrees: message === undefined,
    status,
    ...(score !== undefined && { score }),
    slowestTime: cases.length === 0 ? undefined : Math.max(...cases.map(({ time }) => time)),
    ...(message !== undefined && { message }),
  }
}

/** The usual status of the service for a verdict of the format. */
export const statusOf = (verdict: Verdict) => STATUSES[verdict][0]

/** `a, b or c`. */
export function joinOptions(options: readonly string[]): string {
  const last = options.at(-1) ?? ''
  return options.length < 2 ? last : `${options.slice(0, -1).join(', ')} or ${last}`
}

/** `40`, or `10 to 40`. */
export function describeRange([low, high]: readonly [number, number]): string {
  return low === high ? String(low) : `${low} to ${high}`
}

/** A program's results at its limit, to be compared with rules. */
interface Compared extends JudgedProgram {
  readonly groupScores: readonly GroupScore[]
  readonly matcher: CaseMatcher
}

/** The results that the program has at a time limit. */
function applyLimit(judged: JudgedProgram, limitSeconds: number, matcher: CaseMatcher): Compared {
  let losesPoints = false
  const cases = judged.cases.map((one) => {
    if (one.time <= limitSeconds + TOLERANCE || !includesStatus(ALL_VERDICTS, one.status)) return one
    losesPoints ||= one.status === statusOf('AC')
    return { ...one, status: statusOf('TLE'), ...(one.score !== undefined && { score: 0 }) }
  })
  const failed = cases.find(({ status }) => status !== statusOf('AC'))
  const status = includesStatus(ALL_VERDICTS, judged.status)
    ? (failed?.status ?? judged.status)
    : judged.status
  const accepted = new Map(
    cases.filter((one) => one.status === statusOf('AC')).map((one) => [one.name, one]),
  )
  const { sum, groups } = scoreGroups(judged.groups ?? [], accepted, judged.max_score)
  // The judging's own score, unless the limit takes points away.
  const score = losesPoints && judged.score !== undefined && judged.groups ? sum : judged.score
  return { ...judged, cases, status, groupScores: groups, matcher, ...(score !== undefined && { score }) }
}

function findFault(rules: readonly Rule[], judged: Compared): string | undefined {
  const explain = [explainStatus, explainCases, explainPartialScore, explainScoreRange, explainMessage]
  for (const rule of rules)
    for (const explainFault of explain) {
      const fault = explainFault(rule, judged)
      if (fault !== undefined) return fault
    }
  return undefined
}

function explainStatus({ statuses }: Rule, { status, cases }: JudgedProgram): string | undefined {
  if (statuses === undefined || statuses.includes(status)) return undefined
  const failed = cases.find((one) => one.status === status && status !== statusOf('AC'))
  return `The verdict is ${status}${failed ? ` (${failed.name})` : ''}; expected ${joinOptions(statuses)}`
}

/** Rules about verdicts of test cases need test cases: a program that does not compile has none. */
function explainCases(rule: Rule, judged: Compared): string | undefined {
  const { permitted, required } = rule
  if (!permitted && !required) return undefined
  if (judged.status === 'COMPILE_TIME_ERROR') return 'The program does not compile'
  const isAbout = judged.matcher.matchCases(rule)
  const cases = judged.cases.filter(({ name }) => isAbout(name))
  const place = rule.cases === undefined ? '' : ` in ${rule.cases}`
  if (cases.length === 0) return `No test case${place} was judged`
  const wrong = permitted && cases.find(({ status }) => !includesStatus(permitted, status))
  if (wrong) return `${describeCase(wrong)}; allowed are only ${listVerdicts(permitted)}`
  if (!required || cases.some(({ status }) => includesStatus(required, status))) return undefined
  return `No test case${place} is ${joinOptions(required.map(statusOf))}`
}

function describeCase({ name, status, time }: JudgedCase): string {
  return `${name} is ${status}${status === statusOf('TLE') ? ` after ${time} s` : ''}`
}

const includesStatus = (verdicts: readonly Verdict[], status: string) =>
  verdicts.some((verdict) => STATUSES[verdict].includes(status))

const listVerdicts = (verdicts: readonly Verdict[]) =>
  joinOptions(verdicts.map(statusOf)).replace(' or ', ' and ')

function explainPartialScore(rule: Rule, { score, max_score }: JudgedProgram): string | undefined {
  if (!rule.hasPartialScore) return undefined
  if (score === undefined || max_score === undefined) return 'The problem gives no points'
  if (score > TOLERANCE && score < max_score - TOLERANCE) return undefined
  return `The score is ${score} of ${max_score}; expected some points, but not all`
}

function explainScoreRange(rule: Rule, judged: Compared): string | undefined {
  if (rule.score === undefined) return undefined
  const [low, high] = rule.score
  const scores = findScores(rule, judged)
  const wrong = scores.find(({ score }) => score < low - TOLERANCE || score > high + TOLERANCE)
  if (wrong) return `The score${wrong.place} is ${wrong.score}; expected ${describeRange(rule.score)}`
  return scores.length === 0 ? 'There is no score' : undefined
}

/** The scores that a rule is about: of the program, or of the outer groups that `cases` matches. */
function findScores(rule: Rule, judged: Compared): { place: string; score: number }[] {
  if (rule.cases === undefined || rule.cases === 'secret')
    return judged.score === undefined ? [] : [{ place: '', score: judged.score }]
  const isAbout = judged.matcher.matchCases(rule)
  const find = (group: GroupScore): readonly GroupScore[] =>
    isAbout(group.name) ? [group] : group.inner.flatMap(find)
  return judged.groupScores
    .flatMap(find)
    .map(({ name, score }) => ({ place: ` of ${name}`, score }))
}

function explainMessage(rule: Rule, { cases, matcher }: Compared): string | undefined {
  const { message } = rule
  if (message === undefined) return undefined
  const isAbout = matcher.matchCases(rule)
  const found = cases.some((one) => isAbout(one.name) && one.judgeMessage?.includes(message))
  return found ? undefined : `No judge message contains ${JSON.stringify(message)}`
}

/** Returns whether a rule is about the test case or folder with a name. */
type Matches = (name: string) => boolean

/** Finds the test cases of rules. It compares each pattern with each known name only once. */
export class CaseMatcher {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #matches = new Map<string, Matches>()
  readonly #compile: typeof compileGlob

  constructor(names: readonly string[] = [], compile = compileGlob) {
    this.#numbers = new Map(names.map((name, i) => [name, i]))
    this.#compile = compile
  }

  /** Returns a test for the names of test cases and folders that a rule is about. */
  matchCases({ cases }: { readonly cases?: string }): Matches {
    if (cases === undefined) return () => true
    const known = this.#matches.get(cases)
    if (known) return known
    const matches = this.#remember(this.#compile(cases) ?? (() => false))
    this.#matches.set(cases, matches)
    return matches
  }

  #remember(matches: Matches): Matches {
    const results = new Uint8Array(this.#numbers.size)
    return (name) => {
      const number = this.#numbers.get(name)
      if (number === undefined) return matches(name)
      results[number] ||= matches(name) ? 2 : 1
      return results[number] === 2
    }
  }
}
