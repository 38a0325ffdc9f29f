import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readCgroupPlaces } from '../../src/sandbox/cgroup-mounts.ts'
import { waitFor } from './wait.ts'

/** A hierarchy of version 2 in which the tests may make groups. */
export type UnifiedGroups = NonNullable<Awaited<ReturnType<typeof findUnifiedGroups>>>

/** Undefined without root or version 2. Beside version 1 it may have the controllers left over. */
export async function findUnifiedGroups() {
  if (process.getuid?.() !== 0) return undefined
  const mountPoint = (await readCgroupPlaces()).get('unified')?.mountPoint
  if (mountPoint === undefined) return undefined
  const available = readFileSync(join(mountPoint, 'cgroup.controllers'), 'utf8').trim().split(' ')
  const controller = ['memory', 'hugetlb', 'misc', 'rdma'].find(
    (name) => available.includes(name) && tryHandDown(mountPoint, name),
  )
  return controller === undefined ? undefined : { mountPoint, controller }
}

/** It stays handed down: tests of other files use it at the same time. */
function tryHandDown(mountPoint: string, controller: string): boolean {
  const control = join(mountPoint, 'cgroup.subtree_control')
  try {
    if (!readFileSync(control, 'utf8').includes(controller)) writeFileSync(control, `+${controller}`)
    return true
  } catch {
    // The highest group of a container, with processes.
    return false
  }
}

/** Makes a group that has the controller. It is removed after the test, whose processes must end. */
export function makeTestGroup({ mountPoint }: UnifiedGroups): string {
  const group = join(mountPoint, `judge-test-${randomUUID()}`)
  mkdirSync(group)
  // The kernel may hold a group for a moment after the end of its last process.
  onTestFinished(() => waitFor('the control groups to be empty', () => tryRemoveTree(group)).then(() => {}))
  return group
}

function tryRemoveTree(group: string): boolean {
  try {
    for (const entry of readdirSync(group, { withFileTypes: true }))
      if (entry.isDirectory()) tryRemoveTree(join(group, entry.name))
    rmdirSync(group)
  } catch {
    return !existsSync(group)
  }
  return true
}

/** The processes of the group; 0 for one of another process namespace. */
export function listProcesses(group: string): string[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
}
