import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Cluster, waitFor } from './cluster.ts'
import type { Machine } from './machine.ts'

const READY_WITHIN_MS = 120_000

type Act = (machine: Machine, cluster: Cluster) => Promise<void>

const stop: Act = async (machine) => {
  await machine.stopPrograms()
  await machine.powerOff()
}

const start: Act = async (machine, cluster) => {
  await cluster.start(machine)
  await waitFor([machine], READY_WITHIN_MS)
}

/** What `npm run cluster -- ACTION MACHINE` does to a machine of a running cluster. */
export const ACTIONS: Readonly<Record<string, { readonly meaning: string; readonly act: Act }>> = {
  stop: { meaning: 'ends its programs in order, and switches it off', act: stop },
  start: { meaning: 'switches it on, installs its files, and waits until it works', act: start },
  restart: {
    meaning: 'both of these',
    act: async (machine, cluster) => {
      await stop(machine, cluster)
      await start(machine, cluster)
    },
  },
  kill: { meaning: 'switches it off, as a loss of power does', act: (machine) => machine.powerOff() },
  'cut-off': { meaning: 'pulls its network cable', act: (machine) => machine.cutOff() },
  reconnect: { meaning: 'puts the cable back', act: (machine) => machine.reconnect() },
}

/** Serves the actions on a socket. `onChange` runs after each. */
export function serveActions(socket: string, cluster: Cluster, onChange: () => Promise<void>): Server {
  return createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => {})
    try {
      // The reply goes the other way after the end of the request.
      const request = await text(client.iterator({ destroyOnReturn: false }))
      const [action = '', name = ''] = request.split(' ')
      await ACTIONS[action]?.act(cluster.find(name), cluster)
      await onChange()
      client.end()
    } catch (err) {
      client.end(err instanceof Error ? err.message : String(err))
    }
  }).listen(socket)
}

/**
 * Sends an action to a running cluster, and waits for its end. Returns the message of a failure, or
 * an empty text. Throws if no cluster runs.
 */
export async function sendAction(socket: string, action: string, machine: string): Promise<string> {
  const server = connect(socket)
  server.end(`${action} ${machine}`)
  return text(server)
}
