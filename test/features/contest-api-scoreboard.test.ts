import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { listAwards, readAwards } from '../../src/features/contest-api/awards-sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import type { Person } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { objectsOf } from '../support/contest-objects.ts'
import { createContest, isoIn, scheduled } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { storeSubmission } from '../support/standings.ts'
import { ceremony, type Incident, opening, rounds } from '../support/standings-incidents.ts'
import { prepareRuns } from '../support/standings-run.ts'
import { contestWithTeams } from '../support/teams.ts'

const contests = await contestWithTeams()
const { service, admin, user, stranger, problem, createTeam } = contests
const { judge, anonymous } = service
const second = await contests.createProblem()
const [anna, bert, carl] = [
  await service.createPerson(),
  await service.createPerson(),
  await service.createPerson(),
]
const TASKS = [problem.id, second.id]

/** Two hours, over an hour ago. */
const past = () => ({ start_time: isoIn(-180), end_time: isoIn(-60) })
const freezeAt = (minute: number) => ({ freeze_time: isoIn(-180 + minute) })

type Row = [person: Person, task: number, minute: number, status: string, score?: number]

async function contestWith(rows: Row[], fields: object = {}) {
  const problems = TASKS.map((problem_id) => ({ problem_id }))
  const eventId = await createContest(contests, problems, { ...past(), staff: [user.id], ...fields })
  for (const person of [anna, bert, carl]) await contests.register(person, eventId)
  const store = async ([person, task, minute, status, score]: Row) => {
    const id = uuidv7()
    const by = { id, user_id: person.id, problem_id: TASKS[task] ?? 0 }
    await storeSubmission(service, eventId, { ...by, minute, status, score })
    return id
  }
  for (const row of rows) await store(row)
  const thaw = (query = '') => admin.post(`/v1/events/${eventId}/thaw${query}`, undefined, 200)
  return { eventId, store, thaw, objects: objectsOf(eventId) }
}

interface Cell {
  readonly problem_id: number
  readonly tries: number
  readonly pending: number
  readonly minutes?: number
  readonly score?: number
}

interface StandingsRow {
  readonly rank: number
  readonly user?: { readonly id: string }
  readonly team?: { readonly id: string }
  readonly solved: number
  readonly points?: number
  readonly penalty: number
  readonly last_accepted?: string
  readonly cells: readonly Cell[]
}

const two = (number: number) => String(number).padStart(2, '0')
const reltime = (minutes: number) => `${Math.floor(minutes / 60)}:${two(minutes % 60)}:00.000`

function spanFrom(start: string, end: string): string {
  const ms = Math.floor(Date.parse(end)) - Math.floor(Date.parse(start))
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, '0')}`
}

/** The cell of a scoreboard for one of the standings. */
function cellOf(problemId: number, hasPoints: boolean, cell: Cell | undefined) {
  const { tries = 0, pending = 0, minutes, score = 0 } = cell ?? {}
  return {
    problem_id: String(problemId),
    ...{ num_judged: tries, num_pending: pending },
    ...(hasPoints ? { score } : { solved: minutes !== undefined }),
    ...(minutes !== undefined && { time: reltime(minutes) }),
    ...(minutes === undefined && score > 0 && { time: expect.stringMatching(/^\d+:\d\d:00\.000$/) }),
  }
}

/** Expects that the scoreboard has the rows, ranks and cells of the standings. */
async function expectBoard(caller: Caller, eventId: number, by: 'user' | 'team' = 'user') {
  const standings = await caller.get(`/v1/events/${eventId}/standings?by=${by}`)
  const { start_time, scoring } = await stranger.get(`/v1/public/events/${eventId}`)
  const board = await objectsOf(eventId).get(caller, 'scoreboard')
  const hasPoints = scoring === 'points'
  const expected = standings.rows.map((row: StandingsRow) => ({
    rank: row.rank,
    team_id: row[by]?.id,
    score: {
      ...(hasPoints ? { score: row.points } : { num_solved: row.solved, total_time: reltime(row.penalty) }),
      ...(row.last_accepted !== undefined && { time: spanFrom(start_time, row.last_accepted) }),
    },
    problems: standings.problems.map(({ problem_id }: { problem_id: number }) =>
      cellOf(
        problem_id,
        hasPoints,
        row.cells.find((cell) => cell.problem_id === problem_id),
      ),
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
          for (const [teams, by] of [
            [false, 'user'],
            [true, 'team'],
          ] as const) {
            await admin.put(`/v1/events/${eventId}`, { teams }, 200)
            for (const caller of [stranger, judge]) await expectBoard(caller, eventId, by)
          }
        }
        const takeAll = async (steps: readonly Incident[]) => {
          for (const step of steps) await take(step)
        }
        await takeAll(first)
        await expectBoards()
        for (const steps of [...reveals.map((reveal) => [reveal]), ...others]) {
          await takeAll(steps)
          await expectBoards()
        }
      }),
      { numRuns: databaseKind === 'postgres' ? 10 : 4 },
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
    const cell = {
      problem_id: String(TASKS[0]),
      num_judged: 3,
      num_pending: 1,
      score: 50,
      time: '0:20:00.000',
    }
    expect(second).toMatchObject({ score: { score: 50 }, problems: [cell, { score: 0 }] })
    const live = { ...cell, num_judged: 4, num_pending: 0, score: 60, time: '1:10:00.000' }
    expect((await expectBoard(judge, eventId)).rows[1].problems[0]).toEqual(live)
    await thaw()
    expect((await expectBoard(stranger, eventId)).rows[1].problems[0]).toEqual(live)
    const teamContest = await contestWith([], { scoring: 'points', teams: true })
    const { id, url } = await createTeam('Both', teamContest.eventId, anna)
    await bert.post(`${url}/join`)
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

describe('the awards of the Contest API (P26)', () => {
  const dbOf = ({ id }: Person, role: 0 | 2 = 0) =>
    new ActorDatabase(service.database, { id, role, sessionVersion: 1 })

  /** The teams of each award; the polled document must have the same text. */
  async function awardsOf(eventId: number, caller: Caller): Promise<Record<string, string[]>> {
    for (const db of [dbOf(stranger), dbOf(admin, 2), dbOf(anna)]) {
      const items = await db.query(listAwards.all, { event_id: eventId })
      const [{ body } = {}] = await db.query(readAwards.statement, { event_id: eventId })
      expect(body).toBe(`[${items.map(({ item }) => item).join(',')}]`)
    }
    const awards = await objectsOf(eventId).list(caller, 'awards')
    return Object.fromEntries(awards.map(({ id, team_ids }) => [id, team_ids]))
  }
  const firsts = (first: string[], other: string[]) => ({
    [`first-to-solve-${TASKS[0]}`]: first,
    [`first-to-solve-${TASKS[1]}`]: other,
  })

  it('are the winner and the first solution of each problem', async () => {
    const { eventId, store, objects } = await contestWith([
      [bert, 0, 10, 'WRONG_ANSWER'],
      [carl, 1, 20, 'COMPILE_TIME_ERROR'],
    ])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [], ...firsts([], []) })
    await store([bert, 0, 40, 'ACCEPTED'])
    await store([anna, 0, 30, 'ACCEPTED'])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [anna.id], ...firsts([anna.id], []) })
    expect(await objects.list(stranger, 'awards')).toMatchObject([
      { id: 'winner', citation: 'Winner' },
      { citation: 'First to solve problem A' },
      { citation: 'First to solve problem B' },
    ])
  })

  it('name nobody as first while an earlier submission waits for its verdict', async () => {
    const { eventId, store } = await contestWith([[anna, 0, 30, 'ACCEPTED']])
    await store([carl, 0, 31, 'PENDING'])
    expect(await awardsOf(eventId, stranger)).toMatchObject(firsts([anna.id], []))
    const earlier = await store([bert, 0, 20, 'PENDING'])
    expect(await awardsOf(eventId, stranger)).toMatchObject(firsts([], []))
    await contests.giveVerdict(earlier, 'ACCEPTED')
    expect(await awardsOf(eventId, stranger)).toMatchObject(firsts([bert.id], []))
    await admin.put(`/v1/events/${eventId}/participants/${bert.id}`, { hidden: true })
    expect(await awardsOf(eventId, stranger)).toMatchObject(firsts([anna.id], []))
  })

  it('follow the freeze: for others than staff and judges they change with the thaw', async () => {
    const { eventId, thaw } = await contestWith(
      [
        [anna, 0, 30, 'ACCEPTED'],
        [bert, 0, 70, 'ACCEPTED'],
        [bert, 1, 80, 'ACCEPTED'],
        [carl, 1, 75, 'ACCEPTED'],
      ],
      freezeAt(60),
    )
    const frozen = { winner: [anna.id], ...firsts([anna.id], []) }
    const live = { winner: [bert.id], ...firsts([anna.id], [carl.id]) }
    for (const caller of [stranger, anna]) expect(await awardsOf(eventId, caller)).toEqual(frozen)
    for (const caller of [user, judge, admin]) expect(await awardsOf(eventId, caller)).toEqual(live)
    const reveals = [
      // The last row is of Bert or Carl: nobody knows who was first before both are revealed.
      ...[await stepped(), await stepped(), await stepped()],
    ]
    async function stepped() {
      await thaw('?next=true')
      return (await awardsOf(eventId, stranger))[`first-to-solve-${TASKS[1]}`]
    }
    expect(reveals.at(-1)).toEqual([carl.id])
    for (const solvers of reveals) expect(solvers).not.toContain(bert.id)
    expect(await awardsOf(eventId, stranger)).toEqual(live)
  })

  it('name teams, whose members compete together', async () => {
    const { eventId, store } = await contestWith([], { teams: true })
    const both = await createTeam('Both', eventId, anna)
    await bert.post(`${both.url}/join`)
    // Carl has no team: he is not in the standings of teams.
    await store([carl, 0, 1, 'ACCEPTED'])
    await store([carl, 0, 2, 'PENDING'])
    await store([bert, 0, 20, 'ACCEPTED'])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [both.id], ...firsts([both.id], []) })
    await store([anna, 0, 10, 'PENDING'])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [both.id], ...firsts([], []) })
  })

  it('have medals where the contest gives some: equal teams share them', async () => {
    const medals = { gold: 1, silver: 1, bronze: 1 }
    const { eventId, store } = await contestWith(
      [
        [anna, 0, 30, 'ACCEPTED'],
        [bert, 0, 30, 'ACCEPTED'],
      ],
      { medals },
    )
    const names = ['gold-medal', 'silver-medal', 'bronze-medal'] as const
    const medalsOf = async () => {
      const awards = await awardsOf(eventId, stranger)
      return names.map((name) => awards[name]?.toSorted())
    }
    expect(await medalsOf()).toEqual([[anna.id, bert.id].sort(), [], []])
    await store([carl, 0, 40, 'ACCEPTED'])
    expect(await medalsOf()).toEqual([[anna.id, bert.id].sort(), [], [carl.id]])
    await store([anna, 1, 50, 'ACCEPTED'])
    expect(await medalsOf()).toEqual([[anna.id], [bert.id], [carl.id]])
    await admin.put(`/v1/events/${eventId}`, { medals: { gold: 2, silver: 0, bronze: 9 } })
    expect(await medalsOf()).toEqual([[anna.id, bert.id].sort(), undefined, [carl.id]])
    await admin.put(`/v1/events/${eventId}`, { medals: null })
    expect(await medalsOf()).toEqual([undefined, undefined, undefined])
  })

  it('go to those with points where points rank', async () => {
    const { eventId } = await contestWith([[anna, 0, 30, 'WRONG_ANSWER', 12.5]], {
      ...{ scoring: 'points', medals: { gold: 3, silver: 0, bronze: 0 } },
    })
    const awards = await awardsOf(eventId, stranger)
    expect(awards).toMatchObject({ winner: [anna.id], 'gold-medal': [anna.id] })
  })

  it('are not for outsiders where only participants see results, and like the scoreboard name no problem before the start', async () => {
    const closed = await contestWith([[anna, 0, 30, 'ACCEPTED']], { scoreboard: 'participants' })
    expect(await awardsOf(closed.eventId, stranger)).toEqual({})
    for (const caller of [bert, user, judge]) {
      expect(await awardsOf(closed.eventId, caller)).toMatchObject({ winner: [anna.id] })
    }
    const coming = await contestWith([], scheduled())
    for (const caller of [anna, judge]) {
      const { rows, state } = await coming.objects.get(caller, 'scoreboard')
      expect([rows.length, rows[0].problems, state]).toEqual([3, [], {}])
    }
    expect(await awardsOf(coming.eventId, anna)).toEqual({ winner: [] })
    expect(await awardsOf(coming.eventId, user)).toEqual({ winner: [], ...firsts([], []) })
  })
})
