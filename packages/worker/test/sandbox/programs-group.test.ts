import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { hasLimits, moveToLeaf } from '../../src/sandbox/programs-group.ts'
import { startScript } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { findUnifiedGroups, listProcesses, makeTestGroup } from '../support/unified-groups.ts'

const groups = await findUnifiedGroups()
const controller = groups?.controller ?? ''
const testGroups = testUnless(groups ? undefined : 'no control groups of version 2')

/** Makes a folder for the groups of a test, whose groups get the controller. */
function makeParent(): string {
  if (groups === undefined) throw new Error('no control groups of version 2')
  const parent = makeTestGroup(groups)
  writeFileSync(join(parent, 'cgroup.subtree_control'), `+${controller}`)
  return parent
}

const makeGroup = (parent: string, name: string): string => {
  mkdirSync(join(parent, name))
  return join(parent, name)
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function startOther(group: string): ChildProcess {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  onTestFinished(() => end(child))
  writeFileSync(join(group, 'cgroup.procs'), String(child.pid))
  return child
}

/** Calls `openProgramsGroup` in a process of the group; resolves with its result or failure. */
async function openIn(directory: string, mountPoint = groups?.mountPoint) {
  const module = new URL('../../src/sandbox/programs-group.ts', import.meta.url).href
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
  onTestFinished(() => end(child))
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  await lines.next()
  writeFileSync(join(directory, 'cgroup.procs'), String(child.pid))
  const place = { version: 2, directory, mountPoint }
  child.stdin?.write(JSON.stringify({ place, controllers: [controller] }))
  const result: { group?: string; failure?: string } = JSON.parse((await lines.next()).value)
  return { ...result, child, pid: String(child.pid) }
}

testGroups('a process alone in its group makes room there, which one in the leaf finds', async () => {
  const parent = makeParent()
  for (const name of ['judge-worker.service', 'run-u1.scope']) {
    const own = makeGroup(parent, name)
    const { group, pid } = await openIn(own)
    expect(group).toBe(own)
    expect(listProcesses(join(own, 'judge-supervisor'))).toEqual([pid])
    // A group for a program gets the controller, and can have processes.
    const program = makeGroup(own, 'judge-worker-1-a-1')
    expect(readFileSync(join(program, 'cgroup.controllers'), 'utf8').trim()).toBe(controller)
    startOther(program)
    expect(await openIn(join(own, 'judge-supervisor'))).toMatchObject({ group: own })
  }
})

testGroups('the processes of a container all move to the leaf', async () => {
  const own = makeGroup(makeParent(), 'container')
  const other = startOther(own)
  const { group, pid } = await openIn(own, own)
  expect(group).toBe(own)
  expect(listProcesses(join(own, 'judge-supervisor')).toSorted()).toEqual([pid, String(other.pid)].toSorted())
})

testGroups('a process in a session gets a group beside it, and leaves the others alone', async () => {
  const parent = makeParent()
  const session = makeGroup(parent, 'session-1.scope')
  const shell = startOther(session)
  const first = await openIn(session)
  expect(first.group).toMatch(new RegExp(`^${parent}/judge-group-${first.pid}-`))
  expect(listProcesses(`${first.group}/judge-supervisor`)).toEqual([first.pid])
  expect(listProcesses(session)).toEqual([String(shell.pid)])
  // The next one removes the group of one that has ended, and no other.
  const second = await openIn(session)
  await end(first.child)
  await openIn(session)
  const groups = readdirSync(parent).map((name) => join(parent, name))
  expect(groups).not.toContain(first.group)
  expect(groups).toContain(second.group)
})

// Somebody may have limited the scope.
for (const name of ['judge-worker.service', 'docker-abc.scope'])
  testGroups(`a process of ${name} stays there, and says who is in its way`, async () => {
    const parent = makeParent()
    const own = makeGroup(parent, name)
    const { pid } = startOther(own)
    expect(await openIn(own)).toMatchObject({ failure: `other processes are in ${own}: ${pid}` })
    const groups = readdirSync(parent, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(groups).toHaveLength(1)
  })

it.each([
  ['max 100000', 'max', false],
  ['50000 100000', 'max', true],
  ['max 100000', '4294967296', true],
])('a process stays in a group with limits: CPU time %s, memory %s', async (cpu, memory, expected) => {
  const group = await makeTemporaryFolder()
  expect(await hasLimits(group)).toBe(false)
  writeFileSync(join(group, 'cpu.max'), `${cpu}\n`)
  writeFileSync(join(group, 'memory.max'), `${memory}\n`)
  expect(await hasLimits(group)).toBe(expected)
})

testGroups('the group of a worker that lives in another process namespace stays', async () => {
  const parent = makeParent()
  const session = makeGroup(parent, 'session-1.scope')
  startOther(session)
  // A number that no process here has.
  const other = makeGroup(parent, `judge-group-${2 ** 22 + 1}-a`)
  startOther(makeGroup(other, 'judge-supervisor'))
  const spare = makeGroup(other, 'judge-worker-7-a-1')
  const abandoned = makeGroup(parent, `judge-group-${2 ** 22 + 2}-a`)
  makeGroup(abandoned, 'judge-supervisor')
  await openIn(session)
  expect(existsSync(spare)).toBe(true)
  expect(existsSync(abandoned)).toBe(false)
})

testGroups('a process that is in the group for a moment does not disturb', async () => {
  const group = makeGroup(makeParent(), 'container')
  const visitor = startOther(group)
  let looks = 0
  await moveToLeaf(group, [controller], async () => {
    looks += 1
    // It leaves after the first try.
    if (looks === 2) await end(visitor)
    return []
  })
  expect(looks).toBe(2)
  expect(readFileSync(join(group, 'cgroup.subtree_control'), 'utf8').trim()).toBe(controller)
})
