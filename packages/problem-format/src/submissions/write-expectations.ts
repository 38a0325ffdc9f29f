import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import { type FolderMeaning, findFolderMeaning } from './default-expectations.ts'
import { ALL_VERDICTS } from './submissions-yaml.ts'

/** Points have two decimals. */
const LEAST_POINTS = 0.01

/**
 * The text of `submissions.yaml` with what the folders of programs mean in a legacy package;
 * undefined if they mean the same in 2025-09. `maxScore` is the sum of the problem's points.
 */
export function writeLegacyExpectations(
  folders: readonly string[],
  metadata: PackageMetadata,
  maxScore: number | undefined,
): string | undefined {
  if (!isLegacy(metadata)) return undefined
  const newest: PackageMetadata = { ...metadata, format: '2025-09' }
  const entries = [...new Set(folders)].sort().flatMap((folder) => {
    const meaning = findFolderMeaning(folder, metadata)
    if (meaning === undefined || isDeepStrictEqual(meaning, findFolderMeaning(folder, newest))) return []
    const entry = writeMeaning(meaning, maxScore)
    return entry === undefined ? [] : [[folder, entry] as const]
  })
  return entries.length === 0
    ? undefined
    : stringify(Object.fromEntries(entries), { aliasDuplicateObjects: false })
}

/** All of its keys, because those that are missing have the meaning of 2025-09. */
function writeMeaning({ expectation, rule }: FolderMeaning, maxScore: number | undefined) {
  if (rule?.hasPartialScore)
    return maxScore === undefined
      ? undefined
      : { score: [LEAST_POINTS, Math.max(LEAST_POINTS, maxScore - LEAST_POINTS)] }
  return { permitted: ALL_VERDICTS, required: ALL_VERDICTS, ...expectation }
}
