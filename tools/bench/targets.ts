import { setTimeout as sleep } from 'node:timers/promises'
import { bind, type Statement } from '../../src/db/statement.ts'
import { ask } from '../local-servers/database.ts'
import { purgeQueue } from '../local-servers/queue.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { ConstantResponse } from './ceilings/constant.ts'
import type { StatementService } from './ceilings/statement.ts'
import { startChild } from './child.ts'
import { JudgedSubmissions } from './judged-submissions.ts'
import { openPgbench } from './pgbench-target.ts'
import { type Exchange, type HotRoute, writeRequest } from './route.ts'
import { POOL_SIZE } from './sizes.ts'
import { type Aim, loadServer, type Target } from './slice.ts'
import type { Generator, Stage } from './stage.ts'

/** The number of responses that are compared before a route is measured. */
const COMPARED = 5

/** Opens the service and the ceilings of a route. Throws if their responses differ. */
export async function openTargets(route: HotRoute, stage: Stage, generator: Generator): Promise<Target[]> {
  const exchanges = await route.exchanges(stage.world)
  await generator.call({ kind: 'clear' })
  await generator.call({ kind: 'requests', name: 'service', requests: exchanges.map(writeRequest) })
  const judged = new JudgedSubmissions(stage)
  const sample: string[] = []
  for (const exchange of exchanges.slice(0, COMPARED)) {
    sample.push(await send(stage.service.port, exchange, route.statuses))
  }
  const parts = { route, exchanges, sample, stage, generator }
  const targets = [serviceTarget(route, stage, generator, judged)]
  try {
    if (!route.isMix) targets.push(await openConstant(parts))
    if (route.statement) targets.push(await openStatement(route.statement, parts))
    if (route.isComparedWithBytes) targets.push(await openSameBytes(parts))
    if (route.pgbench) targets.push(...(await openPgbench(route.pgbench(stage.world), route, stage, judged)))
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
  readonly generator: Generator
}

/** Opens the service alone. */
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
      const { pid, port } = stage.service
      const aim = { pid, port, requests, statuses: route.statuses }
      const slice = await loadServer(stage, generator, aim, { connections, seconds, first })
      judged.note(slice.requests + slice.refused)
      if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
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

async function openConstant({ route, stage, generator, sample: [body = ''] }: Parts): Promise<Target> {
  const server = startChild<ConstantResponse, number>(
    import.meta.resolve('./ceilings/constant.ts'),
    productionNodeOptions(),
  )
  const port = await server.call({ status: route.statuses[0], body })
  const aim = { pid: server.pid, port, requests: 'service', statuses: route.statuses }
  return ceilingTarget('bare Fastify', stage, generator, aim, server)
}

function ceilingTarget(
  name: Target['name'],
  stage: Stage,
  generator: Generator,
  aim: Aim,
  server: Pick<Target, 'end'>,
): Target {
  return {
    name,
    run: (connections, seconds) => loadServer(stage, generator, aim, { connections, seconds, first: 0 }),
    end: () => server.end(),
  }
}

const openStatement = (statement: Statement, parts: Parts): Promise<Target> =>
  openStatementServer(
    'one statement',
    {
      name: statement.name,
      text: statement.text,
      password: parts.route.password,
      values: parts.exchanges.map(({ values }) => bind(statement, values)),
    },
    parts,
  )

/** Sends the same text from a table, stored uncompressed. */
async function openSameBytes(parts: Parts): Promise<Target> {
  const { stage, exchanges, sample } = parts
  const [text = ''] = sample
  for (const sql of [
    'drop table if exists same_bytes',
    'create table same_bytes (body text)',
    'alter table same_bytes alter column body set storage external',
    `insert into same_bytes (body) values ('${text.replaceAll("'", "''")}')`,
  ]) {
    await ask(stage.database, sql)
  }
  return openStatementServer(
    'same bytes',
    {
      name: 'read_same_bytes',
      text: 'select same_bytes.body from same_bytes',
      password: undefined,
      values: exchanges.map(() => []),
    },
    { ...parts, sample: [text] },
  )
}

async function openStatementServer(
  name: 'one statement' | 'same bytes',
  service: Omit<StatementService, 'databaseUrl' | 'poolSize'>,
  { route, exchanges, sample, stage, generator }: Parts,
): Promise<Target> {
  const server = startChild<StatementService, number>(
    import.meta.resolve('./ceilings/statement.ts'),
    productionNodeOptions(),
  )
  const port = await server.call({ ...service, databaseUrl: stage.databaseUrl, poolSize: POOL_SIZE })
  // With the token, so that both servers read equally long requests.
  const requests = exchanges.map(
    ({ token }, n): Exchange => ({ method: 'GET', path: `/${n}`, ...(token && { token }) }),
  )
  await generator.call({ kind: 'requests', name, requests: requests.map(writeRequest) })
  for (const [n, expected] of sample.entries()) {
    const text = await send(port, requests[n] ?? { method: 'GET', path: '/' }, [200])
    // The response of a login has a token, which no statement makes.
    if (route.password === undefined && text !== expected) {
      throw new Error(`${route.name}: the responses differ.\n${name}: ${text}\nservice: ${expected}`)
    }
  }
  const aim = { pid: server.pid, port, requests: name, statuses: [200] }
  return ceilingTarget(name, stage, generator, aim, server)
}

async function send(
  port: number,
  { method, path, token, body }: Exchange,
  statuses: readonly number[],
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!statuses.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}
