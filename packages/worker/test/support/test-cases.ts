import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { type JudgeTools, judgeSubmission } from '../../src/judging/judge.ts'
import type { Task } from '../../src/programs/program.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { JudgingOptions } from '../../src/service/judging-options.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/worker-settings.ts'
import type { TestCase, TestSet } from '../../src/tests/test-set.ts'
import { ValidatorStore } from '../../src/validation/validator-store.ts'
import { defaultLanguages } from './default-languages.ts'

const folder = await makeTemporaryFolder()

/** A test case with files, which are deleted after the file's tests. A set has its number. */
export function makeTestCase(input: string, expectedOutput: string, hidden = false): TestCase {
  const id = randomUUID()
  const [inputFile, answerFile] = [join(folder, `${id}.in`), join(folder, `${id}.ans`)]
  writeFileSync(inputFile, input)
  writeFileSync(answerFile, expectedOutput)
  const sizes = { inputBytes: Buffer.byteLength(input), answerBytes: Buffer.byteLength(expectedOutput) }
  return { id, number: 1, hidden, inputFile, answerFile, ...sizes }
}

/** The test set of a problem. */
export function makeTestSet(testCases: readonly TestCase[], options: JudgingOptions = {}): TestSet {
  return {
    size: testCases.length,
    options,
    async read(number) {
      const found = testCases[number - 1]
      if (!found) throw new Error(`there is no test case ${number}`)
      return { ...found, number }
    },
  }
}

/** What judging in this sandbox needs, with its own folders. `now` is the clock of compilations. */
export function makeJudgeTools(sandbox: Sandbox, now?: () => number): JudgeTools {
  const signal = new AbortController().signal
  const { compile } = DEFAULT_SETTINGS
  const validators = mkdtempSync(join(folder, 'validators-'))
  return {
    validators: new ValidatorStore({
      ...{ folder: validators, sandbox, languages: defaultLanguages, compile, signal, logger: silentLogger },
      ...(now && { now }),
    }),
    makeOutputPath: () => join(folder, randomUUID()),
  }
}

/** Judges a program on test cases with the options of a problem. */
export function judgeOnTests(task: Task, testCases: readonly TestCase[], options: JudgingOptions = {}) {
  return judgeSubmission(task, makeTestSet(testCases, options), makeJudgeTools(task.sandbox))
}
