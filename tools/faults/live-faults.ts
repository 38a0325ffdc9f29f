import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { ask } from '../local-servers/database.ts'
import { pollUntil } from '../local-servers/polling.ts'
import { findWrongFeeds, findWrongStreams, type LiveReaders, openLiveReaders } from './live-readers.ts'
import type { Scene } from './scenario.ts'

/** Kills in the short form; the full form has as many each time. */
const KILLS = 2

/** Kills one instance after the other, at last the one that has just thawed the standings. */
export async function killInTurn({ instances, sizes, pause, recovery, note }: Scene): Promise<void> {
  for (let n = 0; n < KILLS * sizes.times; n += 1) {
    await pause(sizes.betweenMs)
    const instance = instances[n % instances.length] ?? instances[0]
    await instance.kill()
    await pause(sizes.betweenMs)
    recovery.faultEnded()
    await instance.start()
  }
  note(`killed ${KILLS * sizes.times + 1} times`)
}

/**
 * Opens feeds and streams on a contest that freezes, makes the faults, and compares what the
 * clients know with the endpoints and the database: after the load, and after a thaw whose instance
 * is killed. `forgets`: positions from before the faults mean nothing, and clients read everything
 * again (P25).
 */
export function inMidFeed(
  disturb: (scene: Scene) => Promise<void>,
  forgets = false,
): (scene: Scene) => Promise<void> {
  return async (scene) => {
    const { world, sizes, load, recovery, note } = scene
    const client = createJudgeClient({ baseUrl: scene.instances[0].url, token: world.adminToken })
    const params = { path: { event_id: world.eventId } }
    const body = { scoreboard: 'public' as const, freeze_time: new Date().toISOString() }
    await orThrow(client.PUT('/v1/events/{event_id}', { params, body }))
    const live = await openLiveReaders(scene)
    try {
      await disturb(scene)
      await recovery.firstAcknowledged()
      await load.stop(sizes.recoverWithinMs)
      if (!(await compare(scene, live, forgets, 'after the faults'))) return
      await orThrow(client.POST('/v1/events/{event_id}/end', { params }))
      await orThrow(client.POST('/v1/events/{event_id}/thaw', { params }))
      await scene.instances[0].kill()
      await scene.instances[0].start()
      await compare(scene, live, forgets, 'after the thaw')
      note(describeConnections(live))
    } finally {
      live.close()
    }
  }
}

/** Unless the database `forgets`, no position may have been lost. */
async function compare(scene: Scene, live: LiveReaders, forgets: boolean, when: string): Promise<boolean> {
  const { stage, sizes, fail } = scene
  const pending = `select from submissions where submissions.status = 'PENDING' limit 1`
  await pollUntil(async () => (await ask(stage.database, pending)).length === 0, sizes.recoverWithinMs)
  const wrong = await Promise.all([
    findWrongFeeds(scene, live.feeds, sizes.recoverWithinMs),
    findWrongStreams(stage.database, live, sizes.recoverWithinMs),
  ])
  const lost = [
    ...live.feeds
      .filter(({ reader }) => reader.refused > 0)
      .map(({ name }) => `a token of ${name} was refused`),
    ...live.streams.filter(({ reader }) => reader.resets > 0).map(({ name }) => `${name} had a reset`),
  ]
  const failures = [...wrong.flat(), ...(forgets ? [] : lost)]
  for (const what of failures) fail(`${when}: ${what}`)
  return failures.length === 0
}

function describeConnections({ feeds, streams }: LiveReaders): string {
  const count = (readers: readonly { readonly reader: { readonly connections: number } }[]) =>
    readers.reduce((sum, { reader }) => sum + reader.connections, 0)
  const resets = streams.reduce((sum, { reader }) => sum + reader.resets, 0)
  return `${feeds.length} feeds with ${count(feeds)} connections, ${streams.length} streams with ${count(streams)}, ${resets} resets`
}
