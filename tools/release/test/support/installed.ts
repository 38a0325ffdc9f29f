import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { createDatabase } from '../../../local-servers/database.ts'
import { type ServerCommand, startServerProcess } from '../../../local-servers/server-process.ts'
import { PROJECT, type Tarball, withDependencies } from '../../packages.ts'

const run = promisify(execFile)
const PATH = process.env.PATH ?? ''

/** Packages that npm installed into a folder of their own. */
export type Installed = Awaited<ReturnType<typeof addPackages>>

/** Installs packages into a new folder, with tarballs for ours. npm checks the Node.js version. */
export async function installPackages(home: string, names: readonly string[], tarballs: readonly Tarball[]) {
  await mkdir(home)
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const [command = '', ...args] = (await findOverridesCommand()).split(' ')
  await run(command, args, { cwd: home })
  await writeFile(join(home, '.npmrc'), 'engine-strict=true\n')
  return addPackages(home, names, tarballs)
}

/** Installs packages beside those that a folder has. */
export async function addPackages(home: string, names: readonly string[], tarballs: readonly Tarball[]) {
  const needed = new Set(names.flatMap((name) => withDependencies(name, tarballs)))
  const paths = [...needed].map(({ path }) => path)
  await run('npm', ['install', '--no-audit', '--no-fund', ...paths], { cwd: home })
  const { packages } = JSON.parse(await readFile(join(home, 'package-lock.json'), 'utf8'))
  return {
    home,
    program: (name: string) => join(home, 'node_modules/.bin', name),
    packages: Object.keys(packages).filter(Boolean),
  }
}

/** The line of docs/operations.md that keeps packages at versions for Node.js 20. */
async function findOverridesCommand(): Promise<string> {
  const text = await readFile(join(PROJECT, 'docs/operations.md'), 'utf8')
  const line = text.split('\n').find((candidate) => candidate.startsWith('npm pkg set overrides.'))
  if (line === undefined) throw new Error('docs/operations.md must have the command npm pkg set overrides')
  return line
}

/** Runs a program in the folder; resolves to its exit code and output. */
export async function execute(
  { home }: Installed,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const ending = run(program, args, { env: { PATH, ...env }, cwd: home })
  const end: unknown = await ending.catch((err: unknown) => err)
  const { code = 0, stdout, stderr } = Object(end)
  return { code, stdout: String(stdout), stderr: String(stderr) }
}

/** The variables of a new database, on TEST_DATABASE_URL or embedded; removed after the test. */
export async function freshDatabase(): Promise<Record<string, string>> {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined) {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'judge-data-'))
    onTestFinished(() => rm(DATA_DIR, { recursive: true }))
    return { DATA_DIR }
  }
  const { url, drop } = await createDatabase(server, 'installed')
  onTestFinished(drop)
  return { DATABASE_URL: url }
}

/** A program that keeps running, and the line of its log that ends its start. */
interface Program {
  readonly name: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly readyLine: string
}

/** Starts a program of the folder and waits for its line; it ends with the test. */
export async function startProgram(installed: Installed, { name, args = [], env, readyLine }: Program) {
  const log: string[] = []
  const command: ServerCommand = {
    ...{ name, command: installed.program(name), args, lastSignal: 'SIGKILL' },
    options: { cwd: installed.home, env: { PATH, ...env } },
    isReady: (line) => log.push(line) > 0 && line.includes(readyLine),
  }
  const server = await startServerProcess(command)
  onTestFinished(async () => void (await server.end('SIGTERM')))
  return { log, end: () => server.end('SIGTERM') }
}

/** Starts the installed service on a free port; resolves to its address, too. */
export async function startInstalledService(installed: Installed, program: Omit<Program, 'name'>) {
  const env = { HOST: '127.0.0.1', PORT: '0', ...program.env }
  const server = await startProgram(installed, { ...program, name: 'judge-data-layer', env })
  const listening = server.log.find((line) => line.includes('"listening"')) ?? '{}'
  return { ...server, url: String(Object(JSON.parse(listening)).url) }
}
