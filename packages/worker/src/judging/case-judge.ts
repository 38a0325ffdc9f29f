import { rm } from 'node:fs/promises'
import { limitOutput } from '../programs/program-limits.ts'
import type { ProgramFiles } from '../programs/runs-ahead.ts'
import type { RunResult } from '../sandbox/sandbox.ts'
import type { Validation } from '../service/judging-options.ts'
import type { ReadNextCases } from '../tests/read-ahead.ts'
import { readSmall } from '../tests/saved-file.ts'
import type { TestCase } from '../tests/test-set.ts'
import type { CaseContext } from '../validation/case-context.ts'
import { parseFlags, readCaseFlags } from '../validation/flags.ts'
import { interact } from '../validation/interaction.ts'
import { applyValidator, findProtocol, type ValidatorResult } from '../validation/protocol.ts'
import { validateOutput } from '../validation/validate-output.ts'
import { type Validator, withValidator } from '../validation/validator.ts'
import {
  type CaseResult,
  findFailure,
  makeCaseResult,
  readFirst,
  type Status,
} from '../verdicts/case-result.ts'
import { type Comparison, compareOutputs } from './compare.ts'

/**
 * Runs a program on one test case. Its sandboxes for the test cases of `readNext` may be made
 * meanwhile. Throws `JudgeError` if the judge is at fault.
 */
export type CaseJudge = (testCase: TestCase, readNext?: ReadNextCases) => Promise<CaseResult>

const STATUS_OF_COMPARISON: Record<Comparison, Status> = {
  same: 'ACCEPTED',
  presentation: 'PRESENTATION_ERROR',
  different: 'WRONG_ANSWER',
}

/**
 * Calls `use` with the judge of a problem's test cases: by comparison, or by the problem's
 * validation. Throws `JudgeError` for a validation that this worker cannot do.
 */
export async function withCaseJudge<T>(
  context: CaseContext,
  use: (judge: CaseJudge) => Promise<T>,
): Promise<T> {
  const { options, validators, task } = context
  const { validation, limits } = options
  if (!validation) return use(makeComparingJudge(context))
  if (validation.type === 'default') return use(makeDefaultJudge(context, validation))
  const protocol = findProtocol(validation)
  const judgeWith = (validator: Validator): CaseJudge =>
    validation.type === 'custom'
      ? makeOutputJudge(context, (testCase, outputFile) => validator.check(testCase, outputFile))
      : (testCase) => interact(context, validator, testCase)
  return validators.withValidator(validation, limits, (stored) =>
    withValidator({ stored, validation, protocol, limits, signal: task.signal }, (validator) =>
      use(judgeWith(validator)),
    ),
  )
}

function makeComparingJudge(context: CaseContext): CaseJudge {
  const filesOf = chooseFiles(context, () => ({}))
  return async (testCase, readNext = async () => []) => {
    const run = await context.program.run(filesOf(testCase), async () => (await readNext()).map(filesOf))
    const status = findFailure(run, context.task) ?? STATUS_OF_COMPARISON[await compare(run, testCase)]
    return makeCaseResult(testCase, run, status)
  }
}

/** The files of a run on a test case: the same object for the same test case. */
function chooseFiles<T extends object>({ options }: CaseContext, makeOutput: () => T) {
  const known = new WeakMap<TestCase, ProgramFiles & T>()
  return (testCase: TestCase) => {
    const stdin = { file: testCase.inputFile }
    const files = known.get(testCase) ?? {
      stdin,
      outputBytes: limitOutput(options, testCase),
      ...makeOutput(),
    }
    known.set(testCase, files)
    return files
  }
}

async function compare({ stdout }: RunResult, { answerFile, answerBytes }: TestCase): Promise<Comparison> {
  return compareOutputs(stdout, await readSmall({ path: answerFile, bytes: answerBytes }))
}

function makeDefaultJudge(context: CaseContext, validation: Validation): CaseJudge {
  const settingsOf = readCaseFlags(validation, parseFlags)
  return makeOutputJudge(context, async ({ number, answerFile }, outputFile) => {
    const outcome = await validateOutput({ answerFile, outputFile, settings: settingsOf(number) })
    return outcome.accepted
      ? { judgement: { kind: 'accepted' } }
      : { judgement: { kind: 'wrong' }, judgeMessage: outcome.message }
  })
}

type OutputCheck = (testCase: TestCase, outputFile: string) => Promise<ValidatorResult>

/** Keeps the output on disk and lets `check` read it. */
function makeOutputJudge(context: CaseContext, check: OutputCheck): CaseJudge {
  const { program, task, makeOutputPath } = context
  const filesOf = chooseFiles(context, () => ({ outputFile: makeOutputPath() }))
  return async (testCase, readNext = async () => []) => {
    const files = filesOf(testCase)
    const { outputFile } = files
    try {
      const run = await program.run(files, async () => (await readNext()).map(filesOf))
      const result = makeCaseResult(testCase, run, 'ACCEPTED', await readFirst(outputFile))
      const failure = findFailure(run, task)
      if (failure) return { ...result, status: failure }
      return applyValidator(result, await check(testCase, outputFile))
    } finally {
      await rm(outputFile, { force: true })
    }
  }
}
