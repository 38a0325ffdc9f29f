import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Expected } from '../support/caller.ts'
import { serviceWithContests } from '../support/contests.ts'
import { forbidden, invalidField, notFound, refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createProblem } = contests
const [owner, helper] = [await service.createPerson(), await service.createPerson()]

const shown = { label: 'B', color: '#d00', position: 3 }
const limits = { accept_timeout: 7.5, execution_timeout: 2.5, memory_limit: 512 }

const createContest = () => createEvent({ user_id: owner.id, staff: [helper.id] })
const problemsOf = (eventId: number) => `/v1/events/${eventId}/problems`
const add = (eventId: number, settings: object, by = helper, expected: Expected = 201) =>
  by.post(problemsOf(eventId), { problem_id: problem.id, ...settings }, expected)

const listChanges = unprepared<{ for_jury: boolean }>(
  `select changes.for_jury from changes
   where changes.kind = 'problem' and changes.event_id = $1 and changes.object_id = $2`,
)

describe('a problem that staff adds with settings (P20)', () => {
  it('has them at once, without spaces around the label, and keeps them if it is added again (409)', async () => {
    const eventId = await createContest()
    await contests.register(user, eventId)
    const { id } = await add(eventId, { ...shown, label: ' B ', ...limits })
    const expected = { id, event_id: eventId, problem_id: problem.id, hidden: false, ...shown, ...limits }
    expect(await user.get(`${problemsOf(eventId)}/${id}`)).toMatchObject(expected)
    await add(eventId, { label: 'X', hidden: true }, helper, refusal(409, 'ALREADY_IN_EVENT'))
    expect(await user.get(`${problemsOf(eventId)}/${id}`)).toMatchObject(expected)
  })

  it('is the same as one that gets them from a later PUT', async () => {
    const [one, two] = [await createContest(), await createContest()]
    const settings = { label: 'B', color: null, position: 0, memory_limit: null, hidden: true }
    await add(one, settings)
    const { id } = await add(two, {})
    await helper.put(`${problemsOf(two)}/${id}`, settings)
    const read = async (eventId: number) => {
      const [{ id: _, event_id: __, ...listed }] = await admin.get(problemsOf(eventId))
      return listed
    }
    expect(await read(one)).toEqual(await read(two))
  })

  it('is never visible if it is hidden: only the jury may know of its one change', async () => {
    const eventId = await createContest()
    await contests.register(user, eventId)
    const list = await user.send('GET', problemsOf(eventId))
    const added = await add(eventId, { hidden: true })
    expect(added).toMatchObject({ event_id: eventId, problem_id: problem.id, hidden: true })
    expect((await user.send('GET', problemsOf(eventId))).body).toEqual(list.body)
    await user.get(`${problemsOf(eventId)}/${added.id}`, notFound('problem in the event'))
    expect(await admin.get(problemsOf(eventId))).toMatchObject([{ id: added.id, hidden: true }])
    const changes = await service.database.query(listChanges, [eventId, String(problem.id)])
    expect(changes).toEqual([{ for_jury: true }])
  })

  it.each([
    ['label', ' '],
    ['color', 'url(x)'],
    ['position', -1],
    ['accept_timeout', 0],
    ['execution_timeout', 86_401],
    ['memory_limit', 1.5],
    ['hidden', null],
  ])('is not added with an invalid %s: %j', async (field, value) => {
    const eventId = await createContest()
    await add(eventId, { ...shown, [field]: value }, helper, invalidField(field))
    expect(await admin.get(problemsOf(eventId))).toEqual([])
  })

  it('is not added if somebody else sends a setting (403); without settings all may add it', async () => {
    const eventId = await createContest()
    const judge = { ...user, ...service.judge }
    for (const caller of [user, stranger, judge])
      for (const settings of [{ hidden: true }, { hidden: false }, { label: null }])
        await add(eventId, settings, caller, forbidden)
    expect(await admin.get(problemsOf(eventId))).toEqual([])
    await add(eventId, { nothing: 'of these' }, stranger)
    for (const staff of [owner, admin]) await add(await createContest(), shown, staff)
  })

  it('gets 404 in a deleted contest, and if staff may not see it', async () => {
    const eventId = await createContest()
    await contests.deleteEvent(eventId)
    await add(eventId, shown, helper, notFound('event'))
    const unseen = await createProblem({ public: false })
    const body = { problem_id: unseen.id, ...shown }
    await helper.post(problemsOf(await createContest()), body, notFound('problem'))
  })
})
