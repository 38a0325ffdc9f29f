import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { forbidden, notFound } from '../support/refusals.ts'
import {
  createFrozenWorld,
  createScored,
  type FrozenContest,
  FULL_SCORE,
  teamContest,
} from './frozen-world.ts'

const contests = await serviceWithContests()
const { service, admin, stranger } = contests
const { request, judgeAll, shadowsOf } = decisionsOf(contests)

/** The first problem has no points. */
const problems = [contests.problem, await createScored(contests)] as const
const world = await createFrozenWorld(contests, teamContest(problems, { end: -1, moved: -0.5 }))
const { eventId, url, readAll, listChanges } = world
const { author, mate, rival } = world.people
const frozen = [...world.verdicts.keys()]

/** Gives the verdicts; only their records, which are not frozen, may change. */
async function expectUnseenVerdicts({ readAll, listChanges, giveVerdicts, verdicts }: typeof world) {
  const before = await readAll()
  await giveVerdicts()
  expect(await listChanges(before)).toEqual([])
  expect(await listChanges(before, 'beside')).toEqual([])
  for (const [id, verdict] of verdicts)
    expect(await admin.get(`/v1/submissions/${id}`)).toMatchObject(verdict)
}

type Row = { readonly user: Person; readonly points: number }

describe('verdicts since the freeze (P23)', () => {
  it('change no byte and no entity tag of any response to others, nor to their author in the contest', () =>
    expectUnseenVerdicts(world))

  it('change nothing either if a rejudging gives them (P24): not its request, verdicts or application', async () => {
    const before = await readAll()
    const id = await request({ event_id: eventId, submission_ids: frozen })
    const [first, , third] = frozen
    const verdictOf = (one: string) => {
      if (one === third) return { status: 'ACCEPTED', score: FULL_SCORE }
      return { status: one === first ? 'ACCEPTED' : 'RUNTIME_ERROR' }
    }
    await judgeAll(id, new Map(frozen.map((one) => [one, verdictOf(one)])))
    const rank_changes = [
      { event_id: eventId, user_id: rival.id, from_rank: 1, to_rank: 2 },
      { event_id: eventId, user_id: author.id, from_rank: 2, to_rank: 1 },
    ]
    const teams = [expect.objectContaining({ team_id: expect.any(String) })]
    expect(await admin.get(decisionUrl(id))).toMatchObject({
      ...{ changed: 4, unchanged: 1, rank_changes: [...rank_changes, ...teams, ...teams] },
    })
    expect(await listChanges(before)).toEqual([])
    await admin.post(decisionUrl(id, '/apply'), undefined, 200)
    expect(await listChanges(before)).toEqual([])
    expect(await listChanges(before, 'beside')).toEqual([])
    for (const reader of [stranger, author, mate, rival]) {
      await reader.get(decisionUrl(id), notFound('rejudging'))
      await reader.get(`/v1/rejudgings?event_id=${eventId}`, forbidden)
      for (const shadow of (await shadowsOf(id)).values())
        await reader.get(`/v1/submissions/${shadow}`, notFound('submission'))
    }
  })

  it('nor does the first submission of a tester to a problem, and its verdict (P21)', async () => {
    const others = ['stranger', 'rival', 'anonymous']
    const before = await readAll('service', others)
    const id = await world.store(['tester', 0, 50, 'PENDING'])
    await service.judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED' })
    expect(await listChanges(before)).toEqual([])
  })

  it('are seen by staff at once, and by all after the thaw', async () => {
    const paths = ['standings', 'standings.csv', 'standings?by=team', 'attempts', 'problems_stats']
    const rowOf = async (caller: Caller) => {
      const { rows } = await caller.get(`${url}/standings`)
      return rows.find(({ user }: Row) => user.id === author.id)
    }
    expect(await rowOf(admin)).toMatchObject({ solved: 2 })
    expect(await rowOf(stranger)).toMatchObject({ solved: 0 })
    const readPaths = () => Promise.all(paths.map((path) => stranger.send('GET', `${url}/${path}`)))
    const hidden = await readPaths()
    await admin.post(`${url}/thaw`)
    expect(await rowOf(stranger)).toMatchObject({ solved: 2 })
    for (const [place, shown] of (await readPaths()).entries()) {
      expect(shown.text).not.toBe(hidden[place]?.text)
      expect(shown.headers.etag).not.toBe(hidden[place]?.headers.etag)
    }
  })
})

/** The rival is the last before the freeze; a step of the thaw reveals their first problem. */
const contest: FrozenContest = {
  problems: [await createScored(contests), await createScored(contests)],
  points: [33.33, 250],
  fields: {
    ...{ start_time: isoIn(-180), end_time: isoIn(-1), freeze_time: isoIn(-90) },
    ...{ teams: false, scoring: 'points' },
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
  const chosenWorld = await createFrozenWorld(contests, chosen)
  const { url, people } = chosenWorld

  it('change no byte and no entity tag for others, nor for their authors in the contest', () =>
    expectUnseenVerdicts(chosenWorld))

  it('count for staff, and for others only those of the revealed cell', async () => {
    const pointsFor = async (caller: Caller) => {
      const { rows } = await caller.get(`${url}/standings`)
      return Object.fromEntries(rows.map(({ user, points }: Row) => [user.id, points]))
    }
    const { author, mate, rival } = people
    const shown = 10 + FULL_SCORE * chosen.reveals
    expect(await pointsFor(admin)).toEqual({ [author.id]: 160, [mate.id]: 50, [rival.id]: 170 })
    expect(await pointsFor(stranger)).toEqual({ [author.id]: 40, [mate.id]: 50, [rival.id]: shown })
  })
})
