import type { Schemas } from '@judge-data-layer/client'

/** The capabilities of this worker (D41). */
export const CAPABILITIES =
  'validation/1, case-flags/1, test-groups/1, limits/1, verification/1, program-files/1'

type ProblemTests = Schemas['ProblemTests']

/** How a problem's submissions are judged. Without options: by the default comparison (D41). */
export interface JudgingOptions {
  readonly validation?: ProblemTests['validation']
  readonly test_groups?: readonly TestGroup[] | undefined
  readonly run?: ProblemTests['run']
  readonly limits?: ProblemTests['limits']
}

export type Validation = Schemas['Validation']
export type JudgingLimits = Schemas['JudgingLimits']
/** A program of the problem that validates. */
export type ValidatorProgram = Pick<Validation, 'files' | 'language' | 'build' | 'run'>

/** A group has either test cases or groups. */
export interface TestGroup extends Omit<Schemas['TestGroup'], 'groups'> {
  readonly groups?: readonly TestGroup[]
}

/** The options of a problem. */
export function pickOptions(tests: Pick<ProblemTests, keyof JudgingOptions>): JudgingOptions {
  const { validation, run, limits } = tests
  // The generated type ends at the deepest level.
  const test_groups = tests.test_groups as readonly TestGroup[] | undefined
  return { validation, test_groups, run, limits }
}
