import { PackageError, type PackageFile, type Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import type { TestNode } from './test-tree.ts'

/** The extensions of files that show a test case in another form. */
const DISPLAYED = ['.in.statement', '.ans.statement', '.interaction', '.out']
const DOWNLOADED = ['.in.download', '.ans.download', '.out']
const OVERRIDING = [...new Set([...DISPLAYED, ...DOWNLOADED])]

/** The files that are shown instead of the input, and those instead of the answer. */
const OF_INPUT = ['.in.statement', '.in.download', '.interaction']
const OF_ANSWER = ['.ans.statement', '.ans.download', '.out', '.interaction']

/** Whether one of these files shows a sample in another form. */
export const hasOverride = (name: string, paths: ReadonlySet<string>) =>
  OVERRIDING.some((extension) => paths.has(`data/${name}${extension}`))

/** Whether a file is a sample's own input or answer, which solvers see beside another form. */
export const isSampleText = (path: string) =>
  /^data\/sample\/.*\.(?:in|ans)$/.test(path) && !path.includes('.files/')

/**
 * Reads what solvers see of a test case: nothing of a secret one, and a sample's other files
 * instead of its input, its answer or both. If it is `hidden`, they must not see its input and
 * answer; `shown` are the files that they see instead: its other forms, and the text of both that
 * has none. Throws `PackageError` for files that exclude each other.
 */
export function readDisplay(test: TestNode, metadata: PackageMetadata, warnings: Warnings) {
  const files = OVERRIDING.flatMap((extension) => test.files.get(extension) ?? [])
  checkOverrides(test, metadata, warnings)
  if (!test.name.startsWith('sample/')) {
    for (const { path } of files)
      warnings.add(path, 'the file is stored, but not shown: solvers do not see secret test cases')
    return { hidden: true, shown: [] }
  }
  const isInteractive = metadata.type.includes('interactive')
  const isDisplayed = DISPLAYED.some((extension) => test.files.has(extension))
  if (isInteractive && !isDisplayed)
    warnings.add(
      test.input.path,
      `solvers see nothing of this sample of an interactive problem: add data/${test.name}.interaction`,
    )
  const own = isInteractive || files.length === 0 ? [] : findOwnTexts(test)
  return { hidden: isInteractive || files.length > 0, shown: [...files, ...own] }
}

/** The input, the answer, or neither: those without another form. */
function findOwnTexts({ input, answer, files }: TestNode): PackageFile[] {
  const isReplaced = (extensions: readonly string[]) => extensions.some((one) => files.has(one))
  return [...(isReplaced(OF_INPUT) ? [] : [input]), ...(isReplaced(OF_ANSWER) ? [] : [answer])]
}

/** At most one file of each of these is allowed. */
const EXCLUSIVE = [
  ['.in.statement', '.interaction'],
  ['.out', '.ans.statement'],
  ['.out', '.interaction'],
  ['.ans.statement', '.interaction'],
  ['.out', '.ans.download'],
] as const

/** 2025-09: with a file of one list, there must be one of the other list too. */
const TOGETHER = [
  [['.in.statement', '.interaction'], ['.in.download']],
  [
    ['.ans.statement', '.interaction', '.out'],
    ['.ans.download', '.out'],
  ],
] as const

function checkOverrides(test: TestNode, { format }: PackageMetadata, warnings: Warnings): void {
  for (const [one, other] of EXCLUSIVE) {
    const file = test.files.get(one)
    if (file && test.files.has(other))
      throw new PackageError(file.path, `the test case must not have data/${test.name}${other} too`)
  }
  if (format !== '2025-09') return
  for (const [displayed, downloaded] of TOGETHER) {
    requireOther(test, displayed, downloaded, warnings)
    requireOther(test, downloaded, displayed, warnings)
  }
}

function requireOther(
  test: TestNode,
  present: readonly string[],
  wanted: readonly string[],
  warnings: Warnings,
): void {
  const file = present.map((extension) => test.files.get(extension)).find((found) => found !== undefined)
  if (!file || wanted.some((extension) => test.files.has(extension))) return
  const names = wanted.map((extension) => `data/${test.name}${extension}`).join(' or ')
  // Packages of other versions have only this file; an export keeps it.
  warnings.add(file.path, `the format wants ${names} too`)
}
