import type { PackageFile, PackageFiles, Warnings } from './package/package-files.ts'
import { isLegacy, type PackageMetadata } from './package/package-problem.ts'
import { SUBMISSIONS_YAML } from './submissions/submissions-yaml.ts'
import { settingsNameOf } from './test-data/test-tree.ts'

const TEST_FOLDER = /^data\/(?:sample|secret)\//
const GROUP_SETTINGS = /\/test_group\.yaml$/
const NEW_TEST_FILE = /(?:\.yaml|\.(?:in|ans)\.(?:statement|download)|\.out)$/

/**
 * The files without those that only 2025-09 gives a meaning to: an export is of this version, and
 * they would change the problem. Warns about each of them.
 */
export function dropForeignFiles(
  files: PackageFiles,
  metadata: PackageMetadata,
  warnings: Warnings,
): PackageFiles {
  if (metadata.format === '2025-09') return files
  const isKept = ({ path }: PackageFile) => {
    const reason = explainForeign(path, metadata)
    if (reason !== undefined) warnings.add(path, `${reason}: not imported`)
    return reason === undefined
  }
  return new Map([...files].filter(([, file]) => isKept(file)))
}

function explainForeign(path: string, metadata: PackageMetadata): string | undefined {
  const settings = settingsNameOf(metadata.format)
  const isTest = TEST_FOLDER.test(path)
  if (isTest && GROUP_SETTINGS.test(path)) return `packages of this version have ${settings}`
  if (!isLegacy(metadata)) return undefined
  const isForeign = isTest && NEW_TEST_FILE.test(path) && !path.endsWith(`/${settings}`)
  return isForeign || path === SUBMISSIONS_YAML ? 'legacy packages do not have this file' : undefined
}
