import { actorStatement } from '../../db/actor-statement.ts'
import { row, statement } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { newestFirst } from '../../lists/order.ts'
import { changesOf } from '../../lists/version.ts'
import { limitsInEvent, seesAllOf } from '../access/events.ts'
import { problemJson } from '../problems/sql.ts'
import { userJson } from '../records/users.ts'

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

/** The problems of `events`, without deleted ones. */
const attachedProblems = `event_problems
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null`

const problemCount = (condition: string) => `(
      select count(*) from ${attachedProblems} where event_problems.event_id = events.id and ${condition})`

const isShown = `(not event_problems.hidden or ${seesAllOf('events')})`

/** Problems hidden from the actor do not count (D31, D33). */
const eventFields = `${identityFields},
      'problem_count', ${problemCount(isShown)},
      'participant_count', ${participantCount}`

const writtenJson = `json_build_object(${identityFields},
      'problem_count', ${problemCount('true')},
      'participant_count', ${participantCount})::text`

const participantsJson = (condition: string) => `(
      select coalesce(json_agg(${userJson('users')} order by event_participants.joined_at, users.id), '[]')
      from event_participants
      join users on users.id = event_participants.user_id
      where event_participants.event_id = events.id and ${condition})`

/** `participants` contains only the caller (D31). */
export const listEvents = defineList({
  name: 'list_events',
  item: `json_build_object(${eventFields}, 'participants', ${participantsJson('event_participants.user_id = :actor')})`,
  from: 'events',
  where: 'events.deleted_at is null',
  order: newestFirst('events.start_time', 'events.id', 'integer'),
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'participants', 'problems')}, (
      select ${userJson('users')}::text from users where users.id = :actor))`,
  },
})

export const readPublicEvent = actorStatement({
  name: 'read_public_event',
  params: { event_id: 'integer' },
  row: row<{ body: string }>(),
  select: `
      select json_build_object(${eventFields},
        'participants', ${participantsJson('true')},
        'problems', (
          select coalesce(json_agg(json_build_object('id', event_problems.problem_id) order by event_problems.id), '[]')
          from ${attachedProblems}
          where event_problems.event_id = events.id and ${isShown}))::text as body
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

/** An event with its whole problems, for admins (D31). */
const fullJson = `json_build_object(${eventFields},
        'problems', (
          select coalesce(json_agg(json_build_object(
                   'id', event_problems.id,
                   'event_id', event_problems.event_id,
                   'problem_id', event_problems.problem_id,
                   'hidden', event_problems.hidden,${limitsInEvent},
                   'problem', ${problemJson}) order by event_problems.id), '[]')
          from ${attachedProblems}
          where event_problems.event_id = events.id))::text`

export const readEvent = actorStatement({
  name: 'read_event',
  params: { event_id: 'integer' },
  row: row<{ body: string }>(),
  select: `
      select ${fullJson} as body
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

/** The newest event with a title (D31). */
export const findEvent = actorStatement({
  name: 'find_event',
  params: { title: 'text' },
  row: row<{ body: string }>(),
  select: `
      select ${fullJson} as body
      from events
      where events.title = :title and events.deleted_at is null
      order by events.id desc
      limit 1`,
})

/** Creates an event with its problems; null limits: the problem's own apply (D32). */
export const createEvent = statement({
  name: 'create_event',
  params: {
    user_id: 'uuid',
    title: 'text',
    description: 'text',
    start_time: 'timestamptz',
    end_time: 'timestamptz',
    teams: 'boolean',
    languages: 'json',
    problem_ids: 'integer[]',
    accept_timeouts: 'float8[]',
    execution_timeouts: 'float8[]',
    memory_limits: 'integer[]',
    hidden: 'boolean[]',
  },
  row: row<{ outcome: 'created'; body: string } | { outcome: 'no_user' | 'no_problem'; body: null }>(),
  sql: `with given as (
          select given.*
          from unnest(:problem_ids, :accept_timeouts, :execution_timeouts, :memory_limits, :hidden)
                 with ordinality as given (problem_id, accept_timeout, execution_timeout, memory_limit, hidden, position)
        ), owner as (
          select users.id from users where users.id = :user_id and users.deleted_at is null
        ), created as (
          insert into events (user_id, title, description, start_time, end_time, teams, languages)
          select owner.id, :title, :description, :start_time, :end_time, :teams, :languages
          from owner
          where not exists (
            select from given
            where not exists (
              select from problems where problems.id = given.problem_id and problems.deleted_at is null))
          returning events.*
        ), attached as (
          insert into event_problems (event_id, problem_id, accept_timeout, execution_timeout, memory_limit, hidden)
          select created.id, given.problem_id, given.accept_timeout, given.execution_timeout, given.memory_limit, given.hidden
          from created, given
          order by given.position
        )
        select case
                 when exists (select from created) then 'created'
                 when exists (select from owner) then 'no_problem'
                 else 'no_user'
               end as outcome,
               (select json_build_object(${identityFields},
                  'problem_count', (select count(*) from given),
                  'participant_count', 0)::text from created as events) as body`,
})

/**
 * Changes of one event wait for each other, and submissions wait for them. This is a separate
 * statement: locking the newest version of a row but updating the snapshot's version deadlocks.
 */
export const lockEvent = statement({
  name: 'lock_event',
  params: { event_id: 'integer' },
  sql: `select events.id
        from events
        where events.id = :event_id and events.deleted_at is null
        for no key update`,
})

/** After `lockEvent`. Null: unchanged. No row: the event would end before it starts. */
export const updateEvent = statement({
  name: 'update_event',
  params: {
    event_id: 'integer',
    title: 'text?',
    description: 'text?',
    start_time: 'timestamptz?',
    end_time: 'timestamptz?',
    teams: 'boolean?',
  },
  row: row<{ body: string }>(),
  sql: `update events
        set title       = coalesce(:title, events.title),
            description = coalesce(:description, events.description),
            start_time  = coalesce(:start_time, events.start_time),
            end_time    = coalesce(:end_time, events.end_time),
            teams       = coalesce(:teams, events.teams)
        where events.id = :event_id
          and ((:start_time is null and :end_time is null)
               or coalesce(:start_time, events.start_time) < coalesce(:end_time, events.end_time))
        returning ${writtenJson} as body`,
})

/** After `lockEvent`: later than all accepted submissions. An ended event keeps its end (D32). */
export const endEvent = statement({
  name: 'end_event',
  params: { event_id: 'integer' },
  row: row<{ body: string }>(),
  sql: `update events
        set end_time = least(events.end_time, clock_timestamp())
        where events.id = :event_id
        returning ${writtenJson} as body`,
})

/** The row stays: submissions refer to it. */
export const deleteEvent = statement({
  name: 'delete_event',
  params: { event_id: 'integer' },
  sql: `update events
        set deleted_at = now()
        where events.id = :event_id and events.deleted_at is null
        returning events.id`,
})
