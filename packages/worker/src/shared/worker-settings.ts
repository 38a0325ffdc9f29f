import { hostname } from 'node:os'

/** Limits of one compilation; a language may have its own limits. */
export interface CompileSettings {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly memoryMib: number
  /** The total size of the folder of a compilation. */
  readonly folderMib: number
  /** The files and folders in it. */
  readonly folderFiles: number
}

/** Settings with a default. */
export interface WorkerSettings {
  readonly compile: CompileSettings
  /** As root, each slot has its own user id; this is the first. */
  readonly firstUserId: number
  /** How many bytes of test cases the worker keeps on disk; 0 keeps none. */
  readonly testCacheBytes: number
  /** The name in the verdicts, for judges and admins. */
  readonly workerName: string
  /** The statuses of verdicts: `known` to all clients, with a reason, or `all` (D23). */
  readonly verdicts: 'known' | 'all'
  /** True: start even if programs cannot be isolated completely. */
  readonly allowWeakIsolation: boolean
}

export const MIB = 2 ** 20

/** The defaults of `startWorker` and of the worker's environment variables. */
export const DEFAULT_SETTINGS: WorkerSettings = {
  compile: { cpuSeconds: 30, wallSeconds: 60, memoryMib: 1024, folderMib: 256, folderFiles: 10_000 },
  firstUserId: 60_600,
  testCacheBytes: 1024 * MIB,
  workerName: `${hostname()}-${process.pid}`,
  verdicts: 'known',
  allowWeakIsolation: false,
}
