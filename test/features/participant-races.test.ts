import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import { serviceWithContests, setTimes } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { submissionBody } from '../support/judging.ts'
import { allow, countDeadlocks, describeCollisions, describeRaces, outcomeOf } from '../support/races.ts'
import { expectRecounted } from '../support/recount.ts'

const contests = await serviceWithContests()
const { admin, problem, language, service } = contests
const { database, databaseUrl = '' } = service

const ROUNDS = databaseKind === 'postgres' ? 12 : 3
const BARRED = '403 NOT_A_PARTICIPANT'

/** Returns a contest with one participant. */
async function openContest(fields: object = {}) {
  const problems = [{ problem_id: problem.id }]
  const eventId = await contests.createEvent({ teams: true, problems, ...fields })
  return { eventId, person: await contests.createParticipant(eventId) }
}

const pathOf = (eventId: number, { id }: Person) => `/v1/events/${eventId}/participants/${id}`
const submit = (by: Person, event_id: number) => () =>
  by.send('POST', '/v1/submissions', { ...submissionBody(by, problem, language), event_id })
const remove = (person: Person, eventId: number) => () => admin.send('DELETE', pathOf(eventId, person))
const change = (person: Person, eventId: number, body: object) => () =>
  admin.send('PUT', pathOf(eventId, person), body)

const selectStored = unprepared('select from submissions where event_id = $1')
const expectStored = async (eventId: number, stored: number) =>
  expect(await database.query(selectStored, [eventId])).toHaveLength(stored)

describeRaces('requests about a participant at the same instant', ROUNDS, {
  'accept their submissions before the removal, and refuse them after it (403)': async () => {
    const { eventId, person } = await openContest()
    const submissions = Array.from({ length: 6 }, () => allow(submit(person, eventId), '201', BARRED))
    return {
      contenders: submissions.toSpliced(3, 0, allow(remove(person, eventId), '204')),
      async holds(responses) {
        await expectStored(eventId, responses.filter(({ status }) => status === 201).length)
        expect(outcomeOf(await submit(person, eventId)())).toBe(BARRED)
        expect(await contests.participantIds(eventId)).toEqual([])
        expect(await admin.get(`/v1/events/${eventId}/attempts`)).toEqual([])
      },
    }
  },

  'remove them once, and leave them out of teams and lists': async () => {
    const { eventId, person } = await openContest()
    const url = `/v1/events/${eventId}/teams`
    const create = (name: string) => () => person.send('POST', url, { name })
    const register = () => person.send('POST', `/v1/public/events/${eventId}/register`)
    return {
      contenders: [
        allow(create('One'), '201', BARRED, '409 ALREADY_ON_TEAM'),
        allow(remove(person, eventId), '204', '404 NOT_FOUND'),
        allow(register, BARRED, '409 ALREADY_REGISTERED'),
        allow(remove(person, eventId), '204', '404 NOT_FOUND'),
      ],
      async holds(responses) {
        const removals = [responses[1], responses[3]].filter((response) => response?.status === 204)
        expect(removals).toHaveLength(1)
        expect(await contests.participantIds(eventId)).toEqual([])
        expect(outcomeOf(await create('Two')())).toBe(BARRED)
      },
    }
  },

  'judge, hide, remove and add them without a deadlock, and count what is left': async () => {
    const { eventId, person } = await openContest()
    const ids: string[] = []
    // One after another: attempts count up to the time of the first accepted submission.
    for (let n = 0; n < 3; n += 1) ids.push(await contests.submit(person, { event_id: eventId }))
    const deadlocks = await database.query(countDeadlocks)
    const verdicts = ids.map((id) => allow(() => contests.patch(id, { status: 'ACCEPTED' }), '204'))
    const changes = [{ hidden: true }, { extra_minutes: 5 }, { hidden: false }]
    return {
      contenders: [
        ...verdicts,
        allow(remove(person, eventId), '204'),
        ...changes.map((body) => allow(change(person, eventId, body), '200')),
        allow(() => admin.send('POST', `/v1/events/${eventId}/end`), '200'),
      ],
      async holds() {
        expect(await database.query(countDeadlocks)).toEqual(deadlocks)
        await change(person, eventId, { hidden: false, extra_minutes: 0 })()
        expect(await expectRecounted(service, eventId)).toMatchObject([{ attempts: 1, total_attempts: 3 }])
      },
    }
  },
})

const lockParticipant = 'select from event_participants where event_id = $1::integer for update'
const lockOf = (eventId: number) => [databaseUrl, lockParticipant, `${eventId}`] as const

describeCollisions('a submission that arrives while staff changes its participant', {
  'is refused after the removal (403)': async () => {
    const { eventId, person } = await openContest()
    const contenders = [allow(remove(person, eventId), '204'), allow(submit(person, eventId), BARRED)]
    return { contenders, lock: lockOf(eventId), holds: () => expectStored(eventId, 0) }
  },

  'is refused if their extra minutes are taken away (403)': async () => {
    const { eventId, person } = await openContest()
    await change(person, eventId, { extra_minutes: 30 })()
    await setTimes(contests, eventId, -60, -5)
    const contenders = [
      allow(change(person, eventId, { extra_minutes: null }), '200'),
      allow(submit(person, eventId), '403 EVENT_NOT_ACTIVE'),
    ]
    return { contenders, lock: lockOf(eventId), holds: () => expectStored(eventId, 0) }
  },

  'is accepted if staff adds them again': async () => {
    const { eventId, person } = await openContest()
    await remove(person, eventId)()
    const contenders = [
      allow(change(person, eventId, { hidden: false }), '200'),
      allow(submit(person, eventId), '201'),
    ]
    return { contenders, lock: lockOf(eventId), holds: () => expectStored(eventId, 1) }
  },
})
