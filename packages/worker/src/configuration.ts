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
  readonly queueType: 'classic' | 'quorum' | undefined
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
const DEFAULT_QUEUE = 'submission_queue'
const MOST_CONCURRENT = 256
const LONGEST_QUEUE_NAME = 255

/** Reads the environment, the arguments and the language file. Throws `ConfigurationError`. */
export async function readConfiguration(
  environment: Environment,
  args: readonly string[],
): Promise<Configuration> {
  const problems: string[] = []
  const read = <T>(
    name: string,
    wanted: string,
    otherwise: string | undefined,
    parse: (text: string) => T | undefined,
  ): T | undefined => {
    const text = environment[name] || otherwise
    const value = text === undefined ? undefined : parse(text)
    if (value === undefined)
      problems.push(
        `${name} ${text === undefined ? 'is missing; it' : ''} must be ${wanted}`.replace('  ', ' '),
      )
    return value
  }
  const unsandboxed = readArguments(args, problems)
  const values = {
    judgePassword: read(
      'JUDGE_PASSWORD',
      'the password that the service has under the same name',
      undefined,
      (text) => text,
    ),
    apiUrl: read(
      'JUDGE_API_URL',
      `the service's address, such as ${DEFAULT_API_URL}`,
      DEFAULT_API_URL,
      (text) => readUrl(text, ['http:', 'https:']),
    ),
    amqpUrl: read(
      'AMQP_URL',
      'the address of RabbitMQ, such as amqp://user:password@host:5672',
      undefined,
      (text) => readUrl(text, ['amqp:', 'amqps:']),
    ),
    queue: read(
      'AMQP_QUEUE',
      `a queue's name of at most ${LONGEST_QUEUE_NAME} bytes`,
      DEFAULT_QUEUE,
      readQueueName,
    ),
    concurrency: read(
      'WORKER_CONCURRENCY',
      `a whole number from 1 to ${MOST_CONCURRENT}`,
      String(availableParallelism()),
      readConcurrency,
    ),
    sandboxPaths: read('JUDGE_SANDBOX_PATHS', 'absolute paths with colons between', ':', readPaths),
  }
  const queueType = environment.AMQP_QUEUE_TYPE
    ? read('AMQP_QUEUE_TYPE', 'classic or quorum', undefined, readQueueType)
    : undefined
  const languages = await readLanguageFile(environment.JUDGE_LANGUAGES_FILE || defaultLanguagesFile, problems)
  const { judgePassword, apiUrl, amqpUrl, queue, concurrency, sandboxPaths } = values
  if (
    problems.length > 0 ||
    !judgePassword ||
    !apiUrl ||
    !amqpUrl ||
    !queue ||
    !concurrency ||
    !sandboxPaths
  ) {
    throw new ConfigurationError(problems)
  }
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

function readQueueName(text: string): string | undefined {
  return Buffer.byteLength(text) <= LONGEST_QUEUE_NAME ? text : undefined
}

function readQueueType(text: string): 'classic' | 'quorum' | undefined {
  return text === 'classic' || text === 'quorum' ? text : undefined
}

function readConcurrency(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text) && number >= 1 && number <= MOST_CONCURRENT ? number : undefined
}

function readPaths(text: string): readonly string[] | undefined {
  const paths = text.split(':').filter(Boolean)
  return paths.every(isAbsolute) ? paths : undefined
}
