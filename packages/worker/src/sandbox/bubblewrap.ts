import type { Logger } from '../logger.ts'
import {
  makeBubblewrapArguments,
  makeEnvironment,
  PROGRAM_FOLDER,
  SANDBOX_PATH,
  type VisibleSystem,
} from './bubblewrap-arguments.ts'
import { findCommand } from './commands.ts'
import type { Devices } from './devices.ts'
import { execute, FILTER_DESCRIPTOR } from './execute.ts'
import { limitProcesses, makeLimitScript } from './limit-script.ts'
import type { Meters } from './meter.ts'
import type { NamespaceTools } from './namespace.ts'
import type { OutputPipes } from './output-pipes.ts'
import type { FolderLimits, ProgramFolder } from './program-folder.ts'
import { withRunResources } from './run-resources.ts'
import type { RunRequest, RunResult, Sandbox } from './sandbox.ts'
import { createSlots } from './slots.ts'
import type { Workspace } from './workspace.ts'

/** The common part of all runs. */
export interface BubblewrapSetup {
  readonly tools: NamespaceTools & { readonly bwrap: string; readonly keyctl: string | undefined }
  /** The output of `bwrap --help`. */
  readonly help: string
  readonly system: VisibleSystem
  readonly kernelFiles: readonly string[]
  readonly emptyFolder: string
  /** The namespace with the devices in `deviceFolder`; the sandbox closes it. */
  readonly devices: Devices
  readonly deviceFolder: string
  /** The mount point of programs' folders. */
  readonly mountPoint: string
  readonly folderLimits: FolderLimits
  /** The first user id of the slots; undefined if programs run as the worker's user. */
  readonly firstUserId: number | undefined
  /** The files of the seccomp filters; undefined: no filter. */
  readonly filters: { readonly locks: string; readonly noLocks: string } | undefined
  readonly meters: Meters
  readonly pipes: OutputPipes
  readonly workspace: Workspace
  readonly logger: Logger
}

const NOBODY = 65534
// Bubblewrap and the first process of its process namespace.
const OWN_PROCESSES = 2

/** Makes a sandbox by bubblewrap without testing it. */
export function createBubblewrap(setup: BubblewrapSetup): Sandbox {
  const { workspace, meters, logger, devices, firstUserId } = setup
  const { mountPoint, folderLimits: limits, tools } = setup
  const folderOptions = async () => ({ mountPoint, limits, tools, parent: await devices.get() })
  const slots = createSlots({ firstUserId, folderOptions, logger })
  return {
    description: describe(setup),
    createFolder: () => slots.claim(),
    // The verdict does not wait for the deletion.
    removeFolder: async (path) => slots.release(path),
    innerPath: () => PROGRAM_FOLDER,
    hasCommand(command) {
      const path = findCommand(command, SANDBOX_PATH)
      return path !== undefined && setup.system.roots.some((root) => path.startsWith(`${root}/`))
    },
    run: async (request) => runInBubblewrap(request, slots.find(request.folder), setup),
    async close() {
      await slots.close()
      await devices.close()
      await meters.settled()
      await workspace.close()
    },
  }
}

function describe({ firstUserId, filters, meters, tools }: BubblewrapSetup): string {
  return [
    'bubblewrap',
    firstUserId === undefined
      ? "programs run as the worker's own user in a user namespace"
      : `each slot has its own user from ${firstUserId}`,
    `limits by ${meters.description}`,
    filters ? 'seccomp filter' : 'NO seccomp filter',
    ...(tools.keyctl ? ['a session keyring for each run'] : []),
  ].join('; ')
}

async function runInBubblewrap(
  request: RunRequest,
  folder: ProgramFolder,
  setup: BubblewrapSetup,
): Promise<RunResult> {
  const { meters, workspace, pipes, filters, devices } = setup
  const { stdin, signal } = request
  const limits = { ...request.limits, processes: request.limits.processes + OWN_PROCESSES }
  const { outerPath } = await devices.get()
  const openInput = () => workspace.openInput(stdin, outerPath)
  return withRunResources({ meters, limits, openInput }, (meter, input) => {
    const script = `${meter.enterScript} && ${makeLimitScript(limits)}; exec "$@" 2>&5 5>&-`
    const launch = {
      argv: [
        ...joinKeyring(setup),
        '/bin/sh',
        '-c',
        script,
        'sh',
        ...makeCommandLine(request, folder, setup),
      ],
      cwd: '/',
      environment: makeEnvironment(request.environment),
      filterFile: filters && (request.locks ? filters.locks : filters.noLocks),
      readStatus,
    }
    return execute({ launch, stdin: input, limits, meter, pipes, intervalMs: meters.intervalMs, signal })
  })
}

/** Gives the run a new session keyring. */
function joinKeyring({ tools: { keyctl } }: BubblewrapSetup): string[] {
  return keyctl === undefined ? [] : [keyctl, 'session', '-']
}

function makeCommandLine(
  { writable, limits, argv }: RunRequest,
  folder: ProgramFolder,
  setup: BubblewrapSetup,
): string[] {
  const box = {
    ...{ system: setup.system, kernelFiles: setup.kernelFiles },
    ...{ emptyFolder: setup.emptyFolder, deviceFolder: setup.deviceFolder },
    ...{ userId: NOBODY, folder: setup.mountPoint, writable, fileSystemBytes: limits.memoryBytes },
    ...{ help: setup.help, filterDescriptor: setup.filters && FILTER_DESCRIPTOR },
  }
  // Bubblewrap's user namespace counts processes from 0: the limit must be set inside.
  const limit = setup.meters.limitsProcesses ? [] : limitProcesses(limits.processes + OWN_PROCESSES)
  return [...folder.enter, setup.tools.bwrap, ...makeBubblewrapArguments(box), ...limit, ...argv]
}

/** Bubblewrap reports an exit code only if it has started the command. */
function readStatus(text: string): { exitCode: number } | undefined {
  const exitCode = /"exit-code":\s*(\d+)/.exec(text)?.[1]
  return exitCode === undefined ? undefined : { exitCode: Number(exitCode) }
}
