import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf, type RowOf } from '../../../db/statement.ts'
import { scoredFrom } from '../../contests/standings/scores.ts'
import { keptFrom, verdictColumns } from '../submissions/verdict-sql.ts'
import { MANAGES_DECISION, outcomeOf } from './sql.ts'

/**
 * Locks a decision until the transaction ends, so that only one request decides. Use it as the
 * first statement: later ones then see all that was committed before the lock.
 */
export const lockDecision = actorStatement({
  name: 'lock_rejudging_decision',
  params: { decision_id: 'uuid' },
  columns: { state: oneOf('OPEN', 'APPLIED', 'CANCELLED') },
  with: `locked as materialized (
      select decision.state
      from rejudging_decisions as decision
      where decision.id = :decision_id and ${MANAGES_DECISION} and ${ACTOR_EXISTS}
      for update
    )`,
  select: 'select locked.state from locked',
})

/** A row if a shadow judging of the decision has no verdict yet. */
export const findPending = actorStatement({
  name: 'find_pending_of_rejudging',
  params: { decision_id: 'uuid' },
  columns: { id: 'text' },
  select: `
      select shadow_judgings.id::text
      from rejudging_items as items
      join shadow_judgings on shadow_judgings.id = items.shadow_judging_id
      where items.decision_id = :decision_id and shadow_judgings.status = 'PENDING'
      limit 1`,
})

/** The submissions of one statement: each has its own time limit. */
const BATCH = 1000

/** The verdict of a shadow judging as a column of its submission. */
const columnOfShadow = (column: string) =>
  column === 'test_case_results'
    ? // The text cannot be part of an output: there, quotes are escaped.
      `replace(shadows.test_case_results::text, '"submission_id":"' || shadows.id || '"',
                                '"submission_id":"' || submissions.id || '"')::json`
    : `shadows.${column}`

/**
 * Applies the verdicts of the next submissions in the order of their ids, as their next judgings,
 * and keeps the earlier verdicts. The submissions are locked: a concurrent verdict or rejudging
 * comes before, and leaves its submission out, or after. Use it after `lockDecision`.
 */
export const applyBatch = actorStatement({
  name: 'apply_rejudging_batch',
  params: { decision_id: 'uuid', after: 'uuid' },
  columns: { last_id: 'text | null' },
  with: `items as materialized (
      select items.*
      from rejudging_items as items
      where items.decision_id = :decision_id and items.submission_id > :after and ${ACTOR_EXISTS}
      order by items.submission_id
      limit ${BATCH}
    ), held as materialized (
      select submissions.*
      from submissions
      where submissions.id = any(array(select items.submission_id from items))
      order by submissions.id
      for update
    ), judged as materialized (
      select held.id, items.decision_id, items.shadow_judging_id, shadows.status, shadows.reason, shadows.score,
             ${outcomeOf('held')} as outcome
      from items
      join held on held.id = items.submission_id
      left join shadow_judgings as shadows on shadows.id = items.shadow_judging_id
    ), replaced as (
      select held.* from held join judged on judged.id = held.id where judged.outcome = 'CHANGED'
    ), kept as (
      ${keptFrom('replaced')}
    ), stored as (
      update submissions
      set ${verdictColumns.map((column) => `${column} = ${columnOfShadow(column)}`).join(',\n          ')},
          attempt = submissions.attempt + 1, verdict_attempt = submissions.attempt + 1
      from judged
      join shadow_judgings as shadows on shadows.id = judged.shadow_judging_id
      where submissions.id = judged.id and judged.outcome = 'CHANGED'
    ), noted as (
      update rejudging_items
      set outcome = judged.outcome, new_status = judged.status, new_reason = judged.reason,
          new_score = judged.score
      from judged
      where rejudging_items.decision_id = judged.decision_id and rejudging_items.submission_id = judged.id
    )`,
  select: 'select max(items.submission_id::text) as last_id from items',
})

const counted = (outcomes: string) => `count(*) filter (where items.outcome ${outcomes})`

/** The submissions that the batches changed. */
const CHANGED = `from rejudging_items as items
      join submissions on submissions.id = items.submission_id
      where items.decision_id = :decision_id and items.outcome = 'CHANGED' and ${ACTOR_EXISTS}`

const resultColumns = {
  submission_id: 'text',
  event_id: 'integer',
  user_id: 'text',
  problem_id: 'integer',
  status: 'text',
  score: 'float8 | null',
} as const

/** A submission of a contest, and the result that it would get. */
export type NewResult = RowOf<typeof resultColumns>

/** The new results of the submissions that the batches changed in contests. */
export const listNewResults = actorStatement({
  name: 'list_new_results_of_rejudging',
  params: { decision_id: 'uuid' },
  columns: resultColumns,
  select: `
      select submissions.id::text as submission_id, submissions.event_id, submissions.user_id::text, submissions.problem_id,
             submissions.status, submissions.score::float8 as score
      ${CHANGED} and submissions.event_id is not null`,
})

/** Keeps the ranks that the applied verdicts change. */
export const keepRanks = actorStatement({
  name: 'keep_ranks_of_rejudging',
  params: { decision_id: 'uuid', rank_changes: 'json' },
  with: `kept as (
      update rejudging_decisions
      set rank_changes = :rank_changes
      where rejudging_decisions.id = :decision_id and ${ACTOR_EXISTS}
    )`,
  select: 'select',
})

/** Updates the standings, all cells in the order of their keys, and closes the decision. */
export const finishApplying = actorStatement({
  name: 'finish_applying_rejudging',
  params: { decision_id: 'uuid' },
  columns: { id: 'uuid' },
  with: `applied as materialized (
      select submissions.*
      ${CHANGED}
    ), scored as (
      ${scoredFrom('applied')}
    ), finished as (
      update rejudging_decisions
      set state = 'APPLIED', decided_by = :actor, decided_at = now(), applied = counts.applied,
          unchanged = counts.unchanged, left_out = counts.left_out
      from (
        select ${counted(`= 'CHANGED'`)} as applied, ${counted(`= 'UNCHANGED'`)} as unchanged,
               ${counted(`not in ('CHANGED', 'UNCHANGED')`)} as left_out
        from rejudging_items as items
        where items.decision_id = :decision_id
      ) as counts
      where rejudging_decisions.id = :decision_id and ${ACTOR_EXISTS}
      returning rejudging_decisions.id
    )`,
  select: 'select finished.id from finished',
})

/**
 * Closes a decision, and deletes its pending shadow judgings and their unsent messages. A message
 * that the relay holds is published: its worker finds nothing to judge. Messages are locked first,
 * as the relay does. Use it after `lockDecision`.
 */
export const cancelDecision = actorStatement({
  name: 'cancel_rejudging_decision',
  params: { decision_id: 'uuid' },
  columns: { id: 'uuid' },
  with: `pending as materialized (
      select shadow_judgings.id
      from rejudging_items as items
      join shadow_judgings on shadow_judgings.id = items.shadow_judging_id
      where items.decision_id = :decision_id and shadow_judgings.judged_at is null and ${ACTOR_EXISTS}
    ), unsent as materialized (
      select outbox.id, outbox.subject_id
      from outbox
      where outbox.kind = 'shadow' and outbox.subject_id = any(array(select pending.id from pending))
      for update skip locked
    ), deleted as (
      delete from shadow_judgings
      where shadow_judgings.id = any(array(select pending.id from pending))
        and shadow_judgings.judged_at is null and (select count(*) from unsent) >= 0
      returning shadow_judgings.id
    ), dropped as (
      delete from outbox
      where outbox.id = any(array(
        select unsent.id from unsent join deleted on deleted.id = unsent.subject_id))
    ), cancelled as (
      update rejudging_decisions
      set state = 'CANCELLED', decided_by = :actor, decided_at = now()
      where rejudging_decisions.id = :decision_id and ${ACTOR_EXISTS}
      returning rejudging_decisions.id
    )`,
  select: 'select cancelled.id from cancelled',
})
