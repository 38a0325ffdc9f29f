import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { makeServerFolder } from '../../tools/local-servers/server-folder.ts'

const SCRIPT = fileURLToPath(new URL('../image/hand-controllers-down.sh', import.meta.url))
/** Namespaces like those of a container, whose root group is `$1`. */
const CONTAINER = ['--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-euc']
const ENTER = 'echo 0 >"$1/cgroup.procs"; shift; exec unshare --cgroup --mount sh -euc "$@"'
/** Runs the script; prints the controllers, its group, and the processes in the root group. */
const IN_CONTAINER = `root=$1
mount -t cgroup2 none "$root"
sleep 600 &
"$2" "$root" "$3"
cat "$root/cgroup.subtree_control"
grep ^0: /proc/self/cgroup
cat "$root/cgroup.procs"`
const REMOVED_WITHIN_MS = 20_000

// Others may be in use by control groups of version 1. The kernel's rule is the same for all.
const CONTROLLERS = ['memory', 'hugetlb']
const place = findGroups()
const available = place ? readWords(join(place, 'cgroup.controllers')) : []
const controller = CONTROLLERS.find((name) => available.includes(name)) ?? ''
const obstacle = process.getuid?.() === 0 ? 'there are no control groups of version 2' : 'not root'
const test = testUnless(controller !== '' && process.getuid?.() === 0 ? undefined : obstacle)

describe('the entry point of a container with control groups of version 2', () => {
  test('moves all processes to a group below, and hands the controllers down', async () => {
    expect(await runInContainer(makeGroup())).toBe(`${controller}\n0::/judge-supervisor\n`)
  })

  test('tries again while a process from outside is in the container’s group', async () => {
    const group = makeGroup()
    const visitor = spawn('sleep', ['1'])
    writeFileSync(join(group, 'cgroup.procs'), String(visitor.pid))
    expect(await runInContainer(group)).toBe(`${controller}\n0::/judge-supervisor\n`)
  })

  test('names the processes that stay', async () => {
    const group = makeGroup()
    const visitor = spawn('sleep', ['600'])
    writeFileSync(join(group, 'cgroup.procs'), String(visitor.pid))
    const output = await runInContainer(group)
    visitor.kill()
    expect(output).toMatch(/^other processes stay in the container's control group .*: 0 \n/)
  })
})

/** Where control groups of version 2 are mounted. */
function findGroups(): string | undefined {
  return /^\S+ \S+ \S+ \/ (\S+) .* - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8'))?.[1]
}

/** Makes a group that has the controller; it is removed after the test. */
function makeGroup(): string {
  const root = place ?? ''
  const control = join(root, 'cgroup.subtree_control')
  // It stays: tests beside this one use it too.
  if (!readWords(control).includes(controller)) writeFileSync(control, `+${controller}`)
  const group = join(root, `judge-test-${randomUUID()}`)
  mkdirSync(group)
  onTestFinished(async () => {
    await expect.poll(() => isRemoved(group), { timeout: REMOVED_WITHIN_MS }).toBe(true)
  })
  return group
}

/** The kernel may hold a group for a moment after the end of its last process. */
function isRemoved(group: string): boolean {
  try {
    for (const folder of [join(group, 'judge-supervisor'), group]) if (existsSync(folder)) rmdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function runInContainer(group: string): Promise<string> {
  const { path, remove } = await makeServerFolder('control-groups')
  onTestFinished(remove)
  const args = [...CONTAINER, ENTER, 'sh', group, IN_CONTAINER, 'sh', path, SCRIPT, controller]
  const { stdout, stderr } = await promisify(execFile)('unshare', args)
  return stderr + stdout
}

function readWords(file: string): string[] {
  return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
}
