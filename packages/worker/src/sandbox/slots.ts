import type { Logger } from '../shared/logger.ts'
import { trackCalls } from '../shared/track-calls.ts'
import { createNamespace, type Namespace, type NamespaceTools } from './namespace.ts'
import { SandboxFailure } from './sandbox.ts'

/** The size of a program's folder. */
export interface FolderLimits {
  readonly bytes: number
  /** Files and folders. */
  readonly files: number
}

interface FolderOptions {
  readonly mountPoint: string
  readonly limits: FolderLimits
  /** The owner of the folder and the program; undefined for the worker's user. */
  readonly userId: number | undefined
  readonly tools: NamespaceTools
  /** The namespace with the devices. */
  readonly parent: Namespace
}

export type ProgramFolder = Awaited<ReturnType<typeof createProgramFolder>>

interface SlotsOptions {
  /** The first user id of the slots; undefined if programs run as the worker's user. */
  readonly firstUserId: number | undefined
  readonly folderOptions: () => Promise<Omit<FolderOptions, 'userId'>>
  readonly logger: Logger
}

/** The folders of running programs, each with its own user. */
export function createSlots({ firstUserId, folderOptions, logger }: SlotsOptions) {
  const slots = new Map<string, { number: number; folder: ProgramFolder }>()
  const claimed = new Set<number>()
  const { handler: remove, settled } = trackCalls(async (folder: ProgramFolder) => {
    const reason = await folder.remove()
    if (reason !== undefined) logger.warn({ reason }, "a program's folder could not be deleted")
  })
  return {
    /** Makes the folder of a new slot and returns its path. Throws `SandboxFailure`. */
    async claim(): Promise<string> {
      const number = claimLowest(claimed)
      const userId = firstUserId === undefined ? undefined : firstUserId + number
      try {
        const folder = await createProgramFolder({ ...(await folderOptions()), userId })
        slots.set(folder.path, { number, folder })
        return folder.path
      } catch (err) {
        claimed.delete(number)
        throw err
      }
    },
    /** The folder of a slot. Throws `SandboxFailure` if it has vanished. */
    find(path: string): ProgramFolder {
      const slot = slots.get(path)
      if (!slot || slot.folder.isGone()) throw new SandboxFailure("the program's folder has vanished")
      return slot.folder
    },
    /** Frees a slot immediately and deletes its folder in the background. */
    release(path: string): void {
      const slot = slots.get(path)
      if (!slot) return
      slots.delete(path)
      claimed.delete(slot.number)
      void remove(slot.folder)
    },
    async close(): Promise<void> {
      for (const { folder } of slots.values()) void remove(folder)
      await settled()
    },
  }
}

function claimLowest(claimed: Set<number>): number {
  let number = 0
  while (claimed.has(number)) number += 1
  claimed.add(number)
  return number
}

/**
 * Makes a program's folder: a tmpfs in its own mount namespace. Both vanish when the worker is
 * killed. Throws `SandboxFailure`.
 */
async function createProgramFolder(options: FolderOptions) {
  const { mountPoint, limits, userId, tools, parent } = options
  const owner = userId === undefined ? '' : `,uid=${userId},gid=${userId}`
  const mountOptions = `nosuid,nodev,mode=0755,size=${limits.bytes},nr_inodes=${limits.files}${owner}`
  const namespace = await createNamespace({
    ...{ tools, parent, isUserNamespace: userId === undefined },
    script: 'mount -t tmpfs -o "$1" judge-program "$2"',
    args: [mountOptions, mountPoint],
  })
  return {
    /** The folder's path for the worker. */
    path: namespace.outerPath(mountPoint),
    userId,
    /** The namespaces of the program, in the order in which it enters them. */
    namespaceFiles: namespace.files,
    /** True if the folder has vanished because its keeper was killed. */
    isGone: namespace.hasEnded,
    /** Resolves to the reason of a failure, else to undefined. */
    remove: namespace.close,
  }
}
