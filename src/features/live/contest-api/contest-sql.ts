import { actorStatement } from '../../../db/actor-statement.ts'
import type { RowOf } from '../../../db/statement.ts'
import { hasPoints } from '../../contests/standings/ranks.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import { managesEvent, wasRemoved } from '../../shared/access/events.ts'
import { defineCollection, filterParams, MATCHES_FILTERS } from './collection.ts'
import { MAIN_GROUP_ID } from './groups-sql.ts'
import { minutesSpanOf, spanBetween, spanOf, timeOf } from './times.ts'
import { CONTEST, readsContest } from './visibility.ts'

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

/** A contest has one such object, which has no id. */
const ONE_OF_CONTEST = { id: 'null::text', from: 'contest', key: 'contest.id', keyType: 'integer' } as const

export const contest = defineCollection({
  ...ONE_OF_CONTEST,
  type: 'contest',
  item: contestJson('contest'),
})

/** When the standings froze; null before. */
const FROZEN = `case when contest.has_started and contest.freeze_time <= now()
                       then greatest(contest.freeze_time, contest.start_time) end`

/**
 * The state of `contest` as JSON, with nulls. It has ended when nobody may submit any more (P20).
 * The service never declares results final: a rejudging may always follow.
 */
export const stateJson = `json_build_object(
      'started', case when contest.has_started then ${timeOf('contest.start_time')} end,
      'frozen', ${timeOf(FROZEN)},
      'ended', case when contest.has_started and ${lastEnd('contest')} <= now() then ${timeOf(lastEnd('contest'))} end,
      'thawed', case when ${FROZEN} is not null then ${timeOf('contest.thawed_at')} end)`

export const state = defineCollection({
  ...ONE_OF_CONTEST,
  type: 'state',
  item: stateJson,
})

/** All contests that the actor may read, newest first, as a JSON array. */
export const listContests = actorStatement({
  name: 'list_contest_api_contests',
  params: filterParams,
  columns: { body: 'text' },
  select: `
      select '[' || coalesce(string_agg(object.item::text, ',' order by object.start_time desc, object.id desc), '') || ']' as body
      from (
        select events.id, events.start_time, json_strip_nulls(${contestJson('events')}) as item
        from events
        where ${readsContest('events')}
      ) as object
      where ${MATCHES_FILTERS}`,
})

/** The columns of `CONTEST`, and what else decides about properties. */
const viewColumns = {
  has_points: 'boolean',
  has_token: 'boolean',
  /** 1: judge, 2: admin. */
  role: 'integer',
  is_staff: 'boolean',
  is_jury: 'boolean',
  sees_all: 'boolean',
  takes_part: 'boolean',
  /** Reads clarifications. */
  is_open: 'boolean',
  shows_results: 'boolean',
  /** Takes part, or becomes a participant by submitting (D24, P21); judges have no account. */
  may_submit: 'boolean',
} as const

export type ContestView = RowOf<typeof viewColumns>

/** What the actor is in a contest; no row where they may not read it. */
export const readContestView = actorStatement({
  name: 'read_contest_view',
  params: { event_id: 'integer' },
  columns: viewColumns,
  with: CONTEST,
  select: `
      select ${hasPoints('contest')} as has_points, :actor is not null as has_token, :actor_role as role,
             contest.is_staff, contest.is_jury, contest.sees_all, contest.takes_part, contest.is_open, contest.shows_results,
             contest.is_open and :actor_role <> 1 and not ${wasRemoved('contest.id', ':actor')} as may_submit
      from contest`,
})

/** Who writes to a contest. `team_id`: in a contest without teams the id of a participant. */
const writerColumns = { is_staff: 'boolean', has_teams: 'boolean', team_id: 'uuid | null' } as const

export type Writer = RowOf<typeof writerColumns>

/** No row: there is no such contest. Contests that the actor may not read exist here (P20, P21). */
export const readWriter = actorStatement({
  name: 'read_contest_writer',
  params: { event_id: 'integer' },
  columns: writerColumns,
  select: `
      select ${managesEvent('events')} as is_staff,
             events.teams as has_teams,
             case when events.teams then event_participants.team_id else event_participants.user_id end as team_id
      from events
      left join event_participants
        on event_participants.event_id = events.id and event_participants.user_id = :actor
        and event_participants.removed_at is null
      where events.id = :event_id and events.deleted_at is null`,
})
