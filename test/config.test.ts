import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { variables as workerVariables } from '../packages/worker/src/configuration.ts'
import { examplesIn } from '../scripts/generated/configuration.ts'
import { configWarnings, loadConfig } from '../src/config/config.ts'
import { environmentSchema } from '../src/config/environment.ts'
import { secretNames } from '../src/config/secret-names.ts'
import { load, refusalOf, secrets } from './support/configuration.ts'

describe('the configuration', () => {
  it('has defaults for all but the three secrets', () => {
    const { JWT_SIGNING_SECRET: jwtSigning, JUDGE_PASSWORD: judgePassword } = secrets
    expect(load()).toMatchObject({
      ...{ host: '0.0.0.0', port: 5000, logLevel: 'info', trustedProxy: false, corsOrigins: [] },
      database: { databaseUrl: undefined, dataDir: './data', poolSize: 10, waitSeconds: 30 },
      queue: { url: undefined, name: 'submission_queue', type: 'classic' },
      secrets: { jwtSigning, judgePassword, webBridge: secrets.WEB_BRIDGE_SECRET },
      accounts: {
        ...{ adminEmails: new Set(), registrationEnabled: false, passwordMinLength: 6 },
        ...{ passwordResetDebug: false, allowInsecurePasswordReset: false },
      },
      tokens: { userTtlSeconds: 2_592_000, judgeTtlSeconds: undefined },
      ...{ searchBackend: undefined, languagesFile: undefined, extraStatuses: [], exemptNetworks: [] },
      rates: {
        'failed logins': { perMinute: 10, burst: 10 },
        'failed secrets': { perMinute: 10, burst: 10 },
      },
      sizes: {
        ...{ bodyBytes: 1_048_576, problemBodyBytes: 67_108_864, verdictBodyBytes: 33_554_432 },
        ...{ sourceCodeBytes: 262_144, stdinBytes: 1_048_576, promptBytes: 1_048_576 },
        ...{ nameCharacters: 255, questionCharacters: 10_000 },
      },
    })
  })

  const DATABASE_URLS = [
    ...['postgresql://u:p@h/db', 'postgres://u:p@/db', 'postgres:///db?host=/run'],
    ...['postgres://u:p@one,two:5433/db', 'postgres://u:p@one,two/db?target_session_attrs=read-write'],
    'postgres://u:p@one,two/db?target_session_attrs=primary',
  ]
  const QUEUE_URLS = ['amqp://u:p@one,two:5673/judge', 'amqps://u:p@h:5671/%2F']
  type Accepted = [name: string, value: string, expected: unknown]
  it.each<Accepted>([
    ['HOST', '::1', { host: '::1' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ...DATABASE_URLS.map((url): Accepted => ['DATABASE_URL', url, { database: { databaseUrl: url } }]),
    ...QUEUE_URLS.map((url): Accepted => ['AMQP_URL', url, { queue: { url } }]),
    ['DATABASE_POOL_SIZE', '4', { database: { poolSize: 4 } }],
    ['DATABASE_WAIT_SECONDS', '0', { database: { waitSeconds: 0 } }],
    ['DATA_DIR', '/srv/judge', { database: { dataDir: '/srv/judge' } }],
    ['AMQP_QUEUE', 'other', { queue: { name: 'other' } }],
    ['AMQP_QUEUE_TYPE', 'quorum', { queue: { type: 'quorum' } }],
    ['CORS_ORIGINS', ' https://a.org , http://b:3000,', { corsOrigins: ['https://a.org', 'http://b:3000'] }],
    ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
    ['CORS_ORIGINS', 'null,https://a.org', { corsOrigins: ['null', 'https://a.org'] }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['TRUSTED_PROXY', 'true', { trustedProxy: true }],
    ['ADMIN_EMAILS', 'A@b.org, c@d.org', { accounts: { adminEmails: new Set(['a@b.org', 'c@d.org']) } }],
    ['BASIC_REGISTRATION_ENABLED', '1', { accounts: { registrationEnabled: true } }],
    ['PASSWORD_MIN_LENGTH', '12', { accounts: { passwordMinLength: 12 } }],
    ['PASSWORD_RESET_DEBUG', 'true', { accounts: { passwordResetDebug: true } }],
    ['ALLOW_INSECURE_PASSWORD_RESET', '1', { accounts: { allowInsecurePasswordReset: true } }],
    ['USER_TOKEN_TTL', '60', { tokens: { userTtlSeconds: 60 } }],
    ['JUDGE_TOKEN_TTL', '61', { tokens: { judgeTtlSeconds: 61 } }],
    ['JUDGE_LANGUAGES_FILE', 'package.json', { languagesFile: 'package.json' }],
    ['JUDGE_EXTRA_STATUSES', 'A_1, B', { extraStatuses: ['A_1', 'B'] }],
    ['SEARCH_BACKEND', 'postgres', { searchBackend: 'postgres' }],
    ['RATE_LIMIT_SUBMISSIONS', '2/1', { rates: { submissions: { perMinute: 2, burst: 1 } } }],
    ['RATE_LIMIT_RUNS', '600/100', { rates: { runs: { perMinute: 600, burst: 100 } } }],
    ['RATE_LIMIT_ACCOUNTS', '3/4', { rates: { accounts: { perMinute: 3, burst: 4 } } }],
    ['RATE_LIMIT_PUBLIC_RUNS', '5/6', { rates: { 'public runs': { perMinute: 5, burst: 6 } } }],
    ['RATE_LIMIT_FAILED_LOGINS', '7/8', { rates: { 'failed logins': { perMinute: 7, burst: 8 } } }],
    ['RATE_LIMIT_FAILED_SECRETS', '9/1', { rates: { 'failed secrets': { perMinute: 9, burst: 1 } } }],
    ['RATE_LIMIT_EXEMPT', '192.0.2.0/24, ::1,', { exemptNetworks: ['192.0.2.0/24', '::1'] }],
    ['RATE_LIMIT_EXEMPT', '0.0.0.0/0,::/0', { exemptNetworks: ['0.0.0.0/0', '::/0'] }],
    ['WEBHOOK_NETWORKS', '10.0.0.0/8, ::1', { webhookNetworks: ['10.0.0.0/8', '::1'] }],
    ['BODY_LIMIT_BYTES', '7', { sizes: { bodyBytes: 7 } }],
    ['PROBLEM_BODY_LIMIT_BYTES', '8', { sizes: { problemBodyBytes: 8 } }],
    ['VERDICT_BODY_LIMIT_BYTES', '9', { sizes: { verdictBodyBytes: 9 } }],
    ['SOURCE_CODE_LIMIT_BYTES', '10', { sizes: { sourceCodeBytes: 10 } }],
    ['STDIN_LIMIT_BYTES', '11', { sizes: { stdinBytes: 11 } }],
    ['NAME_LIMIT_CHARACTERS', '600', { sizes: { nameCharacters: 600 } }],
  ])('accepts %s=%s', (name, value, expected) => {
    expect(load({ [name]: value })).toMatchObject(Object(expected))
  })

  it('treats a blank variable as unset', () => {
    const blank = { PORT: '', DATABASE_URL: ' ', LOG_LEVEL: '\t', RATE_LIMIT_RUNS: '', TRUSTED_PROXY: '' }
    expect(load(blank)).toEqual(load())
  })

  it('enables a flag only with true or 1', () => {
    for (const value of ['false', '0', 'TRUE', 'True', 'yes', 'on', ' true', 'true ', '2', 'null'])
      expect(load({ TRUSTED_PROXY: value }).trustedProxy, value).toBe(false)
  })
})

describe('an invalid configuration', () => {
  const secretError = 'must be set to a secret of 16 bytes or more'
  const secretErrors = Object.keys(secrets).map((name) => `${name} ${secretError}`)

  it('is refused in one message with every missing or blank secret', () => {
    expect(refusalOf({}).toSorted()).toEqual(secretErrors.toSorted())
    expect(refusalOf({ ...secrets, JUDGE_PASSWORD: '' })).toEqual([`JUDGE_PASSWORD ${secretError}`])
    const blank = { JWT_SIGNING_SECRET: ' ', JUDGE_PASSWORD: '\t\n', WEB_BRIDGE_SECRET: '   ' }
    expect(refusalOf(blank).toSorted()).toEqual(secretErrors.toSorted())
  })

  const origins = 'origins as browsers send them (https://judge.example.org, no path, or null)'
  /** Invalid variables by what they must be. */
  const invalid = {
    'a whole number from 0 to 65535': ['PORT=65536', 'PORT=-1', 'PORT=http', 'PORT=80.5'],
    'a URL that begins with postgres:// (of several hosts only with target_session_attrs=read-write or primary)':
      [
        ...['DATABASE_URL=mysql://h/db', 'DATABASE_URL=localhost:5432', 'DATABASE_URL=postgres://h:99999/db'],
        ...['DATABASE_URL=postgres://u:secret#1@h/db', 'DATABASE_URL=postgres://one,two:99999/db'],
        'DATABASE_URL=postgres://one,two/db?target_session_attrs=any',
      ],
    'a whole number from 4 to 1000': ['DATABASE_POOL_SIZE=3'],
    'a whole number from 0 to 3600': ['DATABASE_WAIT_SECONDS=-1', 'DATABASE_WAIT_SECONDS=3601'],
    'a URL that begins with amqp:// or amqps://': [
      ...['AMQP_URL=queue', 'AMQP_URL=http://h'],
      ...['AMQP_URL=amqp://u:secret#1@h', 'AMQP_URL=amqp://[::1],[::2]'],
    ],
    'a queue name of 1 to 255 characters': [`AMQP_QUEUE=${'a'.repeat(256)}`],
    'one of classic, quorum': ['AMQP_QUEUE_TYPE=stream'],
    [`${origins}, separated by commas, or *`]: ['https://a.org/', 'https://a.org,b.org'].map(
      (value) => `CORS_ORIGINS=${value}`,
    ),
    'one of fatal, error, warn, info, debug, trace, silent': ['LOG_LEVEL=INFO'],
    'e-mail addresses separated by commas': ['ADMIN_EMAILS=a@b.org;c@d.org', 'ADMIN_EMAILS=a@b.org, root'],
    'a whole number from 1 to 1024': ['PASSWORD_MIN_LENGTH=1025'],
    'a path to a readable language file': ['JUDGE_LANGUAGES_FILE=/nowhere/languages.toml'],
    'upper-case words separated by commas': ['JUDGE_EXTRA_STATUSES=ok', 'JUDGE_EXTRA_STATUSES=A B'],
    'postgres, or unset': ['SEARCH_BACKEND=elastic'],
    'a rate as <requests per minute>/<burst>, for example 20/5': [
      ...['RATE_LIMIT_SUBMISSIONS=20', 'RATE_LIMIT_RUNS=0/5', 'RATE_LIMIT_ACCOUNTS=1.5/1'],
      'RATE_LIMIT_PUBLIC_RUNS=5/2/1',
    ],
    'addresses or networks such as 192.0.2.0/24 or 2001:db8::/48, separated by commas': [
      ...['classroom', '192.0.2.1/33', '192.0.2.0/-1', '192.0.2', '192.0.2.0/', '10.0.0.0/8/8'],
      ...['2001:db8::/129', 'fe80::%eth0/64', '::ffff:10.0.0.0/95', '010.0.0.1', '192.0.2.0/24 ::1', '/8'],
    ].flatMap((value) => [`RATE_LIMIT_EXEMPT=${value}`, `WEBHOOK_NETWORKS=${value}`]),
    'a whole number from 1 to 2147483647': [
      ...['USER_TOKEN_TTL=7d', 'BODY_LIMIT_BYTES=1MiB'],
      ...['PROBLEM_BODY_LIMIT_BYTES=2147483648', 'VERDICT_BODY_LIMIT_BYTES=-5'],
      ...['SOURCE_CODE_LIMIT_BYTES=0', 'STDIN_LIMIT_BYTES=no'],
    ],
    'a whole number from 1 to 2147483647, or unset': ['JUDGE_TOKEN_TTL=Infinity', 'JUDGE_TOKEN_TTL=0'],
    'a whole number from 1 to 600': ['NAME_LIMIT_CHARACTERS=601'],
  }
  const parse = (text: string) => Object.fromEntries([text.split(/=(.*)/s, 2)])

  it.each(Object.entries(invalid))(
    'is refused for a value that is not %s, without the value in the message',
    (wanted, texts) => {
      for (const text of texts) {
        const [name] = text.split('=')
        expect(refusalOf({ ...secrets, ...parse(text) })).toEqual([`${name} must be ${wanted}`])
      }
    },
  )

  it('is refused with all invalid variables at once, each named once', () => {
    const variables: Record<string, string> = Object.assign({}, ...Object.values(invalid).flat().map(parse))
    const named = refusalOf(variables).map((line) => line.split(' ')[0])
    expect(named.toSorted()).toEqual([...Object.keys(variables), ...Object.keys(secrets)].toSorted())
  })
})

describe('configuration warnings', () => {
  it('name each secret of fewer than 16 bytes', () => {
    const weak = { JWT_SIGNING_SECRET: 'é'.repeat(7), JUDGE_PASSWORD: 'a'.repeat(15), WEB_BRIDGE_SECRET: 'x' }
    const warnings = configWarnings(loadConfig(weak))
    expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(Object.keys(secrets))
    for (const warning of warnings) expect(warning).toMatch(/SHORTER THAN 16 BYTES/)
    const enough = { ...secrets, JWT_SIGNING_SECRET: 'é'.repeat(8), JUDGE_PASSWORD: 'a'.repeat(16) }
    expect(configWarnings(loadConfig(enough))).toEqual([])
  })

  it('name each development flag that is enabled behind a trusted proxy', () => {
    const flags = ['PASSWORD_RESET_DEBUG', 'ALLOW_INSECURE_PASSWORD_RESET']
    for (const flag of flags) {
      expect(configWarnings(load({ [flag]: 'true', TRUSTED_PROXY: 'true' }))).toEqual([
        expect.stringMatching(new RegExp(`^${flag} is on together with TRUSTED_PROXY`)),
      ])
      expect(configWarnings(load({ [flag]: 'true' }))).toEqual([])
      expect(configWarnings(load({ [flag]: 'no', TRUSTED_PROXY: '1' }))).toEqual([])
    }
    const both = Object.fromEntries([...flags, 'TRUSTED_PROXY'].map((name) => [name, '1']))
    expect(configWarnings(load(both))).toHaveLength(2)
  })
})

describe('a variable that is not of the service', () => {
  const warningsOf = (...names: string[]) =>
    configWarnings(load(), { ...secrets, ...Object.fromEntries(names.map((name) => [name, 'a value'])) })

  it.each([
    ['RATE_LIMIT_ACCOUNT', 'RATE_LIMIT_ACCOUNTS'],
    ['JUDGE_PASSWROD', 'JUDGE_PASSWORD'],
    ['JUDGE_LANGUAGE_FILE', 'JUDGE_LANGUAGES_FILE'],
    ['AMQP_URI', 'AMQP_URL'],
    ['database_url', 'DATABASE_URL'],
    ['TRUST_PROXY', 'TRUSTED_PROXY'],
    ['JUDGE_PASWORD_FILE', 'JUDGE_PASSWORD_FILE'],
    ['DATABASE_URL_FLIE', 'DATABASE_URL_FILE'],
  ])('causes a warning without its value if its name resembles one: %s, meant %s', (name, meant) => {
    const warning = `${name} is no variable of this service and has no effect. Did you mean ${meant}?`
    expect(warningsOf(name)).toEqual([warning])
  })

  it('names a misspelt variable beside the required one that is missing', () => {
    const { JUDGE_PASSWORD: password, ...others } = secrets
    const load = () => loadConfig({ ...others, JUDGE_PASSWRD: password })
    expect(load).toThrow('JUDGE_PASSWORD must be set')
    expect(load).toThrow('Did you mean JUDGE_PASSWORD?')
  })

  it('causes no warning if it belongs to others: the shell, Node, npm, PostgreSQL, the worker, the tests', () => {
    const common = [
      ...['PATH', 'HOME', 'HOSTNAME', 'LOGNAME', 'USER', 'PWD', 'LANG', 'TERM', 'EDITOR', 'TMPDIR', 'SHLVL'],
      ...['NODE_ENV', 'NODE_OPTIONS', 'npm_config_cache', 'npm_lifecycle_event', 'INIT_CWD', 'CI', 'DEBUG'],
      ...['PGHOST', 'PGPORT', 'PGDATA', 'PGPASSWORD', 'POSTGRES_PASSWORD', 'RABBITMQ_DEFAULT_PASS'],
      ...['DATABASE_HOST', 'DATABASE_NAME', 'DATABASE_PASSWORD', 'JWT_SECRET', 'HTTP_PROXY', 'XDG_DATA_DIRS'],
      ...['KUBERNETES_SERVICE_PORT', 'TEST_DATABASE_URL', 'TEST_AMQP_URL', 'FUZZ_DATABASE_URL', 'PG_BIN_DIR'],
    ]
    expect(warningsOf(...common, ...Object.keys(environmentSchema.properties))).toEqual([])
    expect(warningsOf(...Object.keys(workerVariables))).toEqual([])
    expect(warningsOf(...secretNames.map((name) => `${name}_FILE`))).toEqual([])
  })
})

describe('docs/configuration.md', () => {
  const document = new URL('../docs/configuration.md', import.meta.url)

  it('names each variable with the path of a secret', async () => {
    const text = await readFile(document, 'utf8')
    for (const name of secretNames) expect(text).toContain(`\`${name}_FILE\``)
  })

  it('has an accepted example of each variable; all can be set together', async () => {
    const examples = examplesIn(await readFile(document, 'utf8'))
    for (const name of Object.keys(environmentSchema.properties)) {
      const example = examples.get(name) ?? ''
      expect(example, `${name} needs an example: write one in its row`).toMatch(/^`[^`]+`$/)
      expect(() => load({ [name]: example.slice(1, -1) }), name).not.toThrow()
    }
    const all = [...examples].map(([name, example]) => [name, example.slice(1, -1)])
    expect(configWarnings(loadConfig(Object.fromEntries(all)))).toHaveLength(2)
  })
})
