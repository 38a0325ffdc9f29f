import { describe, expect, it } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { objectsOf } from '../../support/contest-api.ts'
import { scheduled } from '../../support/contests.ts'
import { freezeAt, serviceWithPastContests } from '../../support/past-contests.ts'

const { contests, tasks: TASKS, anna, bert, carl, contestWith } = await serviceWithPastContests()
const { service, admin, user, stranger } = contests
const { judge } = service

describe('the awards of the Contest API (P26)', () => {
  /** The teams of each award; each award by itself is the same. */
  async function awardsOf(eventId: number, caller: Caller): Promise<Record<string, string[]>> {
    const objects = objectsOf(eventId)
    const awards = await objects.list(caller, 'awards')
    for (const award of awards) expect(await objects.get(caller, `awards/${award.id}`)).toEqual(award)
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
    // The last row is of Bert or Carl: nobody knows who was first before both are revealed.
    const reveals: unknown[] = []
    for (let step = 0; step < 3; step += 1) {
      await thaw('?next=true')
      reveals.push((await awardsOf(eventId, stranger))[`first-to-solve-${TASKS[1]}`])
    }
    expect(reveals.at(-1)).toEqual([carl.id])
    for (const solvers of reveals) expect(solvers).not.toContain(bert.id)
    expect(await awardsOf(eventId, stranger)).toEqual(live)
  })

  it('name teams, whose members compete together', async () => {
    const { eventId, store, teamIds } = await contestWith([], { teams: true }, { Both: [anna, bert] })
    const [both = ''] = teamIds
    // Carl has no team: he is not in the standings of teams.
    await store([carl, 0, 1, 'ACCEPTED'])
    await store([carl, 0, 2, 'PENDING'])
    await store([bert, 0, 20, 'ACCEPTED'])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [both], ...firsts([both], []) })
    await store([anna, 0, 10, 'PENDING'])
    expect(await awardsOf(eventId, stranger)).toEqual({ winner: [both], ...firsts([], []) })
  })

  it('have medals where the contest gives some: equal teams share them, and points count where they rank', async () => {
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
    const fields = { scoring: 'points', medals: { gold: 3, silver: 0, bronze: 0 } }
    const { eventId: ranked } = await contestWith([[anna, 0, 30, 'WRONG_ANSWER', 12.5]], fields)
    expect(await awardsOf(ranked, stranger)).toMatchObject({ winner: [anna.id], 'gold-medal': [anna.id] })
  })

  it('are not for outsiders where only participants see results, and like the scoreboard name no problem before the start', async () => {
    const closed = await contestWith([[anna, 0, 30, 'ACCEPTED']], { scoreboard: 'participants' })
    expect(await awardsOf(closed.eventId, stranger)).toEqual({})
    for (const caller of [bert, user, judge])
      expect(await awardsOf(closed.eventId, caller)).toMatchObject({ winner: [anna.id] })
    const coming = await contestWith([], scheduled())
    for (const caller of [anna, judge]) {
      const { rows, state } = await coming.objects.get(caller, 'scoreboard')
      expect([rows.length, rows[0].problems, state]).toEqual([3, [], {}])
    }
    expect(await awardsOf(coming.eventId, anna)).toEqual({ winner: [] })
    expect(await awardsOf(coming.eventId, user)).toEqual({ winner: [], ...firsts([], []) })
  })
})
