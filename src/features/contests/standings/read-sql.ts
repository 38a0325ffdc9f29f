import { actorStatement } from '../../../db/actor-statement.ts'
import { type RowOf, type Statement, statement, type Values } from '../../../db/statement.ts'
import { changesOf, changesOfContest, lastChangeOfStandings } from '../../../lists/version.ts'
import { contestState, hasStarted, ownEnd } from '../../shared/access/contest-times.ts'
import { EVENT, IN_PROBLEM_ORDER, POSITION } from '../../shared/access/events.ts'
import { IS_RANKED_PROBLEM, isRankedParticipant, letters } from './ranks.ts'
import type { RankedBy } from './shown.ts'

/** What the standings show besides their cells. */
export const SHOWN_CHANGES = ['contest', 'people'] as const

/** What a contest says about its standings. Times are microseconds since 1970. */
export interface ContestFacts {
  readonly event_id: number
  /** It ranks teams too. */
  readonly teams: boolean
  readonly state: string
  readonly start_time: number
  readonly has_started: boolean
  readonly scoring: 'icpc' | 'points'
  readonly penalty_minutes: number
  /** When the data last changed that these readers see. */
  readonly changed_at: number
  /** All problems of the contest in their order. */
  readonly problems: readonly {
    /** Of the row of `event_problems`. */
    readonly id: number
    readonly position: number
    readonly problem_id: number
    readonly label: string
    readonly color: string | null
    readonly hidden: boolean
    readonly deleted: boolean
  }[]
}

/** The first row of a reading, as JSON. */
export interface ReadFacts<F extends ContestFacts = ContestFacts> {
  readonly contest: F
  readonly people_version: string
  /** The kept cells are right as long as the database has this basis, but for changed ones. */
  readonly basis: string
  /** The other rows have only the cells that have changed since `kept_snapshot`. */
  readonly is_kept: boolean
  /** The position of the next reading. */
  readonly snapshot: string
}

/**
 * The first row has `facts`, and `people` if they are not those of `kept_people`. Each of the others
 * has `cells` of one problem; all members of a team are in one row.
 */
const readColumns = { facts: 'text | null', people: 'text | null', cells: 'text | null' } as const

export type ReadRow = RowOf<typeof readColumns>

/**
 * SQL: the running server since its last crash, and the database and file of the cells. Positions of
 * another one mean nothing: a restored backup repeats them, and so does a crash that loses numbers
 * of transactions. A crash resets the statistics, also if only one session crashed.
 */
const STORAGE = `pg_postmaster_start_time(),
               (select pg_stat_bgwriter.stats_reset from pg_stat_bgwriter), pg_relation_filepath('event_scores')`

const IS_KEPT = '(select since.is_kept from since)'

const CONTEST = `contest as materialized (
      select events.*, ${hasStarted('events')} as has_started
      from events
      where events.id = :event_id
    )`

const PROBLEMS = `problems_of_contest as materialized (
      select listed.id, listed.problem_id, listed.place as position, listed.color, listed.hidden, listed.deleted,
             coalesce(listed.label, ${letters('listed.number')}) as label
      from (
        select event_problems.*, problems.deleted_at is not null as deleted,
               ${POSITION} as place,
               (count(*) filter (where ${IS_RANKED_PROBLEM}) over (order by ${IN_PROBLEM_ORDER}))::integer as number
        from event_problems
        join problems on problems.id = event_problems.problem_id
        where event_problems.event_id = :event_id
      ) as listed
    )`

const IS_RANKED = isRankedParticipant('(select contest.end_time from contest)')

/** Whom the rows rank; `name_at_end` is null unless it differs from the name. */
const PEOPLE: Record<RankedBy, string> = {
  user: `people as (
      select users.id, users.name, event_participants.name_at_end
      from event_participants
      join users on users.id = event_participants.user_id
      where event_participants.event_id = :event_id and ${IS_RANKED}
    )`,
  team: `people as (
      select teams.*
      from teams
      where teams.event_id = :event_id and teams.id in (
        select event_participants.team_id
        from event_participants
        where event_participants.event_id = :event_id and ${IS_RANKED})
    )`,
}

/** The version behind the cells: those of teams depend on their members. */
const BASIS: Record<RankedBy, string> = { user: changesOf(), team: 'versions.people' }

/**
 * The cells that have changed since `:kept_snapshot`. As in the change log, a transaction that was
 * open then counts whenever it commits (P25). Numbers above the present snapshot are from before a
 * restore.
 */
const CHANGED = `changed as (
      select event_scores.*
      from event_scores
      where ${IS_KEPT} and event_scores.event_id = :event_id
        and event_scores.changed_xid >= pg_snapshot_xmax(:kept_snapshot::pg_snapshot)
        and event_scores.changed_xid < pg_snapshot_xmax(pg_current_snapshot())
      union all
      select event_scores.*
      from pg_snapshot_xip(:kept_snapshot::pg_snapshot) as open (xid)
      join event_scores on ${IS_KEPT} and event_scores.event_id = :event_id and event_scores.changed_xid = open.xid
    )`

const ATTEMPTS = 'event_scores.counted_until, event_scores.frozen_from, event_scores.outcomes'

const CELLS: Record<RankedBy, string> = {
  user: `cells as (
      select event_scores.user_id as owner_id, event_scores.problem_id, ${ATTEMPTS}
      from event_scores
      where not ${IS_KEPT} and event_scores.event_id = :event_id and event_scores.counted_until is not null
      union all
      select event_scores.user_id, event_scores.problem_id, ${ATTEMPTS}
      from changed as event_scores
    )`,
  team: `cells as (
      select event_participants.team_id as owner_id, event_scores.problem_id, ${ATTEMPTS}
      from event_scores
      join event_participants
        on event_participants.event_id = event_scores.event_id and event_participants.user_id = event_scores.user_id
      where not ${IS_KEPT} and event_scores.event_id = :event_id and event_scores.counted_until is not null
        and event_participants.team_id is not null
      union all
      select others.team_id, event_scores.problem_id, ${ATTEMPTS}
      from (
        select distinct event_participants.team_id, changed.problem_id
        from changed
        join event_participants
          on event_participants.event_id = changed.event_id and event_participants.user_id = changed.user_id
        where event_participants.team_id is not null
      ) as concerned
      join event_participants as others on others.team_id = concerned.team_id
      join event_scores
        on event_scores.event_id = :event_id and event_scores.user_id = others.user_id
        and event_scores.problem_id = concerned.problem_id
    )`,
}

const micros = (moment: string) => `coalesce(microseconds(${moment})::text, 'null')`

const params = {
  ...({ event_id: 'integer', is_live: 'boolean' } as const),
  ...({ kept_basis: 'text | null', kept_snapshot: 'text | null', kept_people: 'text | null' } as const),
}

/** How a table is read, with further fields of `contest`. */
export interface Reading<F extends ContestFacts = ContestFacts> {
  readonly by: RankedBy
  readonly statement: Statement<ReadRow, Values<typeof params>>
  /** Carries the type of the contest; never set. */
  readonly contest?: F
}

/**
 * Defines the reading of a contest's standings in one snapshot: what the contest says, its people
 * or teams, and their attempts. `more`: SQL of further fields of the contest, by their names.
 */
export function defineReading<F extends ContestFacts>(definition: {
  readonly name: string
  readonly by: RankedBy
  readonly more: Readonly<Record<Exclude<keyof F, keyof ContestFacts>, string>>
}): Reading<F> {
  const { name, by, more } = definition
  return { by, statement: readingOf(name, by, more) }
}

const readingOf = (name: string, by: RankedBy, more: Readonly<Record<string, string>>) =>
  statement({
    name,
    params,
    columns: readColumns,
    sql: `with ${CONTEST}, ${PROBLEMS}, ${PEOPLE[by]}, since as materialized (
      select versions.people, basis.text as basis,
             coalesce(basis.text = :kept_basis and pg_snapshot_xmax(:kept_snapshot::pg_snapshot)
               <= pg_snapshot_xmax(pg_current_snapshot()), false) as is_kept
      from (select md5(concat_ws(' ', ${changesOfContest('people')}, contest.end_time)) as people from contest) as versions
      cross join lateral (select md5(concat_ws(' ', ${STORAGE}, ${BASIS[by]})) as text) as basis
    ), ${CHANGED}, ${CELLS[by]}
    select json_build_object(
             'contest', json_build_object(
               'event_id', contest.id,
               'teams', coalesce(contest.teams, false),
               'state', ${contestState('contest')},
               'start_time', microseconds(contest.start_time),
               'has_started', contest.has_started,
               'scoring', coalesce(contest.scoring, 'icpc'),
               'penalty_minutes', coalesce(contest.penalty_minutes, 20),
               'changed_at', microseconds(${lastChangeOfStandings(':is_live', ...SHOWN_CHANGES)}),
               'problems', (
                 select coalesce(json_agg(listed order by listed.position, listed.id), '[]')
                 from problems_of_contest as listed)${Object.entries(more)
                   .map(
                     ([field, expression]) => `,
               '${field}', ${expression}`,
                   )
                   .join('')}),
             'people_version', since.people,
             'basis', since.basis,
             'is_kept', since.is_kept,
             'snapshot', pg_current_snapshot()::text)::text as facts,
           case when since.people is distinct from :kept_people then (
             select coalesce(json_agg(json_build_array(people.id, people.name, people.name_at_end) order by people.id), '[]')::text from people) end as people,
           null as cells
    from contest
    cross join since
    union all
    select null, null, concat('[', cells.problem_id, ',[', string_agg(concat(
             '["', cells.owner_id, '",', ${micros('cells.counted_until')}, ',', ${micros('cells.frozen_from')}, ',',
             jsonb_path_query_array(cells.outcomes, '$.*'), ']'), ','${by === 'team' ? ' order by cells.owner_id' : ''}), ']]')
    from cells
    group by cells.problem_id, right(cells.owner_id::text, 1)`,
  })

/** The readings of the standings, without further fields. */
export const standingsReadings = {
  user: defineReading<ContestFacts>({ name: 'read_standings_by_user', by: 'user', more: {} }),
  team: defineReading<ContestFacts>({ name: 'read_standings_by_team', by: 'team', more: {} }),
}

/** The caller's own attempts by problem, as JSON. No row: there is no such event. */
export const readOwnAttempts = actorStatement({
  name: 'list_own_problem_status',
  params: { event_id: 'integer' },
  coalesced: 'reads',
  columns: { attempts: 'text' },
  select: `
      select (
        select coalesce(json_agg(json_build_array(
                 event_scores.problem_id, microseconds(${ownEnd('events')}),
                 jsonb_path_query_array(event_scores.outcomes, '$.*')) order by event_scores.problem_id), '[]')::text
        from event_scores
        join events on events.id = event_scores.event_id
        where event_scores.event_id = :event_id and event_scores.user_id = :actor) as attempts
      where ${EVENT.exists}`,
})
