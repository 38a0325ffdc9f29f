import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { parse, TomlError } from 'smol-toml'
import Type, { type Static, type TObject, type TSchema } from 'typebox'

/** An invalid language file; the message has the place and the correction. */
export class LanguagesError extends Error {
  override readonly name = 'LanguagesError'
}

/** A programming language as people see it (D22). */
export interface NamedLanguage {
  readonly name: string
  readonly aliases: readonly string[]
  /** The usual extension first. */
  readonly extensions: readonly [string, ...string[]]
  readonly version: string
  /** Factor for a problem's time limits; a problem may have its own factor for the language. */
  readonly timeMultiplier: number
}

/** A programming language and its commands (D22). */
export type Language = Readonly<ReturnType<typeof toLanguage>>

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
const fileSchema = Type.Object(
  { languages: tables('[[languages]]'), language: tables('[[language]]') },
  { additionalProperties: false },
)

const EXTENSION = '^[^.\\s/]+$'

/** A table of the language file without `compile`. It has `extensions` or `extension`. */
const languageSchema = Type.Object(
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
const namedLanguageSchema = Type.Object(
  {
    ...languageSchema.properties,
    source: Type.Optional(languageSchema.properties.source),
    run: Type.Optional(command([...PLACEHOLDERS, 'main_class'])),
  },
  { additionalProperties: false },
)

/** The worker searches the output of `compile` for the main class. */
const compiledLanguageSchema = Type.Object(
  { ...languageSchema.properties, run: command([...PLACEHOLDERS, 'main_class']) },
  { additionalProperties: false },
)

const ajv = new Ajv({ allErrors: true, strict: false })
// A TOML date is an object, and so would be valid as a table.
ajv.addKeyword({ keyword: 'wants', validate: (_: string, value: unknown) => !(value instanceof Date) })

/** The default language file (D22). */
export const defaultLanguagesFile = fileURLToPath(new URL('../languages.toml', import.meta.url))

/** Reads a language file with commands, as workers need it. Throws `LanguagesError`. */
export async function readLanguages(file: string): Promise<readonly Language[]> {
  return parseLanguages(await readText(file), file)
}

/** Reads a language file for the service: commands are optional. Throws `LanguagesError`. */
export async function readNamedLanguages(file: string): Promise<readonly NamedLanguage[]> {
  return parseNamedLanguages(await readText(file), file)
}

/** Validates the text of a language file; messages name it `file`. Throws `LanguagesError`. */
export function parseLanguages(text: string, file: string): readonly Language[] {
  return parseFile(text, file, readLanguage)
}

/** The same for a file whose languages may have no commands. */
export function parseNamedLanguages(text: string, file: string): readonly NamedLanguage[] {
  return parseFile(text, file, readNamedLanguage)
}

/** The language with this name or alias, ignoring case. */
export function findLanguage<L extends NamedLanguage>(languages: readonly L[], name: string): L | undefined {
  const wanted = fold(name)
  return languages.find((language) => namesOf(language).some((known) => fold(known) === wanted))
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (err) {
    throw new LanguagesError(`${file}: cannot be read (${err instanceof Error ? err.message : String(err)})`)
  }
}

function parseFile<L extends NamedLanguage>(
  text: string,
  file: string,
  read: (table: unknown, where: string) => L,
): readonly L[] {
  const { languages, language } = check(fileSchema, parseToml(text, file), file)
  if (languages && language)
    throw new LanguagesError(`${file}: [[languages]] and [[language]] exclude each other; use one of them`)
  const heading = language ? 'language' : 'languages'
  const tables = languages ?? language
  if (tables === undefined)
    throw new LanguagesError(
      `${file}: languages is missing; it must be ${wantsOf(fileSchema.properties.languages)}`,
    )
  if (tables.length === 0)
    throw new LanguagesError(`${file}: there must be at least one [[${heading}]] table`)
  const found = tables.map((table, index) => read(table, `${file}: ${heading}[${index}]${nameOf(table)}`))
  refuseSharedNames(found, file)
  return found
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text)
  } catch (err) {
    if (err instanceof TomlError)
      throw new LanguagesError(`${file}:${err.line}:${err.column}: ${err.message}`)
    throw err
  }
}

function readLanguage(table: unknown, where: string): Language {
  const isCompiled = 'compile' in Object(table)
  const named = readNamedLanguage(table, where)
  if (!['source', 'run'].some((field) => field in Object(table)))
    throw new LanguagesError(`${where} has no commands; a judge worker needs at least source and run`)
  const fields = check(isCompiled ? compiledLanguageSchema : languageSchema, table, where)
  return toLanguage(named, fields)
}

function readNamedLanguage(table: unknown, where: string): NamedLanguage {
  const fields = check(namedLanguageSchema, table, where)
  if (fields.compile && fields.check)
    throw new LanguagesError(`${where}: compile and check exclude each other; remove one of them`)
  if (fields.extension !== undefined && fields.extensions)
    throw new LanguagesError(`${where}: extension and extensions exclude each other; remove one of them`)
  const extensions = fields.extension === undefined ? fields.extensions : ([fields.extension] as const)
  if (extensions === undefined) {
    const wants = wantsOf(namedLanguageSchema.properties.extensions)
    throw new LanguagesError(`${where}: extensions is missing; it must be ${wants}`)
  }
  const { name, aliases = [], version, time_multiplier: timeMultiplier = 1 } = fields
  return { name, aliases, extensions, version, timeMultiplier }
}

function toLanguage(named: NamedLanguage, fields: Static<typeof languageSchema>) {
  const { compile, check, out_of_memory: outOfMemoryText } = fields
  const { compile_cpu_seconds: cpuSeconds, compile_wall_seconds: wallSeconds } = fields
  const memoryMib = fields.compile_memory_mib
  return {
    ...named,
    sourceFile: fields.source,
    run: fields.run,
    environment: fields.environment ?? {},
    locks: fields.locks ?? false,
    memoryOverheadMib: fields.memory_overhead_mib ?? 0,
    /** Limits of `compile` and `check`; default: the worker's limits. */
    compileLimits: {
      ...(cpuSeconds !== undefined && { cpuSeconds }),
      ...(wallSeconds !== undefined && { wallSeconds }),
      ...(memoryMib !== undefined && { memoryMib }),
    },
    ...(compile && { compile }),
    ...(check && { check }),
    ...(outOfMemoryText !== undefined && { outOfMemoryText }),
  }
}

/** Throws `LanguagesError` for the first unknown field, or else for the first invalid one. */
function check<Schema extends TObject>(schema: Schema, value: unknown, where: string): Static<Schema> {
  const validate = ajv.compile<Static<Schema>>(schema)
  if (validate(value)) return value
  const errors = validate.errors ?? []
  const properties: Record<string, TSchema> = schema.properties
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')
  if (unknown) {
    const known = Object.keys(properties).join(', ')
    throw new LanguagesError(
      `${where}: ${unknown.params.additionalProperty} is an unknown field; use ${known}`,
    )
  }
  const missing = errors[0]?.params.missingProperty
  const field: string = missing ?? errors[0]?.instancePath.split('/')[1]
  if (field === undefined) throw new LanguagesError(`${where} must be a table`)
  const wants = wantsOf(properties[field])
  throw new LanguagesError(`${where}: ${field} ${missing ? 'is missing; it ' : ''}must be ${wants}`)
}

function refuseSharedNames(languages: readonly NamedLanguage[], file: string): void {
  const owners = new Map<string, NamedLanguage>()
  for (const language of languages) {
    for (const name of new Set(namesOf(language).map(fold))) {
      const owner = owners.get(name)
      if (owner) {
        throw new LanguagesError(
          `${file}: "${name}" means both ${owner.name} and ${language.name}; names and aliases must be unique`,
        )
      }
      owners.set(name, language)
    }
  }
}

function nameOf(table: unknown): string {
  const name: unknown = Object(table).name
  return typeof name === 'string' && name.trim() !== '' ? ` ("${name}")` : ''
}

function namesOf(language: NamedLanguage): readonly string[] {
  return [language.name, ...language.aliases]
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}

/** The valid values of a field, in words that complete "run must be …". */
function wantsOf(field: TSchema | undefined): string {
  return field !== undefined && 'wants' in field ? String(field.wants) : 'valid'
}
