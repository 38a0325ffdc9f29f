/** A test case with its texts on disk, in a folder that only the worker can enter. */
export interface TestCase {
  readonly id: string
  readonly hidden: boolean
  readonly inputFile: string
  /** The expected output, or what the problem's validator needs. */
  readonly answerFile: string
  readonly inputBytes: number
  readonly answerBytes: number
}
