import type { Logger } from '../logger.ts'
import { DEFAULT_SETTINGS, MIB } from '../worker-settings.ts'
import { CgroupsUnavailable, openCgroups } from './cgroup.ts'
import { findCommand } from './commands.ts'
import { closeInheritedDescriptors } from './inherited-descriptors.ts'
import { openBubblewrap } from './open-bubblewrap.ts'
import { createOutputPipes } from './output-pipes.ts'
import { createProcessTrees } from './process-tree.ts'
import type { FolderLimits } from './program-folder.ts'
import { createRunGate } from './run-gate.ts'
import type { Sandbox } from './sandbox.ts'
import { createUnsandboxed } from './unsandboxed.ts'
import { openWorkspace } from './workspace.ts'

/**
 * `bubblewrap` refuses to open without it, `unsandboxed` does not isolate at all, `bubblewrap-if-installed` is the one
 * where it is installed and the other where it is not.
 */
export type SandboxMode = 'bubblewrap' | 'unsandboxed' | 'bubblewrap-if-installed'

export interface SandboxOptions {
  readonly mode: SandboxMode
  /** More of the machine that programs may read, such as compilers outside /usr. */
  readonly paths?: readonly string[]
  /**
   * True: open the sandbox also where programs cannot be isolated completely, and log each
   * weakness.
   */
  readonly allowWeakIsolation?: boolean
  /** The first user id of the slots of a worker that runs as root. */
  readonly firstUserId?: number
  /** The size of each program's folder. */
  readonly folderLimits?: FolderLimits
  /** False leaves control groups alone. */
  readonly cgroups?: boolean
  /** Where the sandbox's own commands are looked for, as in PATH. */
  readonly searchPath?: string
  readonly logger: Logger
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Opens the sandbox. Throws `SandboxFailure`, which names what is missing, where programs cannot be
 * isolated completely, unless weak isolation is allowed.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, logger, allowWeakIsolation = false, firstUserId = DEFAULT_SETTINGS.firstUserId } = options
  const searchPath = options.searchPath ?? process.env.PATH ?? SYSTEM_PATH
  const isIsolated =
    mode === 'bubblewrap' ||
    (mode === 'bubblewrap-if-installed' && findCommand('bwrap', searchPath) !== undefined)
  closeInheritedDescriptors()
  const cgroups = options.cgroups === false ? 'they are turned off' : await openCgroupsIfPossible()
  const workspace = await openWorkspace(logger)
  try {
    const pipes = createOutputPipes(await workspace.makeFolder('pipes', 0o700))
    if (isIsolated) {
      const { folderLimits = DEFAULT_FOLDER, paths = [] } = options
      const common = { workspace, pipes, logger, searchPath, paths, cgroups }
      return shareRuns(await openBubblewrap({ ...common, firstUserId, folderLimits, allowWeakIsolation }))
    }
    logger.warn(
      {},
      'programs run UNSANDBOXED, with the rights of this user: they can read its files and use the network',
    )
    const meters = typeof cgroups === 'string' ? createProcessTrees() : cgroups
    return shareRuns(createUnsandboxed({ workspace, pipes, meters, path: process.env.PATH ?? SYSTEM_PATH }))
  } catch (err) {
    if (typeof cgroups !== 'string') await cgroups.settled()
    await workspace.close()
    throw err
  }
}

const DEFAULT_FOLDER: FolderLimits = {
  bytes: DEFAULT_SETTINGS.compile.folderMib * MIB,
  files: DEFAULT_SETTINGS.compile.folderFiles,
}

/** Control groups, or the reason why there are none. */
async function openCgroupsIfPossible() {
  try {
    return await openCgroups()
  } catch (err) {
    if (err instanceof CgroupsUnavailable) return err.message
    throw err
  }
}

/** Lets a run that must be alone wait for the others, and the others for it. */
function shareRuns(sandbox: Sandbox): Sandbox {
  const gate = createRunGate()
  return { ...sandbox, run: (request) => gate.pass(request.alone ?? false, () => sandbox.run(request)) }
}
