import { setTimeout as sleep } from 'node:timers/promises'
import { connectionOptions } from '@judge-data-layer/runtime/rabbitmq-hosts'
import { startLoad } from '../../faults/load.ts'
import { checkEnd, countPending, watchRecovery } from '../../faults/recovery.ts'
import * as report from '../../faults/report.ts'
import type { Range, Result } from '../../faults/scenario.ts'
import { watchQueue } from '../../faults/stage.ts'
import { createReports, instantWorker, parseEvent, type WorkerEvent } from '../../faults/worker.ts'
import { createWorld, LOAD_VARIABLES, type World } from '../../faults/world.ts'
import { openDatabase } from '../../local-servers/database.ts'
import { type Cluster, createCluster, type Secrets, waitUntilReady } from '../cluster.ts'
import { findPrimary, QUEUE, runSql } from '../operations.ts'
import { readPlaces } from '../places.ts'
import { programs } from '../roles.ts'
import type { ClusterScenario, ClusterSizes } from './scenarios.ts'
import { longestGap, longestOutage, watchSeen } from './seen.ts'

/** The longest times without service, in milliseconds. */
interface Outages {
  /** For clients that submit. */
  readonly longestMs: number
  /** Between two responses to the same client that reads. */
  readonly longestUnreadMs: number
  /** Between two stored verdicts. */
  readonly longestUnjudgedMs: number
}

/** The figures and the failures of a scenario on a cluster. */
export type ClusterResult = Outages & Omit<Result, 'name' | 'perSecond' | 'recoverMs'>

/** A running cluster with workers that invent verdicts. */
export type FaultCluster = Awaited<ReturnType<typeof startFaultCluster>>

const PER_SECOND = 50
const WATCHED_PEOPLE = 4
const WARM_UP_MS = 2000
const TAIL_MS = 2000
const START_WITHIN_MS = 60_000
/** RabbitMQ hands out the messages of a lost worker after at most 10 s. */
const REDELIVERY_MS = 10_000

const addressesOf = (role: string, port: number) =>
  readPlaces()
    .filter((place) => place.role === role)
    .map(({ address }) => `${address}:${port}`)

const [proxyAddress = ''] = addressesOf('proxy', 80)
const proxyUrl = `http://${proxyAddress}`
const serviceUrls = addressesOf('service', 5000).map((address) => `http://${address}`)

const queueUrl = ({ RABBITMQ_PASSWORD: password }: Secrets) =>
  `amqp://judge:${password}@${addressesOf('queue', 5672).join(',')}`

interface StartOptions {
  readonly folder: string
  /** The services reach the primary through HAProxy, the other way that the docs describe. */
  readonly isThroughProxy: boolean
  onStep(text: string): void
}

/** Starts the machines. Only in namespaces of its own. */
export async function startFaultCluster({ folder, isThroughProxy, onStep }: StartOptions) {
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
        ...(isThroughProxy && { command: throughProxy(programs.service.command, secrets) }),
        variables: LOAD_VARIABLES,
      },
      worker: {
        name: 'worker',
        command: [process.execPath, ...instantWorker],
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
    listen: (onEvent: (event: WorkerEvent) => void) => {
      listener = onEvent
    },
  }
}

/** Replaces the database's URL that the service gets. */
function throughProxy(command: readonly string[], { DATABASE_PASSWORD: password }: Secrets): string[] {
  const url = `postgres://judge:${password}@proxy:5432/judge`
  const script = 'printf %s "$1" >/etc/judge-data-layer/secrets/database-url; shift; exec "$@"'
  return ['sh', '-c', script, 'sh', url, ...command]
}

/** Runs one scenario on a new database: load, faults, recovery, checks. Always ends the load. */
export async function runOnCluster(
  faultCluster: FaultCluster,
  scenario: ClusterScenario,
  sizes: ClusterSizes,
  random: () => number,
): Promise<ClusterResult> {
  const { cluster } = faultCluster
  await renewDatabase(cluster)
  const world = await createWorld(proxyUrl, {
    JUDGE_PASSWORD: cluster.secrets.JUDGE_PASSWORD ?? '',
    WEB_BRIDGE_SECRET: cluster.secrets.WEB_BRIDGE_SECRET ?? '',
  })
  const stores = openStores(cluster.secrets)
  const work = startWork(faultCluster, world)
  try {
    const count = (ids: readonly string[]) => countPending(stores.database, ids)
    const recovery = watchRecovery(work.load, count, sizes.recoverWithinMs)
    const notes: string[] = []
    const wrong: string[] = []
    await sleep(WARM_UP_MS)
    await scenario.disturb({
      ...{ cluster, load: work.load, recovery, sizes, random },
      note: (text) => notes.push(text),
      fail: (text) => wrong.push(text),
      pause: ([least, most]: Range) => sleep(least + random() * (most - least)),
    })
    await recovery.firstAcknowledged()
    await sleep(TAIL_MS)
    const { outages, found, lists } = await work.end(sizes.recoverWithinMs)
    notes.push(`${lists} lists compared`)
    const workers = cluster.ofRole('worker')
    const { lost, failures } = await checkEnd({
      ...{ load: work.load, world, worker: work.reports, recovery, stores, serviceUrls },
      recoverWithinMs: sizes.recoverWithinMs,
      url: () => proxyUrl,
      restartServices: () => stopServices(cluster).then(() => startServices(cluster)),
      stopWorkers: () => Promise.all(workers.map((machine) => machine.stopPrograms())),
    })
    await Promise.all(workers.map((machine) => cluster.start(machine)))
    failures.push(...wrong, ...found.slice(0, 5), ...describeOutages(outages, scenario.withinMs))
    return { ...report.countWork(work.load, work.reports, []), ...outages, lost, notes, failures }
  } finally {
    await work.end(0)
    await stores.close()
  }
}

/** Starts clients that submit and read, and notes what the workers store. */
function startWork({ listen }: FaultCluster, world: World) {
  const { reports, note } = createReports('instant')
  const verdictTimes: number[] = []
  listen((event) => {
    note(event)
    if (event.event === 'stored') verdictTimes.push(performance.now())
  })
  const fromMs = performance.now()
  const options = { perSecond: PER_SECOND, isJudged: false, waitsAsAsked: true }
  const load = startLoad({ urls: [proxyUrl], world, ...options })
  const seen = watchSeen(proxyUrl, world, load, WATCHED_PEOPLE)
  return {
    load,
    reports,
    /** Ends the clients. Those that repeat a request have this time. */
    end: async (withinMs: number) => {
      const toMs = performance.now()
      const [{ found, respondedAtMs }] = await Promise.all([seen.stop(), load.stop(withinMs)])
      const unread = respondedAtMs.map((times) => longestGap(times, { fromMs, toMs }))
      const outages = {
        longestMs: longestOutage(load.submitted),
        longestUnreadMs: Math.max(...unread),
        longestUnjudgedMs: longestGap(verdictTimes, { fromMs, toMs }),
      }
      return { outages, found, lists: respondedAtMs.flat().length }
    },
  }
}

/** The limits of a scenario: for clients that submit, for those that read, and for verdicts. */
function describeOutages({ longestMs, longestUnreadMs, longestUnjudgedMs }: Outages, withinMs: number) {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  const describe = (what: string, ms: number, limitMs: number) =>
    ms > limitMs ? [`${what} for ${seconds(ms)} s; the target is ${seconds(limitMs)} s`] : []
  return [
    ...describe('submitting was out of service', longestMs, withinMs),
    ...describe('no list was served', longestUnreadMs, withinMs),
    ...describe('no verdict was stored', longestUnjudgedMs, withinMs + REDELIVERY_MS),
  ]
}

async function renewDatabase(cluster: Cluster): Promise<void> {
  await stopServices(cluster)
  const primary = await findPrimary(cluster)
  await runSql(primary, 'drop database if exists judge with (force)')
  await runSql(primary, 'create database judge owner judge')
  await startServices(cluster)
}

const stopServices = (cluster: Cluster) =>
  Promise.all(cluster.ofRole('service').map((machine) => machine.stopPrograms()))

async function startServices(cluster: Cluster): Promise<void> {
  const services = cluster.ofRole('service')
  await Promise.all(services.map((machine) => cluster.start(machine)))
  await waitUntilReady([...services, ...cluster.ofRole('proxy')], START_WITHIN_MS)
}

/** Connections of the run itself. */
function openStores(secrets: Secrets) {
  const hosts = addressesOf('database', 5432).join(',')
  const database = openDatabase(`postgres://judge:${secrets.DATABASE_PASSWORD}@${hosts}/judge`, 30_000)
  const { connection, countMessages } = watchQueue(connectionOptions(queueUrl(secrets)), QUEUE)
  return {
    ...{ database, countMessages },
    close: async () => {
      connection.unsafeDestroy()
      await database.close()
    },
  }
}
