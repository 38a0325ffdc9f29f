import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import { isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import { ALL_VERDICTS, type Rule } from './expectations.ts'
import { findStatuses } from './expected-results.ts'
import type { Expectation } from './submissions-yaml.ts'

/** What a folder of `submissions/` says about its programs. */
export interface FolderMeaning {
  /** Keys of `submissions.yaml` for the folder replace these. */
  readonly expectation?: Expectation
  /** Other rules. */
  readonly rule?: Rule
  /** A text for the rule. */
  readonly expected?: string
}

const DEFAULTS: Readonly<Record<string, Expectation>> = {
  accepted: { permitted: ['AC'] },
  rejected: { required: ['RTE', 'TLE', 'WA'] },
  wrong_answer: { permitted: ['AC', 'WA'], required: ['WA'] },
  time_limit_exceeded: { permitted: ['AC', 'TLE'], required: ['TLE'] },
  run_time_error: { permitted: ['AC', 'RTE'], required: ['RTE'] },
  brute_force: { permitted: ['AC', 'RTE', 'TLE'], required: ['RTE', 'TLE'] },
}

/** Legacy packages: only accepted programs give a lower bound for the time limit. */
const LEGACY: Readonly<Record<string, Expectation>> = {
  ...DEFAULTS,
  wrong_answer: { permitted: ['AC', 'WA'], required: ['WA'], use_for_time_limit: false },
  time_limit_exceeded: { permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] },
  run_time_error: { required: ['RTE'] },
}

/**
 * The meaning of a folder such as `wrong_answer`: by the format, or as a result's name for DOMjudge
 * (`compiler_error`). Undefined: a folder without meaning, such as `mixed`.
 */
export function findFolderMeaning(folder: string, metadata: PackageMetadata): FolderMeaning | undefined {
  const name = folder === 'runtime_error' ? 'run_time_error' : folder
  const defaults = isLegacy(metadata) ? LEGACY : DEFAULTS
  const expectation = Object.hasOwn(defaults, name) ? defaults[name] : undefined
  if (expectation) return { expectation }
  if (name === 'partially_accepted' && isLegacy(metadata) && metadata.type.includes('scoring'))
    return { rule: { hasPartialScore: true }, expected: 'some points, but not all' }
  const statuses = findStatuses(name)
  return statuses && { rule: { statuses }, expected: statuses[0] ?? '' }
}

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
