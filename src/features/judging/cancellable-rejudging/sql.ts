import { actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, joinedText } from '../../../db/json.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { finestStatus } from '../../shared/records/verdicts.ts'
import { MOST_PENDING } from './schemas.ts'

/** The actor may read and decide: an admin, or staff of the contest of the decision. */
export const MANAGES_DECISION = `(:actor_role = 2 or exists (
        select from events
        where events.id = decision.event_id and events.deleted_at is null and ${managesEvent('events')}))`

const VERSION_COLUMNS = ['attempt', 'verdict_attempt', 'judged_at', 'status', 'score']

const versionOf = (table: string) => `(${VERSION_COLUMNS.map((column) => `${table}.${column}`).join(', ')})`

/**
 * SQL: what applying would do to a submission. It is left out if it has got another verdict since
 * the request or waits for one, if its shadow judging was deleted, and if the judge failed. A
 * reason counts as the status. The tables are `items`, `submissions` and `shadows`.
 */
export const outcomeOf = (submissions: string) => `case
        when shadows.status = 'PENDING' then 'PENDING'
        when ${versionOf(submissions)} is distinct from ${versionOf('items')} then 'JUDGED_AGAIN'
        when shadows.id is null then 'JUDGING_DELETED'
        when shadows.status = 'INTERNAL_ERROR' then 'INTERNAL_ERROR'
        when (${finestStatus('shadows')}, shadows.score)
          is not distinct from (${finestStatus('items')}, items.score) then 'UNCHANGED'
        else 'CHANGED' end`

const decisionFields = `
      ${fieldsOf('decision', 'id', 'state', 'reason', 'requested_by')},
      'requested_at', utc(decision.requested_at),
      'decided_by', decision.decided_by,
      'decided_at', utc(decision.decided_at),
      ${fieldsOf('decision', 'event_id', 'problem_id', 'language_id', 'status', 'user_id')},
      ${fieldsOf('decision', 'total', 'waiting', 'deleted', 'applied')}`

/**
 * Without the ids of submissions, so that a list is quick. An open decision has its progress: to
 * count 10,000 items took 30 ms.
 */
const listed = (name: string, where?: string) => ({
  name,
  item: `json_strip_nulls(json_build_object(${decisionFields},
      'judged', case when decision.state = 'OPEN' then decision.total - unjudged.pending end,
      'pending', case when decision.state = 'OPEN' then unjudged.pending end,
      'unchanged', decision.unchanged,
      'left_out', decision.left_out))`,
  from: `rejudging_decisions as decision
      cross join lateral (
        select count(*)::integer as pending
        from rejudging_items as items
        where items.decision_id = decision.id and decision.state = 'OPEN' and (
          select shadow_judgings.status from shadow_judgings where shadow_judgings.id = items.shadow_judging_id) = 'PENDING'
      ) as unjudged`,
  ...(where !== undefined && { where }),
  order: newestFirst('decision.requested_at', 'decision.id', 'uuid'),
})

export const listDecisions = defineList(listed('list_rejudging_decisions'))

export const listEventDecisions = defineList({
  ...listed('list_event_rejudging_decisions', 'decision.event_id = :event_id'),
  params: { event_id: 'integer' },
})

/** Whether the actor is staff of the contest. No row: there is no such contest. */
export const readStaff = actorStatement({
  name: 'read_staff_of_event',
  params: { event_id: 'integer' },
  columns: { is_staff: 'boolean' },
  select: `
      select ${managesEvent('events')} as is_staff
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

const count = (outcomes: string) => `(count(*) filter (where judged.outcome ${outcomes}))::integer`

/** Of a decision that was cancelled, nothing would change. */
const countedJson = `select json_build_object(
               'judged', ${count(`not in ('PENDING', 'CANCELLED')`)},
               'pending', ${count(`= 'PENDING'`)},
               'changed', case when decision.state = 'OPEN' then ${count(`= 'CHANGED'`)} end,
               'unchanged', case when decision.state <> 'CANCELLED' then ${count(`= 'UNCHANGED'`)} end,
               'left_out', case when decision.state <> 'CANCELLED' then ${count(
                 `in ('JUDGED_AGAIN', 'JUDGING_DELETED', 'INTERNAL_ERROR')`,
               )} end)
             from judged`

const changesJson = `select json_agg(json_build_object(
               ${fieldsOf('changed', 'submission_id', 'user_id', 'problem_id', 'event_id')},
               ${fieldsOf('changed', 'shadow_judging_id', 'from_status', 'from_reason')},
               'from_score', trim_scale(changed.from_score),
               'to_status', changed.status,
               'to_reason', changed.reason,
               'to_score', trim_scale(changed.score)) order by changed.submission_id)
             from changed`

const leftOutJson = `select json_agg(json_build_object(
               'submission_id', judged.submission_id, 'why', judged.outcome) order by judged.submission_id)
             from judged
             where judged.outcome in ('JUDGED_AGAIN', 'JUDGING_DELETED', 'INTERNAL_ERROR')`

/** Those that a judge may have come first: one of them may be stuck. */
const pendingJson = `select json_agg(json_build_object(
               'submission_id', pending.submission_id, 'shadow_judging_id', pending.shadow_judging_id)
               order by pending.published desc, pending.submission_id)
             from (
               select judged.submission_id, judged.shadow_judging_id, judged.published
               from judged
               where judged.outcome = 'PENDING'
               order by judged.published desc, judged.submission_id
               limit ${MOST_PENDING}
             ) as pending`

/**
 * A decision with what it would change, or has changed. An open one is compared with the present
 * verdicts, and has no `rank_changes` yet. A cancelled one keeps its finished shadow judgings, and
 * changes nothing.
 */
export const readDecision = actorStatement({
  name: 'read_rejudging_decision',
  params: { decision_id: 'uuid' },
  columns: { body: 'text' },
  with: `decision as materialized (
      select decision.*
      from rejudging_decisions as decision
      where decision.id = :decision_id and ${MANAGES_DECISION}
    ), judged as materialized (
      select submissions.id as submission_id, submissions.user_id, submissions.problem_id, submissions.event_id,
             submissions.submit_time, items.shadow_judging_id, coalesce(shadows.published, false) as published, items.status as from_status,
             items.reason as from_reason, items.score as from_score,
             case decision.state
               when 'OPEN' then ${outcomeOf('submissions')}
               when 'APPLIED' then items.outcome
               else case when shadows.id is null then 'CANCELLED' else 'JUDGED' end end as outcome,
             case when decision.state = 'OPEN' then shadows.status else items.new_status end as status,
             case when decision.state = 'OPEN' then shadows.reason else items.new_reason end as reason,
             case when decision.state = 'OPEN' then shadows.score else items.new_score end as score
      from decision
      join rejudging_items as items on items.decision_id = decision.id
      join submissions on submissions.id = items.submission_id
      left join shadow_judgings as shadows on shadows.id = items.shadow_judging_id
    ), changed as materialized (
      select judged.* from judged where judged.outcome = 'CHANGED'
    )`,
  select: `
      select ${joinedText(
        `json_strip_nulls(json_build_object(${decisionFields}, 'submission_ids', decision.submission_ids))`,
        `json_strip_nulls((${countedJson}))`,
        `json_strip_nulls(json_build_object(
               'changes', coalesce((${changesJson}), '[]'),
               'left_out_submissions', coalesce((${leftOutJson}), '[]'),
               'rank_changes', decision.rank_changes,
               'pending_judgings', case when decision.state = 'OPEN' then coalesce((${pendingJson}), '[]') end))`,
      )} as body
      from decision`,
})
