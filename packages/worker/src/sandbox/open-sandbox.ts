import { createLatch } from '../shared/latch.ts'
import type { Logger } from '../shared/logger.ts'
import { DEFAULT_SETTINGS, MIB } from '../shared/worker-settings.ts'
import { CgroupsUnavailable, openCgroups } from './cgroup.ts'
import { findCommand, SYSTEM_PATH } from './commands.ts'
import { closeInheritedDescriptors } from './inherited-descriptors.ts'
import { checkCapabilities, type IsolationOptions, openBubblewrap } from './open-bubblewrap.ts'
import { createPipes } from './pipes.ts'
import { createProcessTrees } from './process-tree.ts'
import type { RunRequest, Sandbox } from './sandbox.ts'
import type { FolderLimits } from './slots.ts'
import { createUnsandboxed } from './unsandboxed.ts'
import { openWorkspace } from './workspace.ts'

/** `bubblewrap-if-installed` falls back to `unsandboxed`, which isolates nothing. */
export type SandboxMode = 'bubblewrap' | 'unsandboxed' | 'bubblewrap-if-installed'

export interface SandboxOptions extends Partial<IsolationOptions> {
  readonly mode: SandboxMode
  /** False: use no control groups. */
  readonly cgroups?: boolean
  readonly logger: Logger
}

/**
 * Opens the sandbox. Throws `SandboxFailure` with the missing parts if programs cannot be isolated
 * completely, unless weak isolation is allowed.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, logger, allowWeakIsolation = false, firstUserId = DEFAULT_SETTINGS.firstUserId } = options
  const searchPath = options.searchPath ?? process.env.PATH ?? SYSTEM_PATH
  const isIsolated =
    mode === 'bubblewrap' ||
    (mode === 'bubblewrap-if-installed' && findCommand('bwrap', searchPath) !== undefined)
  if (isIsolated && !allowWeakIsolation) checkCapabilities()
  closeInheritedDescriptors()
  const cgroups =
    options.cgroups === false ? new CgroupsUnavailable('they are turned off') : await openCgroups()
  const workspace = await openWorkspace(logger)
  try {
    const pipes = createPipes(await workspace.makeFolder('pipes', 0o700))
    if (isIsolated) {
      const { folderLimits = DEFAULT_FOLDER, paths = [] } = options
      const common = { workspace, pipes, logger, searchPath, paths, cgroups }
      return shareRuns(await openBubblewrap({ ...common, firstUserId, folderLimits, allowWeakIsolation }))
    }
    logger.warn(
      {},
      'programs run UNSANDBOXED, with the rights of this user: they can read its files and use the network',
    )
    const meters = cgroups instanceof CgroupsUnavailable ? createProcessTrees() : cgroups
    return shareRuns(createUnsandboxed({ workspace, pipes, meters, path: process.env.PATH ?? SYSTEM_PATH }))
  } catch (err) {
    if (!(cgroups instanceof CgroupsUnavailable)) await cgroups.settled()
    await workspace.close()
    throw err
  }
}

const DEFAULT_FOLDER: FolderLimits = {
  bytes: DEFAULT_SETTINGS.compile.folderMib * MIB,
  files: DEFAULT_SETTINGS.compile.folderFiles,
}

function shareRuns(sandbox: Sandbox): Sandbox {
  const gate = createRunGate()
  // A program that waits for its start does not keep another from running alone.
  const runWhen = async (request: RunRequest, startWhen: Promise<void>) => {
    // Making a sandbox would disturb a program that runs alone.
    const isShared = gate.pass(false, async () => true)
    const isEarly = await Promise.race([isShared, startWhen.then(() => false)])
    const { startWhen: _, ...ordinary } = request
    if (!isEarly && !request.signal?.aborted) return gate.pass(false, () => sandbox.run(ordinary))
    const start = createLatch()
    const result = sandbox.run({ ...request, startWhen: start.opened })
    // A failure, or an aborted signal, ends the wait.
    await Promise.race([startWhen, result])
    const startNow = () => {
      start.open()
      return result
    }
    return request.signal?.aborted ? startNow() : gate.pass(false, startNow)
  }
  return {
    ...sandbox,
    run: (request) =>
      request.startWhen
        ? runWhen(request, request.startWhen)
        : gate.pass(request.alone ?? false, () => sandbox.run(request)),
    runPair: (request) => gate.pass(request.alone ?? false, () => sandbox.runPair(request)),
  }
}

/** Starts runs in order, together with others or alone. */
export function createRunGate() {
  const waiting: { readonly alone: boolean; readonly start: () => void }[] = []
  let running = 0
  let isTaken = false
  const startNext = () => {
    for (let next = waiting[0]; next && !isTaken && !(next.alone && running > 0); next = waiting[0]) {
      waiting.shift()
      running += 1
      isTaken = next.alone
      next.start()
    }
  }
  return {
    async pass<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
      await new Promise<void>((start) => {
        waiting.push({ alone, start })
        startNext()
      })
      try {
        return await work()
      } finally {
        running -= 1
        if (alone) isTaken = false
        startNext()
      }
    },
  }
}
