import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, objectText } from '../../../db/json.ts'
import { oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { changesOf } from '../../../lists/version.ts'
import { problemJson } from '../../problems/problems/problem-json.ts'
import {
  IN_PROBLEM_ORDER,
  isListed,
  limitsInEvent,
  managesEvent,
  problemSettings,
  seesAllOf,
  seesLive,
} from '../../shared/access/events.ts'
import { emailUnless, userJson } from '../../shared/records/users.ts'
import {
  ruleColumns,
  ruleFields,
  ruleParams,
  rulePlaceholders,
  staffExists,
  unknownLanguage,
} from './contest-rules.ts'

const identityFields = `
      ${fieldsOf('events', 'id', 'user_id', 'title', 'description')},
      'start_time', utc(events.start_time),
      'end_time', utc(events.end_time),
      'teams', events.teams,
      'languages', events.languages`

const eventText = (fields: string, texts?: Readonly<Record<string, string>>) =>
  objectText(`json_build_object(${fields})`, ruleFields, texts)

/** `is_open`: as `isOpenTo`, but it costs a list of contests no planning (P21). */
const SEEN_EVENTS = `events
      cross join lateral (
        select ${managesEvent('events')} as is_staff, ${seesAllOf('events')} as sees_all,
               events.admission is distinct from 'invited' or ${seesLive('events')}
                 or takes_part(events.id, :actor) as is_open) as seen`

/** An index counts all participants; few contests have some who are not listed (P21). */
const participantCount = `(
        select count(*) from event_participants where event_participants.event_id = events.id)
        - case when events.has_unlisted then count_unlisted(events.id, seen.is_staff, :actor) else 0 end`

/** Of the problems that the actor sees (D31, D33). */
const ofProblems = (expression: string) => `(
        select ${expression}
        from event_problems
        join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
        where event_problems.event_id = events.id and (not event_problems.hidden or seen.sees_all))`

const participantsJson = (user: string, condition: string) => `(
        select coalesce(json_agg(${user} order by event_participants.joined_at, users.id), '[]')
        from event_participants
        join users on users.id = event_participants.user_id
        where event_participants.event_id = events.id and ${condition})`

/** `participants` contains only the caller (D31). */
const callerOnly = participantsJson(
  userJson('users'),
  'event_participants.user_id = :actor and event_participants.removed_at is null',
)

/** An event that is not open to the actor shows nothing within it (P21). */
const eventFields = `${identityFields},
      'problem_count', case when seen.is_open then ${ofProblems('count(*)')} else 0 end,
      'participant_count', case when seen.is_open then ${participantCount} else 0 end`

const problemIds = `case when seen.is_open then ${ofProblems(
  `coalesce(json_agg(json_build_object('id', event_problems.problem_id) order by ${IN_PROBLEM_ORDER}), '[]')`,
)} else json_build_array() end`

/** As in lists and in responses to writes (D31). */
const listedEvent = eventText(`${eventFields}, 'participants', ${callerOnly}, 'problems', ${problemIds}`)

export const listEvents = defineList({
  name: 'list_events',
  item: listedEvent,
  bytes: 'octet_length(events.description)',
  from: SEEN_EVENTS,
  where: 'events.deleted_at is null',
  order: newestFirst('events.start_time', 'events.id', 'integer'),
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'participants', 'problems')}, (
      select ${userJson('users')}::text from users where users.id = :actor))`,
  },
})

/** An event after a write. */
export const readListedEvent = actorStatement({
  name: 'read_listed_event',
  params: { event_id: 'integer' },
  columns: { body: 'text' },
  select: `select ${listedEvent} as body from ${SEEN_EVENTS} where events.id = :event_id`,
})

/** In an invited contest only staff sees e-mails; only staff sees hidden participants (P21). */
const participants = `case when seen.is_open then ${participantsJson(
  userJson('users', emailUnless(`events.admission = 'invited' and not seen.is_staff`, 'users')),
  isListed('seen.is_staff'),
)} else json_build_array() end`

export const readPublicEvent = actorStatement({
  name: 'read_public_event',
  params: { event_id: 'integer' },
  columns: { body: 'text' },
  select: `
      select ${eventText(`${eventFields}, 'participants', ${participants}, 'problems', ${problemIds}`)} as body
      from ${SEEN_EVENTS}
      where events.id = :event_id and events.deleted_at is null`,
})

/** More than writes allow (D8); older events may have more. Node cannot read a text of 512 MiB. */
const MOST_TEXT_BYTES = 200 * 1024 * 1024

const fullProblem = objectText(
  `json_build_object(
          ${fieldsOf('event_problems', 'id', 'event_id', 'problem_id', 'hidden')},${limitsInEvent})`,
  problemSettings,
  { problem: problemJson(limitsInEvent) },
)

const fullProblems = ofProblems(
  `concat('[', string_agg(${fullProblem}, ', ' order by ${IN_PROBLEM_ORDER}), ']')`,
)

/**
 * An event with all participants and its whole problems, for admins (D31); null if it is too long.
 * `case` measures the texts before it builds the JSON.
 */
export const readEvent = actorStatement({
  name: 'read_event',
  params: { event_id: 'integer' },
  columns: { body: 'text | null' },
  select: `
      select case when texts.prompts + texts.public_tests <= ${MOST_TEXT_BYTES}
               then ${eventText(`${eventFields}, 'participants', ${participants}`, { problems: fullProblems })} end as body
      from ${SEEN_EVENTS}
      cross join event_text_bytes(events.id) as texts
      where events.id = :event_id and events.deleted_at is null`,
})

/** The newest event with a title (D31). */
/** The newest event with this title. Titles of earlier releases may not be in NFC. */
export const findEvent = actorStatement({
  name: 'find_event',
  params: { title: 'text' },
  columns: { event_id: 'integer' },
  select: `
      select events.id as event_id
      from events
      where left(normalize(events.title, NFC), 600) = left(normalize(:title, NFC), 600)
        and normalize(events.title, NFC) = normalize(:title, NFC) and events.deleted_at is null
      order by events.id desc
      limit 1`,
})

/** Creates an event with its problems; null limits: the problem's own apply (D32). */
export const createEvent = actorStatement({
  name: 'create_event',
  params: {
    user_id: 'uuid',
    title: 'text',
    description: 'text',
    start_time: 'timestamptz',
    end_time: 'timestamptz',
    teams: 'boolean',
    languages: 'json',
    ...ruleParams,
    problem_ids: 'integer[]',
    accept_timeouts: 'float8[]',
    execution_timeouts: 'float8[]',
    memory_limits: 'integer[]',
    hidden: 'boolean[]',
    labels: 'text[]',
    colors: 'text[]',
    positions: 'integer[]',
    points: 'float8[]',
  },
  columns: [
    { outcome: oneOf('created'), body: 'text' },
    { outcome: oneOf('no_user', 'no_problem') },
    { outcome: oneOf('unknown_language'), unknown_language: 'text' },
  ],
  with: `given as (
      select given.*
      from unnest(:problem_ids, :accept_timeouts, :execution_timeouts, :memory_limits, :hidden,
                  :labels, :colors, :positions, :points)
             with ordinality as given (problem_id, accept_timeout, execution_timeout, memory_limit, hidden,
                                       label, color, position, points, place)
    ), named as (
      select ${unknownLanguage(':languages', ':enforce_languages')} as unknown_language
    ), owner as (
      select users.id from users where users.id = :user_id and users.deleted_at is null
    ), created as (
      insert into events (user_id, title, description, start_time, end_time, teams, languages,
                          ${ruleColumns})
      select owner.id, :title, :description, :start_time, :end_time, :teams, :languages,
             ${rulePlaceholders}
      from owner
      cross join named
      where named.unknown_language is null and ${ACTOR_EXISTS} and ${staffExists()} and not exists (
        select from given
        where not exists (
          select from problems where problems.id = given.problem_id and problems.deleted_at is null))
      returning events.*
    ), attached as (
      insert into event_problems (event_id, problem_id, accept_timeout, execution_timeout, memory_limit, hidden,
                                  label, color, position, points)
      select created.id, given.problem_id, given.accept_timeout, given.execution_timeout, given.memory_limit, given.hidden,
             given.label, given.color, given.position, given.points
      from created, given
      order by given.place
    )`,
  select: `
      select case
               when exists (select from created) then 'created'
               when named.unknown_language is not null then 'unknown_language'
               when exists (select from owner) and ${staffExists()} then 'no_problem'
               else 'no_user'
             end as outcome,
             (select ${eventText(`${identityFields},
                'problem_count', (select count(*) from given),
                'participant_count', 0,
                'participants', json_build_array(),
                'problems', (
                  select coalesce(json_agg(json_build_object('id', given.problem_id)
                           order by given.position nulls last, given.place), '[]')
                  from given)`)} from created as events) as body,
             named.unknown_language
      from named`,
})
