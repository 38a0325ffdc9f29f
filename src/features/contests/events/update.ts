import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import * as changes from './change-sql.ts'
import { freezeIfReopened } from './freeze-reopened.ts'
import { unknownLanguage, updateRefusal, type updateValues } from './rules.ts'

type Update = ReturnType<typeof updateValues> & { readonly event_id: number }

/**
 * Changes an event after it was locked, and counts its standings again where they change; returns
 * it as JSON. Throws VALIDATION or NOT_FOUND (D32, P20).
 */
export async function updateEvent(tx: ActorDatabase, values: Update): Promise<string> {
  const { event_id } = values
  const event = found(await tx.query(changes.updateEvent, values), 'event')
  if (event.outcome === 'unknown_language') throw unknownLanguage(event.unknown_language)
  if (event.outcome !== 'updated') throw updateRefusal(event.outcome)
  const { recount_from: since } = event
  if (since !== null) await tx.query(changes.recountCells, { event_id, since })
  return (await freezeIfReopened(tx, event_id)) ?? event.body
}
