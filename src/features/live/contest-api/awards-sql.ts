import { defineDocument } from '../../../lists/document.ts'
import type { RankedBy } from '../../contests/standings/shown.ts'
import { ROW_ORDER, standingsTable } from '../../contests/standings/table.ts'
import { hasStarted } from '../../shared/access/contest-times.ts'
import { seesLive, WATCHED_EVENT } from '../../shared/access/events.ts'
import { defineCollection } from './collection.ts'
import { BOARD_VERSION } from './scoreboard-sql.ts'
import { CONTEST } from './visibility.ts'

/** SQL condition: the row `ranked` has solved something, or has points. */
const HAS_SCORED = 'case when contest.has_points then ranked.points > 0 else ranked.solved > 0 end'

/** Rows of the standings as JSON. People who share a rank share a medal. */
const teamsWith = (condition: string) => `coalesce((
          select json_agg(ranked.id order by ${ROW_ORDER})
          from ranked
          where ${HAS_SCORED} and ${condition}), '[]')`

const MEDALS = ['gold', 'silver', 'bronze'] as const

/** The medals of a kind, and all up to it. */
const countOf = (kind: string) => `coalesce((contest.medals ->> '${kind}')::integer, 0)`
const upTo = (place: number) => MEDALS.slice(0, place).map(countOf).join(' + ') || '0'

const medals = MEDALS.map(
  (kind, place) => `
      select ${place + 2} as place, 0 as number, '${kind}-medal' as id, '${kind[0]?.toUpperCase()}${kind.slice(1)} medal' as citation,
             ${teamsWith(`ranked.rank > ${upTo(place)} and ranked.rank <= ${upTo(place + 1)}`)} as team_ids
      from contest
      where ${countOf(kind)} > 0
      union all`,
).join('')

/**
 * SQL condition on `firsts`: an earlier submission to this problem has no verdict that the actor
 * sees, so the first solution is not certain. Reads only cells with pending or frozen submissions.
 */
const waitsBefore = (by: RankedBy) => `exists (
                 select from event_scores
                 cross join lateral jsonb_each(event_scores.outcomes) as entry (submission_id, value)
                 cross join lateral (select (entry.value ->> 0)::bigint as submitted) as pair
                 where event_scores.event_id = contest.id and event_scores.problem_id = columns.problem_id
                   and event_scores.total_attempts > 0
                   and (event_scores.pending > 0
                        or (not contest.is_live and event_scores.frozen_from < firsts.accepted_time))
                   and pair.submitted < microseconds(firsts.accepted_time)
                   and pair.submitted < microseconds(event_scores.counted_until)
                   and (entry.value ->> 1 = 'PENDING'
                        or (not contest.is_live and coalesce(pair.submitted >= microseconds(event_scores.frozen_from), false)))
                   ${
                     by === 'team'
                       ? `and exists (
                     select from event_participants
                     where event_participants.event_id = contest.id and event_participants.user_id = event_scores.user_id
                       and event_participants.team_id is not null)`
                       : ''
                   })`

/** Those who have the first solution, from an index: to read all cells took half as long again. */
const SOLVERS: Record<RankedBy, string> = {
  user: `
               select json_agg(event_scores.user_id order by event_scores.user_id)
               from event_scores
               where event_scores.event_id = contest.id and event_scores.problem_id = columns.problem_id
                 and event_scores.total_attempts > 0 and event_scores.first_accepted_time = firsts.accepted_time
                 and (contest.is_live or event_scores.frozen_from is null
                      or event_scores.frozen_from > event_scores.first_accepted_time)`,
  team: `
               select json_agg(cells.id order by cells.id)
               from cells
               join people on people.id = cells.id
               where cells.number = columns.number and cells.accepted_time = firsts.accepted_time`,
}

/** Only the jury knows the problems before the start (P26). */
const firstsOf = (by: RankedBy) => `
      select 5, columns.number, 'first-to-solve-' || columns.problem_id, 'First to solve problem ' || columns.label,
             case when firsts.accepted_time is null or ${waitsBefore(by)} then '[]' else coalesce((${SOLVERS[by]}), '[]') end
      from contest
      cross join columns
      left join firsts on firsts.number = columns.number
      where ${hasStarted('contest')} or ${seesLive('contest')}`

const awardsOf = (by: RankedBy) => `(
        with ${standingsTable(by)}, awards as (
      select 1 as place, 0 as number, 'winner' as id, 'Winner' as citation, ${teamsWith('ranked.rank = 1')} as team_ids
      from contest
      union all${medals}${firstsOf(by)}
    )
        select json_agg(json_build_object('id', awards.id, 'citation', awards.citation, 'team_ids', awards.team_ids)
                 order by awards.place, awards.number)
        from awards)`

/** The awards as a JSON array; where only participants see results, others see none (P22). */
const AWARDS = `json_strip_nulls(case
          when not contest.shows_results then '[]'
          when contest.teams then ${awardsOf('team')}
          else ${awardsOf('user')} end)`

/**
 * The awards as the actor's standings have them, with a version for each audience: the jury, those
 * who see results, and the others.
 */
export const readAwards = defineDocument({
  name: 'read_contest_awards',
  params: { event_id: 'integer' },
  body: `(with ${CONTEST} select ${AWARDS}::text from contest)`,
  owner: WATCHED_EVENT,
  version: {
    changes: BOARD_VERSION.changes,
    audience: `(with ${CONTEST} select case
        when contest.is_jury then 'jury' when contest.shows_results then 'shown' else 'none' end from contest)`,
  },
})

/** The same awards, one by one. */
export const listAwards = defineCollection({
  type: 'awards',
  id: `award.item ->> 'id'`,
  item: 'award.item',
  with: CONTEST,
  from: `contest
        cross join lateral json_array_elements(${AWARDS}) with ordinality as award (item, place)`,
  where: 'true',
  key: `award.item ->> 'id'`,
  keyType: 'text',
  order: 'award.place',
})
