import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { dirname } from 'node:path'

/** What of the machine a program sees, read-only. */
export interface VisibleSystem {
  readonly argv: readonly string[]
  /** The folders, as real paths, in which a command is visible. */
  readonly roots: readonly string[]
}

/** Where a program sees its own folder. */
export const PROGRAM_FOLDER = '/app'

/** The search path inside the sandbox. */
export const SANDBOX_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const SCRATCH_FOLDER = '/box'
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
// Where Debian's GHC keeps the list of its packages.
const COMPILER_FOLDERS = ['/var/lib/ghc']
// What compilers and runtimes need to start; nothing with names or secrets in it.
const CONFIGURATION = /^(ld\.so\..*|alternatives|localtime|java-.*|mono|fpc.*\.cfg|R|ghc)$/

/** The system's programs and libraries, the folder of the Node.js that runs the worker, and the paths that are configured. */
export function findVisibleSystem(paths: readonly string[]): VisibleSystem {
  const roots = [
    '/usr',
    ...[...SYSTEM_FOLDERS, ...COMPILER_FOLDERS].filter(isFolder),
    dirname(process.execPath),
    ...paths,
  ]
  const bound = [...new Set(roots)].filter((path) => !path.startsWith('/usr/'))
  const configuration = readdirSync('/etc').filter((name) => CONFIGURATION.test(name))
  return {
    roots,
    argv: [
      ...bound.flatMap((path) => ['--ro-bind', path, path]),
      ...SYSTEM_FOLDERS.filter(isLink).flatMap((path) => ['--symlink', readlinkSync(path), path]),
      ...configuration.flatMap((name) => ['--ro-bind', `/etc/${name}`, `/etc/${name}`]),
    ],
  }
}

export interface BoxOptions {
  readonly system: VisibleSystem
  /** The user and group that the program sees itself as. */
  readonly userId: number
  readonly folder: string
  readonly writable: boolean
  /** Of each private file system. */
  readonly fileSystemBytes: number
  /** The text of `bwrap --help`: older versions lack some options. */
  readonly help: string
}

/** The arguments of bubblewrap, up to the command. Its status goes to file descriptor 3. */
export function makeBubblewrapArguments(options: BoxOptions): string[] {
  const { userId, help } = options
  const size = help.includes('--size ') ? ['--size', String(options.fileSystemBytes)] : []
  return [
    ...['--unshare-all', '--unshare-user', '--uid', String(userId), '--gid', String(userId)],
    ...(help.includes('--disable-userns') ? ['--disable-userns'] : []),
    ...[
      '--hostname',
      'box',
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      '--json-status-fd',
      '3',
    ],
    ...options.system.argv,
    ...['--proc', '/proc', '--dev', '/dev', ...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...[...size, '--tmpfs', '/tmp', ...size, '--tmpfs', SCRATCH_FOLDER],
    ...[options.writable ? '--bind' : '--ro-bind', options.folder, PROGRAM_FOLDER],
    ...['--remount-ro', '/', '--chdir', options.writable ? PROGRAM_FOLDER : SCRATCH_FOLDER],
    '--',
  ]
}

/** The program's environment: nothing of the worker's own. */
export function makeEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: SANDBOX_PATH, HOME: SCRATCH_FOLDER, TMPDIR: '/tmp', LANG: 'C.UTF-8', ...own }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
