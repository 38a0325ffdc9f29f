import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amqpUrl, noBroker, openTestQueue } from '../../../packages/worker/test/support/broker.ts'
import { testUnless } from '../../../packages/worker/test/support/requirements.ts'
import { missingSandbox } from '../../../packages/worker/test/support/use-sandbox.ts'
import { makeSecrets } from '../../local-servers/service.ts'
import { openSubmitter, ROOT, SOLUTION } from '../../local-servers/submitter.ts'
import { PROJECT, packAll, type Tarball } from '../packages.ts'
import {
  addPackages,
  execute,
  freshDatabase,
  type Installed,
  installPackages,
  startInstalledService,
  startProgram,
} from './support/installed.ts'

const run = promisify(execFile)
const SETTINGS = {
  ...makeSecrets(),
  ...{ WORKER_CONCURRENCY: '1', BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email },
}
const person = { name: 'Ada', email: 'ada@example.org', password: 'a long password' }
const noSandbox = await missingSandbox('bubblewrap')
/** Whether a file fits a name of `exports`, given as the texts before and after its star. */
const isNamed = (file: string, [start = '', end = start]: readonly string[]) =>
  file.startsWith(start) && file.endsWith(end)
const OF_THE_SERVICE = /swagger|fastify|^node_modules\/typescript$|pglite/

let folder: string
let tarballs: Tarball[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-installed-'))
  tarballs = await packAll(folder)
})
afterAll(() => rm(folder, { recursive: true }))

describe('each tarball', () => {
  it('has only our own files: build, sources that it exports, migrations, licence', async () => {
    const allowed: Record<string, RegExp> = {
      'judge-data-layer':
        /^(bin\/judge-data-layer\.js|dist\/src\/.+\.js|migrations\/.+\.(sql|json)|scripts\/prepare\.js)$/,
      '@judge-data-layer/cli': /^(bin\/judge\.js|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
      '@judge-data-layer/pages':
        /^(site\/[\w-]+\.(html|js|css|svg|txt|woff2)|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
      '@judge-data-layer/languages': /^(languages\.toml|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
      '@judge-data-layer/worker': /^(launcher\.pl|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
    }
    const always = ['LICENSE', 'README.md', 'package.json']
    for (const { name, files } of tarballs) {
      const pattern = allowed[name] ?? /^(dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/
      expect(
        files.filter((file) => !always.includes(file) && !pattern.test(file)),
        name,
      ).toEqual([])
      expect(
        files.filter((file) => /(^|\/)(test|node_modules)\/|\.test\./.test(file)),
        name,
      ).toEqual([])
      for (const file of always) expect(files, name).toContain(file)
    }
  })

  it('has the version and the licence of the project', async () => {
    const licence = await readFile(join(PROJECT, 'LICENSE'), 'utf8')
    for (const { name, version, license, path } of tarballs) {
      expect({ name, version, license }).toEqual({ name, version: tarballs[0]?.version, license: 'MIT' })
      const { stdout } = await run('tar', ['-xzOf', path, 'package/LICENSE'])
      expect(stdout, name).toBe(licence)
    }
  })

  it('has every file that its package.json names', async () => {
    for (const { name, files, path } of tarballs) {
      const { stdout } = await run('tar', ['-xzOf', path, 'package/package.json'])
      const { exports = {}, bin = {} } = JSON.parse(stdout)
      const targets = Object.values<Record<string, string>>(exports).flatMap(Object.values)
      const named = [...targets, ...Object.values(bin)].map((file) => String(file).replace(/^\.\//, ''))
      expect(
        named.filter((file) => !files.some((one) => isNamed(one, file.split('*')))),
        name,
      ).toEqual([])
    }
  })
})

describe('installed from its tarballs, as docs/operations.md says,', () => {
  let service: Installed
  let client: Installed
  let commandLine: Installed
  let worker: Installed

  beforeAll(async () => {
    const install = (name: string) =>
      installPackages(join(folder, name.replaceAll('/', '-')), [name], tarballs)
    // Most of the time is spent waiting for the registry.
    ;[service, client, commandLine, worker] = await Promise.all([
      install('judge-data-layer'),
      install('@judge-data-layer/client'),
      install('@judge-data-layer/cli'),
      install('@judge-data-layer/worker'),
    ])
  })

  async function startService(variables: Record<string, string> = {}) {
    const database = await freshDatabase()
    const env = { ...SETTINGS, ...database, ...variables }
    const started = await startInstalledService(service, { env, readyLine: '"listening"' })
    return { ...started, database }
  }

  it('the service answers, and migrates and administers its database', async () => {
    const { url, end, database } = await startService()
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    await useClient(url)
    await useCommandLine(url)
    expect(await end()).toBe(0)
    const migrate = service.program('judge-data-layer-migrate')
    expect(await execute(service, migrate, [], database)).toMatchObject({
      ...{ code: 0, stdout: 'The database is up to date.\n' },
    })
    const admin = service.program('judge-data-layer-admin')
    const promoted = await execute(service, admin, ['promote', '--email', person.email], database)
    expect(promoted).toMatchObject({ code: 0 })
  })

  async function useClient(url: string) {
    expect(client.packages.length).toBeLessThanOrEqual(3)
    const script = `import { createJudgeClient } from '@judge-data-layer/client'
      import { orThrow } from '@judge-data-layer/client/errors'
      const client = createJudgeClient({ baseUrl: process.argv[2] })
      const body = ${JSON.stringify(person)}
      console.log((await orThrow(client.POST('/v1/basic_register', { body }))).name)`
    await writeFile(join(client.home, 'script.js'), script)
    const end = await execute(client, process.execPath, ['script.js', url], {})
    expect(end).toEqual({ code: 0, stdout: 'Ada\n', stderr: '' })
  }

  async function useCommandLine(url: string) {
    expect(commandLine.packages.filter((name) => OF_THE_SERVICE.test(name) || /pino/.test(name))).toEqual([])
    const judge = commandLine.program('judge')
    const env = { XDG_CONFIG_HOME: commandLine.home, JUDGE_URL: url }
    const version = await execute(commandLine, judge, ['--version'], env)
    expect(version.stdout).toBe(`${tarballs[0]?.version}\n`)
    const login = `"${judge}" login --email ${person.email} --password-stdin`
    const end = await execute(commandLine, 'sh', ['-c', `echo '${person.password}' | ${login}`], env)
    expect(end).toMatchObject({ code: 0, stdout: `Logged in to ${url} as Ada.\n` })
  }

  it('a worker that cannot start names the setting', async () => {
    expect(worker.packages.filter((name) => OF_THE_SERVICE.test(name))).toEqual([])
    const { url } = await startService()
    const program = worker.program('judge-worker')
    const start = (env: Record<string, string>) =>
      execute(worker, program, ['--unsandboxed'], { TMPDIR: worker.home, ...env })
    const missing = await start({})
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain("JUDGE_PASSWORD is missing; it must be the service's JUDGE_PASSWORD")
    const AMQP_URL = 'amqp://guest:guest@127.0.0.1:1'
    const wrong = { JUDGE_API_URL: url, AMQP_URL, JUDGE_PASSWORD: 'a wrong password' }
    expect(await start(wrong)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the judge worker cannot start: JUDGE_PASSWORD: .+\n$/),
    })
    expect(await start({ ...wrong, JUDGE_API_URL: 'http://127.0.0.1:1' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the judge worker cannot start: JUDGE_API_URL: .+\n$/),
    })
  })

  testUnless(noBroker)('a worker judges programs over RabbitMQ', async ({ onTestFinished }) => {
    const { queue, close } = await openTestQueue()
    onTestFinished(close)
    const shared = { AMQP_URL: amqpUrl, AMQP_QUEUE: queue, JUDGE_PASSWORD: SETTINGS.JUDGE_PASSWORD }
    const { url } = await startService(shared)
    await startProgram(worker, {
      name: 'judge-worker',
      args: noSandbox === undefined ? [] : ['--unsandboxed'],
      env: { ...shared, JUDGE_API_URL: url, WORKER_CONCURRENCY: '1' },
      readyLine: 'the judge worker has started',
    })
    await expectJudged(url)
  })

  it('the service without a worker refuses --judge, and says what is missing', async () => {
    const env = { ...SETTINGS, ...(await freshDatabase()), HOST: '127.0.0.1', PORT: '0' }
    expect(await execute(service, service.program('judge-data-layer'), ['--judge'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--judge: the package @judge-data-layer/worker is not installed'),
    })
  })

  testUnless(noSandbox)('service and worker judge programs with judge-data-layer --judge', async () => {
    const both = await addPackages(service.home, ['@judge-data-layer/worker'], tarballs)
    const { url, end } = await startInstalledService(both, {
      args: ['--judge'],
      env: { ...SETTINGS, ...(await freshDatabase()) },
      readyLine: 'the judge worker has started',
    })
    await expectJudged(url)
    expect(await end()).toBe(0)
  })
})

async function expectJudged(url: string) {
  const { submit, readStatus } = await openSubmitter(url)
  const right = await submit(SOLUTION)
  const wrong = await submit('console.log(41)')
  await expect.poll(() => readStatus(right)).toBe('ACCEPTED')
  await expect.poll(() => readStatus(wrong)).toBe('WRONG_ANSWER')
}
