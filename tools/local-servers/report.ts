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

/** `undefined` is a dash. */
export type Cell = string | number | undefined

/** Writes a Markdown table; `undefined` becomes a dash. */
export function writeTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [
    head,
    head.map((_, n) => (n === 0 ? '---' : '---:')),
    ...rows.map((row) => row.map((cell) => cell ?? '–')),
  ]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}
