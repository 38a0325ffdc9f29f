import Type, { type Static } from 'typebox'
import type { PackageFile, Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { checkYaml, readYaml, type YamlFile, type YamlPlace } from '../package/yaml-file.ts'
import { faultOfPart, type YamlPart } from '../package/yaml-part.ts'

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
export interface Setting<K extends keyof Settings> extends YamlPart {
  readonly key: K
  readonly value: NonNullable<Settings[K]>
}

/** The settings of a test case or directory and of those around it, the nearest first. */
export type Chain = readonly (SettingsFile | undefined)[]

/** Characters of JSON. The arguments are read for each test case. */
const MOST_ARGUMENTS_LENGTH = 32 * 1024

/**
 * Reads the settings of a directory; without `metadata`, those of a test case. Throws
 * `PackageError` for a wrong type.
 */
export async function readSettingsFile(
  file: PackageFile,
  warnings: Warnings,
  metadata?: PackageMetadata,
): Promise<SettingsFile> {
  const schema = metadata ? schemaOf(metadata) : TestSettings
  const yaml = await readYaml(file, warnings, metadata)
  const values = checkYaml(schema, { ...yaml, value: withTexts(yaml, withoutNulls(yaml.value)) })
  checkArguments(yaml)
  for (const key of Object.keys(yaml.value ?? {}))
    if (!Object.hasOwn(schema.properties, key))
      warnings.add(file.path, `the key ${key} is unknown and ignored`, yaml.lineOf([key]))
  return { yaml, values }
}

/** The nearest file's setting. */
export function findSetting<K extends keyof Settings>(chain: Chain, key: K): Setting<K> | undefined {
  for (const file of chain) {
    const value = file?.values[key]
    if (file && value !== undefined) return { key, value, file: file.yaml, place: [key] }
  }
  return undefined
}

/** Adds a warning about a setting, with its line. */
export function warnOfSetting(setting: Setting<keyof Settings> | undefined, message: string): void {
  if (setting === undefined) return
  const { key, file, place } = setting
  file.warnings.add(file.path, `${key} ${message}`, file.lineOf(place))
}

function schemaOf({ format }: PackageMetadata) {
  if (format === '2025-09') return GroupSettings
  return format === '2023-07-draft' ? DraftSettings : LegacySettings
}

function checkArguments(yaml: YamlFile): void {
  for (const [key, value] of Object.entries(yaml.value ?? {})) {
    const isTooLong = ARGUMENTS.test(key) && JSON.stringify(value).length > MOST_ARGUMENTS_LENGTH
    if (!isTooLong) continue
    const part = { file: yaml, place: [key], value }
    throw faultOfPart(part, `must have at most ${MOST_ARGUMENTS_LENGTH} characters as JSON`)
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
