import Type from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { Written } from '../../../http/routing/schema.ts'
import { defineDocumentRoute } from '../../../lists/list-route.ts'
import { defineDocument } from '../../../lists/written-list.ts'
import type { Cell } from '../../../standings/cell.ts'
import type { Standings } from '../../../standings/standings.ts'
import { minutesFrom } from '../../../standings/times.ts'
import { withTable } from '../../contests/standings/read-table.ts'
import type { RowForm } from '../../contests/standings/row-texts.ts'
import { standingsOwner } from '../../contests/standings/shown.ts'
import { BOARD_AUDIENCE, BOARD_CHANGES, type BoardFacts, boardReadings, readAudience } from './board.ts'
import { MAIN_GROUP_ID } from './groups-sql.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { Scoreboard } from './schemas.ts'
import { writeMinutes, writeSpan, writeTime } from './times.ts'

const ScoreboardQuery = Type.Object({
  group_id: Type.Optional(Written({ description: `Only \`${MAIN_GROUP_ID}\`, which is the default.` })),
})

/** The standings as a scoreboard of the Contest API. */
export function scoreboardRoute() {
  return defineDocumentRoute('readScoreboard', '/v1/clics/contests/:event_id/scoreboard', {
    policy: CONTEST_API_POLICY,
    query: ScoreboardQuery,
    response: Scoreboard,
    refusals: ['NOT_A_PARTICIPANT'],
    choose: ({ params, query }) => {
      const { group_id = MAIN_GROUP_ID } = query
      if (group_id !== MAIN_GROUP_ID) {
        throw new AppError('VALIDATION', `group_id must be ${MAIN_GROUP_ID}: there is no other group`)
      }
      return { document: readScoreboard, values: params }
    },
  })
}

/**
 * The scoreboard: the rows, ranks and cells of the standings (P22), of teams in a contest with
 * teams. Its time is the time of the last change.
 */
const readScoreboard = defineDocument({
  name: 'read_contest_scoreboard',
  params: { event_id: 'integer' },
  owner: standingsOwner('user'),
  version: { changes: BOARD_CHANGES, audience: BOARD_AUDIENCE },
  build: ({ audience, ...context }, { event_id }) => {
    const { by, is_live } = readAudience(audience)
    const wanted = { event_id: Number(event_id), is_live }
    return withTable(context, boardReadings[by], wanted, async (table, contest) => {
      const standings = await table.standings()
      const name = contest.has_started ? 'scoreboard' : 'scoreboard without problems'
      const texts = table.rowTexts(name, standings, { keepsRows: true })
      return texts.write(standings, scoreboardRows(standings, contest.has_started), writeHead(contest), ']}')
    })
  },
})

function writeHead({ changed_at, start_time, api_state }: BoardFacts): string {
  const span = writeSpan(start_time, changed_at)
  return `{"time":"${writeTime(changed_at)}","contest_time":"${span}","state":${JSON.stringify(api_state)},"rows":[`
}

/** Of all problems, from the start on. */
const scoreboardRows = (standings: Standings, hasStarted: boolean): RowForm => ({
  prefix: (rank) => `{"rank":${rank}`,
  separator: ',',
  write: (row) => {
    const { startTime, problemIds } = standings.rules
    const { solved, points, penalty, improvedAt } = standings.resultOf(row)
    const score = standings.scoring.hasPoints
      ? `"score":${points / 100}`
      : `"num_solved":${solved},"total_time":"${writeMinutes(penalty)}"`
    const time = Number.isNaN(improvedAt) ? '' : `,"time":"${writeSpan(startTime, improvedAt)}"`
    const shown = hasStarted ? problemIds : []
    const problems = shown.map((id, problem) => writeProblem(standings, id, standings.cellOf(row, problem)))
    const id = standings.owners[row]?.id ?? ''
    return `,"team_id":"${id}","score":{${score}${time}},"problems":[${problems.join(',')}]}`
  },
})

/** With points, a cell has the time of its first submission with the best score. */
function writeProblem({ scoring, rules }: Standings, problemId: number, cell: Cell | undefined): string {
  const { tries = 0, pending = 0, score = 0, acceptedAt = Number.NaN, scoredAt = Number.NaN } = cell ?? {}
  const isSolved = !Number.isNaN(acceptedAt)
  const result = scoring.hasPoints ? `"score":${(score || 0) / 100}` : `"solved": ${isSolved}`
  const at = scoring.hasPoints ? (score > 0 ? scoredAt : undefined) : isSolved ? acceptedAt : undefined
  const time = at === undefined ? '' : `,"time":"${writeMinutes(minutesFrom(rules.startTime, at))}"`
  return `{"problem_id":"${problemId}","num_judged":${tries},"num_pending":${pending},${result}${time}}`
}
