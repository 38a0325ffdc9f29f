import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServerProcess } from '../../local-servers/server-process.ts'
import { makeSecrets } from '../../local-servers/service.ts'
import { PROJECT, packAll, type Tarball, withDependencies } from '../packages.ts'

const run = promisify(execFile)
const secrets = makeSecrets()
const PATH = process.env.PATH ?? ''
const person = { name: 'Ada', email: 'ada@example.org', password: 'a long password' }

let folder: string
let tarballs: Tarball[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-installed-'))
  tarballs = await packAll(folder)
})
afterAll(() => rm(folder, { recursive: true }))

/** Installs a package into a new folder, with nothing but tarballs for our own packages. */
async function install(name: string) {
  const home = join(folder, name.replaceAll(/\W/g, '-'))
  await mkdir(home)
  // Newer versions of these packages need a newer Node. npm reads overrides only of the folder.
  const { overrides } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'))
  const manifest = { private: true, type: 'module', overrides }
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
  const paths = withDependencies(name, tarballs).map(({ path }) => path)
  await run('npm', ['install', '--no-audit', '--no-fund', ...paths], { cwd: home })
  const { packages } = JSON.parse(await readFile(join(home, 'package-lock.json'), 'utf8'))
  const installed = Object.keys(packages).filter(Boolean)
  return { home, bin: join(home, 'node_modules/.bin'), installed }
}

/** Runs a program; resolves to its exit code and output. */
async function execute(program: string, args: readonly string[], env: Record<string, string>, cwd: string) {
  const ending = run(program, args, { env: { PATH, ...env }, cwd, timeout: 60_000 })
  const end: unknown = await ending.catch((err: unknown) => err)
  const { code = 0, stdout, stderr } = Object(end)
  return { code, stdout: String(stdout), stderr: String(stderr) }
}

describe('each tarball', () => {
  it('has only our own files: build, sources that it exports, migrations, licence', async () => {
    const allowed: Record<string, RegExp> = {
      'judge-data-layer':
        /^(bin\/judge-data-layer\.js|dist\/src\/.+\.js|migrations\/.+\.(sql|json)|scripts\/prepare\.js)$/,
      '@judge-data-layer/cli': /^(bin\/judge\.js|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
      '@judge-data-layer/languages': /^(languages\.toml|dist\/.+\.(js|d\.ts)|src\/.+\.ts)$/,
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
        named.filter((file) => !files.includes(file)),
        name,
      ).toEqual([])
    }
  })
})

describe('installed from its tarballs alone', () => {
  it('the service answers; client, command line and worker use it', async () => {
    const service = await install('judge-data-layer')
    let url = ''
    const server = await startServerProcess({
      ...{ name: 'the service', readyWithinMs: 120_000, lastSignal: 'SIGKILL', args: [] },
      command: join(service.bin, 'judge-data-layer'),
      options: {
        cwd: service.home,
        env: { PATH, HOST: '127.0.0.1', PORT: '0', BASIC_REGISTRATION_ENABLED: 'true', ...secrets },
      },
      isReady: (line) => {
        if (line.includes('"listening"')) url = String(Object(JSON.parse(line)).url)
        return url !== ''
      },
    })
    try {
      expect((await fetch(`${url}/ready`)).status).toBe(200)
      expect((await fetch(`${url}/docs`)).status).toBe(200)
      await useClient(url)
      await useCommandLine(url)
      await useWorker(url)
    } finally {
      await server.end('SIGTERM')
    }
    const migrate = join(service.bin, 'judge-data-layer-migrate')
    expect(await execute(migrate, [], {}, service.home)).toMatchObject({
      ...{ code: 0, stdout: 'The database is up to date.\n' },
    })
    const admin = join(service.bin, 'judge-data-layer-admin')
    expect(await execute(admin, ['promote', '--email', person.email], {}, service.home)).toMatchObject({
      code: 0,
    })
  })
})

async function useClient(url: string) {
  const { home, installed } = await install('@judge-data-layer/client')
  expect(installed.length).toBeLessThanOrEqual(3)
  const script = `import { createJudgeClient } from '@judge-data-layer/client'
    import { orThrow } from '@judge-data-layer/client/errors'
    const client = createJudgeClient({ baseUrl: process.argv[2] })
    const body = ${JSON.stringify(person)}
    console.log((await orThrow(client.POST('/v1/basic_register', { body }))).name)`
  await writeFile(join(home, 'script.js'), script)
  const end = await execute(process.execPath, ['script.js', url], {}, home)
  expect(end).toEqual({ code: 0, stdout: 'Ada\n', stderr: '' })
}

async function useCommandLine(url: string) {
  const { home, bin, installed } = await install('@judge-data-layer/cli')
  expect(
    installed.filter((name) => /swagger|pino|fastify|^node_modules\/typescript$|pglite/.test(name)),
  ).toEqual([])
  const judge = join(bin, 'judge')
  const env = { XDG_CONFIG_HOME: home, JUDGE_URL: url }
  expect((await execute(judge, ['--version'], env, home)).stdout).toBe(`${tarballs[0]?.version}\n`)
  const login = `"${judge}" login --email ${person.email} --password-stdin`
  const end = await execute('sh', ['-c', `echo '${person.password}' | ${login}`], env, home)
  expect(end).toMatchObject({ code: 0, stdout: `Logged in to ${url} as Ada.\n` })
}

async function useWorker(url: string) {
  const { home, bin, installed } = await install('@judge-data-layer/worker')
  expect(installed.filter((name) => /swagger|fastify|^node_modules\/typescript$|pglite/.test(name))).toEqual(
    [],
  )
  const start = (variables: Record<string, string>) =>
    execute(join(bin, 'judge-worker'), ['--unsandboxed'], { TMPDIR: home, ...variables }, home)
  const missing = await start({})
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain("JUDGE_PASSWORD is missing; it must be the service's JUDGE_PASSWORD")
  const AMQP_URL = 'amqp://guest:guest@127.0.0.1:1'
  const variables = { JUDGE_API_URL: url, AMQP_URL, JUDGE_PASSWORD: 'a wrong password' }
  const wrong = await start(variables)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toMatch(/^the judge worker cannot start: JUDGE_PASSWORD: .+\n$/)
  const away = await start({ ...variables, JUDGE_API_URL: 'http://127.0.0.1:1' })
  expect(away.code).toBe(1)
  expect(away.stderr).toMatch(/^the judge worker cannot start: JUDGE_API_URL: .+\n$/)
}
