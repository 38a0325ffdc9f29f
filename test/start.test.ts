import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { expect, it, onTestFinished } from 'vitest'
import { openContractFetch } from '../verification/contract.ts'
import { freshDatabaseVariables } from './support/process-database.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

const secrets = {
  JWT_SIGNING_SECRET: 'a signing secret, long enough',
  JUDGE_PASSWORD: 'a judge password, long enough',
  WEB_BRIDGE_SECRET: 'a bridge secret, long enough',
}

/** Starts the real service with these variables and no others; first it runs `before`, which is JavaScript. */
function start(variables: Record<string, string>, before = '') {
  const imported = ['tsx', `data:text/javascript,${encodeURIComponent(before)}`]
  const options = imported.flatMap((name) => ['--import', name])
  const child = spawn(process.execPath, [...options, '--conditions=source', main], {
    cwd: root,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk
  })
  const closed = once(child, 'close').then(([code]: unknown[]) => code)
  const readLog = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return {
    child,
    /** Resolves to the exit code, the log and the errors once the process has ended by itself. */
    untilEnded: async () => ({ code: await closed, output, log: output === '' ? [] : readLog(), errors }),
    /** Resolves to the log once the service listens. */
    untilListening: async () => {
      const listening = expect.poll(() => output, { timeout: 90_000 }).toContain('"msg":"listening"')
      const ended = closed.then((code) => expect.unreachable(`exit code ${code}: ${output}${errors}`))
      await Promise.race([listening, ended])
      return readLog()
    },
  }
}

/** Opens a server that never responds. */
async function openServer(): Promise<{ server: Server; port: string }> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { server, port: String(Object(server.address()).port) }
}

it('ends with 1 and one message if it cannot start, and names no secret', async () => {
  const { server: closed, port: closedPort } = await openServer()
  closed.close()
  const { port: takenPort } = await openServer()
  const unusable = {
    JUDGE_PASSWORD: '  ',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'postgres://judge:p#ssword@db/judge',
  }
  const ends = [
    start({ ...secrets, ...unusable }),
    start({ ...secrets, DATABASE_URL: `postgres://judge:p-ssword@127.0.0.1:${closedPort}/judge` }),
    start({ ...secrets, ...(await freshDatabaseVariables()), PORT: takenPort }),
  ].map(({ untilEnded }) => untilEnded())
  for (const end of ends) {
    const { code, output, errors } = await end
    expect(code).toBe(1)
    expect(output + errors).not.toMatch(/p.ssword@|secret, long|password, long/)
  }
  const [configuration, database, port] = await Promise.all(ends)

  expect(configuration?.output).toBe('')
  const [head, ...lines] = configuration?.errors.trimEnd().split('\n') ?? []
  expect(head).toBe('The configuration is not usable:')
  expect(lines.toSorted()).toEqual([
    '  - DATABASE_URL must be a URL that begins with postgres://',
    '  - JUDGE_PASSWORD must be set to a secret of 16 bytes or more',
    '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
  ])

  expect(database?.log).toMatchObject([{ level: 60, msg: 'did not start' }])
  expect(database?.output).toContain('ECONNREFUSED')
  expect(port?.log.at(-1)).toMatchObject({ level: 60, msg: 'did not start', err: { code: 'EADDRINUSE' } })
})

it('warns of short secrets and of development flags behind a proxy, serves, and ends with 0', async () => {
  const short = {
    JWT_SIGNING_SECRET: 'short',
    JUDGE_PASSWORD: 'shorter',
    WEB_BRIDGE_SECRET: 'fifteen bytes !',
  }
  const flags = { PASSWORD_RESET_DEBUG: 'true', ALLOW_INSECURE_PASSWORD_RESET: '1', TRUSTED_PROXY: 'true' }
  const service = start({ ...short, ...flags, ...(await freshDatabaseVariables()) })
  const entries = await service.untilListening()
  const warnings = entries.filter(({ level }) => level === 40).map(({ msg }) => msg.split(' ')[0])
  expect(warnings).toEqual([...Object.keys(short), 'PASSWORD_RESET_DEBUG', 'ALLOW_INSECURE_PASSWORD_RESET'])
  const { url } = entries.find(({ msg }) => msg === 'listening')
  const { fetch, violations } = await openContractFetch(url)
  const client = createJudgeClient({ baseUrl: url, fetch })
  expect(await orThrow(client.GET('/ready'))).toEqual({ status: 'ready' })
  expect(violations).toEqual([])
  service.child.kill('SIGINT')
  const { code, output, errors } = await service.untilEnded()
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  for (const secret of Object.values(short)) expect(output).not.toContain(`"${secret}"`)
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
    const service = start({ ...secrets, DATABASE_URL: 'postgres://judge@127.0.0.1/judge' }, before)
    return { origin, ...(await service.untilEnded()) }
  })
  for (const { origin, code, log, errors } of await Promise.all(ends)) {
    expect({ code, errors }).toEqual({ code: 1, errors: '' })
    expect(log.at(-1)).toMatchObject({
      ...{ level: 60, msg: 'unhandled failure: the process exits', origin },
      err: { message: 'unforeseen', stack: expect.stringContaining('unforeseen') },
    })
  }
})
