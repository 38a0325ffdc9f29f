import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { withNotNull } from '../../../db/json.ts'
import { bodyIf, oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { admitsByActor, EVENT, isListed, managesEvent } from '../../shared/access/events.ts'
import { LISTED_EMAIL, userFields } from '../../shared/records/users.ts'

/** Computed once for a list. */
const MANAGES = `(select ${managesEvent('events')} from events where events.id = :event_id)`

const participantFields = userFields('users', LISTED_EMAIL)

/** With the fields for staff that are set (P21). */
const participantJson = withNotNull(
  participantFields,
  `'extra_minutes', event_participants.extra_minutes, 'hidden', nullif(event_participants.hidden, false)`,
)

/** In the order of joining; deleted users have no personal data left (D16). */
export const listParticipants = defineList({
  name: 'list_participants',
  params: { event_id: 'integer' },
  item: `case when (event_participants.extra_minutes is not null or event_participants.hidden) and ${MANAGES}
      then ${participantJson}
      else json_build_object(${participantFields}) end`,
  from: `event_participants
      join users on users.id = event_participants.user_id`,
  where: `event_participants.event_id = :event_id and ${isListed(MANAGES)}`,
  order: ascending(
    { column: 'event_participants.joined_at', type: 'instant' },
    { column: 'event_participants.user_id', type: 'uuid' },
  ),
  owner: EVENT,
})

const ofEventAndUser = { event_id: 'integer', user_id: 'uuid' } as const

const accountOf = `account as (
      select users.* from users where users.id = :user_id and users.deleted_at is null
    )`

const eventFor = (permission: string) => `event as (
      select events.id, ${permission} as allows
      from events
      where events.id = :event_id and events.deleted_at is null
    )`

/** `registers`: the user does; else staff adds the user (D34). */
export const addedParams = { ...ofEventAndUser, registers: 'boolean' } as const

/** No row: there is no such event (D34, P21). */
export const addParticipant = actorStatement({
  name: 'add_participant',
  params: addedParams,
  columns: { outcome: oneOf('added', 'removed', 'not_admitted', 'already_registered', 'no_user') },
  with: `${eventFor(admitsByActor('events'))}, ${accountOf}, present as (
      select event_participants.removed_at is not null as is_removed
      from event_participants
      where event_participants.event_id = :event_id and event_participants.user_id = :user_id
    ), added as (
      insert into event_participants (event_id, user_id, registered_at)
      select event.id, account.id, case when :registers then now() end
      from event, account
      where event.allows and ${ACTOR_EXISTS}
      on conflict do nothing
      returning event_participants.user_id
    )`,
  select: `
      select case
               when exists (select from added) then 'added'
               when not exists (select from account) then 'no_user'
               when (select present.is_removed from present) then 'removed'
               when event.allows or exists (select from present) then 'already_registered'
               else 'not_admitted'
             end as outcome
      from event`,
})

/**
 * Staff changes a participant, or makes the user one (again), who then has a row in the standings.
 * No row: there is no such event.
 */
export const changeParticipant = actorStatement({
  name: 'change_participant',
  params: {
    ...ofEventAndUser,
    extra_minutes: 'integer | null',
    keeps_extra_minutes: 'boolean',
    hidden: 'boolean?',
  },
  columns: bodyIf('changed', 'not_staff', 'no_user'),
  with: `${eventFor(managesEvent('events'))}, ${accountOf}, changed as (
      insert into event_participants (event_id, user_id, extra_minutes, hidden)
      select event.id, account.id, nullif(:extra_minutes, 0), coalesce(:hidden, false)
      from event, account
      where event.allows and ${ACTOR_EXISTS}
      on conflict (event_id, user_id)
      do update set extra_minutes = case when :keeps_extra_minutes then event_participants.extra_minutes
                                         else excluded.extra_minutes end,
                    hidden        = coalesce(:hidden, event_participants.hidden),
                    removed_at    = null,
                    registered_at = null
      returning event_participants.*
    )`,
  select: `
      select case
               when not event.allows then 'not_staff'
               when exists (select from changed) then 'changed'
               else 'no_user'
             end as outcome,
             (select (${participantJson})::text from changed as event_participants, account as users) as body
      from event`,
})

/** Staff removes a participant; row and submissions stay (P21). No row: no such event. */
export const removeParticipant = actorStatement({
  name: 'remove_participant',
  params: ofEventAndUser,
  columns: { outcome: oneOf('removed', 'not_staff', 'no_participant') },
  with: `${eventFor(managesEvent('events'))}, removed as (
      update event_participants
      set removed_at = now()
      from event
      where event_participants.event_id = event.id and event_participants.user_id = :user_id
        and event_participants.removed_at is null and event.allows and ${ACTOR_EXISTS}
      returning event_participants.user_id
    ), forgotten as (
      delete from notifications
      where notifications.user_id = :user_id and notifications.event_id = :event_id
        and (notifications.read_at is null or notifications.read_at > now() - interval '24 hours')
        and exists (select from removed)
    )`,
  select: `
      select case
               when not event.allows then 'not_staff'
               when exists (select from removed) then 'removed'
               else 'no_participant'
             end as outcome
      from event`,
})
