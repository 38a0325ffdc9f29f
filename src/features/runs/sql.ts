import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { queuedFrom } from '../../queue/outbox.ts'

/** Through which of the three variants a run was made; each variant's poll knows its own runs only (D27). */
export type Channel = 'user' | 'public' | 'bench'

export type CreatedRun = { id: string | null; has_user: boolean }

/**
 * Stores a run and its message in one statement (D27, D29): $4 id, $5 channel, $6 owner or null, $7 language, $8 source code, $9 stdin. Without
 * an id the owner or the language is not there.
 */
export const createRun = guarded<CreatedRun>('create_run', {
  ctes: `owner as (
      select users.id from users where users.id = $6::uuid and users.deleted_at is null
    ), created as (
      insert into runs (id, channel, user_id, language_id, source_code, stdin)
      select $4::uuid, $5::text, $6::uuid, languages.id, $8::text, $9::text
      from languages
      where languages.id = $7::uuid and languages.retired_at is null
        and ($6::uuid is null or exists (select from owner))
        and ${ACTOR_LIVES}
      returning runs.id, runs.attempt
    ), queued as (
      ${queuedFrom('created', 'input')}
    )`,
  select: `select (select created.id::text from created) as id,
                  $6::uuid is null or exists (select from owner) as has_user`,
})

const pollFields = `
      'status', runs.status,
      'finished', runs.finished`

const outputFields = `
      'stdout', runs.stdout,
      'stderr', runs.stderr,
      'runtime', runs.runtime`

const programFields = `
      'id', runs.id,
      'language_id', runs.language_id,
      'source_code', runs.source_code,
      'stdin', runs.stdin,
      'attempt', runs.attempt`

/** $4 run, $5 channel or null for any: what the poll shows, and the program too to judges and admins (D27). */
export const readRun = guarded<{ body: string }>('read_run', {
  select: `select case
             when $2::integer > 0 and runs.finished
               then json_build_object(${pollFields}, ${outputFields}, ${programFields})
             when $2::integer > 0
               then json_build_object(${pollFields}, ${programFields})
             when runs.finished
               then json_build_object(${pollFields}, ${outputFields})
             else json_build_object(${pollFields})
           end::text as body
           from runs
           where runs.id = $4::uuid and ($5::text is null or runs.channel = $5::text)`,
})

/**
 * $4 run, $5 status, $6 stdout, $7 stderr, $8 runtime (s), $9 attempt or null for the newest: a later verdict replaces an earlier one (D25),
 * but for one of an older attempt, which is not stored.
 */
export const storeRunVerdict = guarded<{ id: string }>('store_run_verdict', {
  ctes: `stored as (
      update runs
      set status = $5, stdout = $6, stderr = $7, runtime = $8, finished = true,
          verdict_attempt = least(coalesce($9::integer, runs.attempt), runs.attempt)
      where runs.id = $4::uuid and coalesce($9::integer, runs.attempt) >= runs.verdict_attempt and ${ACTOR_LIVES}
    )`,
  select: 'select runs.id::text from runs where runs.id = $4::uuid',
})
