import { describe, expect, it } from 'vitest'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { createFrozenWorld, createScored, type FrozenContest, FULL_SCORE } from './frozen-world.ts'

const contests = await serviceWithContests()
const { admin, stranger } = contests
const problems = [await createScored(contests), await createScored(contests)] as const

/**
 * Before the freeze the rival is the last, as a user and as a team. A step of the thaw reveals the
 * rival's cell of the first problem.
 */
const contest: FrozenContest = {
  problems,
  fields: {
    ...{ start_time: isoIn(-180), end_time: isoIn(-1), freeze_time: isoIn(-90) },
    teams: false,
    scoring: 'points',
  },
  rows: [
    ['author', 0, 30, 'WRONG_ANSWER', 40],
    ['mate', 1, 35, 'WRONG_ANSWER', 50],
    ['rival', 1, 40, 'WRONG_ANSWER', 10],
    ['mate', 0, 100, 'PENDING'],
    ['rival', 0, 110, 'ACCEPTED', FULL_SCORE],
  ],
  frozen: [
    [['author', 0, 95, 'PENDING'], { status: 'ACCEPTED', score: FULL_SCORE }],
    [['author', 0, 100, 'WRONG_ANSWER', 1], { status: 'COMPILE_TIME_ERROR' }],
    [['author', 1, 105, 'ACCEPTED', FULL_SCORE], { status: 'WRONG_ANSWER', score: 60 }],
    [['rival', 1, 115, 'PENDING'], { status: 'WRONG_ANSWER', score: 70 }],
    [['tester', 1, 121, 'PENDING'], { status: 'ACCEPTED', score: FULL_SCORE }],
    [['removed', 1, 122, 'PENDING'], { status: 'ACCEPTED', score: FULL_SCORE }],
  ],
  moved: { start_time: isoIn(-190), end_time: isoIn(-0.5) },
  reveals: 0,
  authors: ['author', 'rival'],
}
const running = {
  fields: { ...contest.fields, end_time: isoIn(60) },
  moved: { ...contest.moved, end_time: isoIn(61) },
}
const withTeams = { fields: { ...contest.fields, teams: true } }

const worlds: [string, FrozenContest][] = [
  ['after the end, with one cell revealed', { ...contest, reveals: 1 }],
  ['after the end, with one cell of a team revealed', { ...contest, ...withTeams, reveals: 1 }],
  ['in a running contest', { ...contest, ...running }],
]

describe.each(worlds)('verdicts since the freeze of a contest with points, %s (P23)', async (_, chosen) => {
  const { url, verdicts, people, readAll, listChanges, giveVerdicts } = await createFrozenWorld(
    contests,
    chosen,
  )

  it('change no byte and no entity tag for others, nor for their authors in the contest', async () => {
    const before = await readAll()
    await giveVerdicts()
    expect(await listChanges(before)).toEqual([])
    expect(await listChanges(before, 'beside')).toEqual([])
    for (const [id, verdict] of verdicts)
      expect(await admin.get(`/v1/submissions/${id}`)).toMatchObject(verdict)
  })

  it('count for staff, and for others only those of the revealed cell', async () => {
    const pointsFor = async (caller: typeof admin) => {
      const { rows } = await caller.get(`${url}/standings`)
      return new Map(
        rows.map(({ user, points }: { user: { id: string }; points: number }) => [user.id, points]),
      )
    }
    const { author, mate, rival } = people
    const shown = 10 + FULL_SCORE * chosen.reveals
    expect(await pointsFor(admin)).toEqual(
      new Map([
        [author.id, 160],
        [mate.id, 50],
        [rival.id, 170],
      ]),
    )
    expect(await pointsFor(stranger)).toEqual(
      new Map([
        [author.id, 40],
        [mate.id, 50],
        [rival.id, shown],
      ]),
    )
  })
})
