import { unprepared } from '../../src/db/statement.ts'
import type { TestApp } from './app.ts'

const addSubmission = unprepared(
  `with added as (
     insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, submit_time, status, score)
     select $1::uuid, $2::uuid, $3::integer, languages.id, 'print(3)', events.id,
            events.start_time + $5::float8 * interval '1 minute', $6::text, $7::numeric
     from events, (select languages.id from languages limit 1) as languages
     where events.id = $4::integer
     returning submissions.*
   )
   insert into event_scores (event_id, user_id, problem_id, outcomes)
   select added.event_id, added.user_id, added.problem_id, jsonb_build_object(added.id, case when added.score is null
            then jsonb_build_array(microseconds(added.submit_time), added.status)
            else jsonb_build_array(microseconds(added.submit_time), added.status, added.score) end)
   from added
   on conflict (event_id, user_id, problem_id) do update set outcomes = event_scores.outcomes || excluded.outcomes`,
)

export interface Submitted {
  readonly id: string
  readonly user_id: string
  readonly problem_id: number
  /** Minutes from the start of the contest. */
  readonly minute: number
  readonly status: string
  readonly score?: number | undefined
}

export async function storeSubmission({ database }: TestApp, eventId: number, submitted: Submitted) {
  const { id, user_id, problem_id, minute, status, score } = submitted
  await database.query(addSubmission, [id, user_id, problem_id, eventId, minute, status, score ?? null])
}
