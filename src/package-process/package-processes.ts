import pLimit, { type LimitFunction } from 'p-limit'
import type { Config } from '../config/config.ts'
import { AppError } from '../http/routing/errors.ts'
import type { FromProcess, ReadPart, ToProcess } from './call.ts'
import { type CallProcess, PackageProcess, type ProcessLimits } from './package-process.ts'

/** Uploads that wait for a process. */
const MOST_WAITING = 20
/** A process without work ends after this time. */
const KEPT_MS = 60_000
/** A process that hangs may take so many times the CPU time. */
const WALL_FACTOR = 10
/** The share of the CPU time of a package after which a process gets no other one. */
const KEPT_SHARE = 3

interface Options {
  readonly limits: Config['packages']
  /** The program of the processes. Tests set it and `onMessage`. */
  readonly script?: URL
  readonly onMessage?: (message: FromProcess | ToProcess) => void
}

/**
 * How long a request may take that reads a package, in milliseconds, also if it waits: longer than
 * a process that hangs, and by default less than a proxy waits.
 */
export const packageTimeoutMs = ({ cpuSeconds }: Config['packages']) => (WALL_FACTOR * cpuSeconds + 30) * 1000

/** The processes that read packages: a few at a time, further work waits. */
export class PackageProcesses {
  readonly #running: LimitFunction
  readonly #mostWaiting: number
  readonly #limits: ProcessLimits
  readonly #script: URL
  readonly #onMessage: (message: FromProcess | ToProcess) => void
  readonly #all = new Set<PackageProcess>()
  /** The one that was used last is at the end. */
  readonly #idle: { readonly reader: PackageProcess; readonly timer: NodeJS.Timeout }[] = []
  #isClosed = false

  constructor({ limits, script = OWN_SCRIPT, onMessage = () => {} }: Options) {
    const { cpuSeconds, running } = limits
    this.#running = pLimit(running)
    this.#mostWaiting = running + MOST_WAITING
    const keptCpuSeconds = Math.ceil(cpuSeconds / KEPT_SHARE)
    this.#limits = { cpuSeconds, keptCpuSeconds, wallSeconds: WALL_FACTOR * cpuSeconds }
    this.#script = script
    this.#onMessage = onMessage
  }

  /**
   * Reads a package in a process. `readPart` reads its files. Throws UNAVAILABLE if too many
   * others wait, or the process fails.
   */
  use<T>(readPart: ReadPart, work: (call: CallProcess) => Promise<T>): Promise<T> {
    const { activeCount, pendingCount } = this.#running
    if (this.#isClosed || activeCount + pendingCount >= this.#mostWaiting)
      return Promise.reject(
        new AppError('UNAVAILABLE', 'Too many packages wait to be read; try again shortly'),
      )
    return this.#running(async () => {
      const reader = this.#takeIdle() ?? (await this.#start())
      try {
        return await work(reader.take(readPart))
      } finally {
        this.#release(reader)
      }
    })
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { timer } of this.#idle) clearTimeout(timer)
    for (const reader of this.#all) reader.kill()
    await Promise.all([...this.#all].map((reader) => reader.ended()))
  }

  #takeIdle(): PackageProcess | undefined {
    for (;;) {
      const idle = this.#idle.pop()
      if (idle === undefined) return undefined
      clearTimeout(idle.timer)
      // It may have ended meanwhile.
      if (idle.reader.isReusable) return idle.reader
    }
  }

  async #start(): Promise<PackageProcess> {
    const reader = await PackageProcess.start(this.#script, this.#limits, this.#onMessage)
    this.#all.add(reader)
    void reader.ended().then(() => this.#all.delete(reader))
    return reader
  }

  #release(reader: PackageProcess): void {
    if (!reader.isReusable || this.#isClosed) {
      reader.kill()
      return
    }
    reader.rest()
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((one) => one.reader === reader),
        1,
      )
      reader.kill()
    }, KEPT_MS).unref()
    this.#idle.push({ reader, timer })
  }
}

const isSource = import.meta.url.endsWith('.ts')
const OWN_SCRIPT = new URL(`../package-process.${isSource ? 'ts' : 'js'}`, import.meta.url)
