import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { freshDatabaseVariables } from './support/process-database.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

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
  const imported = ['tsx', `data:text/javascript,${encodeURIComponent(before)}`]
  const options = imported.flatMap((name) => ['--import', name])
  const argv = [...options, '--conditions=source', main]
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...variables }
  const ending = promisify(execFile)(process.execPath, argv, { cwd: root, env, timeout: 110_000 })
  const end = await ending.catch((err) => err)
  const { code = 0, stdout: output, stderr: errors }: { code?: number; stdout: string; stderr: string } = end
  const log = output.split('\n').filter(Boolean)
  return { code, output, errors, log: log.map((line) => JSON.parse(line)) }
}

/** Opens a server on a free port. */
async function openServer() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { server, port: String(Object(server.address()).port) }
}

it('warns of weak settings; ends with 1 and one message if it cannot start; names no secret', async () => {
  const { server: closed, port: closedPort } = await openServer()
  closed.close()
  const { port: takenPort } = await openServer()
  const wrong = { JUDGE_PASSWORD: ' ', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://judge:p#ssword@db/judge' }
  const weak = { JWT_SIGNING_SECRET: 'short', JUDGE_PASSWORD: 'short!', WEB_BRIDGE_SECRET: 'fifteen bytes !' }
  const flags = { PASSWORD_RESET_DEBUG: 'true', ALLOW_INSECURE_PASSWORD_RESET: '1', TRUSTED_PROXY: 'true' }
  const [configuration, database, port] = await Promise.all([
    start({ ...secrets, ...wrong }),
    start({ ...secrets, DATABASE_URL: `postgres://judge:p-ssword@127.0.0.1:${closedPort}/judge` }),
    start({ ...weak, ...flags, ...(await freshDatabaseVariables()), PORT: takenPort }),
  ])
  for (const { code, output, errors } of [configuration, database, port]) {
    expect(code).toBe(1)
    expect(output + errors).not.toMatch(/p.ssword@|secret, long|password, long|"short|"fifteen/)
  }

  const [head, ...lines] = configuration.errors.trimEnd().split('\n')
  expect(configuration.output).toBe('')
  expect(head).toBe('The configuration is not usable:')
  expect(lines.toSorted()).toEqual([
    '  - DATABASE_URL must be a URL that begins with postgres://',
    '  - JUDGE_PASSWORD must be set to a secret of 16 bytes or more',
    '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
  ])

  expect(database.log).toMatchObject([{ level: 60, msg: 'did not start' }])
  expect(database.output).toContain('ECONNREFUSED')

  const warnings = port.log.filter(({ level }) => level === 40).map(({ msg }) => msg.split(' ')[0])
  expect(warnings).toEqual([...Object.keys(weak), 'PASSWORD_RESET_DEBUG', 'ALLOW_INSECURE_PASSWORD_RESET'])
  expect(port.log.at(-1)).toMatchObject({ level: 60, msg: 'did not start', err: { code: 'EADDRINUSE' } })
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
