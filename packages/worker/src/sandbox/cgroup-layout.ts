import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CgroupPlace } from './cgroup-mounts.ts'
import { sumRunDelayMs, type Usage } from './meter.ts'
import { hasControllers, openProgramsGroup } from './programs-group.ts'
import type { Limits } from './sandbox.ts'

/** The folders of a run's cgroups: one in version 2, one per controller in version 1. */
export interface CgroupLayout {
  readonly version: 1 | 2
  readonly parents: readonly string[]
  /** The parent of `cgroup.procs` and `pids.max`. */
  readonly processesParent: string
  /** A process with one thread that writes 0 to this file joins the cgroup. */
  readonly joinFile: 'tasks' | 'cgroup.procs'
  /** Synchronous like all calls here: the kernel answers at once, a thread pool does not. */
  setLimits(name: string, limits: Limits): void
  sample(name: string): Usage
  readCpuWaitMs(name: string): number
}

/** Undefined unless the memory, pids and cpuacct controllers of version 1 are mounted. */
export function layOutVersion1(places: ReadonlyMap<string, CgroupPlace>): CgroupLayout | undefined {
  const memory = places.get('memory')?.directory
  const pids = places.get('pids')?.directory
  const cpu = places.get('cpuacct')?.directory
  if (memory === undefined || pids === undefined || cpu === undefined) return undefined
  return {
    version: 1,
    parents: [...new Set([memory, pids, cpu])],
    processesParent: pids,
    // A write to `cgroup.procs` waits up to 15 ms for a lock of all processes; meanwhile nobody can
    // make, remove or join a cgroup. A write to this file takes no such lock on current kernels.
    joinFile: 'tasks',
    setLimits(name, limits) {
      writeFileSync(join(memory, name, 'memory.limit_in_bytes'), String(limits.memoryBytes))
      // Absent where the kernel does not count swap.
      tryWrite(join(memory, name, 'memory.memsw.limit_in_bytes'), String(limits.memoryBytes))
      writeFileSync(join(pids, name, 'pids.max'), String(limits.processes))
    },
    sample: (name) => ({
      cpuMs: readNumber(join(cpu, name, 'cpuacct.usage')) / 1e6,
      peakMemoryBytes: readNumber(join(memory, name, 'memory.max_usage_in_bytes')),
      outOfMemory: readField(join(memory, name, 'memory.oom_control'), 'oom_kill') > 0,
    }),
    readCpuWaitMs: (name) => sumRunDelayMs(readLines(join(pids, name, 'tasks'))),
  }
}

/**
 * Undefined unless this process's cgroup of version 2 has the memory and pids controllers. Throws
 * if programs cannot have groups.
 */
export async function layOutVersion2(
  places: ReadonlyMap<string, CgroupPlace>,
): Promise<CgroupLayout | undefined> {
  const own = places.get('unified')
  if (own === undefined || !(await hasControllers(own))) return undefined
  const parent = await openProgramsGroup(own)
  return {
    version: 2,
    parents: [parent],
    processesParent: parent,
    joinFile: 'cgroup.procs',
    setLimits(name, limits) {
      writeFileSync(join(parent, name, 'memory.max'), String(limits.memoryBytes))
      // Absent where the kernel has no swap.
      tryWrite(join(parent, name, 'memory.swap.max'), '0')
      writeFileSync(join(parent, name, 'pids.max'), String(limits.processes))
    },
    sample(name) {
      const peakFile = join(parent, name, 'memory.peak')
      return {
        cpuMs: readField(join(parent, name, 'cpu.stat'), 'usage_usec') / 1e3,
        // Kernels before 5.19 do not keep the peak.
        peakMemoryBytes: readNumber(existsSync(peakFile) ? peakFile : join(parent, name, 'memory.current')),
        outOfMemory: readField(join(parent, name, 'memory.events'), 'oom_kill') > 0,
      }
    },
    readCpuWaitMs(name) {
      try {
        return readPressureMs(join(parent, name, 'cpu.pressure'))
      } catch {
        // This kernel keeps no pressure, or it is turned off (psi=0).
        return sumRunDelayMs(readLines(join(parent, name, 'cgroup.threads')))
      }
    },
  }
}

function tryWrite(file: string, text: string): void {
  if (existsSync(file)) writeFileSync(file, text)
}

/** The `total` of the line `some`, which is in microseconds. */
function readPressureMs(file: string): number {
  const total = /^some .*total=(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]
  return Number(total ?? 0) / 1e3
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean)
}

function readNumber(file: string): number {
  return Number(readFileSync(file, 'utf8'))
}

function readField(file: string, field: string): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  return Number(lines.find((line) => line.startsWith(`${field} `))?.slice(field.length + 1) ?? 0)
}
