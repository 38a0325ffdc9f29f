import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startLocalService } from '../../tools/local-servers/service.ts'
import { ROOT } from '../setup/places.ts'
import { onPostgres } from '../support/needs.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { runScript } from '../support/run-script.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const secrets = {
  JWT_SIGNING_SECRET: 'a signing secret, long enough',
  JUDGE_PASSWORD: 'a judge password, long enough',
  WEB_BRIDGE_SECRET: 'a bridge secret, long enough',
}

/**
 * Starts the real service with these variables and no others, after the JavaScript `before`.
 * Resolves to its exit code, output and log once it has ended by itself.
 */
async function start(variables: Record<string, string>, before = '') {
  const end = await runScript('main', { HOST: '127.0.0.1', PORT: '0', ...variables }, { before })
  const log = end.output.split('\n').filter(Boolean)
  return { ...end, log: log.map((line) => JSON.parse(line)) }
}

/** Opens a server on a free port. */
async function openServer() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { server, port: String(Object(server.address()).port) }
}

/** Opens a port and closes it again: it refuses connections. */
async function findClosedPort() {
  const { server, port } = await openServer()
  server.close()
  return port
}

/** Expects exit code 1, and one line for a person instead of a stack trace or a fatal log line. */
function expectOneLine(
  { code, errors, log }: Awaited<ReturnType<typeof start>>,
  line: string | RegExp,
): void {
  expect({ code, lines: errors.trimEnd().split('\n') }).toEqual({
    code: 1,
    lines: [expect.stringMatching(line)],
  })
  expect(log.filter(({ level }) => level > 40)).toEqual([])
}

it('warns of weak settings and misspelt variables; ends with 1 and one message if it cannot start; names no secret', async () => {
  const closedPort = await findClosedPort()
  const { port: takenPort } = await openServer()
  const wrong = { JUDGE_PASSWORD: ' ', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://judge:p#ssword@db/judge' }
  const weak = { JWT_SIGNING_SECRET: 'short', JUDGE_PASSWORD: 'short!', WEB_BRIDGE_SECRET: 'fifteen bytes !' }
  const flags = { PASSWORD_RESET_DEBUG: 'true', ALLOW_INSECURE_PASSWORD_RESET: '1', TRUSTED_PROXY: 'true' }
  const away = `postgres://judge:p-ssword@127.0.0.1:${closedPort}/judge`
  const misspelt = { RATE_LIMIT_ACCOUNT: '30/10' }
  const [configuration, database, port] = await Promise.all([
    start({ ...secrets, ...wrong }),
    start({ ...secrets, DATABASE_URL: away, DATABASE_WAIT_SECONDS: '0' }),
    start({ ...weak, ...flags, ...misspelt, ...(await freshDatabaseVariables()), PORT: takenPort }),
  ])
  for (const { code, output, errors } of [configuration, database, port]) {
    expect(code).toBe(1)
    expect(output + errors).not.toMatch(/p.ssword@|secret, long|password, long|"short|"fifteen/)
  }

  const [head, ...lines] = configuration.errors.trimEnd().split('\n')
  expect(configuration.output).toBe('')
  expect(head).toBe('The configuration is not usable:')
  expect(lines.toSorted()).toEqual([
    '  - DATABASE_URL must be a URL that begins with postgres:// (of several hosts only with target_session_attrs=read-write or primary)',
    '  - JUDGE_PASSWORD must be set to a secret of 16 bytes or more',
    '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
  ])

  expectOneLine(database, /^The service cannot start. DATABASE_URL: .*ECONNREFUSED/)
  expect(database.log).toEqual([])

  const warnings = port.log.filter(({ level }) => level === 40).map(({ msg }) => msg.split(' ')[0])
  const flagged = ['PASSWORD_RESET_DEBUG', 'ALLOW_INSECURE_PASSWORD_RESET']
  expect(warnings).toEqual([...Object.keys(weak), ...flagged, ...Object.keys(misspelt)])
  expectOneLine(port, `^The service cannot start. PORT: 127.0.0.1:${takenPort} is in use by another process$`)
})

it('ends with 1 and one line that names the variable of a port, folder or file that it cannot use', async () => {
  const { port } = await openServer()
  const fresh = await freshDatabaseVariables()
  const [metrics, host, folder, languages] = await Promise.all([
    start({ ...secrets, ...fresh, METRICS_PORT: port }),
    start({ ...secrets, ...(await freshDatabaseVariables()), HOST: '192.0.2.1' }),
    start({ ...secrets, DATA_DIR: join(ROOT, 'package.json') }),
    start({ ...secrets, DATA_DIR: '/nowhere', JUDGE_LANGUAGES_FILE: ROOT }),
  ])
  expectOneLine(metrics, `METRICS_PORT: 127.0.0.1:${port} is in use by another process$`)
  expectOneLine(host, /HOST: 192\.0\.2\.1:0 is not an address of this machine$/)
  expectOneLine(folder, /DATA_DIR: .* is not a folder$/)
  expectOneLine(languages, /JUDGE_LANGUAGES_FILE: .* cannot be read/)
})

it('waits for a database that is out of reach, and then logs its address once', async () => {
  const { DATABASE_URL = '' } = await freshDatabaseVariables()
  const url = new URL(DATABASE_URL || 'postgres://nobody@127.0.0.1/none')
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
  onTestFinished(() => proxy.close())
  proxy.cut()
  url.host = `127.0.0.1:${proxy.port}`
  const log: string[] = []
  const variables = { ...secrets, DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: DATABASE_URL ? '100' : '1' }
  if (DATABASE_URL === '') {
    // Without PostgreSQL only the end of the wait can be seen.
    const given = await start(variables)
    expectOneLine(given, /DATABASE_URL: .*ECONNRESET/)
    expect(given.log).toMatchObject([{ level: 40, msg: 'waiting up to 1 s for the database' }])
    return
  }
  const starting = startLocalService({ variables, onLine: (line) => log.push(line) })
  await expect.poll(() => proxy.connectionCount).toBeGreaterThan(1)
  proxy.restore()
  const service = await starting
  await service.stop()
  expect(log.filter((line) => line.includes('waiting up to'))).toHaveLength(1)
  expect(log.filter((line) => line.includes(service.url.slice('http://'.length)))).toHaveLength(1)
})

it('does not wait for a user or database that the server refuses', onPostgres, async () => {
  const { DATABASE_URL = '' } = await freshDatabaseVariables()
  const [database, user] = [new URL(DATABASE_URL), new URL(DATABASE_URL)]
  database.pathname = '/no_such_database'
  user.username = 'no_such_user'
  const patient = { ...secrets, DATABASE_WAIT_SECONDS: '3600' }
  const ends = await Promise.all([
    start({ ...patient, DATABASE_URL: database.href }),
    start({ ...patient, DATABASE_URL: user.href }),
    runScript('migrate', { DATABASE_WAIT_SECONDS: '3600', DATABASE_URL: database.href }),
  ])
  const reasons = [/database "no_such_database"/, /role "no_such_user"/, /database "no_such_database"/]
  for (const [index, reason] of reasons.entries()) {
    const { code, errors } = ends[index] ?? { code: 0, errors: '' }
    expect({ code, lines: errors.trimEnd().split('\n') }).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(reason)],
    })
    expect(errors).toContain('DATABASE_URL: ')
  }
})

it('ends with 1 and a fatal line after an unhandled failure, thrown or rejected', async () => {
  const failures = { uncaughtException: 'throw', unhandledRejection: 'Promise.reject' }
  const ends = Object.entries(failures).map(async ([origin, fail]) => {
    // Fails when the service connects to its database.
    const before = `import { Socket } from 'node:net'
      Socket.prototype.connect = function () {
        setImmediate(() => { ${fail}(new Error('unforeseen')) })
        return this
      }`
    const variables = { ...secrets, DATABASE_URL: 'postgres://judge@127.0.0.1/judge' }
    return { origin, ...(await start(variables, before)) }
  })
  for (const { origin, code, log, errors } of await Promise.all(ends)) {
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    expect(log.at(-1)).toMatchObject({
      ...{ level: 60, msg: 'unhandled failure: the process exits', origin },
      err: { message: 'unforeseen', stack: expect.stringContaining('unforeseen') },
    })
  }
})
