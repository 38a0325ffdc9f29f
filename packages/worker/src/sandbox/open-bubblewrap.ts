import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeError, type Logger } from '../shared/logger.ts'
import { type BubblewrapSetup, createBubblewrap } from './bubblewrap.ts'
import { findKernelFiles, findVisibleSystem } from './bubblewrap-arguments.ts'
import { CgroupsUnavailable } from './cgroup.ts'
import { findCommand } from './commands.ts'
import { describeRestrictions, findMissingCapabilities } from './container.ts'
import { createDevices } from './devices.ts'
import { listLauncherCalls } from './launcher-calls.ts'
import type { Meters } from './meter.ts'
import type { Pipes } from './pipes.ts'
import { createProcessTrees } from './process-tree.ts'
import { type Limits, type Sandbox, SandboxFailure } from './sandbox.ts'
import { isKnownProcessor, makeSeccompFilter } from './seccomp/filter.ts'
import type { Processor } from './seccomp/system-calls.ts'
import type { FolderLimits } from './slots.ts'
import type { Workspace } from './workspace.ts'

/** What the user of a sandbox may choose. */
export interface IsolationOptions {
  /** More paths that programs may read, such as compilers outside /usr. */
  readonly paths: readonly string[]
  /** True: open the sandbox despite weaknesses and log each of them. */
  readonly allowWeakIsolation: boolean
  /** The first user id of the slots of a worker that runs as root. */
  readonly firstUserId: number
  readonly folderLimits: FolderLimits
  /** The search path for the sandbox's own commands. */
  readonly searchPath: string
}

export interface BubblewrapOptions extends IsolationOptions {
  readonly workspace: Workspace
  readonly pipes: Pipes
  readonly logger: Logger
  /** Control groups, or why there are none. */
  readonly cgroups: Meters | CgroupsUnavailable
}

/** One way to set up a part of the isolation, or to omit it. */
interface Choice<Part> {
  readonly part: Part
  /** The weakness of this way and its remedy; undefined for the strongest way. */
  readonly weakness?: string
}

type Identity = Pick<BubblewrapSetup, 'firstUserId' | 'kernelFiles'>
type Filters = Pick<BubblewrapSetup, 'filters'>
type Measuring = Pick<BubblewrapSetup, 'meters'>

const PROBE_LIMITS: Limits = {
  wallMs: 60_000,
  cpuMs: 10_000,
  memoryBytes: 2 ** 29,
  outputBytes: 2 ** 16,
  fileBytes: 2 ** 20,
  processes: 64,
}
const PROBE = `const status = require('fs').readFileSync('/proc/self/status', 'utf8')
console.log(/^Seccomp:\\s*(\\d)/m.exec(status)?.[1])`
const FILTER_MODE = '2'
const NO_KEYCTL =
  'keyctl (package keyutils) does not work: runs have no session keyring of their own; keyring calls are refused anyway'
const NAMESPACE_HELP =
  'Programs need user namespaces: set the sysctl user.max_user_namespaces above 0, kernel.unprivileged_userns_clone ' +
  'to 1 (Debian before 11) and kernel.apparmor_restrict_unprivileged_userns to 0 (Ubuntu), and allow ' +
  'them in the container.'
const FEW_CAPABILITIES =
  'The worker is root but lacks capabilities. It needs them to give each program a user of its own.'
const NO_OWN_USERS =
  'Programs run as root of this machine, in a user namespace. Give the worker the capabilities SYS_ADMIN, SYS_CHROOT, ' +
  'SETUID and SETGID and user ids from JUDGE_SANDBOX_FIRST_USER_ID on, and a temporary folder (TMPDIR) and a Node.js ' +
  `that these users can enter; or start it as another user. ${NAMESPACE_HELP}`

/**
 * Opens a sandbox by bubblewrap in the strongest way that works on this machine; a real program
 * tests each way. Throws `SandboxFailure` if none works or its weaknesses are not allowed.
 */
export async function openBubblewrap(options: BubblewrapOptions): Promise<Sandbox> {
  const { logger, allowWeakIsolation } = options
  const base = await prepare(options)
  if (base.tools.keyctl === undefined) logger.warn({}, NO_KEYCTL)
  const failures: string[] = []
  for (const { part, weaknesses } of listWays(options, await makeFilters(options, base.help))) {
    const way = { ...base, ...part }
    const outcome = await tryWay(way)
    if (typeof outcome === 'string') {
      failures.push(outcome)
      continue
    }
    if (weaknesses.length === 0 || allowWeakIsolation) {
      for (const weakness of weaknesses) logger.warn({ weakness }, 'programs are isolated weakly')
      return outcome
    }
    await outcome.close()
    throw refuse(weaknesses, failures)
  }
  throw new SandboxFailure(
    `bubblewrap does not work here: ${[...new Set(failures)].join('; ')}.\n${NAMESPACE_HELP}${describeRestrictions()}\n` +
      'To run trusted programs only, use --unsandboxed',
  )
}

/** Throws `SandboxFailure` if a worker of root lacks capabilities: trials would take seconds. */
export function checkCapabilities(): void {
  if (findMissingCapabilities().length > 0) throw refuse([FEW_CAPABILITIES], [])
}

function refuse(weaknesses: readonly string[], failures: readonly string[]): SandboxFailure {
  const tried = failures.length > 0 ? `\nReasons: ${[...new Set(failures)].join('; ')}` : ''
  const list = weaknesses.map((weakness) => `  ${weakness}`).join('\n')
  return new SandboxFailure(
    `programs cannot be isolated completely:\n${list}${tried}${describeRestrictions()}\nTo start anyway, use --allow-weak-isolation`,
  )
}

async function prepare({ workspace, pipes, logger, searchPath, paths, folderLimits }: BubblewrapOptions) {
  const tools = await findTools(searchPath)
  const { stdout: help } = await promisify(execFile)(tools.bwrap, ['--help'])
  const etcFolder = await workspace.makeFolder('etc', 0o755)
  return {
    ...{ tools, help, folderLimits, workspace, pipes, logger },
    system: await findVisibleSystem(paths, etcFolder),
    emptyFolder: await workspace.makeFolder('empty', 0o755),
    deviceFolder: await workspace.makeFolder('devices', 0o755),
    mountPoint: await workspace.makeFolder('program', 0o755),
  }
}

const PACKAGES = { bwrap: 'bubblewrap', unshare: 'util-linux', nsenter: 'util-linux', perl: 'perl-base' }

async function findTools(searchPath: string): Promise<BubblewrapSetup['tools']> {
  const find = (command: string) => findCommand(command, searchPath)
  const [bwrap, unshare, nsenter, perl] = [find('bwrap'), find('unshare'), find('nsenter'), find('perl')]
  const keyctl = await findKeyctl(searchPath)
  if (bwrap && unshare && nsenter && perl) return { bwrap, unshare, nsenter, perl, keyctl }
  const missing = Object.entries(PACKAGES).filter(([command]) => !find(command))
  const list = missing.map(([command, name]) => `${command} (package ${name})`).join(', ')
  throw new SandboxFailure(
    `programs cannot be isolated: install ${list}, or run trusted programs only with --unsandboxed`,
  )
}

/** Optional: the filter refuses all keyring calls anyway. */
async function findKeyctl(searchPath: string): Promise<string | undefined> {
  const keyctl = findCommand('keyctl', searchPath)
  if (keyctl === undefined) return undefined
  const works = promisify(execFile)(keyctl, ['session', '-', '/bin/true'])
  return works.then(() => keyctl).catch(() => undefined)
}

/** All combinations, the strongest first. */
function listWays(options: BubblewrapOptions, filters: readonly Choice<Filters>[]) {
  return listIdentities(options).flatMap((identity) =>
    filters.flatMap((filter) =>
      listMeasurings(options).map((measuring) => ({
        part: { ...identity.part, ...filter.part, ...measuring.part },
        weaknesses: [identity, filter, measuring].flatMap(({ weakness }) => weakness ?? []),
      })),
    ),
  )
}

function listIdentities({ firstUserId }: BubblewrapOptions): Choice<Identity>[] {
  const isRoot = process.getuid?.() === 0
  const inNamespace = { part: { firstUserId: undefined, kernelFiles: findKernelFiles(isRoot) } }
  if (!isRoot) return [inNamespace]
  const ofSlots = { part: { firstUserId, kernelFiles: findKernelFiles(false) } }
  const weakly = { ...inNamespace, weakness: NO_OWN_USERS }
  return findMissingCapabilities().length > 0 ? [weakly] : [ofSlots, weakly]
}

function listMeasurings({ cgroups }: BubblewrapOptions): Choice<Measuring>[] {
  const isMissing = cgroups instanceof CgroupsUnavailable
  const { message, remedy } = isMissing ? cgroups : { message: 'they do not work', remedy: '' }
  const weakness =
    `No control group holds programs to their memory, CPU time and processes (${message}): /proc is ` +
    `sampled instead. ${remedy}`.trimEnd()
  const sampled = { part: { meters: createProcessTrees() }, weakness }
  return isMissing ? [sampled] : [{ part: { meters: cgroups } }, sampled]
}

async function makeFilters({ workspace }: BubblewrapOptions, help: string): Promise<Choice<Filters>[]> {
  const reason = findFilterObstacle(help)
  const weakness =
    `No seccomp filter refuses dangerous system calls (${reason ?? 'it cannot be loaded'}): programs can leave ` +
    'data in keyrings and file locks. Use a bubblewrap with the option --seccomp, on a kernel with ' +
    'CONFIG_SECCOMP_FILTER.'
  const none = { part: { filters: undefined }, weakness }
  if (reason !== undefined) return [none]
  const processor = readProcessor()
  const folder = await workspace.makeFolder('seccomp', 0o700)
  const write = async (name: string, locks: boolean) => {
    const file = join(folder, name)
    await writeFile(file, makeSeccompFilter({ processor, locks }))
    return file
  }
  const filters = { locks: await write('locks', true), noLocks: await write('no-locks', false) }
  return [{ part: { filters } }, none]
}

function findFilterObstacle(help: string): string | undefined {
  if (!help.includes('--seccomp ')) return 'this bubblewrap has no option --seccomp'
  return existsSync('/proc/sys/kernel/seccomp') ? undefined : 'the kernel has none'
}

/** Beside `src` and `dist`, so that each of them finds it. */
const LAUNCHER = fileURLToPath(new URL('../../launcher.pl', import.meta.url))

/** The sandbox, or the reason why this way does not work. */
async function tryWay(setup: Omit<BubblewrapSetup, 'devices'>): Promise<Sandbox | string> {
  const { deviceFolder: folder, firstUserId, filters, tools, workspace } = setup
  const devices = createDevices({
    ...{ folder, inputFolder: workspace.inputFolder, isUserNamespace: firstUserId === undefined, tools },
    launcher: [tools.perl, LAUNCHER, listLauncherCalls(readProcessor())],
  })
  // The next way uses the same workspace and control groups.
  const sandbox = createBubblewrap({ ...setup, devices })
  const failure = await runProbe(sandbox, filters !== undefined).catch(describeError)
  if (failure === undefined) return sandbox
  await devices.close()
  return failure
}

/** The launcher and the seccomp filter need its system calls. Throws `SandboxFailure`. */
function readProcessor(): Processor {
  if (isKnownProcessor(process.arch)) return process.arch
  throw new SandboxFailure(
    `programs are isolated only on x86-64 and arm64, not on ${process.arch}: run trusted programs only with --unsandboxed`,
  )
}

/** Runs a program. Returns the reason of a failure, else undefined. Throws `SandboxFailure`. */
async function runProbe(sandbox: Sandbox, isFiltered: boolean): Promise<string | undefined> {
  const folder = await sandbox.createFolder()
  try {
    const { stdout, stderr, exitCode } = await sandbox.run({
      argv: [process.execPath, '-e', PROBE],
      ...{ folder, writable: false, stdin: '', environment: {}, limits: PROBE_LIMITS },
    })
    const mode = stdout.toString().trim()
    if (exitCode !== 0 || mode === '') return stderr.toString().trim() || `the trial ended with ${exitCode}`
    return isFiltered && mode !== FILTER_MODE ? 'the seccomp filter is not in force' : undefined
  } finally {
    await sandbox.removeFolder(folder)
  }
}
