import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openContractFetch } from '../verification/contract.ts'
import { freshDatabaseVariables } from './support/process-database.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

const secrets = {
  JWT_SIGNING_SECRET: 'a signing secret, long enough',
  JUDGE_PASSWORD: 'a judge password, long enough',
  WEB_BRIDGE_SECRET: 'a bridge secret, long enough',
}

/** Starts the real service with these variables and no others, after `before`, JavaScript of the test's own. */
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
  return {
    child,
    /** What it has written on both outputs once it has ended by itself, and its exit code. */
    untilEnded: async () => ({ code: await closed, output, errors }),
    /** The entries of its log once it listens. */
    untilListening: async () => {
      await expect.poll(() => output, { timeout: 50_000 }).toContain('"msg":"listening"')
      return output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    },
  }
}

describe('a start', () => {
  it('without the secrets ends with 1 and one message that names every one and what it wants', async () => {
    const { code, output, errors } = await start({ JUDGE_PASSWORD: '  ' }).untilEnded()
    expect(code).toBe(1)
    expect(output).toBe('')
    const [head, ...lines] = errors.trimEnd().split('\n')
    expect(head).toBe('The configuration is not usable:')
    expect(lines.toSorted()).toEqual([
      '  - JUDGE_PASSWORD must be set to a secret of 16 bytes or more',
      '  - JWT_SIGNING_SECRET must be set to a secret of 16 bytes or more',
      '  - WEB_BRIDGE_SECRET must be set to a secret of 16 bytes or more',
    ])
  })

  it('with values that are none ends with 1 and one message that names them, and not their values', async () => {
    const wrong = { PORT: 'http', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://judge:p#ssword@db/judge' }
    const { code, output, errors } = await start({ ...secrets, ...wrong }).untilEnded()
    expect(code).toBe(1)
    expect(output).toBe('')
    for (const name of Object.keys(wrong)) expect(errors).toContain(`\n  - ${name} must be `)
    expect(errors.trimEnd().split('\n')).toHaveLength(4)
    expect(errors).not.toMatch(/p#ssword|secret, long/)
  })

  it('without its database ends with 1 and a fatal line, without the password in it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = Object(server.address()).port
    server.close()
    const variables = { ...secrets, DATABASE_URL: `postgres://judge:password1@127.0.0.1:${port}/judge` }
    const { code, output } = await start(variables).untilEnded()
    expect(code).toBe(1)
    const [line, ...others] = output.trimEnd().split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 60, msg: 'did not start' })
    expect(line).toContain('ECONNREFUSED')
    expect(line).not.toMatch(/password1|secret, long/)
  })

  it('on a port that is taken ends with 1 and a fatal line', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const PORT = String(Object(server.address()).port)
    const service = start({ ...secrets, ...(await freshDatabaseVariables()), PORT })
    const { code, output } = await service.untilEnded()
    expect(code).toBe(1)
    expect(JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      level: 60,
      msg: 'did not start',
      err: { code: 'EADDRINUSE' },
    })
  })

  it('with short secrets, and with the development flags behind a proxy, warns of each and goes on', async () => {
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
  }, 60_000)
})

describe('an unhandled failure', () => {
  it.each([
    ['thrown', "throw new Error('unforeseen')", 'uncaughtException'],
    ['rejected', "Promise.reject(new Error('unforeseen'))", 'unhandledRejection'],
  ])(
    'is a fatal line in the log and ends the process with 1: %s',
    async (_, failure, origin) => {
      const variables = { ...secrets, ...(await freshDatabaseVariables()) }
      const service = start(variables, `process.once('SIGUSR2', () => { ${failure} })`)
      await service.untilListening()
      service.child.kill('SIGUSR2')
      const { code, output, errors } = await service.untilEnded()
      expect({ code, errors }).toEqual({ code: 1, errors: '' })
      expect(JSON.parse(output.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        level: 60,
        msg: 'unhandled failure: the process exits',
        origin,
        err: { message: 'unforeseen', stack: expect.stringContaining('unforeseen') },
      })
    },
    60_000,
  )
})
