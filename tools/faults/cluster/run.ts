import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connectionOptions } from '@judge-data-layer/process/rabbitmq-hosts'
import { Connection } from 'rabbitmq-client'
import { type Cluster, createCluster, type Secrets, waitFor } from '../../cluster/cluster.ts'
import { readPlaces } from '../../cluster/layout.ts'
import { findPrimary } from '../../cluster/operations.ts'
import { programs } from '../../cluster/roles.ts'
import { openDatabase } from '../../local-servers/database.ts'
import { checkDatabase } from '../checks.ts'
import { countPending, isDrained } from '../drained.ts'
import { startLoad } from '../load.ts'
import { pollUntil, watchRecovery } from '../recovery-watch.ts'
import * as report from '../report.ts'
import type { Range } from '../scenario.ts'
import { createReports, parseEvent, type WorkerEvent } from '../worker.ts'
import { ADMIN_EMAIL, createWorld, findUnready, readStandings } from '../world.ts'
import type { ClusterScenario, ClusterSizes } from './scene.ts'
import { watchSeen } from './seen.ts'

/** The figures and the failures of a scenario on a cluster. */
export interface ClusterResult {
  readonly submissions: number
  readonly requests: number
  readonly acknowledged: number
  readonly lost: number
  readonly returned: number
  readonly duplicates: number
  /** The longest time without an acknowledged submission. */
  readonly longestMs: number
  /** The longest time without a stored verdict. */
  readonly longestUnjudgedMs: number
  readonly notes: readonly string[]
  /** Empty if every check passed. */
  readonly failures: readonly string[]
}

/** A running cluster with workers that invent verdicts. */
export interface FaultCluster {
  readonly cluster: Cluster
  /** Receives what the workers report. */
  listen(onEvent: (event: WorkerEvent) => void): void
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const QUEUE = 'submission_queue'
const PER_SECOND = 50
const WATCHED_PEOPLE = 4
const WARM_UP_MS = 2000
const TAIL_MS = 2000
const START_WITHIN_MS = 60_000

const addressesOf = (role: string, port: number) =>
  readPlaces()
    .filter((place) => place.role === role)
    .map(({ address }) => `${address}:${port}`)

const [proxyAddress = ''] = addressesOf('proxy', 80)
const proxyUrl = `http://${proxyAddress}`
const serviceUrls = addressesOf('service', 5000).map((address) => `http://${address}`)

const queueUrl = ({ RABBITMQ_PASSWORD: password }: Secrets) =>
  `amqp://judge:${password}@${addressesOf('queue', 5672).join(',')}`

/** Starts the machines. Only in namespaces of its own. */
export async function startFaultCluster(
  folder: string,
  onStep: (text: string) => void,
): Promise<FaultCluster> {
  let listener: (event: WorkerEvent) => void = () => {}
  const onLine = (line: string) => {
    const event = parseEvent(line)
    if (event !== undefined) listener(event)
  }
  const cluster = await createCluster({
    ...{ folder, onStep },
    programs: (secrets) => ({
      service: {
        ...programs.service,
        variables: {
          ADMIN_EMAILS: ADMIN_EMAIL,
          RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
          RATE_LIMIT_WRITES: '1000000/1000000',
        },
      },
      worker: {
        name: 'worker',
        command: [
          process.execPath,
          '--import',
          'tsx',
          '--conditions=source',
          `${root}tools/faults/instant-worker.ts`,
        ],
        variables: {
          JUDGE_PASSWORD: secrets.JUDGE_PASSWORD ?? '',
          JUDGE_API_URLS: proxyUrl,
          ...{ AMQP_URL: queueUrl(secrets), AMQP_QUEUE: QUEUE },
        },
        onLine,
      },
    }),
  })
  await cluster.startAll()
  return {
    cluster,
    listen: (onEvent) => {
      listener = onEvent
    },
  }
}

/** Runs one scenario on a new database: load, faults, recovery, checks. */
export async function runOnCluster(
  { cluster, listen }: FaultCluster,
  scenario: ClusterScenario,
  sizes: ClusterSizes,
  random: () => number,
): Promise<ClusterResult> {
  await renewDatabase(cluster)
  const { secrets } = cluster
  const stores = openStores(secrets)
  const { reports, note: noteEvent } = createReports('instant')
  const verdictTimes: number[] = []
  listen((event) => {
    noteEvent(event)
    if (event.event === 'stored') verdictTimes.push(performance.now())
  })
  const world = await createWorld(proxyUrl, {
    JWT_SIGNING_SECRET: '',
    JUDGE_PASSWORD: secrets.JUDGE_PASSWORD ?? '',
    WEB_BRIDGE_SECRET: secrets.WEB_BRIDGE_SECRET ?? '',
  })
  const load = startLoad({ urls: [proxyUrl], world, perSecond: PER_SECOND, isJudged: false })
  const seen = watchSeen(proxyUrl, world, load, WATCHED_PEOPLE)
  const { recoverWithinMs } = sizes
  const recovery = watchRecovery(load, (ids) => countPending(stores.database, ids), recoverWithinMs)
  const notes: string[] = []
  const failures: string[] = []
  await sleep(WARM_UP_MS)
  await scenario.disturb({
    ...{ cluster, load, recovery, sizes, random, note: (text) => notes.push(text) },
    pause: ([least, most]: Range) => sleep(least + random() * (most - least)),
  })
  await recovery.firstAcknowledged()
  await sleep(TAIL_MS)
  await load.stop(recoverWithinMs)
  const { found, responses } = await seen.stop()
  notes.push(`${responses} lists compared`)
  const acknowledgedTimes = load.submitted.flatMap(({ acknowledgedAtMs }) => acknowledgedAtMs ?? [])
  const drain = () => pollUntil(() => isDrained(stores), recoverWithinMs)
  const wasDrained = await drain()
  const someId = load.acknowledged().at(-1)?.id
  const unready = await Promise.all(serviceUrls.map((url) => findUnready(url, world, someId)))
  // The requests of clients that gave up could still be stored between two checks.
  await stopServices(cluster)
  await startServices(cluster)
  if (!wasDrained || !(await drain())) failures.push(`work remains after ${recoverWithinMs / 1000} s`)
  const recoverMs = await recovery.slowest()
  await Promise.all(cluster.ofRole('worker').map((machine) => machine.stopPrograms()))
  const left = await stores.countMessages()
  const standings = await readStandings(proxyUrl, world)
  const { submitted, shadows } = load
  const { lost, findings } = await checkDatabase(stores.database, {
    submitted,
    shadows,
    worker: reports,
    world,
    standings,
  })
  await stores.close()
  await Promise.all(cluster.ofRole('worker').map((machine) => cluster.start(machine)))
  const longestMs = longestGap(acknowledgedTimes)
  failures.push(
    ...unready.flat(),
    ...report.describeLeft(left),
    ...report.describeUnacknowledged(submitted),
    ...report.describeRefusals([...submitted, ...shadows]),
    ...findings.flatMap(report.describeFinding),
    ...report.describeRecovery(recoverMs, recoverWithinMs),
    ...found.slice(0, 5),
    ...describeGap(longestMs, scenario.withinMs),
  )
  const figures = report.countWork(load, reports, [])
  return { ...figures, lost, longestMs, longestUnjudgedMs: longestGap(verdictTimes), notes, failures }
}

function describeGap(longestMs: number, withinMs: number): string[] {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  return longestMs > withinMs
    ? [`no submission was acknowledged for ${seconds(longestMs)} s; the target is ${seconds(withinMs)} s`]
    : []
}

/** The longest time between two of these times. */
export function longestGap(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other)
  return Math.max(0, ...sorted.slice(1).map((time, n) => time - (sorted[n] ?? time)))
}

/** Each scenario has a database of its own. */
async function renewDatabase(cluster: Cluster): Promise<void> {
  await stopServices(cluster)
  const primary = await findPrimary(cluster)
  for (const sql of ['drop database judge with (force)', 'create database judge owner judge'])
    await primary.run(
      ...['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'],
      ...['psql', '--no-psqlrc', '--set=ON_ERROR_STOP=1', '--command', sql],
    )
  await startServices(cluster)
}

const stopServices = (cluster: Cluster) =>
  Promise.all(cluster.ofRole('service').map((machine) => machine.stopPrograms()))

async function startServices(cluster: Cluster): Promise<void> {
  const services = cluster.ofRole('service')
  await Promise.all(services.map((machine) => cluster.start(machine)))
  await waitFor([...services, ...cluster.ofRole('proxy')], START_WITHIN_MS)
}

/** Connections of the run itself. */
function openStores(secrets: Secrets) {
  const hosts = addressesOf('database', 5432).join(',')
  const database = openDatabase(`postgres://judge:${secrets.DATABASE_PASSWORD}@${hosts}/judge`, 30_000)
  const connection = new Connection({
    ...connectionOptions(queueUrl(secrets)),
    retryLow: 200,
    retryHigh: 1000,
  })
  connection.on('error', () => {})
  return {
    database,
    countMessages: async () =>
      (await connection.queueDeclare({ queue: QUEUE, passive: true }).catch(() => undefined))?.messageCount,
    close: async () => {
      connection.unsafeDestroy()
      await database.close()
    },
  }
}
