import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene, Sizes } from '../../faults/scenario.ts'
import { type Cluster, waitUntilReady } from '../cluster.ts'
import type { Machine } from '../machine.ts'
import {
  findEtcdLeader,
  findPrimary,
  findQueueLeader,
  findSyncStandby,
  restartInOrder,
  switchPrimary,
  waitUntilWhole,
} from '../operations.ts'

type Choose = (scene: ClusterScene) => Promise<Machine>

const primary: Choose = ({ cluster }) => findPrimary(cluster)
const syncStandby: Choose = ({ cluster }) => findSyncStandby(cluster)
const queueLeader: Choose = ({ cluster }) => findQueueLeader(cluster)
const etcdLeader: Choose = ({ cluster }) => findEtcdLeader(cluster)
const some =
  (role: 'service' | 'worker'): Choose =>
  async ({ cluster, random }) => {
    const machines = cluster.ofRole(role)
    const chosen = machines[Math.floor(random() * machines.length)]
    if (chosen === undefined) throw new Error(`no machine has the role ${role}`)
    return chosen
  }

/** Whether another machine is the primary after a fault. */
type Takeover = 'always' | 'perhaps' | 'never'

const WITHIN_MS: Readonly<Record<Takeover, number>> = { always: 30_000, perhaps: 30_000, never: 15_000 }

export const clusterScenarios: readonly ClusterScenario[] = [
  repeated('primary cut off', 'always', cutOff(primary)),
  repeated('machine of the primary killed', 'always', killMachine(primary)),
  repeated('primary cut off from etcd and the standbys', 'always', lasting(isolate)),
  repeated('machine of the primary frozen', 'always', freezeMachine(primary)),
  repeated('Patroni frozen on the primary', 'always', lasting(freezePatroni)),
  repeated('PostgreSQL killed on the primary', 'perhaps', killPostgres),
  repeated('switchover', 'always', requestSwitchover),
  repeated('synchronous standby cut off', 'never', cutOff(syncStandby)),
  repeated('machine of the queue’s leader killed', 'never', killMachine(queueLeader)),
  repeated('queue’s leader cut off', 'never', cutOff(queueLeader)),
  repeated('service cut off', 'never', cutOff(some('service'))),
  repeated('worker cut off', 'never', cutOff(some('worker'))),
  repeated('etcd’s leader cut off', 'never', cutOff(etcdLeader)),
  repeated('all of etcd cut off', 'never', lasting(cutOffEtcd)),
  { name: 'restarted machine by machine', withinMs: WITHIN_MS.always, disturb: restartAll },
]

/** Repeats a fault, with a random pause before each, after everything works again. */
function repeated(name: string, takeover: Takeover, fault: ClusterScenario['disturb']): ClusterScenario {
  const disturb = async (scene: ClusterScene) => {
    const { sizes, cluster } = scene
    for (let n = 0; n < sizes.times; n += 1) {
      await scene.pause(sizes.betweenMs)
      const former = await findPrimary(cluster)
      await fault(scene)
      scene.recovery.faultEnded()
      await untilWhole(scene)
      const present = await findPrimary(cluster)
      if (takeover !== 'perhaps' && (takeover === 'always') !== (present !== former))
        scene.fail(`${former.name} was the primary before a fault, and ${present.name} after it`)
    }
    if (sizes.times > 1) scene.note(`${sizes.times} times`)
  }
  return { name, withinMs: WITHIN_MS[takeover], disturb }
}

async function untilWhole({ cluster, sizes }: ClusterScene): Promise<void> {
  await waitUntilReady(cluster.machines, sizes.recoverWithinMs)
  await waitUntilWhole(cluster, sizes.recoverWithinMs)
}

/** Begins a fault, waits, and ends it with what `begin` returns. */
function lasting(begin: (scene: ClusterScene) => Promise<() => unknown>): ClusterScenario['disturb'] {
  return async (scene) => {
    const end = await begin(scene)
    try {
      await sleep(scene.sizes.awayMs)
    } finally {
      await end()
    }
  }
}

function cutOff(choose: Choose) {
  return lasting(async (scene) => {
    const machine = await choose(scene)
    await machine.cutOff()
    return () => machine.reconnect()
  })
}

/** All of its processes end at once; it starts again with its disk. */
function killMachine(choose: Choose) {
  return lasting(async (scene) => {
    const machine = await choose(scene)
    await machine.powerOff()
    return () => scene.cluster.start(machine)
  })
}

/** Its processes stop, and continue where they were. Its kernel still acknowledges packets. */
function freezeMachine(choose: Choose) {
  return lasting(async (scene) => {
    const machine = await choose(scene)
    machine.freeze()
    return () => machine.thaw()
  })
}

/** Patroni lives on, and starts PostgreSQL again or lets a standby take over. */
async function killPostgres({ cluster, sizes }: ClusterScene): Promise<void> {
  const machine = await findPrimary(cluster)
  await machine.run('pkill', '-KILL', '-x', 'postgres')
  await sleep(sizes.awayMs)
}

/** The services still reach it. */
async function isolate({ cluster }: ClusterScene) {
  const machine = await findPrimary(cluster)
  const others = [...cluster.ofRole('etcd'), ...cluster.ofRole('database')].filter((one) => one !== machine)
  const route = (action: 'add' | 'del') =>
    Promise.all(others.map(({ address }) => machine.run('ip', 'route', action, 'blackhole', `${address}/32`)))
  await route('add')
  return () => route('del')
}

/** PostgreSQL lives on as a second primary. */
async function freezePatroni({ cluster }: ClusterScene) {
  const patroni = (await findPrimary(cluster)).program('patroni')
  patroni.freeze()
  return () => patroni.thaw()
}

/** The primary stays, because all database machines agree (`failsafe_mode`). */
async function cutOffEtcd({ cluster }: ClusterScene) {
  const machines = cluster.ofRole('etcd')
  await Promise.all(machines.map((machine) => machine.cutOff()))
  return () => Promise.all(machines.map((machine) => machine.reconnect()))
}

async function requestSwitchover({ cluster, sizes }: ClusterScene): Promise<void> {
  await switchPrimary(cluster)
  await sleep(sizes.awayMs / 2)
}

async function restartAll(scene: ClusterScene): Promise<void> {
  const { cluster, sizes, recovery, note } = scene
  const restarted = await restartInOrder(cluster, sizes.recoverWithinMs)
  recovery.faultEnded()
  await untilWhole(scene)
  note(`${restarted} machines`)
}

interface ClusterScene extends Pick<Scene, 'load' | 'recovery' | 'pause' | 'note' | 'fail'> {
  readonly cluster: Cluster
  readonly sizes: ClusterSizes
  /** A number from 0 to 1 that depends on the seed. */
  random(): number
}

/** How much a run does. A machine stays away for longer than every limit without service. */
export interface ClusterSizes extends Pick<Sizes, 'times' | 'betweenMs' | 'recoverWithinMs' | 'boundMs'> {
  readonly awayMs: number
}

export interface ClusterScenario {
  readonly name: string
  readonly withinMs: number
  disturb(scene: ClusterScene): Promise<void>
}

export const clusterSizesOf = (isShort: boolean): ClusterSizes => ({
  ...(isShort
    ? { times: 1, betweenMs: [1000, 2000] as const }
    : { times: 3, betweenMs: [2000, 6000] as const }),
  ...{ awayMs: 32_000, recoverWithinMs: 120_000, boundMs: 1_200_000 },
})
