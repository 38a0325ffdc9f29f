import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'

/** What becomes of a user of an import; `conflict` is only for concurrent changes. */
export type Outcome =
  | 'created'
  | 'exists'
  | 'same_email'
  | 'same_name'
  | 'name_taken'
  | 'no_teams'
  | 'other_team'
  | 'removed'
  | 'conflict'

export interface Sorted {
  /** The place in the request. */
  readonly number: number
  readonly outcome: Outcome
  /** Of an account that exists, or that the statement created. */
  readonly id: string | null
}

const given = {
  event_id: 'integer | null',
  numbers: 'integer[]',
  names: 'text[]',
  emails: 'text[]',
  teams: 'text[]',
} as const

/** Accounts are found by their e-mail (D11). The names of existing accounts do not count. */
const sorted = `event as (
      select events.id, events.teams from events where events.id = :event_id and events.deleted_at is null
    ), given as (
      select given.*, row_number() over (partition by folded(given.email) order by given.number) as nth
      from unnest(:numbers, :names, :emails, :teams) as given (number, name, email, team)
    ), compared as (
      select given.number, given.name, given.email, given.team, account.id as account_id,
             participant.user_id is not null as takes_part, participant.team_id as own_team_id,
             team.id as wanted_team_id,
             case
               when given.nth > 1 then 'same_email'
               when given.team is not null and not event.teams then 'no_teams'
               when participant.removed_at is not null then 'removed'
               when given.team is not null and participant.team_id is distinct from team.id
                 and participant.team_id is not null then 'other_team'
               when account.id is not null then 'exists'
               when namesake.id is not null then 'name_taken'
               else 'created'
             end as outcome
      from given
      left join event on true
      left join lateral (
        select users.id from users
        where folded(users.email) = folded(given.email) and users.deleted_at is null
        limit 1) as account on true
      left join lateral (
        select users.id from users
        where folded(users.name) = folded(given.name) and users.deleted_at is null
        limit 1) as namesake on true
      left join lateral (
        select event_participants.user_id, event_participants.team_id, event_participants.removed_at
        from event_participants
        where event_participants.event_id = event.id and event_participants.user_id = account.id
        limit 1) as participant on true
      left join lateral (
        select teams.id from teams
        where teams.event_id = event.id and lower(teams.name) = lower(given.team)
        limit 1) as team on true
    ), sorted as (
      select compared.*,
             case
               when compared.outcome = 'created' and row_number() over (
                 partition by compared.outcome, folded(compared.name) order by compared.number) > 1 then 'same_name'
               else compared.outcome
             end as result
      from compared
    )`

/** What would become of the users. No row: there is no such event. */
export const sortUsers = actorStatement({
  name: 'sort_imported_users',
  params: given,
  row: row<{ users: Sorted[] }>(),
  with: sorted,
  select: `
      select coalesce(json_agg(json_build_object(
               'number', sorted.number, 'outcome', sorted.result, 'id', sorted.account_id)), '[]') as users
      from sorted
      having :event_id is null or exists (select from event)`,
})

/**
 * Creates the accounts that do not exist, lets all take part in the event and join their teams. A
 * `conflict` means that a concurrent change interfered, or that a new account has no hash: roll
 * back, and sort again. No row: there is no such event.
 */
export const storeUsers = actorStatement({
  name: 'store_imported_users',
  params: {
    ...given,
    ids: 'uuid[]',
    admins: 'boolean[]',
    password_hashes: 'text[]',
    team_ids: 'uuid[]',
  },
  row: row<{ users: Sorted[] }>(),
  with: `${sorted}, fresh as (
      select fresh.*
      from unnest(:numbers, :ids, :admins, :password_hashes, :team_ids)
        as fresh (number, id, is_admin, password_hash, team_id)
    ), created as (
      insert into users (id, name, email, image, is_admin, password_hash)
      select fresh.id, sorted.name, sorted.email, '', fresh.is_admin, fresh.password_hash
      from sorted
      join fresh on fresh.number = sorted.number
      where sorted.result = 'created' and fresh.password_hash is not null and ${ACTOR_EXISTS}
      order by folded(sorted.email)
      on conflict do nothing
      returning users.id
    ), accepted as (
      select sorted.*, fresh.team_id as new_team_id, coalesce(sorted.account_id, created.id) as user_id
      from sorted
      join fresh on fresh.number = sorted.number
      left join created on created.id = fresh.id
      where (sorted.result = 'exists' or created.id is not null) and ${ACTOR_EXISTS}
    ), made as (
      insert into teams (id, event_id, name)
      select distinct on (lower(accepted.team)) accepted.new_team_id, event.id, accepted.team
      from accepted, event
      where accepted.team is not null and accepted.wanted_team_id is null
      order by lower(accepted.team), accepted.number
      on conflict do nothing
      returning teams.id, teams.name
    ), placed as (
      select accepted.number, accepted.user_id, coalesce(accepted.wanted_team_id, made.id) as team_id
      from accepted
      left join made on lower(made.name) = lower(accepted.team)
      where not accepted.takes_part or (accepted.team is not null and accepted.own_team_id is null)
    ), joined as (
      insert into event_participants (event_id, user_id, team_id)
      select event.id, placed.user_id, placed.team_id
      from placed, event
      order by placed.user_id
      on conflict (event_id, user_id)
      do update set team_id = excluded.team_id
      where event_participants.team_id is null and excluded.team_id is not null
      returning event_participants.user_id, event_participants.team_id
    )`,
  select: `
      select coalesce(json_agg(json_build_object(
               'number', sorted.number,
               'outcome', case
                            when sorted.result not in ('created', 'exists') then sorted.result
                            when accepted.number is null then 'conflict'
                            when sorted.team is not null and sorted.own_team_id is null
                              and joined.team_id is null then 'conflict'
                            else sorted.result
                          end,
               'id', coalesce(accepted.user_id, sorted.account_id))), '[]') as users
      from sorted
      left join accepted on accepted.number = sorted.number
      left join joined on joined.user_id = accepted.user_id
      having :event_id is null or exists (select from event)`,
})
