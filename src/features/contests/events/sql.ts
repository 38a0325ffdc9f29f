import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, withNotNull } from '../../../db/json.ts'
import { row } from '../../../db/statement.ts'
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
import { userJson, userJsonIn } from '../../shared/records/users.ts'
import { ruleColumns, ruleFields, ruleParams, rulePlaceholders, staffExists } from './contest-rules.ts'
import { unknownLanguage } from './enforced-languages.ts'

const identityFields = `
      ${fieldsOf('events', 'id', 'user_id', 'title', 'description')},
      'start_time', utc(events.start_time),
      'end_time', utc(events.end_time),
      'teams', events.teams,
      'languages', events.languages`

/** An index counts all participants; few contests have some who are not listed (P21). */
const participantCount = `(
      select count(*) from event_participants where event_participants.event_id = events.id)
      - case when events.has_unlisted then count_unlisted(events.id, ${managesEvent('events')}, :actor) else 0 end`

/** The problems of `events`, without deleted ones. */
const attachedProblems = `event_problems
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null`

const problemCount = (condition: string) => `(
      select count(*) from ${attachedProblems} where event_problems.event_id = events.id and ${condition})`

const isShown = `(not event_problems.hidden or ${seesAllOf('events')})`

/** `isOpenTo`, which costs a list of contests no planning (P21). */
const IS_OPEN = `(events.admission is distinct from 'invited' or ${seesLive('events')}
        or takes_part(events.id, :actor))`

/** `value` where the event is open to the actor (P21). */
const ifOpen = (value: string, otherwise: string) =>
  `case when ${IS_OPEN} then ${value} else ${otherwise} end`

const NONE = 'json_build_array()'

/** Problems hidden from the actor do not count (D31, D33). */
const eventFields = `${identityFields},
      'problem_count', ${ifOpen(problemCount(isShown), '0')},
      'participant_count', ${ifOpen(participantCount, '0')}`

const participantsJson = (user: string, condition: string) => `(
      select coalesce(json_agg(${user} order by event_participants.joined_at, users.id), '[]')
      from event_participants
      join users on users.id = event_participants.user_id
      where event_participants.event_id = events.id and ${condition})`

/** The participants whom the actor sees (P21). */
const participants = participantsJson(userJsonIn('events', 'users'), isListed(managesEvent('events')))

const problemIds = (condition: string) => `(
      select coalesce(json_agg(json_build_object('id', event_problems.problem_id) order by ${IN_PROBLEM_ORDER}), '[]')
      from ${attachedProblems}
      where event_problems.event_id = events.id and ${condition})`

/** `participants` contains only the caller (D31). */
const callerOnly = participantsJson(
  userJson('users'),
  'event_participants.user_id = :actor and event_participants.removed_at is null',
)

/** An updated event with all its problems: the caller is an admin (D31, D32). */
export const writtenJson = `(${withNotNull(
  `${identityFields},
      'problem_count', ${problemCount('true')},
      'participant_count', ${participantCount},
      'participants', ${callerOnly},
      'problems', ${problemIds('true')}`,
  ruleFields,
)})::text`

export const listEvents = defineList({
  name: 'list_events',
  item: withNotNull(
    `${eventFields}, 'participants', ${callerOnly}, 'problems', ${ifOpen(problemIds(isShown), NONE)}`,
    ruleFields,
  ),
  bytes: 'octet_length(events.description)',
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
      select (${withNotNull(
        `${eventFields},
        'participants', ${ifOpen(participants, NONE)},
        'problems', ${ifOpen(problemIds(isShown), NONE)}`,
        ruleFields,
      )})::text as body
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

const MEBIBYTE = 1024 * 1024

/** More than writes allow (D8); older events may have more. Node cannot read a text of 512 MiB. */
const MOST_TEXT_BYTES = 200 * MEBIBYTE

/**
 * An event with all participants and its whole problems, for admins (D31); null if it is too long.
 * `case` measures the texts before it builds the JSON.
 */
const fullBody = `(
        select case when texts.prompts + texts.public_tests <= ${MOST_TEXT_BYTES} then ${fullJson()} end
        from event_text_bytes(events.id) as texts)`

function fullJson(): string {
  const fields = `${eventFields},
        'participants', ${participants},
        'problems', (
          select coalesce(json_agg(${withNotNull(
            `'id', event_problems.id,
                   'event_id', event_problems.event_id,
                   'problem_id', event_problems.problem_id,
                   'hidden', event_problems.hidden,${limitsInEvent},
                   'problem', ${problemJson(limitsInEvent)}`,
            problemSettings,
          )} order by ${IN_PROBLEM_ORDER}), '[]')
          from ${attachedProblems}
          where event_problems.event_id = events.id)`
  return `(${withNotNull(fields, ruleFields)})::text`
}

export const readEvent = actorStatement({
  name: 'read_event',
  params: { event_id: 'integer' },
  row: row<{ body: string | null }>(),
  select: `
      select ${fullBody} as body
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

/** The newest event with a title (D31). */
export const findEvent = actorStatement({
  name: 'find_event',
  params: { title: 'text' },
  row: row<{ body: string | null }>(),
  select: `
      select ${fullBody} as body
      from events
      where events.title = :title and events.deleted_at is null
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
  },
  row: row<
    | { outcome: 'created'; body: string }
    | { outcome: 'no_user' | 'no_problem' }
    | { outcome: 'unknown_language'; unknown_language: string }
  >(),
  with: `given as (
      select given.*
      from unnest(:problem_ids, :accept_timeouts, :execution_timeouts, :memory_limits, :hidden,
                  :labels, :colors, :positions)
             with ordinality as given (problem_id, accept_timeout, execution_timeout, memory_limit, hidden,
                                       label, color, position, place)
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
                                  label, color, position)
      select created.id, given.problem_id, given.accept_timeout, given.execution_timeout, given.memory_limit, given.hidden,
             given.label, given.color, given.position
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
             (select (${withNotNull(
               `${identityFields},
                'problem_count', (select count(*) from given),
                'participant_count', 0,
                'participants', json_build_array(),
                'problems', (
                  select coalesce(json_agg(json_build_object('id', given.problem_id)
                           order by given.position nulls last, given.place), '[]')
                  from given)`,
               ruleFields,
             )})::text from created as events) as body,
             named.unknown_language
      from named`,
})
