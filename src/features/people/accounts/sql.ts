import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf, type RowOf, statement } from '../../../db/statement.ts'
import { userJson } from '../../shared/records/users.ts'

const accountColumns = {
  ...({ id: 'uuid', name: 'text', email: 'text', image: 'text' } as const),
  ...({ is_admin: 'boolean', session_version: 'integer' } as const),
}

export type Account = RowOf<typeof accountColumns>

const account = `users.id, users.name, users.email, users.image, users.is_admin, users.session_version`

/** Whether an account has this e-mail, in any spelling that counts as the same (D11). */
const HAS_EMAIL = 'folded(users.email) = folded(:email) and users.deleted_at is null'

/** Creates a user, by registration or by an admin (D11, D16); `body` is its JSON. */
export const createUser = actorStatement({
  name: 'create_user',
  params: {
    id: 'uuid',
    name: 'text',
    email: 'text',
    image: 'text',
    is_admin: 'boolean',
    password_hash: 'text | null',
  },
  columns: { ...accountColumns, body: 'text' },
  with: `created as (
      insert into users (id, name, email, image, is_admin, password_hash)
      select :id, :name, :email, :image, :is_admin, :password_hash
      where ${ACTOR_EXISTS}
      returning users.*
    )`,
  select: `select ${account}, ${userJson('users')}::text as body from created as users`,
})

/** No id: no account has this e-mail. `key` stands for the account in limits, in both cases. */
export const findAccount = statement({
  name: 'find_account',
  params: { email: 'text' },
  columns: [
    { key: 'text', ...accountColumns, password_hash: 'text | null' },
    { key: 'text', id: 'null' },
  ],
  sql: `select folded(:email) as key, ${account}, users.password_hash
        from (select) as request
        left join users on ${HAS_EMAIL}`,
})

/**
 * Finds the account of a provider's id, or creates it (D12). Name, e-mail and image of an existing
 * account follow the provider, each as far as it is free.
 */
export const followProvider = statement({
  name: 'follow_provider',
  params: {
    provider_id: 'text',
    name: 'text',
    email: 'text',
    image: 'text | null',
    new_id: 'uuid',
    is_admin: 'boolean',
  },
  columns: accountColumns,
  sql: `with followed as (
          update users
          set name  = case when ${isFree('name')} then :name else users.name end,
              email = case when ${isFree('email')} then :email else users.email end,
              image = coalesce(:image, users.image)
          where users.provider_id = :provider_id
          returning ${account}
        ), made as (
          insert into users (id, name, email, image, is_admin, provider_id)
          select :new_id, :name, :email, coalesce(:image, ''), :is_admin, :provider_id
          where not exists (select from users where users.provider_id = :provider_id)
          returning ${account}
        )
        select followed.* from followed union all select made.* from made`,
})

/**
 * A new token replaces older ones and is valid for one hour (D13). Requests, resets and deletions
 * lock the account before its token: no deadlock, and no token outlives its account. The row has
 * the e-mail of the account, which may differ from the sent one in case and in look-alike
 * characters. For an unknown e-mail the same is written for a slot, so that the time does not show
 * whether it has an account.
 */
export const requestReset = statement({
  name: 'request_reset',
  params: { email: 'text', token_hash: 'text', slot: 'integer' },
  columns: { email: 'text' },
  sql: `with account as (
          select users.id, users.email from users where ${HAS_EMAIL} for no key update
        ), issued as (
          insert into password_resets (user_id, token_hash, expires_at)
          select account.id, :token_hash, now() + interval '1 hour'
          from account
          on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
          returning password_resets.user_id
        ), hidden as (
          insert into unknown_resets (slot, token_hash, expires_at)
          select :slot, :token_hash, now() + interval '1 hour'
          where not exists (select from account)
          on conflict (slot) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
        )
        select account.email from issued join account on account.id = issued.user_id`,
})

/** Consumes a token and sets the password; the new session version ends sessions (D9, D13). */
export const resetPassword = statement({
  name: 'reset_password',
  params: { email: 'text', token_hash: 'text | null', password_hash: 'text', allow_missing_token: 'boolean' },
  columns: { outcome: oneOf('reset', 'no_account', 'wrong_token') },
  sql: `with account as (
          select users.id from users where ${HAS_EMAIL} for no key update
        ), consumed as (
          delete from password_resets
          using account
          where password_resets.user_id = account.id
            and ((:token_hash is null and :allow_missing_token)
                 or (password_resets.token_hash = :token_hash and password_resets.expires_at > now()))
          returning password_resets.user_id
        ), changed as (
          update users
          set password_hash = :password_hash, session_version = users.session_version + 1
          from account
          where users.id = account.id
            and ((:token_hash is null and :allow_missing_token) or exists (select from consumed))
          returning users.id
        )
        select case
                 when exists (select from changed) then 'reset'
                 when exists (select from account) then 'wrong_token'
                 else 'no_account'
               end as outcome`,
})

/** Makes a user an admin; the tokens of before have no more rights (D10). No row: no such user. */
export const promoteUser = statement({
  name: 'promote_user',
  params: { email: 'text' },
  columns: { id: 'uuid' },
  sql: `update users
        set is_admin = true
        where ${HAS_EMAIL}
        returning users.id`,
})

/** Deletes what requests for unknown e-mails wrote more than an hour ago (D13). */
export const deleteUnknownResets = statement({
  name: 'delete_unknown_resets',
  sql: `delete from unknown_resets where unknown_resets.expires_at <= now()`,
})

function isFree(column: 'name' | 'email') {
  return `not exists (
                             select from users as other
                             where folded(other.${column}) = folded(:${column}) and other.deleted_at is null
                               and other.id <> users.id)`
}
