import { defineDocument } from '../../../lists/written-list.ts'
import { firstSolvers, winners } from '../../../standings/awards.ts'
import type { Standings } from '../../../standings/standings.ts'
import { rankedProblems } from '../../contests/standings/contest-table.ts'
import { withTable } from '../../contests/standings/read-table.ts'
import { WATCHED_EVENT } from '../../shared/access/events.ts'
import { BOARD_AUDIENCE, BOARD_CHANGES, type BoardFacts, boardReadings, readAudience } from './board.ts'
import { CONTEST } from './visibility.ts'

/**
 * The awards as the actor's standings have them, as a JSON array: for the jury, for those who see
 * results, and none for the others (P22).
 */
export const readAwards = defineDocument({
  name: 'read_contest_awards',
  params: { event_id: 'integer' },
  owner: WATCHED_EVENT,
  version: {
    changes: BOARD_CHANGES,
    audience: `concat_ws(' ', ${BOARD_AUDIENCE}, (with ${CONTEST} select case
        when contest.is_jury then 'jury' when contest.shows_results then 'public' else 'none' end from contest))`,
  },
  build: async ({ audience, ...context }, { event_id }) => {
    const { by, is_live, others } = readAudience(audience)
    if (!others.includes('jury') && !others.includes('public')) return Buffer.from('[]')
    const wanted = { event_id: Number(event_id), is_live }
    return withTable(context, boardReadings[by], wanted, async (table, contest) => {
      const awards = awardsOf(await table.standings(), contest, others.includes('jury'))
      return Buffer.from(JSON.stringify(awards))
    })
  },
})

const MEDALS = ['gold', 'silver', 'bronze'] as const

/** Only the jury knows the problems before the start (P26). */
function awardsOf(standings: Standings, contest: BoardFacts, isJury: boolean) {
  let given = 0
  const medals = MEDALS.flatMap((kind) => {
    const count = contest.medals?.[kind] ?? 0
    const after = given
    given += count
    const citation = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} medal`
    return count > 0 ? [{ id: `${kind}-medal`, citation, team_ids: winners(standings, after, given) }] : []
  })
  const shown = contest.has_started || isJury ? rankedProblems(contest) : []
  return [
    { id: 'winner', citation: 'Winner', team_ids: winners(standings, 0, 1) },
    ...medals,
    ...shown.map(({ problem_id, label }, problem) => ({
      id: `first-to-solve-${problem_id}`,
      citation: `First to solve problem ${label}`,
      team_ids: firstSolvers(standings, problem),
    })),
  ]
}
