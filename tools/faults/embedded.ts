import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, statement } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { makeServerFolder } from '../local-servers/server-folder.ts'
import { checkDatabase, findLost } from './checks.ts'
import { type Contest, makeContest } from './contest.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Submitted, startLoad } from './load.ts'
import { watchRecovery } from './recovery-watch.ts'
import { countWork, describeFinding, describeRecovery, describeRefusals } from './result.ts'
import type { Result, ScenarioRun } from './scenario.ts'
import { openStage, type Stage } from './stage.ts'
import { findUnready, readStandings } from './standings.ts'
import { startWorker, type Worker } from './worker.ts'

/** The name of the scenario. */
export const EMBEDDED = 'embedded database, service killed among writes'

const PER_SECOND = 50
const POLL_MS = 100

type Waiting = { id: string; waits: boolean }

const readWaiting = statement<Waiting>(
  'faults_read_waiting',
  `select submissions.id::text,
          exists (select from outbox where outbox.subject_id = submissions.id) as waits
   from submissions`,
)

/** Kills the service on the embedded database among writes, again and again on the same data; then has all of it judged. */
export async function runEmbedded(run: ScenarioRun): Promise<Result> {
  const startedAtMs = performance.now()
  const folder = await makeServerFolder('faults')
  const stage = await openStage(run.servers, 300)
  try {
    const result = await runOn(run, stage, folder.path)
    return { ...result, seconds: (performance.now() - startedAtMs) / 1000 }
  } finally {
    await stage.close()
    await folder.remove()
  }
}

async function runOn(run: ScenarioRun, stage: Stage, dataDir: string): Promise<Omit<Result, 'seconds'>> {
  const { contest, submitted, recoverMs } = await killAgainAndAgain(run, stage, dataDir)
  const stored = await withDatabase(dataDir, (database) => database.query(readWaiting))
  const unqueued = stored.filter(({ waits }) => !waits).map(({ id }) => id)
  const lostAtOnce = findLost(stored, submitted)
  const ids = stored.map(({ id }) => id)
  const judged = await judgeAll(run, stage, dataDir, contest, ids)
  const { lost, findings } = await withDatabase(dataDir, (database) =>
    checkDatabase(database, { submitted, contest, ...judged }),
  )
  // Whoever tries again is cut off when the service dies and is left without an answer: nobody can ask for one here.
  const failures = [
    ...describeRecovery(recoverMs, run.sizes.recoverWithinMs),
    ...describeRefusals(submitted),
    ...[lostAtOnce, { what: 'stored without a message', ids: unqueued }]
      .filter(({ ids }) => ids.length > 0)
      .map(describeFinding),
    ...judged.failures,
    ...findings.map(describeFinding),
  ]
  return {
    ...countWork({ submitted }, judged.worker, []),
    ...{ name: EMBEDDED, perSecond: PER_SECOND, recoverMs, failures },
    lost: Math.max(lost, lostAtOnce.ids.length),
    notes: [`${run.sizes.embeddedRounds} times on the same data`],
  }
}

/** `recoverMs` is undefined where the service took nothing again in time; that round is the last. */
async function killAgainAndAgain(
  { sizes, random }: ScenarioRun,
  { variables, secrets }: Stage,
  dataDir: string,
) {
  const { AMQP_URL: _, ...withoutQueue } = variables
  const service = await startInstance({ ...withoutQueue, DATA_DIR: dataDir })
  const submitted: Submitted[] = []
  let recoverMs: number | undefined = 0
  const contest = await makeContest(service.url, secrets)
  for (let round = 1; round <= sizes.embeddedRounds && recoverMs !== undefined; round += 1) {
    const load = startLoad({ urls: [service.url], contest, perSecond: PER_SECOND, isJudged: false })
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
  }
  return { contest, submitted, recoverMs }
}

/** The same data, now with RabbitMQ and a worker. */
async function judgeAll(
  { servers, sizes }: ScenarioRun,
  { variables, queue, secrets, countMessages }: Stage,
  dataDir: string,
  contest: Contest,
  ids: readonly string[],
) {
  const failures: string[] = []
  const service: Instance = await startInstance({ ...variables, DATA_DIR: dataDir })
  let worker: Worker | undefined
  try {
    worker = await startWorker({
      kind: 'instant',
      amqpUrl: servers.rabbitMq.url,
      queue,
      judgePassword: secrets.judgePassword,
      serviceUrls: [service.url],
    })
    const { stored } = worker
    const deadline = performance.now() + sizes.recoverWithinMs
    while (!ids.every((id) => stored.has(id)) && performance.now() < deadline) await sleep(POLL_MS)
    failures.push(...(await findUnready(service.url, contest, ids[0])))
    const standings = await readStandings(service.url, contest)
    await worker.stop()
    const left = await countMessages()
    if (left !== 0) failures.push(`${left ?? 'an unknown number of'} messages are left in the queue`)
    return { worker, standings, failures }
  } finally {
    await worker?.stop()
    await service.stop()
  }
}

async function withDatabase<T>(dataDir: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPglite({ dataDir })
  return work(database).finally(() => database.close())
}
