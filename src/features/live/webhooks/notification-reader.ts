import type { ChangesSince } from '../../../changes/change.ts'
import type { ChangeLog } from '../../../changes/change-log.ts'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../db/database.ts'
import { ActorDatabase } from '../../../http/routing/actor.ts'
import type { ListCache } from '../../../lists/cache.ts'
import { readTimes, touchPassed } from '../contest-api/boundaries.ts'
import { createCollections } from '../contest-api/collections.ts'
import { type Notification, openReader, type Reader, readTouched } from '../contest-api/notifications.ts'
import { everythingTouched, nothingTouched, type Touched, touch } from '../contest-api/touched.ts'
import type { NotificationReader, ReadNotifications } from './deliver.ts'

interface SourceOptions {
  readonly changes: ChangeLog
  readonly config: Pick<Config, 'extraStatuses' | 'sizes'>
  readonly database: Database
  readonly cache: ListCache
}

/**
 * What webhooks deliver: the notifications that their owners would get from an event feed. See
 * `DeliverySources`.
 */
export function createNotificationReader({ changes, config, database, cache }: SourceOptions) {
  const collections = createCollections(config)
  const open = ({ actor, eventId }: NotificationReader) => {
    const db = new ActorDatabase(database, actor)
    return openReader({ db, eventId, userId: actor.id, documents: { db, cache } }, collections)
  }
  return async (owner: NotificationReader, from: string): Promise<ReadNotifications | undefined> => {
    const reader = await open(owner)
    const batch = await changes.since(from, owner.eventId)
    if (batch !== undefined) return reader && readSince(reader, batch)
    const position = await changes.readPresent()
    const present = await open(owner)
    return present && collect(present, everythingTouched(), position)
  }
}

async function readSince(reader: Reader, batch: ChangesSince): Promise<ReadNotifications> {
  const touched = nothingTouched()
  touch(touched, batch.changes, reader)
  // After the position was read: the next call looks at later times.
  touchPassed(touched, await readTimes(reader), batch.sinceSeconds)
  return collect(reader, touched, batch.position)
}

async function collect(reader: Reader, touched: Touched, position: string): Promise<ReadNotifications> {
  const notifications: Notification[] = []
  for await (const notification of readTouched(reader, touched)) notifications.push(notification)
  return { notifications, position }
}
