import type { Schemas } from '@judge-data-layer/client'
import { createTextBudget, readText } from '../shared/cut-text.ts'
import { type CaseResult, SHOWN_BYTES, type Status } from './case-result.ts'

/** The body of a submission's PATCH (D25): CPU seconds of the slowest test, KiB of the largest. */
export type Verdict = Schemas['VerdictBody']

/** The body of a custom-input run's PATCH; `runtime` is in wall-clock seconds. */
export type RunVerdict = Schemas['RunVerdictBody']

type TestCaseResult = NonNullable<Verdict['test_case_results']>[number]

/** The points of a submission. */
export interface VerdictScore {
  readonly score: number
  /** True: the submission has all points. */
  readonly isFull: boolean
  /** The points of the results, in their order. */
  readonly points: readonly (number | undefined)[]
}

// A character can take six bytes in JSON, and the service accepts 32 MiB.
const ALL_TEXTS_BYTES = 4 * 2 ** 20
const WITHHELD = '[the output of hidden tests is not shown]'
const JUDGE_FAULT = 'The judge of this problem failed. This is not the fault of the program.'

export function makeVerdictWithoutTests(
  status: 'COMPILE_TIME_ERROR' | 'INTERNAL_ERROR',
  stderr: string,
): Verdict {
  return { status, stdout: '', stderr, time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
}

/** The verdict for a problem whose options or validator fail. Only staff sees the message. */
export function makeJudgeFault(judge_message: string): Verdict {
  return { ...makeVerdictWithoutTests('INTERNAL_ERROR', JUDGE_FAULT), judge_message }
}

/**
 * Makes a verdict of the results of test cases in the order of their runs. It keeps only what the
 * verdict shows: the outputs and messages of all results together have a size limit.
 */
export class VerdictBuilder {
  readonly #cut = createTextBudget(ALL_TEXTS_BYTES)
  readonly #results: TestCaseResult[] = []
  #slowestMs = 0
  #mostKib = 0
  #failed: CaseResult | undefined
  #last: CaseResult | undefined

  add(result: CaseResult): void {
    const isFirstFailure = this.#failed === undefined && result.status !== 'ACCEPTED'
    if (isFirstFailure) this.#failed = result
    this.#last = result
    this.#slowestMs = Math.max(this.#slowestMs, result.cpuMs)
    this.#mostKib = Math.max(this.#mostKib, toKib(result))
    this.#results.push({
      ...makeTestCaseResult(result, this.#cut),
      // The messages of the first failure are the most important.
      ...pickMessages(result, isFirstFailure ? readText : this.#cut),
    })
  }

  /** The verdict of the first failure. With a score, only all points are ACCEPTED. */
  finish(score?: VerdictScore): Verdict {
    const status = this.#failed?.status ?? (score && !score.isFull ? 'WRONG_ANSWER' : 'ACCEPTED')
    return this.#make(status, this.#failed, score)
  }

  /** INTERNAL_ERROR because of the last test case, also after a failure; undefined without one. */
  finishAtFault(judgeMessage = this.#last?.judgeMessage): Verdict | undefined {
    if (this.#last === undefined) return undefined
    const status = 'INTERNAL_ERROR'
    const result = this.#results.pop()
    if (result)
      this.#results.push({ ...result, passed: false, status, ...nameText('judge_message', judgeMessage) })
    const fault = { ...this.#last, status, ...(judgeMessage !== undefined && { judgeMessage }) } as const
    return this.#make(status, fault)
  }

  #make(status: Status, failed: CaseResult | undefined, score?: VerdictScore): Verdict {
    const shown = failed ?? this.#last
    const isJudgeFault = status === 'INTERNAL_ERROR'
    return {
      status,
      ...(shown ? showOutput(shown, readText) : { stdout: '', stderr: '' }),
      ...(isJudgeFault && { stderr: JUDGE_FAULT, ...nameText('judge_message', failed?.judgeMessage) }),
      time_elapsed: toSeconds(this.#slowestMs),
      memory_used: this.#mostKib,
      ...(score && !isJudgeFault && { score: score.score }),
      failed_test_case_id: failed?.testCase.id ?? null,
      test_case_results: this.#results.map((result, place) => {
        const points = score?.points[place]
        return points === undefined ? result : { ...result, score: points }
      }),
    }
  }
}

function makeTestCaseResult(result: CaseResult, cut: typeof readText): TestCaseResult {
  const { testCase, status, cpuMs } = result
  return {
    test_case_id: testCase.id,
    ...showOutput(result, cut),
    passed: status === 'ACCEPTED',
    status,
    time_elapsed: toSeconds(cpuMs),
    memory_used: toKib(result),
  }
}

/** The messages without those that `cut` leaves empty. */
function pickMessages({ judgeMessage, teamMessage, transcript }: CaseResult, cut: typeof readText) {
  const take = (text = '') => cut(Buffer.from(text), Number.POSITIVE_INFINITY) || undefined
  return {
    ...nameText('judge_message', take(judgeMessage)),
    ...nameText('team_message', take(teamMessage)),
    ...nameText('transcript', take(transcript)),
  }
}

function nameText(name: 'judge_message' | 'team_message' | 'transcript', text: string | undefined) {
  return text === undefined ? {} : { [name]: text }
}

/** A program can print its input: the output of a hidden test would reveal the test. */
function showOutput(
  { testCase, stdout, stderr, status, end }: CaseResult,
  cut: typeof readText,
): { stdout: string; stderr: string } {
  if (testCase.hidden) return { stdout: '', stderr: status === 'ACCEPTED' ? '' : WITHHELD }
  return { stdout: cut(stdout, SHOWN_BYTES), stderr: explain(status, end, cut(stderr, SHOWN_BYTES)) }
}

/** The program's stderr, with the way it ended if it crashed. */
export function explain(status: Status, end: string, stderr: string): string {
  return status === 'RUNTIME_ERROR' ? `${stderr}\n[${end}]`.trimStart() : stderr
}

/** The statuses that few clients know, each with the one that all know (D23). */
const KNOWN_STATUS: Readonly<Record<Reason, Status>> = {
  PRESENTATION_ERROR: 'WRONG_ANSWER',
  OUTPUT_LIMIT_EXCEEDED: 'RUNTIME_ERROR',
}
type Reason = NonNullable<Verdict['reason']>
const isReason = (status: Status): status is Reason => status in KNOWN_STATUS

/** The verdict with a status that all clients know, and the finer status as its reason (D23). */
export function withKnownStatus(verdict: Verdict): Verdict {
  const { status } = verdict
  return isReason(status) ? { ...verdict, status: KNOWN_STATUS[status], reason: status } : verdict
}

/** A verdict without outputs, for a service that refuses the complete verdict as too large. */
export function stripVerdict(verdict: Verdict): Verdict {
  const { judge_message: _, ...rest } = verdict
  return { ...rest, stdout: '', stderr: '[too large to be stored]', test_case_results: [] }
}

/** The verdict of a run without an output. */
export function makeRunFault(status: 'COMPILE_TIME_ERROR' | 'INTERNAL_ERROR', stderr: string): RunVerdict {
  return { status, stdout: '', stderr, runtime: 0 }
}

/** Seconds, to the millisecond. */
export function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}

function toKib({ peakMemoryBytes }: CaseResult): number {
  return Math.ceil(peakMemoryBytes / 1024)
}
