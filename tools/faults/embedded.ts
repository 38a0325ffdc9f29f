import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { makeServerFolder } from '../local-servers/server-process.ts'
import { checkDatabase, findLost } from './checks.ts'
import { startInstance } from './instance.ts'
import { type Shadow, type Submitted, startLoad } from './load.ts'
import { watchRecovery } from './recovery.ts'
import * as report from './report.ts'
import type { Result, ScenarioRun } from './scenario.ts'
import { openStage, type Stage } from './stage.ts'
import { startWorker, type Worker } from './worker.ts'
import { createWorld, findUnready, readStandings, type World } from './world.ts'

export const EMBEDDED = 'embedded database, service killed among writes'

const PER_SECOND = 50

const STORED = `
  select stored.id::text, exists (select from outbox where outbox.subject_id = stored.id) as is_queued
  from (select submissions.id from submissions union all select shadow_judgings.id from shadow_judgings) as stored`

/** Kills the service repeatedly during writes to the embedded database, then judges everything. */
export async function runEmbedded(run: ScenarioRun): Promise<Result> {
  const folder = await makeServerFolder('faults')
  const stage = await openStage(run.servers, 300)
  try {
    return await runOn(run, stage, folder.path)
  } finally {
    await stage.close()
    folder.remove()
  }
}

async function runOn(run: ScenarioRun, stage: Stage, dataDir: string): Promise<Result> {
  const { world, submitted, shadows, recoverMs } = await killRepeatedly(run, stage, dataDir)
  const stored = await withDatabase(dataDir, (db) => ask<{ id: string; is_queued: boolean }>(db, STORED))
  const ids = stored.map(({ id }) => id)
  const unqueued = stored.filter(({ is_queued }) => !is_queued).map(({ id }) => id)
  const lostAtOnce = findLost(stored, [...submitted, ...shadows])
  const judged = await judgeAll(run, stage, dataDir, world, ids)
  const { lost, findings } = await withDatabase(dataDir, (database) =>
    checkDatabase(database, { submitted, shadows, world, ...judged }),
  )
  // Repeating clients need no 201: they stop when the service is killed.
  const failures = [
    ...report.describeRecovery(recoverMs, run.sizes.recoverWithinMs),
    ...report.describeRefusals([...submitted, ...shadows]),
    ...report.describeFinding(lostAtOnce),
    ...report.describeFinding({ what: 'stored without a message', ids: unqueued }),
    ...judged.failures,
    ...findings.flatMap(report.describeFinding),
  ]
  return {
    ...report.countWork({ submitted, shadows }, judged.worker, []),
    ...{ name: EMBEDDED, perSecond: PER_SECOND, recoverMs, failures },
    lost: Math.max(lost, lostAtOnce.ids.length),
    notes: [`${run.sizes.embeddedRounds} times on the same data`],
  }
}

/** Stops early, with `recoverMs` undefined, if the service does not recover in time. */
async function killRepeatedly({ sizes, random }: ScenarioRun, stage: Stage, dataDir: string) {
  const { AMQP_URL: _, ...withoutQueue } = stage.variables
  const service = await startInstance({ ...withoutQueue, DATA_DIR: dataDir })
  const submitted: Submitted[] = []
  const shadows: Shadow[] = []
  let recoverMs: number | undefined = 0
  const world = await createWorld(service.url, stage.secrets)
  for (let round = 1; round <= sizes.embeddedRounds && recoverMs !== undefined; round += 1) {
    const load = startLoad({ urls: [service.url], world, perSecond: PER_SECOND, isJudged: false })
    if (round > 1) {
      const recovery = watchRecovery(load, async () => 0, sizes.recoverWithinMs)
      recovery.faultEnded()
      await service.start()
      const roundMs = await recovery.slowest()
      recoverMs = roundMs === undefined ? undefined : Math.max(recoverMs, roundMs)
    }
    const [least, most] = sizes.embeddedRoundMs
    await sleep(least + random() * (most - least))
    await service.kill()
    await load.stop(0)
    submitted.push(...load.submitted)
    shadows.push(...load.shadows)
  }
  return { world, submitted, shadows, recoverMs }
}

async function judgeAll(
  { sizes }: ScenarioRun,
  { variables, countMessages }: Stage,
  dataDir: string,
  world: World,
  ids: readonly string[],
) {
  const service = await startInstance({ ...variables, DATA_DIR: dataDir })
  let worker: Worker | undefined
  try {
    worker = await startWorker({ kind: 'instant', variables, serviceUrls: [service.url] })
    const { stored } = worker
    await pollUntil(async () => ids.every((id) => stored.has(id)), sizes.recoverWithinMs)
    const unready = await findUnready(service.url, world, ids[0])
    const standings = await readStandings(service.url, world)
    await worker.stop()
    return { worker, standings, failures: [...unready, ...report.describeLeft(await countMessages())] }
  } finally {
    await worker?.stop()
    await service.stop()
  }
}

async function withDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPglite({ dataDir })
  return work(database).finally(() => database.close())
}
