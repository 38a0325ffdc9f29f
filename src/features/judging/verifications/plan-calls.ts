import type { PackageFiles } from '@judge-data-layer/problem-format/package-files'
import { packageCall } from '../../../package-process/call.ts'
import type { StoredSource } from './sql.ts'

/** A problem with the opened files of its package. */
export interface PlanSource extends Omit<StoredSource, 'files'> {
  readonly files: PackageFiles
}

/** The texts that a verification stores, as JSON. */
export interface PlanTexts {
  readonly plan: string
  readonly judgings: string
}

/**
 * Plans a verification; undefined without programs and validators. The process reads stored files
 * by their ids. Throws VALIDATION.
 */
export const MAKE_PLAN = packageCall<StoredSource, PlanTexts | undefined>('makePlan')
