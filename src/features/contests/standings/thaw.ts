import { AppError } from '../../../http/routing/errors.ts'
import { found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import * as schemas from './schemas.ts'
import { readThaw } from './thaw-sql.ts'
import { hideStep, revealStep, thaw } from './thaw-steps.ts'

/** Ends the freeze of the standings, at once or cell by cell (P23). */
export function thawRoute() {
  return defineRoute('thawStandings', 'POST /v1/events/:event_id/thaw', {
    policy: 'user',
    pool: 'bulk',
    query: schemas.ThawQuery,
    responses: { 200: schemas.ThawResponse },
    refusals: ['FORBIDDEN', 'EVENT_NOT_ENDED', 'NOT_FROZEN', 'NOTHING_REVEALED'],
    handler: async ({ db, params: { event_id }, query: { next = false, undo = false } }) => {
      if (next && undo) throw new AppError('VALIDATION', 'next and undo must not be given together')
      return changeManagedEvent(db, event_id, async (tx) => {
        const step = await (undo ? hideStep : next ? revealStep : thaw)(tx, event_id)
        const { state, steps_left } = found(await tx.query(readThaw, { event_id }), 'event')
        return ok(JSON.stringify({ event_id, state, steps_left, ...step }))
      })
    },
  })
}
