import type { Program, Task } from '../programs/program.ts'
import type { JudgingOptions } from '../service/judging-options.ts'
import type { ValidatorStore } from './validator-store.ts'

/** What judging a test case needs. */
export interface CaseContext {
  readonly task: Task
  readonly program: Program
  readonly options: JudgingOptions
  readonly validators: ValidatorStore
  /** A new path for outputs in a folder that only the worker can enter. */
  readonly makeOutputPath: () => string
}
