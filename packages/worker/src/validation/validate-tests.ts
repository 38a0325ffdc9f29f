import { join } from 'node:path'
import type { Schemas } from '@judge-data-layer/client'
import { describeEnd, runInTime } from '../programs/program.ts'
import { CommandFailure, type RunCommand, type RunRequest, type RunResult } from '../sandbox/sandbox.ts'
import { readText } from '../shared/cut-text.ts'
import type { TestCase, TestSet } from '../tests/test-set.ts'
import { type CaseResult, makeCaseResult } from '../verdicts/case-result.ts'
import { makeJudgeFault, type Verdict, VerdictBuilder } from '../verdicts/verdict.ts'
import { JudgeError } from './judge-error.ts'
import { withValidatorProgram } from './validator.ts'
import { limitValidatorOutput, OWN_NAMES } from './validator-program.ts'
import type { ValidatorStore } from './validator-store.ts'

export interface TestsValidation {
  readonly validator: Schemas['TestCaseValidator']
  readonly validators: ValidatorStore
  readonly signal?: AbortSignal | undefined
}

const { input: INPUT } = OWN_NAMES
const ACCEPTS = 42
const MESSAGE_BYTES = 64 * 1024
const NOTHING = Buffer.alloc(0)

/**
 * Runs an input or answer validator on the test cases, up to the first one where it exceeds a
 * limit. A rejected test case is a WRONG_ANSWER. Throws like `judgeSubmission`.
 */
export async function validateTests(
  { validator, validators, signal }: TestsValidation,
  tests: TestSet,
): Promise<Verdict> {
  const { limits } = tests.options
  const outputBytes = limitValidatorOutput(limits)
  try {
    return await validators.withValidator(validator, limits, (stored) =>
      withValidatorProgram(stored, async (makeCommand, folder) => {
        const { task } = stored
        const inputPath = join(task.sandbox.innerPath(folder), INPUT)
        const verdict = new VerdictBuilder()
        for (let number = 1; number <= tests.size; number += 1) {
          const testCase = await tests.read(number)
          const request = makeRequest(validator, makeCommand(outputBytes), testCase, inputPath)
          const result = describeRun(testCase, await runInTime(task, { ...request, signal }))
          verdict.add(result)
          if (result.status === 'INTERNAL_ERROR') break
        }
        return verdict.finish()
      }),
    )
  } catch (err) {
    if (err instanceof JudgeError) return makeJudgeFault(err.message)
    if (err instanceof CommandFailure) return makeJudgeFault(`the validator cannot run: ${err.message}`)
    throw err
  }
}

/** `inputPath` is the path of the input inside the sandbox, for the validator of an answer. */
function makeRequest(
  validator: Schemas['TestCaseValidator'],
  command: RunCommand,
  { id, inputFile, answerFile }: TestCase,
  inputPath: string,
): RunRequest {
  const words = validator.arguments[id] ?? []
  if (validator.type === 'input')
    return { ...command, argv: [...command.argv, ...words], stdin: { file: inputFile } }
  const argv: RunCommand['argv'] = [...command.argv, inputPath, ...words]
  return { ...command, argv, files: { [INPUT]: inputFile }, stdin: { file: answerFile } }
}

/** The exit code decides. What the validator printed is the message about a rejected test case. */
function describeRun(testCase: TestCase, run: RunResult): CaseResult {
  const result = makeCaseResult(testCase, { ...run, stdout: NOTHING, stderr: NOTHING }, 'ACCEPTED')
  if (run.exceeded) {
    const judgeMessage = `the validator failed: it exceeded its ${run.exceeded} limit`
    return { ...result, status: 'INTERNAL_ERROR', judgeMessage }
  }
  if (run.exitCode === ACCEPTS) return result
  const printed = [run.stderr, run.stdout].map((output) => readText(output, MESSAGE_BYTES).trim())
  const judgeMessage = [...printed, `[${describeEnd(run)}]`].filter(Boolean).join('\n')
  return { ...result, status: 'WRONG_ANSWER', judgeMessage }
}
