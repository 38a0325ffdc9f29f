import { CaseMatcher, evaluate, type JudgedCase } from '@judge-data-layer/problem-format/expectations'
import { computeTimeLimit, type TimeLimitReport } from '@judge-data-layer/problem-format/time-limit'
import type { Static } from 'typebox'
import { type Plan, type PlannedProgram, type PlannedValidator, raiseLimit } from './plan.ts'
import type { VerificationResponse } from './schemas.ts'
import { type JudgingRow, SHOWN_CASES, type StoredVerification } from './sql.ts'

export type Report = Static<typeof VerificationResponse>
type ProgramReport = Report['programs'][number]
type ValidatorReport = Report['validators'][number]

/** Results by the ids of shadow judgings. */
export type Results = ReadonlyMap<string, JudgingRow>

const PENDING = 'PENDING'
const ACCEPTED = 'ACCEPTED'
const NOTHING_JUDGED = 'The service cannot judge any program or validator of the package'
const DELETED = 'The judging was deleted'
/** Verdicts whose reason is not in the results of test cases. */
const WITHOUT_CASES = ['INTERNAL_ERROR', 'COMPILE_TIME_ERROR']

/** The report of a verification. */
export function makeReport(
  { plan, is_outdated, ...verification }: StoredVerification,
  results: Results,
): Report {
  const isPending = [...results.values()].some(({ status }) => status === PENDING)
  const matcher = makeMatcher(plan)
  const times = isPending ? undefined : computeLimit(plan, results, matcher)
  const { seconds, provisional } = plan.limit
  const computed = times?.computed
  const limit = provisional ? (computed ?? seconds) : seconds
  // An unknown limit: results count as the worker gave them.
  const compared = isPending && provisional ? Number.POSITIVE_INFINITY : limit
  const compare = { plan, results, limitSeconds: compared, matcher }
  const programs = plan.programs.map((program) => reportProgram(program, compare))
  const validators = plan.validators.map((validator) => reportValidator(validator, results))
  const { id, problem_id, created_at } = verification
  return {
    ...{ id, problem_id, status: isPending ? PENDING : 'DONE', created_at },
    ...(times && judgeAgreement([...programs, ...validators], times)),
    ...(is_outdated && { outdated: true }),
    programs,
    validators,
    time_limit: {
      seconds: limit,
      provisional: provisional && computed === undefined,
      ...(computed !== undefined && { computed }),
      ...(times?.slowestAccepted !== undefined && { slowest_accepted: times.slowestAccepted }),
      ...(times?.fastestTooSlow !== undefined && { fastest_too_slow: times.fastestTooSlow }),
      ...(times?.message !== undefined && { message: times.message }),
    },
  }
}

/** `agrees` is absent without any result. */
function judgeAgreement(results: readonly { readonly agrees?: boolean }[], times: TimeLimitReport) {
  if (results.every(({ agrees }) => agrees === undefined)) return { message: NOTHING_JUDGED }
  return { agrees: times.agrees && results.every(({ agrees }) => agrees !== false) }
}

/** The time limit that the judged programs need, beside the problem's own one. */
export function computeLimit(plan: Plan, results: Results, matcher = makeMatcher(plan)): TimeLimitReport {
  const raised = raiseLimit(plan)
  const timed = plan.programs.flatMap(({ path, rules, factor, judging = '' }) => {
    const result = results.get(judging)
    if (result === undefined || WITHOUT_CASES.includes(result.status)) return []
    return [{ path, rules, factor, limitSeconds: raised * factor, cases: result.cases ?? [] }]
  })
  const { time_limit: _, ...limits } = plan.package_limits
  const { seconds, provisional } = plan.limit
  return computeTimeLimit(timed, provisional ? limits : { ...limits, time_limit: seconds }, matcher)
}

const makeMatcher = ({ case_names }: Plan) => new CaseMatcher(Object.values(case_names))

interface Comparison {
  readonly plan: Plan
  readonly results: Results
  readonly limitSeconds: number
  readonly matcher: CaseMatcher
}

function reportProgram(
  { path, language, expected, rules, factor, judging, message }: PlannedProgram,
  { plan, results, limitSeconds, matcher }: Comparison,
): ProgramReport {
  const program = { path, ...(language !== undefined && { language }), expected }
  if (judging === undefined) return { ...program, status: 'NOT_JUDGED', ...(message && { message }) }
  const result = results.get(judging)
  if (result === undefined) return { ...program, status: 'NOT_JUDGED', agrees: false, message: DELETED }
  if (result.status === PENDING) return { ...program, status: PENDING }
  const raised = raiseLimit(plan) * factor
  const cases = (result.cases ?? []).map((one) => ({ ...one, time: countTime(one, raised) }))
  const judged = {
    ...{ status: result.status, cases },
    ...(result.score !== null && { score: result.score }),
    ...(plan.max_score !== undefined && { max_score: plan.max_score }),
    ...(plan.groups && { groups: plan.groups }),
  }
  const { status, agrees, score, slowestTime, ...found } = evaluate(
    { rules },
    judged,
    limitSeconds * factor,
    matcher,
  )
  const why = WITHOUT_CASES.includes(status) && !agrees ? result.message : null
  const explained = [found.message, why].filter(Boolean).join('\n')
  return {
    ...{ ...program, status },
    ...(score !== undefined && { score }),
    ...(slowestTime !== undefined && { slowest_time: slowestTime }),
    ...(Number.isFinite(limitSeconds) && { agrees }),
    ...(explained !== '' && { message: explained }),
  }
}

/** As for the computed time limit: an ended program takes at least its limit, also if it waited. */
const countTime = ({ status, time }: JudgedCase, limitSeconds: number) =>
  status === 'TIME_LIMIT_EXCEEDED' ? Math.max(time, limitSeconds) : time

function reportValidator(
  { path, kind, judging, message }: PlannedValidator,
  results: Results,
): ValidatorReport {
  const validator = { path, kind, rejected: [] }
  if (judging === undefined) return { ...validator, status: 'NOT_RUN', ...(message && { message }) }
  const result = results.get(judging)
  if (result === undefined) return { ...validator, status: 'NOT_RUN', agrees: false, message: DELETED }
  const { status, rejected, rejected_count } = result
  if (status === PENDING) return { ...validator, status: PENDING }
  if (status === ACCEPTED) return { ...validator, status: ACCEPTED, agrees: true }
  if (status !== 'WRONG_ANSWER')
    return {
      ...{ ...validator, status: 'INTERNAL_ERROR', agrees: false },
      ...(result.message && { message: result.message }),
    }
  const isCut = rejected_count > SHOWN_CASES
  return {
    ...{ ...validator, status: 'REJECTED', agrees: false, rejected: [...(rejected ?? [])] },
    ...(isCut && { message: `The first ${SHOWN_CASES} of ${rejected_count} rejected test cases` }),
  }
}
