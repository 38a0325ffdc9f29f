import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'

/** The hash of the caller's password; null without one. */
export const readOwnPassword = actorStatement({
  name: 'read_own_password',
  row: row<{ password_hash: string | null }>(),
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
  row: row<{ id: string }>(),
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
  row: row<{ outcome: 'changed' | 'is_admin' }>(),
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
