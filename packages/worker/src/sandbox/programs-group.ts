import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CgroupPlace } from './cgroup-mounts.ts'
import { isDelegated, isOfUserManager } from './delegation.ts'
import { listLeftBehind } from './left-behind.ts'

// Control groups of version 2. A group that limits its children may have no processes of its own
// (the root of the machine may). So this process moves to a leaf, and the groups of programs are
// made beside the leaf.

/** The group of the worker's own processes; the entry point of the image has the same name. */
const LEAF = 'judge-supervisor'
const GROUP = /^judge-group-(\d+)-/
const SESSION = /^session-.+\.scope$/
const CONTROLLERS: readonly string[] = ['memory', 'pids']
// Others may be in the group for a moment: a health check, or the process that started this one.
const TRIES = 40
const RETRY_MS = 50

/** True if groups below this one can have limits for memory and processes. */
export async function hasControllers(place: CgroupPlace): Promise<boolean> {
  const available = await readWords(join(findProgramsGroup(place.directory), 'cgroup.controllers'))
  return CONTROLLERS.every((name) => available.includes(name))
}

/**
 * Moves this process to a leaf. Returns the group in which groups of programs can be made: the
 * process's own, or in a login session with other processes a new one beside it. Throws the kernel's
 * error, or an error that names these processes. The groups of programs get `controllers`.
 */
export async function openProgramsGroup(place: CgroupPlace, controllers = CONTROLLERS): Promise<string> {
  const own = findProgramsGroup(place.directory)
  // In a leaf, or in the root of the machine.
  if (await tryHandDown(own, controllers)) return own
  const isWhole = own === place.mountPoint || (await isDelegated(own, place.mountPoint))
  if (isWhole) {
    await moveToLeaf(own, controllers, () => listProcesses(own))
    return own
  }
  if (await becomesLonely(own)) {
    await moveToLeaf(own, controllers, listOwn)
    return own
  }
  if (isSession(own) && !(await hasLimits(own))) return makeGroupBeside(own, controllers)
  throw await describeOthers(own)
}

/** The group that programs would share with this process, whose group is `own`. */
export function findProgramsGroup(own: string): string {
  return basename(own) === LEAF ? dirname(own) : own
}

/** Gives the children of a group the controllers. False: the group has processes. */
async function tryHandDown(group: string, controllers: readonly string[]): Promise<boolean> {
  const control = join(group, 'cgroup.subtree_control')
  const handedDown = await readWords(control)
  if (controllers.every((name) => handedDown.includes(name))) return true
  try {
    await writeFile(control, controllers.map((name) => `+${name}`).join(' '))
    return true
  } catch (err) {
    if (hasCode(err, 'EBUSY')) return false
    throw err
  }
}

/**
 * Moves the listed processes to a leaf of the group, and hands the controllers down. Lists again
 * while others are in the group for a moment. Throws if they stay.
 */
export async function moveToLeaf(
  group: string,
  controllers: readonly string[],
  list: () => Promise<readonly number[]>,
): Promise<void> {
  const leaf = join(group, LEAF)
  await mkdir(leaf, { recursive: true })
  for (let tries = 1; tries <= TRIES; tries += 1) {
    for (const pid of await list()) await move(pid, leaf)
    if (await tryHandDown(group, controllers)) return
    await sleep(RETRY_MS)
  }
  throw await describeOthers(group)
}

async function describeOthers(group: string): Promise<Error> {
  return new Error(`other processes are in ${group}: ${(await listOthers(group)).join(', ')}`)
}

/**
 * True for the group of a login, or of a program in it. Processes of a service, of a container or of
 * another scope must stay: who ends or limits them looks for them in their group.
 */
function isSession(group: string): boolean {
  return basename(group).endsWith('.scope') && (isOfUserManager(group) || SESSION.test(basename(group)))
}

/** True if somebody has limited the memory or CPU time of the group. */
export async function hasLimits(group: string): Promise<boolean> {
  for (const file of ['memory.max', 'memory.high', 'cpu.max']) {
    const [limit = 'max'] = await readWords(join(group, file)).catch(() => [])
    if (limit !== 'max') return true
  }
  return false
}

async function move(pid: number, group: string): Promise<void> {
  await writeFile(join(group, 'cgroup.procs'), String(pid)).catch((err: unknown) => {
    // It has ended.
    if (!hasCode(err, 'ESRCH')) throw err
  })
}

/** Whether this process is alone in the group, now or soon. */
async function becomesLonely(group: string): Promise<boolean> {
  // Shells and other programs of a session stay.
  const tries = basename(group).endsWith('.service') ? TRIES : 1
  for (let tried = 1; ; tried += 1) {
    if ((await listOthers(group)).length === 0) return true
    if (tried === tries) return false
    await sleep(RETRY_MS)
  }
}

const listOwn = async () => [process.pid]

async function makeGroupBeside(own: string, controllers: readonly string[]): Promise<string> {
  const parent = dirname(own)
  if (!(await tryHandDown(parent, controllers)))
    throw new Error(`other processes are in ${own} and ${parent}`)
  for (const { name } of await listLeftBehind(parent, GROUP)) await removeGroup(join(parent, name))
  const group = join(parent, `judge-group-${process.pid}-${randomBytes(4).toString('hex')}`)
  await mkdir(group)
  try {
    await moveToLeaf(group, controllers, listOwn)
    return group
  } catch (err) {
    await removeGroup(group)
    throw err
  }
}

/** Removes a group with its programs, unless a worker is in its leaf: perhaps one of a container. */
async function removeGroup(group: string): Promise<void> {
  try {
    await rmdir(join(group, LEAF))
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      await writeFile(join(group, entry.name, 'cgroup.kill'), '1')
      await rmdir(join(group, entry.name))
    }
    await rmdir(group)
  } catch {
    // The kernel holds a group until its last process has ended. The next worker tries again.
  }
}

async function listOthers(group: string): Promise<number[]> {
  return (await listProcesses(group)).filter((pid) => pid !== process.pid)
}

async function listProcesses(group: string): Promise<number[]> {
  return (await readWords(join(group, 'cgroup.procs'))).map(Number)
}

async function readWords(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split(/\s+/).filter(Boolean)
}

function hasCode(err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code
}
