import { isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import type { Rule } from './expectations.ts'
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
