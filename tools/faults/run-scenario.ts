import { setTimeout as sleep } from 'node:timers/promises'
import { type Queryable, statement } from '../../src/db/database.ts'
import { checkDatabase } from './checks.ts'
import { type Contest, makeContest } from './contest.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Load, startLoad } from './load.ts'
import { watchRecovery } from './recovery-watch.ts'
import {
  countWork,
  describeFinding,
  describeRecovery,
  describeRefusals,
  describeUnacknowledged,
} from './result.ts'
import type { Range, Result, Scenario, ScenarioRun, Scene } from './scenario.ts'
import { openStage } from './stage.ts'
import { findUnready, readStandings } from './standings.ts'
import { startWorker, type Worker } from './worker.ts'

const WARM_UP_MS = 1000
const TAIL_MS = 1000
const DRAIN_POLL_MS = 100

const countPending = statement<{ count: number }>(
  'faults_count_pending',
  `select count(*)::integer as count from submissions
   where submissions.status = 'PENDING' and ($1::uuid[] is null or submissions.id = any($1))`,
)
const countOutbox = statement<{ count: number }>(
  'faults_count_outbox',
  'select count(*)::integer as count from outbox',
)

/** Runs one scenario on PostgreSQL and RabbitMQ: warm-up, faults, recovery, drain, checks. */
export async function runScenario(scenario: Scenario, run: ScenarioRun): Promise<Result> {
  const startedAtMs = performance.now()
  const stage = await openStage(run.servers, scenario.requeueAfterSeconds)
  const instances: Instance[] = []
  let worker: Worker | undefined
  try {
    const variables = { ...stage.variables, DATABASE_URL: stage.databaseUrl }
    const first = await startInstance(variables)
    instances.push(first)
    if (scenario.instances === 2) instances.push(await startInstance(variables))
    const contest = await makeContest(first.url, stage.secrets)
    worker = await startWorker({
      kind: scenario.worker,
      amqpUrl: run.servers.rabbitMq.url,
      queue: stage.queue,
      judgePassword: stage.secrets.judgePassword,
      serviceUrls: instances.map(({ url }) => url),
    })
    const parts = { stage, worker, contest, instances: [first, ...instances.slice(1)] } as const
    const result = await runOn(parts, scenario, run)
    return { ...result, seconds: (performance.now() - startedAtMs) / 1000 }
  } finally {
    await worker?.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
    await stage.close()
  }
}

/** What has been started for a scenario. */
type Parts = Pick<Scene, 'stage' | 'worker' | 'instances'> & { readonly contest: Contest }

async function runOn(parts: Parts, scenario: Scenario, run: ScenarioRun): Promise<Omit<Result, 'seconds'>> {
  const { stage, worker, instances, contest } = parts
  const { perSecond } = scenario
  const urls = instances.map(({ url }) => url)
  const load = startLoad({ urls, contest, perSecond, isJudged: scenario.worker === 'real' })
  const notes: string[] = []
  const failures: string[] = []
  const { recoverWithinMs } = run.sizes
  const countPendingOf = (ids: readonly string[]) => count(stage.database, countPending, [ids])
  const recovery = watchRecovery(load, countPendingOf, recoverWithinMs)
  const scene: Scene = {
    ...run.servers,
    ...{ stage, worker, recovery, sizes: run.sizes, instances },
    pause: ([least, most]: Range) => sleep(least + run.random() * (most - least)),
    note: (text) => notes.push(text),
    fail: (text) => failures.push(text),
  }
  failures.push(...(await disturbAndDrain(scenario, scene, load)))
  const { lost, findings } = await check(parts, load)
  failures.push(...findings)
  const recoverMs = await recovery.slowest()
  failures.push(...describeRecovery(recoverMs, recoverWithinMs))
  if (failures.length > 0) failures.push(...instances.flatMap((instance) => instance.errors()))
  return {
    ...countWork(load, worker, instances),
    ...{ name: scenario.name, perSecond, lost, recoverMs, failures, notes: [...new Set(notes)] },
  }
}

/** Answers what did not come to its end in time. */
async function disturbAndDrain(scenario: Scenario, scene: Scene, load: Load): Promise<string[]> {
  const failures: string[] = []
  await sleep(WARM_UP_MS)
  await scenario.disturb(scene)
  await scene.recovery.firstAcknowledged()
  await sleep(TAIL_MS)
  const { recoverWithinMs } = scene.sizes
  await load.stop(recoverWithinMs)
  const { database } = scene.stage
  const isDrained = async () =>
    (await count(database, countPending, [null])) === 0 &&
    (await count(database, countOutbox, [])) === 0 &&
    (await scene.stage.countMessages()) === 0
  const deadline = performance.now() + recoverWithinMs
  while (!(await isDrained().catch(() => false))) {
    if (performance.now() > deadline) {
      failures.push(`still at work ${recoverWithinMs / 1000} s after the last submission`)
      break
    }
    await sleep(DRAIN_POLL_MS)
  }
  return failures
}

async function check(
  { stage, contest, worker, instances }: Parts,
  load: Load,
): Promise<{ lost: number; findings: string[] }> {
  const [first] = instances
  const someId = load.acknowledged().at(-1)?.id
  const unready = await Promise.all(instances.map(({ url }) => findUnready(url, contest, someId)))
  const standings = await readStandings(first.url, contest)
  // What it had taken and not acknowledged goes back to the queue.
  await worker.stop()
  const left = await stage.countMessages()
  const { submitted } = load
  const { lost, findings } = await checkDatabase(stage.database, { submitted, worker, contest, standings })
  return {
    lost,
    findings: [
      ...unready.flat(),
      ...(left === 0 ? [] : [`${left ?? 'an unknown number of'} messages are left in the queue`]),
      ...describeUnacknowledged(submitted),
      ...describeRefusals(submitted),
      ...findings.map(describeFinding),
    ],
  }
}

async function count(
  db: Queryable,
  counting: typeof countPending,
  values: readonly (readonly string[] | null)[],
): Promise<number> {
  const [row] = await db.query(counting, values)
  if (row === undefined) throw new Error('the database does not count')
  return row.count
}
