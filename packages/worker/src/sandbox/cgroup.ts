import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describeError } from '../shared/logger.ts'
import { trackCalls } from '../shared/track-calls.ts'
import { succeeds } from '../shared/try-or.ts'
import { type CgroupLayout, layOutVersion1, layOutVersion2 } from './cgroup-layout.ts'
import { type CgroupPlace, readCgroupPlaces } from './cgroup-mounts.ts'
import { adviseDelegation, isOfUserManager } from './delegation.ts'
import { listLeftBehind } from './left-behind.ts'
import { type Meter, type Meters, withMeter } from './meter.ts'
import { findProgramsGroup, hasControllers } from './programs-group.ts'
import type { Limits } from './sandbox.ts'

const NAME = /^judge-worker-(\d+)-/
// On a busy machine the kernel may hold an empty group for seconds.
const PATIENCE_MS = 10_000
const KILL_RETRY_MS = 1
const REMOVE_RETRY_MS = 5
const MOST_SPARES = 4

/** Meters by cgroups, below this process's own or beside it, or why there are none. */
export async function openCgroups(): Promise<Meters | CgroupsUnavailable> {
  let places: ReadonlyMap<string, CgroupPlace> = new Map()
  try {
    places = await readCgroupPlaces()
    const layout = (await layOutVersion2(places)) ?? layOutVersion1(places)
    const names = isVersion1(places) ? 'memory, pids and cpuacct' : 'memory and pids'
    if (!layout) throw new Error(`the controllers ${names} are not all available`)
    await removeLeftBehind(layout)
    const meters = createMeters(layout)
    await tryMeters(meters)
    return meters
  } catch (err) {
    return new CgroupsUnavailable(err, await advise(places))
  }
}

async function advise(places: ReadonlyMap<string, CgroupPlace>): Promise<string | undefined> {
  const own = places.get('unified')
  if (own === undefined) return undefined
  const group = findProgramsGroup(own.directory)
  if (await hasControllers(own).catch(() => false)) return adviseDelegation(group, own.mountPoint)
  if (isVersion1(places)) return undefined
  return isOfUserManager(group) ? 'Set Delegate=cpu memory pids in user@.service.' : ENABLE
}

function isVersion1(places: ReadonlyMap<string, CgroupPlace>): boolean {
  return [...places.values()].some(({ version }) => version === 1)
}

const ENABLE = 'Enable these controllers for its control group; some kernels need cgroup_enable=memory.'

const DELEGATE =
  "Delegate a control group to the worker: Delegate=yes in its systemd unit, or write access to its container's " +
  '/sys/fs/cgroup.'

/** This process cannot make control groups: they are read-only, not delegated or absent. */
export class CgroupsUnavailable {
  readonly message: string
  /** What to do; empty if nothing is known. */
  readonly remedy: string

  constructor(cause: unknown, remedy = DELEGATE) {
    this.message = describeError(cause)
    this.remedy = remedy
  }
}

function createMeters(layout: CgroupLayout): Meters {
  const session = `${process.pid}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
  let count = 0
  const make = async (limits: Limits): Promise<string> => {
    const name = `judge-worker-${session}-${++count}`
    try {
      for (const parent of layout.parents) mkdirSync(join(parent, name))
      layout.setLimits(name, limits)
      return name
    } catch (err) {
      await removeCgroup(layout, name)
      throw err
    }
  }
  const { handler: remove, settled } = trackCalls(async (made: Promise<string | undefined>) => {
    const name = await made
    // A cgroup stays busy for a moment after its last process has ended; the next run goes first.
    await sleep(REMOVE_RETRY_MS)
    if (name !== undefined) await removeCgroup(layout, name)
  })
  // The next cgroup with the same limits is made while a program runs.
  // Programs and validators take turns, so each of the latest limits has its own.
  const spares = new Map<string, Promise<string | undefined>>()
  const takeSpare = async (key: string): Promise<string | undefined> => {
    const spare = spares.get(key)
    spares.delete(key)
    return spare
  }
  const makeSpare = (key: string, limits: Limits) => {
    const makeLater = async () => {
      await nextTurn()
      return make(limits).catch(() => undefined)
    }
    if (!spares.has(key)) spares.set(key, makeLater())
    const [oldest] = spares.keys()
    if (spares.size > MOST_SPARES && oldest !== undefined) void remove(takeSpare(oldest))
  }
  return {
    description: `cgroup v${layout.version}`,
    intervalMs: 25,
    limitsProcesses: true,
    async open(limits) {
      const key = `${limits.memoryBytes} ${limits.processes}`
      const name = (await takeSpare(key)) ?? (await make(limits))
      makeSpare(key, limits)
      return createMeter(layout, name, () => void remove(Promise.resolve(name)))
    },
    async settled() {
      for (const key of [...spares.keys()]) void remove(takeSpare(key))
      await settled()
    },
  }
}

function createMeter(layout: CgroupLayout, name: string, close: () => void): Meter {
  return {
    joinFiles: layout.parents.map((parent) => join(parent, name, layout.joinFile)),
    environment: {},
    attach() {},
    sample: () => layout.sample(name),
    readCpuWaitMs: () => layout.readCpuWaitMs(name),
    countProcesses: () => listProcesses(layout, name).length,
    killAll: () => killAll(layout, name),
    close,
  }
}

async function tryMeters(meters: Meters): Promise<void> {
  const limits = { wallMs: 0, cpuMs: 0, memoryBytes: 2 ** 24, outputBytes: 0, fileBytes: 0, processes: 1 }
  await withMeter(meters, limits, async (meter) => meter.sample()).finally(() => meters.settled())
}

async function killAll(layout: CgroupLayout, name: string): Promise<void> {
  const directory = join(layout.processesParent, name)
  // Without new processes, a fork bomb cannot outrun the loop.
  writeFileSync(join(directory, 'pids.max'), '0')
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const pids = listProcesses(layout, name)
    if (pids.length === 0) return
    // Some may have ended by themselves.
    for (const pid of pids) succeeds(() => process.kill(pid, 'SIGKILL'))
    await sleep(KILL_RETRY_MS)
  }
}

function listProcesses({ processesParent }: CgroupLayout, name: string): number[] {
  const text = readFileSync(join(processesParent, name, 'cgroup.procs'), 'utf8')
  return text.split('\n').filter(Boolean).map(Number)
}

async function removeCgroup(layout: CgroupLayout, name: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (const parent of layout.parents) {
    while (!tryRemove(join(parent, name)) && Date.now() < deadline) await sleep(REMOVE_RETRY_MS)
  }
}

function tryRemove(directory: string): boolean {
  try {
    // Synchronous: this takes the kernel 0.05 ms, and a thread of the pool several times as long.
    rmdirSync(directory)
    return true
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'ENOENT'
  }
}

async function removeLeftBehind(layout: CgroupLayout): Promise<void> {
  const found = await Promise.all(layout.parents.map((parent) => listLeftBehind(parent, NAME)))
  for (const name of new Set(found.flat().map(({ name }) => name))) {
    await killAll(layout, name).catch(() => undefined)
    await removeCgroup(layout, name)
  }
}
