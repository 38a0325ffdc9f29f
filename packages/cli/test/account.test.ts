import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { orThrow } from '@judge-data-layer/client/errors'
import { describe, expect, it } from 'vitest'
import { useService } from '../../client/test/support/listening-app.ts'
import { respondBadGateway } from '../../client/test/support/troubled-server.ts'
import { credentialsFile } from '../src/credentials.ts'
import { judge, judgeJson, makeEnvironment } from './support/command-line.ts'

const setup = useService()
const NOWHERE = 'http://127.0.0.1:65535'
const password = 'a long password'

/** Registers an account; resolves to its e-mail and an environment without a login. */
async function register(name: string) {
  const email = `${name}@example.org`
  const body = { name, email, password }
  const { id, token } = await orThrow(setup.service.connect().POST('/v1/basic_register', { body }))
  return { id, email, token, env: await makeEnvironment(setup.service.url) }
}

async function logIn(name: string) {
  const account = await register(name)
  const argv = ['login', '--email', account.email, '--password-stdin']
  const { exitCode } = await judge(argv, { env: account.env, stdin: `${password}\n` })
  expect(exitCode).toBe(0)
  return account
}

describe('a login', () => {
  it('stores the token in a file that only its owner can read', async () => {
    const { env } = await logIn('ada')
    const file = credentialsFile(env)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(await readdir(dirname(file))).toEqual(['credentials.json'])
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).tokens)).toEqual([setup.service.url])
  })

  it('is used by later commands, also without the address of the service', async () => {
    const { id, env } = await logIn('bea')
    expect(await judgeJson(['whoami'], { env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME } })).toEqual({
      ...{ id, url: setup.service.url, name: 'bea', email: 'bea@example.org', is_admin: false },
    })
  })

  it('asks for what is missing, and does not show the password', async () => {
    const { email, env } = await register('cleo')
    const terminals = ['stdin', 'stderr'] as const
    const { exitCode, stdout, stderr } = await judge(['login', '--email', email], {
      ...{ env, terminals, stdin: `${password}\r` },
    })
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `Logged in to ${setup.service.url} as cleo.\n`,
    })
    expect(stderr).toBe('Password: \n')
  })

  it('with a wrong password says so and stores nothing', async () => {
    const { email, env } = await register('dora')
    const argv = ['login', '--email', email, '--password-stdin']
    const { exitCode, stderr } = await judge(argv, { env, stdin: 'wrong' })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'error: The e-mail address or the password is wrong.\n',
    })
    await expect(stat(credentialsFile(env))).rejects.toThrow('ENOENT')
  })

  it('is needed by the commands that read problems', async () => {
    const env = await makeEnvironment(setup.service.url)
    const message = `error: You are not logged in to ${setup.service.url}. Log in with: judge login\n`
    for (const argv of [
      ['problem', 'list'],
      ['problem', 'show', '1'],
      ['problem', 'export', '1'],
    ])
      expect(await judge(argv, { env })).toEqual({ exitCode: 1, stdout: '', stderr: message })
  })

  it('stays in use after a logout if it is in the environment', async () => {
    const { env } = await logIn('kim')
    const { exitCode, stderr } = await judge(['logout'], { env: { ...env, JUDGE_USER_TOKEN: 'x' } })
    expect({ exitCode, stderr }).toEqual({
      ...{ exitCode: 0, stderr: 'JUDGE_USER_TOKEN is set: commands still use it.\n' },
    })
  })

  it('keeps the logins to other services', async () => {
    const { email, env } = await logIn('eve')
    const other = { ...env, JUDGE_URL: setup.service.url.replace('127.0.0.1', 'localhost') }
    await judge(['login', '--email', email, '--password-stdin'], { env: other, stdin: password })
    expect(await judgeJson(['logout'], { env: other })).toMatchObject({ logged_out: true })
    expect(await judgeJson(['whoami'], { env })).toMatchObject({ name: 'eve' })
    const { exitCode, stderr } = await judge(['whoami'], { env: other })
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: You are not logged in to ${other.JUDGE_URL}. Log in with: judge login\n`,
    })
  })

  it('in a file that other users can read is refused', async () => {
    const { env, token } = await logIn('fay')
    const file = credentialsFile(env)
    await chmod(file, 0o640)
    const { exitCode, stderr } = await judge(['whoami'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${file} is open to other users (mode 0640), so it is not used.`)
    expect(stderr).toContain(`chmod 600 ${file}`)
    const fromEnvironment = { ...env, JUDGE_USER_TOKEN: token }
    expect(await judgeJson(['whoami'], { env: fromEnvironment })).toMatchObject({ name: 'fay' })
  })

  it('in a broken file is refused', async () => {
    const { env } = await logIn('gil')
    await writeFile(credentialsFile(env), '{"tokens": ')
    const { exitCode, stderr } = await judge(['whoami'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Delete it and log in again.')
  })
})

describe('the settings', () => {
  it('come from options, then from the environment, then from the file', async () => {
    const { env, token } = await logIn('hans')
    const other = await register('ida')
    const fromEnvironment = { ...env, JUDGE_URL: NOWHERE, JUDGE_USER_TOKEN: other.token }
    const argv = ['whoami', '--url', `${setup.service.url}/`]
    expect(await judgeJson(argv, { env: fromEnvironment })).toMatchObject({ name: 'ida' })
    expect(await judgeJson(argv, { env: { ...env, JUDGE_URL: NOWHERE } })).toMatchObject({ name: 'hans' })
    expect(await judgeJson(['whoami'], { env: { ...env, JUDGE_USER_TOKEN: token } })).toMatchObject({
      name: 'hans',
    })
  })

  it('can have the token in a file; a file that cannot be read is a usage error', async () => {
    const { env } = await logIn('lea')
    const other = await register('max')
    const file = join(env.XDG_CONFIG_HOME, 'token')
    await writeFile(file, `${other.token}\n`)
    const fromFile = { ...env, JUDGE_USER_TOKEN_FILE: file }
    expect(await judgeJson(['whoami'], { env: fromFile })).toMatchObject({ name: 'max' })
    expect((await judge(['logout'], { env: fromFile })).stderr).toBe(
      'JUDGE_USER_TOKEN_FILE is set: commands still use it.\n',
    )
    await rm(file)
    expect(await judge(['whoami'], { env: fromFile })).toEqual({
      ...{ exitCode: 2, stdout: '' },
      stderr: 'error: JUDGE_USER_TOKEN_FILE must be the path of a file with the secret (ENOENT).\n',
    })
  })

  it('with an invalid address are a usage error', async () => {
    const { exitCode, stderr } = await judge(['languages', '--url', 'localhost:5000'], { env: {} })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Set it with --url or JUDGE_URL.')
  })
})

describe('a service that cannot be reached', () => {
  const describeRefusal = 'no response to GET /v1/languages: connect ECONNREFUSED 127.0.0.1:65535'

  it('is exit code 3, and the message shows its address and how to set it', async () => {
    const env = await makeEnvironment(NOWHERE)
    const { exitCode, stdout, stderr } = await judge(['languages'], { env })
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
    expect(stderr).toBe(
      `error: ${NOWHERE}: ${describeRefusal}\nThe service must run there. Set another address with --url or JUDGE_URL.\n`,
    )
  })

  it('is one document with --json', async () => {
    const env = await makeEnvironment(NOWHERE)
    expect(await judgeJson(['languages'], { env }, 3)).toEqual({
      error: { code: 'UNREACHABLE', message: expect.stringContaining(describeRefusal) },
    })
  })

  it('may be a proxy without the service', async (context) => {
    const proxy = await setup.startProxy(context, respondBadGateway)
    const { exitCode, stderr } = await judge(['languages'], { env: await makeEnvironment(proxy.url) })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('the response is not from the service')
  })
})

describe('a wrong command line', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['problem'], 'Usage: judge problem'],
    [['problem', 'show'], "missing required argument 'problem'"],
    [['submit', 'sum.py'], "required option '--problem <problem>' not specified"],
    [['languages', '--colour'], "unknown option '--colour'"],
    [['submit', 'a.py', '--problem', '1', '--contest', 'x'], 'It must be the number of a contest.'],
    [['login', '--email', 'x@example.org'], 'Without a terminal, give --password-stdin.'],
    [['login', '--password-stdin'], 'Without a terminal, give --email.'],
    [
      ['problem', 'import', '/nowhere/sum.zip'],
      'error: /nowhere/sum.zip: there is no such file or folder.\n',
    ],
    [['problem', 'import', '--replace', '7', 'a.zip', 'b.zip'], '--replace takes exactly one package.'],
    [['problem', 'import', 'a.zip', '--difficulty', 'x'], 'It must be one of: VERY EASY, EASY,'],
  ])('%s is exit code 2 with a message on stderr', async (argv, message) => {
    const { exitCode, stdout, stderr } = await judge(argv, { env: await makeEnvironment(NOWHERE) })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})

describe('the document of --json', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['problem'], 'A command is missing (see --help).'],
    [['problem', 'show'], "missing required argument 'problem'"],
    [['languages', '--colour'], "unknown option '--colour'"],
    [['login', '--password-stdin'], 'Without a terminal, give --email.'],
  ])('tells what is wrong with the command line %s', async (argv, message) => {
    const env = await makeEnvironment(NOWHERE)
    expect(await judgeJson(argv, { env }, 2)).toEqual({ error: { code: 'USAGE', message } })
  })

  it('has the code UNAUTHORIZED without a login', async () => {
    const env = await makeEnvironment(setup.service.url)
    expect(await judgeJson(['whoami'], { env }, 1)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  })

  it('has the code NOT_FOUND for an unknown identifier', async () => {
    const { env } = await logIn('jo')
    const unknown = await judgeJson(['problem', 'show', 'unknown'], { env }, 1)
    expect(unknown).toMatchObject({ error: { code: 'NOT_FOUND' } })
  })
})

describe('the help', () => {
  it.each([
    ...[[[]], [['login']], [['logout']], [['whoami']], [['submit']], [['status']], [['languages']]],
    [['problem']],
    ...['import', 'export', 'verify', 'list', 'show', 'delete'].map((name) => [['problem', name]]),
  ])('of %s teaches by examples', async (names) => {
    const { exitCode, stdout } = await judge([...names, '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`  $ judge ${names.join(' ')}`)
    expect(stdout).toContain('--json')
  })
})
