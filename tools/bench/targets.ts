import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { purgeQueue } from '../local-servers/rabbitmq.ts'
import { openCeilings } from './ceilings/open-ceilings.ts'
import { loadServers, sendOnce, storeRequests } from './load.ts'
import type { Target } from './measure.ts'
import { countJudged, openPgbench } from './pgbench.ts'
import type { HotRoute } from './route.ts'
import type { Stage } from './stage.ts'

/** The number of responses that are compared before a route is measured. */
const COMPARED = 5

/** Opens the service and the ceilings of a route. Throws if their responses differ. */
export async function openTargets(route: HotRoute, stage: Stage): Promise<Target[]> {
  const { world, generator, service } = stage
  const exchanges = await route.exchanges(world)
  await generator.call({ kind: 'clear' })
  await storeRequests(stage, 'service', exchanges)
  const judged = countJudged(stage)
  const sample: string[] = []
  for (const exchange of exchanges.slice(0, COMPARED)) {
    sample.push(await sendOnce(service.port, exchange, route.statuses))
  }
  const targets = [serviceTarget(route, stage, 'service', judged)]
  try {
    await openCeilings({ route, exchanges, sample, stage, judged }, (target) => targets.push(target))
    if (route.pgbench) targets.push(...openPgbench(route.pgbench(world), route, stage, judged))
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
      const aim = { servers: [stage.service], requests, statuses: route.statuses }
      const slice = await loadServers(stage, aim, connections, seconds, first)
      judged.note(slice.requests + slice.refused)
      if (route.writes === 'submissions') await waitForEmptyOutbox(stage)
      if (route.cleanUp) await ask(stage.database, route.cleanUp)
      if (route.writes) await deleteMessages(stage)
      return slice
    },
    end: async () => {},
  }
}

/** Deletes the messages of the queue. */
export async function deleteMessages({ queue }: Stage): Promise<void> {
  if (queue.url !== undefined) await purgeQueue(queue.url, queue.name)
}

/** Waits until the relay has sent all messages. */
export async function waitForEmptyOutbox({ database }: Stage): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(20)) {
    if ((await ask(database, 'select from outbox limit 1')).length === 0) return
  }
  throw new Error('the outbox is not empty after a minute')
}
