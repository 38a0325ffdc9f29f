import Type, { type Static } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { type Frozen, judgingOptions, type SchemaMaker } from './judging-options.ts'
import {
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
  const value = parse(await readText(file))
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PackageError(OWN_SETTINGS, 'the file must be JSON')
  }
}
