import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Attempts } from '../../src/standings/cell.ts'
import { Cells, type ProblemAttempts } from '../../src/standings/cells.ts'
import { compareNames } from '../../src/standings/names.ts'
import { sortInSlices } from '../../src/standings/slices.ts'
import { Standings } from '../../src/standings/standings.ts'
import { minutesFrom } from '../../src/standings/times.ts'
import { modelRuns } from '../models/model-runs.ts'
import { writeInstant } from '../support/verification/recount.ts'
import { type Contest, countStandings, findImprovements } from '../support/verification/standings.ts'

const MINUTE = 60_000_000
const START = Date.parse('2026-11-28T09:00:00Z') * 1000
const PROBLEMS = [7, 3, 5]
/** Names that sort in other ways by their bytes. */
const NAMES = ['zoe', 'Zoë', 'Ärger', 'anna', 'Anna', '10', '9', '\u{1F600}']
const PEOPLE = NAMES.map((name, nth) => ({ id: `user-${nth}`, name, team: `team-${nth % 3}` }))
const TEAMS = [...new Set(PEOPLE.map(({ team }) => team))].map((id) => ({ id, name: `Team ${id}` }))

const submission = fc.record({
  person: fc.nat(PEOPLE.length - 1),
  problem: fc.constantFrom(...PROBLEMS),
  /** Times collide, also within a minute. */
  at: fc.tuple(fc.constantFrom(...[0, 10, 20, 60, 70]), fc.constantFrom(...[0, 1, 59_000_000])),
  status: fc.constantFrom(...['ACCEPTED', 'ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'PENDING']),
  /** Of the full score, with test groups; null: judged before the problem had any. */
  share: fc.constantFrom(null, 0, 0.0001, 1 / 3, 0.5, 1),
})
type Submitted = typeof submission extends fc.Arbitrary<infer One> ? One : never

const FREEZE = START + 60 * MINUTE
const sentAt = ({ at: [minute, micros] }: Submitted) => START + minute * MINUTE + micros

/** What a problem gives; some shares have no finite decimal, and some are half a hundredth. */
const worth = fc.record({
  points: fc.constantFrom(null, 0.01, 10, 33.33, 1_000_000),
  max_score: fc.constantFrom(null, 0, 60, 66.67, 70, 1e9),
})
type Worths = Contest['worths']

/** The score of a judging: as the service stores it, accepted programs have the whole. */
function scoreOf({ problem, status, share }: Submitted, worths: Worths): number | null {
  const whole = worths[PROBLEMS.indexOf(problem)]?.max_score ?? null
  if (whole === null || share === null || status === 'PENDING' || status === 'COMPILE_TIME_ERROR') return null
  if (status === 'ACCEPTED') return whole
  return Math.max(0, Math.min(Math.round(share * whole * 100), Math.round(whole * 100) - 1)) / 100
}

/** The contest as the oracle counts it. */
const contestOf = (submitted: readonly Submitted[], worths: Worths, has_points: boolean): Contest => ({
  ...{ start: START, penalty: 20, has_points, people: PEOPLE.map(({ id, name }) => ({ id, name })) },
  ...{ teams: TEAMS, problems: PROBLEMS, worths },
  submissions: submitted.map((one) => ({
    user_id: PEOPLE[one.person]?.id ?? '',
    team_id: PEOPLE[one.person]?.team ?? '',
    problem_id: one.problem,
    ...{ status: one.status, score: scoreOf(one, worths), at: sentAt(one) },
    is_frozen: sentAt(one) >= FREEZE,
  })),
})

/** The cells of some owners, as the database has them. */
function attemptsOf(submitted: readonly Submitted[], worths: Worths, by: 'user' | 'team'): ProblemAttempts[] {
  const memberOf = (owner: string) => PEOPLE.filter(({ id, team }) => owner === (by === 'user' ? id : team))
  return PROBLEMS.map((problemId) => ({
    problemId,
    owners: (by === 'user' ? PEOPLE : TEAMS).map(({ id }) => ({
      id,
      attempts: memberOf(id).map((member): Attempts => {
        const own = submitted.filter((one) => PEOPLE[one.person] === member && one.problem === problemId)
        return {
          countedUntil: START + 120 * MINUTE,
          frozenFrom: own.some((one) => sentAt(one) >= FREEZE) ? FREEZE : null,
          outcomes: own.map((one) => {
            const score = scoreOf(one, worths)
            return score === null ? [sentAt(one), one.status] : [sentAt(one), one.status, score]
          }),
        }
      }),
    })),
  }))
}

/** The rows in the form of the response. */
function rowsOf(standings: Standings, by: 'user' | 'team') {
  const { hasPoints } = standings.scoring
  return standings.order.map((row, place) => {
    const { solved, points, penalty, lastAcceptedAt } = standings.resultOf(row)
    const { id, name } = standings.owners[row] ?? {}
    return {
      rank: standings.ranks[place],
      [by]: { id, name },
      solved,
      ...(hasPoints && { points: points / 100 }),
      penalty,
      ...(solved > 0 && { last_accepted: writeInstant(lastAcceptedAt) }),
      cells: PROBLEMS.flatMap((problem_id, problem) => {
        const cell = standings.cellOf(row, problem)
        if (cell === undefined) return []
        return {
          ...{ problem_id, tries: cell.tries, pending: cell.pending },
          ...(!Number.isNaN(cell.acceptedAt) && { minutes: minutesFrom(START, cell.acceptedAt) }),
          ...(hasPoints && !Number.isNaN(cell.score) && { score: cell.score / 100 }),
          ...(standings.isFirst(problem, cell) && { first: true }),
        }
      }),
    }
  })
}

const NO_WORTHS = PROBLEMS.map(() => ({ points: null, max_score: null }))

const rulesOf = (scoring: 'icpc' | 'points', worths: Worths) => ({
  ...{ scoring, startTime: START, penaltyMinutes: 20, problemIds: PROBLEMS },
  fullScores: worths.map(({ points, max_score }) => ({ points, maxScore: max_score })),
})

const improvementsOf = (standings: Standings) =>
  new Map(
    standings.order.flatMap((row): [string, number][] => {
      const { improvedAt } = standings.resultOf(row)
      return Number.isNaN(improvedAt) ? [] : [[standings.owners[row]?.id ?? '', improvedAt]]
    }),
  )

it('standings that are updated step by step equal a recount of all submissions, by user and team, live and frozen, with each set of rules', async () => {
  const steps = fc.array(fc.array(submission, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
  const view = fc.record({
    by: fc.constantFrom('user', 'team'),
    isLive: fc.boolean(),
    scoring: fc.constantFrom('icpc', 'points'),
    worths: fc.tuple(worth, worth, worth),
  })
  await fc.assert(
    fc.asyncProperty(steps, view, async (taken, { by, isLive, scoring, worths }) => {
      const cells = new Cells(isLive)
      const owners = await sortInSlices(by === 'user' ? PEOPLE : TEAMS, compareNames)
      const rules = rulesOf(scoring, worths)
      const standings = new Standings(rules, owners, cells)
      await standings.update()
      const submitted: Submitted[] = []
      for (const step of taken) {
        submitted.push(...step)
        await standings.update(await cells.update(attemptsOf(submitted, worths, by)))
        const contest = contestOf(submitted, worths, scoring === 'points')
        const expected = countStandings(contest, { by, isLive })
        expect(rowsOf(standings, by)).toEqual(expected)
        if (scoring === 'points')
          expect(improvementsOf(standings)).toEqual(findImprovements(contest, { by, isLive }))
        const whole = new Standings(rules, owners, cells)
        await whole.update()
        expect(rowsOf(whole, by)).toEqual(expected)
      }
    }),
    { numRuns: modelRuns(400) },
  )
})

it('a solution that was once shown as the first one stays the first one when more is sent and judged, also in a freeze', async () => {
  const send = fc.record({ person: fc.nat(PEOPLE.length - 1), problem: fc.constantFrom(...PROBLEMS) })
  const judge = fc.record({ nth: fc.nat(), status: fc.constantFrom('ACCEPTED', 'ACCEPTED', 'WRONG_ANSWER') })
  const history = fc.array(fc.oneof(send, judge), { minLength: 10, maxLength: 40 })
  let shown = 0
  await fc.assert(
    fc.asyncProperty(history, fc.boolean(), async (steps, isLive) => {
      const cells = new Cells(isLive)
      const rules = rulesOf('icpc', NO_WORTHS)
      const standings = new Standings(rules, PEOPLE, cells)
      await standings.update()
      const submitted: Submitted[] = []
      const firsts = new Set<string>()
      for (const [nth, step] of steps.entries()) {
        if ('person' in step) submitted.push({ ...step, at: [3 * nth, 0], status: 'PENDING', share: null })
        else {
          const pending = submitted.filter(({ status }) => status === 'PENDING')
          const judged = pending[step.nth % pending.length]
          if (judged !== undefined) submitted[submitted.indexOf(judged)] = { ...judged, status: step.status }
        }
        await standings.update(await cells.update(attemptsOf(submitted, NO_WORTHS, 'user')))
        for (const row of PEOPLE.keys())
          for (const problem of PROBLEMS.keys()) {
            const cell = standings.cellOf(row, problem)
            const isFirst = cell !== undefined && standings.isFirst(problem, cell)
            if (firsts.has(`${row} ${problem}`)) expect(isFirst).toBe(true)
            else if (isFirst) firsts.add(`${row} ${problem}`)
          }
      }
      shown += firsts.size
    }),
    { numRuns: modelRuns(100) },
  )
  expect(shown).toBeGreaterThan(0)
})
