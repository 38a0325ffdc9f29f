import { jsonOrNull, type RowOf, statement } from '../db/statement.ts'
import type { Change } from './change.ts'

/** `started`: when the server started, in hexadecimal. */
const snapshotColumns = { snapshot: 'text', at_seconds: 'float8', started: 'text' } as const

export type ReadSnapshot = RowOf<typeof snapshotColumns>

/** The present position. */
const SNAPSHOT = `pg_current_snapshot()::text as snapshot, extract(epoch from now())::float8 as at_seconds,
               to_hex((extract(epoch from pg_postmaster_start_time()) * 1000)::bigint) as started`

/** A change as JSON, with the present status of a submission. */
const changeJson = `json_build_object(
               'kind', log.kind,
               'eventId', log.event_id,
               'objectId', log.object_id,
               'userIds', log.user_ids,
               'isReset', log.is_reset,
               'isForJury', log.for_jury,
               'status', submissions.status)`

/**
 * Reads the changes that were committed after `snapshot` was taken: of transactions that were open
 * then, and of later ones. Numbers above the present snapshot are from before a restore, and are
 * left out. `event_id` leaves out other contests. `changes` null: there are more than `most`.
 */
export const readChanges = statement({
  name: 'read_changes',
  params: { snapshot: 'text', most: 'integer', event_id: 'integer | null' },
  columns: { ...snapshotColumns, changes: jsonOrNull<Change[]>() },
  sql: `with log as materialized (
          select newer.* from (
            select changes.*
            from changes
            where changes.xid >= pg_snapshot_xmax(:snapshot::pg_snapshot)
              and changes.xid < pg_snapshot_xmax(pg_current_snapshot())
            union all
            select changes.*
            from pg_snapshot_xip(:snapshot::pg_snapshot) as open (xid)
            join changes on changes.xid = open.xid
          ) as newer
          where :event_id is null or newer.event_id is null or newer.event_id = :event_id
          limit :most + 1
        )
        select ${SNAPSHOT},
               case when (select count(*) from log) <= :most then coalesce((
                 select json_agg(${changeJson} order by log.id)
                 from log
                 left join submissions on submissions.id = case when log.kind in ('submission', 'judging') then log.object_id::uuid end), '[]')
               end as changes`,
})

/** The present position. */
export const readSnapshot = statement({
  name: 'read_snapshot',
  columns: snapshotColumns,
  sql: `select ${SNAPSHOT}`,
})

/** What tells this database from others. A restored backup has another system identifier. */
export const readDatabaseIdentity = statement({
  name: 'read_database_identity',
  columns: { identity: 'text' },
  sql: `select left(md5(concat_ws(' ', (select control.system_identifier from pg_control_system() as control),
                 (select pg_database.oid from pg_database where pg_database.datname = current_database()))), 12) as identity`,
})

/** A constant: with a parameter, PostgreSQL could plan to sort the whole table. */
export const DELETED_AT_ONCE = 10_000

/** Deletes the oldest changes, a batch of them, if they are older than `hours`. */
export const deleteOldChanges = statement({
  name: 'delete_old_changes',
  params: { hours: 'float8' },
  columns: { count: 'integer' },
  sql: `with oldest as (
          select changes.xid, changes.id, changes.created_at
          from changes
          order by changes.xid, changes.id
          limit ${DELETED_AT_ONCE}
        ), deleted as (
          delete from changes
          using oldest
          where changes.xid = oldest.xid and changes.id = oldest.id
            and oldest.created_at < now() - :hours * interval '1 hour'
          returning changes.id
        )
        select count(*)::integer as count from deleted`,
})
