import { filesIn, OUTPUT_VALIDATOR_FOLDERS, type PackageFiles } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { faultOfPart } from '../package/yaml-part.ts'
import { type Chain, findSetting, type Setting, type SettingsFile, warnOfSetting } from './test-settings.ts'
import { type DirectoryNode, directoriesIn, withInner } from './test-tree.ts'
import { wordsOf } from './validator-arguments.ts'

const SCORES = ['sum', 'avg', 'min', 'max'] as const
const VERDICTS = ['worst_error', 'first_error', 'always_accept'] as const
const ACCEPT_ANY = 'accept_if_any_accepted'
const SWITCHES = ['ignore_sample', ACCEPT_ANY]

/** Parses the words of `grader_flags`. Of several modes, the last one counts. */
export function parseGraderFlags(text: string) {
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
export function checkLegacySettings(root: DirectoryNode, metadata: PackageMetadata): void {
  const isScoring = metadata.type.includes('scoring')
  const check = (directory: DirectoryNode, above: Chain): void => {
    const chain = [directory.own, ...above]
    checkFile([directory.own], directory === root, isScoring)
    if (isScoring) checkReject(chain)
    for (const inner of directoriesIn(directory)) check(inner, chain)
  }
  check(root, [])
}

/** A group with the minimum ends with its first failed test case; other groups never end early. */
function checkReject(chain: Chain): void {
  const setting = findSetting(chain.slice(0, 1), 'on_reject')
  const isMin = parseGraderFlags(findSetting(chain, 'grader_flags')?.value ?? '').score === 'min'
  if (setting?.value === 'continue' && isMin)
    warnOfSetting(setting, 'continue is ignored: a failed test case ends a group with min')
  if (setting?.value === 'break' && !isMin)
    warnOfSetting(setting, 'break is ignored: only groups with min end with a failed test case')
}

function checkFile(own: Chain, isRoot: boolean, isScoring: boolean): void {
  const grading = findSetting(own, 'grading')
  if (grading?.value === 'custom') throw faultOfPart(grading, 'must be default: graders are not run')
  const reject = findSetting(own, 'reject_score')
  if (isScoring && reject && reject.value !== 0)
    throw faultOfPart(reject, 'must be 0: a failed test case has no points')
  if (!isScoring)
    for (const key of ['accept_score', 'reject_score', 'range'] as const)
      warnOfSetting(findSetting(own, key), 'is ignored: the problem is not of type scoring')
  const setting = findSetting(own, 'grader_flags')
  if (setting) checkGraderFlags(setting, isRoot, isScoring)
}

function checkGraderFlags(setting: Setting<'grader_flags'>, isRoot: boolean, isScoring: boolean): void {
  const flags = parseGraderFlags(setting.value)
  const refused = flags.verdict === 'always_accept' ? flags.verdict : flags.acceptAny && ACCEPT_ANY
  if (!isScoring && refused)
    throw faultOfPart(setting, `must not have ${refused}: a failed test case rejects a submission`)
  if (flags.ignoreSample && !isRoot)
    warnOfSetting(setting, 'ignores ignore_sample, which is only for data/testdata.yaml')
  if (flags.ignoreSample && isRoot && !isScoring)
    warnOfSetting(setting, 'ignores ignore_sample: samples must be right for ACCEPTED')
  for (const word of flags.unknown) warnOfSetting(setting, `ignores the unknown ${word}`)
}

/** `all` for a pass-fail problem that goes on after a failed test case of `secret`. */
export function readRun(root: DirectoryNode, metadata: PackageMetadata): 'all' | undefined {
  if (metadata.type.includes('scoring')) return undefined
  const secret = directoriesIn(root).find(({ base }) => base === 'secret')
  const chosen = findSetting([secret?.own, root.own], 'on_reject')?.value ?? 'break'
  for (const { own } of withInner(root)) {
    const setting = findSetting([own], 'on_reject')
    const message = `${setting?.value} is ignored: the whole problem has ${chosen}, as data/secret`
    if (setting?.value !== chosen) warnOfSetting(setting, message)
  }
  return chosen === 'continue' ? 'all' : undefined
}

const INPUT_VALIDATOR_FOLDERS = ['input_validators', 'input_format_validators']

/**
 * Reads the names of validators in `testdata.yaml`. `output_validator_flags` as a text is a name;
 * as other judges do, it is read as arguments if no validator has this name. Warns about names that
 * no validator has.
 */
export function readValidatorNames(root: DirectoryNode, files: PackageFiles): void {
  const input = namesIn(files, INPUT_VALIDATOR_FOLDERS)
  const output = namesIn(files, OUTPUT_VALIDATOR_FOLDERS)
  for (const directory of withInner(root)) {
    if (directory.own === undefined) continue
    warnOfUnknown(directory.own, 'input_validator_flags', input)
    warnOfUnknown(directory.own, 'output_validator_flags', output)
    directory.own = withOutputName(directory.own, output)
  }
}

/** The names of the programs in folders: with and without their extensions. */
function namesIn(files: PackageFiles, folders: readonly string[]): ReadonlySet<string> {
  const names = folders.flatMap((folder) =>
    filesIn(files, folder).map(({ path }) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''),
  )
  return new Set(names.flatMap((name) => [name, name.replace(/\.[^.]*$/, '')]))
}

function warnOfUnknown(
  file: SettingsFile,
  key: 'input_validator_flags' | 'output_validator_flags',
  known: ReadonlySet<string>,
): void {
  const setting = findSetting([file], key)
  if (setting === undefined || typeof setting.value === 'string') return
  const { name } = setting.value
  if (name !== undefined && !known.has(name))
    warnOfSetting(setting, `names ${name}, but there is no such validator`)
}

/** The settings with a text that is the name of an output validator as this name. */
function withOutputName(file: SettingsFile, known: ReadonlySet<string>): SettingsFile {
  const setting = findSetting([file], 'output_validator_flags')
  if (typeof setting?.value !== 'string' || known.size === 0) return file
  const name = setting.value.trim()
  if (known.has(name)) return { ...file, values: { ...file.values, output_validator_flags: { name } } }
  if (name !== '') warnOfSetting(setting, 'is read as arguments: no output validator has this name')
  return file
}
