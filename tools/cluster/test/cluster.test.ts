import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { testUnless } from '../../../packages/worker/test/support/requirements.ts'
import { listTree } from '../../local-servers/process-tree.ts'
import { makeServerFolder } from '../../local-servers/server-process.ts'
import type { Cluster } from '../cluster.ts'
import { findProcess, sendAction, serveActions } from '../control.ts'

/** Serves the actions for a cluster of one machine; returns what was done to it. */
async function serve() {
  const { path, remove } = await makeServerFolder('control')
  onTestFinished(remove)
  const socket = join(path, 'control.sock')
  const done: string[] = []
  let isOn = true
  const machine = {
    isOn: () => isOn,
    firstProcess: () => 77,
    powerOff: async () => {
      isOn = false
      done.push('power off')
    },
    stopPrograms: async () => void done.push('programs ended'),
    cutOff: async () => {
      throw new Error('no cable')
    },
  }
  const find = (name: string) => {
    if (name !== 'db1') throw new Error(`no machine is called ${name}`)
    return machine
  }
  const server = serveActions(socket, { find } as unknown as Cluster)
  onTestFinished(() => void server.close())
  return { socket, done }
}

it('ends the programs of a machine before its power, finds its process, and returns why an action failed', async () => {
  const { socket, done } = await serve()
  expect(await findProcess(socket, 'db1')).toBe(77)
  await sendAction(socket, 'stop', 'db1')
  expect(done).toEqual(['programs ended', 'power off'])
  await expect(findProcess(socket, 'db1')).rejects.toThrow('db1 is off')
  await expect(sendAction(socket, 'kill', 'db9')).rejects.toThrow('no machine is called db9')
  await expect(sendAction(socket, 'cut-off', 'db1')).rejects.toThrow('no cable')
  await expect(sendAction(socket, 'burn', 'db1')).rejects.toThrow('no action is called burn')
  await expect(sendAction('/nonexistent/control.sock', 'stop', 'db1')).rejects.toThrow('no cluster runs')
})

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
