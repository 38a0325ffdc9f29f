import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { ascending } from '../../lists/order.ts'
import { EVENT } from '../access/events.ts'
import { userJson } from '../records/users.ts'

/** In the order of joining; deleted users have no personal data left (D16). */
export const listParticipants = defineList({
  name: 'list_participants',
  params: { event_id: 'integer' },
  item: userJson('users'),
  from: `event_participants
      join users on users.id = event_participants.user_id`,
  where: 'event_participants.event_id = :event_id',
  order: ascending(
    { column: 'event_participants.joined_at', type: 'instant' },
    { column: 'event_participants.user_id', type: 'uuid' },
  ),
  owner: EVENT,
})

/** No row: there is no such event (D34). */
export const addParticipant = actorStatement({
  name: 'add_participant',
  params: { event_id: 'integer', user_id: 'uuid' },
  row: row<{ outcome: 'added' | 'already_registered' | 'no_user' }>(),
  with: `event as (
      select events.id from events where events.id = :event_id and events.deleted_at is null
    ), account as (
      select users.id from users where users.id = :user_id and users.deleted_at is null
    ), added as (
      insert into event_participants (event_id, user_id)
      select event.id, account.id
      from event, account
      where ${ACTOR_EXISTS}
      on conflict do nothing
      returning event_participants.user_id
    )`,
  select: `
      select case
               when exists (select from added) then 'added'
               when exists (select from account) then 'already_registered'
               else 'no_user'
             end as outcome
      from event`,
})
