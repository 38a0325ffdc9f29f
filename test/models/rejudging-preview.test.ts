import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createContest } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { recountStandings } from '../support/verification/standings.ts'
import { modelRuns } from './model-runs.ts'

const judging = await serviceWithProblem()
const { service, admin, submit } = judging
const { database, createPerson } = service
const { request, judgeAll } = decisionsOf(judging)

const test_groups = [{ name: 'all', points: 10, aggregation: 'sum', cases: [1, 2] }]
const problems = [
  await judging.createProblem({ test_groups }),
  await judging.createProblem({ test_groups }),
  await judging.createProblem({ test_groups }),
]
const people = [await createPerson(), await createPerson(), await createPerson(), await createPerson()]

/** In minutes, as all times below. */
const END = 120

const verdict = fc.constantFrom(
  { status: 'ACCEPTED', score: 10 },
  { status: 'WRONG_ANSWER', score: 4 },
  { status: 'WRONG_ANSWER', score: 0 },
  { status: 'COMPILE_TIME_ERROR', score: null },
  { status: 'INTERNAL_ERROR', score: null },
)
/** Late submissions are after the end: they count for the person with extra time only. */
const submission = fc.record({
  person: fc.nat(3),
  problem: fc.nat(2),
  minute: fc.oneof(fc.nat(130), fc.integer({ min: END, max: END + 19 })),
  first: verdict,
  second: verdict,
})
const contest = fc.record({
  scoring: fc.constantFrom('points', 'icpc'),
  penalty_minutes: fc.constantFrom(null, 0, 7),
  freeze: fc.boolean(),
  hidden: fc.boolean(),
  teams: fc.boolean(),
  submissions: fc.array(submission, { minLength: 1, maxLength: 10 }),
})
type Contest = typeof contest extends fc.Arbitrary<infer C> ? C : never

const START_MS = Date.UTC(2026, 2, 1)
const minute = (n: number) => new Date(START_MS + n * 60_000).toISOString()

const setTime = unprepared('update submissions set submit_time = $2::timestamptz where id = $1')
const setRules = unprepared(
  `update event_participants set extra_minutes = case when user_id = $2 then 20 end, hidden = user_id = $3
   where event_id = $1`,
)
const setContest = unprepared(
  `update events set start_time = $2, end_time = $3, freeze_time = $4 where id = $1`,
)
const recount = unprepared(
  'update event_scores set outcomes = $2::jsonb where event_id = $1 and user_id = $3 and problem_id = $4',
)

type Judged = Contest['submissions'][number]

/** A failed judging is not applied. */
const verdictOf = ({ first, second }: Judged) => (second.status === 'INTERNAL_ERROR' ? first : second)

async function fillContest(drawn: Contest): Promise<{ event_id: number; ids: string[] }> {
  const { scoring, penalty_minutes, freeze, hidden, teams, submissions } = drawn
  const event_id = await createContest(judging, problems, { scoring, penalty_minutes, teams })
  for (const { id } of people) await admin.post(`/v1/events/${event_id}/participants`, { user_id: id }, 201)
  if (teams) await createTeams(event_id)
  const ids = []
  for (const one of submissions) {
    const id = await submit(people[one.person] ?? admin, { event_id, problem_id: problems[one.problem]?.id })
    await admin.patch(`/v1/submissions/${id}`, one.first, 204)
    ids.push(id)
  }
  await database.query(setContest, [event_id, ...[minute(0), minute(END), freeze ? minute(60) : null]])
  for (const [place, id] of ids.entries()) {
    const at = new Date(START_MS + (submissions[place]?.minute ?? 0) * 60_000 + place).toISOString()
    await database.query(setTime, [id, at])
  }
  await database.query(setRules, [event_id, people[0]?.id ?? '', hidden ? (people[3]?.id ?? '') : admin.id])
  await writeCells(event_id)
  return { event_id, ids }
}

/** A team of the first two people, and one of each of the others. */
async function createTeams(event_id: number): Promise<void> {
  const [first, mate, ...others] = people
  const url = `/v1/events/${event_id}/teams`
  const pair = await first?.post(url, { name: 'Both' }, 201)
  await mate?.post(`${url}/${pair.team_id}/join`, undefined, 201)
  for (const [n, person] of others.entries()) await person.post(url, { name: `Alone ${n}` }, 201)
}

/** The ranks of users or teams, counted from the submissions alone. */
async function readRanks(event_id: number, by: 'user' | 'team'): Promise<Ranks> {
  const rows = await recountStandings(database, event_id, { by, isLive: true })
  return new Map(rows.map(({ rank, ...row }) => [Object(row)[by].id, rank]))
}

const selectCells = unprepared<{ user_id: string; problem_id: number; outcomes: string }>(
  `select user_id::text, problem_id, jsonb_object_agg(id, case when score is null
            then jsonb_build_array(microseconds(submit_time), status)
            else jsonb_build_array(microseconds(submit_time), status, score) end)::text as outcomes
   from submissions where event_id = $1 group by user_id, problem_id`,
)

/** The times were moved in the database. */
async function writeCells(event_id: number): Promise<void> {
  for (const cell of await database.query(selectCells, [event_id]))
    await database.query(recount, [event_id, cell.outcomes, cell.user_id, cell.problem_id])
}

const selectOutcomes = unprepared(
  `select user_id::text, problem_id, outcomes::text
   from event_scores where event_id = $1 order by user_id, problem_id`,
)
const readOutcomes = (event_id: number) => database.query(selectOutcomes, [event_id])

type Ranks = ReadonlyMap<string, number>

const moves = (before: Ranks, after: Ranks) =>
  [...before]
    .map(([id, from_rank]) => ({ id, from_rank, to_rank: after.get(id) }))
    .filter(({ from_rank, to_rank }) => from_rank !== to_rank)
    .sort((a, b) => (a.id < b.id ? -1 : 1))

type RankChange = { user_id?: string; team_id?: string; from_rank: number; to_rank: number }

/** The foretold ranks of users or teams, as `moves` lists them. */
function foretold(changes: RankChange[], kind: 'user_id' | 'team_id') {
  const listed = changes.flatMap(({ [kind]: id, from_rank, to_rank }) =>
    id ? [{ id, from_rank, to_rank }] : [],
  )
  return listed.sort((a, b) => (a.id < b.id ? -1 : 1))
}

it('foretells verdicts and ranks as they are after it is applied, and then keeps them, in random contests', async () => {
  let moved = 0
  let movedTeams = 0
  await fc.assert(
    fc.asyncProperty(contest, async (drawn) => {
      const { event_id, ids } = await fillContest(drawn)
      const id = await request({ event_id })
      await judgeAll(id, new Map(ids.map((one, place) => [one, drawn.submissions[place]?.second ?? ''])))
      const preview = await admin.get(decisionUrl(id))
      const before = [await readRanks(event_id, 'user'), await readRanks(event_id, 'team')] as const
      const changes = ids.flatMap((submission_id, place) => {
        const one = drawn.submissions[place]
        const { status, score } = one ? verdictOf(one) : {}
        return one && (status !== one.first.status || score !== one.first.score)
          ? [[submission_id, status]]
          : []
      })
      const named = (list: { submission_id: string; to_status: string }[]) =>
        list.map(({ submission_id, to_status }) => [submission_id, to_status])
      expect(named(preview.changes)).toEqual(changes.sort())
      const applied = await admin.post(decisionUrl(id, '/apply'), undefined, 200)
      const { changes: foreseen, rank_changes } = preview
      expect(applied).toMatchObject({ applied: changes.length, changes: foreseen, rank_changes })
      expect(applied.left_out_submissions).toEqual(preview.left_out_submissions)
      const ranks = await readRanks(event_id, 'user')
      const people = moves(before[0], ranks)
      expect(foretold(rank_changes, 'user_id')).toEqual(people)
      moved += people.length
      const teams = moves(before[1], await readRanks(event_id, 'team'))
      expect(foretold(rank_changes, 'team_id')).toEqual(teams)
      movedTeams += teams.length
      const cells = await readOutcomes(event_id)
      await writeCells(event_id)
      expect(await readOutcomes(event_id)).toEqual(cells)
      const again = await request({ event_id })
      await judgeAll(again, new Map(ids.map((one, place) => [one, drawn.submissions[place]?.first ?? ''])))
      const back = await admin.get(decisionUrl(again))
      await admin.post(decisionUrl(again, '/cancel'), undefined, 200)
      expect(await admin.get(decisionUrl(id))).toEqual(applied)
      for (const { id, from_rank } of foretold(back.rank_changes, 'user_id'))
        expect(from_rank).toBe(ranks.get(id))
    }),
    { numRuns: modelRuns(20), seed: 20_26 },
  )
  expect(moved).toBeGreaterThan(0)
  expect(movedTeams).toBeGreaterThan(0)
})
