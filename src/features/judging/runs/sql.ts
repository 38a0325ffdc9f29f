import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { hasRow } from '../../../db/batch-form.ts'
import { fieldsOf, withOptional } from '../../../db/json.ts'
import { oneOf, statement } from '../../../db/statement.ts'
import { KEY_IS_KNOWN, keyParams, responsesFrom } from '../../../http/routing/idempotency.ts'
import { SHORT_BYTES } from '../../../lists/read-by-size.ts'
import { queuedFrom } from '../../../queue/outbox.ts'
import { languageJson } from '../../shared/records/languages.ts'
import { LANGUAGE, OWNER } from '../submissions/create-sql.ts'
import { judgingFields } from '../submissions/judging.ts'

/** The three kinds of runs; the routes of one kind do not know the runs of another (D27). */
export type Channel = 'user' | 'public' | 'bench'

/**
 * Stores a run and its message in one statement (D27, D29). At most `slots` unfinished runs have
 * the same `owner_key`; null has no limit. `taken`: a concurrent run took the slot; try again.
 */
export const createRun = actorStatement({
  name: 'create_run',
  coalesced: { writesApart: 'owner_key' },
  params: {
    id: 'uuid',
    channel: 'text',
    user_id: 'uuid | null',
    owner_key: 'text | null',
    slots: 'integer',
    language_id: 'uuid',
    source_code: 'text',
    stdin: 'text',
    ...keyParams,
  },
  columns: { outcome: oneOf('created', 'known_key', 'no_user', 'no_language', 'taken', 'full') },
  with: `${OWNER}, ${LANGUAGE}, free as materialized (
      select requests.place, chosen.slot
      from requests
      cross join lateral (
        select coalesce(array_agg(runs.slot), '{}') as slots
        from runs
        where runs.owner_key = :owner_key and not runs.finished) as used
      cross join lateral (
        select numbers.slot
        from generate_series(1, :slots) as numbers (slot)
        where numbers.slot <> all (used.slots) and cardinality(used.slots) < :slots
        order by random()
        limit 1) as chosen
    ), created as (
      insert into runs (id, channel, user_id, owner_key, slot, language_id, source_code, stdin)
      select :id, :channel, :user_id, :owner_key,
             case when :owner_key is not null then free.slot end, language.id, :source_code, :stdin
      from requests
      join language using (place)
      left join free using (place)
      where (:owner_key is null or free.slot is not null)
        and (:user_id is null or ${hasRow('owner')})
        and not ${KEY_IS_KNOWN} and ${ACTOR_EXISTS}
      order by requests.place
      on conflict do nothing
      returning runs.id, runs.attempt
    ), queued as (
      ${queuedFrom('created', 'input')}
    ), kept as (
      ${responsesFrom('created', 'runs', 'runs.id::text')}
    )`,
  select: `
      select case
               when exists (select from created where created.id = :id) then 'created'
               when ${KEY_IS_KNOWN} then 'known_key'
               when :user_id is not null and not ${hasRow('owner')} then 'no_user'
               when not ${hasRow('language')} then 'no_language'
               when ${hasRow('free')} then 'taken'
               else 'full'
             end as outcome`,
})

const outputFields = fieldsOf('runs', 'stdout', 'stderr', 'runtime')

const programFields = `
        'id', runs.id,
        'language_id', runs.language_id,
        'language', ${languageJson('languages')},
        'source_code', runs.source_code,
        'stdin', runs.stdin, ${judgingFields('runs')}`

const pollFields = `
        'status', runs.status,
        'finished', runs.finished`

const isShort = `(octet_length(runs.source_code) + octet_length(runs.stdin)
        + octet_length(runs.stdout) + octet_length(runs.stderr) <= ${SHORT_BYTES})`

const runParams = { id: 'uuid', channel: 'text | null' } as const

const runText = `(case when :actor_role > 0
                    then ${withOptional(`${pollFields}, ${programFields}`, 'runs.finished', outputFields)}
                  else ${withOptional(pollFields, 'runs.finished', outputFields)}
             end::text)`

const fromRuns = `
      from runs
      join languages on languages.id = runs.language_id
      where runs.id = :id and (:channel is null or runs.channel = :channel)`

/** `channel` null: any. Judges and admins get the program too (D27). No body: the run is long. */
export const readRun = actorStatement({
  name: 'read_run',
  coalesced: 'reads',
  params: runParams,
  columns: { body: 'text | null' },
  select: `
      select case when ${isShort} then ${runText} end as body${fromRuns}`,
})

/** The same for a run that is too long for a batch. */
export const readLongRun = actorStatement({
  name: 'read_long_run',
  params: runParams,
  columns: { body: 'text' },
  select: `
      select ${runText} as body${fromRuns}`,
})

/**
 * A later verdict replaces an earlier one (D25). `judging` null: the newest. Drops the verdict of
 * an older judging than the newest verdict's.
 */
export const storeRunVerdict = actorStatement({
  name: 'store_run_verdict',
  params: {
    id: 'uuid',
    judging: 'integer | null',
    status: 'text',
    stdout: 'text',
    stderr: 'text',
    runtime: 'float8',
  },
  columns: { id: 'text' },
  with: `stored as (
      update runs
      set status = :status, stdout = :stdout, stderr = :stderr, runtime = :runtime, finished = true,
          owner_key = null, slot = null,
          verdict_attempt = least(coalesce(:judging, runs.attempt), runs.attempt)
      where runs.id = :id and coalesce(:judging, runs.attempt) >= runs.verdict_attempt and ${ACTOR_EXISTS}
    )`,
  select: 'select runs.id::text from runs where runs.id = :id',
})

/** Deletes runs that are older than `hours`, finished or not, with their unsent messages. */
const deleteOldRuns = (name: string, kind: string) =>
  statement({
    name,
    params: { hours: 'integer', batch: 'integer' },
    columns: { count: 'integer' },
    // The relay locks messages before runs: skipping locked ones prevents a deadlock.
    sql: `with old as (
          select runs.id
          from runs
          where ${kind} and runs.created_at <= now() - :hours * interval '1 hour'
          order by runs.created_at
          limit :batch
          for update skip locked
        ), deleted as (
          delete from runs where runs.id = any(array(select old.id from old)) returning runs.id
        ), unsent as (
          delete from outbox
          where outbox.id = any(array(
            select waiting.id
            from outbox as waiting
            where waiting.kind = 'input' and waiting.subject_id = any(array(select old.id from old))
            for update skip locked))
        )
        select count(*)::integer as count from deleted`,
  })

export const deleteOldAnonymousRuns = deleteOldRuns('delete_old_anonymous_runs', 'runs.user_id is null')
export const deleteOldUserRuns = deleteOldRuns('delete_old_user_runs', 'runs.user_id is not null')
