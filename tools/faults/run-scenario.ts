import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance, startInstance } from './instance.ts'
import { startLoad } from './load.ts'
import { checkEnd, countPending, watchRecovery } from './recovery.ts'
import * as report from './report.ts'
import type { Range, Result, Scenario, ScenarioRun, Scene } from './scenario.ts'
import { openStage } from './stage.ts'
import { findTemporaryFiles } from './temporary-files.ts'
import { startWorker, type Worker } from './worker.ts'
import { findWorker } from './worker-faults.ts'
import { createWorld } from './world.ts'

const WARM_UP_MS = 1000
const TAIL_MS = 1000

/** Runs one scenario on PostgreSQL and RabbitMQ: load, faults, recovery, checks. */
export async function runScenario(scenario: Scenario, run: ScenarioRun): Promise<Result> {
  const isSupervised = scenario.worker === 'supervised'
  const stage = await openStage(run.servers, scenario.requeueAfterSeconds, !isSupervised)
  const instances: Instance[] = []
  let worker: Worker | undefined
  try {
    // The name tells the connections of the instances apart.
    const start = (name: string) =>
      startInstance(
        {
          ...stage.variables,
          DATABASE_URL: `${stage.databaseUrl}?application_name=${name}`,
          // A supervised worker would keep its folder there too.
          ...(!isSupervised && { TMPDIR: stage.temporaryFolder }),
        },
        isSupervised ? ['--judge'] : [],
      )
    const first = await start('instance-0')
    instances.push(first)
    if (scenario.instances === 2) instances.push(await start('instance-1'))
    const world = await createWorld(first.url, stage.secrets)
    const serviceUrls = instances.map(({ url }) => url)
    worker =
      scenario.worker === 'supervised'
        ? findWorker(first)
        : await startWorker({ kind: scenario.worker, variables: stage.variables, serviceUrls })
    return await runOn({ stage, worker, world, instances: [first, ...instances.slice(1)] }, scenario, run)
  } finally {
    await worker?.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
    await stage.close()
  }
}

type Parts = Pick<Scene, 'stage' | 'worker' | 'instances' | 'world'>

async function runOn(parts: Parts, scenario: Scenario, run: ScenarioRun): Promise<Result> {
  const { stage, worker, instances, world } = parts
  const { name, perSecond } = scenario
  const urls = instances.map(({ url }) => url)
  const { slow = 0, usesContestApi = false } = scenario
  const isJudged = scenario.worker !== 'instant'
  const load = startLoad({ urls, world, perSecond, slow, usesContestApi, isJudged })
  const notes: string[] = []
  const failures: string[] = []
  const { recoverWithinMs } = run.sizes
  const recovery = watchRecovery(load, (ids) => countPending(stage.database, ids), recoverWithinMs)
  await sleep(WARM_UP_MS)
  await scenario.disturb({
    ...run.servers,
    ...{ stage, worker, world, load, recovery, sizes: run.sizes, instances },
    pause: ([least, most]: Range) => sleep(least + run.random() * (most - least)),
    note: (text) => notes.push(text),
    fail: (text) => failures.push(text),
  })
  await recovery.firstAcknowledged()
  await sleep(TAIL_MS)
  await load.stop(recoverWithinMs)
  const end = await checkEnd({
    ...{ load, world, worker, recovery, recoverWithinMs, stores: stage, serviceUrls: urls },
    url: () => instances[0].url,
    restartServices: () => Promise.all(instances.map(restart)),
    stopWorkers: () => worker.stop(),
  })
  const { lost, recoverMs } = end
  failures.push(...end.failures, ...report.describeFinding(findTemporaryFiles(stage.temporaryFolder)))
  if (failures.length > 0) failures.push(...instances.flatMap((instance) => instance.errors()))
  const figures = report.countWork(load, worker, instances)
  return { ...figures, name, perSecond, lost, recoverMs, failures, notes: [...new Set(notes)] }
}

async function restart(instance: Instance): Promise<void> {
  await instance.stop()
  await instance.start()
}
