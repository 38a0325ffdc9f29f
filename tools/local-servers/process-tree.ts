import { readdirSync, readFileSync } from 'node:fs'

/** A process that runs, as /proc tells of it. */
export interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly state: string
  /** Of the process, and of those of its children that have ended and been waited for. */
  readonly cpuMs: number
}

// Linux counts these in hundredths of a second for every program, whatever the kernel's own clock.
const MS_PER_TICK = 10

/** The process and all that descend from it, itself first; none once it has ended. Empty where there is no /proc. */
export function listTree(root: number): ProcessInfo[] {
  const all = listProcesses()
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/** Sends a signal to the process and to all that descend from it, to those also that start meanwhile. */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  const sent = new Set<number>()
  for (;;) {
    const unsent = [root, ...listTree(root).map(({ pid }) => pid)].filter((pid) => !sent.has(pid))
    if (unsent.length === 0) return
    for (const pid of unsent) {
      sent.add(pid)
      sendSignal(pid, signal)
    }
  }
}

/** Sends a signal; says whether there was a process to take it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function listProcesses(): ProcessInfo[] {
  return readOr(() => readdirSync('/proc'), []).flatMap((name) =>
    /^\d+$/.test(name) ? readProcess(Number(name)) : [],
  )
}

function readProcess(pid: number): ProcessInfo[] {
  const text = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // The name in parentheses may hold anything; after it come 3 (state), 4 (parent), ... 14 to 17 (CPU, and the children's).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  if (state === undefined || parent === undefined || state === 'Z' || state === 'X') return []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return [{ pid, parent: Number(parent), state, cpuMs: ticks * MS_PER_TICK }]
}

function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
