import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../../src/db/database.ts'
import type { Scenario, Scene } from './scenario.ts'

const PER_SECOND = 50
/** So that what a purge throws away comes back within the time that a scenario has; the default everywhere else. */
const REQUEUE_SOON_SECONDS = 5
const REQUEUE_SECONDS = 300
const usual = {
  instances: 1,
  worker: 'instant',
  perSecond: PER_SECOND,
  requeueAfterSeconds: REQUEUE_SECONDS,
  isPrivate: true,
} as const
const onServers = { ...usual, isPrivate: false } as const

/** Every scenario on PostgreSQL and RabbitMQ, in the order in which they run: the longest of those that run two at a time first. */
export const scenarios: readonly Scenario[] = [
  { ...usual, name: 'one of two instances killed', instances: 2, disturb: repeat(killOneOfTwo) },
  { ...usual, name: 'service killed', disturb: repeat(killService) },
  { ...usual, name: 'worker killed in a test', worker: 'real', perSecond: 3, disturb: repeat(killWorker) },
  { ...onServers, name: 'RabbitMQ stopped', disturb: repeat((scene) => restartRabbitMq(scene, 'stop')) },
  { ...onServers, name: 'RabbitMQ killed', disturb: repeat((scene) => restartRabbitMq(scene, 'kill')) },
  {
    ...usual,
    name: 'queue purged',
    requeueAfterSeconds: REQUEUE_SOON_SECONDS,
    disturb: repeat(purgeQueue),
  },
  { ...onServers, name: 'PostgreSQL stopped immediate', disturb: repeat(restartPostgres) },
  { ...usual, name: 'service frozen', disturb: freeze(({ instances: [instance] }) => instance) },
  { ...usual, name: 'worker frozen', disturb: freeze(({ worker }) => worker) },
  { ...onServers, name: 'RabbitMQ frozen', disturb: freeze(({ rabbitMq }) => rabbitMq) },
  { ...onServers, name: 'PostgreSQL frozen', disturb: freeze(({ postgres }) => postgres) },
]

/** Does it as often as the form wants, with a random pause before each. */
function repeat(fault: (scene: Scene) => Promise<void>): (scene: Scene) => Promise<void> {
  return async (scene) => {
    for (let n = 0; n < scene.sizes.times; n += 1) {
      await scene.pause(scene.sizes.betweenMs)
      await fault(scene)
    }
    if (scene.sizes.times > 1) scene.note(`${scene.sizes.times} times`)
  }
}

async function killService({ instances: [instance], recovery }: Scene): Promise<void> {
  await instance.kill()
  recovery.faultEnded()
  await instance.start()
}

const selectClaimed = statement<{ id: string }>(
  'faults_select_claimed',
  'select outbox.id::text from outbox where outbox.claimed_until > now()',
)
const countLeft = statement<{ count: number }>(
  'faults_count_left',
  'select count(*)::integer as count from outbox where outbox.id = any($1::bigint[])',
)
/** Short beside what others wait for an answer, 4 s and more, so that it spoils nothing that runs at the same time. */
const HOLD_UP_MS = 1500
/** A lease is 20 s, the relay looks every second; the rest is for a loaded machine. */
const TAKEN_OVER_WITHIN_MS = 25_000
const LOOK_EVERY_MS = 100

/**
 * RabbitMQ stands still for a moment, so that both instances hold messages that they wait for the confirms of, and one of them
 * dies then. It is started again only once the other has taken over what it held, however long ago that is.
 */
async function killOneOfTwo({ instances: [instance], rabbitMq, stage, recovery, note, fail }: Scene) {
  rabbitMq.freeze()
  const held: string[] = []
  try {
    await sleep(HOLD_UP_MS)
    await instance.kill()
    held.push(...(await stage.database.query(selectClaimed)).map(({ id }) => id))
  } finally {
    rabbitMq.thaw()
  }
  recovery.faultEnded()
  const fromMs = performance.now()
  const isLeft = async () => (await stage.database.query(countLeft, [held]))[0]?.count !== 0
  while ((await isLeft()) && performance.now() - fromMs < TAKEN_OVER_WITHIN_MS) await sleep(LOOK_EVERY_MS)
  const tookMs = performance.now() - fromMs
  if (held.length === 0) fail('no message was claimed when the instance was killed')
  if (await isLeft()) fail(`not taken over within ${TAKEN_OVER_WITHIN_MS / 1000} s of the kill`)
  note(`${held.length} messages claimed, all gone after ${(tookMs / 1000).toFixed(1)} s`)
  await instance.start()
}

const PROGRAM_WITHIN_MS = 20_000

async function killWorker({ worker, recovery }: Scene): Promise<void> {
  const deadline = performance.now() + PROGRAM_WITHIN_MS
  while (!worker.isRunningPrograms()) {
    if (performance.now() > deadline) throw new Error('the worker runs no program')
    await sleep(5)
  }
  await worker.kill()
  recovery.faultEnded()
  await worker.start()
}

async function restartRabbitMq(
  { rabbitMq, recovery, sizes, pause }: Scene,
  how: 'stop' | 'kill',
): Promise<void> {
  await rabbitMq[how]()
  await pause(sizes.awayMs)
  const starting = rabbitMq.start()
  recovery.faultEnded()
  await starting
}

/** The worker is held up for a while before, so that there is something to throw away. */
async function purgeQueue({ rabbitMq, stage, worker, recovery, pause, note }: Scene): Promise<void> {
  worker.freeze()
  await pause([1000, 2000])
  const purged = await rabbitMq.purge(stage.queue)
  recovery.faultEnded()
  worker.thaw()
  if (purged === 0) throw new Error('there was nothing to purge')
  note(`${purged} messages`)
}

async function restartPostgres({ postgres, recovery, sizes, pause }: Scene): Promise<void> {
  await postgres.stop('immediate')
  await pause(sizes.awayMs)
  const starting = postgres.start()
  recovery.faultEnded()
  await starting
}

function freeze(choose: (scene: Scene) => { freeze(): void; thaw(): void }): (scene: Scene) => Promise<void> {
  return async (scene) => {
    const { sizes, recovery, pause, note } = scene
    await pause(sizes.betweenMs)
    const frozen = choose(scene)
    frozen.freeze()
    try {
      await sleep(sizes.freezeMs)
    } finally {
      frozen.thaw()
    }
    recovery.faultEnded()
    note(`${sizes.freezeMs / 1000} s`)
  }
}
