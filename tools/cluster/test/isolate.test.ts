import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { testUnless } from '../../../packages/worker/test/support/requirements.ts'
import { listTree } from '../../local-servers/process-tree.ts'

const SCRIPT = fileURLToPath(new URL('../isolate.sh', import.meta.url))
const noRoot = process.env.TEST_REQUIRE_ALL || process.getuid?.() === 0 ? undefined : 'this user is not root'

testUnless(noRoot)('every process of the namespaces ends when the first one is killed', async () => {
  const program = 'setsid sh -c \'trap "" TERM INT HUP; echo ready; while :; do sleep 1000; done\' & wait'
  const isolated = spawn(SCRIPT, ['sh', '-c', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void isolated.kill('SIGKILL'))
  await once(isolated.stdout, 'data')
  const processes = listTree(isolated.pid ?? 0).map(({ pid }) => pid)
  expect(processes.length).toBeGreaterThanOrEqual(4)
  isolated.kill('SIGKILL')
  await expect.poll(() => processes.flatMap((pid) => listTree(pid))).toEqual([])
})
