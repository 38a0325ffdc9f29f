import {
  filesIn,
  OUTPUT_VALIDATOR_FOLDERS,
  type PackageFiles,
  type Warnings,
} from '../package/package-files.ts'
import { findSetting, type SettingsFile, warnOfSetting } from './test-settings.ts'
import { type DirectoryNode, withInner } from './test-tree.ts'

const INPUT_VALIDATOR_FOLDERS = ['input_validators', 'input_format_validators']

/**
 * Reads the names of validators in `testdata.yaml`. `output_validator_flags` as a text is a name;
 * as other judges do, it is read as arguments if no validator has this name. Warns about names that
 * no validator has.
 */
export function readValidatorNames(root: DirectoryNode, files: PackageFiles, warnings: Warnings): void {
  const input = namesIn(files, INPUT_VALIDATOR_FOLDERS)
  const output = namesIn(files, OUTPUT_VALIDATOR_FOLDERS)
  for (const directory of withInner(root)) {
    if (directory.own === undefined) continue
    warnOfUnknown(directory.own, 'input_validator_flags', input, warnings)
    warnOfUnknown(directory.own, 'output_validator_flags', output, warnings)
    directory.own = withOutputName(directory.own, output, warnings)
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
  warnings: Warnings,
): void {
  const setting = findSetting([file], key)
  if (setting === undefined || typeof setting.value === 'string') return
  const { name } = setting.value
  if (name !== undefined && !known.has(name))
    warnOfSetting(setting, warnings, `names ${name}, but there is no such validator`)
}

/** The settings with a text that is the name of an output validator as this name. */
function withOutputName(file: SettingsFile, known: ReadonlySet<string>, warnings: Warnings): SettingsFile {
  const setting = findSetting([file], 'output_validator_flags')
  if (typeof setting?.value !== 'string' || known.size === 0) return file
  const name = setting.value.trim()
  if (known.has(name)) return { ...file, values: { ...file.values, output_validator_flags: { name } } }
  if (name !== '') warnOfSetting(setting, warnings, 'is read as arguments: no output validator has this name')
  return file
}
