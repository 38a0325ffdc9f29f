import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countStandings, readContest } from '../../verification/standings.ts'
import { serviceWithContests } from '../support/contests.ts'
import { expectRecounted } from '../support/recount.ts'
import { ceremony, opening, rounds } from '../support/standings-incidents.ts'
import { prepareRuns } from '../support/standings-run.ts'
import { modelRuns } from './model-runs.ts'

const contests = await serviceWithContests()
const { service, admin, stranger } = contests
const openRun = await prepareRuns(contests)

const FROZEN = [
  { by: 'user', isLive: false },
  { by: 'team', isLive: false },
  { by: 'user', isLive: false, isScoreboard: true },
  { by: 'team', isLive: false, isScoreboard: true },
] as const
const ALL = [...FROZEN, { by: 'user', isLive: true }, { by: 'team', isLive: true }] as const

/** Compares standings with a recount, as clients that send the tag of their last response. */
async function openReader(eventId: number) {
  const { token } = await admin.post(`/v1/events/${eventId}/scoreboard_tokens`, {}, 201)
  const scoreboard = service.as(token)
  const last = new Map<string, { tag: string; rows: unknown; problems: { problem_id: number }[] }>()
  return async (views: typeof ALL | typeof FROZEN) => {
    const contest = await readContest(service.database, eventId)
    for (const view of views) {
      const isScoreboard = 'isScoreboard' in view
      const name = `by ${view.by}, ${view.isLive ? 'live' : 'frozen'}${isScoreboard ? ', on the scoreboard' : ''}`
      const url = `/v1/${isScoreboard ? 'scoreboard' : 'events'}/${eventId}/standings?by=${view.by}`
      const reader = isScoreboard ? scoreboard : view.isLive ? admin : stranger
      const kept = last.get(name)
      const own = kept && { 'if-none-match': kept.tag }
      const { status, body, headers } = await reader.send('GET', url, undefined, own)
      const standings = status === 304 && kept ? kept : { ...body, tag: headers.etag }
      last.set(name, standings)
      expect(standings.rows, name).toEqual(countStandings(contest, view))
      const columns = standings.problems.map(({ problem_id }: { problem_id: number }) => problem_id)
      expect(columns, name).toEqual(contest.problems)
    }
  }
}

it('the standings equal a recount, live, frozen and on the scoreboard, by user and by team, in a thaw by steps and after any changes of a contest (P22, P23, P24)', async () => {
  await fc.assert(
    fc.asyncProperty(opening, ceremony, rounds, async (first, reveals, others) => {
      const { eventId, take } = await openRun()
      const expectStandings = await openReader(eventId)
      await take(...first)
      await expectStandings(ALL)
      for (const reveal of reveals) {
        await take(reveal)
        await expectStandings(FROZEN)
      }
      for (const steps of others) {
        await take(...steps)
        await expectStandings(ALL)
      }
      await expectRecounted(service, eventId)
    }),
    { numRuns: modelRuns(40) },
  )
})
