import { join } from 'node:path'
import type { Logger } from '../shared/logger.ts'
import {
  type BoxSetup,
  makeBubblewrapArguments,
  makeEnvironment,
  type NamedFiles,
  PROGRAM_FOLDER,
  SANDBOX_PATH,
} from './bubblewrap-arguments.ts'
import { findCommand } from './commands.ts'
import type { Devices } from './devices.ts'
import { type ExecuteRequest, execute } from './execute.ts'
import { startByLauncher, WAIT_FOR_GATE } from './launcher-run.ts'
import { limitProcesses, listKernelLimits } from './limit-script.ts'
import { type Meters, withMeter } from './meter.ts'
import type { NamespaceTools } from './namespace.ts'
import { runPair, type Start } from './pair.ts'
import type { Pipes } from './pipes.ts'
import type { RunCommand, RunResult, Sandbox } from './sandbox.ts'
import { createSlots, type FolderLimits, type ProgramFolder } from './slots.ts'
import { CONNECT, type GatedStart, type Launch } from './start-run.ts'
import { withStreams } from './streams.ts'
import { checkSubfolders, makeSubfolder, withFiles } from './subfolders.ts'
import type { Workspace } from './workspace.ts'

/** The common part of all runs. */
export interface BubblewrapSetup extends BoxSetup {
  readonly tools: NamespaceTools & {
    readonly bwrap: string
    readonly perl: string
    readonly keyctl: string | undefined
  }
  /** The namespace with the devices in `deviceFolder`; the sandbox closes it. */
  readonly devices: Devices
  readonly folderLimits: FolderLimits
  /** The first user id of the slots; undefined if programs run as the worker's user. */
  readonly firstUserId: number | undefined
  readonly meters: Meters
  readonly pipes: Pipes
  readonly workspace: Workspace
  readonly logger: Logger
}

// Bubblewrap and the first process of its process namespace.
const OWN_PROCESSES = 2

/** Makes a sandbox by bubblewrap without testing it. */
export function createBubblewrap(setup: BubblewrapSetup): Sandbox {
  const { workspace, pipes, meters, logger, devices, firstUserId } = setup
  const { mountPoint, folderLimits: limits, tools } = setup
  const folderOptions = async () => ({ mountPoint, limits, tools, parent: await devices.get() })
  const slots = createSlots({ firstUserId, folderOptions, logger })
  const start: Start = async (command, streams, signal) =>
    runInBubblewrap(command, { folder: slots.find(command.folder), streams, signal }, setup)
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
    makeSubfolder,
    async run(request) {
      const { outerPath: through } = await devices.get()
      const { startWhen, signal } = request
      const run = (gatedStart?: GatedStart) =>
        withStreams(request, { workspace, pipes, through }, (streams) => {
          const folder = slots.find(request.folder)
          return runInBubblewrap(request, { folder, streams, signal, gatedStart }, setup)
        })
      if (!startWhen) return run()
      const gate = await pipes.openGate()
      return run({ gate, startWhen }).finally(gate.close)
    },
    runPair: (request) => runPair(request, pipes, start),
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

/** The streams come from outside, the rest of the run is made here. */
async function runInBubblewrap(
  command: RunCommand,
  { folder, streams, signal, gatedStart }: RunParts,
  setup: BubblewrapSetup,
): Promise<RunResult> {
  const { meters, pipes, filters, tools, devices } = setup
  const processes = command.limits.processes + OWN_PROCESSES
  const limits = { ...command.limits, processes }
  await checkSubfolders(command)
  return mountFiles(command, folder, setup, (files) =>
    withMeter(meters, limits, async (meter) => {
      const argv = [
        ...[tools.bwrap, ...makeBubblewrapArguments(setup, command, files)],
        ...(gatedStart ? WAIT_FOR_GATE : []),
        // Bubblewrap's user namespace counts processes from 0: the limit must be set inside.
        ...(meters.limitsProcesses ? [] : limitProcesses(processes)),
        ...(streams.isConnected ? CONNECT : []),
        ...command.argv,
      ]
      const { launcher } = await devices.get()
      const request = {
        ...{ argv, environment: makeEnvironment(command.environment), cwd: '/' },
        ...{ joinFiles: meter.joinFiles, limits: listKernelLimits(limits) },
        ...{ hasKeyring: tools.keyctl !== undefined, namespaceFiles: folder.namespaceFiles },
        userId: folder.userId,
      }
      const filterFile = filters && (command.locks ? filters.locks : filters.noLocks)
      const launch: Launch = {
        outerProcesses: OWN_PROCESSES,
        start: (run, errors) => startByLauncher({ launcher, request, filterFile }, run, errors),
        readStatus,
      }
      const { intervalMs } = meters
      return execute({ launch, streams, limits, meter, pipes, intervalMs, signal, gatedStart })
    }),
  )
}

interface RunParts extends Pick<ExecuteRequest, 'streams' | 'signal' | 'gatedStart'> {
  readonly folder: ProgramFolder
}

async function mountFiles<T>(
  command: RunCommand,
  { userId }: ProgramFolder,
  { workspace }: BubblewrapSetup,
  use: (files: NamedFiles) => Promise<T>,
): Promise<T> {
  const names = Object.keys(command.files ?? {})
  if (names.length === 0) return use([])
  const shared = await workspace.createSharedFolder(userId)
  const files = names.map((name) => [name, join(shared, name)] as const)
  return withFiles(command, shared, () => use(files)).finally(() => workspace.remove(shared))
}

/** Bubblewrap reports an exit code only if it has started the command. */
function readStatus(text: string): { exitCode: number } | undefined {
  const exitCode = /"exit-code":\s*(\d+)/.exec(text)?.[1]
  return exitCode === undefined ? undefined : { exitCode: Number(exitCode) }
}
