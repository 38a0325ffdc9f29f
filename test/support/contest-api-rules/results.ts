import { isDeepStrictEqual } from 'node:util'
import {
  cellsOf,
  contestOf,
  findById,
  hasPoints,
  type Item,
  isSet,
  isUnique,
  listOf,
  type Rules,
  rowsOf,
  type SeenContest,
  span,
} from './rule.ts'

const FIRST_TO_SOLVE = 'first-to-solve-'

/** Awards for an object, whose id follows the name of the award. */
const AWARDS_OF: readonly (readonly [prefix: string, type: string])[] = [
  [FIRST_TO_SOLVE, 'problems'],
  ['group-winner-', 'groups'],
  ['organization-winner-', 'organizations'],
]

const hasScored = ({ score }: Item) => (score.num_solved ?? score.score) > 0

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const AWARDS: Readonly<Record<string, (award: Item, seen: SeenContest) => boolean>> = {
  'an award for an object names one that exists': ({ id }, seen) =>
    AWARDS_OF.every(
      ([prefix, type]) =>
        !id.startsWith(prefix) || findById(seen, type, id.slice(prefix.length)) !== undefined,
    ),
  'a team gets an award once': ({ team_ids }) => isUnique(team_ids ?? []),
  'the winners are the first on the scoreboard, if anybody has scored': ({ id, team_ids }, seen) => {
    if (id !== 'winner' || !isSet(team_ids) || seen.scoreboard === undefined) return true
    const leaders = rowsOf(seen).filter((row) => row.rank === 1 && hasScored(row))
    return isDeepStrictEqual(new Set(team_ids), new Set(leaders.map(({ team_id }) => team_id)))
  },
  'the first to solve a problem have solved it': ({ id, team_ids }, seen) => {
    if (!id.startsWith(FIRST_TO_SOLVE) || seen.scoreboard === undefined) return true
    const problemId = id.slice(FIRST_TO_SOLVE.length)
    return (team_ids ?? []).every((teamId: string) => {
      const row = rowsOf(seen).find(({ team_id }) => team_id === teamId)
      const cell = cellsOf(row ?? {}).find(({ problem_id }) => problem_id === problemId)
      return cell?.solved ?? isSet(cell?.time)
    })
  },
}

function rankedTeams(seen: SeenContest): string[] {
  const group = contestOf(seen).main_scoreboard_group_id
  const teams = listOf(seen, 'teams')
  const ranked = isSet(group) ? teams.filter(({ group_ids }) => group_ids?.includes(group)) : teams
  return ranked.map(({ id }) => id)
}

const nameOf = (seen: SeenContest, row: Item) => String(findById(seen, 'teams', row.team_id)?.name)

const problemsOf = (row: Item = {}) => cellsOf(row).map(({ problem_id }) => problem_id)

const BOARD: Rules = {
  'scoreboard: its state is that of the contest': (seen) => {
    const [state = {}] = listOf(seen, 'state')
    return seen.scoreboard === undefined || isDeepStrictEqual(seen.scoreboard.state, state) ? [] : ['state']
  },
  'scoreboard: it has the teams of the main group, each once': (seen) => {
    const found = rowsOf(seen).map(({ team_id }) => team_id)
    const isRight = isUnique(found) && isDeepStrictEqual(found.toSorted(), rankedTeams(seen).toSorted())
    return seen.scoreboard === undefined || isRight ? [] : ['rows']
  },
}

const ROWS: Readonly<Record<string, (row: Item, seen: SeenContest, place: number) => boolean>> = {
  'better rows come first': ({ score }, seen, place) => {
    const former = rowsOf(seen)[place - 1]?.score ?? score
    return hasPoints(seen) ? score.score <= former.score : score.num_solved <= former.num_solved
  },
  'a rank is one more than the number of better rows': (row, seen, place) => {
    const former = rowsOf(seen)[place - 1]
    const isEqual = isDeepStrictEqual(former?.score, row.score)
    if (former !== undefined && row.rank === former.rank) return isEqual
    // Where points rank, the penalty is not shown.
    return row.rank === place + 1 && (!isEqual || hasPoints(seen))
  },
  'rows of one rank are in alphabetical order': (row, seen, place) => {
    const former = rowsOf(seen)[place - 1]
    if (former === undefined || former.rank !== row.rank) return true
    return nameOf(seen, former).localeCompare(nameOf(seen, row), 'en-US') <= 0
  },
  '`num_solved` and `total_time`, or `score`, are present as the scoreboard type says': ({ score }, seen) =>
    isSet(score.score) === hasPoints(seen) &&
    isSet(score.num_solved) !== hasPoints(seen) &&
    isSet(score.total_time) !== hasPoints(seen),
  // Where points rank, it is the time of the last solution (P22): solutions are not shown.
  'the time of the last improvement is absent if and only if nothing is solved': (row, seen) =>
    hasPoints(seen)
      ? !isSet(row.score.time) || cellsOf(row).some(({ time }) => isSet(time))
      : row.score.num_solved > 0 === isSet(row.score.time),
  'each total equals the sum over the problems': (row, seen) => {
    const cells = cellsOf(row)
    if (hasPoints(seen)) return Math.abs(row.score.score - sum(cells.map(({ score }) => score))) < 1e-6
    const solved = cells.filter(({ solved }) => solved)
    const penalty = span(contestOf(seen).penalty_time)
    const total = sum(solved.map(({ time, num_judged }) => span(time) + (num_judged - 1) * penalty))
    return row.score.num_solved === solved.length && span(row.score.total_time) === total
  },
  'all rows have the same problems, each once': (row, seen) =>
    isUnique(problemsOf(row)) && isDeepStrictEqual(problemsOf(row), problemsOf(rowsOf(seen)[0])),
}

const CELLS: Readonly<Record<string, (cell: Item, seen: SeenContest) => boolean>> = {
  'every problem that it names is one of the contest': ({ problem_id }, seen) =>
    findById(seen, 'problems', problem_id) !== undefined,
  '`solved` or `score` of a problem is present as the scoreboard type says': ({ solved, score }, seen) =>
    isSet(score) === hasPoints(seen) && isSet(solved) !== hasPoints(seen),
  // A solution without points has a time too.
  'the time of a problem is present if and only if it is solved or has points': (cell, seen) =>
    hasPoints(seen) ? !(cell.score > 0) || isSet(cell.time) : cell.solved === isSet(cell.time),
}

/** Rules for single parts of a contest: each has a name, which is that of what breaks the rule. */
function rulesOf<Part>(
  kind: string,
  keep: Readonly<Record<string, (part: Part, seen: SeenContest, place: number) => boolean>>,
  partsOf: (seen: SeenContest) => readonly (readonly [name: string, part: Part])[],
): Rules {
  const rules = Object.entries(keep).map(([text, keeps]) => [
    `${kind}: ${text}`,
    (seen: SeenContest) =>
      partsOf(seen).flatMap(([name, part], place) => (keeps(part, seen, place) ? [] : [name])),
  ])
  return Object.fromEntries(rules)
}

export const RESULT_RULES: Rules = {
  ...rulesOf('awards', AWARDS, (seen) => listOf(seen, 'awards').map((award) => [String(award.id), award])),
  ...BOARD,
  ...rulesOf('scoreboard', ROWS, (seen) => rowsOf(seen).map((row) => [String(row.team_id), row])),
  ...rulesOf('scoreboard', CELLS, (seen) =>
    rowsOf(seen).flatMap((row) => cellsOf(row).map((cell) => [`${row.team_id} ${cell.problem_id}`, cell])),
  ),
}
