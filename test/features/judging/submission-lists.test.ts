import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { createContest, register } from '../../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY } from '../../support/ids.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { forbidden, invalid, invalidField, notFound } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, submit } = judging
const { judge } = service
const other = await judging.createProblem({ title: 'Other' })

const [failed_test_case_id] = problem.cases
const verdict = { status: 'WRONG_ANSWER', stdout: 'o', stderr: 'e', time_elapsed: 0.5, failed_test_case_id }
const withheld = ['source_code', 'stdout', 'stderr']

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly problem_id: number }
const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)

/** The record as its owner finds it in lists, or as other members of a contest do. */
async function readItem(id: string, isRedacted = false): Promise<Item> {
  const hidden = ['judging', 'attempt', 'requeue_after', 'test_case_results', ...(isRedacted ? withheld : [])]
  const record: Item = await judging.readRecord(id)
  return { ...record, ...Object.fromEntries(hidden.map((name) => [name, undefined])) }
}

describe('the lists of a user’s submissions', async () => {
  const submitted: string[] = []
  for (const { id } of [problem, other, problem, other, problem])
    submitted.unshift(await submit(user, { problem_id: id }))
  const [newest = ''] = submitted
  const test_case_results = [{ test_case_id: failed_test_case_id, passed: false }]
  await judging.giveVerdict(newest, { ...verdict, test_case_results })
  await submit(stranger)

  const list = (caller: Caller, id: string, expected?: Expected): Promise<Item[]> =>
    caller.get(`/v1/user_submissions/${id}`, expected)
  const listOf = (problemId: number, caller: Caller, id = user.id, expected?: Expected): Promise<Item[]> =>
    caller.get(`/v1/user_problem_submissions/${id}/${problemId}`, expected)

  it('have complete records without results, newest first, for the user and admins [GET /v1/user_submissions/{user_id}]', async () => {
    const items = await list(user, user.id)
    expect(idsOf(items)).toEqual(submitted)
    expect(items[0]).toEqual(await readItem(newest))
    expect(items[0]).toMatchObject(verdict)
    expect(items[0]).not.toHaveProperty('test_case_results')
    for (const caller of [user, admin]) expect(await list(caller, user.id.toUpperCase())).toEqual(items)
  })

  it('can be limited to one problem [GET /v1/user_problem_submissions/{user_id}/{problem_id}]', async () => {
    const items = await list(user, user.id)
    for (const { id } of [problem, other]) {
      const expected = items.filter(({ problem_id }) => problem_id === id)
      expect(expected.length).toBeGreaterThan(1)
      for (const caller of [user, admin]) expect(await listOf(id, caller)).toEqual(expected)
    }
  })

  it('are refused for unknown users (404)', async () => {
    await list(admin, NOBODY, notFound('user'))
    await listOf(problem.id, admin, NOBODY, notFound('user or problem'))
  })

  it('are refused for a problem that the user may not see, unless the user has submitted to it (404)', async () => {
    expect(await listOf((await judging.createProblem()).id, user)).toEqual([])
    const hidden = await judging.createProblem({ public: false })
    for (const id of [NO_PROBLEM, hidden.id]) await listOf(id, user, user.id, notFound('user or problem'))
    expect(await listOf(hidden.id, admin)).toEqual([])
    const tried = await judging.createProblem()
    const id = await submit(stranger, { problem_id: tried.id })
    await admin.put(`/v1/admin/problems/${tried.id}/toggle-visibility`)
    expect(idsOf(await listOf(tried.id, stranger, stranger.id))).toEqual([id])
  })
})

async function createTeam(eventId: number, creator: Person, ...others: Person[]): Promise<string> {
  const url = `/v1/events/${eventId}/teams`
  const { team_id } = await creator.post(url, { name: `Team of ${creator.name}` }, 201)
  for (const person of others) await person.post(`${url}/${team_id}/join`, undefined, 201)
  return team_id
}

const createTeamContest = (fields = {}) =>
  createContest(judging, [{ problem_id: problem.id }], { teams: true, ...fields })

describe('the list of a contest’s submissions', async () => {
  const create = () => service.createPerson()
  const [owner, alice, bob] = [await create(), await create(), await create()]
  const [carol, registered] = [await create(), await create()]
  const event = await createTeamContest({ user_id: owner.id })
  const team = await createTeam(event, alice, bob)
  await createTeam(event, carol)
  await register(judging, event, registered)
  const submitted: { readonly id: string; readonly by: Person }[] = []
  for (const by of [alice, bob, carol, alice, owner, admin])
    submitted.unshift({ id: await submit(by, { event_id: event }), by })
  for (const { id } of submitted.slice(3)) await judging.giveVerdict(id, verdict)
  const otherEvent = await createTeamContest()
  for (const by of [alice, bob, owner]) {
    await submit(by)
    await submit(by, { event_id: otherEvent })
  }

  const list = (caller: Caller, query = '', expected?: Expected, eventId = event): Promise<Item[]> =>
    caller.get(`/v1/events/${eventId}/submissions${query}`, expected)
  const submittedBy = (...people: Person[]) => submitted.filter(({ by }) => people.includes(by))

  async function expectListed(query: string, readers: Caller[], others: Caller[], expected = submitted) {
    for (const caller of readers) expect(idsOf(await list(caller, query))).toEqual(idsOf(expected))
    for (const caller of others) await list(caller, query, forbidden)
  }

  it('is complete, newest first, for the owner, judges and admins only (else 403) [GET /v1/events/{id}/submissions] [Filter: none]', async () => {
    await expectListed('', [owner, judge, admin], [alice, registered, stranger])
    await list(alice, '?limit=1', forbidden)
  })

  it('can be limited to one user, by that user and admins (else 403) [Filter: user]', async () => {
    for (const id of [alice.id, alice.id.toUpperCase()]) {
      const others = [bob, owner, judge, stranger, carol]
      await expectListed(`?user=${id}`, [alice, admin], others, submittedBy(alice))
    }
    await expectListed(`?user=${NOBODY}`, [admin], [bob, owner, judge, stranger, carol], [])
    await expectListed(`?user=${stranger.id}`, [stranger], [], [])
  })

  it('can be limited to one team, by its members, judges and admins (else 403), also from before a member joined [Filter: team]', async () => {
    for (const id of [team, team.toUpperCase()]) {
      const others = [carol, owner, registered, stranger]
      await expectListed(`?team=${id}`, [alice, bob, judge, admin], others, submittedBy(alice, bob))
    }
    const contest = await createTeamContest()
    const id = await submit(stranger, { event_id: contest })
    const joined = await createTeam(contest, alice, stranger)
    expect(idsOf(await list(alice, `?team=${joined}`, 200, contest))).toEqual([id])
  })

  it('has the program and its outputs only in the caller’s own submissions, for every role [Filter: redaction]', async () => {
    const cases: [caller: Caller, query: string, own: Person | undefined][] = [
      [judge, '', undefined],
      [admin, '', admin],
      [owner, '', owner],
      [alice, `?user=${alice.id}`, alice],
      [admin, `?user=${alice.id}`, undefined],
      [judge, `?team=${team}`, undefined],
      [admin, `?team=${team}`, undefined],
      [alice, `?team=${team}`, alice],
      [bob, `?team=${team}`, bob],
    ]
    for (const [caller, query, own] of cases) {
      const items = await list(caller, query)
      expect(items.length).toBeGreaterThan(1)
      for (const item of items) {
        const isOwn = submitted.some(({ id, by }) => id === item.id && by === own)
        expect(item, query).toEqual(await readItem(item.id, !isOwn))
        expect(withheld.filter((name) => name in item)).toEqual(isOwn ? withheld : [])
        expect(item.event_id).toBe(event)
      }
    }
    const [, oldestOfAlice] = await list(admin, `?user=${alice.id}`)
    const { stdout, stderr, ...shown } = verdict
    expect(oldestOfAlice).toMatchObject(shown)
  })

  it('refuses two filters and teams of a contest without teams (400), and unknown teams and events (404)', async () => {
    const teamless = await createContest(judging, [], { teams: false })
    const foreign = await createTeam(otherEvent, alice)
    const deleted = await createTeamContest()
    const deletedTeam = await createTeam(deleted, alice)
    await admin.delete(`/v1/events/${deleted}`)
    const unknownTeams = [`?team=${foreign}`, `?team=${NOBODY}`]
    const refusals: [callers: Caller[], event: number, queries: string[], expected: Expected][] = [
      [[admin, alice, stranger], event, [`?user=${alice.id}&team=${team}`], invalid],
      [[admin, judge, alice], teamless, [`?team=${team}`, `?team=${NOBODY}`], invalidField('team')],
      [[admin, judge, alice, stranger], event, unknownTeams, notFound('team in the event')],
      [[admin], deleted, ['', `?user=${alice.id}`, `?team=${deletedTeam}`], notFound('event')],
      [[admin], NO_EVENT, ['', `?user=${alice.id}`, `?team=${deletedTeam}`], notFound('event')],
    ]
    for (const [callers, eventId, queries, expected] of refusals)
      for (const caller of callers) for (const query of queries) await list(caller, query, expected, eventId)
  })
})
