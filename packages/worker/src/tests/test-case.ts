/** A test case with its texts on disk, in a folder that only the worker can enter. */
export interface TestCase {
  readonly id: string
  /** In the order of the test cases, from 1. */
  readonly number: number
  readonly hidden: boolean
  readonly inputFile: string
  /** The expected output, or what the problem's validator needs. */
  readonly answerFile: string
  readonly inputBytes: number
  readonly answerBytes: number
}
