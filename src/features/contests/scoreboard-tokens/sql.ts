import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { bodyIf, oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { changesOf, EVERYBODY } from '../../../lists/version.ts'
import { EVENT, managesEvent } from '../../shared/access/events.ts'
import { NOT_STAFF } from '../../shared/access/refusals.ts'
import { CLOCK_FIELDS } from '../events/clock-sql.ts'
import { standingsDocument } from '../standings/documents.ts'
import { type RankedBy, standingsRefusal } from '../standings/shown.ts'

/** A token without its hash. */
const tokenJson = (tokens: string) => `json_strip_nulls(json_build_object(
               'id', ${tokens}.id,
               'event_id', ${tokens}.event_id,
               'label', ${tokens}.label,
               'created_by', ${tokens}.created_by,
               'created_at', utc(${tokens}.created_at)))`

const MANAGED_EVENT = `event as (
      select events.id, ${managesEvent('events')} as is_managed
      from events
      where events.id = :event_id and ${EVENT.exists}
    )`

/** Stores the hash of a new token. No row: there is no such event. */
export const createScoreboardToken = actorStatement({
  name: 'create_scoreboard_token',
  params: { event_id: 'integer', id: 'uuid', label: 'text | null', token_hash: 'text' },
  columns: bodyIf('created', 'not_staff'),
  with: `${MANAGED_EVENT}, created as (
      insert into scoreboard_tokens (id, event_id, token_hash, label, created_by)
      select :id, event.id, :token_hash, :label, users.id
      from event
      join users on users.id = :actor and users.deleted_at is null
      where event.is_managed and ${ACTOR_EXISTS}
      returning scoreboard_tokens.*
    )`,
  select: `
      select case when exists (select from created) then 'created' else 'not_staff' end as outcome,
             (select ${tokenJson('created')}::text from created) as body
      from event`,
})

/** For staff, oldest first. */
export const listScoreboardTokens = defineList({
  name: 'list_scoreboard_tokens',
  params: { event_id: 'integer' },
  item: tokenJson('scoreboard_tokens'),
  from: 'scoreboard_tokens',
  where: 'scoreboard_tokens.event_id = :event_id',
  order: ascending(
    { column: 'scoreboard_tokens.created_at', type: 'instant' },
    { column: 'scoreboard_tokens.id', type: 'uuid' },
  ),
  owner: {
    ...EVENT,
    refusal: {
      kind: `(
      select case when not ${managesEvent('events')} then 'FORBIDDEN' end from events where events.id = :event_id)`,
      messages: { FORBIDDEN: NOT_STAFF },
    },
  },
  version: { changes: changesOf('scoreboard tokens'), audience: EVERYBODY },
})

/** No row: there is no such event. */
export const deleteScoreboardToken = actorStatement({
  name: 'delete_scoreboard_token',
  params: { event_id: 'integer', scoreboard_token_id: 'uuid' },
  columns: { outcome: oneOf('deleted', 'not_staff', 'no_token') },
  with: `${MANAGED_EVENT}, deleted as (
      delete from scoreboard_tokens
      using event
      where scoreboard_tokens.id = :scoreboard_token_id and scoreboard_tokens.event_id = event.id
        and event.is_managed and ${ACTOR_EXISTS}
      returning scoreboard_tokens.id
    )`,
  select: `
      select case
               when not event.is_managed then 'not_staff'
               when exists (select from deleted) then 'deleted'
               else 'no_token'
             end as outcome
      from event`,
})

const tokenParams = { event_id: 'integer', token_hash: 'text' } as const

/** The event of a token that has this hash. */
const TOKENS_EVENT = {
  name: 'scoreboard',
  exists: `exists (
      select from scoreboard_tokens
      join events on events.id = scoreboard_tokens.event_id and events.deleted_at is null
      where scoreboard_tokens.token_hash = :token_hash and scoreboard_tokens.event_id = :event_id)`,
}

/** No row: the token is none of this event. */
export const readScoreboardClock = actorStatement({
  name: 'read_scoreboard_clock',
  params: tokenParams,
  columns: { body: 'text' },
  select: `
      select json_strip_nulls(json_build_object(
               ${CLOCK_FIELDS},
               'title', events.title,
               'teams', events.teams))::text as body
      from events
      where events.id = :event_id and ${TOKENS_EVENT.exists}`,
})

/** Without an actor: the standings as the public sees them. */
const standingsOf = (by: RankedBy) =>
  standingsDocument({
    name: `read_scoreboard_standings_by_${by}`,
    params: tokenParams,
    by,
    owner: { ...TOKENS_EVENT, refusal: standingsRefusal(by, 'false') },
  })

export const scoreboardStandings = { user: standingsOf('user'), team: standingsOf('team') }
