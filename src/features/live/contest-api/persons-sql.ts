import { fieldsOf } from '../../../db/json.ts'
import { defineCollection } from './collection.ts'
import { IS_LISTED_PERSON } from './visibility.ts'

/** Participants whom the actor sees, with their teams, and the contest's owner and staff. */
const PEOPLE = `(
          select event_participants.user_id,
                 case when contest.teams then event_participants.team_id else event_participants.user_id end as team_id
          from event_participants
          where event_participants.event_id = contest.id and ${IS_LISTED_PERSON}
          union all
          select distinct staff.user_id, null::uuid
          from unnest(contest.staff || contest.user_id) as staff (user_id)
          where not exists (
            select from event_participants
            where event_participants.event_id = contest.id and event_participants.user_id = staff.user_id
              and ${IS_LISTED_PERSON})
        )`

const IS_NAMED_STAFF = '(users.id = contest.user_id or users.id = any (contest.staff))'

const IS_DELETED_STAFF = `${IS_NAMED_STAFF} and person.team_id is null and users.deleted_at is not null`

/** Only staff sees the e-mails of others (P26). Deleted users have none. */
const EMAIL = `case when contest.is_staff or users.id = :actor then nullif(users.email, '') end`

export const listPersons = defineCollection({
  type: 'persons',
  id: 'users.id::text',
  item: `json_build_object(
          'id', users.id,
          'team_ids', case when person.team_id is not null then json_build_array(person.team_id) end,
          'name', users.name,
          'email', ${EMAIL},
          'role', case when person.team_id is not null then 'contestant' when ${IS_NAMED_STAFF} then 'staff' else 'other' end)`,
  from: `contest
        cross join lateral ${PEOPLE} as person
        join users on users.id = person.user_id`,
  where: `not (${IS_DELETED_STAFF})`,
  key: 'person.user_id',
  keyType: 'uuid',
  order: 'lower(users.name) collate "C", users.id',
})

/** For staff the accounts of all people of the contest, for others their own. Judges have none. */
export const listAccounts = defineCollection({
  type: 'accounts',
  item: `json_build_object(
          ${fieldsOf('account', 'id', 'username', 'name', 'type', 'team_id', 'person_id')})`,
  from: `contest
        cross join lateral (
          select users.id, users.email as username, users.name, person.team_id, person.user_id as person_id,
                 case
                   when users.is_admin then 'admin'
                   when ${IS_NAMED_STAFF} then 'staff'
                   when person.team_id is not null then 'team'
                   else 'other' end as type
          from users
          left join ${PEOPLE} as person on person.user_id = users.id
          where users.deleted_at is null
            and (users.id = :actor or (contest.is_staff and person.user_id is not null))
        ) as account`,
  key: 'account.id',
  keyType: 'uuid',
  order: 'lower(account.username) collate "C", account.id',
})
