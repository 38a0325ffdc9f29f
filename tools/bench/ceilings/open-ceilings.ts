import { isDeepStrictEqual } from 'node:util'
import { type BatchForm, bind, type Statement } from '../../../src/db/statement.ts'
import { ask } from '../../local-servers/database.ts'
import { productionNodeOptions } from '../../local-servers/service.ts'
import { startChild } from '../child.ts'
import { type Aim, loadServers, sendOnce, storeRequests } from '../load.ts'
import type { Slice, Target, TargetName } from '../measure.ts'
import type { countJudged } from '../pgbench.ts'
import type { Exchange, HotRoute } from '../route.ts'
import { POOL_SIZE } from '../sizes.ts'
import type { Stage } from '../stage.ts'
import type { CoalescedService } from './coalesced.ts'
import type { ConstantResponse } from './constant.ts'
import type { LeanStatement } from './lean.ts'
import type { StatementService } from './statement.ts'

/** How many statements the coalesced ceiling has in flight. */
const READS_IN_FLIGHT = 3
const WRITES_IN_FLIGHT = 2

/** A route, its requests, and where they are measured. */
export interface Parts {
  readonly route: HotRoute
  readonly exchanges: readonly Exchange[]
  /** The first responses of the service. */
  readonly sample: readonly string[]
  readonly stage: Stage
  readonly judged: ReturnType<typeof countJudged>
}

/** Opens the ceilings of a route that are servers, and adds each. Throws if a response differs. */
export async function openCeilings(parts: Parts, add: (target: Target) => void): Promise<void> {
  const { route } = parts
  if (!route.isMix) add(await openConstant(parts))
  if (route.statement) add(await openStatement(route.statement, parts))
  if (route.lean) add(await openLean(route.lean, parts))
  const coalesced = route.coalesced ?? route.statement
  if (coalesced?.batch) add(await openCoalesced({ ...coalesced, batch: coalesced.batch }, parts))
  if (route.isComparedWithBytes) add(await openSameBytes(parts))
}

const openConstant = ({ route, stage, sample: [body = ''] }: Parts): Promise<Target> =>
  openCeiling<ConstantResponse>('bare Fastify', './constant.ts', stage, {
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

/**
 * Opens the server that coalesces requests into batches. The service is frozen during its writes:
 * its relay would send their messages.
 */
async function openCoalesced(
  { name, text, order, batch }: Statement & { readonly batch: BatchForm },
  parts: Parts,
): Promise<Target> {
  const { route, exchanges, stage, judged } = parts
  const values = exchanges.map((exchange) => exchange.values ?? {})
  const numbers = { poolSize: POOL_SIZE, most: batch.writes ? WRITES_IN_FLIGHT : READS_IN_FLIGHT }
  const requests = exchanges.map((exchange, n): Exchange => ({ ...exchange, path: `/${n}` }))
  await storeRequests(stage, 'coalesced', requests)
  const server = await openCeiling<CoalescedService>('coalesced', './coalesced.ts', stage, {
    request: { databaseUrl: stage.databaseUrl, ...numbers, name, text, order, batch, values },
    ...{ requests: 'coalesced', statuses: [200] },
  })
  if (!batch.writes) {
    await compareBodies('coalesced', server, requests, parts)
    return server
  }
  return {
    ...server,
    run: async (connections, seconds) => {
      const first = route.writes === 'verdicts' ? await judged.next() : 0
      stage.service.freeze()
      try {
        const slice = await server.run(connections, seconds, first)
        judged.note(slice.requests)
        await ask(stage.database, 'truncate outbox')
        return slice
      } finally {
        stage.service.thaw()
      }
    },
  }
}

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
  const server = await openCeiling<StatementService>(name, './statement.ts', stage, {
    request: { ...service, databaseUrl: stage.databaseUrl, poolSize: POOL_SIZE },
    ...{ requests: name, statuses: [200] },
  })
  await compareBodies(name, server, requests, { route, sample })
  return server
}

/** Ends the server and throws if its first bodies differ from the service's. */
async function compareBodies(
  name: TargetName,
  server: Server,
  requests: readonly Exchange[],
  { route, sample }: Pick<Parts, 'route' | 'sample'>,
): Promise<void> {
  for (const [n, expected] of sample.entries()) {
    const text = await sendOnce(server.port, requests[n] ?? { method: 'GET', path: '/' }, [200])
    // The response of a login has a token, which no statement makes.
    if (route.password === undefined && !isSameBody(name, text, expected)) {
      await server.end()
      throw new Error(`${route.name}: the responses differ.\n${name}: ${text}\nservice: ${expected}`)
    }
  }
}

/** PostgreSQL and Node write the same JSON with other spaces. */
const isSameBody = (name: TargetName, text: string, expected: string) =>
  name === 'lean' ? isDeepStrictEqual(JSON.parse(text), JSON.parse(expected)) : text === expected

/** A ceiling as a server; `first` is the number of the first request. */
interface Server extends Target {
  readonly port: number
  run(connections: number, seconds: number, first?: number): Promise<Slice>
}

/** Starts the server of a ceiling, which gets `request`. */
async function openCeiling<Request extends object>(
  name: TargetName,
  module: string,
  stage: Stage,
  { request, ...aim }: Omit<Aim, 'servers'> & { readonly request: Request },
): Promise<Server> {
  const server = startChild<Request, number>(import.meta.resolve(module), productionNodeOptions())
  const { pid } = server
  const port = await server.call(request)
  return {
    ...{ name, port },
    run: (connections, seconds, first) =>
      loadServers(stage, { ...aim, servers: [{ pid, port }] }, connections, seconds, first),
    end: () => server.end(),
  }
}
