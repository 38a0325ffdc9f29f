import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox'

/** What a variable wants, in words that complete "PORT must be …". */
interface Wanted extends TSchemaOptions {
  readonly description: string
  readonly wants: string
  readonly readableFile?: true
  readonly parsableUrl?: true
  /** What each part of a list, separated by commas, matches. */
  readonly partPattern?: string
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const day = 24 * 60 * 60

const secret = (description: string) =>
  Type.String({ pattern: '\\S', description, wants: 'set to a secret of 16 bytes or more' })

const flag = (description: string) =>
  Type.String({ default: 'false', description, wants: '`true` or `1` to switch it on' })

const count = (value: number, description: string, maximum = 2_147_483_647) =>
  Type.Integer({
    default: value,
    minimum: 1,
    maximum,
    description,
    wants: `a whole number from 1 to ${maximum}`,
  })

const rate = (value: string, description: string) =>
  Type.String({
    default: value,
    pattern: '^[1-9][0-9]{0,8}/[1-9][0-9]{0,8}$',
    description,
    wants: 'a rate as <requests per minute>/<burst>, for example 20/5',
  })

const text = (wanted: Wanted & { default?: string; pattern?: string }) => Type.String(wanted)

const queueTypes = ['classic', 'quorum'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every variable that the service reads: meaning, default and what it accepts (D38). */
export const environmentSchema = Type.Object({
  JWT_SIGNING_SECRET: secret('Signs the user and judge tokens (HS256). Every instance shares it.'),
  JUDGE_PASSWORD: secret('What a judge worker sends to `POST /v1/login_judge`.'),
  WEB_BRIDGE_SECRET: secret('What the web server sends to `POST /v1/create_or_login_user`.'),

  HOST: text({
    default: '0.0.0.0',
    description: 'Address to listen on.',
    wants: 'a host name or an address',
  }),
  PORT: Type.Integer({
    default: 5000,
    minimum: 0,
    maximum: 65_535,
    description: 'Port to listen on; 0 takes a free one.',
    wants: 'a whole number from 0 to 65535',
  }),
  DATABASE_URL: Type.Optional(
    text({
      pattern: '^postgres(ql)?://',
      parsableUrl: true,
      description: 'PostgreSQL 15 or later. Unset: the embedded database under `DATA_DIR`.',
      wants: 'a URL that begins with postgres://',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 4,
    maximum: 1000,
    description: 'Connections to PostgreSQL of one instance.',
    wants: 'a whole number from 4 to 1000',
  }),
  DATA_DIR: text({ default: './data', description: 'Folder of the embedded database.', wants: 'a path' }),
  AMQP_URL: Type.Optional(
    text({
      pattern: '^amqps?://',
      parsableUrl: true,
      description: 'RabbitMQ. Unset: messages wait in the database for a worker in the same process.',
      wants: 'a URL that begins with amqp:// or amqps://',
    }),
  ),
  AMQP_QUEUE: text({
    default: 'submission_queue',
    pattern: '^.{1,255}$',
    description: 'Name of the durable queue that the workers read.',
    wants: 'a queue name of 1 to 255 characters',
  }),
  AMQP_QUEUE_TYPE: Type.Enum(queueTypes, {
    default: 'classic',
    description: 'How the queue is declared; `quorum` for clusters, `classic` without any argument.',
    wants: `one of ${queueTypes.join(', ')}`,
  }),
  REQUEUE_AFTER_SECONDS: count(
    300,
    'Seconds that a judge may take: what is still pending so long after the queue was seen empty is taken for lost, and queued again.',
    86_400,
  ),
  CORS_ORIGINS: text({
    default: '',
    partPattern: '^(\\*|[a-z][a-z0-9+.-]*://[^\\sA-Z/?#]+)$',
    description: 'Origins whose pages may call the service, separated by commas, or `*`. Empty: none.',
    wants: 'origins as browsers send them (https://judge.example.org, no path), separated by commas, or *',
  }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port on which `/metrics` is served for Prometheus, to whoever asks; 0 takes a free one. Unset: not at all.',
      wants: 'a whole number from 0 to 65535, or unset',
    }),
  ),
  LOG_LEVEL: Type.Enum(logLevels, {
    default: 'info',
    description: 'The least severe log line that is written.',
    wants: `one of ${logLevels.join(', ')}`,
  }),
  TRUSTED_PROXY: flag(
    'Takes a client’s address from the last entry of `X-Forwarded-For`, which the trusted proxy appended.',
  ),

  ADMIN_EMAILS: text({
    default: '',
    partPattern: '^[^\\s;@]+@[^\\s;@]+$',
    description: 'E-mail addresses, separated by commas, whose new accounts are admins.',
    wants: 'e-mail addresses separated by commas',
  }),
  BASIC_REGISTRATION_ENABLED: flag('Opens `POST /v1/basic_register`.'),
  PASSWORD_MIN_LENGTH: count(6, 'Fewest characters of a password.', 1024),
  PASSWORD_RESET_DEBUG: flag('For development: the reset request answers with the token.'),
  ALLOW_INSECURE_PASSWORD_RESET: flag('For development: a password is reset without a token.'),
  USER_TOKEN_TTL: count(7 * day, 'Seconds that a user’s token is valid.'),
  JUDGE_TOKEN_TTL: count(30 * day, 'Seconds that a judge’s token is valid.'),

  JUDGE_LANGUAGES_FILE: Type.Optional(
    text({
      description: 'The judge’s language configuration (TOML). Unset: the file that ships with the project.',
      wants: 'a path to a readable language file',
      readableFile: true,
    }),
  ),
  JUDGE_EXTRA_STATUSES: text({
    default: '',
    partPattern: '^[A-Z][A-Z0-9_]*$',
    description: 'Verdict statuses of your workers beyond the usual ones, separated by commas.',
    wants: 'upper-case words separated by commas',
  }),

  SEARCH_BACKEND: Type.Optional(
    Type.Enum(['postgres'], {
      description:
        'Serves the `query` of `GET /v1/problems`: `postgres` by full text and trigrams (it needs the extension pg_trgm). Unset: `query` is ignored.',
      wants: 'postgres, or unset',
    }),
  ),

  RATE_LIMIT_SUBMISSIONS: rate('20/5', '`POST /v1/submissions`, by user.'),
  RATE_LIMIT_RUNS: rate('30/10', '`POST /v1/input_submissions`, by user.'),
  RATE_LIMIT_ACCOUNTS: rate(
    '10/5',
    'Login, registration and the two password-reset routes, each by address.',
  ),
  RATE_LIMIT_PUBLIC_RUNS: rate(
    '5/2',
    'The public and the bench variant of custom-input runs, each by address.',
  ),

  BODY_LIMIT_BYTES: count(mebibyte, 'Largest request body, in bytes.'),
  PROBLEM_BODY_LIMIT_BYTES: count(64 * mebibyte, 'Largest body that creates or updates a problem, in bytes.'),
  VERDICT_BODY_LIMIT_BYTES: count(32 * mebibyte, 'Largest body of a verdict, in bytes.'),
  SOURCE_CODE_LIMIT_BYTES: count(256 * kibibyte, 'Longest `source_code`, in bytes of UTF-8.'),
  STDIN_LIMIT_BYTES: count(mebibyte, 'Longest `stdin` of a custom-input run, in bytes of UTF-8.'),
  // An index entry of PostgreSQL holds some 2,700 bytes.
  NAME_LIMIT_CHARACTERS: count(255, 'Longest name, e-mail, title or identifier, in characters.', 600),
})

/** What a variable of the schema accepts, in words that complete "PORT must be …". */
export function wantsOf(variable: TSchema | undefined): string {
  return variable !== undefined && 'wants' in variable ? String(variable.wants) : 'set correctly'
}

/** The part of it that says where the database is. */
export const databaseSchema = Type.Pick(environmentSchema, [
  'DATABASE_URL',
  'DATA_DIR',
  'DATABASE_POOL_SIZE',
  'SEARCH_BACKEND',
])

export type Environment = Static<typeof environmentSchema>
