import type { Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { type Chain, findSetting, type Setting, settingError, warnOfSetting } from './test-settings.ts'
import { type DirectoryNode, directoriesIn, withInner } from './test-tree.ts'
import { wordsOf } from './validator-arguments.ts'

/** The words of `grader_flags`. Of several modes, the last one counts. */
export interface GraderFlags {
  readonly score: 'sum' | 'avg' | 'min' | 'max'
  readonly verdict: 'worst_error' | 'first_error' | 'always_accept'
  readonly ignoreSample: boolean
  readonly acceptAny: boolean
  readonly unknown: readonly string[]
}

const SCORES = ['sum', 'avg', 'min', 'max'] as const
const VERDICTS = ['worst_error', 'first_error', 'always_accept'] as const
const ACCEPT_ANY = 'accept_if_any_accepted'
const SWITCHES = ['ignore_sample', ACCEPT_ANY]

/** Parses `grader_flags`. */
export function parseGraderFlags(text: string): GraderFlags {
  const words = wordsOf(text)
  const known: readonly string[] = [...SCORES, ...VERDICTS, ...SWITCHES]
  return {
    score: words.flatMap((word) => SCORES.find((mode) => mode === word) ?? []).at(-1) ?? 'sum',
    verdict: words.flatMap((word) => VERDICTS.find((mode) => mode === word) ?? []).at(-1) ?? 'worst_error',
    ignoreSample: words.includes('ignore_sample'),
    acceptAny: words.includes(ACCEPT_ANY),
    unknown: words.filter((word) => !known.includes(word)),
  }
}

/** Checks all `testdata.yaml` for settings that cannot be expressed. Throws `PackageError`. */
export function checkLegacySettings(
  root: DirectoryNode,
  metadata: PackageMetadata,
  warnings: Warnings,
): void {
  const isScoring = metadata.type.includes('scoring')
  const check = (directory: DirectoryNode, above: Chain): void => {
    const chain = [directory.own, ...above]
    checkFile([directory.own], directory === root, isScoring, warnings)
    if (isScoring) checkReject(chain, warnings)
    for (const inner of directoriesIn(directory)) check(inner, chain)
  }
  check(root, [])
}

/** A group with the minimum ends with its first failed test case; other groups never end early. */
function checkReject(chain: Chain, warnings: Warnings): void {
  const setting = findSetting(chain.slice(0, 1), 'on_reject')
  const isMin = parseGraderFlags(findSetting(chain, 'grader_flags')?.value ?? '').score === 'min'
  if (setting?.value === 'continue' && isMin)
    warnOfSetting(setting, warnings, 'continue is ignored: a failed test case ends a group with min')
  if (setting?.value === 'break' && !isMin)
    warnOfSetting(setting, warnings, 'break is ignored: only groups with min end with a failed test case')
}

function checkFile(own: Chain, isRoot: boolean, isScoring: boolean, warnings: Warnings): void {
  const grading = findSetting(own, 'grading')
  if (grading?.value === 'custom') throw settingError(grading, 'must be default: graders are not run')
  const reject = findSetting(own, 'reject_score')
  if (isScoring && reject && reject.value !== 0)
    throw settingError(reject, 'must be 0: a failed test case has no points')
  if (!isScoring)
    for (const key of ['accept_score', 'reject_score', 'range'] as const)
      warnOfSetting(findSetting(own, key), warnings, 'is ignored: the problem is not of type scoring')
  const setting = findSetting(own, 'grader_flags')
  if (setting) checkGraderFlags(setting, isRoot, isScoring, warnings)
}

function checkGraderFlags(
  setting: Setting<'grader_flags'>,
  isRoot: boolean,
  isScoring: boolean,
  warnings: Warnings,
): void {
  const flags = parseGraderFlags(setting.value)
  const refused = flags.verdict === 'always_accept' ? flags.verdict : flags.acceptAny && ACCEPT_ANY
  if (!isScoring && refused)
    throw settingError(setting, `must not have ${refused}: a failed test case rejects a submission`)
  if (flags.ignoreSample && !isRoot)
    warnOfSetting(setting, warnings, 'ignores ignore_sample, which is only for data/testdata.yaml')
  if (flags.ignoreSample && isRoot && !isScoring)
    warnOfSetting(setting, warnings, 'ignores ignore_sample: samples must be right for ACCEPTED')
  for (const word of flags.unknown) warnOfSetting(setting, warnings, `ignores the unknown ${word}`)
}

/** `all` for a pass-fail problem that goes on after a failed test case of `secret`. */
export function readRun(
  root: DirectoryNode,
  metadata: PackageMetadata,
  warnings: Warnings,
): 'all' | undefined {
  if (metadata.type.includes('scoring')) return undefined
  const secret = directoriesIn(root).find(({ base }) => base === 'secret')
  const chosen = findSetting([secret?.own, root.own], 'on_reject')?.value ?? 'break'
  for (const { own } of withInner(root)) {
    const setting = findSetting([own], 'on_reject')
    const message = `${setting?.value} is ignored: the whole problem has ${chosen}, as data/secret`
    if (setting?.value !== chosen) warnOfSetting(setting, warnings, message)
  }
  return chosen === 'continue' ? 'all' : undefined
}
