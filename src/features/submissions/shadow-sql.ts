import { actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'
import { recordText, relatedTo, statusJson } from './sql.ts'

// The judge routes read a shadow judging like a submission. For users other than judges and admins
// it does not exist.

/** Shadow judgings as submissions: their user is the admin who requested them. */
const SHADOWS = `(
        select shadow_judgings.*, shadow_judgings.requested_by as user_id from shadow_judgings
      ) as submissions`

const IS_SHOWN = 'submissions.id = :submission_id and :actor_role > 0'

/** The record of a shadow judging, with the fields of a submission's record for judges. */
export const readShadow = actorStatement({
  name: 'read_shadow_judging',
  params: { submission_id: 'uuid', requeue_after: 'integer' },
  row: row<{ body: string | null }>(),
  select: `
      select ${recordText} as body
      from ${relatedTo(SHADOWS)}
      where ${IS_SHOWN}`,
})

export const readShadowStatus = actorStatement({
  name: 'read_shadow_status',
  params: { submission_id: 'uuid' },
  row: row<{ body: string | null }>(),
  select: `
      select ${statusJson}::text as body
      from ${SHADOWS}
      where ${IS_SHOWN}`,
})
