import { setTimeout as sleep } from 'node:timers/promises'
import { type Queryable, statement } from '../src/db/database.ts'
import { checkDatabase, type Finding } from './checks.ts'
import { type Contest, makeContest } from './contest.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Load, startLoad } from './load.ts'
import { watchRecovery } from './recovery-watch.ts'
import type { Range, Result, Scenario, ScenarioRun, Scene } from './scenario.ts'
import { openStage, type Stage } from './stage.ts'
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
    const serviceUrls = instances.map(({ url }) => url)
    const contest = await makeContest(first.url, stage.secrets)
    worker = await startWorker({
      kind: scenario.worker,
      amqpUrl: run.servers.rabbitMq.url,
      queue: stage.queue,
      judgePassword: stage.secrets.judgePassword,
      serviceUrls,
    })
    const { perSecond } = scenario
    const load = startLoad({ urls: serviceUrls, contest, perSecond, isJudged: scenario.worker === 'real' })
    const notes: string[] = []
    const recovery = watchRecovery(
      load,
      (ids) => count(stage.database, countPending, [ids]),
      run.sizes.recoverWithinMs,
    )
    const scene: Scene = {
      ...run.servers,
      ...{ stage, worker, recovery, sizes: run.sizes, instances: [first, ...instances.slice(1)] },
      pause: ([least, most]: Range) => sleep(least + run.random() * (most - least)),
      note: (text) => notes.push(text),
    }
    const failures = await disturbAndDrain(scenario, scene, load)
    failures.push(...(await check(stage, contest, load, worker, instances)))
    const recoverMs = await recovery.slowest()
    if (recoverMs === undefined)
      failures.push(`not as before within ${run.sizes.recoverWithinMs / 1000} s of a fault`)
    if (failures.length > 0) failures.push(...instances.flatMap((instance) => instance.errors()))
    return {
      ...summarise(load, worker, instances),
      ...{ name: scenario.name, perSecond, recoverMs, failures, notes: [...new Set(notes)] },
      lost: failures.length === 0 ? 0 : await countLost(stage.database, load),
      seconds: (performance.now() - startedAtMs) / 1000,
    }
  } finally {
    await worker?.stop()
    await Promise.all(instances.map((instance) => instance.stop()))
    await stage.close()
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
  stage: Stage,
  contest: Contest,
  load: Load,
  worker: Worker,
  instances: readonly Instance[],
): Promise<string[]> {
  const [first] = instances
  const someId = load.acknowledged().at(-1)?.id
  const unready = await Promise.all(instances.map(({ url }) => findUnready(url, contest, someId)))
  const standings = await readStandings(first?.url ?? '', contest)
  // What it had taken and not acknowledged goes back to the queue.
  await worker.stop()
  const left = await stage.countMessages()
  const evidence = { submitted: load.submitted, worker, eventId: contest.eventId, standings }
  return [
    ...unready.flat(),
    ...(left === 0 ? [] : [`${left ?? 'an unknown number of'} messages are left in the queue`]),
    ...describeClients(load),
    ...(await checkDatabase(stage.database, evidence)).map(describeFinding),
  ]
}

/** What no client may see, whatever happens behind it. */
export function describeClients(load: Load): string[] {
  const gaveUp = load.submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined)
  const refused = load.submitted.filter(({ refusal }) => refusal !== undefined)
  return [
    ...(gaveUp.length > 0 ? [`${gaveUp.length} clients tried again and again in vain`] : []),
    ...(refused.length > 0
      ? [`${refused.length} right submissions were refused: ${refused[0]?.refusal}`]
      : []),
  ]
}

const IDS_SHOWN = 5

/** A finding in one line, with its first ids. */
export function describeFinding({ what, ids }: Finding): string {
  const more = ids.length > IDS_SHOWN ? `, and ${ids.length - IDS_SHOWN} more` : ''
  return `${ids.length} ${what}: ${ids.slice(0, IDS_SHOWN).join(', ')}${more}`
}

/** The numbers of the table that follow from what was sent and delivered. */
export function summarise(load: Pick<Load, 'submitted'>, worker: Worker, instances: readonly Instance[]) {
  const { submitted } = load
  const total = [...worker.deliveries.values()].reduce((sum, times) => sum + times, 0)
  const ids = new Set([...worker.deliveries.keys()].map((key) => key.split(' ')[0]))
  // The real worker reads each record that it is delivered, once; nobody else reads them.
  const reads = instances.reduce(
    (sum, instance) => sum + instance.countAnswers('GET /v1/submissions/:submission_id'),
    0,
  )
  const isReal = worker.kind === 'real'
  const acknowledged = submitted.filter(({ id }) => id !== undefined).length
  return {
    submissions: submitted.length,
    requests: submitted.reduce((sum, { tries }) => sum + tries, 0),
    acknowledged,
    gaveUp: submitted.filter(({ isRetrying, id }) => isRetrying && id === undefined).length,
    returned: worker.returned(),
    duplicates: isReal ? reads - acknowledged : total - worker.returned() - worker.deliveries.size,
    duplicatesById: isReal ? reads - acknowledged : total - worker.returned() - ids.size,
  }
}

const selectIds = statement<{ id: string }>(
  'faults_select_ids',
  'select submissions.id::text from submissions',
)

/** How many that a client saw a 201 for are not there. */
export async function countLost(db: Queryable, { submitted }: Pick<Load, 'submitted'>): Promise<number> {
  const stored = new Set((await db.query(selectIds)).map(({ id }) => id))
  return submitted.filter(({ id }) => id !== undefined && !stored.has(id)).length
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
