import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { serviceWithContests } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { forbidden, notFound } from '../support/refusals.ts'
import { createFrozenWorld, createScored, FULL_SCORE, teamContest } from './frozen-world.ts'

const contests = await serviceWithContests()
const { service, admin, stranger } = contests
const { request, judgeAll, shadowsOf } = decisionsOf(contests)

/** The first problem has no points. */
const problems = [contests.problem, await createScored(contests)] as const
const world = await createFrozenWorld(contests, teamContest(problems, { end: -1, moved: -0.5 }))
const { eventId, url, readAll, listChanges } = world
const { author, mate, rival } = world.people
const frozen = [...world.verdicts.keys()]

describe('verdicts since the freeze (P23)', () => {
  it('change no byte and no entity tag of any response to others, nor to their author in the contest', async () => {
    const before = await readAll()
    await world.giveVerdicts()
    expect(await listChanges(before)).toEqual([])
    expect(await listChanges(before, 'beside')).toEqual([])
    // Their records are not frozen.
    for (const [id, verdict] of world.verdicts)
      expect(await admin.get(`/v1/submissions/${id}`)).toMatchObject(verdict)
  })

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
      return rows.find(({ user }: { user: Person }) => user.id === author.id)
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
