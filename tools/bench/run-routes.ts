import { storeRequests } from './load.ts'
import { measureInTurn, round } from './measure.ts'
import type { Options } from './options.ts'
import { ceilingOf, type GrowthResult, type RouteResult, ratioOf, serviceOf } from './report.ts'
import type { HotRoute } from './route.ts'
import { hotRoutes } from './routes.ts'
import type { Stage } from './stage.ts'
import { openTargets, serviceTarget } from './targets.ts'

const WARM_UP = { connections: 16, seconds: 1 }

const chooseRoutes = ({ routes: wanted }: Options) =>
  hotRoutes.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))

/** Measures the routes and their ceilings on one database. */
export async function runRoutes(stage: Stage, options: Options): Promise<RouteResult[]> {
  const results: RouteResult[] = []
  for (const route of chooseRoutes(options)) {
    await continueAfterFailure(route.name, async () => {
      for await (const result of measureRoute(route, stage, options)) {
        results.push(result)
        console.log(describeResult(result))
      }
    })
  }
  return results
}

/** A failed route fails the run, but the other routes are measured. */
async function continueAfterFailure(name: string, measure: () => Promise<void>): Promise<void> {
  try {
    await measure()
  } catch (err) {
    console.error(`${name} FAILED:`, err)
    process.exitCode = 1
  }
}

async function* measureRoute(route: HotRoute, stage: Stage, options: Options): AsyncGenerator<RouteResult> {
  const targets = await openTargets(route, stage)
  try {
    const { name, targets: ratios = {}, leanTargets = {}, widest = Number.POSITIVE_INFINITY } = route
    for (const target of targets) await target.run(Math.min(widest, WARM_UP.connections), WARM_UP.seconds)
    for (const connections of options.connections.filter((count) => count <= widest)) {
      const figures = await measureInTurn(targets, { ...options, connections })
      yield {
        ...{ route: name, connections, figures },
        ...{ target: ratios[connections], leanTarget: leanTargets[connections] },
      }
    }
  } finally {
    for (const target of targets) await target.end()
  }
}

function describeResult(result: RouteResult): string {
  const { requestsPerSecond, p50Ms, p99Ms } = serviceOf(result)
  const ratio = round(ratioOf(result)) ?? '–'
  const times = `p50 ${round(p50Ms)} ms, p99 ${round(p99Ms)} ms`
  return `${result.route}, ${result.connections} connections: ${round(requestsPerSecond)}/s, ${times}; ${ratio} of ${ceilingOf(result)?.target}`
}

/** Measures the service on the small and the large database in turn, on one connection. */
export async function runGrowth(small: Stage, large: Stage, options: Options): Promise<GrowthResult[]> {
  const results: GrowthResult[] = []
  for (const route of chooseRoutes(options).filter(({ isGrowing }) => !isGrowing)) {
    await continueAfterFailure(`growth of ${route.name}`, async () => {
      const result = await measureGrowth(route, small, large, options)
      results.push(result)
      const [atSmall, atLarge] = [round(result.small.p50Ms), round(result.large.p50Ms)]
      console.log(`growth: ${route.name}: p50 ${atSmall} ms at S, ${atLarge} ms at L`)
    })
  }
  return results
}

async function measureGrowth(route: HotRoute, small: Stage, large: Stage, options: Options) {
  await small.generator.call({ kind: 'clear' })
  const targets = []
  for (const stage of [small, large]) {
    const { name } = stage.world.size
    await storeRequests(stage, name, await route.exchanges(stage.world))
    targets.push(serviceTarget(route, stage, name))
  }
  for (const target of targets) await target.run(1, WARM_UP.seconds)
  const [atSmall, atLarge] = await measureInTurn(targets, { ...options, connections: 1 })
  if (atSmall === undefined || atLarge === undefined) throw new Error('a database was not measured')
  return { route: route.name, small: atSmall, large: atLarge }
}
