/** The verdicts of the catalogues: the reason, or else the status (D23). */
export type Status = 'ACCEPTED' | 'WRONG_ANSWER' | 'PRESENTATION_ERROR' | 'INTERNAL_ERROR' | Failure
type Failure = 'RUNTIME_ERROR' | 'COMPILE_TIME_ERROR' | `${'TIME' | 'MEMORY' | 'OUTPUT'}_LIMIT_EXCEEDED`

/** A program and the verdict that it must get. */
export interface JudgedProgram {
  /** In the problem's folder; the extension names the language. */
  readonly file: string
  readonly status: Status
  /** Of a problem with groups; not compared if it is absent. */
  readonly score?: number
  /** Part of the validator's message for judges, in the last judged test case. */
  readonly judgeMessage?: string
  /** Part of the validator's message for the owner, in the last judged test case. */
  readonly teamMessage?: string
}

/** Programs with the same verdict. */
export const all = (status: Status, ...files: readonly string[]): JudgedProgram[] =>
  files.map((file) => ({ file, status }))

/** How outputs are judged. `files` are names; the test adds the contents. */
export interface JudgedValidation {
  readonly type: 'default' | 'custom' | 'interactive'
  readonly flags?: string
  readonly protocol?: 'testlib'
  /** In the problem's folder or in `testlib`. */
  readonly files?: readonly string[]
  readonly language?: string
  readonly build?: readonly string[]
  readonly run?: readonly string[]
}

interface TestGroup {
  readonly name: string
  readonly points: number
  readonly aggregation: 'sum' | 'min'
  readonly cases?: readonly number[]
  readonly groups?: readonly TestGroup[]
}

/** A problem of the end-to-end tests. */
export interface JudgedProblem {
  readonly title: string
  readonly folder: string
  readonly tests: readonly (readonly [input: string, answer: string])[]
  readonly validation?: JudgedValidation
  readonly test_groups?: readonly TestGroup[]
  readonly limits?: Readonly<Record<string, number>>
  readonly accept_timeout?: number
  readonly execution_timeout?: number
  readonly programs: readonly JudgedProgram[]
  /** Texts that nobody may find in a verdict. */
  readonly hides?: readonly string[]
}
