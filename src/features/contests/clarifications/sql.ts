import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { bodyIf, oneOf, type Values } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { EVENT, managesEvent, OPEN_EVENT, wasRemoved } from '../../shared/access/events.ts'
import { problemIsVisibleAnywhere } from '../../shared/access/problems.ts'
import {
  problemOfQuestionIsShown,
  questionBytes,
  questionIsShown,
  questionJson,
  questionRelations,
} from '../../shared/records/questions.ts'
import { notificationsFrom } from '../notifications/create.ts'

export const listQuestions = defineList({
  name: 'list_questions',
  params: { event_id: 'integer' },
  item: questionJson,
  bytes: questionBytes,
  from: `questions ${questionRelations}`,
  where: `questions.event_id = :event_id and ${questionIsShown}`,
  order: newestFirst('questions.created_at', 'questions.id', 'uuid'),
  owner: EVENT,
})

/** Participants whom staff has not removed. */
const participantsOf = (question: string) => `
        select event_participants.user_id, ${question}.event_id, ${question}.id as question_id
        from ${question}
        join event_participants
          on event_participants.event_id = ${question}.event_id and event_participants.removed_at is null`

/** The staff of a contest with rules of its own for staff, without those notified already. */
const staffOf = (question: string) => `
        select staff.user_id, ${question}.event_id, ${question}.id as question_id
        from ${question}
        join event as events on events.clarifications = 'staff' or events.staff <> '{}'
        cross join lateral (
          select distinct unnest(events.staff || events.user_id || array(
            select users.id from users where users.is_admin and users.deleted_at is null)) as user_id
        ) as staff
        where staff.user_id <> ${question}.user_id and (events.clarifications = 'staff' or not exists (
          select from event_participants
          where event_participants.event_id = events.id and event_participants.user_id = staff.user_id
            and event_participants.removed_at is null))`

const newParams = { event_id: 'integer', id: 'uuid', problem_id: 'integer | null' } as const

const questionParams = { ...newParams, question: 'text' } as const

const announcementParams = { ...newParams, announcement: 'text' } as const

const answerParams = {
  event_id: 'integer',
  question_id: 'uuid',
  answer: 'text',
  is_public: 'boolean',
  replace: 'boolean',
} as const

export type NewQuestion = Values<typeof questionParams>
export type NewAnswer = Values<typeof answerParams>
export type NewAnnouncement = Values<typeof announcementParams>

/**
 * Stores a question and notifies the other participants, with clarifications by staff only the
 * staff (D37, P20). The actor must see its problem, or
 * the event must show it to all. No row: there is no such event.
 */
export const askQuestion = actorStatement({
  name: 'ask_question',
  params: questionParams,
  columns: bodyIf('asked', 'no_user', 'no_problem'),
  with: `${OPEN_EVENT}, account as (
      select users.id from users where users.id = :actor and users.deleted_at is null
    ), asked as (
      insert into questions (id, event_id, user_id, problem_id, question)
      select :id, events.id, account.id, :problem_id, :question
      from event as events, account
      where ${ACTOR_EXISTS}
        and (:problem_id is null or exists (
          select from problems
          left join event_problems
            on event_problems.problem_id = problems.id and event_problems.event_id = events.id
          where problems.id = :problem_id and problems.deleted_at is null
            and (${problemIsVisibleAnywhere('problems')} or not event_problems.hidden
              or event_problems.hidden and events.user_id = :actor)))
      returning questions.*
    ), notified as (
      ${notificationsFrom(
        `${participantsOf('asked')}
        join event as events on events.clarifications is distinct from 'staff'
        where event_participants.user_id <> asked.user_id
        union all ${staffOf('asked')}`,
        'question',
      )}
    )`,
  select: `
      select case
               when exists (select from asked) then 'asked'
               when exists (select from account) then 'no_problem'
               else 'no_user'
             end as outcome,
             (select ${questionJson}::text from asked as questions ${questionRelations}) as body
      from event`,
})

/**
 * Stores or replaces an answer and notifies the author (D37). A judge has no account. With
 * clarifications by staff only staff answers, a public answer notifies all participants (P20), and
 * another answer needs `replace`; an answer that repeats the stored one changes nothing. In any
 * contest, only staff answers a public question, such as an announcement, and replaces an answer of
 * staff. The lock lets concurrent answers see each other.
 */
export const answerQuestion = actorStatement({
  name: 'answer_question',
  params: answerParams,
  columns: {
    outcome: oneOf(
      'answered',
      'repeated',
      'not_staff',
      'no_question',
      'already_answered',
      'answered_by_staff',
    ),
  },
  with: `${OPEN_EVENT}, asked as materialized (
      select questions.*
      from event
      join questions on questions.id = :question_id and questions.event_id = event.id
      for update of questions
    ), decided as materialized (
      select asked.id, case
               when not event.is_staff
                    and (event.clarifications is not distinct from 'staff' or coalesce(asked.is_public, false))
                 then 'not_staff'
               when asked.id is null then 'no_question'
               when event.clarifications is distinct from 'staff'
                 then case when asked.answered_by_staff and not event.is_staff then 'answered_by_staff' else 'answered' end
               when (asked.answer, asked.is_public) is not distinct from (:answer, :is_public) then 'repeated'
               when asked.answer is null or :replace then 'answered'
               else 'already_answered'
             end as outcome
      from event
      left join asked on true
    ), answered as (
      update questions
      set answer      = :answer,
          answered_by = (select users.id from users where users.id = :actor and users.deleted_at is null),
          answered_at = now(),
          updated_at  = now(),
          is_public   = case when event.clarifications = 'staff' then :is_public else questions.is_public end
      from event, decided
      where questions.id = decided.id and decided.outcome = 'answered' and ${ACTOR_EXISTS}
      returning questions.*
    ), notified as (
      ${notificationsFrom(
        `select answered.user_id, answered.event_id, answered.id as question_id
        from answered
        where not ${wasRemoved('answered.event_id', 'answered.user_id')}
        union all ${participantsOf('answered')}
        join event as events on events.clarifications = 'staff'
        where answered.is_public and event_participants.user_id <> answered.user_id`,
        'answer',
      )}
    )`,
  select: 'select decided.outcome from decided',
})

/**
 * Stores an announcement as a public question with its answer, and notifies all participants (P20).
 * Its problem must be in the event, or the actor must see it. No row: there is no such event.
 */
export const announce = actorStatement({
  name: 'announce',
  params: announcementParams,
  columns: bodyIf('announced', 'not_staff', 'no_problem'),
  with: `event as (
      select events.* from events where events.id = :event_id and events.deleted_at is null
    ), announced as (
      insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, is_public)
      select :id, events.id, users.id, :problem_id, 'Announcement', :announcement, users.id, now(), true
      from event as events
      join users on users.id = :actor and users.deleted_at is null
      where ${managesEvent('events')} and ${ACTOR_EXISTS}
        and (:problem_id is null or exists (
          select from problems
          where problems.id = :problem_id and problems.deleted_at is null
            and (${problemOfQuestionIsShown} or exists (
              select from event_problems
              where event_problems.event_id = events.id and event_problems.problem_id = problems.id))))
      returning questions.*
    ), notified as (
      ${notificationsFrom(participantsOf('announced'), 'answer')}
    )`,
  select: `
      select case
               when not ${managesEvent('event')} then 'not_staff'
               when exists (select from announced) then 'announced'
               else 'no_problem'
             end as outcome,
             (select ${questionJson}::text from announced as questions ${questionRelations}) as body
      from event`,
})
