import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { findSupervised, listTree, type Supervised, sendSignal } from '../local-servers/process-tree.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import type { Instance } from './instance.ts'
import type { Load } from './load.ts'
import type { Scene } from './scenario.ts'
import { createReports, type Worker } from './worker.ts'

/** The number of slow submissions: half of what the worker judges at once. */
export const SLOW = 10
/** The worker renews a judging every second. */
export const REQUEUE_AFTER_SECONDS = 3
/** The worker lives for so long; recovery looks at the queue every 0.75 s. */
const LIVES_MS = 3 * REQUEUE_AFTER_SECONDS * 1000
const LEAST_EMPTY = 0.5
const RENEWED_WITHIN_MS = 20_000
const RETURNED_WITHIN_MS = 10_000
/** Twice `REQUEUE_AFTER_SECONDS` is usual; the rest is for a busy machine. */
const FOUND_WITHIN_MS = 30_000

/** A living worker keeps its slow judgings. After a kill and a purge all must be found again. */
export async function killSlowWorker(scene: Scene): Promise<void> {
  const { worker, rabbitMq, stage, recovery, note, fail } = scene
  const { database, queue, countMessages } = stage
  // A shadow judging of a slow program is slow too.
  const findRenewed = () =>
    ask<{ id: string }>(
      database,
      `select submissions.id::text from submissions where submissions.id = any('{${[...worker.renewed].join(',')}}')`,
    )
  if (!(await pollUntil(async () => (await findRenewed()).length >= SLOW, RENEWED_WITHIN_MS)))
    throw new Error(`the service accepted heartbeats of only ${(await findRenewed()).length} submissions`)
  const among = `submissions.id = any('{${(await findRenewed()).map(({ id }) => id).join(',')}}')`
  const count = async (condition: string) =>
    (await ask(database, `select from submissions where ${condition}`)).length
  const empty = await measureEmptiness(countMessages)
  if (empty < LEAST_EMPTY) fail('the queue was mostly not empty: no judging could be queued twice')
  const requeued = await count('submissions.attempt > 1')
  if (requeued > 0) fail(`${requeued} submissions were queued twice while the worker lived`)
  const pending = await count(`submissions.status = 'PENDING' and ${among}`)
  if (pending < SLOW) fail(`only ${pending} of ${SLOW} slow judgings lasted long enough`)
  await worker.kill()
  await pollUntil(async () => ((await countMessages()) ?? 0) >= SLOW, RETURNED_WITHIN_MS)
  const purged = await purgeQueue(rabbitMq.url, queue)
  const fromMs = performance.now()
  recovery.faultEnded()
  await worker.start()
  const isFound = async () =>
    (await count(`submissions.status <> 'PENDING' and submissions.attempt = 2 and ${among}`)) === SLOW
  if (!(await pollUntil(isFound, FOUND_WITHIN_MS)))
    fail(`the lost slow judgings had no verdict within ${FOUND_WITHIN_MS / 1000} s`)
  const seconds = (performance.now() - fromMs) / 1000
  note(`renewed for ${LIVES_MS / 1000} s; ${purged} messages purged, judged after ${seconds.toFixed(1)} s`)
}

/** The part of the looks that found no message in the queue, while the worker lives. */
async function measureEmptiness(countMessages: () => Promise<number | undefined>): Promise<number> {
  const untilMs = performance.now() + LIVES_MS
  let [looks, empty] = [0, 0]
  while (performance.now() < untilMs) {
    looks += 1
    if ((await countMessages()) === 0) empty += 1
    await sleep(100)
  }
  return empty / looks
}

const SHADOWS = 150
const PUBLISHED = 20
/** Some deliveries may be reported after the 201 of a later submission. */
const MOST_BEFORE = 2 * PUBLISHED
const PUBLISHED_WITHIN_MS = 10_000
const SUBMIT_FOR_MS = 1000

const PUBLISHED_PENDING = `
  select from shadow_judgings where shadow_judgings.published and shadow_judgings.status = 'PENDING'`
const PENDING = `select from shadow_judgings where shadow_judgings.status = 'PENDING'`

/** Requests many shadow judgings while the worker is frozen: they must not delay submissions. */
export async function keepShadowsBehind(scene: Scene): Promise<void> {
  const { worker, load, stage, recovery, sizes, note, fail } = scene
  const count = async (sql: string) => (await ask(stage.database, sql)).length
  worker.freeze()
  try {
    await load.requestShadows(SHADOWS)
    if (!(await pollUntil(async () => (await count(PUBLISHED_PENDING)) >= PUBLISHED, PUBLISHED_WITHIN_MS)))
      fail(`fewer than ${PUBLISHED} shadow judgings were published`)
    await sleep(SUBMIT_FOR_MS)
    const published = await count(PUBLISHED_PENDING)
    if (published > PUBLISHED) fail(`${published} shadow judgings were published at once`)
  } finally {
    worker.thaw()
  }
  recovery.faultEnded()
  if (!(await pollUntil(async () => (await count(PENDING)) === 0, sizes.recoverWithinMs)))
    fail('shadow judgings without a verdict')
  const most = countMostBefore(load, worker)
  if (most > MOST_BEFORE) fail(`${most} shadow judgings were delivered before an older submission`)
  note(`${SHADOWS} shadow judgings, at most ${most} delivered before an older submission`)
}

/** The most shadow judgings delivered between the 201 of a submission and its delivery. */
function countMostBefore(
  { submitted, shadows }: Pick<Load, 'submitted' | 'shadows'>,
  { deliveredAtMs }: Pick<Worker, 'deliveredAtMs'>,
): number {
  const times = shadows.flatMap(({ id = '' }) => deliveredAtMs.get(id) ?? [])
  const counts = submitted.map(({ id = '', acknowledgedAtMs = 0 }) => {
    const untilMs = deliveredAtMs.get(id) ?? 0
    return times.filter((atMs) => atMs > acknowledgedAtMs && atMs < untilMs).length
  })
  return Math.max(0, ...counts)
}

const RESTARTED_WITHIN_MS = 60_000
const PROGRAM_WITHIN_MS = 60_000

/** The worker of an instance that was started with `--judge`; its parent starts it again. */
export function findWorker(instance: Instance): Worker {
  const signalWorker = (signal: NodeJS.Signals) => {
    const pid = findSupervised(instance.pid, 'worker')
    if (pid !== undefined) sendSignal(pid, signal)
  }
  return Object.assign(createReports('real').reports, {
    freeze: () => signalWorker('SIGSTOP'),
    thaw: () => signalWorker('SIGCONT'),
    kill: () => endChild(instance, 'worker', 'SIGKILL'),
    start: () => waitForChild(instance, 'worker'),
    // It ends with its parent.
    stop: async () => {},
    isRunningPrograms: () => {
      const pid = findSupervised(instance.pid, 'worker')
      // The worker, and the launcher of its sandboxes.
      return pid !== undefined && listTree(pid).length > 2
    },
  })
}

/** Kills worker, service and parent and freezes the worker, each while a program runs. */
export async function killSupervised({ instances: [instance], worker, recovery }: Scene): Promise<void> {
  const faults = [
    () => endChild(instance, 'worker', 'SIGKILL'),
    () => endChild(instance, 'service', 'SIGKILL'),
    () => killParent(instance),
    // The parent kills it.
    () => endChild(instance, 'worker', 'SIGSTOP'),
  ]
  for (const fault of faults) {
    if (!(await pollUntil(async () => worker.isRunningPrograms(), PROGRAM_WITHIN_MS, 5)))
      throw new Error('the worker runs no program')
    await fault()
    recovery.faultEnded()
    await instance.start()
    await waitForChild(instance, 'service')
    await waitForChild(instance, 'worker')
  }
}

async function endChild({ pid: parent }: Instance, of: Supervised, signal: NodeJS.Signals): Promise<void> {
  const pid = findSupervised(parent, of)
  if (pid === undefined) throw new Error(`the ${of} is not running`)
  sendSignal(pid, signal)
  const hasEnded = async () => findSupervised(parent, of) !== pid
  if (!(await pollUntil(hasEnded, RESTARTED_WITHIN_MS, 5))) throw new Error(`the ${of} did not end`)
}

/** Its children end by themselves; only then is the port free. */
async function killParent(instance: Instance): Promise<void> {
  const children = (['service', 'worker'] as const).map((of) => findSupervised(instance.pid, of) ?? 0)
  await instance.kill()
  const haveEnded = async () => children.every((pid) => listTree(pid).length === 0)
  if (!(await pollUntil(haveEnded, RESTARTED_WITHIN_MS))) throw new Error('children outlived their parent')
}

async function waitForChild({ pid }: Instance, of: Supervised): Promise<void> {
  const isThere = async () => findSupervised(pid, of) !== undefined
  if (!(await pollUntil(isThere, RESTARTED_WITHIN_MS))) throw new Error(`the ${of} was not started again`)
}
