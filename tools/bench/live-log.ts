import { ask } from '../local-servers/database.ts'
import { storeRequests } from './load.ts'
import { median, type Slice } from './measure.ts'
import { hotRoutes } from './routes.ts'
import type { Stage } from './stage.ts'
import { serviceTarget } from './targets.ts'

const ROUTES = ['submit in a contest', 'verdict of 20 results']
const CONNECTIONS = 32
/** After `alter table` the statements are planned again. */
const WARM_UP_SECONDS = 0.3

/** A write with and without the change log. */
export type LogCost = Awaited<ReturnType<typeof measureCost>>

/**
 * Measures the writes of submissions with and without their triggers of the change log, in turn.
 */
export async function runLogCost(stage: Stage, rounds: number, seconds: number): Promise<LogCost[]> {
  const costs: LogCost[] = []
  for (const name of ROUTES) {
    const cost = await measureCost(stage, name, rounds, seconds)
    console.log(`change log: ${JSON.stringify(cost)}`)
    costs.push(cost)
  }
  return costs
}

async function measureCost(stage: Stage, name: string, rounds: number, seconds: number) {
  const route = hotRoutes.find((one) => one.name === name)
  if (route === undefined) throw new Error(`There is no route ${name}`)
  await stage.generator.call({ kind: 'clear' })
  await storeRequests(stage, name, await route.exchanges(stage.world))
  const target = serviceTarget(route, stage, name)
  const triggers = await findTriggers(stage)
  const run = async (isLogged: boolean): Promise<Slice> => {
    const verb = isLogged ? 'enable' : 'disable'
    for (const trigger of triggers)
      await ask(stage.database, `alter table submissions ${verb} trigger ${trigger}`)
    await target.run(CONNECTIONS, WARM_UP_SECONDS)
    return target.run(CONNECTIONS, seconds)
  }
  try {
    await target.run(CONNECTIONS, 1)
    const pairs: { readonly logged: Slice; readonly unlogged: Slice }[] = []
    for (let round = 0; round < rounds; round += 1) {
      // In another order each round.
      const isLoggedFirst = round % 2 === 0
      const one = await run(isLoggedFirst)
      const other = await run(!isLoggedFirst)
      pairs.push(isLoggedFirst ? { logged: one, unlogged: other } : { logged: other, unlogged: one })
    }
    return summariseCost(name, pairs)
  } finally {
    await run(true)
  }
}

async function findTriggers({ database }: Stage): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    database,
    `select pg_trigger.tgname::text as name
     from pg_trigger
     where pg_trigger.tgrelid = 'submissions'::regclass and pg_trigger.tgname like 'submissions_changes%'`,
  )
  if (rows.length === 0) throw new Error('submissions has no trigger of the change log')
  return rows.map(({ name }) => name)
}

/** Medians over the rounds; each ratio compares the two slices of a round. */
export function summariseCost(
  route: string,
  pairs: readonly { readonly logged: Slice; readonly unlogged: Slice }[],
) {
  const rateOf = ({ requests, seconds }: Slice) => requests / seconds
  const costOf = ({ requests, nodeCpuMs = Number.NaN, postgresCpuMs = Number.NaN }: Slice) =>
    ((nodeCpuMs + postgresCpuMs) * 1000) / requests
  const medianOf = (read: (pair: (typeof pairs)[number]) => number) => median(pairs.map(read))
  return {
    route,
    rounds: pairs.length,
    loggedPerSecond: medianOf(({ logged }) => rateOf(logged)),
    unloggedPerSecond: medianOf(({ unlogged }) => rateOf(unlogged)),
    ratio: medianOf(({ logged, unlogged }) => rateOf(logged) / rateOf(unlogged)),
    loggedCpuUs: medianOf(({ logged }) => costOf(logged)),
    unloggedCpuUs: medianOf(({ unlogged }) => costOf(unlogged)),
    ratioByCpu: medianOf(({ logged, unlogged }) => costOf(unlogged) / costOf(logged)),
  }
}
