import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf } from '../../../db/statement.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import {
  assignRules,
  namesNoUuid,
  plannedRule,
  ruleParams,
  staffExists,
  unknownLanguage,
} from './contest-rules.ts'

/** Why an update is refused (D32, P20). */
const REFUSALS = ['ends_before_start', 'freezes_after_end', 'languages_without_uuid', 'no_user'] as const

export type UpdateRefusal = (typeof REFUSALS)[number] | 'unknown_language'

/** The request is about the languages of a contest that enforces them, or sets this rule (P20). */
const CONCERNS_LANGUAGES = `('enforce_languages' = any (:rules)
               or (:languages is not null and coalesce(events.enforce_languages, false)))`

/**
 * After `lockEvent`; null: unchanged. The end of a running event cannot be set to the past: it ends
 * now. `recount_from`: the first submit time that may count differently since, if any.
 */
export const updateEvent = actorStatement({
  name: 'update_event',
  params: {
    event_id: 'integer',
    title: 'text?',
    description: 'text?',
    start_time: 'timestamptz?',
    end_time: 'timestamptz?',
    teams: 'boolean?',
    languages: 'json?',
    rules: 'text[]',
    ...ruleParams,
  },
  columns: [
    { outcome: oneOf('updated'), recount_from: 'text | null' },
    { outcome: oneOf(...REFUSALS) },
    { outcome: oneOf('unknown_language'), unknown_language: 'text' },
  ],
  with: `current as (
      select events.*, clock_timestamp() as moment from events where events.id = :event_id
    ), planned as (
      select events.id, events.end_time as former_end_time, events.end_time <= events.moment as has_ended,
             events.freeze_time as former_freeze_time, events.scoring as former_scoring,
             coalesce(:start_time, events.start_time) as start_time,
             case when events.start_time <= events.moment and events.moment < events.end_time
                    then greatest(coalesce(:end_time, events.end_time), events.moment)
                  else coalesce(:end_time, events.end_time) end as end_time,
             ${plannedRule('freeze_time')} as freeze_time,
             ${plannedRule('enforce_languages')} as enforce_languages,
             ${plannedRule('scoring')} as scoring,
             events.start_time as former_start_time, events.staff as former_staff, events.moment,
             ${CONCERNS_LANGUAGES} as concerns_languages,
             case when ${CONCERNS_LANGUAGES} then coalesce(:languages, events.languages) else events.languages end as languages,
             case when events.enforce_languages then events.languages else '[]' end as former_languages
      from current as events
    ), named as (
      select planned.*, ${namesNoUuid('planned.languages')} as names_no_uuid
      from planned
    ), looked_up as (
      select planned.*, ${unknownLanguage(
        'planned.languages',
        'planned.enforce_languages and planned.concerns_languages and not planned.names_no_uuid',
        'planned.former_languages',
      )} as unknown_language
      from named as planned
    ), checked as (
      select planned.*,
             case when (:start_time is not null or :end_time is not null) and planned.start_time >= planned.end_time
                    then 'ends_before_start'
                  when planned.freeze_time > planned.end_time then 'freezes_after_end'
                  when planned.enforce_languages and planned.names_no_uuid then 'languages_without_uuid'
                  when planned.unknown_language is not null then 'unknown_language'
                  when not ${staffExists('planned.former_staff')} then 'no_user' end as refusal
      from looked_up as planned
    ), updated as (
      update events
      set title             = coalesce(:title, events.title),
          description       = coalesce(:description, events.description),
          start_time        = checked.start_time,
          end_time          = checked.end_time,
          teams             = coalesce(:teams, events.teams),
          thawed_at         = case when checked.freeze_time = checked.former_freeze_time then events.thawed_at end,
          languages         = checked.languages,
          ${assignRules({
            freeze_time: 'checked.freeze_time',
            enforce_languages: 'checked.enforce_languages',
            scoring: 'checked.scoring',
          })}
      from checked
      where events.id = checked.id and checked.refusal is null and ${ACTOR_EXISTS}
      returning events.*
    ), hidden_again as (
      delete from event_reveals
      using checked
      where event_reveals.event_id = :event_id and checked.refusal is null and ${ACTOR_EXISTS}
        and checked.freeze_time is distinct from checked.former_freeze_time
    )`,
  select: `
      select coalesce(checked.refusal, 'updated') as outcome,
             case when checked.refusal is not null then null
                  when checked.scoring is distinct from checked.former_scoring then '-infinity'
                  when checked.freeze_time is not null and checked.start_time <> checked.former_start_time
                    then '-infinity'
                  else least(
                    case when checked.end_time < checked.former_end_time
                           or (checked.has_ended and checked.former_end_time < checked.end_time)
                           then least(checked.former_end_time, checked.end_time) end,
                    case when checked.freeze_time is distinct from checked.former_freeze_time
                           then least(checked.former_freeze_time, checked.freeze_time) end)::text
             end as recount_from,
             checked.unknown_language
      from checked`,
})

/** Counts cells again; a trigger counts. Locked in the order of their keys, as verdicts do. */
const recounting = (cells: string) => `locked as (
      select event_scores.user_id, event_scores.problem_id
      from event_scores
      where event_scores.event_id = :event_id and ${cells} and ${ACTOR_EXISTS}
      order by event_scores.user_id, event_scores.problem_id
      for update
    ), recounted as (
      update event_scores
      set outcomes = event_scores.outcomes
      from locked
      where event_scores.event_id = :event_id and event_scores.user_id = locked.user_id
        and event_scores.problem_id = locked.problem_id
    )`

/** Counts the cells again that have a submission at or after `since`. */
export const recountCells = actorStatement({
  name: 'recount_cells',
  params: { event_id: 'integer', since: 'timestamptz' },
  with: recounting(`exists (
        select from jsonb_each(event_scores.outcomes) as outcome (submission_id, value)
        where (outcome.value ->> 0)::bigint >= case when isfinite(:since) then microseconds(:since) else 0 end)`),
  select: 'select',
})

/** Counts the cells of users at one problem again. */
export const recountCellsOf = actorStatement({
  name: 'recount_cells_of',
  params: { event_id: 'integer', problem_id: 'integer', user_ids: 'uuid[]' },
  with: recounting('event_scores.problem_id = :problem_id and event_scores.user_id = any (:user_ids)'),
  select: 'select',
})

/** No row: nothing was thawed, or nobody may submit. */
export const freezeReopened = actorStatement({
  name: 'freeze_reopened',
  params: { event_id: 'integer' },
  columns: { freeze_time: 'text' },
  with: `reopened as (
      select events.id
      from events
      where events.id = :event_id and clock_timestamp() < ${lastEnd('events')}
        and (events.thawed_at is not null or exists (
          select from event_reveals where event_reveals.event_id = events.id))
    ), frozen as (
      update events
      set thawed_at = null
      from reopened
      where events.id = reopened.id and ${ACTOR_EXISTS}
      returning events.*
    ), hidden_again as (
      delete from event_reveals using frozen where event_reveals.event_id = frozen.id
    )`,
  select: `
      select frozen.freeze_time::text from frozen`,
})

/**
 * After `lockEvent`: later than all accepted submissions, unless the clock was put back. An ended
 * event keeps its end (D32). A freeze that has not begun is removed. `ended_at`: the new end, if it
 * is another one.
 */
export const endEvent = actorStatement({
  name: 'end_event',
  params: { event_id: 'integer' },
  columns: { ended_at: 'text | null' },
  with: `ended as (
      update events
      set end_time    = least(events.end_time, clock_timestamp()),
          freeze_time = case when events.freeze_time <= clock_timestamp() then events.freeze_time end
      where events.id = :event_id and ${ACTOR_EXISTS}
      returning events.id, events.end_time
    )`,
  select: `
      select case when ended.end_time < events.end_time then ended.end_time::text end as ended_at
      from ended
      join events on events.id = ended.id`,
})

/** After `lockEvent`. The row stays: submissions refer to it. */
export const deleteEvent = actorStatement({
  name: 'delete_event',
  params: { event_id: 'integer' },
  with: `deleted as (
      update events set deleted_at = now() where events.id = :event_id and ${ACTOR_EXISTS}
    )`,
  select: 'select',
})
