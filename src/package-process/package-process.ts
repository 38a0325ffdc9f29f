import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { AppError } from '../http/routing/errors.ts'
import { TemporaryFile } from '../http/server/temporary-file.ts'
import type { FromProcess, PackageCall, ReadPart, ToProcess } from './call.ts'

/** The limits of a process. */
export interface ProcessLimits {
  /** CPU time for one package. */
  readonly cpuSeconds: number
  /** Once a process has used this CPU time, it gets no further package. */
  readonly keptCpuSeconds: number
  /** For one call: only a process that hangs needs so long. */
  readonly wallSeconds: number
}

const MEBIBYTE = 1024 * 1024
/** Writable memory of the process, with the stacks of its threads. */
const MEMORY_MIB = 512
/** Below the memory, so that V8 collects garbage before its memory ends. */
const HEAP_MIB = 384

/** The kernel ends the process at its limits, also while it does not respond. No core is written. */
const START = 'set -e; ulimit -c 0; ulimit -S -t "$1"; ulimit -S -d "$2"; shift 2; exec "$@"'

/** How V8 ends its process: it aborts, or runs into an instruction for that. */
const ABORTS: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL']

const LOGGED_CHARACTERS = 4000

/** What the process writes: which file it reads, and its log. */
interface OwnFiles {
  readonly note: TemporaryFile
  readonly log: TemporaryFile
}

interface Reply {
  readonly resolve: (result: unknown) => void
  readonly reject: (err: unknown) => void
}

/** Calls a function of the process. Throws VALIDATION for a fault of the package, and UNAVAILABLE. */
export type CallProcess = <I, O>(call: PackageCall<I, O>, input: I) => Promise<O>

/** A process that reads packages, one after another. */
export class PackageProcess {
  readonly #child: ChildProcess
  readonly #files: OwnFiles
  readonly #limits: ProcessLimits
  readonly #onMessage: (message: FromProcess | ToProcess) => void
  #readPart: ReadPart = async () => undefined
  #reply: Reply | undefined
  #isHanging = false
  #isUsable = true

  private constructor(
    child: ChildProcess,
    files: OwnFiles,
    limits: ProcessLimits,
    onMessage: (message: FromProcess | ToProcess) => void,
  ) {
    this.#child = child
    this.#files = files
    this.#limits = limits
    this.#onMessage = onMessage
    child.on('message', (message: FromProcess) => this.#receive(message))
    child.on('error', (err) => this.#fail(unavailable(err)))
    // Not 'exit': the channel may then still hold messages.
    child.once('close', (code, signal) => void this.#end(code, signal))
  }

  /** `onMessage` sees every message in both directions. */
  static async start(
    script: URL,
    limits: ProcessLimits,
    onMessage: (message: FromProcess | ToProcess) => void,
  ): Promise<PackageProcess> {
    const files = { note: await TemporaryFile.create('process'), log: await TemporaryFile.create('process') }
    const { cpuSeconds, keptCpuSeconds } = limits
    const bounds = [cpuSeconds + keptCpuSeconds, (MEMORY_MIB * MEBIBYTE) / 1024].map(String)
    const node = [process.execPath, `--max-old-space-size=${HEAP_MIB}`, ...optionsFor(script)]
    const own = [fileURLToPath(script), String(keptCpuSeconds)]
    const child = spawn('/bin/sh', ['-c', START, 'sh', ...bounds, ...node, ...own], {
      // No secret of the service, and none of its options.
      env: {},
      // Ctrl-C reaches only the service, which ends its requests first.
      detached: true,
      stdio: ['ignore', 'ignore', files.log.fd, files.note.fd, 'ipc'],
      serialization: 'advanced',
    })
    return new PackageProcess(child, files, limits, onMessage)
  }

  /** False once it has failed, is spent, or was left in the middle of a call. */
  get isReusable(): boolean {
    return this.#isUsable && this.#reply === undefined
  }

  /** Lets the service end while the process has nothing to do. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  kill(): void {
    this.#isUsable = false
    this.#child.kill('SIGKILL')
  }

  /** Takes a package: `readPart` reads its files for the process. */
  take(readPart: ReadPart): CallProcess {
    this.#readPart = readPart
    this.#child.ref()
    this.#child.channel?.ref()
    return async ({ name }, input) => {
      // The name determines the type.
      return (await this.#call(name, input)) as never
    }
  }

  async #call(call: string, input: unknown): Promise<unknown> {
    if (!this.isReusable) throw unavailable(new Error('the process has ended'))
    const timer = setTimeout(() => {
      this.#isHanging = true
      this.kill()
    }, this.#limits.wallSeconds * 1000)
    try {
      return await new Promise((resolve, reject) => {
        this.#reply = { resolve, reject }
        this.#send({ call, input })
      })
    } finally {
      clearTimeout(timer)
    }
  }

  #send(message: ToProcess): void {
    this.#onMessage(message)
    // An error means that the process has ended, which `close` reports.
    this.#child.send(message, () => {})
  }

  #receive(message: FromProcess): void {
    this.#onMessage(message)
    if ('file' in message) {
      this.#readPart(message.file, message.number).then(
        (part) => this.#send({ part }),
        (err: unknown) => this.#fail(err),
      )
      return
    }
    if (message.isSpent) this.#isUsable = false
    if ('result' in message) this.#takeReply()?.resolve(message.result)
    else if ('fault' in message) this.#takeReply()?.reject(new AppError('VALIDATION', message.fault))
    else this.#fail(unavailable(new Error(message.failure)))
  }

  #takeReply(): Reply | undefined {
    const reply = this.#reply
    this.#reply = undefined
    return reply
  }

  #fail(err: unknown): void {
    this.kill()
    this.#takeReply()?.reject(err)
  }

  async #end(code: number | null, signal: string | null): Promise<void> {
    this.#isUsable = false
    const { note, log } = this.#files
    const file = (await buffer(note.read())).toString('utf8').replace(/\0.*$/s, '')
    const printed = (await buffer(log.read())).toString('utf8').slice(-LOGGED_CHARACTERS)
    const reason = this.#explainEnd(signal)
    const end = new Error(`the process has ended with ${signal ?? `code ${code}`}: ${printed}`)
    const isOfFile = reason !== undefined && file !== ''
    const message = `${file}: reading it takes ${reason}`
    this.#takeReply()?.reject(isOfFile ? new AppError('VALIDATION', message) : unavailable(end))
  }

  /** The limit that has ended the process; undefined for another end. */
  #explainEnd(signal: string | null): string | undefined {
    const { cpuSeconds, wallSeconds } = this.#limits
    if (this.#isHanging) return `more than ${wallSeconds} s`
    if (signal === 'SIGXCPU') return `more than ${cpuSeconds} s of CPU time`
    return ABORTS.includes(signal) ? `more than ${MEMORY_MIB} MiB of memory` : undefined
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
  }
}

/** The cause gets into the log. */
const unavailable = (cause: Error) =>
  new AppError('UNAVAILABLE', 'The package could not be read; try again shortly', { cause })

const optionsFor = (script: URL) =>
  script.pathname.endsWith('.ts') ? ['--import', 'tsx', '--conditions=source'] : []
