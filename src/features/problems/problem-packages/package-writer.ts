import type { PackageFile } from '@judge-data-layer/problem-format/package-files'
import { writePackage } from '@judge-data-layer/problem-format/write-package'
import {
  answerCall,
  openStoredFile,
  type PackageFunction,
  type ProcessContext,
} from '../../../package-process/serve-calls.ts'
import { type ContentOf, type FileToWrite, type StoredProblem, WRITE_PACKAGE } from './export-calls.ts'

/** The function of an export. */
export const exportFunctions = (context: ProcessContext): PackageFunction[] => [
  answerCall(WRITE_PACKAGE, (problem) => describeFiles(context, problem)),
]

/** Files keep their function `read` when they are moved: it tells where their content is. */
type Origins = Map<PackageFile['read'], ContentOf>

async function describeFiles(context: ProcessContext, { tests, files, ...problem }: StoredProblem) {
  const origins: Origins = new Map()
  const from = <F extends Pick<PackageFile, 'read'>>(file: F, content: ContentOf): F => {
    origins.set(file.read, content)
    return file
  }
  const written = await writePackage({
    ...problem,
    tests: tests.map((test) => ({
      ...test,
      input: from({ bytes: test.input_bytes, read: readNothing() }, { test, is_input: true }),
      answer: from({ bytes: test.answer_bytes, read: readNothing() }, { test, is_input: false }),
    })),
    files: files.map((file) => from(openStoredFile(context, file), { file })),
  })
  const described: FileToWrite[] = []
  for (const { path, bytes, read } of written.values())
    described.push({ path, bytes, content: origins.get(read) ?? { text: await read() } })
  return described
}

/** The texts of test cases are not needed to describe a problem. */
const readNothing = () => async (): Promise<Buffer> => {
  throw new Error('texts of test cases are not read')
}
