import { describeError } from '../shared/logger.ts'

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

/** A program to run. */
export interface RunCommand {
  /** The command, with paths inside the sandbox: see `Sandbox.innerPath`. */
  readonly argv: readonly [string, ...string[]]
  /** The program's folder, from `Sandbox.createFolder`. */
  readonly folder: string
  /** True: the folder is writable. False: it is read-only, except for `writableFolders`. */
  readonly writable: boolean
  /** Names of writable subfolders of a read-only folder, from `Sandbox.makeSubfolder`. */
  readonly writableFolders?: readonly string[]
  /**
   * Files of the worker that the program sees read-only in its folder during this run, by their
   * names there. Two runs at once in one folder need different names.
   */
  readonly files?: Readonly<Record<string, string>>
  /** Default: `program` if the folder is writable, else `scratch`, an empty writable folder. */
  readonly workingFolder?: 'program' | 'scratch'
  readonly environment: Readonly<Record<string, string>>
  readonly limits: Limits
  /** True: the command may lock files. */
  readonly locks?: boolean
}

/** How a run or a pair of runs shares the machine. */
interface Scheduling {
  /** True: waits until no other program runs, and none starts before the end. */
  readonly alone?: boolean
  /** Ends all programs; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface RunRequest extends RunCommand, Scheduling {
  /**
   * A text, or a file of the worker that programs can read but not change. A file with mode 0644
   * (in a folder with mode 0700) is linked if possible, any other is copied.
   */
  readonly stdin: string | { readonly file: string }
  /** Writes stdout to this new file of the worker (mode 0644) instead of `RunResult.stdout`. */
  readonly outputFile?: string
  /**
   * If possible, the sandbox is made before, and the program starts when this resolves. It must
   * resolve, also after the signal was aborted. Not together with `alone`.
   */
  readonly startWhen?: Promise<void>
}

export type ExceededLimit = 'time' | 'memory' | 'output'

export interface RunResult {
  /** Undefined if a signal ended the program. */
  readonly exitCode: number | undefined
  /** Such as `SIGSEGV`. A sandboxed program can forge it by an exit code above 128. */
  readonly signal: string | undefined
  /** The signal that the kernel reported; only without a sandbox. */
  readonly kernelSignal: string | undefined
  /** At most the limit's bytes; empty if it went to a file or to the other side of a pair. */
  readonly stdout: Buffer
  /** The number of bytes of stdout up to the limit, also if `stdout` is empty. */
  readonly stdoutBytes: number
  readonly stderr: Buffer
  readonly wallMs: number
  readonly cpuMs: number
  /**
   * How long the program waited for a CPU. Measured if it reached the wall limit, and in a pair;
   * otherwise 0.
   */
  readonly cpuWaitMs: number
  /** How long the program waited for its start, and its limits were watched late. */
  readonly lateMs: number
  readonly peakMemoryBytes: number
  readonly exceeded: ExceededLimit | undefined
}

/** A program and a validator that read each other's stdout. */
export interface PairRequest extends Scheduling {
  /** Its `outputBytes` limit what it writes to the validator. */
  readonly program: RunCommand
  readonly validator: RunCommand
  /** The size limit of the transcript. */
  readonly transcriptBytes: number
  /** Called if the validator ends first. True: ends the program at once. */
  readonly endProgram?: (validator: RunResult) => boolean
}

export interface PairResult {
  readonly program: RunResult
  readonly validator: RunResult
  /** `validator` also if both ended before either could notice the end of the other. */
  readonly endedFirst: 'program' | 'validator'
  /** As an `.interaction` file: lines of the program begin with `>`, the validator's with `<`. */
  readonly transcript: Buffer
  readonly isTranscriptCut: boolean
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
  /**
   * Makes an empty subfolder that programs may write to, in place of anything with this name.
   * Returns its path in the worker. Throws `SandboxFailure`.
   */
  makeSubfolder(folder: string, name: string): Promise<string>
  /** True if a program can run this command (a name or an absolute path). */
  hasCommand(command: string): boolean
  /** Runs a program and leaves nothing behind. Throws `SandboxFailure` if it cannot be started. */
  run(request: RunRequest): Promise<RunResult>
  /**
   * Runs two programs in sandboxes of their own, connected by two pipes, and leaves nothing behind.
   * After the end of one the other reads the end of file. Then the validator cannot write; what the
   * program writes is dropped. Throws like `run`.
   */
  runPair(request: PairRequest): Promise<PairResult>
  /** Removes all folders. No program may be running. */
  close(): Promise<void>
}

/** The sandbox itself failed, or cannot be set up. */
export class SandboxFailure extends Error {
  override readonly name = 'SandboxFailure'
}

/** Throws the `SandboxFailure` for an error; its message begins with `message`. */
export function failAs(message: string): (err: unknown) => never {
  return (err) => {
    throw new SandboxFailure(`${message}: ${describeError(err)}`)
  }
}

/** The command does not exist in the sandbox, or cannot be executed. */
export class CommandFailure extends SandboxFailure {}
