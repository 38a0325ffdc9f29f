import { guarded } from '../../db/actor-statement.ts'
import { statement } from '../../db/database.ts'
import { defineList } from '../../lists/definition.ts'

/** The JSON of a user; a deleted one reads as its scrubbed row says (D16). */
export const userJson = (user: string) => `json_build_object(
    'id', ${user}.id,
    'name', ${user}.name,
    'email', ${user}.email,
    'image', ${user}.image,
    'is_admin', ${user}.is_admin,
    'join_date', utc(${user}.join_date))`

/** Users by age of their account; $4 is part of a name, or null (D16). */
export const listUsers = defineList('list_users', {
  item: userJson('users'),
  from: `users where users.deleted_at is null
           and ($4::text is null or strpos(lower(users.name), lower($4::text)) > 0)`,
  values: 1,
  key: [{ column: 'users.id', type: 'uuid' }],
  direction: 'asc',
})

/** $4 user. */
export const readUser = guarded<{ body: string }>('read_user', {
  select: `select ${userJson('users')}::text as body
           from users
           where users.id = $4::uuid and users.deleted_at is null`,
})

/**
 * Makes an account, however it comes (D11, D12, D16): $1 id, $2 name, $3 e-mail, $4 image, $5 admin, $6 password hash, $7 provider's
 * id. A name or an e-mail that is taken violates `users_name_key` or `users_email_key`.
 */
export const createUser = statement<{ body: string }>(
  'create_user',
  `insert into users (id, name, email, image, is_admin, password_hash, provider_id)
   values ($1, $2, $3, $4, $5, $6, $7)
   returning ${userJson('users')}::text as body`,
)

/** $1 user, $2 name, $3 image, $4 admin; null leaves a field as it is. Not the last admin's flag (D16). */
export const updateUser = statement<{ known: boolean; done: boolean }>(
  'update_user',
  `with ${locked()}, updated as (
     update users
     set name     = coalesce($2::text, users.name),
         image    = coalesce($3::text, users.image),
         is_admin = coalesce($4::boolean, users.is_admin)
     from locked
     where users.id = locked.id and locked.id = $1::uuid
       and ($4::boolean is distinct from false or ${isNotTheLastAdmin()})
     returning users.id
   )
   ${outcome('updated')}`,
)

/** Scrubs and frees what names a person and keeps the row for history: $1 user (D16). Not the last admin. */
export const deleteUser = statement<{ known: boolean; done: boolean }>(
  'delete_user',
  `with ${locked()}, deleted as (
     update users
     set name = 'Deleted user', email = '', image = '', is_admin = false,
         password_hash = null, provider_id = null, deleted_at = now()
     from locked
     where users.id = locked.id and locked.id = $1::uuid and ${isNotTheLastAdmin()}
     returning users.id
   ), resets as (
     delete from password_resets where password_resets.user_id in (select deleted.id from deleted)
   )
   ${outcome('deleted')}`,
)

/**
 * The user and every admin. Two admins who remove each other at the same instant queue up here: the row locks make the second one
 * see what the first has left, a user deleted meanwhile included, in an order that cannot deadlock.
 */
function locked() {
  return `locked as (
     select users.id, users.is_admin
     from users
     where users.deleted_at is null and (users.is_admin or users.id = $1::uuid)
     order by users.id
     for no key update
   )`
}

function isNotTheLastAdmin() {
  return '(not locked.is_admin or (select count(*) from locked as admins where admins.is_admin) > 1)'
}

function outcome(change: string) {
  return `select exists (select from locked where locked.id = $1::uuid) as known,
          exists (select from ${change}) as done`
}
