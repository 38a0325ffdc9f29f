import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { EVENT_EXISTS, seesAllOf } from '../access/events.ts'
import { problemIsVisibleAnywhere } from '../access/problems.ts'
import { userJson } from '../users/sql.ts'

/** Whether the actor may see the problem of a question: as elsewhere, or as the owner of the event that has it (D19, D33). */
const problemIsShown = `(${problemIsVisibleAnywhere('problems')}
        or (problems.deleted_at is null and events.user_id = $1::uuid and exists (
          select from event_problems
          where event_problems.event_id = events.id and event_problems.problem_id = problems.id)))`

/**
 * Not even the id of a problem is shown that the event hides from the actor (D33). One that the actor sees by itself keeps its id: else
 * questions about public problems would tell which of them the event hides.
 */
const problemIsNamed = `(${seesAllOf('events')} or ${problemIsShown} or not exists (
        select from event_problems
        where event_problems.event_id = events.id and event_problems.problem_id = questions.problem_id
          and event_problems.hidden))`

/** The JSON of a question; what it does not have is left out (D5). */
export const questionJson = `json_strip_nulls(json_build_object(
      'id', questions.id,
      'event_id', questions.event_id,
      'user_id', questions.user_id,
      'problem_id', case when ${problemIsNamed} then questions.problem_id end,
      'question', questions.question,
      'is_answered', questions.answered_at is not null,
      'created_at', utc(questions.created_at),
      'updated_at', utc(questions.updated_at),
      'answer', questions.answer,
      'answered_at', utc(questions.answered_at),
      'answered_by', questions.answered_by,
      'user', ${userJson('authors')},
      'problem', case when problems.id is not null and ${problemIsShown} then json_build_object(
        'id', problems.id,
        'title', problems.title,
        'identifier', problems.identifier,
        'difficulty', problems.difficulty) end,
      'answerer', case when answerers.id is not null then ${userJson('answerers')} end))`

/** What `questionJson` reads besides `questions`. */
export const questionRelations = `
      join events on events.id = questions.event_id
      join users as authors on authors.id = questions.user_id
      left join problems on problems.id = questions.problem_id
      left join users as answerers on answerers.id = questions.answered_by`

/** $4 event: its questions, the newest first (D37). */
export const listQuestions = defineList('list_questions', {
  item: questionJson,
  from: `questions ${questionRelations} where questions.event_id = $4::integer`,
  values: 1,
  key: [
    { column: 'questions.created_at', type: 'instant' },
    { column: 'questions.id', type: 'uuid' },
  ],
  direction: 'desc',
  given: EVENT_EXISTS,
})

export type AskedQuestion = { body: string | null; has_user: boolean }

/**
 * Stores a question and a notification for every other participant in one statement (D37): $4 event, $5 id, $6 problem or null, $7 text. It may
 * be about a problem that the actor sees, or that the event names to everybody. Without a body there is no such problem for the actor.
 */
export const askQuestion = guarded<AskedQuestion>('ask_question', {
  ctes: `event as (
      select events.* from events where events.id = $4::integer and events.deleted_at is null
    ), account as (
      select users.id from users where users.id = $1::uuid and users.deleted_at is null
    ), asked as (
      insert into questions (id, event_id, user_id, problem_id, question)
      select $5::uuid, events.id, account.id, $6::integer, $7::text
      from event as events, account
      where ${ACTOR_LIVES}
        and ($6::integer is null or exists (
          select from problems
          left join event_problems
            on event_problems.problem_id = problems.id and event_problems.event_id = events.id and not event_problems.hidden
          where problems.id = $6::integer and problems.deleted_at is null
            and (${problemIsShown} or event_problems.id is not null)))
      returning questions.*
    ), notified as (
      insert into notifications (user_id, event_id, question_id, notification_type)
      select event_participants.user_id, asked.event_id, asked.id, 'question'
      from asked
      join event_participants on event_participants.event_id = asked.event_id
      join users on users.id = event_participants.user_id
      where event_participants.user_id <> asked.user_id and users.deleted_at is null
    )`,
  select: `select (select ${questionJson}::text from asked as questions ${questionRelations}) as body,
                  exists (select from account) as has_user
           from event`,
})

/**
 * Answers a question, again if need be, and notifies its author (D37): $4 event, $5 question, $6 text. The actor answers, or a judge, who has no
 * account.
 */
export const answerQuestion = guarded<{ id: string }>('answer_question', {
  ctes: `answered as (
      update questions
      set answer      = $6::text,
          answered_by = (select users.id from users where users.id = $1::uuid and users.deleted_at is null),
          answered_at = now(),
          updated_at  = now()
      from events
      where questions.id = $5::uuid and questions.event_id = $4::integer
        and events.id = questions.event_id and events.deleted_at is null
        and ${ACTOR_LIVES}
      returning questions.*
    ), notified as (
      insert into notifications (user_id, event_id, question_id, notification_type)
      select answered.user_id, answered.event_id, answered.id, 'answer'
      from answered
      join users on users.id = answered.user_id
      where users.deleted_at is null
    )`,
  select: 'select answered.id::text from answered',
})
