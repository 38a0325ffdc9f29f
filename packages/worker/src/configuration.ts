import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import {
  defaultLanguagesFile,
  type Language,
  LanguagesError,
  readLanguages,
} from '@judge-data-layer/languages'

export interface Configuration {
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

/** What is wrong with the configuration: every variable and argument at once. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[]) {
    super(`the judge worker cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

const DEFAULT_API_URL = 'http://127.0.0.1:5000'
const MOST_CONCURRENT = 256
const LONGEST_QUEUE_NAME = 255

interface Variable<T> {
  readonly name: string
  readonly wanted: string
  /** What an unset or empty variable means; absent where it is required. */
  readonly otherwise?: string
  readonly parse: (text: string) => T | undefined
}

const JUDGE_PASSWORD: Variable<string> = {
  name: 'JUDGE_PASSWORD',
  wanted: 'the password that the service has under the same name',
  parse: (text) => text,
}
const JUDGE_API_URL: Variable<string> = {
  name: 'JUDGE_API_URL',
  wanted: `the service's address, such as ${DEFAULT_API_URL}`,
  otherwise: DEFAULT_API_URL,
  parse: (text) => readUrl(text, ['http:', 'https:']),
}
const AMQP_URL: Variable<string> = {
  name: 'AMQP_URL',
  wanted: 'the address of RabbitMQ, such as amqp://user:password@host:5672',
  parse: (text) => readUrl(text, ['amqp:', 'amqps:']),
}
const AMQP_QUEUE: Variable<string> = {
  name: 'AMQP_QUEUE',
  wanted: `a queue's name of at most ${LONGEST_QUEUE_NAME} bytes`,
  otherwise: 'submission_queue',
  parse: (text) => (Buffer.byteLength(text) <= LONGEST_QUEUE_NAME ? text : undefined),
}
const AMQP_QUEUE_TYPE: Variable<'classic' | 'quorum'> = {
  name: 'AMQP_QUEUE_TYPE',
  wanted: 'classic or quorum',
  otherwise: 'classic',
  parse: (text) => (text === 'classic' || text === 'quorum' ? text : undefined),
}
const WORKER_CONCURRENCY: Variable<number> = {
  name: 'WORKER_CONCURRENCY',
  wanted: `a whole number from 1 to ${MOST_CONCURRENT}`,
  otherwise: String(Math.min(availableParallelism(), MOST_CONCURRENT)),
  parse: readConcurrency,
}
const JUDGE_SANDBOX_PATHS: Variable<readonly string[]> = {
  name: 'JUDGE_SANDBOX_PATHS',
  wanted: 'absolute paths with colons between',
  otherwise: ':',
  parse: readPaths,
}

/** Reads the environment, the arguments and the language file. Throws `ConfigurationError`. */
export async function readConfiguration(
  environment: Environment,
  args: readonly string[],
): Promise<Configuration> {
  const problems: string[] = []
  const read = <T>(variable: Variable<T>) => readVariable(variable, environment, problems)
  const unsandboxed = readArguments(args, problems)
  const judgePassword = read(JUDGE_PASSWORD)
  const apiUrl = read(JUDGE_API_URL)
  const amqpUrl = read(AMQP_URL)
  const queue = read(AMQP_QUEUE)
  const queueType = read(AMQP_QUEUE_TYPE)
  const concurrency = read(WORKER_CONCURRENCY)
  const sandboxPaths = read(JUDGE_SANDBOX_PATHS)
  const languages = await readLanguageFile(environment.JUDGE_LANGUAGES_FILE || defaultLanguagesFile, problems)
  const complete = judgePassword && apiUrl && amqpUrl && queue && queueType && concurrency && sandboxPaths
  if (problems.length > 0 || !complete) throw new ConfigurationError(problems)
  return {
    judgePassword,
    apiUrl,
    amqpUrl,
    queue,
    queueType,
    concurrency,
    sandboxPaths,
    languages,
    unsandboxed,
  }
}

function readVariable<T>(variable: Variable<T>, environment: Environment, problems: string[]): T | undefined {
  const { name, wanted, parse } = variable
  const text = environment[name] || variable.otherwise
  const value = text === undefined ? undefined : parse(text)
  if (text === undefined) problems.push(`${name} is missing; it must be ${wanted}`)
  else if (value === undefined) problems.push(`${name} must be ${wanted}`)
  return value
}

function readArguments(args: readonly string[], problems: string[]): boolean {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { unsandboxed: { type: 'boolean', default: false } },
    })
    return values.unsandboxed
  } catch {
    problems.push(`the arguments are ${args.join(' ')}; the only one known is --unsandboxed`)
    return false
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

function readConcurrency(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= 1 && number <= MOST_CONCURRENT ? number : undefined
}

function readPaths(text: string): readonly string[] | undefined {
  const paths = text.split(':').filter(Boolean)
  return paths.every(isAbsolute) ? paths : undefined
}
