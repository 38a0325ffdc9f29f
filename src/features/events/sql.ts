import { guarded } from '../../db/actor-statement.ts'
import { statement } from '../../db/database.ts'
import { defineList } from '../../lists/definition.ts'
import { changesOf } from '../../lists/version.ts'
import { seesAllOf } from '../access/events.ts'
import { problemJson } from '../problems/sql.ts'
import { userJson } from '../users/sql.ts'

const identityFields = `
      'id', events.id,
      'user_id', events.user_id,
      'title', events.title,
      'description', events.description,
      'start_time', utc(events.start_time),
      'end_time', utc(events.end_time),
      'teams', events.teams,
      'languages', events.languages`

const participantCount = `(
      select count(*) from event_participants where event_participants.event_id = events.id)`

/** The problems of `events`; those that were deleted are gone here too. */
const attachedProblems = `event_problems
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null`

const problemCount = (condition: string) => `(
      select count(*) from ${attachedProblems} where event_problems.event_id = events.id and ${condition})`

/** What an actor sees of an event: problems that are hidden from them do not even count (D31, D33). */
const eventFields = `${identityFields},
      'problem_count', ${problemCount(`(not event_problems.hidden or ${seesAllOf('events')})`)},
      'participant_count', ${participantCount}`

/** The JSON of an event for those who write it. */
const writtenJson = `json_build_object(${identityFields},
      'problem_count', ${problemCount('true')},
      'participant_count', ${participantCount})::text`

const participantsJson = (condition: string) => `(
      select coalesce(json_agg(${userJson('users')} order by event_participants.joined_at, users.id), '[]')
      from event_participants
      join users on users.id = event_participants.user_id
      where event_participants.event_id = events.id and ${condition})`

const newestFirst = {
  key: [
    { column: 'events.start_time', type: 'instant' },
    { column: 'events.id', type: 'integer' },
  ],
  direction: 'desc',
} as const

/** Every event, the latest to start first; of the participants only the caller (D31). */
export const listEvents = defineList('list_events', {
  item: `json_build_object(${eventFields}, 'participants', ${participantsJson('event_participants.user_id = $1::uuid')})`,
  from: 'events where events.deleted_at is null',
  values: 0,
  ...newestFirst,
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'participants', 'problems')}, (
      select ${userJson('users')}::text from users where users.id = $1::uuid))`,
  },
})

/** $4 event, as everybody sees it (D31). */
export const readPublicEvent = guarded<{ body: string }>('read_public_event', {
  select: `select json_build_object(${eventFields},
             'participants', ${participantsJson('true')},
             'problems', (
               select coalesce(json_agg(json_build_object('id', event_problems.problem_id) order by event_problems.id), '[]')
               from ${attachedProblems}
               where event_problems.event_id = events.id
                 and (not event_problems.hidden or ${seesAllOf('events')})))::text as body
           from events
           where events.id = $4::integer and events.deleted_at is null`,
})

const fullJson = `json_build_object(${eventFields},
      'problems', (
        select coalesce(json_agg(json_build_object(
                 'id', event_problems.id,
                 'event_id', event_problems.event_id,
                 'problem_id', event_problems.problem_id,
                 'hidden', event_problems.hidden,
                 'accept_timeout', coalesce(event_problems.accept_timeout, problems.accept_timeout),
                 'execution_timeout', coalesce(event_problems.execution_timeout, problems.execution_timeout),
                 'memory_limit', coalesce(event_problems.memory_limit, problems.memory_limit),
                 'problem', ${problemJson}) order by event_problems.id), '[]')
        from ${attachedProblems}
        where event_problems.event_id = events.id))::text`

/** $4 event, for admins: its problems whole (D31). */
export const readEvent = guarded<{ body: string }>('read_event', {
  select: `select ${fullJson} as body from events where events.id = $4::integer and events.deleted_at is null`,
})

/** $4 title: the newest event of it (D31). */
export const findEvent = guarded<{ body: string }>('find_event', {
  select: `select ${fullJson} as body
           from events
           where events.title = $4::text and events.deleted_at is null
           order by events.id desc
           limit 1`,
})

export type CreatedEvent = { body: string | null; has_user: boolean }

/**
 * Makes an event with its problems (D32): $1 owner, $2 title, $3 description, $4 start, $5 end, $6 teams, $7 languages (JSON); $8 problems, $9 their
 * accept and $10 execution timeouts (s), $11 memory limits (MiB), null where the problem's own hold, $12 hidden. Without a body the owner or a
 * problem is not there.
 */
export const createEvent = statement<CreatedEvent>(
  'create_event',
  `with given as (
     select given.*
     from unnest($8::integer[], $9::float8[], $10::float8[], $11::integer[], $12::boolean[])
            with ordinality as given (problem_id, accept_timeout, execution_timeout, memory_limit, hidden, position)
   ), owner as (
     select users.id from users where users.id = $1::uuid and users.deleted_at is null
   ), created as (
     insert into events (user_id, title, description, start_time, end_time, teams, languages)
     select owner.id, $2::text, $3::text, $4::timestamptz, $5::timestamptz, $6::boolean, $7::json
     from owner
     where not exists (
       select from given
       where not exists (select from problems where problems.id = given.problem_id and problems.deleted_at is null))
     returning events.*
   ), attached as (
     insert into event_problems (event_id, problem_id, accept_timeout, execution_timeout, memory_limit, hidden)
     select created.id, given.problem_id, given.accept_timeout, given.execution_timeout, given.memory_limit, given.hidden
     from created, given
     order by given.position
   )
   select (select json_build_object(${identityFields},
             'problem_count', (select count(*) from given),
             'participant_count', 0)::text from created as events) as body,
          exists (select from owner) as has_user`,
)

/**
 * $1 event: holds it, so that its changes follow one another and submissions wait. A statement of its own: one that locks the newest version of a row
 * and then changes the version that it saw first deadlocks with others that do so.
 */
export const lockEvent = statement<{ id: number }>(
  'lock_event',
  `select events.id
   from events
   where events.id = $1::integer and events.deleted_at is null
   for no key update`,
)

/**
 * $1 event, $2 title, $3 description, $4 start, $5 end, $6 teams; null leaves a field as it is. No row: it would end before it starts.
 * `lockEvent` goes before it.
 */
export const updateEvent = statement<{ body: string }>(
  'update_event',
  `update events
   set title       = coalesce($2::text, events.title),
       description = coalesce($3::text, events.description),
       start_time  = coalesce($4::timestamptz, events.start_time),
       end_time    = coalesce($5::timestamptz, events.end_time),
       teams       = coalesce($6::boolean, events.teams)
   where events.id = $1::integer
     and (($4::timestamptz is null and $5::timestamptz is null)
          or coalesce($4::timestamptz, events.start_time) < coalesce($5::timestamptz, events.end_time))
   returning ${writtenJson} as body`,
)

/**
 * $1 event: ends now; one that has ended keeps its end (D32). `lockEvent` goes before it, and the clock is read after: a submission that was
 * let in before lies before the end.
 */
export const endEvent = statement<{ body: string }>(
  'end_event',
  `update events
   set end_time = least(events.end_time, clock_timestamp())
   where events.id = $1::integer
   returning ${writtenJson} as body`,
)

/** $1 event. The row stays: submissions refer to it. */
export const deleteEvent = statement<{ id: number }>(
  'delete_event',
  `update events set deleted_at = now()
   where events.id = $1::integer and events.deleted_at is null
   returning events.id`,
)
