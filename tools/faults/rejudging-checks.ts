import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { type Finding, find, IS_APPLIED, ITEMS } from './checks.ts'
import type { Rejudging } from './rejudgings.ts'

type Decided = { id: string; state: string; is_in_part: boolean; is_touched: boolean; is_incomplete: boolean }

const DECISIONS = `
  select decision.id::text, decision.state,
         decision.rank_changes is null or counts.unknown > 0
           or (decision.applied, decision.unchanged, decision.left_out)
              is distinct from (counts.changed, counts.unchanged, counts.left_out) as is_in_part,
         counts.known > 0 as is_touched,
         decision.total <> counts.shadows as is_incomplete
  from rejudging_decisions as decision
  cross join lateral (
    select count(*) filter (where items.outcome is null) as unknown,
           count(items.outcome) as known,
           (count(*) filter (where items.outcome = 'CHANGED'))::integer as changed,
           (count(*) filter (where items.outcome = 'UNCHANGED'))::integer as unchanged,
           (count(*) filter (where items.outcome not in ('CHANGED', 'UNCHANGED')))::integer as left_out,
           count(shadows.id) as shadows
    from rejudging_items as items
    left join shadow_judgings as shadows on shadows.id = items.shadow_judging_id
    where items.decision_id = decision.id
  ) as counts`

/** Every verdict of a submission, also the replaced ones. */
const VERDICTS = `(
    select submissions.verdict_attempt as judging, submissions.status, submissions.time_elapsed
    from submissions
    where submissions.id = items.submission_id and submissions.status <> 'PENDING'
    union all
    select verdicts.attempt, verdicts.status, verdicts.time_elapsed
    from verdicts
    where verdicts.submission_id = items.submission_id
  ) as verdict`

const WITHOUT_VERDICT = `
  select distinct items.submission_id::text as id
  from ${ITEMS}
  where ${IS_APPLIED} and (
    select array_agg((verdict.status, verdict.time_elapsed)::text)
    from ${VERDICTS}
    where verdict.judging = items.attempt + 1) is distinct from array[(shadows.status, shadows.time_elapsed)::text]`

/** Each verdict of the worker has a time of its own. */
const WITH_FOREIGN_VERDICT = `
  select distinct items.submission_id::text as id
  from ${ITEMS}
  where not ${IS_APPLIED} and shadows.judged_at is not null
    and exists (select from ${VERDICTS} where verdict.time_elapsed = shadows.time_elapsed)`

const LEFT = `
  select shadows.id::text as id
  from ${ITEMS}
  where decision.state = 'CANCELLED' and shadows.status = 'PENDING'`

/** Checks that each rejudging was decided as a whole, or not at all. */
export async function checkRejudgings(db: Queryable, requested: readonly Rejudging[]): Promise<Finding[]> {
  const stored = await ask<Decided>(db, DECISIONS)
  const states = new Map(stored.map(({ id, state }) => [id, state]))
  const read = async (what: string, sql: string) => find(what, await ask<{ id: string }>(db, sql))
  return [
    find('rejudgings LOST after their 202', requested, ({ id }) => !states.has(id)),
    find(
      'rejudgings in another state than their response said',
      requested,
      ({ id, decided }) => decided !== undefined && states.has(id) && states.get(id) !== decided,
    ),
    find('rejudgings applied in part', stored, ({ state, is_in_part }) => state === 'APPLIED' && is_in_part),
    find(
      'rejudgings not applied, with applied parts',
      stored,
      ({ state, is_touched }) => state !== 'APPLIED' && is_touched,
    ),
    find(
      'open rejudgings without all judgings',
      stored,
      ({ state, is_incomplete }) => state === 'OPEN' && is_incomplete,
    ),
    await read('pending judgings of cancelled rejudgings', LEFT),
    await read('submissions without the one verdict of an applied rejudging', WITHOUT_VERDICT),
    await read('submissions with a verdict that was not applied', WITH_FOREIGN_VERDICT),
  ]
}
