import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeServerFolder } from '../../local-servers/server-folder.ts'
import type { Cluster } from '../cluster.ts'
import { sendAction, serveActions } from '../control.ts'

/** Serves the actions for a cluster of one machine; returns what was done to it. */
async function serve() {
  const { path, remove } = await makeServerFolder('control')
  onTestFinished(remove)
  const socket = join(path, 'control.sock')
  const done: string[] = []
  const machine = {
    powerOff: async () => void done.push('power off'),
    stopPrograms: async () => void done.push('programs ended'),
    cutOff: async () => {
      throw new Error('no cable')
    },
  }
  const find = (name: string) => {
    if (name !== 'db1') throw new Error(`no machine is called ${name}`)
    return machine
  }
  const server = serveActions(socket, { find } as unknown as Cluster, async () => void done.push('noted'))
  onTestFinished(() => void server.close())
  return { socket, done }
}

it('ends the programs of a machine before its power', async () => {
  const { socket, done } = await serve()
  expect(await sendAction(socket, 'stop', 'db1')).toBe('')
  expect(done).toEqual(['programs ended', 'power off', 'noted'])
})

it('returns why an action failed', async () => {
  const { socket, done } = await serve()
  expect(await sendAction(socket, 'kill', 'db9')).toBe('no machine is called db9')
  expect(await sendAction(socket, 'cut-off', 'db1')).toBe('no cable')
  expect(done).toEqual([])
})

it('fails without a cluster', async () => {
  await expect(sendAction('/nonexistent/control.sock', 'stop', 'db1')).rejects.toThrow('ENOENT')
})
