import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError, type Refusal } from '../../../http/routing/errors.ts'
import { found } from '../../../http/routing/responses.ts'
import { nextReveal } from '../../../standings/thaw.ts'
import { recountCells, recountCellsOf } from '../events/change-sql.ts'
import { readTableOnce } from './read-table.ts'
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
  const next = contest.is_thawed ? undefined : await findNext(tx, event_id, contest)
  if (next === undefined) return thawAll(tx, event_id, contest)
  const { by, owner, problem_id } = next
  const { id, name } = owner
  const { user_ids } = found(
    await tx.query(sql.revealCell, { event_id, owner_id: id, problem_id }),
    'event',
  )
  await tx.query(recountCellsOf, { event_id, problem_id, user_ids })
  return { revealed: { [by]: { id, name }, problem_id } }
}

/** The cell that is revealed next, in the standings as they are shown. */
async function findNext(tx: ActorDatabase, event_id: number, { ranks_teams }: sql.ThawState) {
  const by = ranks_teams ? 'team' : 'user'
  const { table } = await readTableOnce(tx, by, { event_id, is_live: false })
  const standings = await table.standings()
  const next = nextReveal(standings)
  return next && { by, ...next }
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
  const { problem_id, user_ids } = cell
  await tx.query(recountCellsOf, { event_id, problem_id, user_ids })
  return { hidden: JSON.parse(cell.cell) }
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
