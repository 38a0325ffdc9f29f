import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { testUnless } from '../../../packages/worker/test/support/requirements.ts'
import { listTree } from '../../local-servers/process-tree.ts'

const SCRIPT = fileURLToPath(new URL('../isolate.sh', import.meta.url))
const noRoot = process.env.TEST_REQUIRE_ALL || process.getuid?.() === 0 ? undefined : 'this user is not root'

/** Starts a program in namespaces of its own, which starts another one that ignores signals. */
async function startIsolated() {
  const program = 'setsid sh -c \'trap "" TERM INT HUP; echo ready; while :; do sleep 1000; done\' & wait'
  const isolated = spawn(SCRIPT, ['sh', '-c', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void isolated.kill('SIGKILL'))
  await once(isolated.stdout, 'data')
  const processes = listTree(isolated.pid ?? 0).map(({ pid }) => pid)
  const areRunning = () => processes.flatMap((pid) => listTree(pid).map((one) => one.pid))
  return { isolated, processes, areRunning }
}

testUnless(noRoot)('every process of the namespaces ends when the first one is killed', async () => {
  const { isolated, processes, areRunning } = await startIsolated()
  expect(processes.length).toBeGreaterThanOrEqual(4)
  isolated.kill('SIGKILL')
  await expect.poll(areRunning).toEqual([])
})

testUnless(noRoot)(
  'a program in the namespaces has a network, processes and shared memory of its own',
  async () => {
    const script = 'cat /proc/net/dev | wc -l; ls -d /proc/[0-9]* | wc -l; cat /proc/sysvipc/shm | wc -l'
    const isolated = spawn(SCRIPT, ['sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    isolated.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    expect(await once(isolated, 'close')).toEqual([0, null])
    const [lines = 0, processes = 0, segments = 0] = printed.trim().split('\n').map(Number)
    // Two lines of headings, and the loopback interface.
    expect(lines).toBe(3)
    expect(processes).toBeLessThan(10)
    // A heading.
    expect(segments).toBe(1)
  },
)
