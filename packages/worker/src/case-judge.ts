import { rm } from 'node:fs/promises'
import { type CaseContext, limitOutput } from './case-context.ts'
import { applyValidator, type CaseResult, findFailure, makeCaseResult, readFirst } from './case-result.ts'
import { type Comparison, compareOutputs } from './compare.ts'
import type { DefaultValidation } from './judging-options.ts'
import type { RunResult } from './sandbox/sandbox.ts'
import { readSmall } from './saved-file.ts'
import type { TestCase } from './test-case.ts'
import { readCaseFlags } from './validation/case-flags.ts'
import { parseFlags, type ValidatorSettings } from './validation/flags.ts'
import { interact } from './validation/interaction.ts'
import { JudgeError } from './validation/judge-error.ts'
import { validateOutput } from './validation/validate-output.ts'
import { type Validator, type ValidatorResult, withValidator } from './validation/validator.ts'
import type { Status } from './verdict.ts'

/** Runs a program on one test case. Throws `JudgeError` if the judge is at fault. */
export type CaseJudge = (testCase: TestCase) => Promise<CaseResult>

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
  switch (validation?.type) {
    case undefined:
      return use((testCase) => compareWithExpected(context, testCase))
    case 'default':
      return use(makeDefaultJudge(context, validation))
    case 'custom':
    case 'interactive': {
      const judgeWith = (validator: Validator): CaseJudge =>
        validation.type === 'custom'
          ? makeOutputJudge(context, (testCase, outputFile) => validator.check(testCase, outputFile))
          : (testCase) => interact(context, validator, testCase)
      return validators.withValidator(validation, limits, (stored) =>
        withValidator({ stored, validation, limits, signal: task.signal }, (validator) =>
          use(judgeWith(validator)),
        ),
      )
    }
    case 'unknown':
      throw new JudgeError(`this judge worker does not know the validation "${validation.name}"`)
  }
}

async function compareWithExpected(context: CaseContext, testCase: TestCase): Promise<CaseResult> {
  const { program, task, options } = context
  const outputBytes = limitOutput(options, testCase)
  const run = await program.run({ stdin: { file: testCase.inputFile }, outputBytes })
  const status = findFailure(run, task) ?? STATUS_OF_COMPARISON[await compare(run, testCase)]
  return makeCaseResult(testCase, run, status)
}

async function compare({ stdout }: RunResult, { answerFile, answerBytes }: TestCase): Promise<Comparison> {
  const answer = await readSmall({ path: answerFile, bytes: answerBytes })
  return stdout.equals(answer) ? 'same' : compareOutputs(stdout.toString('utf8'), answer.toString('utf8'))
}

function makeDefaultJudge(context: CaseContext, validation: DefaultValidation): CaseJudge {
  const settingsOf = readCaseFlags(validation, readSettings)
  return makeOutputJudge(context, async ({ number, answerFile }, outputFile) => {
    const outcome = await validateOutput({ answerFile, outputFile, settings: settingsOf(number) })
    return outcome.accepted
      ? { judgement: { kind: 'accepted' } }
      : { judgement: { kind: 'wrong' }, judgeMessage: outcome.message }
  })
}

function readSettings(flags: string): ValidatorSettings {
  const parsed = parseFlags(flags)
  if (!parsed.ok) throw new JudgeError(`the flags of the default validator are invalid: ${parsed.error}`)
  return parsed.settings
}

type OutputCheck = (testCase: TestCase, outputFile: string) => Promise<ValidatorResult>

/** Keeps the output on disk and lets `check` read it. */
function makeOutputJudge(context: CaseContext, check: OutputCheck): CaseJudge {
  const { program, task, options, makeOutputPath } = context
  return async (testCase) => {
    const outputFile = makeOutputPath()
    try {
      const outputBytes = limitOutput(options, testCase)
      const run = await program.run({ stdin: { file: testCase.inputFile }, outputBytes, outputFile })
      const result = makeCaseResult(testCase, run, 'ACCEPTED', await readFirst(outputFile))
      const failure = findFailure(run, task)
      if (failure) return { ...result, status: failure }
      return applyValidator(result, await check(testCase, outputFile))
    } finally {
      await rm(outputFile, { force: true })
    }
  }
}
