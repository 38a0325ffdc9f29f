import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import {
  defaultLanguagesFile,
  type Language,
  LanguagesError,
  readLanguages,
} from '@judge-data-layer/languages'
import { type CompileSettings, DEFAULT_SETTINGS, MIB, type WorkerSettings } from './worker-settings.ts'

export interface Configuration extends WorkerSettings {
  readonly apiUrl: string
  readonly amqpUrl: string
  readonly queue: string
  readonly queueType: 'classic' | 'quorum'
  readonly judgePassword: string
  readonly languages: readonly Language[]
  readonly concurrency: number
  readonly sandboxPaths: readonly string[]
  readonly unsandboxed: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Lists all invalid variables and arguments. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[]) {
    super(`the judge worker cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

const DEFAULT_API_URL = 'http://127.0.0.1:5000'
const MOST_CONCURRENT = 256
const LONGEST_QUEUE_NAME = 255
const MOST_SECONDS = 3600
const MOST_MIB = 2 ** 20
const MOST_FILES = 10 ** 7
// (uid_t) -1 is not a user id.
const LAST_USER_ID = 2 ** 32 - 2
const NOBODY = 65534

interface Variable<T> {
  readonly name: string
  readonly wanted: string
  /** Used if the variable is unset or empty; absent if it is required. */
  readonly defaultText?: string
  readonly parse: (text: string) => T | undefined
}

const JUDGE_PASSWORD: Variable<string> = {
  name: 'JUDGE_PASSWORD',
  wanted: "the service's JUDGE_PASSWORD",
  parse: (text) => text,
}
const JUDGE_API_URL: Variable<string> = {
  name: 'JUDGE_API_URL',
  wanted: `the service's address without a user or password, such as ${DEFAULT_API_URL}`,
  defaultText: DEFAULT_API_URL,
  parse: (text) => (hasCredentials(text) ? undefined : readUrl(text, ['http:', 'https:'])),
}
const AMQP_URL: Variable<string> = {
  name: 'AMQP_URL',
  wanted: 'the address of RabbitMQ, such as amqp://user:password@host:5672',
  parse: (text) => (isDecodable(text) ? readUrl(text, ['amqp:', 'amqps:']) : undefined),
}
const AMQP_QUEUE: Variable<string> = {
  name: 'AMQP_QUEUE',
  wanted: `a queue name of at most ${LONGEST_QUEUE_NAME} bytes`,
  defaultText: 'submission_queue',
  parse: (text) => (Buffer.byteLength(text) <= LONGEST_QUEUE_NAME ? text : undefined),
}
const AMQP_QUEUE_TYPE: Variable<'classic' | 'quorum'> = {
  name: 'AMQP_QUEUE_TYPE',
  wanted: 'classic or quorum',
  defaultText: 'classic',
  parse: (text) => (text === 'classic' || text === 'quorum' ? text : undefined),
}
const WORKER_CONCURRENCY = describeNumber(
  'WORKER_CONCURRENCY',
  [1, MOST_CONCURRENT],
  Math.min(availableParallelism(), MOST_CONCURRENT),
)
const COMPILE: { readonly [Name in keyof CompileSettings]: Variable<number> } = {
  cpuSeconds: describeNumber('COMPILE_CPU_SECONDS', [1, MOST_SECONDS], DEFAULT_SETTINGS.compile.cpuSeconds),
  wallSeconds: describeNumber(
    'COMPILE_WALL_SECONDS',
    [1, MOST_SECONDS],
    DEFAULT_SETTINGS.compile.wallSeconds,
  ),
  memoryMib: describeNumber('COMPILE_MEMORY_MIB', [1, MOST_MIB], DEFAULT_SETTINGS.compile.memoryMib),
  folderMib: describeNumber('COMPILE_FOLDER_MIB', [1, MOST_MIB], DEFAULT_SETTINGS.compile.folderMib),
  folderFiles: describeNumber('COMPILE_FOLDER_FILES', [1, MOST_FILES], DEFAULT_SETTINGS.compile.folderFiles),
}
const JUDGE_TEST_CACHE_MIB = describeNumber(
  'JUDGE_TEST_CACHE_MIB',
  [0, MOST_MIB],
  DEFAULT_SETTINGS.testCacheBytes / MIB,
)
const JUDGE_SANDBOX_PATHS: Variable<readonly string[]> = {
  name: 'JUDGE_SANDBOX_PATHS',
  wanted: 'absolute paths, separated by colons',
  defaultText: ':',
  parse: readPaths,
}

/** Reads the environment, the arguments and the language file. Throws `ConfigurationError`. */
export async function readConfiguration(
  environment: Environment,
  args: readonly string[],
): Promise<Configuration> {
  const problems: string[] = []
  const read = <T>(variable: Variable<T>) => readVariable(variable, environment, problems)
  const flags = readArguments(args, problems)
  const concurrency = read(WORKER_CONCURRENCY)
  const settings = {
    judgePassword: read(JUDGE_PASSWORD),
    apiUrl: read(JUDGE_API_URL),
    amqpUrl: read(AMQP_URL),
    queue: read(AMQP_QUEUE),
    queueType: read(AMQP_QUEUE_TYPE),
    concurrency,
    sandboxPaths: read(JUDGE_SANDBOX_PATHS),
    firstUserId: read(describeFirstUserId(concurrency ?? 1)),
  }
  const compile = {
    cpuSeconds: read(COMPILE.cpuSeconds),
    wallSeconds: read(COMPILE.wallSeconds),
    memoryMib: read(COMPILE.memoryMib),
    folderMib: read(COMPILE.folderMib),
    folderFiles: read(COMPILE.folderFiles),
  }
  const testCacheMib = read(JUDGE_TEST_CACHE_MIB)
  const languages = await readLanguageFile(environment.JUDGE_LANGUAGES_FILE || defaultLanguagesFile, problems)
  const isComplete = hasEvery(settings) && hasEvery(compile) && testCacheMib !== undefined
  if (problems.length > 0 || !isComplete) throw new ConfigurationError(problems)
  return { ...settings, ...flags, compile, testCacheBytes: testCacheMib * MIB, languages }
}

function hasEvery<T extends object>(
  values: T,
): values is T & { readonly [Key in keyof T]: Exclude<T[Key], undefined> } {
  return !Object.values(values).includes(undefined)
}

function readVariable<T>(variable: Variable<T>, environment: Environment, problems: string[]): T | undefined {
  const { name, wanted, parse } = variable
  const text = environment[name] || variable.defaultText
  const value = text === undefined ? undefined : parse(text)
  if (text === undefined) problems.push(`${name} is missing; it must be ${wanted}`)
  else if (value === undefined) problems.push(`${name} must be ${wanted}`)
  return value
}

function readArguments(args: readonly string[], problems: string[]) {
  const flags = readFlags(args)
  if (flags === undefined)
    problems.push(`unknown arguments in ${args.join(' ')}; use only --unsandboxed and --allow-weak-isolation`)
  const { unsandboxed = false, 'allow-weak-isolation': allowWeakIsolation = false } = flags ?? {}
  if (unsandboxed && allowWeakIsolation)
    problems.push('remove --allow-weak-isolation: --unsandboxed turns all isolation off')
  return { unsandboxed, allowWeakIsolation }
}

function readFlags(args: readonly string[]) {
  const options = { unsandboxed: { type: 'boolean' }, 'allow-weak-isolation': { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...args], options }).values
  } catch {
    return undefined
  }
}

async function readLanguageFile(file: string, problems: string[]): Promise<readonly Language[]> {
  try {
    return await readLanguages(file)
  } catch (err) {
    if (!(err instanceof LanguagesError)) throw err
    problems.push(`JUDGE_LANGUAGES_FILE must be a language file; ${err.message}`)
    return []
  }
}

function readUrl(text: string, protocols: readonly string[]): string | undefined {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined
}

function hasCredentials(url: string): boolean {
  const { username, password } = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  return username !== '' || password !== ''
}

/** False if a % starts no escaped byte, or the bytes are not UTF-8. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function describeNumber(
  name: string,
  [least, most]: readonly [number, number],
  defaultNumber: number,
): Variable<number> {
  return {
    name,
    wanted: `a whole number from ${least} to ${most}`,
    defaultText: String(defaultNumber),
    parse(text) {
      const number = readWholeNumber(text)
      return number !== undefined && number >= least && number <= most ? number : undefined
    },
  }
}

/** Each slot needs its own user id. Other programs may run as `nobody`, so that no slot may. */
function describeFirstUserId(slots: number): Variable<number> {
  const number = describeNumber(
    'JUDGE_SANDBOX_FIRST_USER_ID',
    [1, LAST_USER_ID - slots],
    DEFAULT_SETTINGS.firstUserId,
  )
  return {
    ...number,
    wanted: `${number.wanted}, and the user ids of ${slots} slots from there must not include ${NOBODY}`,
    parse(text) {
      const first = number.parse(text)
      return first === undefined || (first <= NOBODY && NOBODY < first + slots) ? undefined : first
    },
  }
}

function readWholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function readPaths(text: string): readonly string[] | undefined {
  const paths = text.split(':').filter(Boolean)
  return paths.every(isAbsolute) ? paths : undefined
}
