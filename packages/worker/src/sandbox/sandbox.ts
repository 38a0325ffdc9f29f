/** What a run may use; whatever it exceeds ends it. */
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
  /** Ends the run; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export type ExceededLimit = 'time' | 'memory' | 'output'

export interface RunResult {
  /** Undefined when a signal ended the program. */
  readonly exitCode: number | undefined
  /** Such as `SIGSEGV`. */
  readonly signal: string | undefined
  /** At most the limit's bytes. */
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMemoryBytes: number
  readonly exceeded: ExceededLimit | undefined
}

/** Runs programs that nobody trusts. */
export interface Sandbox {
  /** What it isolates by, for the log. */
  readonly description: string
  /** Makes an empty folder for one program. */
  createFolder(): Promise<string>
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
