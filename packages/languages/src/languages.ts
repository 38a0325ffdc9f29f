import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse, TomlError } from 'smol-toml'
import { type Fields, LanguagesError, readFields } from './read-fields.ts'

export { LanguagesError }

/** One language of the judge: what people see of it, and how the worker compiles and runs its programs (D22). */
export interface Language {
  readonly name: string
  readonly aliases: readonly string[]
  /** Without the dot, the usual one first. */
  readonly extensions: readonly [string, ...string[]]
  readonly version: string
  /** The name of the file that a program is saved as. */
  readonly sourceFile: string
  /** Words with placeholders. The command writes files that `run` needs. */
  readonly compile?: readonly [string, ...string[]]
  /** Words with placeholders. The command only checks the program; absent if `compile` is given. */
  readonly check?: readonly [string, ...string[]]
  /** Words with placeholders. */
  readonly run: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** True if the commands need file locks (`flock`, `fcntl`). */
  readonly locks: boolean
  /** What the runtime itself is granted beyond a problem's memory limit. */
  readonly memoryOverheadMib: number
  /** Limits of `compile` and `check` that replace the worker's own. */
  readonly compileLimits: CompileLimits
  /** A text on stderr by which the runtime says that memory ran out. */
  readonly outOfMemoryText?: string
}

/** Limits of one compilation; the worker's own limit applies where one is absent. */
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

/** The language file that is used unless another is configured (D22). */
export const defaultLanguagesFile = fileURLToPath(new URL('../languages.toml', import.meta.url))

/** Reads and checks a language file. Throws `LanguagesError`, which says what is wrong and where. */
export async function readLanguages(file: string): Promise<readonly Language[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (err) {
    throw new LanguagesError(`${file}: cannot be read (${err instanceof Error ? err.message : String(err)})`)
  }
  return parseLanguages(text, file)
}

/** Checks the text of a language file; `file` only names it in messages. Throws `LanguagesError`. */
export function parseLanguages(text: string, file: string): readonly Language[] {
  const document = readFields(parseToml(text, file), file)
  document.allowOnly(['languages'])
  const languages = document.tables('languages').map(readLanguage)
  if (languages.length === 0)
    throw new LanguagesError(`${file}: there must be at least one [[languages]] table`)
  refuseSharedNames(languages, file)
  return languages
}

/** The language that a name or an alias means, ignoring case. */
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
    // The worker looks for the main class among the files that compiling has produced.
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
