import { setTimeout as sleep } from 'node:timers/promises'
import { pollFor, pollUntil } from '../local-servers/polling.ts'
import { type Cluster, waitUntilReady } from './cluster.ts'
import type { Machine } from './machine.ts'
import { isOk } from './roles.ts'

/** The name of the queue, which is the service's default. */
export const QUEUE = 'submission_queue'
const PATRONI = '/etc/patroni/config.yml'
const LIST_QUEUES = ['rabbitmqctl', '--silent', '--timeout', '10', 'list_queues', 'name']
const ASK_MS = 5000
const FOUND_WITHIN_MS = 60_000
const SWITCHED_WITHIN_MS = 300_000
const SWITCH_TAKES_MS = 20_000
const SETTLE_MS = 2000
const POLL_MS = 500
/** Each look at the queue takes a second of a processor. */
const WHOLE_POLL_MS = 2000

/** The machine whose Patroni has 200 for this path. Waits for one, as in a takeover. */
async function findDatabase(cluster: Cluster, path: '/primary' | '/sync'): Promise<Machine> {
  const machines = cluster.ofRole('database')
  const look = async () => {
    const answers = await Promise.all(machines.map((machine) => isDatabase(machine, path)))
    return machines[answers.indexOf(true)]
  }
  return pollFor(look, FOUND_WITHIN_MS, `no machine for GET ${path} of Patroni`, POLL_MS)
}

const isDatabase = ({ address }: Machine, path: '/primary' | '/sync') => isOk(`http://${address}:8008${path}`)

/** The machine of the primary. Throws if there is none in time. */
export const findPrimary = (cluster: Cluster) => findDatabase(cluster, '/primary')

/** The standby that has every commit. Throws if there is none in time. */
export const findSyncStandby = (cluster: Cluster) => findDatabase(cluster, '/sync')

/** Runs SQL as the superuser. Returns its rows as text. */
export const runSql = (machine: Machine, sql: string) =>
  machine.run(
    ...['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'],
    ...['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--set=ON_ERROR_STOP=1'],
    ...['--dbname', 'postgres', '--command', sql],
  )

/** What the command line of RabbitMQ prints of the queue, on the first machine that answers. */
async function askQueue(cluster: Cluster, column: string): Promise<string> {
  let cause: unknown
  // Not all at once: each call starts a virtual machine of Erlang.
  for (const machine of cluster.ofRole('queue').filter((one) => one.isOn())) {
    try {
      const lines = await machine.run(...LIST_QUEUES, column)
      return lines.split('\n').find((one) => one.startsWith(`${QUEUE}\t`)) ?? ''
    } catch (err) {
      cause = err
    }
  }
  throw new Error('no machine of RabbitMQ answers', { cause })
}

/** The machine that leads the queue. */
export async function findQueueLeader(cluster: Cluster): Promise<Machine> {
  const name = /rabbit@(\w+)/.exec(await askQueue(cluster, 'leader'))?.[1]
  if (name === undefined) throw new Error('the queue has no leader')
  return cluster.find(name)
}

/** The machine that leads etcd. */
export async function findEtcdLeader(cluster: Cluster): Promise<Machine> {
  const isLeader = async ({ address }: Machine) => {
    const request = { method: 'POST', body: '{}', signal: AbortSignal.timeout(ASK_MS) }
    const response = await fetch(`http://${address}:2379/v3/maintenance/status`, request)
    const { header, leader } = Object(await response.json())
    return header?.member_id === leader
  }
  for (const machine of cluster.ofRole('etcd')) if (await isLeader(machine).catch(() => false)) return machine
  throw new Error('etcd has no leader')
}

const SYNC_OF_STREAMING = `select sync_state from pg_stat_replication where state = 'streaming'`

/** Waits until both standbys stream synchronously, and all members of the queue run. */
export async function waitUntilWhole(cluster: Cluster, withinMs: number): Promise<void> {
  await pollFor(() => isWhole(cluster), withinMs, 'the cluster is not whole', WHOLE_POLL_MS)
}

async function isWhole(cluster: Cluster): Promise<boolean> {
  const streaming: readonly string[] =
    (await runSql(await findPrimary(cluster), SYNC_OF_STREAMING)).match(/\w+/g) ?? []
  const standbys = cluster.ofRole('database').length - 1
  if (streaming.filter((state) => state === 'sync').length < standbys) return false
  const online = (await askQueue(cluster, 'online')).match(/rabbit@/g) ?? []
  return online.length === cluster.ofRole('queue').length
}

/** Makes the synchronous standby the primary. Patroni may refuse for a moment: it is asked again. */
export async function switchPrimary(cluster: Cluster): Promise<void> {
  const primary = await findPrimary(cluster)
  const standby = await findSyncStandby(cluster)
  const names = ['--master', primary.name, '--candidate', standby.name]
  const isPrimary = () => isDatabase(standby, '/primary')
  const ask = async () => {
    // It also succeeds if Patroni refuses, and fails if an earlier one was late.
    const asked = primary.run('patronictl', '-c', PATRONI, 'switchover', 'judge', ...names, '--force')
    await asked.catch(() => {})
    return pollUntil(isPrimary, SWITCH_TAKES_MS, POLL_MS)
  }
  await pollFor(ask, SWITCHED_WITHIN_MS, `${standby.name} is not the primary`, POLL_MS)
}

/** Restarts all machines but the proxy in turn, as for an upgrade. Throws if one is late. */
export async function restartInOrder(cluster: Cluster, withinMs: number): Promise<number> {
  const restart = async (machine: Machine) => {
    await machine.stopPrograms()
    await machine.powerOff()
    await cluster.start(machine)
    await waitUntilReady([machine], withinMs)
    await waitUntilWhole(cluster, withinMs)
  }
  for (const machine of cluster.ofRole('etcd')) await restart(machine)
  for (const machine of cluster.ofRole('queue')) {
    await machine.run('rabbitmq-upgrade', 'drain')
    await restart(machine)
  }
  const primary = await findPrimary(cluster)
  for (const machine of cluster.ofRole('database')) if (machine !== primary) await restart(machine)
  await switchPrimary(cluster)
  await waitUntilWhole(cluster, withinMs)
  await restart(primary)
  for (const machine of cluster.ofRole('service')) {
    await setState(cluster, machine, 'drain')
    await sleep(SETTLE_MS)
    await restart(machine)
    await setState(cluster, machine, 'ready')
    await sleep(SETTLE_MS)
  }
  for (const machine of cluster.ofRole('worker')) await restart(machine)
  return cluster.machines.length - cluster.ofRole('proxy').length
}

/** Tells HAProxy whether to send requests to an instance. */
async function setState(cluster: Cluster, { name }: Machine, state: 'drain' | 'ready'): Promise<void> {
  const [proxy] = cluster.ofRole('proxy')
  await proxy?.run('/usr/local/sbin/judge-instance', name, state)
}
