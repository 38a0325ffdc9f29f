/** What a run may use; the run ends when it exceeds a limit. */
export interface Limits {
  readonly wallMs: number
  /** CPU time of all its processes together. */
  readonly cpuMs: number
  /** Memory of all its processes together, files in its private file systems included. */
  readonly memoryBytes: number
  /** Of stdout, and of stderr. */
  readonly outputBytes: number
  /** Of any one file that it writes. */
  readonly fileBytes: number
  /** Processes and threads alive at once. */
  readonly processes: number
}

export interface RunRequest {
  /** The command; paths in it are as the program sees them, see `Sandbox.innerPath`. */
  readonly argv: readonly [string, ...string[]]
  /** The program's folder, from `Sandbox.createFolder`. */
  readonly folder: string
  /** True while compiling: the folder is writable and the working folder. Else it is read-only, and the working folder empty. */
  readonly writable: boolean
  readonly stdin: string
  readonly environment: Readonly<Record<string, string>>
  readonly limits: Limits
  /** True for a command that may lock files; others get EPERM. */
  readonly locks?: boolean
  /** True: the run waits until no other run is in progress, and no other starts before it ends. */
  readonly alone?: boolean
  /** Ends the run; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export type ExceededLimit = 'time' | 'memory' | 'output'

export interface RunResult {
  /** Undefined when a signal ended the program. */
  readonly exitCode: number | undefined
  /** Such as `SIGSEGV`. A sandboxed program can claim one: it is an exit code above 128. */
  readonly signal: string | undefined
  /** The signal that the kernel itself reported to the worker; only without a sandbox. */
  readonly kernelSignal: string | undefined
  /** At most the limit's bytes. */
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly wallMs: number
  readonly cpuMs: number
  /** Time for which the program was ready but had no CPU; 0 unless the wall limit ended it. */
  readonly cpuWaitMs: number
  readonly peakMemoryBytes: number
  readonly exceeded: ExceededLimit | undefined
}

/** Runs programs that nobody trusts. */
export interface Sandbox {
  /** How programs are isolated, for the log. */
  readonly description: string
  /** Makes an empty folder for one program. Its path is valid in the worker until it is removed. */
  createFolder(): Promise<string>
  /** Deletes a folder. A failure is logged and never thrown. */
  removeFolder(folder: string): Promise<void>
  /** The path by which a program sees its folder. */
  innerPath(folder: string): string
  /** True where a program could run this command: a name, or an absolute path. */
  hasCommand(command: string): boolean
  /**
   * Runs a program to its end and leaves nothing of it behind. Throws `SandboxFailure` when it could not be started: the
   * fault is the worker's then, not the program's.
   */
  run(request: RunRequest): Promise<RunResult>
  /** Removes every folder. Nothing may run any more. */
  close(): Promise<void>
}

/** The sandbox itself failed, or cannot be set up. */
export class SandboxFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SandboxFailure'
  }
}
