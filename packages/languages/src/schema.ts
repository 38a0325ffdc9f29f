import Type, { type TSchema } from 'typebox'

type Words = readonly [string, ...string[]]

const PLACEHOLDERS = ['dir', 'source', 'binary', 'node', 'memory_mib']

/** `wants` completes "run must be …". */
const text = (wants: string, pattern = '\\S') => Type.String({ wants, pattern })

const words = (wants: string, pattern: string) =>
  Type.Unsafe<Words>(Type.Array(Type.String({ pattern }), { minItems: 1, wants }))

const command = (placeholders = PLACEHOLDERS) =>
  words(
    `a command as an array of words, with no placeholders but ${placeholders.map((name) => `{${name}}`).join(' ')}`,
    `^(?![^]*\\{(?!(?:${placeholders.join('|')})\\})\\w*\\})[^]*\\S`,
  )

const count = (minimum: number) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, wants: `a whole number, ${minimum} or more` })

const tables = (heading: string) =>
  Type.Optional(Type.Array(Type.Unknown(), { wants: `a list of tables, each headed ${heading}` }))

/** A file has one of the two. */
export const fileSchema = Type.Object(
  { languages: tables('[[languages]]'), language: tables('[[language]]') },
  { additionalProperties: false },
)

const EXTENSION = '^[^.\\s/]+$'

/** A table of the language file without `compile`. It has `extensions` or `extension`. */
export const languageSchema = Type.Object(
  {
    name: text('a text that is not blank'),
    aliases: Type.Optional(Type.Array(Type.String({ pattern: '\\S' }), { wants: 'an array of texts' })),
    extensions: Type.Optional(words('an array of at least one extension, without dots', EXTENSION)),
    extension: Type.Optional(text('an extension without its dot', EXTENSION)),
    version: text('a text that is not blank'),
    source: text('a plain file name', '^[\\w-][\\w.-]*$'),
    compile: Type.Optional(command()),
    check: Type.Optional(command()),
    run: command(),
    environment: Type.Optional(
      Type.Unsafe<Record<string, string>>(
        Type.Object({}, { additionalProperties: Type.String(), wants: 'a table of texts' }),
      ),
    ),
    locks: Type.Optional(Type.Boolean({ wants: 'true or false' })),
    memory_overhead_mib: Type.Optional(count(0)),
    time_multiplier: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1000, wants: 'a number above 0, at most 1000' }),
    ),
    out_of_memory: Type.Optional(text('a text that is not blank')),
    compile_cpu_seconds: Type.Optional(count(1)),
    compile_wall_seconds: Type.Optional(count(1)),
    compile_memory_mib: Type.Optional(count(1)),
  },
  { additionalProperties: false },
)

/** The same for the service, which needs no commands. */
export const namedLanguageSchema = Type.Object(
  {
    ...languageSchema.properties,
    source: Type.Optional(languageSchema.properties.source),
    run: Type.Optional(command([...PLACEHOLDERS, 'main_class'])),
  },
  { additionalProperties: false },
)

/** The worker searches the output of `compile` for the main class. */
export const compiledLanguageSchema = Type.Object(
  { ...languageSchema.properties, run: command([...PLACEHOLDERS, 'main_class']) },
  { additionalProperties: false },
)

/** The valid values of a field, in words that complete "run must be …". */
export function wantsOf(field: TSchema | undefined): string {
  return field !== undefined && 'wants' in field ? String(field.wants) : 'valid'
}
