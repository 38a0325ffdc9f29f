import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meter, Meters } from './meter.ts'
import type { Limits } from './sandbox.ts'

interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly cpuMs: number
  /** Tells a process from a later one with the same number. */
  readonly startTime: string
}

const MARKER = 'JUDGE_RUN_ID'
const PATIENCE_MS = 2000
const RETRY_MS = 10
// Linux counts these in hundredths of a second for every program, whatever the kernel's own clock.
const MS_PER_TICK = 10

/** Meters by sampling `/proc`; where there is none (not Linux) they measure nothing and kill the process group only. */
export function createProcessTrees(): Meters {
  return {
    description: 'rlimits and samples of /proc',
    intervalMs: 50,
    limitsProcesses: false,
    open: async (limits) => createProcessTree(limits),
  }
}

function createProcessTree(limits: Limits): Meter {
  let root: number | undefined
  let peakMemoryBytes = 0
  const runId = randomUUID()
  const members = new Map<number, ProcessInfo>()
  const update = (): ProcessInfo[] => {
    const alive = root === undefined ? [] : findMembers(listProcesses(), root, members)
    for (const member of alive) members.set(member.pid, member)
    return alive
  }
  return {
    enterScript: ':',
    environment: { [MARKER]: runId },
    attach(pid) {
      root = pid
    },
    sample() {
      const memoryBytes = update().reduce((sum, member) => sum + readMemoryBytes(member.pid), 0)
      peakMemoryBytes = Math.max(peakMemoryBytes, memoryBytes)
      const cpuMs = [...members.values()].reduce((sum, member) => sum + member.cpuMs, 0)
      return { cpuMs, peakMemoryBytes, outOfMemory: peakMemoryBytes > limits.memoryBytes }
    },
    async killAll() {
      // A child may have left the session and lost its parent between two samples.
      for (const stray of listProcesses().filter(({ pid }) => hasMarker(pid, runId)))
        members.set(stray.pid, stray)
      const deadline = Date.now() + PATIENCE_MS
      for (let alive = update(); alive.length > 0 && Date.now() < deadline; alive = update()) {
        for (const member of alive) killProcess(member.pid)
        await sleep(RETRY_MS)
      }
    },
    async close() {},
  }
}

/** The root, its session, those seen before and, from them, all descendants. */
function findMembers(
  processes: readonly ProcessInfo[],
  root: number,
  known: ReadonlyMap<number, ProcessInfo>,
): ProcessInfo[] {
  const found = new Map<number, ProcessInfo>()
  const isMember = ({ pid, parent, session, startTime }: ProcessInfo) =>
    (known.get(pid) ?? { startTime: pid === root ? startTime : '' }).startTime === startTime ||
    session === root ||
    found.has(parent)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const candidate of processes)
      if (!found.has(candidate.pid) && isMember(candidate)) found.set(candidate.pid, candidate)
  }
  return [...found.values()]
}

function listProcesses(): ProcessInfo[] {
  return readOr(() => readdirSync('/proc'), []).flatMap((name) =>
    /^\d+$/.test(name) ? readProcess(Number(name)) : [],
  )
}

function readProcess(pid: number): ProcessInfo[] {
  const text = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // The name in parentheses may hold anything; the fields after it are 3 (state), 4 (parent), 6 (session), 14, 15 (CPU) ...
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, , session] = fields
  const startTime = fields[19]
  if (state === undefined || state === 'Z' || state === 'X' || startTime === undefined) return []
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  return [{ pid, parent: Number(parent), session: Number(session), cpuMs, startTime }]
}

function hasMarker(pid: number, runId: string): boolean {
  return readOr(() => readFileSync(`/proc/${pid}/environ`, 'utf8'), '').includes(`${MARKER}=${runId}`)
}

/** What the process alone holds: not the program files that it maps. */
function readMemoryBytes(pid: number): number {
  const text = readOr(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '')
  const kib = [...text.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )
  return kib * 1024
}

function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
