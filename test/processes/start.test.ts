import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../tools/local-servers/free-ports.ts'
import { startLocalService } from '../../tools/local-servers/service.ts'
import { ROOT } from '../setup/places.ts'
import { secrets } from '../support/configuration.ts'
import type { Language } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { startProductionService } from '../support/production-service.ts'
import { refusal } from '../support/refusals.ts'
import { runScript } from '../support/run-script.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

/**
 * Starts the real service with these variables and no others, after the JavaScript `before`.
 * Resolves to its exit code, output and log once it has ended by itself.
 */
async function start(variables: Record<string, string>, before = '') {
  const end = await runScript('main', { HOST: '127.0.0.1', PORT: '0', ...variables }, { before })
  const log = end.output.split('\n').filter(Boolean)
  return { ...end, log: log.map((line) => JSON.parse(line)) }
}

async function openServer() {
  const server = createServer()
  onTestFinished(() => void server.close())
  return { server, port: String(await listen(server)) }
}

type End = { readonly code: unknown; readonly errors: string; readonly log?: { readonly level: number }[] }

/** Expects exit code 1, and one line for a person instead of a stack trace or a fatal log line. */
function expectOneLine({ code, errors, log = [] }: End, line: string | RegExp): void {
  const lines = errors.trimEnd().split('\n')
  expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(line)] })
  expect(log.filter(({ level }) => level > 40)).toEqual([])
}

it('warns of weak settings and misspelt variables; ends with 1 and one message if it cannot start; names no secret', async () => {
  const { server, port: closedPort } = await openServer()
  server.close()
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
  const [fresh, other] = [await freshDatabaseVariables(), await freshDatabaseVariables()]
  const [metrics, host, folder, languages] = await Promise.all([
    start({ ...secrets, ...fresh, METRICS_PORT: port }),
    start({ ...secrets, ...other, HOST: '192.0.2.1' }),
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
  const { proxy, url } = await startProxy(DATABASE_URL || 'postgres://nobody@127.0.0.1/none')
  proxy.cut()
  const log: string[] = []
  const variables = { ...secrets, DATABASE_URL: url, DATABASE_WAIT_SECONDS: DATABASE_URL ? '100' : '1' }
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
  for (const [index, end] of ends.entries()) {
    expectOneLine(end, reasons[index] ?? '')
    expect(end.errors).toContain('DATABASE_URL: ')
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

const fooAndBar = `
[[languages]]
name = "Foo"
aliases = ["foolang"]
extensions = ["foo", "fo"]
version = "7"
source = "main.foo"
run = ["foo", "{source}"]

[[languages]]
name = "Bar"
extensions = ["bar"]
version = "1"
source = "main.bar"
run = ["bar", "{source}"]
`

async function writeLanguages(text: string) {
  const file = join(await makeTemporaryFolder(), 'languages.toml')
  await writeFile(file, text)
  return file
}

async function startWithAdmin(variables: Record<string, string>) {
  const registration = { BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: 'root@example.org' }
  const { request, stop } = await startProductionService({ ...registration, ...variables })
  return {
    stop,
    listNames: async () => {
      const { body } = await request('GET', '/v1/languages')
      return body.map(({ name, extension, version }: Language) => `${name} ${version} .${extension}`)
    },
    logIn: async (path: string) => {
      const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
      // The service refuses a password (503) that waits too long: a busy machine needs another try.
      const token = await until(async () => {
        const { body } = await request('POST', path, { body: account })
        expect(body).toHaveProperty('token')
        return body.token
      })
      return (name: string, extension: string) =>
        request('POST', '/v1/languages', { token, body: { name, extension, version: '8' } })
    },
  }
}

it('JUDGE_LANGUAGES_FILE sets the first languages and those that can be added; later starts change only the latter (D22)', async () => {
  const database = await freshDatabaseVariables()
  const first = await startWithAdmin({ ...database, JUDGE_LANGUAGES_FILE: await writeLanguages(fooAndBar) })
  expect(await first.listNames()).toEqual(['Foo 7 .foo', 'Bar 1 .bar'])
  const add = await first.logIn('/v1/basic_register')
  const isUnknown = refusal(400, '400', 'name must be one of the judge’s languages: Foo, Bar')
  expect(await add('Python', 'py')).toMatchObject(isUnknown)
  const added = { name: 'FooLang', extension: 'fo', version: '8' }
  expect(await add('FooLang', '.fo')).toMatchObject({ status: 201, body: added })
  const names = await first.listNames()
  await first.stop()

  const second = await startWithAdmin(database)
  expect(await second.listNames()).toEqual(names)
  const addLater = await second.logIn('/v1/basic_login')
  expect(await addLater('Foo', 'foo')).toMatchObject({ status: 400 })
  expect(await addLater('Python', 'py')).toMatchObject({ status: 201 })
})

it('an invalid JUDGE_LANGUAGES_FILE stops the start, with an error that names it', async () => {
  const invalid = await writeLanguages(fooAndBar.replace('version = "7"', ''))
  const error = `${invalid}: languages[0] ("Foo")`
  await expect(startWithAdmin({ JUDGE_LANGUAGES_FILE: invalid })).rejects.toThrow(error)
})
