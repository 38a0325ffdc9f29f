import type { JudgingOptions } from '../service/judging-options.ts'
import type { Program, Task } from '../programs/program.ts'
import type { TestCase } from '../tests/test-case.ts'
import type { ValidatorStore } from '../validation/validator-store.ts'
import { MIB } from '../shared/worker-settings.ts'

/** What judging a test case needs. */
export interface CaseContext {
  readonly task: Task
  readonly program: Program
  readonly options: JudgingOptions
  readonly validators: ValidatorStore
  /** A new path for outputs in a folder that only the worker can enter. */
  readonly makeOutputPath: () => string
}

/** The limit of outputs, unless the problem has its own or a test case expects more. */
const OUTPUT_BYTES = 16 * MIB

/** The limit of a program's output. */
export function limitOutput({ limits }: JudgingOptions, { answerBytes }: TestCase): number {
  return limits?.outputMib === undefined ? Math.max(OUTPUT_BYTES, 2 * answerBytes) : limits.outputMib * MIB
}
