import Type, { type Static } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { type Frozen, judgingOptions, type SchemaMaker } from './judging-options.ts'
import {
  MOST_LEVELS,
  OWN_SETTINGS,
  PackageError,
  type PackageFiles,
  readShownName,
  readText,
  type Warnings,
} from './package-files.ts'

const strict = { additionalProperties: false }
const text = Type.Optional(Type.String())
const words = Type.Array(Type.String())

const withoutBounds: SchemaMaker = {
  object: (properties) => Type.Object(properties, strict),
  array: (items) => Type.Array(items),
  text: () => Type.String(),
  filled: () => Type.String(),
  integer: () => Type.Integer(),
  number: () => Type.Number(),
}

/** The service has fewer. */
const MOST_GROUP_LEVELS = 10

const { validation, test_groups, run, limits } = judgingOptions(withoutBounds, '', MOST_GROUP_LEVELS)

const OwnSettingsSchema = Type.Object(
  {
    /** Where `problem.yaml` would be read as another title. */
    title: text,
    ...{ identifier: text, difficulty: text, source: text },
    /** Where some of the names cannot be keywords. */
    categories: Type.Optional(words),
    /** The prompt, where reading the statement would give a different prompt. */
    prompt: Type.Optional(Type.String({ minLength: 1 })),
    timeout: Type.Optional(Type.Number()),
    accept_timeout: Type.Optional(Type.Number()),
    time_multipliers: limits.properties.time_multipliers,
    run: Type.Optional(run),
    /** Null: the service's own comparison. */
    validation: Type.Optional(
      Type.Union([
        Type.Null(),
        // `files` are names in the folder of the validator.
        Type.Object({ ...validation.properties, files: Type.Optional(words) }, strict),
      ]),
    ),
    /** Checked further when the problem is. */
    test_groups: Type.Optional(test_groups),
    /** In their order. */
    test_cases: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), hidden: Type.Boolean() }, strict)),
    ),
  },
  strict,
)

export type OwnSettings = Frozen<Static<typeof OwnSettingsSchema>>

/** Reads the file; undefined if the package has none. Throws `PackageError`. */
export async function readOwnSettings(
  files: PackageFiles,
  warnings: Warnings,
): Promise<OwnSettings | undefined> {
  const file = files.get(OWN_SETTINGS)
  if (file === undefined) return undefined
  if (file.bytes > MOST_BYTES)
    throw new PackageError(OWN_SETTINGS, `the file must have at most ${MOST_BYTES} bytes`)
  const text = await readText(file)
  checkNesting(text)
  const value = parse(text)
  if (Check(OwnSettingsSchema, value)) return withShownNames(value, warnings)
  const [error] = Errors(OwnSettingsSchema, value)
  const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  throw new PackageError(OWN_SETTINGS, `${place} ${error?.message ?? ''}`.trim())
}

function withShownNames(settings: OwnSettings, warnings: Warnings): OwnSettings {
  const { title, identifier, categories } = settings
  const read = (field: string) => (name: string) =>
    readShownName(name, (message) => warnings.add(OWN_SETTINGS, `${field}: ${message}`))
  return {
    ...settings,
    ...(title !== undefined && { title: read('title')(title) }),
    ...(identifier !== undefined && { identifier: read('identifier')(identifier) }),
    ...(categories !== undefined && { categories: categories.map(read('categories')) }),
  }
}

/** The text of the file, for an export. */
export const writeOwnSettings = (settings: OwnSettings) => `${JSON.stringify(settings, undefined, 2)}\n`

/** The prompt and the names of 10,000 test cases are in it. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_VALUES = 200_000

/** Throws `PackageError` for deep nesting and for very many values, before anything is parsed. */
function checkNesting(text: string): void {
  let levels = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') levels += 1
    else if (character === ']' || character === '}') levels -= 1
    else if (character !== ',') continue
    values += 1
    if (levels > MOST_LEVELS || values > MOST_VALUES)
      throw new PackageError(
        OWN_SETTINGS,
        `it must have at most ${MOST_LEVELS} levels and ${MOST_VALUES} values`,
      )
  }
}

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PackageError(OWN_SETTINGS, 'the file must be JSON')
  }
}
