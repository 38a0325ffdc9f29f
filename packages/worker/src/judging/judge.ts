import { findLanguage, type Language } from '@judge-data-layer/languages'
import {
  CompileError,
  describeEnd,
  LanguageNotInstalled,
  type Task,
  withProgram,
} from '../programs/program.ts'
import { multiplyTime } from '../programs/program-limits.ts'
import type { JudgingLimits } from '../service/judging-options.ts'
import { readText } from '../shared/cut-text.ts'
import { readAhead } from '../tests/read-ahead.ts'
import type { TestSet } from '../tests/test-set.ts'
import type { CaseContext } from '../validation/case-context.ts'
import { JudgeError } from '../validation/judge-error.ts'
import { makeCompileLimits } from '../validation/validator-program.ts'
import { type CaseResult, findFailure } from '../verdicts/case-result.ts'
import {
  explain,
  makeJudgeFault,
  makeRunFault,
  makeVerdictWithoutTests,
  type RunVerdict,
  toSeconds,
  type Verdict,
  VerdictBuilder,
} from '../verdicts/verdict.ts'
import { type CaseJudge, withCaseJudge } from './case-judge.ts'
import { judgeGroups } from './judge-groups.ts'

/** What judging needs beside the program and the tests. */
export type JudgeTools = Pick<CaseContext, 'validators' | 'makeOutputPath'>

const RUN_OUTPUT_BYTES = 16 * 2 ** 20
const SHOWN_RUN_BYTES = 2 ** 20

/**
 * Compiles a program and judges it on the test cases. Throws `SandboxFailure`, the reason of the
 * task's signal, or an error of reading a test case.
 */
export async function judgeSubmission(task: Task, tests: TestSet, tools: JudgeTools): Promise<Verdict> {
  const { options } = tests
  const limited = {
    ...task,
    limits: multiplyTime(task.limits, findMultiplier(task.language, options.limits)),
    compileLimits: makeCompileLimits(options.limits),
  }
  try {
    return await withProgram(limited, (program) =>
      withCaseJudge({ ...tools, task: limited, program, options }, (judge) => judgeTests(judge, tests)),
    )
  } catch (err) {
    if (err instanceof CompileError) return makeVerdictWithoutTests('COMPILE_TIME_ERROR', err.message)
    if (err instanceof LanguageNotInstalled) return makeVerdictWithoutTests('INTERNAL_ERROR', err.message)
    if (err instanceof JudgeError) return makeJudgeFault(err.message)
    throw err
  }
}

/** Compiles a program and runs it once on its author's input. Throws like `judgeSubmission`. */
export async function judgeRun(task: Task, stdin: string): Promise<RunVerdict> {
  try {
    const result = await withProgram(task, ({ run }) => run({ stdin, outputBytes: RUN_OUTPUT_BYTES }))
    const status = findFailure(result, task) ?? 'ACCEPTED'
    const stderr = explain(status, describeEnd(result), readText(result.stderr, SHOWN_RUN_BYTES))
    return {
      status,
      stdout: readText(result.stdout, SHOWN_RUN_BYTES),
      stderr,
      runtime: toSeconds(result.wallMs),
    }
  } catch (err) {
    if (err instanceof CompileError) return makeRunFault('COMPILE_TIME_ERROR', err.message)
    if (err instanceof LanguageNotInstalled) return makeRunFault('INTERNAL_ERROR', err.message)
    throw err
  }
}

/** The factor for a language's time limits: of the problem, else of the language file. */
function findMultiplier(language: Language, limits: JudgingLimits | undefined): number {
  const factors = Object.entries(limits?.time_multipliers ?? {})
  const own = factors.find(([name]) => findLanguage([language], name) !== undefined)
  return own?.[1] ?? language.timeMultiplier
}

async function judgeTests(judge: CaseJudge, tests: TestSet): Promise<Verdict> {
  const { test_groups, run } = tests.options
  if (test_groups) return judgeGroups(judge, tests)
  const verdict = new VerdictBuilder()
  const read = readAhead(tests)
  for (let number = 1; number <= tests.size; number += 1) {
    const { testCase, readNext } = await read(number)
    const result = refuseScore(await judge(testCase, readNext))
    verdict.add(result)
    if (result.status === 'INTERNAL_ERROR' || (result.status !== 'ACCEPTED' && run !== 'all')) break
  }
  return verdict.finish()
}

/** A validator may write a score only if the problem has groups. */
function refuseScore(result: CaseResult): CaseResult {
  if (!result.score) return result
  const judgeMessage = 'the validator wrote a score, but the problem has no test_groups'
  return { ...result, status: 'INTERNAL_ERROR', judgeMessage }
}
