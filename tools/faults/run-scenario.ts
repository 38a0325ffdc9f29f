import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '../local-servers/polling.ts'
import { checkDatabase } from './checks.ts'
import { countPending, isDrained } from './drained.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Load, startLoad } from './load.ts'
import { watchRecovery } from './recovery-watch.ts'
import * as report from './report.ts'
import type { Range, Result, Scenario, ScenarioRun, Scene } from './scenario.ts'
import { openStage } from './stage.ts'
import { findWorker } from './supervised.ts'
import { findTemporaryFiles } from './temporary-files.ts'
import { startWorker, type Worker } from './worker.ts'
import { createWorld, findUnready, readStandings } from './world.ts'

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
  const drain = () => pollUntil(() => isDrained(stage), recoverWithinMs)
  const wasDrained = await drain()
  const someId = load.acknowledged().at(-1)?.id
  const unready = await Promise.all(urls.map((url) => findUnready(url, world, someId)))
  failures.push(...unready.flat())
  await endOpenRequests(instances)
  if (!wasDrained || !(await drain()))
    failures.push(`work remains ${recoverWithinMs / 1000} s after the last submission`)
  const { lost, findings } = await check(parts, load)
  const recoverMs = await recovery.slowest()
  failures.push(...findings, ...report.describeRecovery(recoverMs, recoverWithinMs))
  if (failures.length > 0) failures.push(...instances.flatMap((instance) => instance.errors()))
  const figures = report.countWork(load, worker, instances)
  return { ...figures, name, perSecond, lost, recoverMs, failures, notes: [...new Set(notes)] }
}

/**
 * Starts the instances again: the requests of clients that gave up could still be stored, even
 * between two checks. They end with the process.
 */
async function endOpenRequests(instances: readonly Instance[]): Promise<void> {
  await Promise.all(
    instances.map(async (instance) => {
      await instance.stop()
      await instance.start()
    }),
  )
}

async function check({ stage, world, worker, instances }: Parts, load: Load) {
  // A message that was delivered twice may get a second verdict, and unacknowledged messages return
  // to the queue.
  await worker.stop()
  const left = await stage.countMessages()
  const standings = await readStandings(instances[0].url, world)
  const { submitted, shadows } = load
  const evidence = { submitted, shadows, worker, world, standings }
  const { lost, findings } = await checkDatabase(stage.database, evidence)
  return {
    lost,
    findings: [
      ...report.describeLeft(left),
      ...report.describeUnacknowledged(submitted),
      ...report.describeRefusals([...submitted, ...shadows]),
      ...[...findings, findTemporaryFiles(stage.temporaryFolder)].flatMap(report.describeFinding),
    ],
  }
}
