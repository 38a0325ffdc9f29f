import type { Logger } from '../logger.ts'
import { findBubblewrap, openBubblewrap } from './bubblewrap.ts'
import { openCgroups } from './cgroup.ts'
import { createProcessTrees } from './process-tree.ts'
import { type Sandbox, SandboxFailure } from './sandbox.ts'
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
  /** False leaves control groups alone; limits are then sampled. */
  readonly cgroups?: boolean
  readonly logger: Logger
}

/** Opens the sandbox, with a warning where programs are not isolated. Throws `SandboxFailure` when it cannot be had. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, logger } = options
  const isolated =
    mode === 'bubblewrap' || (mode === 'bubblewrap-if-installed' && findBubblewrap() !== undefined)
  const cgroups = options.cgroups === false ? undefined : await openCgroups()
  const meters = [...(cgroups ? [cgroups] : []), createProcessTrees()] as const
  const workspace = await openWorkspace()
  try {
    if (isolated) return await openBubblewrap(workspace, meters, options.paths ?? [])
  } catch (err) {
    await workspace.close()
    if (!(err instanceof SandboxFailure)) throw err
    throw new SandboxFailure(
      `${err.message}. Install bubblewrap, or run trusted programs only with --unsandboxed`,
    )
  }
  logger.warn(
    {},
    'programs run UNSANDBOXED, with the rights of this user: they can read its files and use the network',
  )
  return createUnsandboxed(workspace, cgroups ?? createProcessTrees(), process.env.PATH ?? '/usr/bin:/bin')
}
