import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import type { Load } from './load.ts'
import type { Scene } from './scenario.ts'
import type { Worker } from './worker.ts'

const SHADOWS = 150
/** The most that the service publishes before their verdicts. */
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

/** The most shadow judgings that were delivered between the 201 of a submission and its delivery. */
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
