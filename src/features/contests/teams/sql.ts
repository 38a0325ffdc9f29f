import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockShared } from '../../../db/advisory-lock.ts'
import { fieldsOf } from '../../../db/json.ts'
import { bodyIf, oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { admitsByActor, isListed, isOpenTo, managesEvent } from '../../shared/access/events.ts'
import { userJsonIn } from '../../shared/records/users.ts'

const teamFields = fieldsOf('teams', 'id', 'event_id', 'name')

const teamJson = `json_build_object(${teamFields},
      'members', (
        select coalesce(json_agg(${userJsonIn('events', 'users')} order by event_participants.joined_at, users.id), '[]')
        from event_participants
        join users on users.id = event_participants.user_id
        where event_participants.team_id = teams.id and ${isListed(managesEvent('events'))}))::text`

export const listTeams = defineList({
  name: 'list_teams',
  params: { event_id: 'integer' },
  item: `json_build_object(${teamFields})`,
  from: 'teams',
  where: 'teams.event_id = :event_id',
  order: ascending({ column: 'teams.id', type: 'uuid' }),
})

/** No row: there is no such event. */
export const readTeamEvent = actorStatement({
  name: 'read_team_event',
  params: { event_id: 'integer' },
  columns: { outcome: oneOf('has_teams', 'no_teams') },
  select: `
      select case when events.teams then 'has_teams' else 'no_teams' end as outcome
      from events
      where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events')}`,
})

const teamColumns = bodyIf('found', 'no_teams', 'no_team')

const readTeamSelect = (team: string) => `
      select case
               when not events.teams then 'no_teams'
               when team.body is null then 'no_team'
               else 'found'
             end as outcome,
             team.body
      from events
      left join lateral (${team}) as team on events.teams
      where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events')}`

/** No row: there is no such event. */
export const readTeam = actorStatement({
  name: 'read_team',
  params: { event_id: 'integer', team_id: 'uuid' },
  columns: teamColumns,
  select: readTeamSelect(`
        select ${teamJson} as body
        from teams
        where teams.event_id = events.id and teams.id = :team_id`),
})

/** The caller's own team. No row: there is no such event. */
export const readOwnTeam = actorStatement({
  name: 'read_own_team',
  params: { event_id: 'integer' },
  columns: teamColumns,
  select: readTeamSelect(`
        select ${teamJson} as body
        from event_participants
        join teams on teams.id = event_participants.team_id
        where event_participants.event_id = events.id and event_participants.user_id = :actor
          and event_participants.removed_at is null`),
})

/**
 * A participant gets a team once, also with concurrent requests. The foreign key to the team is
 * checked at the end of the statement: the membership may come before the team. Staff gives the
 * user a row in the standings, also after the end (P22).
 */
const membership = (team: string) => `
      insert into event_participants (event_id, user_id, team_id, registered_at)
      select event.id, account.id, team.id, case when not event.is_staff then now() end
      from event, account, ${team}
      where event.teams and account.is_admitted and not event.is_final and ${ACTOR_EXISTS}
      on conflict (event_id, user_id)
      do update set team_id = excluded.team_id,
                    registered_at = case when excluded.registered_at is not null then event_participants.registered_at end
      where event_participants.team_id is null and event_participants.removed_at is null
      returning event_participants.event_id, event_participants.team_id`

/**
 * The locks of submissions: nobody joins after the response to the end of the contest.
 * `is_final`: only staff changes results. `is_admitted`: the account takes part, or may; whom staff
 * has removed may not (P21).
 */
const eventAndAccount = (account: string) => `entered as materialized (
      select ${lockShared('event', ':event_id')}
    ), locked as materialized (
      select events.id, events.teams, events.end_time, ${managesEvent('events')} as is_staff,
             ${admitsByActor('events')} as admits
      from entered
      cross join events
      where events.id = :event_id and events.deleted_at is null
      for share of events
    ), event as materialized (
      select locked.*, not locked.is_staff and locked.end_time <= clock_timestamp() as is_final from locked
    ), account as (
      select users.id,
             case when event_participants.user_id is null then event.admits
                  else event_participants.removed_at is null end as is_admitted
      from event
      cross join users
      left join event_participants
        on event_participants.event_id = event.id and event_participants.user_id = users.id
      where users.id = ${account} and users.deleted_at is null
    )`

const joiningOutcome = (refusal = '') => `
      select case
               when not event.teams then 'no_teams'
               when exists (select from account where not account.is_admitted) then 'not_admitted'
               when event.is_final then 'ended'
               ${refusal}
               when not exists (select from account) then 'no_user'
               when exists (select from joined) then 'joined'
               else 'already_on_team'
             end as outcome
      from event`

/** The caller becomes the first member. No row: there is no such event. */
export const createTeam = actorStatement({
  name: 'create_team',
  params: { event_id: 'integer', id: 'uuid', name: 'text' },
  columns: { outcome: oneOf('joined', 'no_teams', 'not_admitted', 'ended', 'no_user', 'already_on_team') },
  with: `${eventAndAccount(':actor')}, joined as (${membership('(select :id as id) as team')}
    ), made as (
      insert into teams (id, event_id, name)
      select joined.team_id, joined.event_id, :name from joined
    )`,
  select: joiningOutcome(),
})

/** No row: there is no such event. */
export const joinTeam = actorStatement({
  name: 'join_team',
  params: { event_id: 'integer', team_id: 'uuid', user_id: 'uuid' },
  columns: {
    outcome: oneOf('joined', 'no_teams', 'not_admitted', 'ended', 'no_team', 'no_user', 'already_on_team'),
  },
  with: `${eventAndAccount(':user_id')}, team as (
      select teams.id from teams where teams.event_id = :event_id and teams.id = :team_id
    ), joined as (${membership('team')}
    )`,
  select: joiningOutcome(`when not exists (select from team) then 'no_team'`),
})
