import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { compile, oneOf, type RowOf, shapesOf, statement, type Values } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { queuedFrom } from '../../../queue/outbox.ts'
import { scoredFrom } from '../../contests/standings/scores.ts'
import { keptFrom } from '../submissions/verdict-sql.ts'

const idParams = {
  submission_id: 'uuid?',
  problem_id: 'integer?',
  event_id: 'integer?',
  language_id: 'uuid?',
  user_id: 'uuid?',
} as const

/** The ids that choose submissions; a statement uses only the ids of its filters. */
export type RejudgeIds = Values<typeof idParams>

export type RejudgeFilter = keyof RejudgeIds

export const rejudgeFilters = Object.keys(idParams) as readonly RejudgeFilter[]

/** The filters that have an id. */
export const filtersOf = (ids: RejudgeIds) => rejudgeFilters.filter((name) => (ids[name] ?? null) !== null)

const columnOf = (filter: RejudgeFilter) => (filter === 'submission_id' ? 'id' : filter)

const recordOf = (filter: RejudgeFilter) => filter.replace('_id', '')

const namesOf = (filters: readonly RejudgeFilter[]) => filters.map(recordOf).join('_')

/** Judges cannot read the tests of a deleted problem: its submissions do not match. */
const matches = (filters: readonly RejudgeFilter[]) => `
        ${filters.map((filter) => `submissions.${columnOf(filter)} = :${filter}`).join(' and ')}
        and exists (
          select from problems where problems.id = submissions.problem_id and problems.deleted_at is null)`

/** The records of the filters that do not exist. */
export const findMissing = (filters: readonly RejudgeFilter[]) =>
  actorStatement({
    name: `missing_${namesOf(filters)}`,
    params: idParams,
    columns: { missing: 'text' },
    select: filters
      .map(
        (filter) => `
      select '${recordOf(filter)}' as missing
      where not exists (select from ${recordOf(filter)}s where ${recordOf(filter)}s.id = :${filter})`,
      )
      .join(' union all '),
  })

/** Stores a request. No row: a request with these filters is being queued. */
export const createRejudging = (filters: readonly RejudgeFilter[]) =>
  actorStatement({
    name: `create_rejudging_${namesOf(filters)}`,
    params: { id: 'uuid', ...idParams },
    columns: { id: 'text' },
    with: `created as (
      insert into rejudgings (id, requested_by, ${filters.join(', ')}, total)
      select :id, :actor, ${filters.map((filter) => `:${filter}`).join(', ')}, (
        select count(*) from submissions where ${matches(filters)})
      where ${ACTOR_EXISTS}
      on conflict do nothing
      returning rejudgings.id
    )`,
    select: 'select created.id::text from created',
  })

/** The request with exactly these filters that is being queued. */
export const findQueueing = actorStatement({
  name: 'find_queueing_rejudging',
  params: idParams,
  columns: { id: 'text' },
  select: `
      select rejudgings.id::text
      from rejudgings
      where rejudgings.status = 'QUEUEING'
        and ${rejudgeFilters.map((name) => `rejudgings.${name} is not distinct from :${name}`).join('\n        and ')}`,
})

/** The requests that are being queued, with their ids, the oldest first. */
export const findUnfinished = statement({
  name: 'find_unfinished_rejudging',
  columns: {
    ...{ id: 'uuid', submission_id: 'uuid | null', problem_id: 'integer | null' },
    ...{ event_id: 'integer | null', language_id: 'uuid | null', user_id: 'uuid | null' },
  },
  sql: `select rejudgings.id, ${rejudgeFilters.map((name) => `rejudgings.${name}`).join(', ')}
        from rejudgings
        where rejudgings.status = 'QUEUEING'
        order by rejudgings.requested_at`,
})

// Verdicts of a batch's submissions wait for it: 1,000 verdicts of 20 results each took 36 ms.
// Keeping large outputs writes them again: the limit in bytes avoids the statement timeout.
const BATCH = 1000
const BATCH_BYTES = 8 * 1024 * 1024

/**
 * Queues the next batch of a request, each submission as a new judging, and keeps their verdicts.
 * Submissions that wait for their verdict anyway are skipped. The row of the request is locked: no
 * row means that another process works on it, or that it is finished.
 */
export function queueBatch(filters: readonly RejudgeFilter[]) {
  const params = { id: 'uuid', ...idParams } as const
  const columns = { status: oneOf('QUEUEING', 'QUEUED'), queued: 'integer' } as const
  return compile<RowOf<typeof columns>, Values<typeof params>>({
    name: `queue_rejudging_${namesOf(filters)}`,
    ...{ params, columns: shapesOf(columns) },
    // Submissions are locked in the order of their ids, before any cell of the standings: two
    // rejudgings never deadlock.
    sql: `with rejudging as materialized (
          select rejudgings.*
          from rejudgings
          where rejudgings.id = :id and rejudgings.status = 'QUEUEING'
          for update skip locked
        ), next as (
          select submissions.id,
                 pg_column_size(submissions.stdout) + pg_column_size(submissions.stderr)
                   + coalesce(pg_column_size(submissions.test_case_results), 0)
                   + coalesce(pg_column_size(submissions.case_details), 0)
                   + coalesce(pg_column_size(submissions.judge_message), 0) as bytes
          from submissions
          where ${matches(filters)}
            and submissions.id > (select rejudging.last_queued_id from rejudging)
            and submissions.submit_time <= (select rejudging.requested_at from rejudging)
          order by submissions.id
          limit ${BATCH}
        ), measured as (
          select next.id, sum(next.bytes) over (order by next.id) - next.bytes as bytes_before
          from next
        ), batch as (
          select measured.id from measured where measured.bytes_before < ${BATCH_BYTES}
        ), chosen as (
          select submissions.*
          from submissions
          where submissions.id = any(array(select batch.id from batch)) and submissions.status <> 'PENDING'
          order by submissions.id
          for update
        ), kept as (
          ${keptFrom('chosen')}
        ), requeued as (
          update submissions
          set status = 'PENDING', reason = null, stdout = '', stderr = '', time_elapsed = 0, failed_test_case_id = null,
              test_case_results = null, memory_used = null, score = null, worker = null,
              judge_message = null, case_details = null, judged_at = null, queued_at = now(), renewed_at = null,
              attempt = submissions.attempt + 1, verdict_attempt = submissions.attempt + 1
          from chosen
          where submissions.id = chosen.id
          returning submissions.*
        ), scored as (
          ${scoredFrom('requeued')}
        ), queued as (
          ${queuedFrom('requeued', 'submission')}
        ), counted as (
          select (select count(*) from requeued) as queued,
                 (select count(*) from batch) as passed,
                 (select batch.id from batch order by batch.id desc limit 1) as last_id,
                 (select count(*) from batch) = (select count(*) from next)
                   and (select count(*) from next) < ${BATCH} as is_last
        )
        update rejudgings
        set queued         = rejudgings.queued + counted.queued,
            skipped        = rejudgings.skipped + counted.passed - counted.queued,
            last_queued_id = coalesce(counted.last_id, rejudgings.last_queued_id),
            status         = case when counted.is_last then 'QUEUED' else rejudgings.status end,
            finished_at    = case when counted.is_last then now() end
        from counted, rejudging
        where rejudgings.id = rejudging.id
        returning rejudgings.status, counted.queued::integer as queued`,
  })
}

/** The JSON of a rejudging; ids that were not given are left out (D5). */
const rejudgingJson = `json_strip_nulls(json_build_object(
      ${fieldsOf('rejudgings', 'id', 'status', 'total')},
      'count', rejudgings.queued,
      'skipped', rejudgings.skipped,
      'requested_by', rejudgings.requested_by,
      'requested_at', utc(rejudgings.requested_at),
      'finished_at', utc(rejudgings.finished_at),
      ${rejudgeFilters.map((name) => `'${name}', rejudgings.${name}`).join(',\n      ')}))`

export const readRejudging = actorStatement({
  name: 'read_rejudging',
  params: { rejudging_id: 'uuid' },
  columns: { status: oneOf('QUEUEING', 'QUEUED'), body: 'text' },
  select: `
      select rejudgings.status, ${rejudgingJson}::text as body
      from rejudgings
      where rejudgings.id = :rejudging_id`,
})

export const listRejudgings = defineList({
  name: 'list_rejudgings',
  item: rejudgingJson,
  from: 'rejudgings',
  order: newestFirst('rejudgings.requested_at', 'rejudgings.id', 'uuid'),
})
