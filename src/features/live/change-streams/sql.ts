import { forViewers, sqlOf } from '../../../db/actor-batch.ts'
import { actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { readClock } from '../../contests/events/clock-sql.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import { isOpenTo, managesEvent, WATCHED_EVENT, wasRemoved } from '../../shared/access/events.ts'
import { isAnnouncement, questionIsShown } from '../../shared/records/questions.ts'
import { POLLED, type PolledName } from './polled.ts'

/** The facts about an account that decide what it sees. */
const ACCOUNT = `(
      select concat_ws(' ', users.is_admin, users.session_version) from users where users.id = :actor)`

/** These have all different audiences; `standings_by_team` and `problems_stats` repeat them. */
const TOLD_APART: readonly PolledName[] = ['standings', 'attempts', 'problems']

/** Those who see the same of all polled routes, and of the clock of an event. */
const AUDIENCE = `concat_ws('|', :actor is null, own.extra_minutes, ${POLLED.filter(({ name }) =>
  TOLD_APART.includes(name),
)
  .map(
    ({ source }) => `(
        select concat_ws(' ', seen.audience, seen.refusal) from (${sqlOf(source.version)}) as seen)`,
  )
  .join(', ')})`

/** The actor's relation to the event, which decides about questions and notifications. */
const RELATION = `concat_ws(' ', ${ACCOUNT}, events.admission, events.scoreboard,
        ${managesEvent('events')}, own.user_id is not null, own.removed_at is not null, own.hidden)`

const OWN = `left join event_participants as own on own.event_id = events.id and own.user_id = :actor`

/** The actor may see public data of the event. */
const WATCHED = `events.id = :event_id and ${WATCHED_EVENT.exists}`

const ACCESS = `
      select concat_ws('|', audience.name, ${RELATION}) as access, audience.name as audience
      from events
      ${OWN}
      cross join lateral (select ${AUDIENCE} as name) as audience
      where ${WATCHED}`

/** The entity tags' versions, the clock, and when it changes next without a write. */
type StateRow = { [Name in PolledName]: string | null } & { clock: string; next_change_ms: number | null }

const STATE = `
      select ${POLLED.map(
        ({ name, source, isPublic }) => `(
        select seen.version from (${sqlOf(source.version)}) as seen
        where seen.refusal is null and ${isPublic ? 'true' : ':actor is not null'}) as ${name}`,
      ).join(', ')},
        (select clock.body from (${sqlOf(readClock)}) as clock) as clock,
        (select 1000 * extract(epoch from min(boundary.at) - now())::float8
         from unnest(array[events.start_time, events.freeze_time, events.end_time, ${lastEnd('events')}]) as boundary (at)
         where boundary.at > now()) as next_change_ms
      from events
      where ${WATCHED}`

/** What the actor sees of an event; `access` changes with it. No row: nothing. */
export const readEventAccess = actorStatement({
  name: 'read_event_access',
  params: { event_id: 'integer' },
  row: row<{ access: string }>(),
  select: `select seen.access from (${ACCESS}) as seen`,
})

/** The present access of open connections to events (P25). */
export const checkEventAccess = forViewers(readEventAccess)

/** Access and state together, for a new stream. No row: the actor may not see the event. */
export const openEventStream = actorStatement({
  name: 'open_event_stream',
  params: { event_id: 'integer' },
  row: row<StateRow & { access: string; audience: string }>(),
  select: `select access.*, state.* from (${ACCESS}) as access cross join (${STATE}) as state`,
})

/** The same for one viewer of each audience. */
export const readEventStates = forViewers(openEventStream)

/** The facts about an account that end its stream when they change. */
export const openUserStream = actorStatement({
  name: 'open_user_stream',
  row: row<{ access: string }>(),
  select: `select coalesce(${ACCOUNT}, '') as access`,
})

/** The present access of open streams of users. */
export const checkUserAccess = forViewers(openUserStream)

type ShownQuestion = { question_id: string; is_announcement: boolean; notifies: boolean }

const questionIds = { question_ids: 'uuid[]' } as const

/** Those of the questions that the actor sees, and whether their notifications are shown too. */
const readShownQuestions = actorStatement({
  name: 'read_shown_questions',
  params: { event_id: 'integer', ...questionIds },
  row: row<ShownQuestion>(),
  select: `
      select questions.id as question_id, ${isAnnouncement('events')} as is_announcement,
             (not ${wasRemoved('events.id', ':actor')} or ${managesEvent('events')}) as notifies
      from questions
      join events on events.id = questions.event_id
      where questions.id = any (:question_ids) and events.id = :event_id and events.deleted_at is null
        and :actor is not null and ${isOpenTo('events')} and ${questionIsShown}`,
})

/** The same for many viewers, each with an event (P20, P21). */
export const readQuestionsShown = forViewers(readShownQuestions, questionIds)
