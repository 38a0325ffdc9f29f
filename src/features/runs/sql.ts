import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { withOptional } from '../../db/json.ts'
import { row } from '../../db/statement.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { judgingFields } from '../submissions/judging.ts'

/** The three kinds of runs; the routes of one kind do not know the runs of another (D27). */
export type Channel = 'user' | 'public' | 'bench'

/** Stores a run and its message in one statement (D27, D29). */
export const createRun = actorStatement({
  name: 'create_run',
  params: {
    id: 'uuid',
    channel: 'text',
    user_id: 'uuid | null',
    language_id: 'uuid',
    source_code: 'text',
    stdin: 'text',
  },
  row: row<{ outcome: 'created' | 'no_user' | 'no_language' }>(),
  with: `owner as (
      select users.id from users where users.id = :user_id and users.deleted_at is null
    ), created as (
      insert into runs (id, channel, user_id, language_id, source_code, stdin)
      select :id, :channel, :user_id, languages.id, :source_code, :stdin
      from languages
      where languages.id = :language_id and languages.retired_at is null
        and (:user_id is null or exists (select from owner))
        and ${ACTOR_EXISTS}
      returning runs.id, runs.attempt
    ), queued as (
      ${queuedFrom('created', 'input')}
    )`,
  select: `
      select case
               when exists (select from created) then 'created'
               when :user_id is null or exists (select from owner) then 'no_language'
               else 'no_user'
             end as outcome`,
})

const outputFields = `
        'stdout', runs.stdout,
        'stderr', runs.stderr,
        'runtime', runs.runtime`

const programFields = `
        'id', runs.id,
        'language_id', runs.language_id,
        'source_code', runs.source_code,
        'stdin', runs.stdin, ${judgingFields('runs')}`

const pollFields = `
        'status', runs.status,
        'finished', runs.finished`

/** `channel` null: any. Judges and admins get the program and its judging too (D27). */
export const readRun = actorStatement({
  name: 'read_run',
  params: { id: 'uuid', channel: 'text | null' },
  row: row<{ body: string }>(),
  select: `
      select case when :actor_role > 0
                    then ${withOptional(`${pollFields}, ${programFields}`, 'runs.finished', outputFields)}
                  else ${withOptional(pollFields, 'runs.finished', outputFields)}
             end::text as body
      from runs
      where runs.id = :id and (:channel is null or runs.channel = :channel)`,
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
  row: row<{ id: string }>(),
  with: `stored as (
      update runs
      set status = :status, stdout = :stdout, stderr = :stderr, runtime = :runtime, finished = true,
          verdict_attempt = least(coalesce(:judging, runs.attempt), runs.attempt)
      where runs.id = :id and coalesce(:judging, runs.attempt) >= runs.verdict_attempt and ${ACTOR_EXISTS}
    )`,
  select: 'select runs.id::text from runs where runs.id = :id',
})
