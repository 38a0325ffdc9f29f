import { cpus, totalmem } from 'node:os'

/** What figures are taken on: its processor, its memory, and the Node.js that this process runs on. */
export function describeHardware(): Readonly<Record<'processor' | 'memory' | 'node', string>> {
  const cores = cpus()
  return {
    processor: `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
  }
}
