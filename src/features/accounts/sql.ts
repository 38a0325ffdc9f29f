import { statement } from '../../db/database.ts'

type Account = {
  id: string
  name: string
  email: string
  image: string
  is_admin: boolean
  session_version: number
}

const account = `users.id, users.name, users.email, users.image, users.is_admin, users.session_version`

/** $1 id, $2 name, $3 e-mail, $4 image, $5 admin, $6 password hash. A duplicate violates a `users_…_key`. */
export const register = statement<Account>(
  'register',
  `insert into users (id, name, email, image, is_admin, password_hash)
   values ($1, $2, $3, $4, $5, $6)
   returning ${account}`,
)

/** $1 e-mail, whatever its case. */
export const findAccount = statement<Account & { password_hash: string | null }>(
  'find_account',
  `select ${account}, users.password_hash
   from users
   where lower(users.email) = lower($1) and users.deleted_at is null`,
)

/**
 * Finds the account by the provider's id and lets name, e-mail and image follow where they are free, or makes a new one (D12):
 * $1 provider's id, $2 name, $3 e-mail, $4 image or null, $5 id and $6 admin of a new account.
 */
export const followProvider = statement<Account>(
  'follow_provider',
  `with followed as (
     update users
     set name  = case when ${isFree('name', '$2')} then $2 else users.name end,
         email = case when ${isFree('email', '$3')} then $3 else users.email end,
         image = coalesce($4, users.image)
     where users.provider_id = $1
     returning ${account}
   ), made as (
     insert into users (id, name, email, image, is_admin, provider_id)
     select $5, $2, $3, coalesce($4, ''), $6, $1
     where not exists (select from users where users.provider_id = $1)
     returning ${account}
   )
   select followed.* from followed union all select made.* from made`,
)

/**
 * $1 e-mail, $2 hash of the token: a new request replaces older tokens; valid for one hour (D13). The account is locked before its token,
 * here, in a reset and in a deletion, so that none of them deadlocks with or outlives another.
 */
export const requestReset = statement<{ user_id: string }>(
  'request_reset',
  `insert into password_resets (user_id, token_hash, expires_at)
   select users.id, $2, now() + interval '1 hour'
   from users
   where lower(users.email) = lower($1) and users.deleted_at is null
   for no key update
   on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
   returning password_resets.user_id`,
)

/**
 * Consumes a token and sets the password in one go; the session version ends older sessions (D9, D13): $1 e-mail, $2 hash of the token or
 * null, $3 hash of the password, $4 whether a missing token is let through.
 */
export const resetPassword = statement<{ known: boolean; done: boolean }>(
  'reset_password',
  `with account as (
     select users.id from users where lower(users.email) = lower($1) and users.deleted_at is null for no key update
   ), consumed as (
     delete from password_resets
     using account
     where password_resets.user_id = account.id
       and (($2::text is null and $4::boolean)
            or (password_resets.token_hash = $2::text and password_resets.expires_at > now()))
     returning password_resets.user_id
   ), changed as (
     update users
     set password_hash = $3, session_version = users.session_version + 1
     from account
     where users.id = account.id
       and (($2::text is null and $4::boolean) or exists (select from consumed))
     returning users.id
   )
   select exists (select from account) as known, exists (select from changed) as done`,
)

function isFree(column: 'name' | 'email', value: string) {
  return `not exists (
           select from users as other
           where lower(other.${column}) = lower(${value}) and other.deleted_at is null and other.id <> users.id)`
}
