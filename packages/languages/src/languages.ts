import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse, TomlError } from 'smol-toml'
import { type Fields, LanguagesError, readFields } from './read-fields.ts'

export { LanguagesError }

/** A programming language and its commands (D22). */
export interface Language {
  readonly name: string
  readonly aliases: readonly string[]
  /** Without dots; the usual extension first. */
  readonly extensions: readonly [string, ...string[]]
  readonly version: string
  /** The name of the source file. */
  readonly sourceFile: string
  /** A command with placeholders that writes files for `run`. */
  readonly compile?: readonly [string, ...string[]]
  /** A command with placeholders that only checks the program. */
  readonly check?: readonly [string, ...string[]]
  readonly run: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** True if the commands need file locks (`flock`, `fcntl`). */
  readonly locks: boolean
  /** Memory for the runtime, in addition to a problem's memory limit. */
  readonly memoryOverheadMib: number
  readonly compileLimits: CompileLimits
  /** The text on stderr with which the runtime reports that memory ran out. */
  readonly outOfMemoryText?: string
}

/** Limits of `compile` and `check`; default: the worker's limits. */
export interface CompileLimits {
  readonly cpuSeconds?: number
  readonly wallSeconds?: number
  readonly memoryMib?: number
}

const KNOWN_FIELDS = [
  'name',
  'aliases',
  'extensions',
  'version',
  'source',
  'compile',
  'check',
  'run',
  'environment',
  'locks',
  'memory_overhead_mib',
  'out_of_memory',
  'compile_cpu_seconds',
  'compile_wall_seconds',
  'compile_memory_mib',
]

/** The default language file (D22). */
export const defaultLanguagesFile = fileURLToPath(new URL('../languages.toml', import.meta.url))

/** Reads and validates a language file. Throws `LanguagesError`. */
export async function readLanguages(file: string): Promise<readonly Language[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (err) {
    throw new LanguagesError(`${file}: cannot be read (${err instanceof Error ? err.message : String(err)})`)
  }
  return parseLanguages(text, file)
}

/** Validates the text of a language file; messages name it `file`. Throws `LanguagesError`. */
export function parseLanguages(text: string, file: string): readonly Language[] {
  const document = readFields(parseToml(text, file), file)
  document.allowOnly(['languages'])
  const languages = document.tables('languages').map(readLanguage)
  if (languages.length === 0)
    throw new LanguagesError(`${file}: there must be at least one [[languages]] table`)
  refuseSharedNames(languages, file)
  return languages
}

/** The language with this name or alias, ignoring case. */
export function findLanguage(languages: readonly Language[], name: string): Language | undefined {
  const wanted = fold(name)
  return languages.find((language) => namesOf(language).some((known) => fold(known) === wanted))
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

function readLanguage(fields: Fields): Language {
  fields.allowOnly(KNOWN_FIELDS)
  fields.allowOneOf('compile', 'check')
  const compile = fields.has('compile') ? fields.words('compile') : undefined
  const check = fields.has('check') ? fields.words('check') : undefined
  const outOfMemoryText = fields.has('out_of_memory') ? fields.text('out_of_memory') : undefined
  return {
    name: fields.text('name'),
    aliases: fields.has('aliases') ? fields.texts('aliases') : [],
    extensions: fields.extensions('extensions'),
    version: fields.text('version'),
    sourceFile: fields.fileName('source'),
    // The worker searches the compiler's output for the main class.
    run: fields.words('run', compile ? ['{main_class}'] : []),
    environment: fields.has('environment') ? fields.environment('environment') : {},
    locks: fields.has('locks') ? fields.flag('locks') : false,
    memoryOverheadMib: fields.has('memory_overhead_mib') ? fields.count('memory_overhead_mib') : 0,
    compileLimits: readCompileLimits(fields),
    ...(compile && { compile }),
    ...(check && { check }),
    ...(outOfMemoryText !== undefined && { outOfMemoryText }),
  }
}

function readCompileLimits(fields: Fields): CompileLimits {
  const read = (key: string) => (fields.has(key) ? fields.positiveCount(key) : undefined)
  const cpuSeconds = read('compile_cpu_seconds')
  const wallSeconds = read('compile_wall_seconds')
  const memoryMib = read('compile_memory_mib')
  return {
    ...(cpuSeconds !== undefined && { cpuSeconds }),
    ...(wallSeconds !== undefined && { wallSeconds }),
    ...(memoryMib !== undefined && { memoryMib }),
  }
}

function refuseSharedNames(languages: readonly Language[], file: string): void {
  const owners = new Map<string, Language>()
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

function namesOf(language: Language): readonly string[] {
  return [language.name, ...language.aliases]
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}
