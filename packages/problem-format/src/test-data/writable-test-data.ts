import type { TestGroup } from '../package/judging-options.ts'
import type { InputFlags } from './validator-arguments.ts'

/** A test case to be written. */
export interface WritableTest {
  /** The name that it had in a package, such as `secret/01`. */
  readonly name: string | null
  readonly hidden: boolean
  readonly hint?: string
  readonly description?: string
  /** Arguments of the input validators. */
  readonly inputFlags?: InputFlags
  /** Arguments of the output validator, in place of the problem's arguments. */
  readonly outputFlags?: string
}

/** Test data to be written. */
export interface WritableTestData {
  /** In judging order. */
  readonly tests: readonly WritableTest[]
  readonly groups?: readonly TestGroup[]
  /** Arguments of the output validator, separated by white space. */
  readonly flags: string
  /** Whether the files of a sample hide its input and answer; without it, none is hidden. */
  readonly staysHidden?: (name: string) => boolean
}
