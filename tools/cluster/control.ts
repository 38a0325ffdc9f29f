import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Cluster, waitUntilReady } from './cluster.ts'
import type { Machine } from './machine.ts'

const READY_WITHIN_MS = 120_000

type Act = (machine: Machine, cluster: Cluster) => Promise<void>

const stop: Act = async (machine) => {
  await machine.stopPrograms()
  await machine.powerOff()
}

const start: Act = async (machine, cluster) => {
  await cluster.start(machine)
  await waitUntilReady([machine], READY_WITHIN_MS)
}

/** What `npm run cluster -- ACTION MACHINE` does to a machine of a running cluster. */
export const ACTIONS: Readonly<Record<string, { readonly meaning: string; readonly act: Act }>> = {
  stop: { meaning: 'ends its programs in order, and switches it off', act: stop },
  start: { meaning: 'switches it on, installs its files, and waits until it works', act: start },
  restart: { meaning: 'both of these', act: (...given) => stop(...given).then(() => start(...given)) },
  kill: { meaning: 'switches it off, as a loss of power does', act: (machine) => machine.powerOff() },
  'cut-off': { meaning: 'pulls its network cable', act: (machine) => machine.cutOff() },
  reconnect: { meaning: 'puts the cable back', act: (machine) => machine.reconnect() },
}

/** Asks only for the process of a machine. */
const FIND = 'find'

/** The first process of the machine, as the cluster's namespaces count it; 0 if it is off. */
type Reply = { readonly firstProcess: number } | { readonly failure: string }

/** Serves the actions on a socket. */
export function serveActions(socket: string, cluster: Cluster): Server {
  return createServer({ allowHalfOpen: true }, async (client) => {
    client.on('error', () => {})
    // The reply goes the other way after the end of the request.
    const request = await text(client.iterator({ destroyOnReturn: false })).catch(() => '')
    client.end(JSON.stringify(await reply(request, cluster)))
  }).listen(socket)
}

async function reply(request: string, cluster: Cluster): Promise<Reply> {
  const [action = '', name = ''] = request.split(' ')
  try {
    const machine = cluster.find(name)
    if (action !== FIND && ACTIONS[action] === undefined) throw new Error(`no action is called ${action}`)
    await ACTIONS[action]?.act(machine, cluster)
    return { firstProcess: machine.isOn() ? machine.firstProcess() : 0 }
  } catch (err) {
    return { failure: err instanceof Error ? err.message : String(err) }
  }
}

/** Sends an action to a running cluster and waits for its end. Throws if it fails or none runs. */
export async function sendAction(socket: string, action: string, machine: string): Promise<void> {
  await send(socket, action, machine)
}

/** The first process of a machine, as the cluster's namespaces count it. Throws if it is off. */
export async function findProcess(socket: string, machine: string): Promise<number> {
  const firstProcess = await send(socket, FIND, machine)
  if (firstProcess === 0) throw new Error(`${machine} is off`)
  return firstProcess
}

async function send(socket: string, action: string, machine: string): Promise<number> {
  const server = connect(socket)
  server.end(`${action} ${machine}`)
  const received = await text(server).catch((err: unknown) => {
    throw new Error('no cluster runs (CLUSTER_FOLDER names its folder)', { cause: err })
  })
  const answer: Reply = JSON.parse(received)
  if ('failure' in answer) throw new Error(answer.failure)
  return answer.firstProcess
}
