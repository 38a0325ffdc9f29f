import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { over, serviceWithContests, setTimes } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'
import { expectRefused } from '../../support/judging.ts'
import { forbidden, invalid, notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createProblem, submit } = contests
const { judge, createPerson } = service
const owner = await createPerson()
const manager = await createPerson()

const barred = refusal(403, 'NOT_A_PARTICIPANT')
const notActive = refusal(403, 'EVENT_NOT_ACTIVE')

const createEvent = (fields: object = {}) =>
  contests.createEvent({
    ...{ teams: true, user_id: owner.id, staff: [manager.id], problems: [{ problem_id: problem.id }] },
    ...fields,
  })
const urlOf = (eventId: number) => `/v1/events/${eventId}`
const pathOf = (eventId: number, { id }: { readonly id: string }) => `${urlOf(eventId)}/participants/${id}`
type Id = Pick<Person, 'id'>
const change = (eventId: number, person: Id, body: object, expected: Expected = 200, by = manager) =>
  by.put(pathOf(eventId, person), body, expected)
const remove = (eventId: number, person: Id, expected: Expected = 204, by = manager) =>
  by.delete(pathOf(eventId, person), expected)

async function listAs(by: Person, eventId: number): Promise<string[]> {
  const url = `/v1/public/events/${eventId}`
  const listed: Person[] = await by.get(`${url}/participants`)
  const ids = listed.map(({ id }) => id)
  const event = await by.get(url)
  expect(event.participants.map(({ id }: Person) => id)).toEqual(ids)
  expect(event.participant_count).toBe(ids.length)
  const events: { id: number; participant_count: number }[] = await by.get('/v1/public/events')
  expect(events.find(({ id }) => id === eventId)?.participant_count).toBe(ids.length)
  return ids
}

const attempts = (eventId: number) => admin.get(`${urlOf(eventId)}/attempts`)

describe('a participant whom staff removes', () => {
  it('is in no list, count, team and standings, and is back with all of them when staff adds them again', async () => {
    const eventId = await createEvent()
    const [gone, mate] = [await createPerson(), await createPerson()]
    const { team_id } = await gone.post(`${urlOf(eventId)}/teams`, { name: 'Two' })
    const team = `${urlOf(eventId)}/teams/${team_id}`
    await mate.post(`${team}/join`)
    const submission = await submit(gone, { event_id: eventId })
    await contests.giveVerdict(submission, 'ACCEPTED')
    await remove(eventId, gone)
    expect(await listAs(stranger, eventId)).toEqual([mate.id])
    expect(await listAs(manager, eventId)).toEqual([mate.id])
    expect(await contests.participantIds(eventId)).toEqual([mate.id])
    expect(await mate.get(team)).toMatchObject({ members: [{ id: mate.id }] })
    await gone.get(`${urlOf(eventId)}/teams/me`, notFound('team in the event'))
    expect(await attempts(eventId)).toEqual([])
    expect(await gone.get(`/v1/submissions/${submission}`)).toMatchObject({ status: 'ACCEPTED' })
    await remove(eventId, gone, notFound('participant'))
    await admin.post(`${urlOf(eventId)}/participants`, { user_id: gone.id }, 201)
    expect(await listAs(stranger, eventId)).toEqual([gone.id, mate.id])
    expect(await gone.get(`${urlOf(eventId)}/teams/me`)).toMatchObject({ id: team_id })
    expect(await attempts(eventId)).toMatchObject([{ user_id: gone.id, attempts: 1 }])
  })

  it('cannot register, submit, create or join a team, not even through an admin (403), until staff adds them', async () => {
    const eventId = await createEvent()
    const gone = await contests.createParticipant(eventId)
    const { team_id } = await user.post(`${urlOf(eventId)}/teams`, { name: 'Others' })
    const team = `${urlOf(eventId)}/teams/${team_id}`
    await remove(eventId, gone)
    await gone.post(`/v1/public/events/${eventId}/register`, undefined, barred)
    await gone.post(`${urlOf(eventId)}/teams`, { name: 'Gone' }, barred)
    await gone.post(`${team}/join`, undefined, barred)
    await admin.post(`${team}/join`, { user_id: gone.id }, barred)
    const submission = { event_id: eventId, user_id: gone.id }
    await expectRefused(contests, [gone, submission, barred], [admin, submission, barred])
    await change(eventId, gone, { hidden: false })
    await submit(gone, { event_id: eventId })
    await gone.post(`${team}/join`, undefined, 201)
  })

  it('is an outsider of an invited contest (404), and does not see its private problem', async () => {
    const secret = await createProblem({ public: false })
    const eventId = await createEvent({ admission: 'invited', problems: [{ problem_id: secret.id }] })
    const gone = await createPerson()
    await change(eventId, gone, { hidden: false })
    await gone.get(`/v1/problems/${secret.id}`, 200)
    await remove(eventId, gone)
    for (const path of ['problems', 'attempts', 'teams', 'questions'])
      await gone.get(`${urlOf(eventId)}/${path}`, notFound('event'))
    await gone.get(`/v1/problems/${secret.id}`, notFound('problem'))
    const closed = { participants: [], problems: [], participant_count: 0, problem_count: 0 }
    expect(await gone.get(`/v1/public/events/${eventId}`)).toMatchObject(closed)
  })

  it('gets no notifications of the contest any more, and keeps those of others', async () => {
    const [eventId, other] = [await createEvent(), await createEvent()]
    const gone = await createPerson()
    for (const id of [eventId, other]) {
      await contests.register(gone, id)
      await user.post(`${urlOf(id)}/questions`, { question: 'Before?' })
    }
    const own = await gone.post(`${urlOf(eventId)}/questions`, { question: 'Mine?' })
    await remove(eventId, gone)
    await user.post(`${urlOf(eventId)}/questions`, { question: 'After?' })
    await admin.put(`${urlOf(eventId)}/questions/${own.id}/answer`, { answer: 'Yours.' })
    expect(await gone.get('/v1/user/notifications')).toMatchObject([{ event_id: other }])
    expect(await gone.get('/v1/user/notifications/count')).toEqual({ count: 1 })
  })
})

describe('the routes for participants', () => {
  it('are for admins, the owner and the staff of the contest (403), and find its users only (404); they refuse invalid fields (400)', async () => {
    const eventId = await createEvent()
    const person = await contests.createParticipant(eventId)
    for (const by of [person, stranger]) {
      await change(eventId, person, { hidden: true }, forbidden, by)
      await remove(eventId, person, forbidden, by)
    }
    await judge.put(pathOf(eventId, person), { hidden: true }, forbidden)
    await judge.delete(pathOf(eventId, person), forbidden)
    expect(await listAs(stranger, eventId)).toEqual([person.id])
    for (const by of [owner, manager, admin]) {
      await remove(eventId, person, 204, by)
      await change(eventId, person, { hidden: false }, 200, by)
    }
    await remove(eventId, stranger, notFound('participant'))
    await change(eventId, { id: NOBODY }, { hidden: false }, notFound('user'))
    await change(2 ** 31 - 1, person, { hidden: false }, notFound('event'))
    await remove(2 ** 31 - 1, person, notFound('event'))
    for (const extra_minutes of [-1, 10_081, 0.5]) await change(eventId, person, { extra_minutes }, invalid)
    for (const body of [{}, { hidden: null }]) await change(eventId, person, body, invalid)
  })

  it('show extra minutes and hidden participants to staff only, and change what is sent', async () => {
    const eventId = await createEvent()
    const record = await contests.readUser(user)
    expect(await change(eventId, user, { hidden: false })).toEqual(record)
    expect(await change(eventId, user, { extra_minutes: 30 })).toEqual({ ...record, extra_minutes: 30 })
    const both = { ...record, extra_minutes: 30, hidden: true }
    expect(await change(eventId, user, { hidden: true })).toEqual(both)
    const list = `/v1/public/events/${eventId}/participants`
    for (const by of [admin, owner, manager]) expect(await by.get(list)).toEqual([both])
    expect(await admin.get(`${urlOf(eventId)}/participants`)).toEqual([both])
    expect(await user.get(list)).toEqual([record])
    expect(await change(eventId, user, { extra_minutes: 0 })).toEqual({ ...record, hidden: true })
    await change(eventId, user, { extra_minutes: 5 })
    expect(await change(eventId, user, { extra_minutes: null, hidden: false })).toEqual(record)
  })
})

it('lists and counts a hidden participant for staff and themselves only, and does not rank them', async () => {
  const eventId = await createEvent()
  const [tester, contestant] = [await createPerson(), await contests.createParticipant(eventId)]
  await change(eventId, tester, { hidden: true })
  for (const person of [tester, contestant]) {
    const id = await submit(person, { event_id: eventId })
    await contests.giveVerdict(id, 'ACCEPTED')
    expect(await contests.readRecord(id)).toMatchObject({ status: 'ACCEPTED' })
  }
  for (const by of [manager, owner, admin, tester])
    expect((await listAs(by, eventId)).toSorted()).toEqual([contestant.id, tester.id].toSorted())
  for (const by of [stranger, contestant]) expect(await listAs(by, eventId)).toEqual([contestant.id])
  expect(await attempts(eventId)).toMatchObject([{ user_id: contestant.id }])
  await change(eventId, tester, { hidden: false })
  expect(await attempts(eventId)).toHaveLength(2)
})

it('a hidden member of a team is in the team, and in its submissions, for staff and themselves only', async () => {
  const eventId = await createEvent()
  const [tester, mate] = [await createPerson(), await createPerson()]
  const { team_id } = await mate.post(`${urlOf(eventId)}/teams`, { name: 'With a tester' })
  const team = `${urlOf(eventId)}/teams/${team_id}`
  await tester.post(`${team}/join`)
  await change(eventId, tester, { hidden: true })
  for (const person of [mate, tester]) await submit(person, { event_id: eventId })
  const submissions = `${urlOf(eventId)}/submissions?team=${team_id}`
  const own = `${urlOf(eventId)}/teams/me`
  const expectSeen = async (by: Caller, paths: string[], isSeen: boolean) => {
    for (const path of paths) {
      const text = JSON.stringify(await by.get(path, 200))
      for (const mark of [tester.id, tester.name, tester.email]) {
        if (isSeen) expect(text, path).toContain(mark)
        else expect(text, path).not.toContain(mark)
      }
    }
  }
  await expectSeen(tester, [team, own, submissions], true)
  await expectSeen(admin, [team, submissions], true)
  for (const by of [manager, owner]) await expectSeen(by, [team], true)
  await manager.post(`${team}/join`)
  await expectSeen(manager, [own, submissions], true)
  await expectSeen(mate, [team, own, submissions], false)
  for (const by of [stranger, judge]) await expectSeen(by, [team], false)
  await change(eventId, tester, { hidden: false })
  await expectSeen(mate, [team, own, submissions], true)
})

describe('extra minutes', () => {
  it('let a participant submit until that long after the end, and not at that instant (403)', async () => {
    const eventId = await createEvent()
    const people = [await createPerson(), await createPerson(), await createPerson()] as const
    for (const [place, extra_minutes] of [0, 5, 6].entries())
      await change(eventId, people[place] ?? user, { extra_minutes })
    const [plain, late, early] = people
    const here = { event_id: eventId }
    await setTimes(contests, eventId, -60, -5)
    await expectRefused(contests, [plain, here, notActive], [late, here, notActive])
    await contests.giveVerdict(await submit(early, here), 'ACCEPTED')
    expect(await attempts(eventId)).toMatchObject([{ user_id: early.id, attempts: 1 }])
    await change(eventId, early, { extra_minutes: 4 })
    expect(await attempts(eventId)).toEqual([])
    await expectRefused(contests, [early, here, notActive])
  })

  it('also go on after staff has ended the contest, but do not open one ended before its start (403)', async () => {
    const eventId = await createEvent()
    await change(eventId, user, { extra_minutes: 60 })
    await contests.register(stranger, eventId)
    await admin.post(`${urlOf(eventId)}/end`)
    await submit(user, { event_id: eventId })
    await expectRefused(contests, [stranger, { event_id: eventId }, notActive])
    await setTimes(contests, eventId, -1, -2)
    await expectRefused(contests, [user, { event_id: eventId }, notActive])
  })

  it('require the event_id for a private problem until they are over (400)', async () => {
    const secret = await createProblem({ public: false })
    const eventId = await createEvent({ ...over(), problems: [{ problem_id: secret.id }] })
    const practice = { problem_id: secret.id }
    await change(eventId, user, { extra_minutes: 120 })
    const message = refusal(400, '400', 'event_id is required: the problem is part of a running event')
    await expectRefused(contests, [user, practice, message])
    await submit(user, { ...practice, event_id: eventId })
    await change(eventId, user, { extra_minutes: null })
    await submit(user, practice)
  })
})
