import type { Static } from 'typebox'
import type { Queryable } from '../../../db/database.ts'
import { statement } from '../../../db/statement.ts'
import type { Outcome } from '../../../standings/cell.ts'
import type { ProblemAttempts } from '../../../standings/cells.ts'
import { movedRanks, ranksOf } from '../../../standings/moves.ts'
import { readTableOnce } from '../../contests/standings/read-table.ts'
import type { RankedBy } from '../../contests/standings/shown.ts'
import type { NewResult } from './decide-sql.ts'
import type { DecisionResponse } from './schemas.ts'

type RankChange = NonNullable<Static<typeof DecisionResponse>['rank_changes']>[number]

/**
 * Whose rank would change with these results, counting frozen submissions: of each contest users,
 * then teams.
 */
export async function readRankChanges(db: Queryable, results: readonly NewResult[]) {
  const changes: RankChange[] = []
  const eventIds = [...new Set(results.map(({ event_id }) => event_id))].sort((a, b) => a - b)
  for (const event_id of eventIds) {
    const ofEvent = results.filter((result) => result.event_id === event_id)
    for (const by of ['user', 'team'] as const) changes.push(...(await readMoves(db, event_id, by, ofEvent)))
  }
  return changes
}

async function readMoves(db: Queryable, event_id: number, by: RankedBy, results: readonly NewResult[]) {
  const { table, contest } = await readTableOnce(db, by, { event_id, is_live: true })
  if (by === 'team' && !contest.teams) return []
  const user_ids = results.map(({ user_id }) => user_id)
  const problem_ids = results.map(({ problem_id }) => problem_id)
  const values = { event_id, of_teams: by === 'team', user_ids, problem_ids }
  // Both ranks are of one reading: other verdicts move nobody.
  const [read] = await db.query(readAttemptsOf, values)
  const attempts: ReadAttempts = JSON.parse(read?.attempts ?? '[]')
  await table.replace(attemptsWith([], attempts))
  const before = ranksOf(await table.standings())
  await table.replace(attemptsWith(results, attempts))
  const moved = movedRanks(before, ranksOf(await table.standings()))
  return moved.map(({ id, from, to }) => {
    const ranks = { from_rank: from, to_rank: to }
    return by === 'user' ? { event_id, user_id: id, ...ranks } : { event_id, team_id: id, ...ranks }
  })
}

function attemptsWith(results: readonly NewResult[], attempts: ReadAttempts): ProblemAttempts[] {
  const byId = new Map(results.map((result) => [result.submission_id, result]))
  const withResult = (id: string, [sentAt, ...judged]: Outcome): Outcome => {
    const result = byId.get(id)
    if (result === undefined) return [sentAt, ...judged]
    const { status, score } = result
    return typeof score === 'number' ? [sentAt, status, score] : [sentAt, status]
  }
  const countedOf = ({ counted_until, outcomes }: ReadAttempts[number]['attempts'][number]) => ({
    countedUntil: counted_until,
    frozenFrom: null,
    outcomes: Object.entries(outcomes).map(([id, outcome]) => withResult(id, outcome)),
  })
  return attempts.map(({ problem_id, owner_id, attempts: own }) => ({
    problemId: problem_id,
    owners: [{ id: owner_id, attempts: own.map(countedOf) }],
  }))
}

/** Outcomes by the ids of their submissions. */
type ReadAttempts = readonly {
  readonly problem_id: number
  readonly owner_id: string
  readonly attempts: readonly { counted_until: number | null; outcomes: Record<string, Outcome> }[]
}[]

/** The attempts of users at problems, or of all members of their teams. */
export const readAttemptsOf = statement({
  name: 'read_attempts_of',
  params: { event_id: 'integer', of_teams: 'boolean', user_ids: 'uuid[]', problem_ids: 'integer[]' },
  columns: { attempts: 'text' },
  sql: `with concerned as materialized (
      select distinct case when :of_teams then event_participants.team_id else named.user_id end as owner_id,
             named.problem_id
      from unnest(:user_ids, :problem_ids) as named (user_id, problem_id)
      join event_participants
        on event_participants.event_id = :event_id and event_participants.user_id = named.user_id
    ), members as materialized (
      select event_participants.user_id,
             case when :of_teams then event_participants.team_id else event_participants.user_id end as owner_id
      from event_participants
      where event_participants.event_id = :event_id
    ), cells as (
      select concerned.owner_id, concerned.problem_id,
             json_agg(json_build_object(
               'counted_until', microseconds(event_scores.counted_until), 'outcomes', event_scores.outcomes)) as attempts
      from concerned
      join members on members.owner_id = concerned.owner_id
      join event_scores
        on event_scores.event_id = :event_id and event_scores.user_id = members.user_id
        and event_scores.problem_id = concerned.problem_id
      group by concerned.owner_id, concerned.problem_id
    )
    select coalesce(json_agg(cells), '[]')::text as attempts from cells`,
})
