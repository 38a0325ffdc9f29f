import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '../../cluster/cluster.ts'
import type { Machine } from '../../cluster/machine.ts'
import {
  findEtcdLeader,
  findPrimary,
  findQueueLeader,
  findSyncStandby,
  restartInOrder,
  switchPrimary,
  waitUntilWhole,
} from '../../cluster/operations.ts'
import type { ClusterScenario, ClusterScene } from './scene.ts'

type Choose = (scene: ClusterScene) => Promise<Machine>

const WITHOUT_PRIMARY_MS = 30_000
const OTHERWISE_MS = 15_000

const primary: Choose = ({ cluster }) => findPrimary(cluster)
const queueLeader: Choose = ({ cluster }) => findQueueLeader(cluster)
const some =
  (role: 'service' | 'worker'): Choose =>
  async ({ cluster, random }) => {
    const machines = cluster.ofRole(role)
    const chosen = machines[Math.floor(random() * machines.length)]
    if (chosen === undefined) throw new Error(`no machine has the role ${role}`)
    return chosen
  }

/** The scenarios in the order of running. */
export const clusterScenarios: readonly ClusterScenario[] = [
  { name: 'primary cut off', withinMs: WITHOUT_PRIMARY_MS, disturb: repeat(cutOff(primary)) },
  {
    name: 'machine of the primary killed',
    withinMs: WITHOUT_PRIMARY_MS,
    disturb: repeat(killMachine(primary)),
  },
  {
    name: 'primary cut off from etcd and the standbys',
    withinMs: WITHOUT_PRIMARY_MS,
    disturb: repeat(isolatePrimary),
  },
  {
    name: 'machine of the primary frozen',
    withinMs: WITHOUT_PRIMARY_MS,
    disturb: repeat(freezeMachine(primary)),
  },
  { name: 'Patroni frozen on the primary', withinMs: WITHOUT_PRIMARY_MS, disturb: repeat(freezePatroni) },
  { name: 'PostgreSQL killed on the primary', withinMs: WITHOUT_PRIMARY_MS, disturb: repeat(killPostgres) },
  { name: 'switchover', withinMs: WITHOUT_PRIMARY_MS, disturb: repeat(requestSwitchover) },
  {
    name: 'synchronous standby cut off',
    withinMs: OTHERWISE_MS,
    disturb: repeat(cutOff(({ cluster }) => findSyncStandby(cluster))),
  },
  {
    name: 'machine of the queue’s leader killed',
    withinMs: OTHERWISE_MS,
    disturb: repeat(killMachine(queueLeader)),
  },
  { name: 'queue’s leader cut off', withinMs: OTHERWISE_MS, disturb: repeat(cutOff(queueLeader)) },
  { name: 'service cut off', withinMs: OTHERWISE_MS, disturb: repeat(cutOff(some('service'))) },
  { name: 'worker cut off', withinMs: OTHERWISE_MS, disturb: repeat(cutOff(some('worker'))) },
  {
    name: 'etcd’s leader cut off',
    withinMs: OTHERWISE_MS,
    disturb: repeat(cutOff(({ cluster }) => findEtcdLeader(cluster))),
  },
  { name: 'all of etcd cut off', withinMs: OTHERWISE_MS, disturb: repeat(cutOffEtcd) },
  { name: 'restarted machine by machine', withinMs: WITHOUT_PRIMARY_MS, disturb: restartAll },
]

/** Repeats a fault, with a random pause before each, after everything works again. */
function repeat(fault: (scene: ClusterScene) => Promise<void>): (scene: ClusterScene) => Promise<void> {
  return async (scene) => {
    for (let n = 0; n < scene.sizes.times; n += 1) {
      await scene.pause(scene.sizes.betweenMs)
      await fault(scene)
      scene.recovery.faultEnded()
      await untilWhole(scene)
    }
    if (scene.sizes.times > 1) scene.note(`${scene.sizes.times} times`)
  }
}

async function untilWhole({ cluster, sizes }: ClusterScene): Promise<void> {
  await waitFor(cluster.machines, sizes.recoverWithinMs)
  await waitUntilWhole(cluster, sizes.recoverWithinMs)
}

function cutOff(choose: Choose): (scene: ClusterScene) => Promise<void> {
  return async (scene) => {
    const machine = await choose(scene)
    await machine.cutOff()
    try {
      await sleep(scene.sizes.awayMs)
    } finally {
      await machine.reconnect()
    }
  }
}

/** All of its processes end at once; it starts again with its disk. */
function killMachine(choose: Choose): (scene: ClusterScene) => Promise<void> {
  return async (scene) => {
    const machine = await choose(scene)
    await machine.powerOff()
    await sleep(scene.sizes.awayMs)
    await scene.cluster.start(machine)
  }
}

/** It continues where it was, as a virtual machine that was paused. */
function freezeMachine(choose: Choose): (scene: ClusterScene) => Promise<void> {
  return async (scene) => {
    const machine = await choose(scene)
    machine.freeze()
    try {
      await sleep(scene.sizes.awayMs)
    } finally {
      machine.thaw()
    }
  }
}

/** Patroni lives on, and starts PostgreSQL again or lets a standby take over. */
async function killPostgres({ cluster, sizes }: ClusterScene): Promise<void> {
  const machine = await findPrimary(cluster)
  await machine.run('pkill', '-KILL', '-x', 'postgres')
  await sleep(sizes.awayMs)
}

/** The services still reach it. */
async function isolatePrimary({ cluster, sizes }: ClusterScene): Promise<void> {
  const machine = await findPrimary(cluster)
  const others = [...cluster.ofRole('etcd'), ...cluster.ofRole('database')].filter((one) => one !== machine)
  const route = (action: 'add' | 'del') =>
    Promise.all(others.map(({ address }) => machine.run('ip', 'route', action, 'blackhole', `${address}/32`)))
  await route('add')
  try {
    await sleep(sizes.awayMs)
  } finally {
    await route('del')
  }
}

/** PostgreSQL lives on as a second primary. */
async function freezePatroni({ cluster, sizes }: ClusterScene): Promise<void> {
  const patroni = (await findPrimary(cluster)).program('patroni')
  patroni.freeze()
  try {
    await sleep(sizes.awayMs)
  } finally {
    patroni.thaw()
  }
}

/** The primary stays, because all database machines agree (`failsafe_mode`). */
async function cutOffEtcd({ cluster, sizes }: ClusterScene): Promise<void> {
  const machines = cluster.ofRole('etcd')
  await Promise.all(machines.map((machine) => machine.cutOff()))
  try {
    await sleep(sizes.awayMs)
  } finally {
    await Promise.all(machines.map((machine) => machine.reconnect()))
  }
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
