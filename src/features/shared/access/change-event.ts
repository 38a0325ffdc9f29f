import { actorStatement } from '../../../db/actor-statement.ts'
import { lockExclusively } from '../../../db/advisory-lock.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import { managesEvent } from './events.ts'

/**
 * Locks an event before it changes: later changes and submissions wait, earlier ones have ended.
 * This is a separate statement, so that the change sees everything that was committed meanwhile.
 */
export const lockEvent = actorStatement({
  name: 'lock_event',
  params: { event_id: 'integer' },
  with: `entered as materialized (select ${lockExclusively('event', ':event_id')})`,
  select: `
      select events.id
      from entered
      cross join events
      where events.id = :event_id and events.deleted_at is null
      for no key update of events`,
})

type Change<T> = (tx: ActorDatabase) => Promise<T>

/** Changes an event while it is locked. Throws NOT_FOUND. */
export function changeEvent<T>(db: ActorDatabase, event_id: number, change: Change<T>): Promise<T> {
  return db.transaction(async (tx) => {
    found(await tx.query(lockEvent, { event_id }), 'event')
    return change(tx)
  })
}

/** Waits for submissions and other changes of the event. Does nothing unless the actor is staff. */
export const lockManagedEvent = actorStatement({
  name: 'lock_managed_event',
  params: { event_id: 'integer' },
  with: `managed as materialized (
      select events.id
      from events
      where events.id = :event_id and events.deleted_at is null and ${managesEvent('events')}
    ), entered as materialized (
      select ${lockExclusively('event', 'managed.id')} from managed
    )`,
  select: 'select from entered',
})

/** Changes a locked event. The change checks again that it exists and the actor is its staff. */
export function changeManagedEvent<T>(db: ActorDatabase, event_id: number, change: Change<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(lockManagedEvent, { event_id })
    return change(tx)
  })
}
