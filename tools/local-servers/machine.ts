import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** The processor, the memory and the Node.js of this machine. */
export function describeHardware(): Readonly<Record<'processor' | 'memory' | 'node', string>> {
  const cores = cpus()
  return {
    processor: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
  }
}

/** The resident memory of a process in MiB; NaN if the process has ended. */
export function readResidentMebibytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
