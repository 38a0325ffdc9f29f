import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseArgs } from 'node:util'
import {
  defaultLanguagesFile,
  type Language,
  LanguagesError,
  readLanguages,
} from '@judge-data-layer/languages'
import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '@judge-data-layer/runtime/log'
import { readSecretFiles, type Variables } from '@judge-data-layer/runtime/secret-files'
import { splitHosts } from '@judge-data-layer/runtime/server-hosts'
import { isVisibleText } from '@judge-data-layer/runtime/visible-text'
import { Ajv, type ErrorObject } from 'ajv'
import envSchema from 'env-schema'
import Type, { type Static } from 'typebox'
import { succeeds, tryOr } from './shared/try-or.ts'
import { DEFAULT_SETTINGS, MIB } from './shared/worker-settings.ts'

/** Lists all invalid variables and arguments. */
export class ConfigurationError extends Error {
  constructor(problems: readonly string[]) {
    super(`the judge worker cannot start:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

const DEFAULT_API_URL = 'http://127.0.0.1:5000'
const MOST_CONCURRENT = 256
const DEFAULT_CONCURRENCY = Math.min(availableParallelism(), MOST_CONCURRENT)
const LONGEST_QUEUE_NAME = 255
const MOST_SECONDS = 3600
const MOST_MIB = 2 ** 20
const MOST_FILES = 10 ** 7
// (uid_t) -1 is not a user id.
const LAST_USER_ID = 2 ** 32 - 2
const NOBODY = 65534

/** `wants` completes "AMQP_URL must be …". */
const variable = (wants: string, accepts: (text: string) => boolean, defaultText?: string) =>
  Type.String({ wants, accepts, ...(defaultText !== undefined && { default: defaultText }) })

const wholeNumber = (least: number, most: number, defaultNumber: number) =>
  variable(
    `a whole number from ${least} to ${most}`,
    (text) => isWholeNumber(text, least, most),
    String(defaultNumber),
  )

const { compile: COMPILE, firstUserId: FIRST_USER_ID, testCacheBytes: TEST_CACHE_BYTES } = DEFAULT_SETTINGS
const LONGEST_WORKER_NAME = 255

/** Every variable of the worker. */
export const variables = {
  WORKER_CONCURRENCY: wholeNumber(1, MOST_CONCURRENT, DEFAULT_CONCURRENCY),
  WORKER_NAME: variable(
    `a name of at most ${LONGEST_WORKER_NAME} characters, none of them invisible`,
    (text) => isVisibleText('name', text, LONGEST_WORKER_NAME),
    DEFAULT_SETTINGS.workerName,
  ),
  WORKER_VERDICTS: Type.Enum(['known', 'all'], { wants: 'known or all', default: DEFAULT_SETTINGS.verdicts }),
  JUDGE_PASSWORD: variable("the service's JUDGE_PASSWORD", () => true),
  JUDGE_API_URL: variable(
    `the service's address without a user or password, such as ${DEFAULT_API_URL}`,
    (text) => isUrl(text, ['http:', 'https:']) && !hasCredentials(text),
    DEFAULT_API_URL,
  ),
  AMQP_URL: variable(
    'the address of RabbitMQ, such as amqp://user:password@host:5672, or of several hosts separated by commas',
    isQueueUrl,
  ),
  AMQP_QUEUE: variable(
    `a queue name of at most ${LONGEST_QUEUE_NAME} bytes`,
    (text) => Buffer.byteLength(text) <= LONGEST_QUEUE_NAME,
    'submission_queue',
  ),
  AMQP_QUEUE_TYPE: Type.Enum(['classic', 'quorum'], { wants: 'classic or quorum', default: 'classic' }),
  METRICS_PORT: Type.Optional(
    variable('a whole number from 0 to 65535', (text) => isWholeNumber(text, 0, 65_535)),
  ),
  METRICS_HOST: variable('an address of this machine', () => true, '127.0.0.1'),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], {
    wants: `one of ${LOG_LEVELS.join(', ')}`,
    default: DEFAULT_LOG_LEVEL,
  }),
  JUDGE_SANDBOX_PATHS: variable(
    'absolute paths, separated by colons',
    (text) => splitPaths(text).every(isAbsolute),
    '',
  ),
  JUDGE_SANDBOX_FIRST_USER_ID: describeFirstUserId(1),
  COMPILE_CPU_SECONDS: wholeNumber(1, MOST_SECONDS, COMPILE.cpuSeconds),
  COMPILE_WALL_SECONDS: wholeNumber(1, MOST_SECONDS, COMPILE.wallSeconds),
  COMPILE_MEMORY_MIB: wholeNumber(1, MOST_MIB, COMPILE.memoryMib),
  COMPILE_FOLDER_MIB: wholeNumber(1, MOST_MIB, COMPILE.folderMib),
  COMPILE_FOLDER_FILES: wholeNumber(1, MOST_FILES, COMPILE.folderFiles),
  JUDGE_TEST_CACHE_MIB: wholeNumber(0, MOST_MIB, TEST_CACHE_BYTES / MIB),
}

/** The variables that can also come from a file, by `NAME_FILE`. */
const secretNames = ['JUDGE_PASSWORD', 'AMQP_URL']

/** A submission and the problem's validator have a slot each. */
const SLOTS_PER_JUDGING = 2

/** Each slot needs its own user id. Other programs may run as `nobody`, so that no slot may. */
function describeFirstUserId(slots: number) {
  const most = LAST_USER_ID - slots
  return variable(
    `a whole number from 1 to ${most}, and the user ids of ${slots} slots from there must not include ${NOBODY}`,
    (text) => isWholeNumber(text, 1, most) && (Number(text) > NOBODY || Number(text) + slots <= NOBODY),
    String(FIRST_USER_ID),
  )
}

/** Reads the environment, the arguments and the language file. Throws `ConfigurationError`. */
export async function readConfiguration(environment: Variables, args: readonly string[]) {
  const problems: string[] = []
  const flags = readArguments(args, problems)
  const env = readEnvironment(environment, flags.supervised, problems)
  const languages = await readLanguageFile(environment.JUDGE_LANGUAGES_FILE || defaultLanguagesFile, problems)
  if (env === undefined || problems.length > 0) throw new ConfigurationError(problems)
  const { METRICS_HOST: host, METRICS_PORT: port } = env
  const portVariable = flags.supervised ? ('WORKER_METRICS_PORT' as const) : ('METRICS_PORT' as const)
  return {
    ...flags,
    logLevel: env.LOG_LEVEL,
    metricsAddress: port === undefined ? undefined : { host, port: Number(port), variable: portVariable },
    judgePassword: env.JUDGE_PASSWORD,
    apiUrl: env.JUDGE_API_URL,
    /** Undefined for a supervised worker: its parent passes messages on. */
    amqpUrl: flags.supervised ? undefined : env.AMQP_URL,
    queue: env.AMQP_QUEUE,
    queueType: env.AMQP_QUEUE_TYPE,
    concurrency: Number(env.WORKER_CONCURRENCY),
    workerName: env.WORKER_NAME,
    verdicts: env.WORKER_VERDICTS,
    sandboxPaths: splitPaths(env.JUDGE_SANDBOX_PATHS),
    firstUserId: Number(env.JUDGE_SANDBOX_FIRST_USER_ID),
    compile: {
      cpuSeconds: Number(env.COMPILE_CPU_SECONDS),
      wallSeconds: Number(env.COMPILE_WALL_SECONDS),
      memoryMib: Number(env.COMPILE_MEMORY_MIB),
      folderMib: Number(env.COMPILE_FOLDER_MIB),
      folderFiles: Number(env.COMPILE_FOLDER_FILES),
    },
    testCacheBytes: Number(env.JUDGE_TEST_CACHE_MIB) * MIB,
    languages,
  }
}

function readEnvironment(environment: Variables, supervised: boolean, problems: string[]) {
  const files = readSecretFiles(environment, secretNames)
  problems.push(...files.problems.map(({ message }) => message))
  const unread = new Set(files.problems.map(({ name }) => name))
  const data = Object.fromEntries(Object.entries(files.variables).filter(([, text]) => text))
  const concurrency = data.WORKER_CONCURRENCY ?? String(DEFAULT_CONCURRENCY)
  const slots = SLOTS_PER_JUDGING * (isWholeNumber(concurrency, 1, MOST_CONCURRENT) ? Number(concurrency) : 1)
  const schema = Type.Object({
    ...variables,
    ...(supervised && { AMQP_URL: Type.Optional(variables.AMQP_URL) }),
    JUDGE_SANDBOX_FIRST_USER_ID: describeFirstUserId(slots),
  })
  const ajv = new Ajv({ allErrors: true, removeAdditional: true, useDefaults: true, strict: false })
  ajv.addKeyword({
    keyword: 'accepts',
    validate: (accepts: (text: string) => boolean, text: string) => accepts(text),
  })
  try {
    return envSchema<Static<typeof schema>>({ schema, data, env: false, ajv })
  } catch (err) {
    const errors: ErrorObject[] = Object(err).errors ?? []
    if (errors.length === 0) throw err
    for (const [name, property] of Object.entries(schema.properties)) {
      if (unread.has(name)) continue
      const wants: string = Object(property).wants
      if (errors.some(({ params }) => params.missingProperty === name))
        problems.push(`${name} is missing; it must be ${wants}`)
      else if (errors.some(({ instancePath }) => instancePath === `/${name}`))
        problems.push(`${name} must be ${wants}`)
    }
    return undefined
  }
}

/** `supervised`: a child of `npm start -- --judge`. */
function readArguments(args: readonly string[], problems: string[]) {
  const options = {
    unsandboxed: { type: 'boolean' },
    'allow-weak-isolation': { type: 'boolean' },
    supervised: { type: 'boolean' },
  } as const
  const flags = tryOr(() => parseArgs({ args: [...args], options }).values, undefined)
  if (flags === undefined)
    problems.push(`unknown arguments in ${args.join(' ')}; use only --unsandboxed and --allow-weak-isolation`)
  const { unsandboxed = false, supervised = false } = flags ?? {}
  const { 'allow-weak-isolation': allowWeakIsolation = false } = flags ?? {}
  if (unsandboxed && allowWeakIsolation)
    problems.push('remove --allow-weak-isolation: --unsandboxed turns all isolation off')
  return { unsandboxed, supervised, allowWeakIsolation }
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

/** `rabbitmq-client` takes no IPv6 address among several hosts. */
function isQueueUrl(text: string): boolean {
  const urls = splitHosts(text)
  const areUrls = urls.every((url) => isUrl(url, ['amqp:', 'amqps:']))
  return areUrls && isDecodable(text) && (urls.length === 1 || !text.includes('['))
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** False if a % starts no escaped byte, or the bytes are not UTF-8. */
function isDecodable(text: string): boolean {
  return succeeds(() => decodeURIComponent(text))
}

function isWholeNumber(text: string, least: number, most: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
}

function splitPaths(text: string): readonly string[] {
  return text.split(':').filter(Boolean)
}
