import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import type { Scene } from './scenario.ts'

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

/**
 * A worker renews slow judgings for longer than `REQUEUE_AFTER_SECONDS`: none may be queued twice.
 * Then it is killed and its messages are purged: all must be found and judged.
 */
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
  const ids = (await findRenewed()).map(({ id }) => id)
  const among = `submissions.id = any('{${ids.join(',')}}')`
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
