import { constants } from 'node:fs'
import { fileVariable, readSecretFiles } from '@judge-data-layer/runtime/secret-files'
import { splitHosts } from '@judge-data-layer/runtime/server-hosts'
import { Ajv, type ErrorObject } from 'ajv'
import envSchema from 'env-schema'
import { closest, distance } from 'fastest-levenshtein'
import type { Static, TObject, TSchema } from 'typebox'
import { administrationSchema, databaseSchema, environmentSchema, wantsOf } from './environment.ts'
import { foldAscii } from './fold-ascii.ts'
import { readNetwork } from './networks.ts'
import { isAccessible, readProgram } from './program.ts'
import { secretNames } from './secret-names.ts'
import { ConfigError } from './start-error.ts'

/** A token bucket (D15): `burst` is its capacity in requests, `perMinute` its refill rate. */
export interface Rate {
  readonly perMinute: number
  readonly burst: number
}

export type Config = ReturnType<typeof loadConfig>

/** Reads the environment; blank variables count as unset. Throws `ConfigError` (D38). */
export function loadConfig(variables: NodeJS.ProcessEnv) {
  const env = readEnvironment(environmentSchema, variables)
  return {
    host: env.HOST,
    port: env.PORT,
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT,
    trustedProxy: isOn(env.TRUSTED_PROXY),
    corsOrigins: splitList(env.CORS_ORIGINS),
    database: databaseConfig(env),
    queue: {
      url: env.AMQP_URL,
      name: env.AMQP_QUEUE,
      type: env.AMQP_QUEUE_TYPE,
      requeueAfterSeconds: env.REQUEUE_AFTER_SECONDS,
    },
    secrets: {
      jwtSigning: env.JWT_SIGNING_SECRET,
      judgePassword: env.JUDGE_PASSWORD,
      webBridge: env.WEB_BRIDGE_SECRET,
    },
    accounts: {
      adminEmails: readAdminEmails(env.ADMIN_EMAILS),
      registrationEnabled: isOn(env.BASIC_REGISTRATION_ENABLED),
      passwordMinLength: env.PASSWORD_MIN_LENGTH,
      passwordResetProgram: readProgram(env.PASSWORD_RESET_COMMAND ?? ''),
      passwordResetDebug: isOn(env.PASSWORD_RESET_DEBUG),
      allowInsecurePasswordReset: isOn(env.ALLOW_INSECURE_PASSWORD_RESET),
    },
    tokens: { userTtlSeconds: env.USER_TOKEN_TTL, judgeTtlSeconds: env.JUDGE_TOKEN_TTL },
    responseMemoryBytes: env.RESPONSE_MEMORY_BYTES,
    listsPerAccount: env.LISTS_PER_ACCOUNT,
    changeRetentionHours: env.CHANGE_RETENTION_HOURS,
    searchBackend: env.SEARCH_BACKEND,
    languagesFile: env.JUDGE_LANGUAGES_FILE,
    extraStatuses: splitList(env.JUDGE_EXTRA_STATUSES),
    rates: {
      submissions: parseRate(env.RATE_LIMIT_SUBMISSIONS),
      runs: parseRate(env.RATE_LIMIT_RUNS),
      accounts: parseRate(env.RATE_LIMIT_ACCOUNTS),
      'public runs': parseRate(env.RATE_LIMIT_PUBLIC_RUNS),
      writes: parseRate(env.RATE_LIMIT_WRITES),
      feeds: parseRate(env.RATE_LIMIT_FEEDS),
      'failed logins': parseRate(env.RATE_LIMIT_FAILED_LOGINS),
      'failed secrets': parseRate(env.RATE_LIMIT_FAILED_SECRETS),
    },
    exemptNetworks: splitList(env.RATE_LIMIT_EXEMPT),
    webhookNetworks: splitList(env.WEBHOOK_NETWORKS),
    runs: {
      unfinishedPerAddress: env.RUNS_UNFINISHED_PER_ADDRESS,
      unfinishedPerUser: env.RUNS_UNFINISHED_PER_USER,
      queuedMax: env.RUNS_QUEUED_MAX,
      retentionHours: parseByAccount(env.RUN_RETENTION_HOURS),
    },
    packages: { cpuSeconds: env.PACKAGE_CPU_SECONDS, running: env.PACKAGE_PROCESSES },
    sizes: {
      bodyBytes: env.BODY_LIMIT_BYTES,
      problemBodyBytes: env.PROBLEM_BODY_LIMIT_BYTES,
      packageBytes: env.PACKAGE_LIMIT_BYTES,
      verdictBodyBytes: env.VERDICT_BODY_LIMIT_BYTES,
      sourceCodeBytes: env.SOURCE_CODE_LIMIT_BYTES,
      stdinBytes: env.STDIN_LIMIT_BYTES,
      nameCharacters: env.NAME_LIMIT_CHARACTERS,
      questionCharacters: env.QUESTION_LIMIT_CHARACTERS,
      promptBytes: env.PROMPT_LIMIT_BYTES,
    },
  }
}

/**
 * Warnings at every start: short secrets (D9), development flags behind a proxy (D14), variables
 * that resemble ours (D38).
 */
export function configWarnings(config: Config, variables: NodeJS.ProcessEnv = {}): string[] {
  const secrets = {
    JWT_SIGNING_SECRET: config.secrets.jwtSigning,
    JUDGE_PASSWORD: config.secrets.judgePassword,
    WEB_BRIDGE_SECRET: config.secrets.webBridge,
  }
  const short = Object.entries(secrets)
    .filter(([, value]) => Buffer.byteLength(value) < 16)
    .map(([name]) => `${name} IS SHORTER THAN 16 BYTES and can be guessed. Use a longer secret.`)
  const flags = {
    PASSWORD_RESET_DEBUG: config.accounts.passwordResetDebug,
    ALLOW_INSECURE_PASSWORD_RESET: config.accounts.allowInsecurePasswordReset,
  }
  const open = Object.entries(flags)
    .filter(([, on]) => on && config.trustedProxy)
    .map(([name]) => `${name} is on together with TRUSTED_PROXY: anybody can take over any account.`)
  return [...short, ...open, ...similarNameWarnings(variables)]
}

/** Reads only the variables that migrations need. Throws `ConfigError`. */
export function loadDatabaseConfig(variables: NodeJS.ProcessEnv) {
  const env = readEnvironment(databaseSchema, variables)
  return { ...databaseConfig(env), searchBackend: env.SEARCH_BACKEND }
}

/** Reads only the variables that `npm run admin` needs. Throws `ConfigError`. */
export function loadAdministrationConfig(variables: NodeJS.ProcessEnv) {
  const env = readEnvironment(administrationSchema, variables)
  return {
    database: databaseConfig(env),
    accounts: {
      adminEmails: readAdminEmails(env.ADMIN_EMAILS),
      passwordMinLength: env.PASSWORD_MIN_LENGTH,
    },
    sizes: { nameCharacters: env.NAME_LIMIT_CHARACTERS },
  }
}

const readAdminEmails = (list: string) => new Set(splitList(list.normalize('NFC')).map(foldAscii))

function databaseConfig(env: Omit<Static<typeof databaseSchema>, 'SEARCH_BACKEND'>) {
  return {
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    poolSize: env.DATABASE_POOL_SIZE,
    waitSeconds: env.DATABASE_WAIT_SECONDS,
  }
}

function readEnvironment<Schema extends TObject>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): Static<Schema> {
  const properties: Record<string, TSchema> = schema.properties
  const files = readSecretFiles(
    variables,
    secretNames.filter((name) => name in properties),
  )
  const data = Object.fromEntries(Object.entries(files.variables).filter(([, value]) => value?.trim()))
  const { env, invalid } = validate(schema, data)
  const unread = files.problems.map(({ name }) => name)
  const faults = invalid
    .filter((name) => !unread.includes(name))
    .map((name) => `${name} must be ${wantsOf(properties[name])}`)
  const problems = [...files.problems.map(({ message }) => message), ...faults]
  if (env !== undefined && problems.length === 0) return env
  throw new ConfigError([...problems, ...similarNameWarnings(variables)])
}

/** Returns the values, or the names of the invalid variables. */
function validate<Schema extends TObject>(
  schema: Schema,
  data: Record<string, string | undefined>,
): { env?: Static<Schema>; invalid: readonly string[] } {
  try {
    // The same object each time, so that it is compiled once.
    const env = envSchema<Static<Schema>>({ schema, data, env: false, ajv })
    return { env, invalid: [] }
  } catch (err) {
    const errors: ErrorObject[] = Object(err).errors ?? []
    if (errors.length === 0) throw err
    const names = errors.map(({ params, instancePath }) =>
      String(params.missingProperty ?? instancePath.slice(1)),
    )
    return { invalid: [...new Set(names)] }
  }
}

// `URL` refuses a URL without a host, which stands for the local socket.
const isUrl = (text: string) => URL.canParse(text.replace('@/', '@localhost/'))

/** Several hosts are only for the one that accepts writes, as in `libpq`. */
function isDatabaseUrl(text: string): boolean {
  const urls = splitHosts(text)
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(text)?.[1] ?? 'read-write'
  return urls.every(isUrl) && (urls.length === 1 || ['read-write', 'primary'].includes(wanted))
}

/** `rabbitmq-client` takes no IPv6 address among several hosts. */
function isQueueUrl(text: string): boolean {
  const urls = splitHosts(text)
  return urls.every(isUrl) && (urls.length === 1 || !text.includes('['))
}

const isProgram = (text: string) => readProgram(text) !== undefined

const isNetworkList = (text: string) => splitList(text).every((part) => readNetwork(part) !== undefined)

const isOn = (value: string) => value === 'true' || value === '1'

const splitList = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function parseRate(value: string): Rate {
  const [perMinute, burst] = value.split('/')
  return { perMinute: Number(perMinute), burst: Number(burst) }
}

function parseByAccount(value: string) {
  const [withoutAccount, withAccount = withoutAccount] = value.split('/')
  return { withoutAccount: Number(withoutAccount), withAccount: Number(withAccount) }
}

const ajv = new Ajv({
  allErrors: true,
  removeAdditional: true,
  useDefaults: true,
  coerceTypes: true,
  strict: false,
  formats: {
    database: isDatabaseUrl,
    queue: isQueueUrl,
    file: (path: string) => isAccessible(path, constants.R_OK),
    networks: isNetworkList,
    program: isProgram,
  },
})

const OURS = [...Object.keys(environmentSchema.properties), ...secretNames.map(fileVariable)]

/** Variables of the judge worker, which often shares the environment. */
const OF_THE_WORKER = [
  'METRICS_HOST',
  'JUDGE_API_URL',
  'JUDGE_SANDBOX_PATHS',
  'JUDGE_SANDBOX_FIRST_USER_ID',
  'JUDGE_TEST_CACHE_MIB',
]

/** Unknown names with these beginnings are mistakes; `DATABASE_` is common elsewhere. */
const OUR_PREFIX = /^(RATE_LIMIT|JUDGE|AMQP)_/

/** Shorter names, such as `HOST`, resemble too many others. */
const LEAST_COMPARED = 7

/** Warnings about variables that resemble ours, each with the name that was meant (D38). */
function similarNameWarnings(variables: NodeJS.ProcessEnv): string[] {
  return Object.keys(variables).flatMap((name) => {
    const meant = findMeant(name)
    return meant === undefined
      ? []
      : [`${name} is no variable of this service and has no effect. Did you mean ${meant}?`]
  })
}

function findMeant(name: string): string | undefined {
  if (OURS.includes(name) || OF_THE_WORKER.includes(name)) return undefined
  const upper = name.toUpperCase()
  const meant = closest(upper, OURS)
  if (OUR_PREFIX.test(upper)) return meant
  const isSimilar = meant.length >= LEAST_COMPARED && distance(upper, meant) <= 2
  return isSimilar ? meant : undefined
}
