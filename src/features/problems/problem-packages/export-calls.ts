import type { ExportedProblem, ExportedTest } from '@judge-data-layer/problem-format/write-package'
import { packageCall } from '../../../package-process/call.ts'
import type { StoredFileName } from './file-sql.ts'

/** A test case without its texts. */
export interface StoredTest extends Omit<ExportedTest, 'input' | 'answer'> {
  readonly id: string
  readonly input_bytes: number
  readonly answer_bytes: number
}

/** A problem without the content of its files and test cases. */
export interface StoredProblem extends Omit<ExportedProblem, 'tests' | 'files'> {
  readonly tests: readonly StoredTest[]
  readonly files: readonly StoredFileName[]
}

/** The origin of a file: its own text, a stored file, or a text of a test case. */
export type ContentOf =
  | { readonly text: Buffer }
  | { readonly file: StoredFileName }
  | { readonly test: StoredTest; readonly is_input: boolean }

/** A file of an export. */
export interface FileToWrite {
  readonly path: string
  readonly bytes: number
  readonly content: ContentOf
}

/** The files of the package of a problem. The process reads stored files by their ids. */
export const WRITE_PACKAGE = packageCall<StoredProblem, readonly FileToWrite[]>('writePackage')
