import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { bind } from '../../src/db/statement.ts'
import { ask } from '../local-servers/database.ts'
import { readResidentMebibytes, readTreeCpuMs } from '../local-servers/process-tree.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { ConstantResponse } from './ceilings/constant.ts'
import type { LeanStatement } from './ceilings/lean.ts'
import type { StatementService } from './ceilings/statement.ts'
import { startChild } from './child.ts'
import { difference, type Slice, type Target, type TargetName } from './measure.ts'
import { countJudged, openPgbench } from './pgbench.ts'
import { type Exchange, type HotRoute, writeRequest } from './route.ts'
import { POOL_SIZE } from './sizes.ts'
import type { Stage } from './stage.ts'

/** The number of responses that are compared before a route is measured. */
const COMPARED = 5
const OVERLOADED = 503

/** Opens the service and the ceilings of a route. Throws if their responses differ. */
export async function openTargets(route: HotRoute, stage: Stage): Promise<Target[]> {
  const { world, generator, service } = stage
  const exchanges = await route.exchanges(world)
  await generator.call({ kind: 'clear' })
  await storeRequests(stage, 'service', exchanges)
  const judged = countJudged(stage)
  const sample: string[] = []
  for (const exchange of exchanges.slice(0, COMPARED)) {
    sample.push(await send(service.port, exchange, route.statuses))
  }
  const parts = { route, exchanges, sample, stage }
  const targets = [serviceTarget(route, stage, 'service', judged)]
  try {
    if (!route.isMix) targets.push(await openConstant(parts))
    if (route.statement) targets.push(await openStatement(route.statement, parts))
    if (route.lean) targets.push(await openLean(route.lean, parts))
    if (route.isComparedWithBytes) targets.push(await openSameBytes(parts))
    if (route.pgbench) targets.push(...openPgbench(route.pgbench(world), route, stage, judged))
  } catch (err) {
    for (const target of targets) await target.end()
    throw err
  }
  return targets
}

interface Parts {
  readonly route: HotRoute
  readonly exchanges: readonly Exchange[]
  /** The first responses of the service. */
  readonly sample: readonly string[]
  readonly stage: Stage
}

/** Gives requests to the generator under a name. */
export const storeRequests = ({ generator }: Stage, name: string, exchanges: readonly Exchange[]) =>
  generator.call({ kind: 'requests', name, requests: exchanges.map(writeRequest) })

/** Opens the service alone, with the stored requests of this name. */
export function serviceTarget(
  route: HotRoute,
  stage: Stage,
  requests: string,
  judged = countJudged(stage),
): Target {
  return {
    name: 'service',
    async run(connections, seconds) {
      const first = route.writes === 'verdicts' ? await judged.next() : 0
      const { pid, port } = stage.service
      const aim = { pid, port, requests, statuses: route.statuses }
      const slice = await loadServer(stage, aim, connections, seconds, first)
      judged.note(slice.requests + slice.refused)
      if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
      if (route.cleanUp) await ask(stage.database, route.cleanUp)
      if (route.writes && stage.queue.url !== undefined) await purgeQueue(stage.queue.url, stage.queue.name)
      return slice
    },
    end: async () => {},
  }
}

/** Waits until the relay has sent all messages. */
async function waitForEmptyOutbox({ database }: Stage): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(20)) {
    if ((await ask(database, 'select from outbox limit 1')).length === 0) return
  }
  throw new Error('the outbox is not empty after a minute')
}

const openConstant = ({ route, stage, sample: [body = ''] }: Parts): Promise<Target> =>
  openCeiling<ConstantResponse>('bare Fastify', './ceilings/constant.ts', stage, {
    request: { status: route.statuses[0], body },
    ...{ requests: 'service', statuses: route.statuses },
  })

const openStatement = (statement: NonNullable<HotRoute['statement']>, parts: Parts): Promise<Target> =>
  openStatementServer('one statement', parts, {
    ...{ name: statement.name, text: statement.text, password: parts.route.password },
    values: parts.exchanges.map(({ values }) => bind(statement, values)),
  })

const openLean = (statement: LeanStatement, parts: Parts): Promise<Target> =>
  openStatementServer('lean', parts, {
    ...statement,
    values: parts.exchanges.map(({ values }) => bind(statement, values)),
  })

/** Sends the same text from a table, stored uncompressed. */
async function openSameBytes(parts: Parts): Promise<Target> {
  const [text = ''] = parts.sample
  const sql = `
    drop table if exists same_bytes;
    create table same_bytes (body text);
    alter table same_bytes alter column body set storage external;
    insert into same_bytes (body) values ('${text.replaceAll("'", "''")}')`
  await parts.stage.database.transaction((tx) => tx.execute(sql))
  const statement = { name: 'read_same_bytes', text: 'select same_bytes.body from same_bytes' }
  const values = parts.exchanges.map(() => [])
  return openStatementServer('same bytes', { ...parts, sample: [text] }, { ...statement, values })
}

async function openStatementServer(
  name: 'one statement' | 'lean' | 'same bytes',
  { route, exchanges, sample, stage }: Parts,
  service: Omit<StatementService, 'databaseUrl' | 'poolSize'>,
): Promise<Target> {
  // With the token, so that both servers read equally long requests.
  const requests = exchanges.map(
    ({ token }, n): Exchange => ({ method: 'GET', path: `/${n}`, ...(token && { token }) }),
  )
  await storeRequests(stage, name, requests)
  const server = await openCeiling<StatementService>(name, './ceilings/statement.ts', stage, {
    request: { ...service, databaseUrl: stage.databaseUrl, poolSize: POOL_SIZE },
    ...{ requests: name, statuses: [200] },
  })
  for (const [n, expected] of sample.entries()) {
    const text = await send(server.port, requests[n] ?? { method: 'GET', path: '/' }, [200])
    // The response of a login has a token, which no statement makes.
    if (route.password === undefined && !isSameBody(name, text, expected)) {
      await server.end()
      throw new Error(`${route.name}: the responses differ.\n${name}: ${text}\nservice: ${expected}`)
    }
  }
  return server
}

/** PostgreSQL and Node write the same JSON with other spaces. */
const isSameBody = (name: TargetName, text: string, expected: string) =>
  name === 'lean' ? isDeepStrictEqual(JSON.parse(text), JSON.parse(expected)) : text === expected

/** Starts the server of a ceiling, which gets `request`. */
async function openCeiling<Request extends object>(
  name: TargetName,
  module: string,
  stage: Stage,
  { request, ...aim }: Omit<Aim, 'pid' | 'port'> & { readonly request: Request },
): Promise<Target & { readonly port: number }> {
  const server = startChild<Request, number>(import.meta.resolve(module), productionNodeOptions())
  const { pid } = server
  const port = await server.call(request)
  return {
    ...{ name, port },
    run: (connections, seconds) => loadServer(stage, { ...aim, pid, port }, connections, seconds),
    end: () => server.end(),
  }
}

async function send(
  port: number,
  { method, path, token, body }: Exchange,
  statuses: readonly number[],
): Promise<string> {
  const headers = {
    ...(token !== undefined && { authorization: token }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!statuses.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

/** A server to load, the name of the requests in the generator, and the successful statuses. */
interface Aim {
  readonly pid: number
  readonly port: number
  readonly requests: string
  readonly statuses: readonly number[]
}

/**
 * Loads a server for some seconds, from the request with the number `first`. Throws after an
 * unexpected status, and without any success.
 */
export async function loadServer(
  { postgres, generator }: Pick<Stage, 'postgres' | 'generator'>,
  aim: Aim,
  connections: number,
  seconds: number,
  first = 0,
): Promise<Slice> {
  const nodeBefore = readTreeCpuMs(aim.pid)
  const postgresBefore = postgres.readCpuMs()
  const load = { port: aim.port, connections, durationMs: seconds * 1000, first, statuses: aim.statuses }
  const result = await generator.call({ kind: 'load', name: aim.requests, load })
  if (result === undefined) throw new Error('the generator returned no result')
  const counts = Object.entries(result.statuses)
  const expected = [...aim.statuses, OVERLOADED]
  const hasUnexpected = counts.some(([status]) => !expected.includes(Number(status)))
  if (hasUnexpected || !aim.statuses.some((status) => result.statuses[status])) {
    const found = counts.map(([status, count]) => `${count} with ${status}`)
    throw new Error(`Unexpected responses on ${connections} connections: ${found.join(', ')}`)
  }
  return {
    requests: result.latenciesMs.length,
    refused: result.statuses[OVERLOADED] ?? 0,
    seconds: result.elapsedMs / 1000,
    bytes: result.bytes,
    latenciesMs: result.latenciesMs,
    nodeCpuMs: readTreeCpuMs(aim.pid) - nodeBefore,
    postgresCpuMs: difference(postgres.readCpuMs(), postgresBefore),
    generatorCpuMs: result.cpuMs,
    residentMebibytes: readResidentMebibytes(aim.pid),
  }
}
