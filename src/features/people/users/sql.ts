import { DELETED_USER } from '@judge-data-layer/runtime/visible-text'
import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { emailUnless, userJson } from '../../shared/records/users.ts'

/** The oldest account first; `username` is part of a name, or null for all (D16). */
export const listUsers = defineList({
  name: 'list_users',
  params: { username: 'text | null' },
  item: userJson('users'),
  from: 'users',
  where: `users.deleted_at is null
        and (:username is null or strpos(folded(users.name), folded(:username)) > 0)`,
  order: ascending({ column: 'users.id', type: 'uuid' }),
})

/**
 * The user takes part in an invited contest or was removed from one, also if it was deleted, unless
 * the actor is an admin, or staff of one in which the user takes part (P21).
 */
const HIDES_EMAIL = `:actor_role <> 2 and coalesce((
        select not bool_or(event_participants.removed_at is null and ${managesEvent('events')})
        from event_participants
        join events on events.id = event_participants.event_id
        where event_participants.user_id = users.id and events.admission = 'invited'), false)`

export const readUser = actorStatement({
  name: 'read_user',
  params: { user_id: 'uuid' },
  columns: { body: 'text' },
  select: `
      select ${userJson('users', emailUnless(HIDES_EMAIL, 'users'))}::text as body
      from users
      where users.id = :user_id and users.deleted_at is null`,
})

/**
 * The user and all admins, locked in one order: of two admins who remove each other at once, the
 * second waits for the first and sees the result, without a deadlock.
 */
const locked = `locked as (
      select users.id, users.is_admin
      from users
      where users.deleted_at is null and (users.is_admin or users.id = :user_id) and ${ACTOR_EXISTS}
      order by users.id
      for no key update
    ), allowed as (
      select
      where :actor_role <> 2
        or exists (select from locked where locked.id = :actor and locked.is_admin)
    )`

const isNotTheLastAdmin =
  '(not locked.is_admin or (select count(*) from locked as admins where admins.is_admin) > 1)'

/** No row: the acting admin was removed while the statement waited. */
const outcome = (change: string) => `
      select case
               when exists (select from ${change}) then 'changed'
               when exists (select from locked where locked.id = :user_id) then 'last_admin'
               else 'no_user'
             end as outcome
      from allowed`

/** Null leaves a field as it is. The last admin cannot be demoted (D16). */
export const updateUser = actorStatement({
  name: 'update_user',
  params: { user_id: 'uuid', name: 'text?', image: 'text?', is_admin: 'boolean?' },
  columns: { outcome: oneOf('changed', 'last_admin', 'no_user') },
  with: `${locked}, updated as (
      update users
      set name     = coalesce(:name, users.name),
          image    = coalesce(:image, users.image),
          is_admin = coalesce(:is_admin, users.is_admin)
      from locked, allowed
      where users.id = locked.id and locked.id = :user_id
        and (:is_admin is distinct from false or ${isNotTheLastAdmin})
      returning users.id
    )`,
  select: outcome('updated'),
})

/** Erases the personal data; the row stays for history (D16). The last admin cannot be deleted. */
export const deleteUser = actorStatement({
  name: 'delete_user',
  params: { user_id: 'uuid' },
  columns: { outcome: oneOf('changed', 'last_admin', 'no_user') },
  with: `${locked}, deleted as (
      update users
      set name = '${DELETED_USER}', email = '', image = '', is_admin = false,
          password_hash = null, provider_id = null, deleted_at = now()
      from locked, allowed
      where users.id = locked.id and locked.id = :user_id and ${isNotTheLastAdmin}
      returning users.id
    ), resets as (
      delete from password_resets where password_resets.user_id in (select deleted.id from deleted)
    )`,
  select: outcome('deleted'),
})

/** The hash of the caller's password; null without one. */
export const readOwnPassword = actorStatement({
  name: 'read_own_password',
  columns: { password_hash: 'text | null' },
  select: `
      select users.password_hash
      from users
      where users.id = :actor and users.deleted_at is null`,
})

/** The new session version ends sessions, and open reset tokens become invalid (D9, D13). */
const changed = (from: string, condition: string) => `changed as (
      update users
      set password_hash = :password_hash, session_version = users.session_version + 1
      from ${from}
      where users.id = ${from}.id and ${condition}
      returning users.id
    ), resets as (
      delete from password_resets where password_resets.user_id in (select changed.id from changed)
    )`

/**
 * Replaces the password whose hash was compared. No row: another request has changed it meanwhile,
 * so of concurrent changes with one current password only the first is stored.
 */
export const changeOwnPassword = actorStatement({
  name: 'change_own_password',
  params: { compared_hash: 'text', password_hash: 'text' },
  columns: { id: 'uuid' },
  with: `own as (
      select users.id
      from users
      where users.id = :actor and users.password_hash = :compared_hash and ${ACTOR_EXISTS}
      for no key update
    ), ${changed('own', 'users.password_hash = :compared_hash')}`,
  select: 'select changed.id from changed',
})

/** Sets the password of a user who is no admin. The row is locked: nobody is promoted meanwhile. */
export const setPassword = actorStatement({
  name: 'set_password',
  params: { user_id: 'uuid', password_hash: 'text' },
  columns: { outcome: oneOf('changed', 'is_admin') },
  with: `account as (
      select users.id, users.is_admin
      from users
      where users.id = :user_id and users.deleted_at is null and ${ACTOR_EXISTS}
      for no key update
    ), ${changed('account', 'not account.is_admin')}`,
  select: `
      select case when account.is_admin then 'is_admin' else 'changed' end as outcome
      from account`,
})
