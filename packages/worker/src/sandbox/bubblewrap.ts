import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  findVisibleSystem,
  makeBubblewrapArguments,
  makeEnvironment,
  PROGRAM_FOLDER,
  SANDBOX_PATH,
  type VisibleSystem,
} from './bubblewrap-arguments.ts'
import { findCommand } from './commands.ts'
import { execute } from './execute.ts'
import { makeLimitScript } from './limit-script.ts'
import type { Meters } from './meter.ts'
import { withRunResources } from './run-resources.ts'
import { type Limits, type RunRequest, type RunResult, type Sandbox, SandboxFailure } from './sandbox.ts'
import type { Workspace } from './workspace.ts'

/** How boxes are made: found out once, when the sandbox is opened. */
interface Setup {
  readonly bwrap: string
  readonly help: string
  readonly system: VisibleSystem
  readonly meters: Meters
  readonly workspace: Workspace
  /** Set when the worker is root and gives that up for what it runs. */
  readonly setpriv: string | undefined
}

const NOBODY = 65534
// Bubblewrap itself and the first process of its process namespace.
const OWN_PROCESSES = 2
const PROBE_LIMITS: Limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 2 ** 29,
  outputBytes: 2 ** 16,
  fileBytes: 2 ** 20,
  processes: 64,
}

/** The path of the installed bubblewrap, if any. */
export function findBubblewrap(): string | undefined {
  return findCommand('bwrap', process.env.PATH ?? SANDBOX_PATH)
}

/**
 * Opens a sandbox by bubblewrap, in the strictest way that works on this machine; every way is tried with a real program.
 * `metersToTry` goes from the best to the last. Throws `SandboxFailure` with the reasons when none works.
 */
export async function openBubblewrap(
  workspace: Workspace,
  metersToTry: readonly Meters[],
  paths: readonly string[],
): Promise<Sandbox> {
  const bwrap = findBubblewrap()
  if (bwrap === undefined) throw new SandboxFailure('bubblewrap (bwrap) is not installed')
  const { stdout: help } = await promisify(execFile)(bwrap, ['--help'])
  const setpriv = process.getuid?.() === 0 ? findCommand('setpriv', SANDBOX_PATH) : undefined
  const reasons: string[] = []
  for (const dropped of setpriv === undefined ? [undefined] : [setpriv, undefined]) {
    for (const meters of metersToTry) {
      const setup = { bwrap, help, system: findVisibleSystem(paths), meters, workspace, setpriv: dropped }
      const reason = await probe(setup)
      if (reason === undefined) return createBubblewrap(setup)
      reasons.push(reason)
    }
  }
  throw new SandboxFailure(`bubblewrap does not work here: ${[...new Set(reasons)].join('; ')}`)
}

function createBubblewrap(setup: Setup): Sandbox {
  const { workspace, setpriv, meters, system } = setup
  const user = setpriv ? `as user ${NOBODY}` : "as the worker's own user in a user namespace"
  // The kernel does not count the processes of root.
  const unbounded = process.getuid?.() === 0 && !setpriv && !meters.limitsProcesses
  return {
    description: `bubblewrap, ${user}; memory and processes by ${meters.description}${unbounded ? ' (the number of processes is NOT bounded)' : ''}`,
    createFolder: () => workspace.createFolder(setpriv ? NOBODY : undefined),
    removeFolder: (folder) => workspace.remove(folder),
    innerPath: () => PROGRAM_FOLDER,
    hasCommand(command) {
      const path = findCommand(command, SANDBOX_PATH)
      return path !== undefined && system.roots.some((root) => path.startsWith(`${root}/`))
    },
    run: (request) => runInBubblewrap(request, setup),
    close: () => workspace.close(),
  }
}

async function runInBubblewrap(request: RunRequest, setup: Setup): Promise<RunResult> {
  const { meters, workspace } = setup
  const { stdin, signal } = request
  const limits = { ...request.limits, processes: request.limits.processes + OWN_PROCESSES }
  return withRunResources({ meters, limits, workspace, stdin }, (meter, stdinFile) => {
    const launch = {
      argv: ['/bin/sh', '-c', `${meter.enterScript} && exec "$@"`, 'sh', ...makeCommandLine(request, setup)],
      cwd: '/',
      environment: makeEnvironment(request.environment),
      readStatus,
    }
    return execute({ launch, stdinFile, limits, meter, intervalMs: meters.intervalMs, signal })
  })
}

function makeCommandLine({ folder, writable, limits, argv }: RunRequest, setup: Setup): string[] {
  const { setpriv, bwrap, help, system } = setup
  const box = { system, userId: NOBODY, folder, writable, fileSystemBytes: limits.memoryBytes, help }
  return [
    ...(setpriv ? [setpriv, '--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'] : []),
    ...[bwrap, ...makeBubblewrapArguments(box)],
    ...[
      '/bin/sh',
      '-c',
      `${makeLimitScript(limits, { processes: !setup.meters.limitsProcesses })}; exec "$@"`,
      'sh',
      ...argv,
    ],
  ]
}

/** Bubblewrap reports an exit code only when it got as far as the command. */
function readStatus(text: string): { exitCode: number } | undefined {
  const exitCode = /"exit-code":\s*(\d+)/.exec(text)?.[1]
  return exitCode === undefined ? undefined : { exitCode: Number(exitCode) }
}

/** Why this setup does not work; undefined when it does. */
async function probe(setup: Setup): Promise<string | undefined> {
  const sandbox = createBubblewrap(setup)
  const folder = await sandbox.createFolder()
  try {
    const { stdout, stderr } = await sandbox.run({
      argv: [process.execPath, '-p', '6 * 7'],
      folder,
      writable: false,
      stdin: '',
      environment: {},
      limits: PROBE_LIMITS,
    })
    return stdout.toString().trim() === '42' ? undefined : stderr.toString().trim()
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  } finally {
    await sandbox.removeFolder(folder)
  }
}
