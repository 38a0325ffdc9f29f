/** The statuses that this worker gives (D23). */
export type Status =
  | 'ACCEPTED'
  | 'WRONG_ANSWER'
  | 'PRESENTATION_ERROR'
  | 'TIME_LIMIT_EXCEEDED'
  | 'MEMORY_LIMIT_EXCEEDED'
  | 'OUTPUT_LIMIT_EXCEEDED'
  | 'RUNTIME_ERROR'
  | 'COMPILE_TIME_ERROR'
  | 'INTERNAL_ERROR'

export interface TestCaseResult {
  readonly test_case_id: string
  readonly stdout: string
  readonly stderr: string
  readonly passed: boolean
}

/** The body of a submission's PATCH (D25). */
export interface Verdict {
  readonly status: Status
  readonly stdout: string
  readonly stderr: string
  /** CPU seconds of the slowest test. */
  readonly time_elapsed: number
  readonly failed_test_case_id: string | null
  readonly test_case_results: TestCaseResult[]
}

/** The body of a custom-input run's PATCH. */
export interface RunVerdict {
  readonly status: Status
  readonly stdout: string
  readonly stderr: string
  /** Wall-clock seconds. */
  readonly runtime: number
}

export function makeVerdictWithoutTests(
  status: 'COMPILE_TIME_ERROR' | 'INTERNAL_ERROR',
  stderr: string,
): Verdict {
  return { status, stdout: '', stderr, time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
}

/** A verdict without outputs, for a service that refuses the complete verdict as too large. */
export function stripVerdict(verdict: Verdict): Verdict {
  return { ...verdict, stdout: '', stderr: '[too large to be stored]', test_case_results: [] }
}

/** The first `limitBytes` of an output as text, without half a character at the end. */
export function readText(output: Buffer, limitBytes: number): string {
  if (output.length <= limitBytes) return output.toString('utf8')
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return `${decoder.decode(output.subarray(0, limitBytes), { stream: true })}\n[cut]`
}

/** Like `readText`, but returns empty texts after `totalBytes` in total. */
export function createTextBudget(totalBytes: number): (output: Buffer, limitBytes: number) => string {
  let left = totalBytes
  return (output, limitBytes) => {
    const size = Math.min(output.length, limitBytes)
    if (size > left) return ''
    left -= size
    return readText(output, limitBytes)
  }
}

/** Seconds, to the millisecond. */
export function toSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}
