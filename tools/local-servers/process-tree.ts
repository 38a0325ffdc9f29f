import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

// Linux counts CPU time in hundredths of a second.
const MS_PER_TICK = 10

/** A process and its descendants, itself first. Empty if it has ended, or without /proc. */
export function listTree(root: number) {
  const names = tryOr(() => readdirSync('/proc'), [])
  const all = names.filter((name) => /^\d+$/.test(name)).flatMap((name) => readProcess(Number(name)))
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

function readProcess(pid: number) {
  const text = readProc(pid, 'stat')
  // The name in parentheses may contain spaces. Fields 3, 4 and 14 to 17: state, parent, CPU times.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  if (state === undefined || parent === undefined || state === 'Z' || state === 'X') return []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return [{ pid, parent: Number(parent), cpuMs: ticks * MS_PER_TICK }]
}

export const readTreeCpuMs = (root: number): number =>
  listTree(root).reduce((sum, { cpuMs }) => sum + cpuMs, 0)

/** CPU seconds of this process and of its children that have ended; 0 without /proc. */
export const readOwnCpuSeconds = (): number => (readProcess(process.pid)[0]?.cpuMs ?? 0) / 1000

/** The resident memory of a process in MiB; NaN if the process has ended. */
export const readResidentMebibytes = (pid: number): number => readMebibytes(pid, 'VmRSS')

/** The highest resident memory of a process since `resetPeak`, in MiB; NaN if it has ended. */
export const readPeakMebibytes = (pid: number): number => readMebibytes(pid, 'VmHWM')

const readMebibytes = (pid: number, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, 'status'))?.[1]) / 1024

/** A file of a process under /proc; empty if the process has ended. */
export const readProc = (pid: number, file: 'cmdline' | 'environ' | 'stat' | 'status'): string =>
  tryOr(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'), '')

/** Begins a new measurement of the highest resident memory. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Sends a signal to a process and its descendants, also to descendants that start meanwhile. */
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

/** Sends a signal. Returns whether the process exists. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): boolean =>
  tryOr(() => process.kill(pid, signal), false)

function tryOr<T>(act: () => T, otherwise: T): T {
  try {
    return act()
  } catch {
    return otherwise
  }
}

/** A child of `npm start -- --judge`. */
export type Supervised = 'service' | 'worker'

const SCRIPTS: Readonly<Record<Supervised, string>> = {
  service: 'dist/src/main.js',
  worker: 'packages/worker/dist/main.js',
}

/** The process of a child now; undefined while it is down, and without /proc. */
export function findSupervised(parent: number, of: Supervised): number | undefined {
  const children = listTree(parent).filter((child) => child.parent === parent)
  return children.find(({ pid }) => readProc(pid, 'cmdline').includes(SCRIPTS[of]))?.pid
}
