import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect } from 'vitest'
import { type CgroupPlace, readCgroupPlaces } from '../src/sandbox/cgroup-mounts.ts'
import { moveToLeaf } from '../src/sandbox/programs-group.ts'
import { testUnless } from './support/requirements.ts'
import { startScript } from './support/start-script.ts'

// A machine with control groups of version 1 can have a hierarchy of version 2 with the controllers
// that are left. The kernel has the same rules for all of them.
const place = process.getuid?.() === 0 ? (await readCgroupPlaces()).get('unified') : undefined
const controller = place && findController(place)
const testGroups = testUnless(controller ? undefined : 'no control groups of version 2')

/** A controller that a new group below the highest one gets; undefined if there is none. */
function findController({ mountPoint }: CgroupPlace): string | undefined {
  const read = (file: string) => readFileSync(join(mountPoint, file), 'utf8').trim().split(' ')
  return ['memory', 'hugetlb', 'misc', 'rdma'].find((name) => {
    if (!read('cgroup.controllers').includes(name)) return false
    try {
      handDown(mountPoint, name)
      return true
    } catch {
      // A container's highest group, with processes.
      return false
    }
  })
}

function handDown(group: string, name = controller): void {
  writeFileSync(join(group, 'cgroup.subtree_control'), `+${name}`)
}

let parent = ''
let children: ChildProcess[] = []

beforeEach(() => {
  if (place === undefined || controller === undefined) return
  parent = join(place.mountPoint, `judge-test-${randomUUID()}`)
  mkdirSync(parent)
  handDown(parent)
})

afterEach(async () => {
  for (const child of children) await end(child)
  children = []
  if (controller !== undefined) removeTree(parent)
})

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function removeTree(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(group, entry.name))
  rmdirSync(group)
}

function makeGroup(name: string): string {
  const group = join(parent, name)
  mkdirSync(group)
  return group
}

/** A process that stays in the group until it is moved. */
function startOther(group: string): ChildProcess {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  children.push(child)
  writeFileSync(join(group, 'cgroup.procs'), String(child.pid))
  return child
}

function listProcesses(group: string): string[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
}

/** Calls `openProgramsGroup` in a process of the group; resolves with its result or failure. */
async function openIn(directory: string, mountPoint = place?.mountPoint) {
  const module = new URL('../src/sandbox/programs-group.ts', import.meta.url).href
  const { child } = startScript(
    `import { openProgramsGroup } from '${module}'
     console.log('loaded')
     process.stdin.once('data', (text) => {
       const { place, controllers } = JSON.parse(text)
       openProgramsGroup(place, controllers).then(
         (group) => console.log(JSON.stringify({ group })),
         (err) => console.log(JSON.stringify({ failure: err.message })),
       )
     })`,
    ['pipe', 'pipe', 'inherit'],
  )
  children.push(child)
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  await lines.next()
  writeFileSync(join(directory, 'cgroup.procs'), String(child.pid))
  child.stdin?.write(
    JSON.stringify({ place: { version: 2, directory, mountPoint }, controllers: [controller] }),
  )
  const result: { group?: string; failure?: string } = JSON.parse((await lines.next()).value)
  return { ...result, pid: String(child.pid) }
}

testGroups('a process that is alone in its group makes room there for programs', async () => {
  for (const name of ['judge-worker.service', 'run-u1.scope']) {
    const own = makeGroup(name)
    const { group, pid } = await openIn(own)
    expect(group).toBe(own)
    expect(listProcesses(join(own, 'judge-supervisor'))).toEqual([pid])
    // A group for a program gets the controller, and can have processes.
    const program = join(own, 'judge-worker-1-a-1')
    mkdirSync(program)
    expect(readFileSync(join(program, 'cgroup.controllers'), 'utf8').trim()).toBe(controller)
    startOther(program)
  }
})

testGroups('a process in the leaf finds the room that its parent has made', async () => {
  const own = makeGroup('judge.service')
  await openIn(own)
  const { group } = await openIn(join(own, 'judge-supervisor'))
  expect(group).toBe(own)
})

testGroups('the processes of a container all move to the leaf', async () => {
  const own = makeGroup('container')
  const other = startOther(own)
  const { group, pid } = await openIn(own, own)
  expect(group).toBe(own)
  expect(listProcesses(join(own, 'judge-supervisor')).toSorted()).toEqual([pid, String(other.pid)].toSorted())
})

testGroups('a process in a session gets a group beside it, and leaves the others alone', async () => {
  const session = makeGroup('session-1.scope')
  const shell = startOther(session)
  const first = await openIn(session)
  expect(first.group).toMatch(new RegExp(`^${parent}/judge-group-${first.pid}-`))
  expect(listProcesses(`${first.group}/judge-supervisor`)).toEqual([first.pid])
  expect(listProcesses(session)).toEqual([String(shell.pid)])
  // The next one removes the group of one that has ended, and no other.
  const second = await openIn(session)
  for (const child of children) if (String(child.pid) === first.pid) await end(child)
  await openIn(session)
  const groups = readdirSync(parent).filter((name) => name.startsWith('judge-group-'))
  expect(groups.map((name) => join(parent, name))).not.toContain(first.group)
  expect(groups.map((name) => join(parent, name))).toContain(second.group)
})

testGroups('a process of a service stays in its unit, and says who is in its way', async () => {
  const own = makeGroup('judge-worker.service')
  startOther(own)
  expect(await openIn(own)).toMatchObject({ failure: `other processes are in ${own}` })
  expect(readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory())).toHaveLength(1)
})

testGroups('a process that is in the group for a moment does not disturb', async () => {
  const group = makeGroup('container')
  const visitor = startOther(group)
  let looks = 0
  await moveToLeaf(group, [controller ?? ''], async () => {
    looks += 1
    // It leaves after the first try.
    if (looks === 2) await end(visitor)
    return []
  })
  expect(looks).toBe(2)
  expect(readFileSync(join(group, 'cgroup.subtree_control'), 'utf8').trim()).toBe(controller)
})
