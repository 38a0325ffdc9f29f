import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeServerFolder } from '../../local-servers/server-folder.ts'
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
