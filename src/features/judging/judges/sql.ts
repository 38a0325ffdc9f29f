import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { statement } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'

/** Stores what a worker says of itself. A worker that says so or was not connected starts now. */
export const registerJudge = actorStatement({
  name: 'register_judge',
  params: {
    name: 'text',
    version: 'text | null',
    concurrency: 'integer',
    languages: 'json',
    language_names: 'text[]',
    judging_ids: 'uuid[]',
    judging_seconds: 'float8[]',
    connected: 'boolean',
    started: 'boolean',
  },
  with: `registered as (
      insert into judges (name, version, concurrency, languages, language_names, judging, connected)
      select :name, :version, :concurrency, :languages,
             array(select lower(named.name) from unnest(:language_names) as named (name)),
             (select coalesce(json_agg(json_build_object(
                       'id', begun.id,
                       'since', now() - begun.seconds * interval '1 second') order by begun.place), '[]')
              from unnest(:judging_ids, :judging_seconds) with ordinality as begun (id, seconds, place)),
             :connected
      where ${ACTOR_EXISTS}
      on conflict (name) do update
      set version        = excluded.version,
          concurrency    = excluded.concurrency,
          languages      = excluded.languages,
          language_names = excluded.language_names,
          judging        = excluded.judging,
          connected      = excluded.connected,
          started_at     = case when :started or (excluded.connected and not judges.connected)
                                then now() else judges.started_at end,
          last_seen_at   = now(),
          failure        = null
      returning judges.name
    )`,
  select: 'select registered.name from registered',
})

const pendingIn = (table: string, kind: string, isPending: string) => `
        select '${kind}' as kind from ${table} where ${table}.id = begun.id and ${isPending}`

/** Submissions, runs and shadow judgings that have no verdict yet, the oldest first. */
const judgedNow = `(
      select coalesce(json_agg(json_build_object(
               'kind', judged.kind,
               'id', begun.id,
               'since', utc(begun.since)) order by begun.since, begun.id), '[]')
      from json_to_recordset(judges.judging) as begun (id uuid, since timestamptz)
      cross join lateral (${pendingIn('submissions', 'submission', "submissions.status = 'PENDING'")}
        union all${pendingIn('runs', 'run', 'not runs.finished')}
        union all${pendingIn('shadow_judgings', 'shadow', "shadow_judgings.status = 'PENDING'")}
      ) as judged
      where judges.connected)`

export const listJudges = defineList({
  name: 'list_judges',
  item: `json_strip_nulls(json_build_object(
      ${fieldsOf('judges', 'name', 'version', 'connected', 'concurrency', 'languages')},
      'judging', ${judgedNow},
      'first_seen_at', utc(judges.first_seen_at),
      'started_at', utc(judges.started_at),
      'last_seen_at', utc(judges.last_seen_at),
      'failure', judges.failure))`,
  from: 'judges',
  order: ascending({ column: 'judges.name', type: 'text' }),
})

/** Stores why a worker has ended by itself, also one that never registered. */
export const reportFailedJudge = statement({
  name: 'report_failed_judge',
  params: { name: 'text', failure: 'text' },
  sql: `insert into judges (name, concurrency, languages, language_names, judging, connected, failure)
        values (:name, 0, '[]', '{}', '[]', false, :failure)
        on conflict (name) do update set failure = excluded.failure`,
})

/** Marks workers that have not registered for a minute: one registers every 15 seconds. */
export const disconnectSilentJudges = statement({
  name: 'disconnect_judges',
  sql: `update judges
        set connected = false
        where judges.connected and judges.last_seen_at < now() - interval '1 minute'`,
})

/** Deletes workers that have not registered for seven days. */
export const deleteOldJudges = statement({
  name: 'delete_old_judges',
  sql: `delete from judges
        where not judges.connected and judges.last_seen_at < now() - interval '7 days'`,
})
