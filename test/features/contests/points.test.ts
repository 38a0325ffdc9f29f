import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import { callerOf } from '../../support/caller.ts'
import { objectsOf } from '../../support/contest-api.ts'
import { createContest, isoIn, serviceWithContests } from '../../support/contests.ts'
import { storeSubmission } from '../../support/standings.ts'
import { recountStandings } from '../../support/verification/standings.ts'

const contests = await serviceWithContests()
const { service, admin, stranger, problem: plain } = contests
const [anna, bert, carl] = [
  await service.createPerson(),
  await service.createPerson(),
  await service.createPerson(),
]
const groupJudge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })

const groupsOf = (points: number) => [{ name: 'all', points, aggregation: 'sum', cases: [1, 2] }]
/** A problem whose test groups give so many points. */
const scored = async (most: number) => (await contests.createProblem({ test_groups: groupsOf(most) })).id

/** A submission to a problem of the contest, by its place. */
type Sent = [person: Person, place: number, minute: number, status: string, score?: number | undefined]

type Attached = { readonly problem_id: number; readonly points?: number }

/** A contest of the three people that ended an hour ago. */
async function contestOf(problems: readonly Attached[], sent: readonly Sent[], fields: object = {}) {
  const times = { start_time: isoIn(-180), end_time: isoIn(-60) }
  const eventId = await createContest(contests, problems, { ...times, scoring: 'points', ...fields })
  for (const person of [anna, bert, carl]) await contests.register(person, eventId)
  const ids: string[] = []
  for (const [person, place, minute, status, score] of sent) {
    const id = uuidv7()
    ids.push(id)
    const of = { id, user_id: person.id, problem_id: problems[place]?.problem_id ?? 0 }
    await storeSubmission(service, eventId, { ...of, minute, status, score })
  }
  const url = `/v1/events/${eventId}`
  const attached = await contests.eventProblemIds(eventId)
  return {
    ...{ eventId, url, ids, objects: objectsOf(eventId) },
    urlOf: (place: number) => `${url}/problems/${attached.get(problems[place]?.problem_id ?? 0)}`,
    async rows() {
      const { rows } = await stranger.get(`${url}/standings`)
      expect(rows).toEqual(await recountStandings(service.database, eventId, { by: 'user', isLive: false }))
      return rows as { user: { id: string }; [field: string]: unknown }[]
    },
  }
}

const of = ({ id, name }: Person, fields: object) =>
  expect.objectContaining({ user: { id, name }, ...fields })

describe('a contest with points (P22)', () => {
  it('gives 100 points for a problem without test groups, so that who solves it is ahead of who does not', async () => {
    const sent: Sent[] = [
      [anna, 0, 50, 'ACCEPTED'],
      [bert, 0, 10, 'WRONG_ANSWER'],
      [bert, 0, 20, 'COMPILE_TIME_ERROR'],
    ]
    const { rows } = await contestOf([{ problem_id: plain.id }], sent)
    expect(await rows()).toEqual([
      of(anna, { rank: 1, points: 100, penalty: 50, cells: [expect.objectContaining({ score: 100 })] }),
      of(bert, { rank: 2, points: 0, cells: [{ problem_id: plain.id, tries: 1, pending: 0, score: 0 }] }),
      of(carl, { rank: 2, points: 0, cells: [] }),
    ])
  })

  it('adds 30, 30 and 40 points for problems with and without test groups', async () => {
    const problems = [
      { problem_id: plain.id, points: 30 },
      { problem_id: await scored(100), points: 30 },
      { problem_id: await scored(7), points: 40 },
    ]
    const { rows, url, objects } = await contestOf(problems, [
      ...[0, 1, 2].map((place): Sent => [anna, place, 10, 'ACCEPTED', [undefined, 100, 7][place]]),
      [bert, 1, 10, 'WRONG_ANSWER', 50],
      [bert, 2, 20, 'WRONG_ANSWER', 1],
    ])
    expect(await rows()).toEqual([
      of(anna, { points: 100 }),
      of(bert, { points: 20.71, cells: [15, 5.71].map((score) => expect.objectContaining({ score })) }),
      of(carl, { points: 0 }),
    ])
    const { problems: columns } = await stranger.get(`${url}/standings`)
    expect(columns.map(({ points }: Attached) => points)).toEqual([30, 30, 40])
    expect(await objects.values(admin, 'problems', 'max_score')).toEqual([30, 30, 40])
    expect(await objects.values(admin, 'judgements', 'score')).toEqual([30, 30, 40, 15, 5.71])
  })

  it('rounds only the sum: three thirds of a point are one, and half a hundredth is one', async () => {
    const thirds = await Promise.all([3, 3, 3].map(scored))
    const halves = [await scored(2)]
    const problems = [
      ...thirds.map((problem_id) => ({ problem_id, points: 1 })),
      ...halves.map((problem_id) => ({ problem_id, points: 0.01 })),
    ]
    const { rows, objects } = await contestOf(problems, [
      ...[0, 1, 2].map((place): Sent => [anna, place, 10, 'WRONG_ANSWER', 1]),
      [bert, 3, 10, 'WRONG_ANSWER', 1],
    ])
    const third = expect.objectContaining({ score: 0.33 })
    expect(await rows()).toEqual([
      of(anna, { points: 1, cells: [third, third, third] }),
      of(bert, { points: 0.01 }),
      of(carl, { points: 0 }),
    ])
    expect(await objects.values(admin, 'judgements', 'score')).toEqual([0.33, 0.33, 0.33, 0.01])
  })

  it('counts minutes only for cells with points', async () => {
    const problems = [{ problem_id: await scored(0) }, { problem_id: plain.id }]
    const { rows } = await contestOf(problems, [
      [anna, 0, 90, 'WRONG_ANSWER', 0],
      [anna, 0, 100, 'ACCEPTED', 0],
      [anna, 1, 30, 'ACCEPTED'],
      [bert, 0, 100, 'ACCEPTED', 0],
    ])
    expect(await rows()).toEqual([
      of(anna, { rank: 1, solved: 2, points: 100, penalty: 30 }),
      of(bert, { rank: 2, solved: 1, points: 0, penalty: 0 }),
      of(carl, { rank: 2, solved: 0 }),
    ])
  })

  it('has the time of the last improvement over the Contest API', async () => {
    const problems = [
      { problem_id: await scored(100) },
      { problem_id: plain.id },
      { problem_id: await scored(0) },
    ]
    const { objects } = await contestOf(problems, [
      [anna, 1, 10, 'ACCEPTED'],
      [anna, 0, 20, 'WRONG_ANSWER', 40],
      [anna, 0, 30, 'WRONG_ANSWER', 60],
      [anna, 0, 40, 'WRONG_ANSWER', 60],
      [anna, 1, 50, 'ACCEPTED'],
      [anna, 2, 55, 'ACCEPTED', 0],
      [bert, 0, 60, 'WRONG_ANSWER', 0],
      [bert, 2, 65, 'ACCEPTED', 0],
    ])
    const [first, second] = (await objects.get(stranger, 'scoreboard')).rows
    expect(first.score).toEqual({ score: 160, time: '0:30:00.000' })
    expect(first.problems.map(({ time }: { time?: string }) => time)).toEqual([
      ...['0:30:00.000', '0:10:00.000', undefined],
    ])
    expect(second.score).toEqual({ score: 0 })
  })

  it('counts again after a change of points or of test groups, for those who keep an entity tag', async () => {
    const [graded, ungraded] = [await scored(100), await contests.createProblem()]
    const problems = [{ problem_id: graded }, { problem_id: ungraded.id }]
    const { rows, url, urlOf } = await contestOf(problems, [
      [anna, 0, 10, 'WRONG_ANSWER', 50],
      [bert, 1, 10, 'ACCEPTED'],
    ])
    let tag = ''
    const change = async (send: () => Promise<unknown>, points: readonly [anna: number, bert: number]) => {
      await send()
      const response = await stranger.send('GET', `${url}/standings`, undefined, { 'if-none-match': tag })
      expect(response.status).toBe(200)
      tag = response.headers.etag ?? ''
      const found = new Map((await rows()).map((row) => [row.user.id, row.points]))
      expect([found.get(anna.id), found.get(bert.id)]).toEqual(points)
    }
    const put = (place: number, points: number | null) => () => admin.put(urlOf(place), { points })
    const regroup = (id: number, most: number) => () =>
      admin.put(`/v1/problems/${id}`, { test_groups: groupsOf(most) })
    await change(async () => {}, [50, 100])
    await change(put(0, 300), [150, 100])
    await change(put(1, 250.5), [150, 250.5])
    await change(regroup(graded, 200), [75, 250.5])
    await change(put(0, null), [50, 250.5])
    // The judging had no test groups: the program was accepted.
    await change(regroup(ungraded.id, 70), [50, 250.5])
    await change(put(1, null), [50, 70])
    await change(() => admin.put(`/v1/problems/${ungraded.id}`, { test_groups: null }), [50, 100])
  })

  it('keeps the score and the maximum of the judging in records', async () => {
    const problem_id = await scored(100)
    const fields = { start_time: isoIn(-60), end_time: isoIn(60) }
    const { eventId, rows } = await contestOf([{ problem_id, points: 30 }], [], fields)
    const id = await contests.submit(anna, { problem_id, event_id: eventId })
    await groupJudge.patch(`/v1/submissions/${id}`, { status: 'WRONG_ANSWER', score: 50 }, 204)
    expect((await rows())[0]).toEqual(of(anna, { points: 15 }))
    const own = { score: 50, max_score: 100 }
    expect(await anna.get(`/v1/submissions/${id}`)).toMatchObject(own)
    expect(await anna.get(`/v1/user_submissions/${anna.id}`)).toContainEqual(expect.objectContaining(own))
    const list = `/v1/events/${eventId}/submissions?user=${anna.id}`
    expect(await anna.get(list)).toEqual([expect.objectContaining(own)])
  })

  it('ranks as without points if it ranks by solved problems', async () => {
    const problems = [
      { problem_id: plain.id, points: 1 },
      { problem_id: await scored(0), points: 1000 },
    ]
    const sent: Sent[] = [
      [anna, 0, 10, 'ACCEPTED'],
      [bert, 1, 20, 'ACCEPTED', 0],
    ]
    const contest = await contestOf(problems, sent, { scoring: 'icpc' })
    const { problems: columns, rows } = await stranger.get(`${contest.url}/standings`)
    expect(columns).toEqual(problems.map(({ problem_id }, place) => ({ problem_id, label: 'AB'[place] })))
    expect(rows.map(({ user }: { user: Person }) => user.id)).toEqual([anna.id, bert.id, carl.id])
    expect(rows[1]).toMatchObject({ solved: 1, penalty: 20 })
    expect(JSON.stringify(rows)).not.toMatch(/points|score/)
    expect(await contest.objects.values(admin, 'problems', 'max_score')).toEqual([undefined, undefined])
  })
})
