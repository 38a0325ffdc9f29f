import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockExclusively } from '../../../db/advisory-lock.ts'
import { oneOf, type RowOf, type Values } from '../../../db/statement.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { shadowsCreatedFrom } from '../shadow-judgings/sql.ts'

/**
 * One request judges at most so many submissions, with programs of so many bytes together. All open
 * decisions of one contest have no more (P24).
 */
export const MOST_SUBMISSIONS = 10_000
export const MOST_PROGRAM_BYTES = 128 * 1024 * 1024

const filterParams = {
  event_id: 'integer?',
  problem_id: 'integer?',
  language_id: 'uuid?',
  status: 'text?',
  user_id: 'uuid?',
  submission_ids: 'uuid[]?',
} as const

/** Values that choose submissions. */
export type Filters = Values<typeof filterParams>

export type Filter = keyof Filters

export const decisionFilters = Object.keys(filterParams) as readonly Filter[]

function conditionOf(filter: Filter): string {
  if (filter === 'submission_ids') return 'submissions.id = any (:submission_ids)'
  if (filter === 'status') return ':status in (submissions.status, submissions.reason)'
  return `submissions.${filter} = :${filter}`
}

/** The filters that have a value. */
export const filtersOf = (values: Filters) =>
  decisionFilters.filter((name) => (values[name] ?? null) !== null)

/** What became of a request, with the numbers that its refusal needs. */
const requestedColumns = {
  outcome: oneOf('created', 'no_event', 'not_staff', 'is_open', 'too_many', 'too_large', 'none', 'no_room'),
  total: 'integer',
  /** An open decision with the same filters. */
  open_id: 'uuid | null',
  /** The submissions of all open decisions of the contest. */
  open_total: 'integer',
} as const

export type Requested = RowOf<typeof requestedColumns>

const IS_JUDGED_AGAIN = `matching.status <> 'PENDING' and not matching.is_deleted`

const FITS = `counted.total between 1 and ${MOST_SUBMISSIONS} and counted.bytes <= ${MOST_PROGRAM_BYTES}
        and held.total + counted.total <= ${MOST_SUBMISSIONS} and held.bytes + counted.bytes <= ${MOST_PROGRAM_BYTES}`

/**
 * Requests for one contest, and those without one, wait for each other until the transaction ends.
 * Does nothing unless the actor may request any.
 */
export const lockRequests = actorStatement({
  name: 'lock_rejudging_requests',
  params: { event_id: 'integer | null' },
  with: `allowed as materialized (
      select events.id
      from events
      where events.id = :event_id and ${managesEvent('events')}
      union all
      select 0 where :event_id is null and :actor_role = 2
    ), entered as materialized (
      select ${lockExclusively('rejudgings', 'allowed.id')} from allowed
    )`,
  select: 'select from entered',
})

/** Whether `decision` was requested with these filters and values. */
const hasSameFilters = (filters: readonly Filter[]) =>
  decisionFilters
    .map((filter) => {
      if (!filters.includes(filter)) return `decision.${filter} is null`
      if (filter !== 'submission_ids') return `decision.${filter} = :${filter}`
      return 'decision.submission_ids @> :submission_ids and decision.submission_ids <@ :submission_ids'
    })
    .join(' and ')

/** Open decisions count together only within a contest (P24). */
const heldBy = (isOfEvent: boolean) =>
  isOfEvent
    ? `select coalesce(sum(opened.total), 0)::integer as total, (
               select coalesce(sum(octet_length(submissions.source_code)), 0)
               from opened as decisions
               join rejudging_items as items on items.decision_id = decisions.id
               join submissions on submissions.id = items.submission_id) as bytes
      from opened`
    : 'select 0 as total, 0 as bytes'

/**
 * Stores a decision with the shadow judgings of the submissions that match all of these filters,
 * and their messages. Only admins may leave out the event. Judges cannot read the tests of a
 * deleted problem, and a pending submission gets its verdict anyway: these are only counted. Use it
 * after `lockRequests`.
 */
export function createDecision(filters: readonly Filter[]) {
  const isOfEvent = filters.includes('event_id')
  const names = filters.map((filter) => filter.replace(/_ids?$/, '')).join('_')
  return actorStatement({
    name: `open_rejudging_${names}`,
    params: { id: 'uuid', reason: 'text | null', ...filterParams },
    columns: requestedColumns,
    with: `staff as (
      ${
        isOfEvent
          ? `select ${managesEvent('events')} as is_allowed
      from events
      where events.id = :event_id and events.deleted_at is null`
          : 'select :actor_role = 2 as is_allowed'
      }
    ), opened as materialized (
      select decision.id, decision.total, decision.requested_at, ${hasSameFilters(filters)} as is_same
      from rejudging_decisions as decision
      where decision.state = 'OPEN' and decision.event_id ${isOfEvent ? '= :event_id' : 'is null'}
    ), same as materialized (
      select opened.id from opened where opened.is_same order by opened.requested_at, opened.id limit 1
    ), held as materialized (
      ${heldBy(isOfEvent)}
    ), matching as materialized (
      select submissions.id, submissions.status, problems.deleted_at is not null as is_deleted,
             octet_length(submissions.source_code) as bytes
      from submissions
      join problems on problems.id = submissions.problem_id
      where ${filters.map(conditionOf).join(' and ')}
        and (select staff.is_allowed from staff) and not exists (select from same) and ${ACTOR_EXISTS}
    ), counted as materialized (
      select (count(*) filter (where ${IS_JUDGED_AGAIN}))::integer as total,
             count(*) filter (where matching.is_deleted) as deleted,
             count(*) filter (where matching.status = 'PENDING' and not matching.is_deleted) as waiting,
             coalesce(sum(matching.bytes) filter (where ${IS_JUDGED_AGAIN}), 0) as bytes
      from matching
    ), decision as (
      insert into rejudging_decisions (id, requested_by, reason, total, waiting, deleted, ${filters.join(', ')})
      select :id, :actor, :reason, counted.total, counted.waiting, counted.deleted,
             ${filters.map((filter) => `:${filter}`).join(', ')}
      from counted
      cross join held
      where ${FITS}
      returning rejudging_decisions.id
    ), programs as materialized (
      select gen_random_uuid() as id, submissions.id as submission_id, submissions.problem_id,
             submissions.language_id, submissions.event_id, submissions.source_code, submissions.attempt,
             submissions.verdict_attempt, submissions.judged_at, submissions.status, submissions.reason,
             submissions.score
      from decision
      cross join matching
      join submissions on submissions.id = matching.id
      where ${IS_JUDGED_AGAIN}
    ), ${shadowsCreatedFrom()}, items as (
      insert into rejudging_items (
        decision_id, submission_id, shadow_judging_id, attempt, verdict_attempt, judged_at, status, reason, score)
      select decision.id, programs.submission_id, programs.id, programs.attempt, programs.verdict_attempt,
             programs.judged_at, programs.status, programs.reason, programs.score
      from decision
      cross join programs
    )`,
    select: `
      select case
               when not exists (select from staff) then 'no_event'
               when not (select staff.is_allowed from staff) then 'not_staff'
               when exists (select from same) then 'is_open'
               when exists (select from decision) then 'created'
               when counted.total = 0 then 'none'
               when counted.total > ${MOST_SUBMISSIONS} then 'too_many'
               when counted.bytes > ${MOST_PROGRAM_BYTES} then 'too_large'
               else 'no_room'
             end as outcome,
             counted.total, (select same.id from same) as open_id, held.total as open_total
      from counted
      cross join held`,
  })
}
