import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError, type Refusal } from '../../../http/routing/errors.ts'
import { found } from '../../../http/routing/responses.ts'
import { recountCells } from '../events/change-sql.ts'
import * as sql from './thaw-sql.ts'

/** What changed: nothing if all cells did. */
export type Step = { revealed?: unknown; hidden?: unknown }

/**
 * Ends the freeze at once. This and the other steps run after `lockManagedEvent`, and throw
 * NOT_FOUND, FORBIDDEN, NOT_FROZEN or EVENT_NOT_ENDED (P23).
 */
export async function thaw(tx: ActorDatabase, event_id: number): Promise<Step> {
  return thawAll(tx, event_id, await readContest(tx, event_id))
}

/** Reveals the next cell. Where no cell is frozen any more, everything is thawed. */
export async function revealStep(tx: ActorDatabase, event_id: number): Promise<Step> {
  const contest = await readContest(tx, event_id)
  const reveal = contest.ranks_teams ? sql.revealNextOfTeam : sql.revealNextOfUser
  const [cell] = contest.is_thawed ? [] : await tx.query(reveal, { event_id })
  if (cell === undefined) return thawAll(tx, event_id, contest)
  return { revealed: await recount(tx, event_id, cell) }
}

/** Takes the last step or the thaw back. Throws NOTHING_REVEALED too. */
export async function hideStep(tx: ActorDatabase, event_id: number): Promise<Step> {
  const contest = await readContest(tx, event_id)
  if (contest.is_thawed) {
    await setThawed(tx, event_id, contest, false)
    return {}
  }
  const [cell] = await tx.query(sql.hideLast, { event_id })
  if (cell === undefined)
    throw new AppError('NOTHING_REVEALED', 'No step has revealed anything: there is nothing to take back')
  return { hidden: await recount(tx, event_id, cell) }
}

async function readContest(tx: ActorDatabase, event_id: number): Promise<sql.ThawState> {
  const contest = found(await tx.query(sql.readThawState, { event_id }), 'event')
  if (contest.refusal !== null) throw new AppError(...refusals[contest.refusal])
  return contest
}

const refusals: Record<sql.ThawRefusal, Refusal> = {
  not_staff: ['FORBIDDEN', 'Only the staff of the contest may thaw its standings'],
  not_frozen: ['NOT_FROZEN', 'The contest has no freeze_time'],
  not_ended: ['EVENT_NOT_ENDED', 'The standings can be thawed after the end of the last participant'],
}

async function thawAll(tx: ActorDatabase, event_id: number, contest: sql.ThawState): Promise<Step> {
  if (contest.is_thawed) throw new AppError('NOT_FROZEN', 'The standings are not frozen')
  await setThawed(tx, event_id, contest, true)
  return {}
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
