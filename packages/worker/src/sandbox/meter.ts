import type { Limits } from './sandbox.ts'

export interface Usage {
  readonly cpuMs: number
  readonly peakMemoryBytes: number
  /** The memory limit was hit. */
  readonly outOfMemory: boolean
}

/** Measures and ends all the processes of one run. */
export interface Meter {
  /** Shell commands, joined by `&&`, by which a process puts itself under the meter before it becomes the program. */
  readonly enterScript: string
  /** Variables by which the meter finds processes again that have slipped away. */
  readonly environment: Readonly<Record<string, string>>
  /** Tells the process that was started. */
  attach(pid: number): void
  sample(): Usage
  /**
   * For how long processes were ready to run but waited for a CPU; some kernels count only those
   * alive.
   */
  readCpuWaitMs(): number
  /** Kills all that is left of the run. Resolves once it is gone, or after a bounded wait. */
  killAll(): Promise<void>
  /** Gives the meter's own resources back, in the background. */
  close(): void
}

export interface Meters {
  readonly description: string
  /** How often `sample` is worth its price. */
  readonly intervalMs: number
  /** True where the meter itself holds the run to its number of processes. */
  readonly limitsProcesses: boolean
  open(limits: Limits): Promise<Meter>
  /** Resolves once every closed meter has given its resources back. */
  settled(): Promise<void>
}
