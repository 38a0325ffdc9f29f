import { createNamespace, type Namespace, type NamespaceTools } from './namespace.ts'

/** The size of a program's folder. */
export interface FolderLimits {
  readonly bytes: number
  /** Files and folders. */
  readonly files: number
}

export interface FolderOptions {
  readonly mountPoint: string
  readonly limits: FolderLimits
  /** The owner of the folder and the program; undefined for the worker's user. */
  readonly userId: number | undefined
  readonly tools: NamespaceTools
  /** The namespace with the devices. */
  readonly parent: Namespace
}

export type ProgramFolder = Awaited<ReturnType<typeof createProgramFolder>>

/**
 * Makes a program's folder: a tmpfs in its own mount namespace. Both vanish when the worker is
 * killed. Throws `SandboxFailure`.
 */
export async function createProgramFolder(options: FolderOptions) {
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
