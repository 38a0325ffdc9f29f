import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { bodyIf } from '../../../db/statement.ts'
import { queuedFrom } from '../../../queue/outbox.ts'

/**
 * CTEs that store a shadow judging and its message for each row of the CTE `programs`, which has
 * `id`, `submission_id`, `problem_id`, `language_id`, `event_id`, `source_code` and the columns
 * `more`. The new rows are called `created`.
 */
export const shadowsCreatedFrom = (more: readonly string[] = []) => `created as (
      insert into shadow_judgings (
        ${['id', 'requested_by', 'submission_id', 'problem_id', 'language_id', 'event_id', 'source_code', ...more].join(', ')})
      select programs.id, :actor, programs.submission_id, programs.problem_id,
             ${['language_id', 'event_id', 'source_code', ...more].map((column) => `programs.${column}`).join(', ')}
      from programs
      order by programs.id
      returning shadow_judgings.*
    ), queued as (
      ${queuedFrom('created', 'shadow')}
    )`

const createdJson = `json_strip_nulls(json_build_object(
               ${fieldsOf('created', 'id', 'submission_id', 'problem_id', 'language_id', 'status')},
               'submit_time', utc(created.submit_time)))::text`

/**
 * Judges the program of a submission again, with its language, problem and event. No row for an
 * unknown submission, or one to a deleted problem: judges cannot read its tests.
 */
export const createFromSubmission = actorStatement({
  name: 'create_shadow_from_submission',
  params: { id: 'uuid', submission_id: 'uuid' },
  columns: { body: 'text' },
  with: `programs as (
      select :id as id, submissions.id as submission_id, submissions.problem_id, submissions.language_id,
             submissions.event_id, submissions.source_code
      from submissions
      join problems on problems.id = submissions.problem_id
      where submissions.id = :submission_id and problems.deleted_at is null and ${ACTOR_EXISTS}
    ), ${shadowsCreatedFrom()}`,
  select: `select ${createdJson} as body from created`,
})

/** Judges a program that is no submission. */
export const createFromProgram = actorStatement({
  name: 'create_shadow_from_program',
  params: { id: 'uuid', problem_id: 'integer', language_id: 'uuid', source_code: 'text' },
  columns: bodyIf('created', 'no_problem', 'no_language'),
  with: `problem as (
      select problems.id from problems where problems.id = :problem_id and problems.deleted_at is null
    ), language as (
      select languages.id from languages where languages.id = :language_id and languages.retired_at is null
    ), programs as (
      select :id as id, null::uuid as submission_id, problem.id as problem_id, language.id as language_id,
             null::integer as event_id, :source_code as source_code
      from problem, language
      where ${ACTOR_EXISTS}
    ), ${shadowsCreatedFrom()}`,
  select: `
      select case
               when exists (select from created) then 'created'
               when exists (select from problem) then 'no_language'
               else 'no_problem'
             end as outcome,
             (select ${createdJson} from created) as body`,
})

/**
 * Deletes a shadow judging and its unsent message. The message is locked first, as the relay does:
 * otherwise both could wait for each other.
 */
export const deleteShadowJudging = actorStatement({
  name: 'delete_shadow_judging',
  params: { shadow_judging_id: 'uuid' },
  with: `unsent as materialized (
      select outbox.id
      from outbox
      where outbox.kind = 'shadow' and outbox.subject_id = :shadow_judging_id
      for update
    ), deleted as (
      delete from shadow_judgings
      where shadow_judgings.id = :shadow_judging_id and (select count(*) from unsent) >= 0 and ${ACTOR_EXISTS}
      returning shadow_judgings.id
    ), dropped as (
      delete from outbox
      where outbox.id = any(array(select unsent.id from unsent)) and exists (select from deleted)
    )`,
  select: 'select deleted.id from deleted',
})
