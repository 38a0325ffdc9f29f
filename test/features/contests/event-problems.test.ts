import { describe, expect, it } from 'vitest'
import type { Caller, Expected } from '../../support/caller.ts'
import { over, running, scheduled, serviceWithContests, setTimes } from '../../support/contests.ts'
import type { Problem } from '../../support/judging.ts'
import { notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createProblem } = contests
const { judge } = service
const owner = await service.createPerson()
const participant = await service.createPerson()

const contestLimits = { accept_timeout: 7.5, execution_timeout: 2.5, memory_limit: 512 }
const ownLimits = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }

async function createFullEvent(when: Record<string, unknown>) {
  const open = await createProblem({ title: 'Open' })
  const closed = await createProblem({ title: 'Closed', public: false })
  const hidden = [await createProblem(), await createProblem({ public: false })]
  const problems = [
    { problem_id: open.id, ...contestLimits },
    { problem_id: closed.id },
    ...hidden.map(({ id }) => ({ problem_id: id, hidden: true })),
  ]
  const id = await createEvent({ ...when, user_id: owner.id, problems })
  await contests.register(participant, id)
  const url = `/v1/events/${id}/problems`
  const ids = await contests.eventProblemIds(id)
  return { id, open, closed, hidden, url, urlOf: (of: Problem) => `${url}/${ids.get(of.id)}`, ids }
}

type FullEvent = Awaited<ReturnType<typeof createFullEvent>>

const identify = ({ id, ids, hidden }: FullEvent, of: Problem) => ({
  ...{ id: ids.get(of.id), event_id: id, problem_id: of.id, hidden: hidden.includes(of) },
})

/** Returns the item of the list for callers who may not read the problem. */
async function brief(event: FullEvent, of: Problem) {
  const { upload_date, updated_at } = await judge.get(`/v1/problems/${of.id}`)
  const texts = { title: of.title, prompt: '', difficulty: 'EASY' }
  return { ...identify(event, of), problem: { id: of.id, ...texts, upload_date, updated_at } }
}

/** Returns the item for callers who may read the problem: all limits are the event's. */
async function complete(event: FullEvent, of: Problem) {
  const { test_cases, ...whole } = await judge.get(`/v1/problems/${of.id}`)
  expect(test_cases).toHaveLength(2)
  const limits = of === event.open ? contestLimits : ownLimits
  return { ...identify(event, of), ...limits, problem: { ...whole, ...limits } }
}

const notInEvent = notFound('problem in the event')
const notStarted = refusal(403, 'EVENT_NOT_STARTED', 'The event has not started yet')

describe.each([
  ['before the start', scheduled, false],
  ['during the contest', running, true],
  ['after the end', over, true],
])('%s', (_, when, hasStarted) => {
  it('lists complete problems to callers who may read them, else titles, difficulties and dates with an empty prompt (D19, D33) [GET /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    const event = await createFullEvent(when())
    const { url, open, closed, hidden } = event
    const all = await Promise.all([open, closed, ...hidden].map((one) => complete(event, one)))
    const [completeOpen, completeClosed] = all
    const briefs = [await brief(event, open), await brief(event, closed)]
    for (const caller of [admin, judge, owner]) expect(await caller.get(url)).toEqual(all)
    expect(await participant.get(url)).toEqual(hasStarted ? [completeOpen, completeClosed] : briefs)
    expect(await stranger.get(url)).toEqual(hasStarted ? [completeOpen, briefs[1]] : briefs)
  })

  it('shows a problem with its public test cases; users get 403 before the start, and 404 if they may not see it or under another event (D33) [GET /v1/events/{id}/problems/{event_problem_id}] [Fields: EventProblem] [Fields: TestCase] [Error: 403] [Error: 404]', async () => {
    const event = await createFullEvent(when())
    const { urlOf, open, closed, hidden } = event
    const elsewhere = `/v1/events/${await createEvent()}/problems/${event.ids.get(open.id)}`
    for (const caller of [admin, participant]) await caller.get(elsewhere, notInEvent)
    const withCases = async (of: Problem) => {
      const item = await complete(event, of)
      const shown = { id: of.cases[0], problem_id: of.id, input: '1', expected_output: '42', hidden: false }
      return { ...item, problem: { ...item.problem, test_cases: [shown] } }
    }
    const [openWithCases, closedWithCases] = [await withCases(open), await withCases(closed)]
    for (const caller of hasStarted ? [admin, judge, owner, participant] : [admin, judge, owner]) {
      expect(await caller.get(urlOf(open))).toEqual(openWithCases)
      expect(await caller.get(urlOf(closed))).toEqual(closedWithCases)
    }
    for (const one of hidden) {
      for (const caller of [admin, judge, owner])
        expect(await caller.get(urlOf(one))).toMatchObject({ hidden: true })
      for (const caller of [stranger, participant]) await caller.get(urlOf(one), notInEvent)
    }
    if (hasStarted) {
      expect(await stranger.get(urlOf(open))).toEqual(openWithCases)
      await stranger.get(urlOf(closed), notInEvent)
    } else {
      for (const caller of [stranger, participant])
        for (const one of [open, closed]) await caller.get(urlOf(one), notStarted)
    }
  })
})

it('a problem of an event is neither shown nor counted after its deletion', async () => {
  const event = await createFullEvent(running())
  await admin.delete(`/v1/problems/${event.open.id}`)
  for (const caller of [admin, judge, owner, participant, stranger]) {
    const listed: { problem_id: number }[] = await caller.get(event.url)
    expect(listed.map(({ problem_id }) => problem_id)).not.toContain(event.open.id)
    await caller.get(event.urlOf(event.open), notInEvent)
  }
  const url = `/v1/events/${event.id}`
  const full = await admin.get(url)
  expect(full).toMatchObject({ problem_count: 3, problems: [{}, {}, {}] })
  expect(JSON.stringify(full)).not.toContain('"Open"')
  const shown = { problem_count: 1, problems: [{ id: event.closed.id }] }
  expect(await participant.get(`/v1/public/events/${event.id}`)).toMatchObject(shown)
  const listed = await participant.get('/v1/public/events')
  expect(listed.find(({ id }: { id: number }) => id === event.id)).toMatchObject({ problem_count: 1 })
  expect(await admin.put(url, { teams: true })).toMatchObject({ problem_count: 3 })
  expect(await admin.post(`${url}/end`)).toMatchObject({ problem_count: 3 })
})

const add = (by: Caller, eventId: number, { id }: Problem, expected: Expected = 201) =>
  by.post(`/v1/events/${eventId}/problems`, { problem_id: id }, expected)

const listProblemIds = async (eventId: number) => [...(await contests.eventProblemIds(eventId)).keys()]

describe('adding a problem to an event', () => {
  it('returns the new event problem, visible and with its own limits; every caller may add a public problem, before the start too [POST /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    for (const when of [running(), scheduled()]) {
      const eventId = await createEvent(when)
      const identity = { event_id: eventId, hidden: false }
      for (const caller of [stranger, user, judge, admin]) {
        const { id: problem_id, ...next } = await createProblem()
        const added = await add(caller, eventId, { id: problem_id, ...next })
        expect(added).toEqual({ id: expect.any(Number), ...identity, problem_id })
        const read = await admin.get(`/v1/events/${eventId}/problems/${added.id}`)
        expect(read).toMatchObject({ ...added, ...ownLimits, problem: { id: problem_id } })
      }
    }
  })

  it('is allowed to admins, judges and the author if the problem is private; others get 404, also the event’s owner and who knows it from another contest (D33), as for a deleted one; the second time it is refused, for hidden problems too (409) [POST /v1/events/{id}/problems] [Error: 404] [Error: 409]', async () => {
    const [known, deleted] = [await createProblem({ public: false }), await createProblem()]
    await contests.register(user, await createEvent({ problems: [{ problem_id: known.id }] }))
    await user.get(`/v1/problems/${known.id}`, 200)
    await admin.delete(`/v1/problems/${deleted.id}`)
    const hidden = await createProblem()
    const eventId = await createEvent({ problems: [{ problem_id: hidden.id, hidden: true }] })
    await add(user, eventId, known, notFound('problem'))
    await add(admin, eventId, deleted, notFound('problem'))
    await add(user, eventId, problem)
    const refused = refusal(409, 'ALREADY_IN_EVENT', 'The problem is in the event already')
    for (const caller of [user, admin])
      for (const again of [problem, hidden]) await add(caller, eventId, again, refused)
    expect(await listProblemIds(eventId)).toEqual([hidden.id, problem.id])
    const closed = await createProblem({ public: false, user_id: user.id })
    const owned = await createEvent({ user_id: stranger.id })
    await add(stranger, owned, closed, notFound('problem'))
    expect(await listProblemIds(owned)).toEqual([])
    for (const caller of [user, judge, admin]) await add(caller, await createEvent(), closed)
  })
})

const author = await service.createPerson()
const [category] = await admin.get('/v1/categories')

const createPrivate = () => createProblem({ public: false, user_id: author.id, category_ids: [category.id] })

async function joinEventWith({ id }: Problem, when: Record<string, unknown>, hidden = false) {
  const eventId = await createEvent({ ...when, problems: [{ problem_id: id, hidden }] })
  await contests.register(user, eventId)
  return eventId
}

async function expectReadable(caller: Caller, { id }: Problem): Promise<void> {
  expect(await caller.get(`/v1/problems/${id}`)).toMatchObject({ id, public: false, categories: [category] })
  expect(await caller.get(`/v1/categories/${id}`)).toEqual([category])
}

async function expectUnreadable(caller: Caller, { id }: Problem): Promise<void> {
  for (const path of ['problems', 'categories']) await caller.get(`/v1/${path}/${id}`, notFound('problem'))
}

describe('a private problem, read by itself (D19)', () => {
  it.each([
    ['readable in a running contest', running, false, expectReadable],
    ['readable in an ended contest', over, false, expectReadable],
    ['readable in an ended contest, if a running one hides it', over, true, expectReadable],
    ['not found in a scheduled contest', scheduled, false, expectUnreadable],
    ['not found in a scheduled contest, if a running one hides it', scheduled, true, expectUnreadable],
  ])('is, for participants, %s [GET /v1/problems/{problem_id}]', async (_, when, isHidden, expectAccess) => {
    const closed = await createPrivate()
    if (isHidden) await joinEventWith(closed, running(), true)
    await expectUnreadable(user, closed)
    await joinEventWith(closed, when())
    await expectAccess(user, closed)
  })

  it('is readable for participants from the start of a contest until its deletion, not if it was ended before', async () => {
    const closed = await createPrivate()
    const eventId = await joinEventWith(closed, scheduled())
    await admin.put(`/v1/events/${eventId}`, { start_time: running().start_time })
    await expectReadable(user, closed)
    await contests.deleteEvent(eventId)
    await expectUnreadable(user, closed)
    const cancelled = await joinEventWith(closed, scheduled())
    await admin.post(`/v1/events/${cancelled}/end`)
    await setTimes(contests, cancelled, -10, -20)
    await expectUnreadable(user, closed)
    await joinEventWith(closed, running())
    await expectReadable(user, closed)
    await admin.delete(`/v1/problems/${closed.id}`)
    await expectUnreadable(user, closed)
  })

  it('is readable for its author, admins, judges and participants, and for nobody else outside its contests; participants see hidden test cases blank, and not the problem in their list [GET /v1/problems]', async () => {
    const closed = await createPrivate()
    for (const when of [running(), over()]) await joinEventWith(closed, when)
    const elsewhere = await contests.createParticipant(await createEvent())
    for (const caller of [author, admin, judge]) await expectReadable(caller, closed)
    for (const caller of [stranger, elsewhere]) await expectUnreadable(caller, closed)
    const { test_cases } = await user.get(`/v1/problems/${closed.id}`)
    expect(test_cases).toMatchObject([
      { input: '1', expected_output: '42', hidden: false },
      { input: '', expected_output: '', hidden: true },
    ])
    const listed = async (by: Caller) => (await by.get('/v1/problems')).map(({ id }: Problem) => id)
    expect(await listed(user)).not.toContain(closed.id)
    expect(await listed(author)).toContain(closed.id)
  })
})
