import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { json } from '../../../db/statement.ts'

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

export interface ClassifiedUser {
  /** The place in the request. */
  readonly number: number
  readonly outcome: Outcome
  /** Of an account that exists, or that the statement created. */
  readonly id: string | null
}

const params = { event_id: 'integer | null', users: 'json' } as const

/** Accounts are found by their e-mail (D11). The names of existing accounts do not count. */
const classified = `event as (
      select events.id, events.teams from events where events.id = :event_id and events.deleted_at is null
    ), given as (
      select given.*, row_number() over (partition by folded(given.email) order by given.number) as nth
      from json_to_recordset(:users) as given (
        number integer, id uuid, name text, email text, is_admin boolean, password_hash text, team text, new_team_id uuid)
    ), compared as (
      select given.*, account.id as account_id, participant.user_id is not null as takes_part,
             participant.team_id as own_team_id, participant.registered_at, team.id as wanted_team_id,
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
        select event_participants.user_id, event_participants.team_id, event_participants.removed_at,
               event_participants.registered_at
        from event_participants
        where event_participants.event_id = event.id and event_participants.user_id = account.id
        limit 1) as participant on true
      left join lateral (
        select teams.id from teams
        where teams.event_id = event.id and folded(teams.name) = folded(given.team)
        limit 1) as team on true
    ), classified as (
      select compared.*,
             case
               when compared.outcome = 'created' and row_number() over (
                 partition by compared.outcome, folded(compared.name) order by compared.number) > 1 then 'same_name'
               else compared.outcome
             end as result
      from compared
    )`

/** What would become of the users. No row: there is no such event. */
export const classifyUsers = actorStatement({
  name: 'classify_imported_users',
  params,
  columns: { users: json<ClassifiedUser[]>() },
  with: classified,
  select: `
      select coalesce(json_agg(json_build_object(
               'number', classified.number, 'outcome', classified.result, 'id', classified.account_id)), '[]') as users
      from classified
      having :event_id is null or exists (select from event)`,
})

/**
 * Creates the accounts that do not exist, lets all take part in the event, with a row in its
 * standings, and join their teams. A
 * `conflict` means that a concurrent change interfered, or that a new account has no hash: roll
 * back, and classify again. No row: there is no such event.
 */
export const storeUsers = actorStatement({
  name: 'store_imported_users',
  params,
  columns: { users: json<ClassifiedUser[]>() },
  with: `${classified}, created as (
      insert into users (id, name, email, image, is_admin, password_hash)
      select classified.id, classified.name, classified.email, '', classified.is_admin, classified.password_hash
      from classified
      where classified.result = 'created' and classified.password_hash is not null and ${ACTOR_EXISTS}
      order by folded(classified.email)
      on conflict do nothing
      returning users.id
    ), accepted as (
      select classified.*, coalesce(classified.account_id, created.id) as user_id
      from classified
      left join created on created.id = classified.id
      where (classified.result = 'exists' or created.id is not null) and ${ACTOR_EXISTS}
    ), made as (
      insert into teams (id, event_id, name)
      select distinct on (folded(accepted.team)) accepted.new_team_id, event.id, accepted.team
      from accepted, event
      where accepted.team is not null and accepted.wanted_team_id is null
      order by folded(accepted.team), accepted.number
      on conflict do nothing
      returning teams.id, teams.name
    ), placed as (
      select accepted.number, accepted.user_id, coalesce(accepted.wanted_team_id, made.id) as team_id
      from accepted
      left join made on folded(made.name) = folded(accepted.team)
      where not accepted.takes_part or accepted.registered_at is not null
        or (accepted.team is not null and accepted.own_team_id is null)
    ), joined as (
      insert into event_participants (event_id, user_id, team_id)
      select event.id, placed.user_id, placed.team_id
      from placed, event
      order by placed.user_id
      on conflict (event_id, user_id)
      do update set team_id       = coalesce(event_participants.team_id, excluded.team_id),
                    registered_at = null
      where event_participants.registered_at is not null
        or (event_participants.team_id is null and excluded.team_id is not null)
      returning event_participants.user_id, event_participants.team_id
    )`,
  select: `
      select coalesce(json_agg(json_build_object(
               'number', classified.number,
               'outcome', case
                            when classified.result not in ('created', 'exists') then classified.result
                            when accepted.number is null then 'conflict'
                            when classified.team is not null and classified.own_team_id is null
                              and joined.team_id is distinct from placed.team_id then 'conflict'
                            else classified.result
                          end,
               'id', coalesce(accepted.user_id, classified.account_id))), '[]') as users
      from classified
      left join accepted on accepted.number = classified.number
      left join placed on placed.number = classified.number
      left join joined on joined.user_id = accepted.user_id
      having :event_id is null or exists (select from event)`,
})
