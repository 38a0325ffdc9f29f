import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { newestFirst } from '../../lists/order.ts'
import { EVENT, isOpenTo, wasRemoved } from '../access/events.ts'
import { notificationsFrom } from '../notifications/create.ts'
import {
  problemOfQuestionIsShown,
  questionBytes,
  questionJson,
  questionRelations,
} from '../records/questions.ts'

export const listQuestions = defineList({
  name: 'list_questions',
  params: { event_id: 'integer' },
  item: questionJson,
  bytes: questionBytes,
  from: `questions ${questionRelations}`,
  where: 'questions.event_id = :event_id',
  order: newestFirst('questions.created_at', 'questions.id', 'uuid'),
  owner: EVENT,
})

/**
 * Stores a question and notifies the other participants (D37). The actor must see its problem, or
 * the event must show it to all. No row: there is no such event.
 */
export const askQuestion = actorStatement({
  name: 'ask_question',
  params: { event_id: 'integer', id: 'uuid', problem_id: 'integer | null', question: 'text' },
  row: row<{ outcome: 'asked'; body: string } | { outcome: 'no_user' | 'no_problem'; body: null }>(),
  with: `event as (
      select events.* from events
      where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events')}
    ), account as (
      select users.id from users where users.id = :actor and users.deleted_at is null
    ), asked as (
      insert into questions (id, event_id, user_id, problem_id, question)
      select :id, events.id, account.id, :problem_id, :question
      from event as events, account
      where ${ACTOR_EXISTS}
        and (:problem_id is null or exists (
          select from problems
          left join event_problems
            on event_problems.problem_id = problems.id and event_problems.event_id = events.id and not event_problems.hidden
          where problems.id = :problem_id and problems.deleted_at is null
            and (${problemOfQuestionIsShown} or event_problems.id is not null)))
      returning questions.*
    ), notified as (
      ${notificationsFrom(
        `
        select event_participants.user_id, asked.event_id, asked.id as question_id
        from asked
        join event_participants on event_participants.event_id = asked.event_id
        where event_participants.user_id <> asked.user_id and event_participants.removed_at is null`,
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

/** Stores or replaces an answer and notifies the author (D37). A judge has no account. */
export const answerQuestion = actorStatement({
  name: 'answer_question',
  params: { event_id: 'integer', question_id: 'uuid', answer: 'text' },
  row: row<{ id: string }>(),
  with: `answered as (
      update questions
      set answer      = :answer,
          answered_by = (select users.id from users where users.id = :actor and users.deleted_at is null),
          answered_at = now(),
          updated_at  = now()
      from events
      where questions.id = :question_id and questions.event_id = :event_id
        and events.id = questions.event_id and events.deleted_at is null and ${isOpenTo('events')}
        and ${ACTOR_EXISTS}
      returning questions.*
    ), notified as (
      ${notificationsFrom(
        `
        select answered.user_id, answered.event_id, answered.id as question_id
        from answered
        where not ${wasRemoved('answered.event_id', 'answered.user_id')}`,
        'answer',
      )}
    )`,
  select: 'select answered.id::text from answered',
})
