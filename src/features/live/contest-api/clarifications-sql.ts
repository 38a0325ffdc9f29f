import { fieldsOf } from '../../../db/json.ts'
import { isAnnouncement } from '../../shared/records/questions.ts'
import { defineCollection } from './collection.ts'
import { answerId, questionOf } from './ids.ts'
import { SHOWN_TEAM_ID } from './teams-sql.ts'
import { contestTimeOf, timeOf } from './times.ts'
import { CONTEST, QUESTION_IS_SHOWN, SHOWN_PROBLEMS } from './visibility.ts'

/** The team of one of the people as far as the actor sees it. */
const teamOf = (person: string) => `(array_agg(person.team_id) filter (where person.id = ${person}))[1]`

/**
 * The asker's and the answerer's team; none if the jury answered. Judges have no account. An
 * announcement is the answer to a question that staff asked itself (P20).
 */
const SENDERS = `(
          select ${teamOf('questions.user_id')} as asker_id,
                 case when not questions.answered_by_staff then ${teamOf('questions.answered_by')} end as answerer_id,
                 questions.answered_by_staff or questions.answered_by is null as is_of_jury,
                 questions.answer is not null and ${isAnnouncement('contest')} as is_announcement
          from (
            select event_participants.user_id as id, ${SHOWN_TEAM_ID} as team_id
            from event_participants
            where event_participants.event_id = contest.id
              and event_participants.user_id in (questions.user_id, questions.answered_by)) as person
          offset 0)`

const IS_FOR_ALL = `(contest.clarifications is distinct from 'staff' or questions.is_public)`

/** No team is an empty list. */
const ASKERS = `case when sender.asker_id is null then '[]' else json_build_array(sender.asker_id) end`

const QUESTION = `
          select questions.id::text as id, questions.question as text, questions.created_at as moment, 1 as place,
                 sender.asker_id as from_team_id, null as reply_to_id,
                 case when sender.asker_id is null then '[]'::json end as to_team_ids
          where not sender.is_announcement`

/** Without a sender it would be the jury's. A message of a team has no recipients. */
const ANSWER = `
          select ${answerId('questions.id')}, questions.answer, questions.answered_at, 2,
                 sender.answerer_id, questions.id::text,
                 case when sender.answerer_id is null and not ${IS_FOR_ALL} then ${ASKERS} end
          where questions.answer is not null and not sender.is_announcement
            and (sender.is_of_jury or sender.answerer_id is not null)`

const ANNOUNCEMENT = `
          select questions.id::text, questions.answer, questions.answered_at, 1, null, null, null
          where sender.is_announcement`

/**
 * A question is one object, its answer another. An answer of a user without a team is none (P26): it
 * would be the jury's. A message without a team that the actor sees has an
 * empty list of recipients, since without any list it would be for all teams.
 */
export const listClarifications = defineCollection({
  type: 'clarifications',
  id: 'message.id',
  item: `json_build_object(
          ${fieldsOf('message', 'id', 'from_team_id', 'to_team_ids', 'reply_to_id')},
          'problem_id', shown_problems.problem_id::text,
          'text', message.text,
          'time', ${timeOf('message.moment')},
          'contest_time', ${contestTimeOf('message.moment')})`,
  with: `${CONTEST}, ${SHOWN_PROBLEMS}`,
  from: `contest
        join questions on questions.event_id = contest.id
        cross join lateral ${SENDERS} as sender
        left join shown_problems on shown_problems.problem_id = questions.problem_id
        cross join lateral (${QUESTION}
          union all${ANSWER}
          union all${ANNOUNCEMENT}
        ) as message`,
  where: `questions.event_id = :event_id and ${QUESTION_IS_SHOWN}`,
  key: 'questions.id',
  keyType: 'uuid',
  keyOf: questionOf,
  order: 'questions.created_at, questions.id, message.place',
})
