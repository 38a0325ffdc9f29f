import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BRIDGE = 'judge'

/** The address of this process in the network of the machines. */
const OWN_ADDRESS = '10.77.0.254'

/** Creates the network: a bridge in this process's own network namespace. `hosts` has the names. */
export async function createNetwork(hosts: string): Promise<void> {
  await run('mount', ['--bind', hosts, '/etc/hosts'])
  await ip('link set lo up')
  await ip(`link add ${BRIDGE} type bridge`)
  await ip(`address add ${OWN_ADDRESS}/24 dev ${BRIDGE}`)
  await ip(`link set ${BRIDGE} up`)
}

/** Connects the machine whose first process is `pid`. */
export async function connectMachine(name: string, address: string, pid: number): Promise<void> {
  // The kernel removes the cable of a lost machine only after a while.
  await ip(`link delete cable-${name}`).catch(() => {})
  await ip(`link add cable-${name} type veth peer name eth0 netns ${pid}`)
  await ip(`link set cable-${name} master ${BRIDGE} up`)
  const inside = (words: string) => run('nsenter', ['-t', String(pid), '-n', 'ip', ...words.split(' ')])
  await inside(`address add ${address}/24 dev eth0`)
  await inside('link set eth0 up')
}

/** Pulls the cable of a machine: its packets vanish, and so do those for it. */
export const pullCable = (name: string) => ip(`link set cable-${name} down`)

/** Puts the cable back. */
export const plugCable = (name: string) => ip(`link set cable-${name} up`)

async function ip(words: string): Promise<void> {
  await run('ip', words.split(' '))
}
