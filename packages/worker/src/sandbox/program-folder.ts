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

/**
 * A program's folder: a tmpfs in its own mount namespace. It vanishes with the namespace, also when
 * the worker is killed.
 */
export interface ProgramFolder {
  /** The folder's path for the worker. */
  readonly path: string
  /** The program's user; undefined for the worker's. */
  readonly userId: number | undefined
  /** The namespaces of the program, in the order in which it enters them. */
  readonly namespaceFiles: readonly string[]
  /** True if the folder has vanished because its keeper was killed. */
  isGone(): boolean
  /** Resolves to the reason of a failure, else to undefined. */
  remove(): Promise<string | undefined>
}

/** Makes a program's folder. Throws `SandboxFailure`. */
export async function createProgramFolder(options: FolderOptions): Promise<ProgramFolder> {
  const { mountPoint, limits, userId, tools, parent } = options
  const owner = userId === undefined ? '' : `,uid=${userId},gid=${userId}`
  const mountOptions = `nosuid,nodev,mode=0755,size=${limits.bytes},nr_inodes=${limits.files}${owner}`
  const namespace = await createNamespace({
    ...{ tools, parent, isUserNamespace: userId === undefined },
    script: 'mount -t tmpfs -o "$1" judge-program "$2"',
    args: [mountOptions, mountPoint],
  })
  return {
    path: namespace.outerPath(mountPoint),
    userId,
    namespaceFiles: namespace.files,
    isGone: () => namespace.hasEnded(),
    remove: () => namespace.close(),
  }
}
