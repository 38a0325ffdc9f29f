import type { ChangeLog } from '../../../changes/change.ts'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../db/database.ts'
import { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import type { ListCache } from '../../../lists/cache.ts'
import { readContestTimes, touchPassed } from '../contest-api/boundaries.ts'
import { createCollections } from '../contest-api/collections.ts'
import { openReader, type Reader, readTouched } from '../contest-api/notifications.ts'
import { nothingTouched, replaceAll, type Touched, touch } from '../contest-api/touched.ts'
import type { DeliverySources, NotificationReader } from './deliver.ts'
import type { ReadNotifications } from './payload.ts'

interface SourceOptions {
  readonly changes: ChangeLog
  readonly config: Pick<Config, 'extraStatuses' | 'sizes'>
  readonly database: Database
  readonly cache: ListCache
}

/** What webhooks deliver: the notifications that their owners would get from an event feed. */
export function createDeliverySources({
  changes,
  config,
  database,
  cache,
}: SourceOptions): Omit<DeliverySources, 'changes'> {
  const collections = createCollections(config)
  const open = ({ actor, eventId }: NotificationReader) => {
    const db = new ActorDatabase(database, actor)
    return openReader({ db, eventId, userId: actor.id, documents: { db, cache } }, collections)
  }
  return {
    async readNotifications(owner, from) {
      const reader = await open(owner)
      return reader && readSince(reader, changes, from)
    },
    async readEverything(owner) {
      const position = await changes.readPresent()
      const reader = await open(owner)
      const touched = nothingTouched()
      replaceAll(touched)
      return reader && collect(reader, touched, position)
    },
  }
}

async function readSince(
  reader: Reader,
  changes: ChangeLog,
  from: string,
): Promise<ReadNotifications | undefined> {
  const { db, eventId } = reader
  const batch = await changes.since(from, eventId)
  if (batch === undefined) return undefined
  const touched = nothingTouched()
  touch(touched, batch.changes, reader)
  // After the position was read: the next call looks at later times.
  const times = found(await db.query(readContestTimes, { event_id: eventId }), 'contest')
  touchPassed(touched, times, batch.sinceSeconds)
  return collect(reader, touched, batch.position)
}

async function collect(reader: Reader, touched: Touched, position: string): Promise<ReadNotifications> {
  const notifications: string[] = []
  const types: string[] = []
  for await (const { type, text } of readTouched(reader, touched)) {
    notifications.push(text)
    types.push(type)
  }
  return { notifications, types, position }
}
