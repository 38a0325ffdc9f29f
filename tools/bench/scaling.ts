import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { startJudging } from './contest.ts'
import { type LoadedServer, loadServers, storeRequests } from './load.ts'
import { difference, round } from './measure.ts'
import { countJudged } from './pgbench.ts'
import type { HotRoute } from './route.ts'
import { hotRoutes } from './routes.ts'
import type { Stage } from './stage.ts'
import { deleteMessages, waitForEmptyOutbox } from './targets.ts'

/** What one request, or one submission from the request to its verdict, costs. */
export interface Cost {
  /** CPU time in microseconds; undefined if unknown. */
  readonly serviceUs: number
  readonly postgresUs: number | undefined
  readonly queueUs: number | undefined
  readonly workersUs?: number
  /** Bytes that PostgreSQL wrote to its log. */
  readonly walBytes: number
  readonly perSecond: number
}

/** A route with some instances of the service. */
export interface InstancesResult extends Cost {
  readonly route: string
  readonly instances: number
  readonly responseBytes: number
}

/** Submissions that some workers judge. */
export interface WorkersResult extends Cost {
  readonly workers: number
  readonly submissions: number
}

export interface ScalingResult {
  readonly instances: readonly InstancesResult[]
  readonly workers: readonly WorkersResult[]
}

const INSTANCES = [1, 2, 3]
const WORKERS = [1, 2, 4]
const ROUTES = [
  ...['status poll', 'submission', 'own event submissions', 'attempts'],
  ...['submit in a contest', 'verdict of 20 results'],
]
/** Divisible by every number of instances. */
const CONNECTIONS = 30
const SUBMITTING_CONNECTIONS = 8
const WARM_UP_SECONDS = 1
const JUDGED_WITHIN_MS = 120_000

/** Measures the cost of requests with one to three instances, and of submissions with workers. */
export async function runScaling(
  stage: Stage,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<ScalingResult> {
  const services: Awaited<ReturnType<Stage['startInstance']>>[] = [stage.service]
  const instances: InstancesResult[] = []
  try {
    while (services.length < Math.max(...INSTANCES)) services.push(await stage.startInstance())
    for (const route of hotRoutes.filter(({ name }) => ROUTES.includes(name)))
      instances.push(...(await measureRoute(stage, route, services, { seconds, rounds })))
  } finally {
    for (const service of services.filter((one) => one !== stage.service)) await service.stop()
  }
  const workers: WorkersResult[] = []
  for (const count of WORKERS) workers.push(await measureWorkers(stage, count, seconds * rounds))
  return { instances, workers }
}

/** Measures the numbers of instances in turn. */
async function measureRoute(
  stage: Stage,
  route: HotRoute,
  services: readonly LoadedServer[],
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<InstancesResult[]> {
  await stage.generator.call({ kind: 'clear' })
  await storeRequests(stage, route.name, await route.exchanges(stage.world))
  const judged = countJudged(stage)
  const run = async (instances: number, duration: number) => {
    const first = route.writes === 'verdicts' ? await judged.next() : 0
    const aim = { servers: services.slice(0, instances), requests: route.name, statuses: route.statuses }
    const before = await readMeters(stage, services)
    const slice = await loadServers(stage, aim, CONNECTIONS, duration, first)
    judged.note(slice.requests + slice.refused)
    if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
    const after = await readMeters(stage, services)
    if (route.writes) await deleteMessages(stage)
    return { slice, used: subtract(after, before) }
  }
  await run(Math.max(...INSTANCES), WARM_UP_SECONDS)
  const runs = new Map(INSTANCES.map((instances) => [instances, [] as Awaited<ReturnType<typeof run>>[]]))
  for (let n = 0; n < rounds; n += 1)
    for (const [instances, list] of runs) list.push(await run(instances, seconds))
  return [...runs].map(([instances, list]) => {
    const total = (read: (one: (typeof list)[number]) => number) =>
      list.reduce((sum, one) => sum + read(one), 0)
    const requests = total(({ slice }) => slice.requests)
    const result = {
      ...{ route: route.name, instances },
      ...costOf(
        list.map(({ used }) => used),
        requests,
      ),
      perSecond: requests / total(({ slice }) => slice.seconds),
      responseBytes: total(({ slice }) => slice.bytes) / requests,
    }
    console.log(`${route.name}, ${instances} instances: ${describeCost(result)}`)
    return result
  })
}

/** Submits for some seconds, and waits until the workers have stored all verdicts. */
async function measureWorkers(stage: Stage, count: number, seconds: number): Promise<WorkersResult> {
  const route = hotRoutes.find(({ name }) => name === 'submit in a contest')
  if (route === undefined) throw new Error('no route submits in a contest')
  await storeRequests(stage, route.name, await route.exchanges(stage.world))
  const started = await Promise.all(Array.from({ length: count }, () => startJudging(stage)))
  const readWorkers = () => started.reduce((sum, { worker }) => sum + readTreeCpuMs(worker.pid), 0)
  const countVerdicts = async () => {
    const counts = await Promise.all(started.map(({ worker, judging }) => worker.call(judging)))
    return counts.reduce((sum, one) => sum + one, 0)
  }
  try {
    await countVerdicts()
    const before = await readMeters(stage, [stage.service])
    const workersBefore = readWorkers()
    const startedMs = performance.now()
    const aim = { servers: [stage.service], requests: route.name, statuses: route.statuses }
    const { requests } = await loadServers(stage, aim, SUBMITTING_CONNECTIONS, seconds)
    for (let verdicts = 0; verdicts < requests; verdicts += await countVerdicts()) {
      if (performance.now() - startedMs > JUDGED_WITHIN_MS)
        throw new Error(`${verdicts} of ${requests} submissions were judged in time`)
      await sleep(100)
    }
    const elapsedMs = performance.now() - startedMs
    const result = {
      ...{ workers: count, submissions: requests },
      ...costOf([subtract(await readMeters(stage, [stage.service]), before)], requests),
      workersUs: ((readWorkers() - workersBefore) * 1000) / requests,
      perSecond: requests / (elapsedMs / 1000),
    }
    console.log(`${count} workers: ${describeCost(result)}`)
    return result
  } finally {
    for (const { worker } of started) await worker.end()
  }
}

type Meters = Awaited<ReturnType<typeof readMeters>>

/** What the services, PostgreSQL and RabbitMQ have used so far. */
async function readMeters({ database, postgres, queue }: Stage, services: readonly LoadedServer[]) {
  const sql = `select (pg_current_wal_insert_lsn() - '0/0')::text as wal`
  const [row] = await ask<{ wal: string }>(database, sql)
  if (row === undefined) throw new Error('PostgreSQL returned no figures')
  return {
    servicesMs: services.reduce((sum, { pid }) => sum + readTreeCpuMs(pid), 0),
    postgresMs: postgres.readCpuMs(),
    queueMs: queue.readCpuMs(),
    walBytes: Number(row.wal),
  }
}

const subtract = (after: Meters, before: Meters): Meters => ({
  servicesMs: after.servicesMs - before.servicesMs,
  postgresMs: difference(after.postgresMs, before.postgresMs),
  queueMs: difference(after.queueMs, before.queueMs),
  walBytes: after.walBytes - before.walBytes,
})

function costOf(used: readonly Meters[], requests: number) {
  const per = (read: (meters: Meters) => number | undefined, factor: number) => {
    const total = used.reduce((sum, one) => sum + (read(one) ?? Number.NaN), 0)
    return Number.isNaN(total) ? undefined : (total * factor) / requests
  }
  return {
    serviceUs: per(({ servicesMs }) => servicesMs, 1000) ?? Number.NaN,
    postgresUs: per(({ postgresMs }) => postgresMs, 1000),
    queueUs: per(({ queueMs }) => queueMs, 1000),
    walBytes: per(({ walBytes }) => walBytes, 1) ?? Number.NaN,
  }
}

const describeCost = ({ serviceUs, postgresUs, queueUs, workersUs, walBytes, perSecond }: Cost) =>
  [
    `service ${round(serviceUs)} µs`,
    `PostgreSQL ${round(postgresUs)} µs`,
    `RabbitMQ ${round(queueUs)} µs`,
    ...(workersUs === undefined ? [] : [`workers ${round(workersUs)} µs`]),
    `${round(walBytes)} bytes of WAL, ${round(perSecond)}/s`,
  ].join(', ')
