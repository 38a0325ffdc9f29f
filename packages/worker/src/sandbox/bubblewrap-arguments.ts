import { constants, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAccessible, SYSTEM_PATH } from './commands.ts'
import { FILTER_DESCRIPTOR } from './launcher-run.ts'
import type { RunCommand } from './sandbox.ts'

/** The path of a program's folder inside the sandbox. */
export const PROGRAM_FOLDER = '/app'

/** The search path inside the sandbox. A validator's script finds this Node.js anywhere. */
export const SANDBOX_PATH = `${SYSTEM_PATH}:${dirname(process.execPath)}`

const SCRATCH_FOLDER = '/box'
/** The user and group id inside the sandbox. */
const NOBODY = 65534
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
// Debian's GHC has its package list there.
const COMPILER_FOLDERS = ['/var/lib/ghc']
// Files that compilers and runtimes need to start, without names or secrets.
const CONFIGURATION = /^(ld\.so\..*|alternatives|localtime|java-.*|mono|fpc.*\.cfg|R|ghc)$/
// Files below /proc about other programs, keys and the kernel. Each one costs a mount per run, so
// that files with statistics stay visible.
const KERNEL_FILES = [
  ...['cmdline', 'config.gz', 'interrupts', 'iomem', 'ioports', 'kallsyms', 'kcore', 'key-users', 'keys'],
  ...['kmsg', 'kpagecgroup', 'kpagecount', 'kpageflags', 'latency_stats', 'locks', 'modules', 'sched_debug'],
  ...['slabinfo', 'sysrq-trigger', 'timer_list', 'timer_stats', 'vmallocinfo', 'dynamic_debug/control'],
]

/**
 * Finds what a program can read of the machine: the system's programs and libraries, the folder of
 * this Node.js and the configured paths. Copies the configuration of compilers and runtimes to
 * `etcFolder`: one mount instead of many.
 */
export async function findVisibleSystem(paths: readonly string[], etcFolder: string) {
  const roots = [
    '/usr',
    ...[...SYSTEM_FOLDERS, ...COMPILER_FOLDERS].filter(isFolder),
    dirname(process.execPath),
    ...paths,
  ]
  const bound = [...new Set(roots)].filter((path) => !path.startsWith('/usr/'))
  const configured = paths.flatMap((path) => /^\/etc\/([^/]+)/.exec(path)?.[1] ?? [])
  const names = readdirSync('/etc').filter((name) => CONFIGURATION.test(name) || configured.includes(name))
  for (const name of names) {
    const filter = (source: string) => isAccessible(source, constants.R_OK)
    await cp(join('/etc', name), join(etcFolder, name), { recursive: true, verbatimSymlinks: true, filter })
  }
  return {
    /** The real paths of folders with visible commands. */
    roots,
    argv: [
      ...['--ro-bind', etcFolder, '/etc'],
      ...bound.filter((path) => !path.startsWith('/etc/')).flatMap((path) => ['--ro-bind', path, path]),
      ...SYSTEM_FOLDERS.filter(isLink).flatMap((path) => ['--symlink', readlinkSync(path), path]),
    ],
  }
}

/** Finds the kernel's files below /proc that the programs' user could read; root: all. */
export function findKernelFiles(isRoot: boolean): string[] {
  return KERNEL_FILES.map((name) => `/proc/${name}`).filter((path) => {
    const info = statSync(path, { throwIfNoEntry: false })
    return info !== undefined && (isRoot || (info.mode & 0o004) !== 0)
  })
}

/** The common part of the arguments of all runs. */
export interface BoxSetup {
  /** The output of `bwrap --help`: older versions lack some options. */
  readonly help: string
  readonly system: Awaited<ReturnType<typeof findVisibleSystem>>
  /** From `findKernelFiles`. */
  readonly kernelFiles: readonly string[]
  readonly emptyFolder: string
  readonly deviceFolder: string
  /** The mount point of programs' folders. */
  readonly mountPoint: string
  /** The files of the seccomp filters; undefined: no filter. */
  readonly filters: { readonly locks: string; readonly noLocks: string } | undefined
}

/** Read-only files in the program's folder: their names and paths. */
export type NamedFiles = readonly (readonly [name: string, path: string])[]

/** The arguments of bubblewrap, up to the command. Its status goes to file descriptor 3. */
export function makeBubblewrapArguments(setup: BoxSetup, command: RunCommand, files: NamedFiles): string[] {
  const { help, filters, system, deviceFolder } = setup
  const { workingFolder = command.writable ? 'program' : 'scratch' } = command
  const size = help.includes('--size ') ? ['--size', String(command.limits.memoryBytes)] : []
  return [
    ...['--unshare-all', '--unshare-user', '--uid', String(NOBODY), '--gid', String(NOBODY)],
    ...(help.includes('--disable-userns') ? ['--disable-userns'] : []),
    ...['--hostname', 'box', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--json-status-fd', '3'],
    ...(filters ? ['--seccomp', String(FILTER_DESCRIPTOR)] : []),
    ...system.argv,
    ...mountProc(setup),
    ...['--dev-bind', deviceFolder, '/dev', ...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...[...size, '--tmpfs', '/tmp', ...size, '--tmpfs', SCRATCH_FOLDER],
    ...mountProgram(setup.mountPoint, command, files),
    ...['--remount-ro', '/'],
    ...['--chdir', workingFolder === 'program' ? PROGRAM_FOLDER : SCRATCH_FOLDER],
    '--',
  ]
}

/** The first process is bubblewrap's: for a moment it has descriptors from outside. */
function mountProc({ kernelFiles, emptyFolder }: BoxSetup): string[] {
  return [
    ...['--proc', '/proc', '--ro-bind', emptyFolder, '/proc/sys', '--ro-bind', emptyFolder, '/proc/1'],
    ...kernelFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--remount-ro', '/proc'],
  ]
}

function mountProgram(
  folder: string,
  { writable, writableFolders = [] }: RunCommand,
  files: NamedFiles,
): string[] {
  const inside = (name: string) => join(PROGRAM_FOLDER, name)
  return [
    ...[writable ? '--bind' : '--ro-bind', folder, PROGRAM_FOLDER],
    ...writableFolders.flatMap((name) => ['--bind', join(folder, name), inside(name)]),
    ...files.flatMap(([name, path]) => ['--ro-bind', path, inside(name)]),
  ]
}

/** The program's environment, without the worker's variables. */
export function makeEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: SANDBOX_PATH, HOME: SCRATCH_FOLDER, TMPDIR: '/tmp', LANG: 'C.UTF-8', ...own }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
