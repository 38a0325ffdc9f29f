import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { isoIn, serviceWithContests } from '../../support/contests.ts'
import { databaseKind } from '../../support/database.ts'
import { NO_PROBLEM } from '../../support/ids.ts'
import { type Problem, submissionBody } from '../../support/judging.ts'
import { allow, describeRaces } from '../../support/races.ts'
import { forbidden, invalidField, notFound, refusal } from '../../support/refusals.ts'
import { storeSubmission } from '../../support/standings.ts'
import { recountStandings } from '../../support/verification/standings.ts'

const contests = await serviceWithContests()
const { admin, user, problem, language, service, createEvent, createProblem } = contests
const [owner, helper] = [await service.createPerson(), await service.createPerson()]
const others = [await createProblem(), await createProblem({ public: false })]

const hasSubmissions = refusal(409, 'PROBLEM_HAS_SUBMISSIONS')
const notInEvent = notFound('problem in the event')

const createEmpty = (fields: object = {}) => createEvent({ user_id: owner.id, staff: [helper.id], ...fields })

async function createContest(fields: object = {}) {
  const problems = [problem, ...others].map((one) => ({ problem_id: one.id }))
  const id = await createEmpty({ problems, ...fields })
  const ids = await contests.eventProblemIds(id)
  const url = `/v1/events/${id}`
  return { id, url, urlOf: (of: Problem) => `${url}/problems/${ids.get(of.id)}` }
}

const submitTo = (by: Person, event_id: number) => () =>
  by.send('POST', '/v1/submissions', { ...submissionBody(by, problem, language), event_id })

describe('a problem of a contest (P20)', () => {
  it('gets a label, a colour, a position and limits from staff, which every view shows; null removes one of them', async () => {
    const { id, url, urlOf } = await createContest()
    const settings = { label: 'A', color: '#d00', position: 3 }
    const limits = { accept_timeout: 7.5, execution_timeout: 2.5, memory_limit: 512 }
    const changed = await helper.put(urlOf(problem), { ...settings, label: ' A ', ...limits, hidden: false })
    expect(changed).toEqual({
      ...{ id: expect.any(Number), event_id: id, problem_id: problem.id, hidden: false },
      ...{ ...settings, ...limits },
    })
    expect(await contests.register(user, id)).toBe(undefined)
    const shown = { ...changed, problem: expect.objectContaining({ id: problem.id, ...limits }) }
    expect(await user.get(urlOf(problem))).toEqual(shown)
    expect(await user.get(`${url}/problems`)).toContainEqual(shown)
    expect((await admin.get(url)).problems).toContainEqual(shown)
    const { color, ...kept } = changed
    expect(await owner.put(urlOf(problem), { color: null })).toEqual(kept)
    const bare = await owner.put(urlOf(problem), { label: null, position: null, memory_limit: null })
    const { label, position, ...rest } = kept
    expect(bare).toEqual({ ...rest, memory_limit: 64 })
  })

  it('is listed by its position; problems without one follow in the order of their ids', async () => {
    const { url, urlOf } = await createContest()
    const [second, third] = others as [Problem, Problem]
    await admin.put(urlOf(third), { position: 1 })
    await admin.put(urlOf(second), { position: 1_000_000 })
    const expected = [third.id, second.id, problem.id]
    const whole = expected.map((problem_id) => ({ problem_id }))
    expect(await admin.get(`${url}/problems`)).toMatchObject(whole)
    expect((await admin.get(url)).problems).toMatchObject(whole)
    expect((await admin.get(`/v1/public${url.slice(3)}`)).problems).toEqual(expected.map((id) => ({ id })))
    const paged: number[] = []
    for (let page: string | undefined = `${url}/problems?limit=1`; page !== undefined; ) {
      const { body, headers } = await admin.send('GET', page)
      paged.push(body[0].problem_id)
      page = /<([^>]+)>/.exec(headers.link ?? '')?.[1]
    }
    expect(paged).toEqual(expected)
  })

  it('disappears for users when it is hidden, also from lists that they keep by entity tag', async () => {
    const { id, url, urlOf } = await createContest()
    await contests.register(user, id)
    await submitTo(user, id)()
    for (const list of ['problems', 'attempts', 'problems_stats']) {
      const path = `${url}/${list}`
      const shown = await user.send('GET', path)
      const again = () => user.send('GET', path, undefined, { 'if-none-match': shown.headers.etag ?? '' })
      expect(await again()).toMatchObject({ status: 304 })
      await helper.put(urlOf(problem), { hidden: true })
      const hidden = await again()
      expect([hidden.status, hidden.text.includes(`"problem_id" : ${problem.id}`)]).toEqual([200, false])
      await helper.put(urlOf(problem), { hidden: false })
      expect((await user.send('GET', path)).body).toEqual(shown.body)
    }
    await helper.put(urlOf(problem), { hidden: true })
    await user.get(urlOf(problem), notInEvent)
  })

  it('is removed by staff; without force only if it has no submissions in the contest', async () => {
    const { id, url, urlOf } = await createContest()
    const [second] = others as [Problem]
    await helper.delete(urlOf(second), 204)
    await admin.get(urlOf(second), notInEvent)
    await helper.delete(urlOf(second), notInEvent)
    const { body } = await submitTo(user, id)()
    await contests.giveVerdict(body.id, { status: 'ACCEPTED' })
    const scores = await admin.get(`${url}/attempts`)
    expect(scores).toEqual([expect.objectContaining({ user_id: user.id, attempts: 1 })])
    await helper.delete(urlOf(problem), hasSubmissions)
    await helper.delete(`${urlOf(problem)}?force=false`, hasSubmissions)
    await helper.delete(`${urlOf(problem)}?force=1`, 400)
    expect(await admin.get(`${url}/attempts`)).toEqual(scores)
    await helper.delete(`${urlOf(problem)}?force=true`, 204)
    expect(await admin.get(`${url}/attempts`)).toEqual([])
    expect(await user.get(`/v1/submissions/${body.id}`)).toMatchObject({ status: 'ACCEPTED', event_id: id })
    expect(await admin.get(`${url}/submissions`)).toHaveLength(1)
    expect(await submitTo(user, id)()).toMatchObject({ status: 400 })
    const again = { problem_id: problem.id }
    await user.post(`${url}/problems`, again, forbidden)
    await helper.post(`${url}/problems`, again, 201)
    await user.post(`${url}/problems`, again, refusal(409, 'ALREADY_IN_EVENT'))
    expect(await admin.get(`${url}/attempts`)).toEqual(scores)
  })

  it('is changed by staff only (403); judges are not staff', async () => {
    const { id, url, urlOf } = await createContest()
    const path = urlOf(problem)
    await contests.register(user, id)
    const before = await admin.get(`${url}/problems`)
    for (const caller of [user, service.judge]) {
      await caller.put(path, { label: 'X' }, forbidden)
      await caller.delete(`${path}?force=true`, forbidden)
      await caller.put(`${url}/problems/${NO_PROBLEM}`, { label: 'X' }, forbidden)
    }
    expect(await admin.get(`${url}/problems`)).toEqual(before)
    for (const [n, caller] of [admin, owner, helper].entries())
      expect(await caller.put(path, { label: `${n}` })).toMatchObject({ label: `${n}` })
    await admin.put(url, { staff: null })
    await helper.put(path, { label: 'X' }, forbidden)
  })

  it('is not found in another event and after its deletion (404)', async () => {
    const [one, two] = [await createContest(), await createContest()]
    const lost = one.urlOf(problem).replace(one.url, two.url)
    await owner.put(lost, { label: 'X' }, notInEvent)
    await owner.delete(lost, notInEvent)
    const gone = await createProblem()
    await admin.post(`${one.url}/problems`, { problem_id: gone.id }, 201)
    const path = `${one.url}/problems/${(await contests.eventProblemIds(one.id)).get(gone.id)}`
    await admin.delete(`/v1/problems/${gone.id}`, 204)
    await owner.put(path, { label: 'X' }, notInEvent)
    await owner.delete(path, notInEvent)
  })

  it('and one that is added have no invalid settings (400)', async () => {
    for (const [field, values] of Object.entries({
      label: [' ', '', '12345678901', 1],
      color: ['', '#', '# d00', 'url(x)', 'a'.repeat(31), '<b>', 1],
      position: [-1, 1_000_001, 1.5, '1'],
      accept_timeout: [0, 86_401, 'x'],
      execution_timeout: [86_401],
      memory_limit: [0, 1.5, 1_048_577],
      hidden: [null],
    })) {
      for (const value of values) {
        await admin.put('/v1/events/1/problems/1', { [field]: value }, invalidField(field))
        await admin.post('/v1/events/1/problems', { problem_id: 1, [field]: value }, invalidField(field))
      }
    }
  })
})

const listChanges = unprepared<{ for_jury: boolean }>(
  `select changes.for_jury from changes
   where changes.kind = 'problem' and changes.event_id = $1 and changes.object_id = $2`,
)

describe('a problem that staff adds with settings (P20)', () => {
  const settings = { label: 'B', color: '#d00', position: 3, memory_limit: 512 }
  const problemsOf = (eventId: number) => `/v1/events/${eventId}/problems`
  const add = (eventId: number, fields: object, by = helper, expected: Expected = 201) =>
    by.post(problemsOf(eventId), { problem_id: problem.id, ...fields }, expected)

  it('has them at once, as after a PUT, and keeps them if it is added again (409)', async () => {
    const [one, two] = [await createEmpty(), await createEmpty()]
    await contests.register(user, one)
    const sent = { ...settings, label: ' B ', execution_timeout: 2.5, accept_timeout: null }
    const { id } = await add(one, sent)
    await add(one, { label: 'X', hidden: true }, helper, refusal(409, 'ALREADY_IN_EVENT'))
    const identity = { event_id: one, problem_id: problem.id, hidden: false }
    const shown = await user.get(`${problemsOf(one)}/${id}`)
    expect(shown).toMatchObject({ ...identity, ...settings, execution_timeout: 2.5 })
    const { id: other } = await add(two, {})
    await helper.put(`${problemsOf(two)}/${other}`, sent)
    expect(await user.get(`${problemsOf(two)}/${other}`)).toEqual({ ...shown, id: other, event_id: two })
  })

  it('is never visible if it is hidden: only the jury may know of its one change', async () => {
    const eventId = await createEmpty()
    await contests.register(user, eventId)
    const list = await user.send('GET', problemsOf(eventId))
    const added = await add(eventId, { hidden: true })
    expect(added).toMatchObject({ event_id: eventId, problem_id: problem.id, hidden: true })
    expect((await user.send('GET', problemsOf(eventId))).body).toEqual(list.body)
    await user.get(`${problemsOf(eventId)}/${added.id}`, notInEvent)
    expect(await admin.get(problemsOf(eventId))).toMatchObject([{ id: added.id, hidden: true }])
    const changes = await service.database.query(listChanges, [eventId, String(problem.id)])
    expect(changes).toEqual([{ for_jury: true }])
  })

  it('is not added if others send a setting (403), who may add it without any, or if staff may not see it (404)', async () => {
    const eventId = await createEmpty()
    for (const caller of [user, { ...user, ...service.judge }])
      for (const fields of [{ hidden: true }, { hidden: false }, { label: null }])
        await add(eventId, fields, caller, forbidden)
    const { id: unseen } = await createProblem({ public: false })
    await add(eventId, { problem_id: unseen, ...settings }, helper, notFound('problem'))
    expect(await admin.get(problemsOf(eventId))).toEqual([])
    await add(eventId, { nothing: 'of these' }, user)
    for (const staff of [owner, admin]) await add(await createEmpty(), settings, staff)
  })
})

/** Creates a contest that ended an hour ago, with a submission before and one after its freeze. */
async function createFrozen() {
  const times = { start_time: isoIn(-180), freeze_time: isoIn(-120), end_time: isoIn(-60) }
  const contest = await createContest(times)
  await admin.post(`${contest.url}/participants`, { user_id: user.id }, 201)
  for (const [minute, status] of [
    [30, 'WRONG_ANSWER'],
    [90, 'ACCEPTED'],
    [150, 'ACCEPTED'],
  ] as const) {
    const submitted = { id: uuidv7(), user_id: user.id, problem_id: problem.id, minute, status }
    await storeSubmission(service, contest.id, submitted)
  }
  return contest
}

it('a problem that is removed and added again is frozen again, where a thaw had revealed it (P23)', async () => {
  const { url, urlOf } = await createFrozen()
  const step = (query: string, expected?: Expected) => admin.post(`${url}/thaw?${query}`, undefined, expected)
  expect(await step('next=true')).toMatchObject({ steps_left: 1, revealed: { problem_id: problem.id } })
  await admin.delete(`${urlOf(problem)}?force=true`, 204)
  await step('undo=true', refusal(409, 'NOTHING_REVEALED'))
  await admin.post(`${url}/problems`, { problem_id: problem.id }, 201)
  expect((await user.get(`${url}/standings`)).rows).toMatchObject([{ solved: 0, cells: [{ pending: 1 }] }])
  expect(await step('next=true')).toMatchObject({ steps_left: 1, revealed: { problem_id: problem.id } })
})

describeRaces('a problem that is added again', databaseKind === 'postgres' ? 12 : 3, {
  'counts as a recount finds it, whatever changes in the contest meanwhile': async (round) => {
    const { id, url, urlOf } = await createFrozen()
    await admin.delete(`${urlOf(problem)}?force=true`, 204)
    const changes = [
      { end_time: isoIn(round % 2 === 0 ? -20 : 60) },
      { freeze_time: round % 3 === 0 ? null : isoIn(-170) },
      { scoring: 'points' },
    ]
    const sends = changes.map((change) => allow(() => admin.send('PUT', url, change), '200'))
    const add = allow(() => helper.send('POST', `${url}/problems`, { problem_id: problem.id }), '201')
    return {
      contenders: sends.toSpliced(round % 4, 0, add),
      async holds() {
        for (const caller of [admin, user]) {
          const { rows } = await caller.get(`${url}/standings`)
          const view = { by: 'user', isLive: caller === admin } as const
          expect(rows).toEqual(await recountStandings(service.database, id, view))
        }
      },
    }
  },
})

describeRaces('a problem that is removed', databaseKind === 'postgres' ? 12 : 3, {
  'has no submission in the contest, or is kept because of one': async () => {
    const { id, url, urlOf } = await createContest()
    const people = await Promise.all([1, 2, 3].map(() => service.createPerson()))
    return {
      contenders: [
        ...people.slice(0, 1).map((by) => allow(submitTo(by, id), '201', '400 400')),
        allow(() => helper.send('DELETE', urlOf(problem)), '204', '409 PROBLEM_HAS_SUBMISSIONS'),
        ...people.slice(1).map((by) => allow(submitTo(by, id), '201', '400 400')),
      ],
      async holds(responses) {
        const isRemoved = responses.some(({ status }) => status === 204)
        expect(await admin.get(`${url}/submissions`)).toHaveLength(isRemoved ? 0 : 3)
      },
    }
  },
})
