import { forViewers } from '../../../db/actor-batch.ts'
import { actorStatement } from '../../../db/actor-statement.ts'
import type { RowOf } from '../../../db/statement.ts'
import { AUDIENCE_OF_PROBLEMS } from '../../contests/event-problems/sql.ts'
import { clockText } from '../../contests/events/clock-sql.ts'
import { AUDIENCE_OF_STANDINGS } from '../../contests/standings/shown.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import { isOpenTo, managesEvent, seesLive, WATCHED_EVENT, wasRemoved } from '../../shared/access/events.ts'
import { isAnnouncement, questionIsShown } from '../../shared/records/questions.ts'
import { POLLED } from './polled.ts'

/** The facts about an account that decide what it sees. */
const ACCOUNT = `(
      select concat_ws(' ', users.is_admin, users.session_version) from users where users.id = :actor)`

/**
 * What the actor may see of `events`, whose participant is `own`. It differs wherever the audience
 * of a polled route does, and also decides about questions and notifications.
 */
const ACCESS = `concat_ws('|', :actor is null, own.extra_minutes, ${AUDIENCE_OF_STANDINGS},
               case when ${isOpenTo('events')} then ${AUDIENCE_OF_PROBLEMS} end, ${ACCOUNT}, events.admission,
               events.scoreboard, ${managesEvent('events')}, own.user_id is not null, own.removed_at is not null,
               own.hidden)`

const WATCHED_EVENTS = `events
      left join event_participants as own on own.event_id = events.id and own.user_id = :actor
      where events.id = :event_id and ${WATCHED_EVENT.exists}`

/** What the actor sees of an event; `access` changes with it. `is_jury`: staff or a judge. No row: nothing. */
export const readEventAccess = actorStatement({
  name: 'read_event_access',
  params: { event_id: 'integer' },
  columns: { access: 'text', is_jury: 'boolean' },
  select: `select ${ACCESS} as access, ${seesLive('events')} as is_jury from ${WATCHED_EVENTS}`,
})

/** The present access of open connections to events (P25). */
export const checkEventAccess = forViewers(readEventAccess)

/** The clock for the actor, and when it changes next without a write. */
const clockColumns = {
  clock: 'text',
  extra_minutes: 'integer | null',
  next_change_ms: 'float8 | null',
} as const

export type ClockRow = RowOf<typeof clockColumns>

/** Access and clock together, for a new stream. No row: the actor may not see the event. */
export const openEventStream = actorStatement({
  name: 'open_event_stream',
  params: { event_id: 'integer' },
  columns: { ...clockColumns, access: 'text' },
  select: `
      select ${ACCESS} as access, own.extra_minutes,
             (select ${clockText('present')}
              from (select case when own.removed_at is null then own.extra_minutes end as extra_minutes) as present) as clock,
             (select 1000 * extract(epoch from min(boundary.at) - now())::float8
              from unnest(array[events.start_time, events.freeze_time, events.end_time, ${lastEnd('events')}]) as boundary (at)
              where boundary.at > now()) as next_change_ms
      from ${WATCHED_EVENTS}`,
})

/** The same for one viewer of each audience. */
export const readEventClocks = forViewers(openEventStream)

/** The versions of the polled routes for many viewers, in the order of `POLLED`. */
export const readVersions = POLLED.map(({ version }) => forViewers(version))

/** The facts about an account that end its stream when they change. */
export const openUserStream = actorStatement({
  name: 'open_user_stream',
  columns: { access: 'text' },
  select: `select coalesce(${ACCOUNT}, '') as access`,
})

/** The present access of open streams of users. */
export const checkUserAccess = forViewers(openUserStream)

const questionIds = { question_ids: 'uuid[]' } as const

/** Those of the questions that the actor sees, and whether their notifications are shown too. */
const readShownQuestions = actorStatement({
  name: 'read_shown_questions',
  params: { event_id: 'integer', ...questionIds },
  columns: { question_id: 'uuid', is_announcement: 'boolean', notifies: 'boolean' },
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
