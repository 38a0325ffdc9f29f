import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import {
  findUnifiedGroups,
  listProcesses,
  makeTestGroup,
} from '../../packages/worker/test/support/unified-groups.ts'
import { makeServerFolder } from '../../tools/local-servers/server-process.ts'

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

const groups = await findUnifiedGroups()
const controller = groups?.controller ?? ''
const test = testUnless(groups ? undefined : 'no control groups of version 2')

function makeGroup(): string {
  if (groups === undefined) throw new Error('no control groups of version 2')
  return makeTestGroup(groups)
}

/** A process from outside of the container in its group. */
function startVisitor(group: string): ChildProcess {
  const visitor = spawn('sleep', ['600'])
  writeFileSync(join(group, 'cgroup.procs'), String(visitor.pid))
  onTestFinished(() => void visitor.kill())
  return visitor
}

describe('the entry point of a container with control groups of version 2', () => {
  test('moves all processes to a group below, and hands the controllers down', async () => {
    expect(await runInContainer(makeGroup())).toBe(`${controller}\n0::/judge-supervisor\n`)
  })

  test('tries again while a process from outside is in the container’s group', async () => {
    const group = makeGroup()
    const visitor = startVisitor(group)
    const leaf = join(group, 'judge-supervisor')
    const running = runInContainer(group)
    // The script has moved its processes, and tries.
    await expect.poll(() => existsSync(leaf) && listProcesses(leaf).length > 0, { interval: 5 }).toBe(true)
    visitor.kill()
    expect(await running).toBe(`${controller}\n0::/judge-supervisor\n`)
  })

  test('names the processes that stay', async () => {
    const group = makeGroup()
    startVisitor(group)
    expect(await runInContainer(group)).toMatch(
      /^other processes stay in the container's control group .*: 0 \n/,
    )
  })
})

async function runInContainer(group: string): Promise<string> {
  const { path, remove } = await makeServerFolder('control-groups')
  onTestFinished(remove)
  const args = [...CONTAINER, ENTER, 'sh', group, IN_CONTAINER, 'sh', path, SCRIPT, controller]
  const { stdout, stderr } = await promisify(execFile)('unshare', args)
  return stderr + stdout
}
