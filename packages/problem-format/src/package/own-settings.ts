import Type, { type Static, type TArray } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { OWN_SETTINGS, PackageError, type PackageFiles, readText } from './package-files.ts'
import type { PackageGroup } from './package-problem.ts'

const strict = { additionalProperties: false }
const words = Type.Array(Type.String())

/** The service has fewer. */
const MOST_GROUP_LEVELS = 10

/** Groups with so many levels: functions that read groups call themselves for each level. */
function groupsOf(levels: number): TArray {
  const innermost = Type.Array(Type.Unknown(), { maxItems: 0 })
  const group = {
    name: Type.String(),
    points: Type.Number(),
    aggregation: Type.Enum(['sum', 'min']),
    cases: Type.Optional(Type.Array(Type.Integer())),
    groups: Type.Optional(levels > 1 ? groupsOf(levels - 1) : innermost),
  }
  return Type.Array(Type.Object(group, strict))
}

const OwnSettingsSchema = Type.Object(
  {
    /** Where `problem.yaml` would be read as another title. */
    title: Type.Optional(Type.String()),
    identifier: Type.Optional(Type.String()),
    difficulty: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    /** Where some of the names cannot be keywords. */
    categories: Type.Optional(words),
    /** The prompt, where the statement would be read as another one. */
    prompt: Type.Optional(Type.String({ minLength: 1 })),
    timeout: Type.Optional(Type.Number()),
    accept_timeout: Type.Optional(Type.Number()),
    time_multipliers: Type.Optional(Type.Record(Type.String(), Type.Number())),
    run: Type.Optional(Type.Enum(['all', 'first_failure'])),
    /** Null: the service's own comparison. */
    validation: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Object(
          {
            type: Type.Enum(['default', 'custom', 'interactive']),
            flags: Type.Optional(Type.String()),
            case_flags: Type.Optional(
              Type.Array(Type.Object({ cases: Type.Array(Type.Integer()), flags: Type.String() }, strict)),
            ),
            protocol: Type.Optional(Type.Literal('testlib')),
            /** Names in the folder of the validator. */
            files: Type.Optional(words),
            language: Type.Optional(Type.String()),
            build: Type.Optional(words),
            run: Type.Optional(words),
          },
          strict,
        ),
      ]),
    ),
    /** Checked further when the problem is. */
    test_groups: Type.Optional(Type.Unsafe<readonly PackageGroup[]>(groupsOf(MOST_GROUP_LEVELS))),
    /** In their order. */
    test_cases: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), hidden: Type.Boolean() }, strict)),
    ),
  },
  strict,
)

export type OwnSettings = Static<typeof OwnSettingsSchema>

/** Reads the file; undefined if the package has none. Throws `PackageError`. */
export async function readOwnSettings(files: PackageFiles): Promise<OwnSettings | undefined> {
  const file = files.get(OWN_SETTINGS)
  if (file === undefined) return undefined
  const value = parse(await readText(file))
  if (Check(OwnSettingsSchema, value)) return value
  const [error] = Errors(OwnSettingsSchema, value)
  const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  throw new PackageError(OWN_SETTINGS, undefined, `${place} ${error?.message ?? ''}`.trim())
}

/** The text of the file, for an export. */
export const writeOwnSettings = (settings: OwnSettings) => `${JSON.stringify(settings, undefined, 2)}\n`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PackageError(OWN_SETTINGS, undefined, 'the file must be JSON')
  }
}
