import { type Comparison, compareOutputs } from './compare.ts'
import {
  CompileError,
  describeEnd,
  LanguageNotInstalled,
  type Program,
  type Task,
  withProgram,
} from './program.ts'
import type { ExceededLimit, RunResult } from './sandbox/sandbox.ts'
import {
  createTextBudget,
  makeVerdictWithoutTests,
  type RunVerdict,
  readText,
  type Status,
  type TestCaseResult,
  toSeconds,
  type Verdict,
} from './verdict.ts'
import { MIB } from './worker-settings.ts'

export interface TestCase {
  readonly id: string
  readonly input: string
  readonly expectedOutput: string
  readonly hidden: boolean
}

/** Test cases in the order of their runs. */
type TestCases = Iterable<TestCase> | AsyncIterable<TestCase>

interface TestRun {
  /** Without its texts, which may be too large to keep in memory. */
  readonly testCase: Pick<TestCase, 'id' | 'hidden'>
  readonly result: RunResult
  readonly status: Status
}

const OUTPUT_BYTES = 16 * 2 ** 20
const SHOWN_BYTES = 64 * 1024
const SHOWN_RUN_BYTES = 2 ** 20
// A character can take six bytes in JSON, and the service accepts 32 MiB.
const ALL_RESULTS_BYTES = 4 * 2 ** 20
const WITHHELD = '[the output of hidden tests is not shown]'

const STATUS_OF_LIMIT: Record<ExceededLimit, Status> = {
  time: 'TIME_LIMIT_EXCEEDED',
  memory: 'MEMORY_LIMIT_EXCEEDED',
  output: 'OUTPUT_LIMIT_EXCEEDED',
}
const STATUS_OF_COMPARISON: Record<Comparison, Status> = {
  same: 'ACCEPTED',
  presentation: 'PRESENTATION_ERROR',
  different: 'WRONG_ANSWER',
}

/**
 * Compiles a program and runs it on the test cases up to the first failure. Throws
 * `SandboxFailure`, the reason of the task's signal, or an error of reading a test case.
 */
export async function judgeSubmission(task: Task, testCases: TestCases): Promise<Verdict> {
  try {
    const runs = await withProgram(task, (program) => runTests(program, task, testCases))
    return makeVerdict(runs)
  } catch (err) {
    if (err instanceof CompileError) return makeVerdictWithoutTests('COMPILE_TIME_ERROR', err.message)
    if (err instanceof LanguageNotInstalled) return makeVerdictWithoutTests('INTERNAL_ERROR', err.message)
    throw err
  }
}

/** Compiles a program and runs it once on its author's input. Throws like `judgeSubmission`. */
export async function judgeRun(task: Task, stdin: string): Promise<RunVerdict> {
  try {
    const result = await withProgram(task, (program) => program(stdin, OUTPUT_BYTES))
    const status = findFailure(result, task) ?? 'ACCEPTED'
    const stderr = explain(status, result, readText(result.stderr, SHOWN_RUN_BYTES))
    return {
      status,
      stdout: readText(result.stdout, SHOWN_RUN_BYTES),
      stderr,
      runtime: toSeconds(result.wallMs),
    }
  } catch (err) {
    if (err instanceof CompileError)
      return { status: 'COMPILE_TIME_ERROR', stdout: '', stderr: err.message, runtime: 0 }
    if (err instanceof LanguageNotInstalled)
      return { status: 'INTERNAL_ERROR', stdout: '', stderr: err.message, runtime: 0 }
    throw err
  }
}

async function runTests(program: Program, task: Task, testCases: TestCases): Promise<TestRun[]> {
  const runs: TestRun[] = []
  for await (const testCase of testCases) {
    const outputBytes = Math.max(OUTPUT_BYTES, 2 * Buffer.byteLength(testCase.expectedOutput))
    const result = await program(testCase.input, outputBytes)
    const status = findFailure(result, task) ?? compareWithExpected(result, testCase)
    const { id, hidden } = testCase
    runs.push({ testCase: { id, hidden }, result, status })
    if (status !== 'ACCEPTED') break
  }
  return runs
}

function findFailure(result: RunResult, task: Task): Status | undefined {
  if (result.exceeded) return STATUS_OF_LIMIT[result.exceeded]
  if (result.exitCode === 0) return undefined
  return hasRunOutOfMemory(result, task) ? 'MEMORY_LIMIT_EXCEEDED' : 'RUNTIME_ERROR'
}

/** A runtime reports its end in a text. Any program can print that: the kernel must confirm it. */
function hasRunOutOfMemory({ stderr, peakMemoryBytes, kernelSignal }: RunResult, task: Task): boolean {
  const { outOfMemoryText } = task.language
  if (outOfMemoryText === undefined || !stderr.includes(outOfMemoryText)) return false
  return kernelSignal === 'SIGABRT' || peakMemoryBytes >= task.limits.memoryMib * MIB
}

function compareWithExpected(result: RunResult, testCase: TestCase): Status {
  return STATUS_OF_COMPARISON[compareOutputs(result.stdout.toString('utf8'), testCase.expectedOutput)]
}

function makeVerdict(runs: readonly TestRun[]): Verdict {
  const cut = createTextBudget(ALL_RESULTS_BYTES)
  const last = runs.at(-1)
  const failed = last && last.status !== 'ACCEPTED' ? last : undefined
  return {
    status: last?.status ?? 'ACCEPTED',
    ...(last ? showOutput(last, readText) : { stdout: '', stderr: '' }),
    time_elapsed: toSeconds(Math.max(0, ...runs.map((run) => run.result.cpuMs))),
    failed_test_case_id: failed?.testCase.id ?? null,
    test_case_results: runs.map((run) => makeTestCaseResult(run, cut)),
  }
}

function makeTestCaseResult(run: TestRun, cut: typeof readText): TestCaseResult {
  return { test_case_id: run.testCase.id, ...showOutput(run, cut), passed: run.status === 'ACCEPTED' }
}

/** A program can print its input: the output of a hidden test would reveal the test. */
function showOutput(
  { testCase, result, status }: TestRun,
  cut: typeof readText,
): { stdout: string; stderr: string } {
  if (testCase.hidden) return { stdout: '', stderr: status === 'ACCEPTED' ? '' : WITHHELD }
  return {
    stdout: cut(result.stdout, SHOWN_BYTES),
    stderr: explain(status, result, cut(result.stderr, SHOWN_BYTES)),
  }
}

function explain(status: Status, result: RunResult, stderr: string): string {
  return status === 'RUNTIME_ERROR' ? `${stderr}\n[${describeEnd(result)}]`.trimStart() : stderr
}
