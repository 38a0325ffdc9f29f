import { MAX_PROGRAM_BYTES } from '@judge-data-layer/problem-format/judging-options'
import type { PackageFile } from '@judge-data-layer/problem-format/package-files'
import {
  answerCall,
  openStoredFile,
  type PackageFunction,
  type ProcessContext,
} from '../../../package-process/serve-calls.ts'
import { makePlan } from './make-plan.ts'
import { MAKE_PLAN } from './plan-calls.ts'

/** The function of a verification. */
export const planFunctions = (context: ProcessContext): PackageFunction[] => [
  answerCall(MAKE_PLAN, async ({ files, ...source }) => {
    const mostBytes = Math.max(source.mostSourceBytes, MAX_PROGRAM_BYTES)
    const opened = files.map((file) => openJudged(openStoredFile(context, file), mostBytes))
    const { plan, judgings } = await makePlan({
      ...source,
      files: new Map(opened.map((file) => [file.path, file])),
    })
    if (plan.programs.length === 0 && plan.validators.length === 0) return undefined
    return { plan: JSON.stringify(plan), judgings: JSON.stringify(judgings) }
  }),
]

/** The content of a file that is too large to be judged is not read. */
const openJudged = (file: PackageFile, mostBytes: number): PackageFile =>
  file.bytes <= mostBytes ? file : { ...file, read: async () => Buffer.alloc(0) }
