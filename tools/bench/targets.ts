import { isDeepStrictEqual } from 'node:util'
import { bind } from '../../src/db/statement.ts'
import { ask } from '../local-servers/database.ts'
import { pollFor } from '../local-servers/polling.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { StatementService } from './ceilings/statement.ts'
import { startChild } from './child.ts'
import { loadServer, sendOnce, storeRequests } from './load.ts'
import type { Target } from './measure.ts'
import { countJudged, openPgbench } from './pgbench.ts'
import type { Exchange, HotRoute } from './route.ts'
import { POOL_SIZE } from './sizes.ts'
import type { Stage } from './stage.ts'

/** The number of responses that are compared before a route is measured. */
const COMPARED = 5

/** Opens the service and the ceilings of a route. Throws if their responses differ. */
export async function openTargets(route: HotRoute, stage: Stage): Promise<Target[]> {
  const exchanges = await route.exchanges(stage.world)
  await stage.generator.call({ kind: 'clear' })
  await storeRequests(stage, 'service', exchanges)
  const judged = countJudged(stage)
  const sample: string[] = []
  for (const exchange of exchanges.slice(0, COMPARED))
    sample.push(await sendOnce(stage.service.port, exchange, route.statuses))
  const targets = [serviceTarget(route, stage, 'service', judged)]
  try {
    for (const name of ['one statement', 'lean'] as const) {
      const ceiling = await openStatementCeiling(name, { route, exchanges, sample, stage })
      if (ceiling !== undefined) targets.push(ceiling)
    }
    if (route.pgbench) targets.push(...openPgbench(route.pgbench(stage.world), route, stage, judged))
  } catch (err) {
    for (const target of targets) await target.end()
    throw err
  }
  return targets
}

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
      const aim = { server: stage.service, requests, statuses: route.statuses }
      const slice = await loadServer(stage, aim, connections, seconds, first)
      judged.note(slice.requests + slice.refused)
      if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
      if (route.writes && stage.queue.url !== undefined) await purgeQueue(stage.queue.url, stage.queue.name)
      return slice
    },
    end: async () => {},
  }
}

async function waitForEmptyOutbox({ database }: Stage): Promise<void> {
  const isEmpty = async () => (await ask(database, 'select from outbox limit 1')).length === 0
  await pollFor(isEmpty, 60_000, 'the outbox is not empty', 20)
}

interface Parts {
  readonly route: HotRoute
  readonly exchanges: readonly Exchange[]
  /** The first responses of the service. */
  readonly sample: readonly string[]
  readonly stage: Stage
}

/** Starts a ceiling that is a server; undefined if the route has none. */
async function openStatementCeiling(
  name: 'one statement' | 'lean',
  { route, exchanges, sample, stage }: Parts,
): Promise<Target | undefined> {
  const statement = name === 'lean' ? route.lean : route.statement
  if (statement === undefined) return undefined
  // With the token, so that both servers read equally long requests.
  const requests = exchanges.map(
    ({ token }, n): Exchange => ({ method: 'GET', path: `/${n}`, ...(token && { token }) }),
  )
  await storeRequests(stage, name, requests)
  const module = import.meta.resolve('./ceilings/statement.ts')
  const child = startChild<StatementService, number>(module, productionNodeOptions())
  const port = await child.call({
    ...{ databaseUrl: stage.databaseUrl, poolSize: POOL_SIZE, password: route.password },
    ...{ name: statement.name, text: statement.text, isLean: name === 'lean' },
    values: exchanges.map(({ values }) => bind(statement, values)),
  })
  try {
    for (const [n, expected] of sample.entries()) {
      const text = await sendOnce(port, { method: 'GET', path: `/${n}` }, [200])
      if (route.password === undefined && !isSameBody(name, text, expected))
        throw new Error(`${route.name}: the responses differ.\n${name}: ${text}\nservice: ${expected}`)
    }
  } catch (err) {
    await child.end()
    throw err
  }
  const aim = { server: { pid: child.pid, port }, requests: name, statuses: [200] }
  return { name, run: (...slice) => loadServer(stage, aim, ...slice), end: () => child.end() }
}

/** PostgreSQL and Node write the same JSON with other spaces. */
const isSameBody = (name: 'one statement' | 'lean', text: string, expected: string) =>
  name === 'lean' ? isDeepStrictEqual(JSON.parse(text), JSON.parse(expected)) : text === expected
