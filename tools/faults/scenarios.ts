import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import { killAmongImports } from './kill-imports.ts'
import { killAmongRejudgings } from './kill-rejudgings.ts'
import { inMidFeed, killInTurn } from './live-faults.ts'
import { CAUGHT_WITHIN_MS, type Scenario, type Scene } from './scenario.ts'
import {
  keepShadowsBehind,
  killSlowWorker,
  killSupervised,
  REQUEUE_AFTER_SECONDS,
  SLOW,
} from './worker-faults.ts'

const usual = { instances: 1, worker: 'instant', perSecond: 50, requeueAfterSeconds: 300 } as const

/** For two instances, while feeds and streams are open. */
const live = { ...usual, instances: 2, perSecond: 20 } as const

const firstInstance = ({ instances: [instance] }: Scene) => instance
const restartPostgres = () => restart('postgres', ({ postgres }) => postgres.stop('immediate'))

/** The scenarios on PostgreSQL and RabbitMQ in the order of running. */
export const scenarios: readonly Scenario[] = [
  { ...usual, name: 'one of two instances killed', instances: 2, disturb: repeat(killOneOfTwo) },
  {
    ...{ ...usual, name: 'one of two instances frozen in a transaction', instances: 2, usesContestApi: true },
    disturb: repeat(freezeInTransaction),
  },
  { ...usual, name: 'service killed', disturb: repeat(killService) },
  { ...usual, name: 'service killed during imports', perSecond: 20, disturb: killAmongImports },
  { ...usual, name: 'service killed during rejudgings', perSecond: 30, disturb: killAmongRejudgings },
  { ...live, name: 'one of two instances killed in mid-feed', disturb: inMidFeed(killInTurn) },
  { ...live, name: 'one of two instances frozen in mid-feed', disturb: inMidFeed(freeze(firstInstance)) },
  { ...live, name: 'PostgreSQL stopped in mid-feed', disturb: inMidFeed(restartPostgres(), true) },
  { ...usual, name: 'worker killed in a test', worker: 'real', perSecond: 1, disturb: repeat(killWorker) },
  {
    ...{ ...usual, name: 'each process of --judge killed, its worker frozen', worker: 'supervised' },
    ...{ perSecond: 1, disturb: repeat(killSupervised) },
  },
  { ...usual, name: 'RabbitMQ stopped', disturb: restart('rabbitMq', ({ rabbitMq }) => rabbitMq.stop()) },
  { ...usual, name: 'RabbitMQ killed', disturb: restart('rabbitMq', ({ rabbitMq }) => rabbitMq.kill()) },
  {
    ...{ ...usual, name: 'slow worker killed, its messages lost', perSecond: 10, slow: SLOW },
    ...{ requeueAfterSeconds: REQUEUE_AFTER_SECONDS, disturb: killSlowWorker },
  },
  { ...usual, name: 'worker frozen among many shadow judgings', perSecond: 20, disturb: keepShadowsBehind },
  // Purged messages must return within the time of a scenario.
  { ...usual, name: 'queue purged', requeueAfterSeconds: 5, disturb: repeat(purge) },
  { ...usual, name: 'PostgreSQL stopped immediate', disturb: restartPostgres() },
  { ...usual, name: 'service frozen', disturb: freeze(firstInstance) },
  { ...usual, name: 'worker frozen', disturb: freeze(({ worker }) => worker) },
  { ...usual, name: 'RabbitMQ frozen', disturb: freeze(({ rabbitMq }) => rabbitMq) },
  { ...usual, name: 'PostgreSQL frozen', disturb: freeze(({ postgres }) => postgres) },
]

/** Repeats a fault, with a random pause before each. */
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

/** Shorter than every timeout: the messages are still claimed. */
const HOLD_UP_MS = 1500
/** A claim lasts 20 s and the relay looks every second; the rest is for a busy machine. */
const TAKEN_OVER_WITHIN_MS = 25_000

/** Kills one of two instances that wait for RabbitMQ; starts it after the other took over. */
async function killOneOfTwo({ instances: [instance], rabbitMq, stage, recovery, note, fail }: Scene) {
  const claimed: string[] = []
  rabbitMq.freeze()
  try {
    await sleep(HOLD_UP_MS)
    await instance.kill()
    const sql = 'select outbox.id::text from outbox where outbox.claimed_until > now()'
    claimed.push(...(await ask<{ id: string }>(stage.database, sql)).map(({ id }) => id))
  } finally {
    rabbitMq.thaw()
  }
  recovery.faultEnded()
  const fromMs = performance.now()
  const left = `select from outbox where outbox.id = any('{${claimed.join(',')}}')`
  const isGone = async () => (await ask(stage.database, left)).length === 0
  if (!(await pollUntil(isGone, TAKEN_OVER_WITHIN_MS)))
    fail(`not taken over within ${TAKEN_OVER_WITHIN_MS / 1000} s after the kill`)
  if (claimed.length === 0) fail('no message was claimed when the instance was killed')
  note(`${claimed.length} messages claimed, gone after ${((performance.now() - fromMs) / 1000).toFixed(1)} s`)
  await instance.start()
}

/** PostgreSQL ends an idle transaction after 5 s; the rest is for a busy machine. */
const FREED_WITHIN_MS = 10_000
const ACKNOWLEDGED_WITHIN_MS = 10_000
/** Until a client submits, or another transaction waits. */
const WAITING_WITHIN_MS = 1000
const ofFirstInstance = "datname = current_database() and application_name = 'instance-0'"
const IN_TRANSACTION = `select from pg_stat_activity where ${ofFirstInstance} and state = 'idle in transaction'`
/** Waits for the table and has stored a key; single statements wait for all tables first. */
const IS_HELD_UP = `
  select from pg_stat_activity
  where ${ofFirstInstance} and backend_xid is not null and pid in (
      select pid from pg_locks where not granted and relation = 'submissions'::regclass)
    and pid in (
      select pid from pg_locks
      where granted and relation = 'idempotent_answers'::regclass and mode = 'RowExclusiveLock')`

/**
 * Freezes one instance in the middle of a transaction, which holds an Idempotency-Key and a cell of
 * the standings. The other instance must get both. A lock on the table holds the transaction up
 * until the instance is frozen.
 */
async function freezeInTransaction({ instances: [instance], stage, recovery, note, fail }: Scene) {
  const isSeen = async (sql: string) => (await ask(stage.database, sql)).length > 0
  const holdsLocks = () => isSeen(IN_TRANSACTION)
  const countStored = async () => (await ask(stage.database, 'select from submissions')).length
  const holdUpAndFreeze = () =>
    stage.database.transaction(async (tx) => {
      await ask(tx, 'lock table submissions in share mode')
      const isHeldUp = await pollUntil(() => isSeen(IS_HELD_UP), WAITING_WITHIN_MS, 15)
      if (isHeldUp) instance.freeze()
      return isHeldUp
    })
  const isCaught = async () => {
    if (!(await holdUpAndFreeze())) return false
    if (await pollUntil(holdsLocks, WAITING_WITHIN_MS, 15)) return true
    instance.thaw()
    return false
  }
  try {
    if (!(await pollUntil(isCaught, CAUGHT_WITHIN_MS))) throw new Error('no transaction was caught')
    const fromMs = performance.now()
    const isFreed = await pollUntil(async () => !(await holdsLocks()), FREED_WITHIN_MS)
    if (!isFreed) fail(`the frozen transaction held its locks for ${FREED_WITHIN_MS / 1000} s`)
    note(`locks free after ${((performance.now() - fromMs) / 1000).toFixed(1)} s`)
    recovery.faultEnded()
    const before = await countStored()
    const isWorking = async () => (await countStored()) >= before + 20
    if (!(await pollUntil(isWorking, ACKNOWLEDGED_WITHIN_MS))) fail('the other instance stores nothing')
  } finally {
    instance.thaw()
  }
  recovery.faultEnded()
}

const PROGRAM_WITHIN_MS = 20_000

async function killWorker({ worker, recovery }: Scene): Promise<void> {
  if (!(await pollUntil(async () => worker.isRunningPrograms(), PROGRAM_WITHIN_MS, 5)))
    throw new Error('the worker runs no program')
  await worker.kill()
  recovery.faultEnded()
  await worker.start()
}

function restart(name: 'postgres' | 'rabbitMq', stop: (scene: Scene) => Promise<unknown>) {
  return repeat(async (scene) => {
    await stop(scene)
    await scene.pause(scene.sizes.awayMs)
    const starting = scene[name].start()
    scene.recovery.faultEnded()
    await starting
  })
}

/** The worker is frozen before, so that the queue is not empty. */
async function purge({ rabbitMq, stage, worker, recovery, pause, note }: Scene): Promise<void> {
  worker.freeze()
  await pause([1000, 2000])
  const purged = await purgeQueue(rabbitMq.url, stage.queue)
  recovery.faultEnded()
  worker.thaw()
  if (purged === 0) throw new Error('the queue was empty')
  note(`${purged} messages`)
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
