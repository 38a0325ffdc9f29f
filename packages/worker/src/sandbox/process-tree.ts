import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { succeeds, tryOr } from '../shared/try-or.ts'
import { type Meter, type Meters, sumRunDelayMs } from './meter.ts'
import type { Limits } from './sandbox.ts'

interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly session: number
  readonly isZombie: boolean
  readonly ownCpuMs: number
  /** CPU time of ended children that it has waited for. */
  readonly childrenCpuMs: number
  /** Distinguishes processes with the same number. */
  readonly startTime: string
}

const MARKER = 'JUDGE_RUN_ID'
const PATIENCE_MS = 2000
const RETRY_MS = 10
// /proc always counts in hundredths of a second.
const MS_PER_TICK = 10
// The unit of `st_blocks`.
const BLOCK_BYTES = 512

/** Meters by samples of `/proc`. Without `/proc` they measure nothing and kill only the group. */
export function createProcessTrees(): Meters {
  return {
    description: 'rlimits and samples of /proc',
    intervalMs: 50,
    limitsProcesses: false,
    open: async (limits) => createProcessTree(limits),
    settled: async () => {},
  }
}

function createProcessTree(limits: Limits): Meter {
  let root: number | undefined
  let peakMemoryBytes = 0
  let cpuMs = 0
  const runId = randomUUID()
  const members = new Map<number, ProcessInfo>()
  const update = (): ProcessInfo[] => {
    const present = root === undefined ? [] : findMembers(listProcesses(), root, members)
    for (const member of present) members.set(member.pid, member)
    cpuMs = Math.max(cpuMs, sumCpuMs(present, members))
    return present.filter(({ isZombie }) => !isZombie)
  }
  return {
    joinFiles: [],
    environment: { [MARKER]: runId },
    attach(pid) {
      root = pid
    },
    sample() {
      peakMemoryBytes = Math.max(peakMemoryBytes, measureMemory(update().map(({ pid }) => pid)))
      return { cpuMs, peakMemoryBytes, outOfMemory: peakMemoryBytes > limits.memoryBytes }
    },
    readCpuWaitMs: () => sumRunDelayMs(update().flatMap(({ pid }) => listThreads(pid))),
    countProcesses: () => update().length,
    async killAll() {
      const deadline = Date.now() + PATIENCE_MS
      // Two scans must find none: a process that starts a program shows no marker for a moment.
      for (let emptyScans = 0; emptyScans < 2 && Date.now() < deadline; await sleep(RETRY_MS)) {
        // A process may have left the session and lost its parent between two samples.
        for (const stray of await findMarked(runId)) members.set(stray.pid, stray)
        const alive = update()
        emptyScans = alive.length === 0 ? emptyScans + 1 : 0
        for (const member of alive) succeeds(() => process.kill(member.pid, 'SIGKILL'))
      }
    },
    close() {},
  }
}

/**
 * CPU time of a run. Living processes count the children that they have waited for. Other ended
 * processes count only up to their last sample.
 */
function sumCpuMs(present: readonly ProcessInfo[], seen: ReadonlyMap<number, ProcessInfo>): number {
  const withChildren = present.reduce((sum, { ownCpuMs, childrenCpuMs }) => sum + ownCpuMs + childrenCpuMs, 0)
  const ownOnly = [...seen.values()].reduce((sum, { ownCpuMs }) => sum + ownCpuMs, 0)
  return Math.max(withChildren, ownOnly)
}

/** The root, its session, known processes, and all descendants. */
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
  return tryOr(() => readdirSync('/proc'), []).flatMap((name) =>
    /^\d+$/.test(name) ? readProcess(Number(name)) : [],
  )
}

function readProcess(pid: number): ProcessInfo[] {
  const text = tryOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
  // The name in parentheses may hold anything; the fields after it are 3 (state), 4 (parent), 6
  // (session), 14 and 15 (CPU), 16 and 17 (children's CPU) ...
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, , session] = fields
  const startTime = fields[19]
  if (state === undefined || state === 'X' || startTime === undefined) return []
  const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * MS_PER_TICK
  return [
    {
      ...{ pid, parent: Number(parent), session: Number(session), isZombie: state === 'Z', startTime },
      ownCpuMs: ticks(11),
      childrenCpuMs: ticks(13),
    },
  ]
}

/** The processes with the marker. Not synchronous: reading `environ` can block during a fork. */
async function findMarked(runId: string): Promise<ProcessInfo[]> {
  const found = listProcesses().map(async (candidate) => {
    const environment = await readFile(`/proc/${candidate.pid}/environ`, 'utf8').catch(() => '')
    return environment.includes(`${MARKER}=${runId}`) ? [candidate] : []
  })
  return (await Promise.all(found)).flat()
}

/** Memory of processes in bytes, without mapped program files. */
function measureMemory(pids: readonly number[]): number {
  const statuses = pids.map((pid) => tryOr(() => readFileSync(`/proc/${pid}/status`, 'utf8'), ''))
  const sum = (field: string) => statuses.reduce((total, status) => total + readKib(status, field) * 1024, 0)
  // Shared memory includes only mapped memory files.
  return sum('RssAnon') + Math.max(sum('RssShmem'), measureMemoryFiles(pids))
}

function readKib(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
}

/** The size of open `memfd_create` files; each file counts once. */
function measureMemoryFiles(pids: readonly number[]): number {
  const files = new Map<string, number>()
  for (const pid of pids) {
    for (const descriptor of tryOr(() => readdirSync(`/proc/${pid}/fd`), [])) {
      const path = `/proc/${pid}/fd/${descriptor}`
      if (!tryOr(() => readlinkSync(path), '').startsWith('/memfd:')) continue
      const file = tryOr(() => statSync(path), undefined)
      if (file) files.set(`${file.dev}:${file.ino}`, file.blocks * BLOCK_BYTES)
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function listThreads(pid: number): string[] {
  return tryOr(() => readdirSync(`/proc/${pid}/task`), [])
}
