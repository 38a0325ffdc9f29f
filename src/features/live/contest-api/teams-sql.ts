import { isRankedParticipant } from '../../contests/standings/ranks.ts'
import { defineCollection } from './collection.ts'
import { MAIN_GROUP_ID } from './groups-sql.ts'
import { IS_LISTED_PERSON } from './visibility.ts'

const memberOf = (team: string, condition: string) => `exists (
          select from event_participants
          where event_participants.team_id = ${team} and ${condition})`

const IS_RANKED = isRankedParticipant('contest.end_time')

/**
 * SQL expression: the id of the team of a row of `event_participants`, as far as the actor sees the
 * team; in a contest without teams it is the id of the user. Needs `contest`.
 */
export const SHOWN_TEAM_ID = `case
          when contest.teams then case
            when ${IS_LISTED_PERSON} then event_participants.team_id
            else (
              select teams.id from teams
              where teams.id = event_participants.team_id
                and ${memberOf('teams.id', IS_LISTED_PERSON)}) end
          when ${IS_LISTED_PERSON} then event_participants.user_id end`

/**
 * Teams with a member whom the actor sees, and all teams for staff; in a contest without teams the
 * participants. The label is the name: a number would change with other teams (P26).
 */
export const listTeams = defineCollection({
  type: 'teams',
  item: `json_build_object(
          'id', team.id,
          'name', team.name,
          'label', team.name,
          'group_ids', case when team.is_ranked then json_build_array('${MAIN_GROUP_ID}') else '[]' end)`,
  from: `contest
        cross join lateral (
          select teams.id, teams.name, ${memberOf('teams.id', IS_RANKED)} as is_ranked
          from teams
          where contest.teams and teams.event_id = contest.id
            and (contest.is_staff or ${memberOf('teams.id', IS_LISTED_PERSON)})
          union all
          select users.id, users.name, ${IS_RANKED} as is_ranked
          from event_participants
          join users on users.id = event_participants.user_id
          where not contest.teams and event_participants.event_id = contest.id and ${IS_LISTED_PERSON}
        ) as team`,
  key: 'team.id',
  keyType: 'uuid',
  order: 'lower(team.name) collate "C", team.id',
})
