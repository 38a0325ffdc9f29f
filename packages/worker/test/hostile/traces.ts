import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findCgroupPlaces } from '../../src/sandbox/cgroup-mounts.ts'
import { readOr } from '../support/processes.ts'

export type Marks = typeof HOSTILE_MARKS

export const HOSTILE_MARKS = { prefix: 'hostile-', systemVKey: 0x484f5354, lockedFile: '/usr/bin/env' }

const FOLDERS = ['/tmp', '/dev/shm', '/var/tmp', '/dev/mqueue']

/** Processes with `text` in their initial environment. A synchronous read would wait for forks. */
export async function findProcessesWith(text: string): Promise<number[]> {
  const found = await Promise.all(
    listProcesses()
      .filter((pid) => pid !== process.pid)
      .map(async (pid) => {
        return (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).includes(text) ? [pid] : []
      }),
  )
  return found.flat()
}

/** Descriptions of everything on this machine with these marks. */
export function findTraces({ prefix, systemVKey, lockedFile }: Marks): string[] {
  const named = new Set([...FOLDERS, tmpdir()])
  return [
    ...[...named].flatMap((folder) =>
      list(folder)
        .filter((name) => name.startsWith(prefix))
        .map((name) => join(folder, name)),
    ),
    ...['shm', 'sem', 'msg'].filter((kind) => hasSystemVKey(read(`/proc/sysvipc/${kind}`), systemVKey)),
    ...read('/proc/keys')
      .split('\n')
      .filter((line) => line.includes(prefix)),
    ...findLocks(lockedFile),
  ]
}

/** The control groups, files, mounts and processes of this process's sandboxes. */
export function findBelongings(): string[] {
  const own = `-${process.pid}-`
  const workspaces = list(tmpdir()).filter((name) => name.startsWith('judge-worker-') && name.includes(own))
  const mounts = read('/proc/self/mountinfo').split('\n')
  return [
    ...findControlGroups().map((name) => `control group ${name}`),
    ...workspaces.flatMap((name) => [name, ...list(join(tmpdir(), name)).map((file) => join(name, file))]),
    ...mounts.filter((line) => line.includes('judge-worker-') && line.includes(own)),
    ...listProcesses()
      .filter((pid) => readParent(pid) === process.pid)
      .map((pid) => `process ${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`),
  ]
}

/** All that a program has used: an idle sandbox has spare groups. */
function findControlGroups(): string[] {
  const places = findCgroupPlaces(read('/proc/self/cgroup'), read('/proc/self/mountinfo'))
  // In version 2 the worker's own folder may be a sibling of the runs' folders.
  const folders = [
    ...new Set([...places.values()].flatMap(({ directory }) => [directory, dirname(directory)])),
  ]
  const isSpare = (name: string) => folders.some((folder) => readCpuUsage(join(folder, name)) === 0)
  return folders.flatMap((folder) =>
    list(folder)
      .filter((name) => name.startsWith(`judge-worker-${process.pid}-`) && !isSpare(name))
      .map((name) => join(folder, name)),
  )
}

/** The CPU time of a control group so far; undefined in hierarchies that do not count it. */
function readCpuUsage(folder: string): number | undefined {
  const usage =
    /^\d+/.exec(read(join(folder, 'cpuacct.usage')))?.[0] ??
    /^usage_usec (\d+)/m.exec(read(join(folder, 'cpu.stat')))?.[1]
  return usage === undefined ? undefined : Number(usage)
}

function hasSystemVKey(table: string, key: number): boolean {
  return table.split('\n').some((line) => line.trim().startsWith(`${key} `))
}

function findLocks(path: string): string[] {
  const inode = `:${statSync(path).ino} `
  return read('/proc/locks')
    .split('\n')
    .filter((line) => line.includes(inode))
}

function listProcesses(): number[] {
  return list('/proc').map(Number).filter(Number.isInteger)
}

function readParent(pid: number): number {
  const text = read(`/proc/${pid}/stat`)
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}

const list = (folder: string) => readOr(() => readdirSync(folder), [])
const read = (path: string) => readOr(() => readFileSync(path, 'utf8'), '')
