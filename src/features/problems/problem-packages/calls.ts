import type { NamedLanguage } from '@judge-data-layer/languages'
import type { Static } from 'typebox'
import type { Config } from '../../../config/config.ts'
import { packageCall } from '../../../package-process/call.ts'
import type * as sql from './import-sql.ts'
import type { ImportQuery } from './schemas.ts'

/** The calls of an import, in their order. */

export interface ReadInput {
  /** The size of the archive. */
  readonly bytes: number
  readonly query: Static<typeof ImportQuery>
  readonly languages: readonly NamedLanguage[]
  readonly sizes: Config['sizes']
}

/** The short fields of the problem; the process keeps the rest. */
export interface ReadProblem {
  readonly title: string
  readonly identifier: string
  readonly accept_timeout: number
  readonly execution_timeout: number
  readonly memory_limit: number
  readonly keywords: readonly string[]
}

/** Reads and checks the whole package. Throws VALIDATION with the file and line of a fault. */
export const READ_PACKAGE = packageCall<ReadInput, ReadProblem>('readPackage')

/** Begins to store the package in a problem, perhaps again: a transaction may run twice. */
export const START_STORING = packageCall<{ readonly problem_id: number }, void>('startStoring')

/** A test case of the replaced problem, with the sums of its texts. */
export interface StoredTest {
  readonly id: string
  readonly sums: string
}

/** Names test cases of the problem that the package replaces. */
export const ADD_STORED_TESTS = packageCall<readonly StoredTest[], void>('addStoredTests')

/** At most so many rows, and so many bytes of texts and contents, are in a batch. */
export const BATCH_ROWS = 500
export const BATCH_BYTES = 512 * 1024

type Statements = (typeof sql)['batches']

type ValuesOf<S> = S extends { readonly types?: { readonly values: infer V } } ? Omit<V, 'problem_id'> : never

/** The name of a statement in `batches`, and its values without the id of the problem. */
export type Batch = {
  [Name in keyof Statements]: readonly [name: Name, values: ValuesOf<Statements[Name]>]
}[keyof Statements]

/** The next rows to store; undefined after the last ones. */
export const NEXT_BATCH = packageCall<void, Batch | undefined>('nextBatch')

/** The JSON text of the response; `same_uuid` is another problem with the uuid of the package. */
export const DESCRIBE_IMPORT = packageCall<
  { readonly problem_id: number; readonly same_uuid: number | undefined },
  string
>('describeImport')
