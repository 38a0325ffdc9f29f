import { fieldsOf } from '../../../db/json.ts'
import { isAnnouncement } from '../../shared/records/questions.ts'
import { defineCollection } from './collection.ts'
import { answerId, questionOf } from './ids.ts'
import { SHOWN_TEAM_ID } from './teams-sql.ts'
import { contestTimeOf, timeOf } from './times.ts'
import { CONTEST, QUESTION_IS_SHOWN, SHOWN_PROBLEMS } from './visibility.ts'

/**
 * The asker's team as far as the actor sees it. An announcement is the answer to a question that
 * staff asked itself (P20).
 */
const ASKER = `(
          select ${SHOWN_TEAM_ID} as team_id,
                 questions.answer is not null and ${isAnnouncement('contest')} as is_announcement
          offset 0)`

const IS_FOR_ALL = `(contest.clarifications is distinct from 'staff' or questions.is_public)`

/** No team is an empty list. */
const ASKERS = `case when asker.team_id is null then '[]' else json_build_array(asker.team_id) end`

const QUESTION = `
          select questions.id::text as id, questions.question as text, questions.created_at as moment, 1 as place,
                 asker.team_id as from_team_id, null as reply_to_id,
                 case when asker.team_id is null then '[]'::json end as to_team_ids
          where not asker.is_announcement`

const ANSWER = `
          select ${answerId('questions.id')}, questions.answer, questions.answered_at, 2,
                 null, questions.id::text, case when not ${IS_FOR_ALL} then ${ASKERS} end
          where questions.answer is not null and not asker.is_announcement`

const ANNOUNCEMENT = `
          select questions.id::text, questions.answer, questions.answered_at, 1, null, null, null
          where asker.is_announcement`

/**
 * A question is one object, its answer another. A message without a team that the actor sees has an
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
        left join event_participants
          on event_participants.event_id = contest.id and event_participants.user_id = questions.user_id
        cross join lateral ${ASKER} as asker
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
