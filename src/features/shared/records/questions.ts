import Type from 'typebox'
import { fieldsOf } from '../../../db/json.ts'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { managesEvent, seesAllOf, seesLive } from '../access/events.ts'
import { problemIsVisibleAnywhere } from '../access/problems.ts'
import { Difficulty, UpdatedAt } from './problems.ts'
import { emailUnless, UserResponse, userJson } from './users.ts'

/** The actor may see the problem of a question, or owns the event that has it (D19, D33). */
export const problemOfQuestionIsShown = `(${problemIsVisibleAnywhere('problems')}
        or (problems.deleted_at is null and events.user_id = :actor and exists (
          select from event_problems
          where event_problems.event_id = events.id and event_problems.problem_id = problems.id)))`

/**
 * The problem's id is absent only where the event hides the problem and the actor may not see it by
 * itself (D33): otherwise questions about public problems would tell which ones the event hides.
 */
const problemIsNamed = `(${seesAllOf('events')} or viewer.sees_problem or not exists (
        select from event_problems
        where event_problems.event_id = events.id and event_problems.problem_id = questions.problem_id
          and event_problems.hidden))`

/** The actor sees the question: with clarifications by staff, their own and public ones (P20). */
export const questionIsShown = `(events.clarifications is distinct from 'staff' or questions.is_public
        or questions.user_id = :actor or ${seesLive('events')})`

/** Staff has announced it: others may ask a question with this text (P20). */
export const isAnnouncement = (
  event: string,
) => `coalesce(questions.is_public and questions.question = 'Announcement' and exists (
        select from users
        where users.id = questions.user_id
          and (users.is_admin or ${event}.user_id = users.id or users.id = any (${event}.staff))), false)`

const email = (user: string) => emailUnless(`events.admission = 'invited' and not viewer.is_staff`, user)

/** The JSON of a question, from `questionRelations`; absent values are left out (D5). */
export const questionJson = `json_strip_nulls(json_build_object(
      ${fieldsOf('questions', 'id', 'event_id', 'user_id')},
      'problem_id', case when ${problemIsNamed} then questions.problem_id end,
      'question', questions.question,
      'is_answered', questions.answered_at is not null,
      'created_at', utc(questions.created_at),
      'updated_at', utc(questions.updated_at),
      'answer', questions.answer,
      'answered_at', utc(questions.answered_at),
      'answered_by', questions.answered_by,
      'user', ${userJson('authors', email('authors'))},
      'problem', case when problems.id is not null and viewer.sees_problem then json_build_object(
        ${fieldsOf('problems', 'id', 'title', 'identifier', 'difficulty')},
        'updated_at', utc(problems.updated_at)) end,
      'answerer', case when answerers.id is not null then ${userJson('answerers', email('answerers'))} end,
      'is_public', case when events.clarifications = 'staff' then questions.is_public end,
      'is_announcement', nullif(${isAnnouncement('events')}, false)))`

/** The bytes of a question's texts. */
export const questionBytes = `octet_length(questions.question) + coalesce(octet_length(questions.answer), 0)`

/** The tables that `questionJson` reads besides `questions`. */
export const questionRelations = `
      join events on events.id = questions.event_id
      join users as authors on authors.id = questions.user_id
      left join problems on problems.id = questions.problem_id
      left join users as answerers on answerers.id = questions.answered_by
      cross join lateral (
        select ${managesEvent('events')} as is_staff, ${problemOfQuestionIsShown} as sees_problem) as viewer`

/** Another answer to an answered question needs it (D37). */
export const ReplaceQuery = Type.Object({
  replace: Type.Optional(
    Type.Boolean({
      description: 'With `clarifications` `staff`: `true` replaces the answer of a question that has one.',
    }),
  ),
})

/** A question with its users and, where the caller may see it, its problem (D37). */
export const QuestionResponse = ResponseObject(
  {
    id: Uuid(),
    event_id: IntegerId(),
    user_id: Uuid({ description: 'The author.' }),
    problem_id: Type.Optional(IntegerId()),
    question: Type.String(),
    is_answered: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant({ description: 'The time of the last answer, else `created_at`.' }),
    answer: Type.Optional(Type.String()),
    answered_at: Type.Optional(Instant()),
    answered_by: Type.Optional(Uuid({ description: 'Absent for a judge, who has no account.' })),
    user: UserResponse,
    problem: Type.Optional(
      ResponseObject({
        id: IntegerId(),
        title: Type.String(),
        identifier: Type.String(),
        difficulty: Difficulty,
        updated_at: UpdatedAt(),
      }),
    ),
    answerer: Type.Optional(UserResponse),
    is_public: Type.Optional(
      Type.Boolean({
        description:
          'Only in contests with `clarifications` `staff`: whether everybody sees it, or its author and staff alone.',
      }),
    ),
    is_announcement: Type.Optional(
      Type.Literal(true, { description: 'Staff has announced it: the announcement is the `answer`.' }),
    ),
  },
  { title: 'Question' },
)
