import { statement } from '../../src/db/database.ts'
import { purgeQueue } from '../local-servers/queue.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { ConstantResponse } from './ceilings/constant.ts'
import type { StatementService } from './ceilings/statement.ts'
import { startChild } from './child.ts'
import { JudgedSubmissions } from './judged-submissions.ts'
import { openPgbench } from './pgbench-target.ts'
import { type Exchange, type HotRoute, writeRequest } from './route.ts'
import { POOL_SIZE } from './service.ts'
import { loadServer, type Slice, waitForEmptyOutbox } from './slice.ts'
import type { Generator, Stage } from './stage.ts'

/** What is measured: the service, or a ceiling beside it. */
export interface Target {
  readonly name:
    | 'service'
    | 'one statement'
    | 'bare Fastify'
    | 'pgbench'
    | 'pgbench, pool'
    | 'pgbench, with the relay'
    | 'same bytes'
  run(connections: number, seconds: number): Promise<Slice>
  end(): Promise<void>
}

/** How many answers are compared before a route is measured. */
const COMPARED = 5

/**
 * Opens the service and the ceilings of a route. Throws where the service does not answer as it should, or the one-statement ceiling does not
 * answer the same bytes.
 */
export async function openTargets(route: HotRoute, stage: Stage, generator: Generator): Promise<Target[]> {
  const exchanges = await route.exchanges(stage.world)
  await generator.ask({ kind: 'forget' })
  await generator.ask({ kind: 'requests', name: 'service', requests: exchanges.map(writeRequest) })
  const judged = new JudgedSubmissions(stage)
  const sample: string[] = []
  for (const exchange of exchanges.slice(0, COMPARED)) {
    sample.push(await ask(stage.service.port, exchange, route.statuses))
  }
  const targets = [serviceTarget(route, stage, generator, judged)]
  try {
    if (!route.isMix) targets.push(await openConstant(route, stage, generator, sample[0] ?? ''))
    if (route.statement) targets.push(await openStatement(route, exchanges, sample, stage, generator))
    if (route.isHeldToBytes) targets.push(await openSameBytes(route, exchanges, sample, stage, generator))
    if (route.pgbench) targets.push(...(await openPgbench(route.pgbench(stage.world), route, stage, judged)))
  } catch (err) {
    for (const target of targets) await target.end()
    throw err
  }
  return targets
}

/** The service alone, for comparisons of one with another. */
export function serviceTarget(
  route: HotRoute,
  stage: Stage,
  generator: Generator,
  judged = new JudgedSubmissions(stage),
  requests = 'service',
): Target {
  return {
    name: 'service',
    async run(connections, seconds) {
      const first = route.writes === 'verdicts' ? await judged.next() : 0
      const aim = { ...stage.service, requests, statuses: route.statuses }
      const slice = await loadServer(stage, generator, aim, { connections, seconds, first })
      judged.note(slice.requests + slice.refused)
      if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
      if (route.writes && stage.queue.url !== undefined) await purgeQueue(stage.queue.url, stage.queue.name)
      return slice
    },
    end: async () => {},
  }
}

async function openConstant(
  route: HotRoute,
  stage: Stage,
  generator: Generator,
  body: string,
): Promise<Target> {
  const server = startChild<ConstantResponse, number>(
    import.meta.resolve('./ceilings/constant.ts'),
    productionNodeOptions(),
  )
  const aim = {
    pid: server.pid,
    port: await server.ask({ status: route.statuses[0], body }),
    requests: 'service',
    statuses: route.statuses,
  }
  return {
    name: 'bare Fastify',
    run: (connections, seconds) => loadServer(stage, generator, aim, { connections, seconds, first: 0 }),
    end: () => server.end(),
  }
}

async function openStatement(
  route: HotRoute,
  exchanges: readonly Exchange[],
  sample: readonly string[],
  stage: Stage,
  generator: Generator,
): Promise<Target> {
  const { name = '', text = '' } = route.statement ?? {}
  return openStatementServer(
    'one statement',
    { name, text, password: route.password, values: exchanges.map(({ values = [] }) => values) },
    { route, exchanges, sample, stage, generator },
  )
}

/** The same text out of a table, uncompressed as it was stored. */
async function openSameBytes(
  route: HotRoute,
  exchanges: readonly Exchange[],
  sample: readonly string[],
  stage: Stage,
  generator: Generator,
): Promise<Target> {
  await stage.admin.query(statement('', 'drop table if exists same_bytes'))
  await stage.admin.query(statement('', 'create table same_bytes (body text)'))
  await stage.admin.query(statement('', 'alter table same_bytes alter column body set storage external'))
  await stage.admin.query(statement('', 'insert into same_bytes (body) values ($1)'), [sample[0] ?? ''])
  return openStatementServer(
    'same bytes',
    {
      name: 'read_same_bytes',
      text: 'select same_bytes.body from same_bytes',
      password: undefined,
      values: exchanges.map(() => []),
    },
    { route, exchanges, sample: sample.slice(0, 1), stage, generator },
  )
}

interface Surroundings {
  readonly route: HotRoute
  readonly exchanges: readonly Exchange[]
  readonly sample: readonly string[]
  readonly stage: Stage
  readonly generator: Generator
}

async function openStatementServer(
  name: 'one statement' | 'same bytes',
  service: Omit<StatementService, 'databaseUrl' | 'poolSize'>,
  { route, exchanges, sample, stage, generator }: Surroundings,
): Promise<Target> {
  const server = startChild<StatementService, number>(
    import.meta.resolve('./ceilings/statement.ts'),
    productionNodeOptions(),
  )
  const port = await server.ask({ ...service, databaseUrl: stage.databaseUrl, poolSize: POOL_SIZE })
  // As long a head as the service reads, so that both read as much.
  const asked: Exchange[] = exchanges.map(({ token }, n) => ({
    method: 'GET',
    path: `/${n}`,
    ...(token && { token }),
  }))
  await generator.ask({ kind: 'requests', name, requests: asked.map(writeRequest) })
  for (const [n, expected] of sample.entries()) {
    const answer = await ask(port, asked[n] ?? { method: 'GET', path: '/' }, [200])
    // A login answers a token, which no statement makes.
    if (route.password === undefined && answer !== expected) {
      throw new Error(`${route.name}: ${name} answers\n${answer}\nand the service\n${expected}`)
    }
  }
  const aim = { pid: server.pid, port, requests: name, statuses: [200] }
  return {
    name,
    run: (connections, seconds) => loadServer(stage, generator, aim, { connections, seconds, first: 0 }),
    end: () => server.end(),
  }
}

async function ask(
  port: number,
  { method, path, token, body }: Exchange,
  statuses: readonly number[],
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  if (!statuses.includes(answer.status))
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return text
}
