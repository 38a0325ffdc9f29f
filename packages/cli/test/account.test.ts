import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { credentialsFile } from '../src/shared/settings.ts'
import { useAdmin } from './support/admin.ts'
import { fails, judge, judgeJson, makeEnvironment } from './support/command-line.ts'

const setup = await useAdmin()
const NOWHERE = 'http://127.0.0.1:65535'
const password = 'a long password'

/** Registers an account; resolves to its e-mail and an environment without a login. */
async function register(name: string) {
  const { id, token } = await setup.register(name, password)
  return { id, email: `${name}@example.org`, token, env: await makeEnvironment(setup.service.url) }
}

async function logIn(name: string) {
  const account = await register(name)
  const argv = ['login', '--email', account.email, '--password-stdin']
  const { exitCode } = await judge(argv, { env: account.env, stdin: `${password}\n` })
  expect(exitCode).toBe(0)
  return account
}

const refuseLogin = (url: string) => ({
  ...{ exitCode: 1, stdout: '' },
  stderr: `error: You are not logged in to ${url}. Log in with: judge login\n`,
})

describe('a login', () => {
  it('stores the token in a file that only its owner can read, for all later commands', async () => {
    const { id, env } = await logIn('ada')
    const file = credentialsFile(env)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(await readdir(dirname(file))).toEqual(['credentials.json'])
    const { url } = setup.service
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).tokens)).toEqual([url])
    const { XDG_CONFIG_HOME } = env
    const account = { name: 'ada', email: 'ada@example.org', is_admin: false }
    expect(await judgeJson(['whoami'], { env: { XDG_CONFIG_HOME } })).toEqual({ id, url, ...account })
  })

  it('asks for what is missing, and does not show the password', async () => {
    const { email, env } = await register('cleo')
    const terminals = ['stdin', 'stderr'] as const
    expect(await judge(['login', '--email', email], { env, terminals, stdin: `${password}\r` })).toEqual({
      ...{ exitCode: 0, stdout: `Logged in to ${setup.service.url} as cleo.\n`, stderr: 'Password: \n' },
    })
  })

  it('with a wrong password says so and stores nothing', async () => {
    const { email, env } = await register('dora')
    const argv = ['login', '--email', email, '--password-stdin']
    expect(await judge(argv, { env, stdin: 'wrong' })).toMatchObject({
      ...{ exitCode: 1, stderr: 'error: The e-mail address or the password is wrong.\n' },
    })
    await expect(stat(credentialsFile(env))).rejects.toThrow('ENOENT')
  })

  it('keeps the logins to other services', async () => {
    const { email, env } = await logIn('eve')
    const other = { ...env, JUDGE_URL: setup.service.url.replace('127.0.0.1', 'localhost') }
    await judge(['login', '--email', email, '--password-stdin'], { env: other, stdin: password })
    expect(await judgeJson(['logout'], { env: other })).toMatchObject({ logged_out: true })
    expect(await judgeJson(['whoami'], { env })).toMatchObject({ name: 'eve' })
    expect(await judge(['whoami'], { env: other })).toEqual(refuseLogin(other.JUDGE_URL))
  })

  it('in a file that other users can read, or that is broken, is refused', async () => {
    const { env, token } = await logIn('fay')
    const file = credentialsFile(env)
    await chmod(file, 0o640)
    const open = await judge(['whoami'], { env })
    expect(open.exitCode).toBe(2)
    expect(open.stderr).toContain(`${file} is open to other users (mode 0640), so it is not used.`)
    expect(open.stderr).toContain(`chmod 600 ${file}`)
    const fromEnvironment = { ...env, JUDGE_USER_TOKEN: token }
    expect(await judgeJson(['whoami'], { env: fromEnvironment })).toMatchObject({ name: 'fay' })
    await chmod(file, 0o600)
    await writeFile(file, '{"tokens": ')
    expect(await judge(['whoami'], { env })).toMatchObject(fails(2, 'Delete it and log in again.'))
  })
})

it('the settings come from options, then from the environment, also from a file there and after a logout, then from the login', async () => {
  const { env, token } = await logIn('hans')
  const other = await register('ida')
  const whoami = (variables: object, ...argv: string[]) =>
    judgeJson(['whoami', ...argv], { env: { ...env, ...variables } })
  const url = ['--url', `${setup.service.url}/`]
  const elsewhere = { JUDGE_URL: NOWHERE, JUDGE_USER_TOKEN: other.token }
  expect(await whoami(elsewhere, ...url)).toMatchObject({ name: 'ida' })
  expect(await whoami({ JUDGE_URL: NOWHERE }, ...url)).toMatchObject({ name: 'hans' })
  expect(await whoami({ JUDGE_USER_TOKEN: token })).toMatchObject({ name: 'hans' })
  const stillUsed = (name: string) => ({ exitCode: 0, stderr: `${name} is set: commands still use it.\n` })
  const fromVariable = { ...env, JUDGE_USER_TOKEN: 'x' }
  expect(await judge(['logout'], { env: fromVariable })).toMatchObject(stillUsed('JUDGE_USER_TOKEN'))
  const file = join(env.XDG_CONFIG_HOME, 'token')
  await writeFile(file, `${other.token}\n`)
  const fromFile = { ...env, JUDGE_USER_TOKEN_FILE: file }
  expect(await whoami(fromFile)).toMatchObject({ name: 'ida' })
  expect(await judge(['logout'], { env: fromFile })).toMatchObject(stillUsed('JUDGE_USER_TOKEN_FILE'))
  await rm(file)
  expect(await judge(['whoami'], { env: fromFile })).toEqual({
    ...{ exitCode: 2, stdout: '' },
    stderr: 'error: JUDGE_USER_TOKEN_FILE must be the path of a file with the secret (ENOENT).\n',
  })
})

it('a service that cannot be reached is exit code 3; the message shows how to set its address', async () => {
  const refusal = 'no response to GET /v1/languages: connect ECONNREFUSED 127.0.0.1:65535'
  const env = await makeEnvironment(NOWHERE)
  expect(await judge(['languages'], { env })).toEqual({
    ...{ exitCode: 3, stdout: '' },
    stderr: `error: ${NOWHERE}: ${refusal}\nThe service must run there. Set another address with --url or JUDGE_URL.\n`,
  })
  const error = { code: 'UNREACHABLE', message: expect.stringContaining(refusal) }
  expect(await judgeJson(['languages'], { env }, 3)).toEqual({ error })
})

describe('a wrong command line', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['problem'], 'Usage: judge problem'],
    [['problem', 'show'], "missing required argument 'problem'"],
    [['submit', 'sum.py'], "required option '--problem <problem>' not specified"],
    [['languages', '--colour'], "unknown option '--colour'"],
    [['languages', '--url', 'localhost:5000'], 'Set it with --url or JUDGE_URL.'],
    [['submit', 'a.py', '--problem', '1', '--contest', 'x'], 'It must be the number of a contest.'],
    [['login', '--email', 'x@example.org'], 'Without a terminal, give --password-stdin.'],
    [['login', '--password-stdin'], 'Without a terminal, give --email.'],
    [['problem', 'import', '/nowhere/a.zip'], 'error: /nowhere/a.zip: there is no such file or folder.\n'],
    [['problem', 'import', '--replace', '7', 'a.zip', 'b.zip'], '--replace takes exactly one package.'],
    [['problem', 'import', 'a.zip', '--difficulty', 'x'], 'It must be one of: VERY EASY, EASY,'],
  ])('%s is exit code 2 with a message on stderr', async (argv, message) => {
    const finished = await judge(argv, { env: await makeEnvironment(NOWHERE) })
    expect(finished).toEqual({ ...fails(2, message), stdout: '' })
  })

  it.each([
    [['problem'], 2, { code: 'USAGE', message: 'A command is missing (see --help).' }],
    [['languages', '--colour'], 2, { code: 'USAGE', message: "unknown option '--colour'" }],
    [['login', '--password-stdin'], 2, { code: 'USAGE', message: 'Without a terminal, give --email.' }],
    [['whoami'], 1, { code: 'UNAUTHORIZED' }],
    [['problem', 'show', 'unknown'], 1, { code: 'NOT_FOUND' }],
  ])('%s is told in the document of --json, with the code of the service', async (argv, exitCode, error) => {
    const env = argv[0] === 'whoami' ? await makeEnvironment(setup.service.url) : setup.env
    expect(await judgeJson(argv, { env }, exitCode)).toMatchObject({ error })
  })
})

const PROBLEM = ['import', 'export', 'verify', 'list', 'show', 'delete']
const CONTEST = 'apply list show extend end thaw announce questions answer standings'.split(' ')
it.each([
  ...['', 'login', 'logout', 'whoami', 'submit', 'status', 'languages', 'problem', 'contest'],
  ...PROBLEM.map((name) => `problem ${name}`),
  ...CONTEST.map((name) => `contest ${name}`),
])('the help of judge %s teaches by examples', async (command) => {
  const { exitCode, stdout } = await judge([...command.split(' ').filter(Boolean), '--help'])
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`  $ judge ${command}`)
  expect(stdout).toContain('--json')
})
