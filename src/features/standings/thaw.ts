import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError, type Refusal } from '../../http/routing/errors.ts'
import { found, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { EventPath } from '../../http/routing/schema.ts'
import { changeManagedEvent } from '../access/change-event.ts'
import { recountCells } from '../events/change-sql.ts'
import * as schemas from './schemas.ts'
import * as sql from './thaw-sql.ts'

/** Ends the freeze of the standings, at once or cell by cell (P23). */
export function thawRoute() {
  return defineRoute({
    method: 'POST',
    url: '/v1/events/:event_id/thaw',
    name: 'thawStandings',
    policy: 'user',
    pool: 'bulk',
    params: EventPath,
    query: schemas.ThawQuery,
    responses: { 200: schemas.ThawResponse },
    refusals: ['FORBIDDEN', 'EVENT_NOT_ENDED', 'NOT_FROZEN', 'NOTHING_REVEALED'],
    handler: async ({ db, params: { event_id }, query: { next = false, undo = false } }) => {
      if (next && undo) throw new AppError('VALIDATION', 'next and undo must not be given together')
      return changeManagedEvent(db, event_id, async (tx) => {
        const contest = found(await tx.query(sql.readThawState, { event_id }), 'event')
        if (contest.refusal !== null) throw new AppError(...refusals[contest.refusal])
        const step = await (undo ? hideStep : next ? revealStep : thaw)(tx, event_id, contest)
        const { state, steps_left } = found(await tx.query(sql.readThaw, { event_id }), 'event')
        return ok(JSON.stringify({ event_id, state, steps_left, ...step }))
      })
    },
  })
}

const refusals: Record<sql.ThawRefusal, Refusal> = {
  not_staff: ['FORBIDDEN', 'Only the staff of the contest may thaw its standings'],
  not_frozen: ['NOT_FROZEN', 'The contest has no freeze_time'],
  not_ended: ['EVENT_NOT_ENDED', 'The standings can be thawed after the end of the last participant'],
}

/** What changed: nothing if all cells did. */
type Step = { revealed?: unknown; hidden?: unknown }

async function thaw(tx: ActorDatabase, event_id: number, contest: sql.ThawState): Promise<Step> {
  if (contest.is_thawed) throw new AppError('NOT_FROZEN', 'The standings are not frozen')
  await setThawed(tx, event_id, contest, true)
  return {}
}

/** Where no cell is frozen any more, everything is thawed. */
async function revealStep(tx: ActorDatabase, event_id: number, contest: sql.ThawState): Promise<Step> {
  const reveal = contest.ranks_teams ? sql.revealNextOfTeam : sql.revealNextOfUser
  const [cell] = contest.is_thawed ? [] : await tx.query(reveal, { event_id })
  if (cell === undefined) return thaw(tx, event_id, contest)
  return { revealed: await recount(tx, event_id, cell) }
}

async function hideStep(tx: ActorDatabase, event_id: number, contest: sql.ThawState): Promise<Step> {
  if (contest.is_thawed) {
    await setThawed(tx, event_id, contest, false)
    return {}
  }
  const [cell] = await tx.query(sql.hideLast, { event_id })
  if (cell === undefined)
    throw new AppError('NOTHING_REVEALED', 'No step has revealed anything: there is nothing to take back')
  return { hidden: await recount(tx, event_id, cell) }
}

async function setThawed(
  tx: ActorDatabase,
  event_id: number,
  { freeze_time }: sql.ThawState,
  thawed: boolean,
): Promise<void> {
  await tx.query(sql.setThawed, { event_id, thawed })
  await tx.query(recountCells, { event_id, since: freeze_time })
}

async function recount(tx: ActorDatabase, event_id: number, changed: sql.ChangedCell): Promise<unknown> {
  const { cell, problem_id, user_ids } = changed
  await tx.query(sql.recountCellsOf, { event_id, problem_id, user_ids })
  return JSON.parse(cell)
}
