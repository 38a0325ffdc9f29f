import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller, TestResponse } from '../support/caller.ts'
import { objectsOf } from '../support/contest-api.ts'
import { freezeAt, type Row, serviceWithPastContests } from '../support/past-contests.ts'
import { ceremony, opening, rounds } from '../support/standings-incidents.ts'
import { prepareRuns } from '../support/standings-run.ts'
import { writeInstant } from '../support/verification/recount.ts'
import { findImprovements, readContest } from '../support/verification/standings.ts'
import { modelRuns } from './model-runs.ts'

const { contests, tasks: TASKS, anna, bert, contestWith } = await serviceWithPastContests()
const { service, admin, user, stranger } = contests
const { judge, anonymous } = service

type Body = TestResponse['body']

const two = (number: number) => String(number).padStart(2, '0')
const reltime = (minutes: number) => `${Math.floor(minutes / 60)}:${two(minutes % 60)}:00.000`

function spanFrom(start: string, end: string): string {
  const ms = Math.floor(Date.parse(end)) - Math.floor(Date.parse(start))
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

function cellOf(problemId: number, hasPoints: boolean, cells: Body[]) {
  const cell = cells.find(({ problem_id }) => problem_id === problemId)
  const { tries = 0, pending = 0, minutes, score = 0 } = cell ?? {}
  return {
    problem_id: String(problemId),
    ...{ num_judged: tries, num_pending: pending },
    ...(hasPoints ? { score } : { solved: minutes !== undefined }),
    ...(minutes !== undefined && !hasPoints && { time: reltime(minutes) }),
    ...(hasPoints && score > 0 && { time: expect.stringMatching(/^\d+:\d\d:00\.000$/) }),
  }
}

async function expectBoard(caller: Caller, eventId: number, by: 'user' | 'team' = 'user') {
  const standings = await caller.get(`/v1/events/${eventId}/standings?by=${by}`)
  const { start_time, scoring } = await stranger.get(`/v1/public/events/${eventId}`)
  const board = await objectsOf(eventId).get(caller, 'scoreboard')
  const hasPoints = scoring === 'points'
  const isLive = caller !== stranger
  const improved = findImprovements(await readContest(service.database, eventId), { by, isLive })
  const timeOf = (row: Body) => {
    const at = improved.get(row[by]?.id)
    return hasPoints ? at && writeInstant(at) : row.last_accepted
  }
  const expected = standings.rows.map((row: Body) => ({
    rank: row.rank,
    team_id: row[by]?.id,
    score: {
      ...(hasPoints ? { score: row.points } : { num_solved: row.solved, total_time: reltime(row.penalty) }),
      ...(timeOf(row) !== undefined && { time: spanFrom(start_time, timeOf(row)) }),
    },
    problems: standings.problems.map(({ problem_id }: { problem_id: number }) =>
      cellOf(problem_id, hasPoints, row.cells),
    ),
  }))
  expect(board.rows).toEqual(expected)
  expect(board.state).toEqual(await objectsOf(eventId).get(caller, 'state'))
  expect(Date.parse(board.time)).toBe(Math.floor(Date.parse(standings.at)))
  return board
}

describe('the scoreboard of the Contest API (P26)', () => {
  it('equals the standings of users and of teams, frozen and live, in a thaw by steps and after any changes', async () => {
    const openRun = await prepareRuns(contests)
    await fc.assert(
      fc.asyncProperty(opening, ceremony, rounds, async (first, reveals, others) => {
        const { eventId, take } = await openRun()
        const expectBoards = async () => {
          for (const [teams, by] of [[false, 'user'] as const, [true, 'team'] as const]) {
            await admin.put(`/v1/events/${eventId}`, { teams }, 200)
            for (const caller of [stranger, judge]) await expectBoard(caller, eventId, by)
          }
        }
        await take(...first)
        await expectBoards()
        for (const steps of [...reveals.map((reveal) => [reveal]), ...others]) {
          await take(...steps)
          await expectBoards()
        }
      }),
      { numRuns: modelRuns(10) },
    )
  })

  it('has a cell for every problem, and times', async () => {
    const { eventId } = await contestWith([
      [anna, 0, 70, 'WRONG_ANSWER'],
      [anna, 0, 75, 'ACCEPTED'],
      [bert, 1, 80, 'PENDING'],
    ])
    const { rows, state } = await expectBoard(stranger, eventId)
    expect(rows[0]).toEqual({
      ...{ rank: 1, team_id: anna.id },
      score: { num_solved: 1, total_time: '1:35:00.000', time: '1:15:00.000' },
      problems: [
        { problem_id: String(TASKS[0]), num_judged: 2, num_pending: 0, solved: true, time: '1:15:00.000' },
        { problem_id: String(TASKS[1]), num_judged: 0, num_pending: 0, solved: false },
      ],
    })
    expect(rows[1]).toMatchObject({ rank: 2, score: { num_solved: 0 } })
    expect(rows[1].score).not.toHaveProperty('time')
    expect(state).toHaveProperty('ended')
  })

  it('has the time of the first best score where a problem is not solved', async () => {
    const rows: Row[] = [
      [anna, 0, 10, 'WRONG_ANSWER', 20],
      [anna, 0, 20, 'WRONG_ANSWER', 50],
      [anna, 0, 30, 'WRONG_ANSWER', 50],
      [anna, 0, 70, 'WRONG_ANSWER', 60],
      [bert, 0, 40, 'ACCEPTED', 100],
    ]
    const { eventId, thaw } = await contestWith(rows, { scoring: 'points', ...freezeAt(60) })
    const [, second] = (await expectBoard(stranger, eventId)).rows
    const of = { problem_id: String(TASKS[0]) }
    const cell = { ...of, num_judged: 3, num_pending: 1, score: 50, time: '0:20:00.000' }
    expect(second).toMatchObject({ score: { score: 50 }, problems: [cell, { score: 0 }] })
    const live = { ...cell, num_judged: 4, num_pending: 0, score: 60, time: '1:10:00.000' }
    expect((await expectBoard(judge, eventId)).rows[1].problems[0]).toEqual(live)
    await thaw()
    expect((await expectBoard(stranger, eventId)).rows[1].problems[0]).toEqual(live)
    const fields = { scoring: 'points', teams: true }
    const teamContest = await contestWith([], fields, { Both: [anna, bert] })
    const [id] = teamContest.teamIds
    for (const row of rows.slice(0, 3)) await teamContest.store(row)
    await teamContest.store([bert, 0, 15, 'WRONG_ANSWER', 50])
    const board = await expectBoard(stranger, teamContest.eventId, 'team')
    expect(board.rows[0]).toMatchObject({ team_id: id, problems: [{ score: 50, time: '0:15:00.000' }, {}] })
  })

  it('is closed as the standings are, and public without a token', async () => {
    const closed = await contestWith([], { scoreboard: 'participants' })
    await closed.objects.get(stranger, 'scoreboard', 403)
    for (const caller of [anna, user, judge, admin]) await closed.objects.get(caller, 'scoreboard', 200)
    await closed.objects.get(anonymous, 'scoreboard', 401)
    const open = await contestWith([[anna, 0, 1, 'ACCEPTED']], { scoreboard: 'public' })
    expect(await open.objects.get(anonymous, 'scoreboard')).toEqual(
      await open.objects.get(stranger, 'scoreboard?group_id=participants'),
    )
  })

  it('has an entity tag that a verdict changes, a frozen one only for staff and judges', async () => {
    const { store, objects } = await contestWith([], freezeAt(60))
    const tagOf = async (caller: Caller) => (await caller.send('GET', objects.url('scoreboard'))).headers.etag
    const id = await store([anna, 0, 70, 'PENDING'])
    const [shown, live] = [await tagOf(stranger), await tagOf(judge)]
    expect(shown).toMatch(/./)
    await contests.giveVerdict(id, 'ACCEPTED')
    expect(await tagOf(stranger)).toBe(shown)
    expect(await tagOf(judge)).not.toBe(live)
    await store([anna, 0, 50, 'WRONG_ANSWER'])
    expect(await tagOf(stranger)).not.toBe(shown)
  })
})
