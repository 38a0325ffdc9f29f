import Type, { type Static } from 'typebox'
import type { Constants } from '../package/constants.ts'
import { PackageError, type PackageFile, type Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { checkYaml, readYaml, type YamlFile, type YamlPlace } from '../package/yaml-file.ts'

const Words = Type.Array(Type.String())
const argumentFields = {
  args: Type.Optional(Words),
  input_validator_args: Type.Optional(Type.Union([Words, Type.Record(Type.String(), Words)])),
  output_validator_args: Type.Optional(Words),
  input_visualizer_args: Type.Optional(Words),
  output_visualizer_args: Type.Optional(Words),
  full_feedback: Type.Optional(Type.Boolean()),
}

/** `<test case>.yaml` */
const TestSettings = Type.Object({
  ...argumentFields,
  hint: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
})

/** `test_group.yaml` */
const GroupSettings = Type.Object({
  ...argumentFields,
  max_score: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('unbounded')])),
  score_aggregation: Type.Optional(Type.Enum(['pass-fail', 'sum', 'min'])),
  static_validation_score: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0 }), Type.Literal('pass-fail')]),
  ),
  require_pass: Type.Optional(Type.Union([Type.String(), Words])),
  static_validator_args: Type.Optional(Words),
})

const Flags = Type.Union([
  Type.String(),
  Type.Object({ name: Type.Optional(Type.String()), flags: Type.Optional(Type.String()) }),
])

/** `testdata.yaml` */
const LegacySettings = Type.Object({
  on_reject: Type.Optional(Type.Enum(['break', 'continue'])),
  grading: Type.Optional(Type.Enum(['default', 'custom'])),
  grader_flags: Type.Optional(Type.String()),
  input_validator_flags: Type.Optional(Flags),
  output_validator_flags: Type.Optional(Flags),
  accept_score: Type.Optional(Type.Number()),
  reject_score: Type.Optional(Type.Number()),
  range: Type.Optional(Type.String()),
})

/** The 2023-07 draft has arguments of both kinds. */
const DraftSettings = Type.Object({ ...LegacySettings.properties, ...argumentFields })

/** The settings of any of these files. */
export type Settings = Static<typeof TestSettings> &
  Static<typeof GroupSettings> &
  Static<typeof LegacySettings>

/** A file of settings that was read. */
export interface SettingsFile {
  readonly yaml: YamlFile
  readonly values: Settings
}

/** A setting, and where it is. */
export interface Setting<K extends keyof Settings> {
  readonly key: K
  readonly value: NonNullable<Settings[K]>
  readonly yaml: YamlFile
}

/** The settings of a test case or directory and of those around it, the nearest first. */
export type Chain = readonly (SettingsFile | undefined)[]

/** Characters of JSON. The arguments are read for each test case. */
const MOST_ARGUMENTS_LENGTH = 32 * 1024

/** Reads the settings of a directory. Throws `PackageError` for a wrong type. */
export async function readDirectorySettings(
  file: PackageFile,
  metadata: PackageMetadata,
  warnings: Warnings,
): Promise<SettingsFile> {
  return readFile(file, schemaOf(metadata), metadata, warnings)
}

/** Reads the `.yaml` of a test case. Throws `PackageError` for a wrong type. */
export async function readTestSettings(file: PackageFile, warnings: Warnings): Promise<SettingsFile> {
  return readFile(file, schemas.test, {}, warnings)
}

/** The nearest file's setting. */
export function findSetting<K extends keyof Settings>(chain: Chain, key: K): Setting<K> | undefined {
  for (const file of chain) {
    const value = file && readValue(file.values, key)
    if (file && value !== undefined) return { key, value, yaml: file.yaml }
  }
  return undefined
}

/** The fault of a setting, with its line. */
export function settingError(setting: Setting<keyof Settings>, message: string): PackageError {
  const { key, yaml } = setting
  return new PackageError(yaml.path, `${key} ${message}`, yaml.lineOf([key]))
}

/** Adds a warning about a setting, with its line. */
export function warnOfSetting(
  setting: Setting<keyof Settings> | undefined,
  warnings: Warnings,
  message: string,
): void {
  if (setting === undefined) return
  const { key, yaml } = setting
  warnings.add(yaml.path, `${key} ${message}`, yaml.lineOf([key]))
}

function readValue<K extends keyof Settings>(values: Settings, key: K): Settings[K] {
  return values[key]
}

/** A kind of file: its keys, and the check of its values. */
interface SettingsSchema {
  readonly keys: readonly string[]
  check(yaml: YamlFile): Settings
}

const schemas = {
  test: { keys: Object.keys(TestSettings.properties), check: (yaml) => checkYaml(TestSettings, yaml) },
  group: { keys: Object.keys(GroupSettings.properties), check: (yaml) => checkYaml(GroupSettings, yaml) },
  legacy: { keys: Object.keys(LegacySettings.properties), check: (yaml) => checkYaml(LegacySettings, yaml) },
  draft: { keys: Object.keys(DraftSettings.properties), check: (yaml) => checkYaml(DraftSettings, yaml) },
} satisfies Record<string, SettingsSchema>

function schemaOf({ format }: PackageMetadata): SettingsSchema {
  if (format === '2025-09') return schemas.group
  return format === '2023-07-draft' ? schemas.draft : schemas.legacy
}

async function readFile(
  file: PackageFile,
  schema: SettingsSchema,
  constants: Constants,
  warnings: Warnings,
): Promise<SettingsFile> {
  const yaml = await readYaml(file, constants)
  const values = schema.check({ ...yaml, value: withTexts(yaml, withoutNulls(yaml.value)) })
  checkArguments(yaml)
  for (const key of Object.keys(yaml.value ?? {}))
    if (!schema.keys.includes(key))
      warnings.add(file.path, `the key ${key} is unknown and ignored`, yaml.lineOf([key]))
  return { yaml, values }
}

function checkArguments(yaml: YamlFile): void {
  for (const [key, value] of Object.entries(yaml.value ?? {})) {
    const isTooLong = ARGUMENTS.test(key) && JSON.stringify(value).length > MOST_ARGUMENTS_LENGTH
    if (!isTooLong) continue
    const message = `${key} must have at most ${MOST_ARGUMENTS_LENGTH} characters as JSON`
    throw new PackageError(yaml.path, message, yaml.lineOf([key]))
  }
}

/** Arguments are texts: authors leave out the quotes of numbers, such as `1e-6`. */
function withTexts(yaml: YamlFile, value: unknown): unknown {
  const textOf = (item: unknown, place: YamlPlace): unknown => {
    if (typeof item === 'number') return yaml.sourceOf(place) ?? item
    if (Array.isArray(item)) return item.map((each, i) => textOf(each, [...place, i]))
    if (typeof item !== 'object' || item === null) return item
    return mapEntries(item, (key, each) => textOf(each, [...place, key]))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return mapEntries(value, (key, each) => (/(?:^|_)args$/.test(key) ? textOf(each, [key]) : each))
}

/** Keys of arguments, as a list or (legacy) as a text. */
const ARGUMENTS = /(?:^|_)(?:args|flags)$/

const mapEntries = (object: object, change: (key: string, value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]))

/** A key without a value is as if it were absent. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
}
