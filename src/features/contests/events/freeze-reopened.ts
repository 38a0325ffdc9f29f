import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import { recountCells } from './change-sql.ts'
import { writtenJson } from './sql.ts'

/** No row: nothing was thawed, or nobody may submit. */
const freezeReopened = actorStatement({
  name: 'freeze_reopened',
  params: { event_id: 'integer' },
  row: row<{ freeze_time: string; body: string }>(),
  with: `reopened as (
      select events.id
      from events
      where events.id = :event_id and clock_timestamp() < ${lastEnd('events')}
        and (events.thawed_at is not null or exists (
          select from event_reveals where event_reveals.event_id = events.id))
    ), frozen as (
      update events
      set thawed_at = null
      from reopened
      where events.id = reopened.id and ${ACTOR_EXISTS}
      returning events.*
    ), hidden_again as (
      delete from event_reveals using frozen where event_reveals.event_id = frozen.id
    )`,
  select: `
      select events.freeze_time::text, ${writtenJson} as body from frozen as events`,
})

/**
 * After a change that may let people submit again, in its transaction: a contest that was thawed, at
 * once or by steps, is frozen again (P23). Returns the contest as JSON if this changed it.
 */
export async function freezeIfReopened(tx: ActorDatabase, event_id: number): Promise<string | undefined> {
  const [reopened] = await tx.query(freezeReopened, { event_id })
  if (reopened === undefined) return undefined
  await tx.query(recountCells, { event_id, since: reopened.freeze_time })
  return reopened.body
}
