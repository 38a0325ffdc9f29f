import { actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { hasPoints } from '../../contests/standings/ranks.ts'
import { isOpenTo, wasRemoved } from '../../shared/access/events.ts'
import { defineCollection, filterParams, MATCHES_FILTERS } from './collection.ts'
import { MAIN_GROUP_ID } from './groups-sql.ts'
import { minutesSpanOf, spanBetween, spanOf, timeOf } from './times.ts'
import { CONTEST, readsContest, viewOf } from './visibility.ts'

/** The contest was not ended before its start. */
const takesPlace = (contest: string) => `${contest}.start_time < ${contest}.end_time`

/** The freeze lasts until `end_time`; a later start of it would freeze nothing of the contest. */
const freezeStart = (contest: string) => `greatest(${contest}.freeze_time, ${contest}.start_time)`

/** Without a start time, clients do not count down to a contest that was ended before its start. */
const contestJson = (contest: string) => `json_build_object(
      'id', ${contest}.id::text,
      'name', ${contest}.title,
      'start_time', case when ${takesPlace(contest)} then ${timeOf(`${contest}.start_time`)} end,
      'duration', case when ${takesPlace(contest)} then ${spanBetween(`${contest}.start_time`, `${contest}.end_time`)}
                       else ${spanOf('0')} end,
      'scoreboard_freeze_duration', case when ${takesPlace(contest)} and ${contest}.freeze_time is not null
                                         then ${spanBetween(freezeStart(contest), `${contest}.end_time`)} end,
      'scoreboard_thaw_time', ${timeOf(`${contest}.thawed_at`)},
      'scoreboard_type', case when ${hasPoints(contest)} then 'score' else 'pass-fail' end,
      'main_scoreboard_group_id', '${MAIN_GROUP_ID}',
      'penalty_time', ${minutesSpanOf(`coalesce(${contest}.penalty_minutes, 20)`)})`

export const contest = defineCollection({
  type: 'contest',
  with: CONTEST,
  id: 'null::text',
  item: contestJson('contest'),
  from: 'contest',
  where: 'true',
  key: 'contest.id',
  keyType: 'integer',
  order: 'contest.id',
})

/** All contests that the actor may read, newest first, as a JSON array. */
export const listContests = actorStatement({
  name: 'list_contest_api_contests',
  params: filterParams,
  row: row<{ body: string }>(),
  select: `
      select '[' || coalesce(string_agg(object.item::text, ',' order by object.start_time desc, object.id desc), '') || ']' as body
      from (
        select events.id, events.start_time, json_strip_nulls(${contestJson('events')}) as item
        from events
        where ${readsContest('events')}
      ) as object
      where ${MATCHES_FILTERS}`,
})

/** Participants, and users who become so by submitting (D24, P21). Judges have no account. */
const MAY_SUBMIT = `:actor is not null and :actor_role <> 1 and ${isOpenTo('events')} and not ${wasRemoved('events.id', ':actor')}`

/** What the actor is in a contest; no row where they may not read it. */
export const readContestView = actorStatement({
  name: 'read_contest_view',
  params: { event_id: 'integer' },
  row: row<ContestView>(),
  select: `
      select ${hasPoints('events')} as has_points, :actor is not null as has_token, :actor_role as role, ${viewOf('events')},
             ${MAY_SUBMIT} as may_submit
      from events
      where events.id = :event_id and ${readsContest('events')}`,
})

/** The columns of `viewOf`, and what else decides about properties. */
export type ContestView = {
  readonly has_points: boolean
  readonly has_token: boolean
  /** 1: judge, 2: admin. */
  readonly role: number
  readonly is_staff: boolean
  readonly is_jury: boolean
  readonly takes_part: boolean
  /** Reads clarifications. */
  readonly is_open: boolean
  readonly shows_results: boolean
  /** Takes part, or may begin to. */
  readonly may_submit: boolean
}
