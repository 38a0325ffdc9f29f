import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { EVENT_EXISTS } from '../access/events.ts'
import { userJson } from '../users/sql.ts'

/** $4 event: its participants in the order in which they joined, the deleted ones scrubbed (D16). */
export const listParticipants = defineList('list_participants', {
  item: userJson('users'),
  from: `event_participants
         join users on users.id = event_participants.user_id
         where event_participants.event_id = $4::integer`,
  values: 1,
  key: [
    { column: 'event_participants.joined_at', type: 'instant' },
    { column: 'event_participants.user_id', type: 'uuid' },
  ],
  direction: 'asc',
  given: EVENT_EXISTS,
})

/** $4 event, $5 user: takes part from now on (D34). Not done: there is no such user, or they take part already. */
export const addParticipant = guarded<{ done: boolean; has_user: boolean }>('add_participant', {
  ctes: `event as (
      select events.id from events where events.id = $4::integer and events.deleted_at is null
    ), account as (
      select users.id from users where users.id = $5::uuid and users.deleted_at is null
    ), added as (
      insert into event_participants (event_id, user_id)
      select event.id, account.id
      from event, account
      where ${ACTOR_LIVES}
      on conflict do nothing
      returning event_participants.user_id
    )`,
  select: `select exists (select from added) as done,
                  exists (select from account) as has_user
           from event`,
})
