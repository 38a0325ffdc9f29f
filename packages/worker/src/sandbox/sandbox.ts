/** Limits of a run. It ends when it exceeds one of them. */
export interface Limits {
  readonly wallMs: number
  /** CPU time of all its processes together. */
  readonly cpuMs: number
  /** Memory of all its processes together, including files in its private file systems. */
  readonly memoryBytes: number
  /** Limit of stdout and of stderr. */
  readonly outputBytes: number
  /** Limit of each file. */
  readonly fileBytes: number
  /** Number of processes and threads at the same time. */
  readonly processes: number
}

export interface RunRequest {
  /** The command, with paths inside the sandbox: see `Sandbox.innerPath`. */
  readonly argv: readonly [string, ...string[]]
  /** The program's folder, from `Sandbox.createFolder`. */
  readonly folder: string
  /** True: the folder is writable and the working folder. False: it is read-only. */
  readonly writable: boolean
  readonly stdin: string
  readonly environment: Readonly<Record<string, string>>
  readonly limits: Limits
  /** True: the command may lock files. */
  readonly locks?: boolean
  /** True: the run waits until no other run is in progress, and no other starts before it ends. */
  readonly alone?: boolean
  /** Ends the run; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export type ExceededLimit = 'time' | 'memory' | 'output'

export interface RunResult {
  /** Undefined if a signal ended the program. */
  readonly exitCode: number | undefined
  /** Such as `SIGSEGV`. A sandboxed program can forge it by an exit code above 128. */
  readonly signal: string | undefined
  /** The signal that the kernel reported; only without a sandbox. */
  readonly kernelSignal: string | undefined
  /** At most the limit's bytes. */
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly wallMs: number
  readonly cpuMs: number
  /** How long the program waited for a CPU; 0 unless it reached the wall limit. */
  readonly cpuWaitMs: number
  readonly peakMemoryBytes: number
  readonly exceeded: ExceededLimit | undefined
}

/** Runs untrusted programs. */
export interface Sandbox {
  /** A description of the isolation, for the log. */
  readonly description: string
  /** Makes an empty folder for one program. Its path is valid in the worker until it is removed. */
  createFolder(): Promise<string>
  /** Deletes a folder. A failure is logged and never thrown. */
  removeFolder(folder: string): Promise<void>
  /** The path of the folder inside the sandbox. */
  innerPath(folder: string): string
  /** True if a program can run this command (a name or an absolute path). */
  hasCommand(command: string): boolean
  /** Runs a program and leaves nothing behind. Throws `SandboxFailure` if it cannot be started. */
  run(request: RunRequest): Promise<RunResult>
  /** Removes all folders. No program may be running. */
  close(): Promise<void>
}

/** The sandbox itself failed, or cannot be set up. */
export class SandboxFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SandboxFailure'
  }
}
