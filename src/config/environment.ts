import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '@judge-data-layer/runtime/log'
import Type, { type TSchema, type TStringOptions } from 'typebox'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const day = 24 * 60 * 60

/** A variable: its meaning, and its valid values in words that complete "PORT must be …". */
const text = (description: string, wants: string, options: TStringOptions = {}) =>
  Type.String({ description, wants, ...options })

const optionalText = (description: string, wants: string, options?: TStringOptions) =>
  Type.Optional(text(description, wants, options))

const secret = (description: string) =>
  text(description, 'set to a secret of 16 bytes or more', { pattern: '\\S' })

const flag = (description: string) => text(description, '`true` or `1` to switch it on', { default: 'false' })

const rate = (value: string, description: string) =>
  text(description, 'a rate as <requests per minute>/<burst>, for example 20/5', {
    default: value,
    pattern: '^[1-9][0-9]{0,8}/[1-9][0-9]{0,8}$',
  })

/** A list separated by commas; `part` matches one of its parts. */
const list = (part: string, description: string, wants: string) =>
  text(description, wants, { default: '', pattern: `^\\s*(?:(?:${part})?\\s*(?:,\\s*|$))*$` })

const wholeNumber = (minimum: number, maximum: number, description: string, value?: number) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    wants: `a whole number from ${minimum} to ${maximum}${value === undefined ? ', or unset' : ''}`,
    ...(value !== undefined && { default: value }),
  })

const optionalPort = (description: string) => Type.Optional(wholeNumber(0, 65_535, description))

const networks = (description: string) =>
  text(description, 'addresses or networks such as 192.0.2.0/24 or 2001:db8::/48, separated by commas', {
    default: '',
    format: 'networks',
  })

/** Two numbers `<without an account>/<with an account>`; one number is both. */
const byAccount = (value: string, description: string) =>
  text(description, 'hours as <without an account>/<with an account>, for example 24/168', {
    default: value,
    pattern: '^[1-9][0-9]{0,5}(/[1-9][0-9]{0,5})?$',
  })

const count = (value: number, description: string, maximum = 2_147_483_647) =>
  wholeNumber(1, maximum, description, value)

const oneOf = <V extends string>(values: readonly V[], value: V, description: string) =>
  Type.Enum([...values], { default: value, description, wants: `one of ${values.join(', ')}` })

/** Every variable of the service (D38). */
export const environmentSchema = Type.Object({
  JWT_SIGNING_SECRET: secret('Signs the user and judge tokens (HS256). All instances need the same value.'),
  JUDGE_PASSWORD: secret('Password with which judge workers log in at `POST /v1/login_judge`.'),
  WEB_BRIDGE_SECRET: secret('Secret with which the web server calls `POST /v1/create_or_login_user`.'),

  HOST: text('Address to listen on.', 'a host name or an address', { default: '0.0.0.0' }),
  PORT: wholeNumber(0, 65_535, 'Port to listen on; 0 takes a free one.', 5000),
  DATABASE_URL: optionalText(
    'PostgreSQL 15 or later. Of several hosts, separated by commas, the service uses the one that accepts writes. Unset: the embedded database under `DATA_DIR`.',
    'a URL that begins with postgres:// (of several hosts only with target_session_attrs=read-write or primary)',
    { pattern: '^postgres(ql)?://', format: 'database' },
  ),
  DATABASE_POOL_SIZE: wholeNumber(4, 1000, 'Connections of one instance to PostgreSQL.', 10),
  DATABASE_WAIT_SECONDS: wholeNumber(
    0,
    3600,
    'How long the start waits for a database that is out of reach; 0 does not wait.',
    30,
  ),
  DATA_DIR: text('Folder of the embedded database.', 'a path', { default: './data' }),
  AMQP_URL: optionalText(
    'RabbitMQ: the servers of a cluster, separated by commas, or one. Unset: messages wait in the database for the worker of `npm start -- --judge`.',
    'a URL that begins with amqp:// or amqps://',
    { pattern: '^amqps?://', format: 'queue' },
  ),
  AMQP_QUEUE: text('Name of the durable queue for the workers.', 'a queue name of 1 to 255 characters', {
    default: 'submission_queue',
    pattern: '^.{1,255}$',
  }),
  AMQP_QUEUE_TYPE: oneOf(
    ['classic', 'quorum'],
    'classic',
    'Type of the queue: `quorum` for clusters; `classic` declares it without arguments.',
  ),
  REQUEUE_AFTER_SECONDS: count(
    300,
    'Longest time of one judging without heartbeats, in seconds. Work without a verdict this long after the queue was empty is queued again.',
    86_400,
  ),
  CORS_ORIGINS: list(
    '\\*|null|[a-z][a-z0-9+.-]*://[^\\sA-Z/?#,]+',
    'Origins whose pages may call the service, separated by commas, or `*`. `null` is the origin of files and sandboxed frames. Empty: no origin.',
    'origins as browsers send them (https://judge.example.org, no path, or null), separated by commas, or *',
  ),
  METRICS_PORT: optionalPort(
    'Port of `/metrics` for Prometheus, without authentication; 0 takes a free one. Unset: no metrics.',
  ),
  LOG_LEVEL: oneOf(LOG_LEVELS, DEFAULT_LOG_LEVEL, 'Lowest level of the lines in the log.'),
  TRUSTED_PROXY: flag(
    'Reads the client’s address from the last entry of `X-Forwarded-For`, which the trusted proxy appends.',
  ),

  SERVICE_USER: optionalText(
    'For root: the user of the service with `npm start -- --judge`, and of `npm run admin` and `npm run migrate`. Unset: root. The worker always runs as root.',
    'the name of a user',
  ),
  WORKER_METRICS_PORT: optionalPort(
    'For `npm start -- --judge`: the `METRICS_PORT` of its worker. Unset: no metrics.',
  ),

  ADMIN_EMAILS: list(
    '[^\\s;@,]+@[^\\s;@,]+',
    'E-mail addresses, separated by commas. New accounts with these addresses are admins.',
    'e-mail addresses separated by commas',
  ),
  BASIC_REGISTRATION_ENABLED: flag('Opens `POST /v1/basic_register`.'),
  PASSWORD_MIN_LENGTH: count(6, 'Shortest password, in characters.', 1024),
  PASSWORD_RESET_DEBUG: flag('For development: the response to a reset request contains the token.'),
  ALLOW_INSECURE_PASSWORD_RESET: flag('For development: passwords can be reset without a token.'),
  PASSWORD_RESET_COMMAND: optionalText(
    'Program that delivers reset tokens: its path, or a JSON array of the path and arguments; [what it gets](operations.md#accounts-and-passwords). Unset: tokens are not delivered.',
    'the path of an executable file, with a slash, or a JSON array of such a path and arguments',
    { format: 'program' },
  ),
  USER_TOKEN_TTL: count(30 * day, 'Lifetime of a user’s token, in seconds.'),
  JUDGE_TOKEN_TTL: Type.Optional(
    wholeNumber(
      1,
      2_147_483_647,
      'Lifetime of a judge’s token, in seconds. Unset: until `JUDGE_PASSWORD` changes.',
    ),
  ),

  JUDGE_LANGUAGES_FILE: optionalText(
    'The judge’s language configuration (TOML). Unset: the file of this project.',
    'a path to a readable language file',
    { format: 'file' },
  ),
  JUDGE_EXTRA_STATUSES: list(
    '[A-Z][A-Z0-9_]*',
    'Additional verdict statuses of your workers, separated by commas.',
    'upper-case words separated by commas',
  ),

  SEARCH_BACKEND: Type.Optional(
    Type.Enum(['postgres'], {
      description:
        'Search for the `query` of `GET /v1/problems`: `postgres` uses full text and trigrams, and needs the extension pg_trgm. Unset: `query` is ignored.',
      wants: 'postgres, or unset',
    }),
  ),

  RATE_LIMIT_SUBMISSIONS: rate('20/5', '`POST /v1/submissions`, by user.'),
  RATE_LIMIT_RUNS: rate('30/10', '`POST /v1/input_submissions`, by user.'),
  RATE_LIMIT_ACCOUNTS: rate(
    '10/5',
    'Login (also by HTTP Basic), registration and the two password-reset routes, each by address.',
  ),
  RATE_LIMIT_PUBLIC_RUNS: rate(
    '5/2',
    'The public and the bench variant of custom-input runs, each by address.',
  ),
  RATE_LIMIT_WRITES: rate('120/30', 'All other writes of a user together. Admins and judges have no limit.'),
  RATE_LIMIT_FEEDS: rate(
    '12/6',
    'New event feeds of the Contest API without `since_token`, by account, or by address without one. Staff of the contest, judges and admins have no limit.',
  ),
  RATE_LIMIT_FAILED_LOGINS: rate('10/10', 'Failed logins, by account and address together.'),
  RATE_LIMIT_FAILED_SECRETS: rate(
    '10/10',
    'Wrong secrets at `POST /v1/login_judge` and at `POST /v1/create_or_login_user`, each by address.',
  ),
  RATE_LIMIT_EXEMPT: networks(
    'Addresses and networks without limits by address, separated by commas; [the risk](operations.md#many-people-behind-one-address).',
  ),

  RUNS_UNFINISHED_PER_ADDRESS: wholeNumber(
    2,
    1000,
    'Unfinished custom-input runs without an account, by address (IPv6: by /64).',
    3,
  ),
  RUNS_UNFINISHED_PER_USER: wholeNumber(10, 1000, 'Unfinished custom-input runs of a user.', 10),
  RUNS_QUEUED_MAX: count(
    20,
    'Custom-input runs that are in the queue or with a worker; more wait in the database. Set it to the total `WORKER_CONCURRENCY` of all workers or more.',
    100_000,
  ),
  RUN_RETENTION_HOURS: byAccount(
    '24/168',
    'Age at which custom-input runs are deleted, in hours: without an account / with one.',
  ),

  CHANGE_RETENTION_HOURS: wholeNumber(
    1,
    8760,
    'Age at which rows of the change log are deleted, in hours. Streams and feeds can go on from a position that is younger.',
    24,
  ),
  WEBHOOK_NETWORKS: networks(
    'Networks to which webhooks may be sent besides public addresses, also with `http:`, separated by commas.',
  ),

  LISTS_PER_ACCOUNT: count(
    2,
    'Lists without `limit`, or with long texts, that one account reads at the same time; further ones wait.',
  ),
  RESPONSE_MEMORY_BYTES: count(
    256 * mebibyte,
    'Memory of the responses that clients have not read yet, in bytes. Above that, responses over 64 KiB get 503.',
    1024 ** 4,
  ),
  BODY_LIMIT_BYTES: count(mebibyte, 'Largest request body, in bytes.'),
  PROBLEM_BODY_LIMIT_BYTES: count(64 * mebibyte, 'Largest body that creates or updates a problem, in bytes.'),
  PACKAGE_LIMIT_BYTES: count(256 * mebibyte, 'Largest problem package (a zip file), in bytes.'),
  PACKAGE_CPU_SECONDS: count(
    30,
    'CPU time in which a process must read a package, in seconds. Each process has 512 MiB of memory.',
    3600,
  ),
  PACKAGE_PROCESSES: count(2, 'Packages that are read at the same time; 20 more wait.', 64),
  VERDICT_BODY_LIMIT_BYTES: count(32 * mebibyte, 'Largest body of a verdict, in bytes.'),
  SOURCE_CODE_LIMIT_BYTES: count(256 * kibibyte, 'Longest `source_code`, in bytes of UTF-8.'),
  STDIN_LIMIT_BYTES: count(mebibyte, 'Longest `stdin` of a custom-input run, in bytes of UTF-8.'),
  // An index entry of PostgreSQL holds some 2,700 bytes.
  NAME_LIMIT_CHARACTERS: count(255, 'Longest name, e-mail, title or identifier, in characters.', 600),
  QUESTION_LIMIT_CHARACTERS: count(10_000, 'Longest question or answer, in characters.'),
  PROMPT_LIMIT_BYTES: count(mebibyte, 'Longest `prompt` of a problem, in bytes of UTF-8.', 64 * mebibyte),
})

/** The valid values of a variable, in words that complete "PORT must be …". */
export function wantsOf(variable: TSchema | undefined): string {
  return variable !== undefined && 'wants' in variable ? String(variable.wants) : 'set correctly'
}

/** The variables that `npm run admin` needs. */
export const administrationSchema = Type.Pick(environmentSchema, [
  'DATABASE_URL',
  'DATA_DIR',
  'DATABASE_POOL_SIZE',
  'DATABASE_WAIT_SECONDS',
  'ADMIN_EMAILS',
  'PASSWORD_MIN_LENGTH',
  'NAME_LIMIT_CHARACTERS',
])

/** The variables that migrations need. */
export const databaseSchema = Type.Pick(environmentSchema, [
  'DATABASE_URL',
  'DATA_DIR',
  'DATABASE_POOL_SIZE',
  'DATABASE_WAIT_SECONDS',
  'SEARCH_BACKEND',
])
