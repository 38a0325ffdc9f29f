import { readFileSync } from 'node:fs'
import { tryOr } from '../shared/try-or.ts'
import type { Limits } from './sandbox.ts'

export interface Usage {
  readonly cpuMs: number
  readonly peakMemoryBytes: number
  readonly outOfMemory: boolean
}

/** Measures and ends all the processes of one run. */
export interface Meter {
  /** A process with one thread that writes 0 to these files is under the meter. */
  readonly joinFiles: readonly string[]
  /** Variables that mark the processes of the run. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the first process of the run. */
  attach(pid: number): void
  sample(): Usage
  /** How long processes waited for a CPU. Some kernels count only living processes. */
  readCpuWaitMs(): number
  /** The number of processes of the run that have not ended. */
  countProcesses(): number
  /** Kills all processes of the run. Resolves after they have ended or after a time limit. */
  killAll(): Promise<void>
  /** Frees the meter's resources in the background. */
  close(): void
}

export interface Meters {
  readonly description: string
  readonly intervalMs: number
  /** True if the meter limits the number of processes. */
  readonly limitsProcesses: boolean
  open(limits: Limits): Promise<Meter>
  /** Resolves after all closed meters have freed their resources. */
  settled(): Promise<void>
}

/** Shell commands, joined by `&&`, that put the shell under a meter. */
export function makeJoinScript({ joinFiles }: Meter): string {
  return [':', ...joinFiles.map((file) => `echo 0 > '${file}'`)].join(' && ')
}

/** Opens a meter, lets `run` use it, and closes it. */
export async function withMeter<T>(
  meters: Meters,
  limits: Limits,
  run: (meter: Meter) => Promise<T>,
): Promise<T> {
  const meter = await meters.open(limits)
  try {
    return await run(meter)
  } finally {
    meter.close()
  }
}

/** How long threads waited for a CPU; 0 for ended threads and without CONFIG_SCHED_INFO. */
export function sumRunDelayMs(threadIds: readonly (number | string)[]): number {
  return threadIds.reduce<number>((sum, id) => sum + readRunDelayMs(id), 0)
}

function readRunDelayMs(threadId: number | string): number {
  // Nanoseconds on a CPU, nanoseconds of waiting, time slices.
  const [, waitedNs = 0] = tryOr(() => readFileSync(`/proc/${threadId}/schedstat`, 'utf8'), '').split(' ')
  return Number(waitedNs) / 1e6
}
