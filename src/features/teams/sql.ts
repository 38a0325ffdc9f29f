import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { userJson } from '../users/sql.ts'

const teamFields = `
      'id', teams.id,
      'event_id', teams.event_id,
      'name', teams.name`

const teamJson = `json_build_object(${teamFields},
      'members', (
        select coalesce(json_agg(${userJson('users')} order by event_participants.joined_at, users.id), '[]')
        from event_participants
        join users on users.id = event_participants.user_id
        where event_participants.team_id = teams.id))::text`

/** $4 event: its teams by age. */
export const listTeams = defineList('list_teams', {
  item: `json_build_object(${teamFields})`,
  from: 'teams where teams.event_id = $4::integer',
  values: 1,
  key: [{ column: 'teams.id', type: 'uuid' }],
  direction: 'asc',
})

/** $4 event: whether it has teams. */
export const readTeamEvent = guarded<{ has_teams: boolean }>('read_team_event', {
  select: `select events.teams as has_teams
           from events
           where events.id = $4::integer and events.deleted_at is null`,
})

export type TeamRead = { has_teams: boolean; body: string | null }

/** $4 event, $5 team. */
export const readTeam = guarded<TeamRead>('read_team', {
  select: `select events.teams as has_teams,
                  (select ${teamJson} from teams where teams.event_id = events.id and teams.id = $5::uuid) as body
           from events
           where events.id = $4::integer and events.deleted_at is null`,
})

/** $4 event: the caller's own team. */
export const readOwnTeam = guarded<TeamRead>('read_own_team', {
  select: `select events.teams as has_teams,
                  (select ${teamJson}
                   from event_participants
                   join teams on teams.id = event_participants.team_id
                   where event_participants.event_id = events.id and event_participants.user_id = $1::uuid) as body
           from events
           where events.id = $4::integer and events.deleted_at is null`,
})

/**
 * A participant gets a team once: whoever has one already changes nothing, however many ask at the same instant. The foreign key to the team is
 * checked at the end of the statement, so the membership may go first and decide.
 */
const membership = (team: string) => `
      insert into event_participants (event_id, user_id, team_id)
      select event.id, account.id, team.id
      from event, account, ${team}
      where event.teams and ${ACTOR_LIVES}
      on conflict (event_id, user_id)
      do update set team_id = excluded.team_id where event_participants.team_id is null
      returning event_participants.event_id, event_participants.team_id`

const eventAndAccount = (account: string) => `event as (
      select events.id, events.teams from events where events.id = $4::integer and events.deleted_at is null
    ), account as (
      select users.id from users where users.id = ${account}::uuid and users.deleted_at is null
    )`

export type TeamChange = { has_teams: boolean; has_user: boolean; done: boolean }

/** $4 event, $5 id, $6 name: made by the caller, who is its first member. A taken name violates `teams_event_id_name_key`. */
export const createTeam = guarded<TeamChange>('create_team', {
  ctes: `${eventAndAccount('$1')}, joined as (${membership('(select $5::uuid as id) as team')}
    ), made as (
      insert into teams (id, event_id, name)
      select joined.team_id, joined.event_id, $6::text from joined
    )`,
  select: `select event.teams as has_teams,
                  exists (select from account) as has_user,
                  exists (select from joined) as done
           from event`,
})

/** $4 event, $5 team, $6 user. */
export const joinTeam = guarded<TeamChange & { has_team: boolean }>('join_team', {
  ctes: `${eventAndAccount('$6')}, team as (
      select teams.id from teams where teams.event_id = $4::integer and teams.id = $5::uuid
    ), joined as (${membership('team')}
    )`,
  select: `select event.teams as has_teams,
                  exists (select from account) as has_user,
                  exists (select from team) as has_team,
                  exists (select from joined) as done
           from event`,
})
