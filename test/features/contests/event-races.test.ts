import { expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import { createBridgePerson, isoIn, readParticipants, serviceWithContests } from '../../support/contests.ts'
import { databaseKind } from '../../support/database.ts'
import { type Problem, submissionBody } from '../../support/judging.ts'
import { onPostgres } from '../../support/needs.ts'
import { allow, countDeadlocks, describeCollisions, describeRaces, outcomeOf } from '../../support/races.ts'
import { expectRecounted } from '../../support/recount.ts'
import { lockRows } from '../../support/row-lock.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent } = contests
const { database, databaseUrl = '' } = service

const ROUNDS = databaseKind === 'postgres' ? 8 : 2
const NOT_ACTIVE = '403 EVENT_NOT_ACTIVE'
const GONE = '404 NOT_FOUND'

const createPeople = (count: number) =>
  Promise.all(Array.from({ length: count }, () => service.createPerson()))

const openContest = (fields: object = {}, ...others: Problem[]) =>
  createEvent({ problems: [problem, ...others].map(({ id }) => ({ problem_id: id })), ...fields })

const urlOf = (eventId: number) => `/v1/events/${eventId}`
const readEvent = (eventId: number) => admin.get(urlOf(eventId))
const submit =
  (by: Person, eventId: number, of = problem) =>
  () =>
    by.send('POST', '/v1/submissions', { ...submissionBody(by, of, contests.language), event_id: eventId })
const judge = (id: string, status: string) => () => contests.patch(id, { status })
const end = (eventId: number) => () => admin.send('POST', `${urlOf(eventId)}/end`)
const change = (eventId: number, body: object) => () => admin.send('PUT', urlOf(eventId), body)
const remove = (eventId: number) => () => admin.send('DELETE', urlOf(eventId))
const register = (by: Person, eventId: number) => () =>
  by.send('POST', `/v1/public/events/${eventId}/register`)

const countSubmissions = unprepared<{ stored: number; outside: number }>(`select count(*)::integer as stored,
          count(*) filter (where submissions.submit_time < events.start_time
                              or submissions.submit_time >= events.end_time)::integer as outside
   from submissions
   join events on events.id = submissions.event_id
   where events.id = $1`)

/** Checks how many submissions are stored, all of them within the times of the contest. */
const expectStored = async (eventId: number, stored: number) =>
  expect(await database.query(countSubmissions, [eventId])).toEqual([{ stored, outside: 0 }])

describeRaces('requests about a contest at the same instant', ROUNDS, {
  'accept submissions before the end of the contest, and refuse them after it (403)': async () => {
    const eventId = await openContest()
    const crowd = await createPeople(6)
    const submissions = [...crowd.slice(0, 3), ...crowd].map((person) =>
      allow(submit(person, eventId), '201', NOT_ACTIVE),
    )
    return {
      contenders: submissions.toSpliced(3, 0, allow(end(eventId), '200')),
      async holds(responses) {
        const accepted = responses.filter(({ status }) => status === 201)
        const endTime = Date.parse(responses[3]?.body.end_time)
        for (const { body } of accepted) expect(Date.parse(body.submit_time)).toBeLessThanOrEqual(endTime)
        await expectStored(eventId, accepted.length)
        expect(outcomeOf(await submit(user, eventId)())).toBe(NOT_ACTIVE)
        await expectRecounted(service, eventId)
      },
    }
  },

  'register, change and end it once, without a deadlock': async () => {
    const eventId = await openContest()
    const deadlocks = await database.query(countDeadlocks)
    const contenders = (await createPeople(6)).flatMap((person) => [
      allow(register(person, eventId), '201'),
      allow(change(eventId, { description: person.id }), '200'),
      allow(end(eventId), '200'),
    ])
    return {
      contenders,
      async holds(responses) {
        const ends = responses.filter((_, place) => place % 3 === 2).map(({ body }) => body.end_time)
        expect(new Set(ends).size).toBe(1)
        expect(await database.query(countDeadlocks)).toEqual(deadlocks)
      },
    }
  },

  'make a user who submits and registers one participant': async () => {
    const [eventId, person] = [await openContest(), await service.createPerson()]
    return {
      contenders: [
        allow(register(person, eventId), '201', '409 ALREADY_REGISTERED'),
        ...Array(6).fill(allow(submit(person, eventId), '201')),
      ],
      async holds() {
        expect(await readParticipants(contests, eventId)).toEqual([person.id])
        const cells = await expectRecounted(service, eventId)
        expect(cells).toMatchObject([{ user_id: person.id, attempts: 0, total_attempts: 6 }])
      },
    }
  },

  'keep a user who submits on the team that they create': async () => {
    const [eventId, person] = [await openContest({ teams: true }), await service.createPerson()]
    const url = `${urlOf(eventId)}/teams`
    return {
      contenders: [
        allow(submit(person, eventId), '201'),
        allow(() => person.send('POST', url, { name: 'One' }), '201'),
        allow(submit(person, eventId), '201'),
      ],
      holds: async () =>
        expect(await person.get(`${url}/me`)).toMatchObject({ members: [{ id: person.id }] }),
    }
  },

  'store contrary verdicts and new submissions of one cell as a recount finds them': async () => {
    const [eventId, person] = [await openContest(), await service.createPerson()]
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => contests.submit(person, { event_id: eventId })),
    )
    return {
      contenders: ids.flatMap((id, i) => [
        allow(judge(id, i % 4 === 3 ? 'ACCEPTED' : 'WRONG_ANSWER'), '204'),
        allow(judge(id, i % 3 === 2 ? 'ACCEPTED' : 'COMPILE_TIME_ERROR'), '204'),
        allow(submit(person, eventId), '201'),
      ]),
      holds: async () =>
        expect(await expectRecounted(service, eventId)).toMatchObject([{ total_attempts: 16 }]),
    }
  },

  'store the verdict for a user who is deleted': async (round) => {
    const [eventId, person] = [await openContest(), await createBridgePerson(service, `races-${round}`)]
    const id = await contests.submit(person, { event_id: eventId })
    return {
      contenders: [
        allow(judge(id, 'ACCEPTED'), '204'),
        allow(() => person.send('DELETE', `/v1/users/${person.id}`), '204'),
        allow(submit(person, eventId), '201', '401 ACCOUNT_DELETED'),
      ],
      async holds(responses) {
        const user = { name: 'Deleted user', email: '' }
        expect(await contests.readRecord(id)).toMatchObject({ status: 'ACCEPTED', user })
        const total_attempts = responses.filter(({ status }) => status < 400).length - 1
        expect(await expectRecounted(service, eventId)).toMatchObject([{ attempts: 1, total_attempts }])
        expect(outcomeOf(await submit(person, eventId)())).toBe('401 ACCOUNT_DELETED')
      },
    }
  },

  'delete a problem, and accept submissions to it before that only (404)': async () => {
    const deleted = await contests.createProblem()
    const eventId = await openContest({}, deleted)
    const submissions = (await createPeople(4)).map((person) =>
      allow(submit(person, eventId, deleted), '201', GONE),
    )
    return {
      contenders: [allow(() => admin.send('DELETE', `/v1/problems/${deleted.id}`), '204'), ...submissions],
      async holds() {
        expect(outcomeOf(await submit(user, eventId, deleted)())).toBe(GONE)
        await expectRecounted(service, eventId)
      },
    }
  },

  'add a problem once': async () => {
    const eventId = await createEvent()
    const callers = [user, stranger, user, stranger, user]
    const add = (by: Person) => () =>
      by.send('POST', `${urlOf(eventId)}/problems`, { problem_id: problem.id })
    return {
      contenders: callers.map((by) => allow(add(by), '201', '409 ALREADY_IN_EVENT')),
      successes: 1,
      holds: async () => expect([...(await contests.eventProblemIds(eventId)).keys()]).toEqual([problem.id]),
    }
  },

  'add a participant once, registered by themselves or by an admin': async (round) => {
    const [eventId, person] = [await createEvent(), await service.createPerson()]
    const add = () => admin.send('POST', `${urlOf(eventId)}/participants`, { user_id: person.id })
    const requests = Array.from({ length: 8 }, (_, index) =>
      round % 2 === 0 && index < 3 ? add : register(person, eventId),
    )
    return {
      contenders: requests.map((request) => allow(request, '201', '409 ALREADY_REGISTERED')),
      successes: 1,
      holds: async () => expect(await contests.participantIds(eventId)).toEqual([person.id]),
    }
  },
})

const lockEvent = 'select events.id from events where events.id = $1::integer for update'
const lockOf = (eventId: number) => [databaseUrl, lockEvent, `${eventId}`] as const

describeCollisions('requests that wait for the row of a contest', {
  'accept a submission that arrived before the end was set, in either order': async (round) => {
    const eventId = await openContest()
    const both = [allow(submit(user, eventId), '201'), allow(end(eventId), '200')]
    const contenders = round % 2 === 0 ? both : both.toReversed()
    return { contenders, lock: lockOf(eventId), holds: () => expectStored(eventId, 1) }
  },

  'accept a submission that arrived before the end was set to the past, which is stored as now': async () => {
    const eventId = await openContest()
    const moved = allow(change(eventId, { end_time: isoIn(-1) }), '200')
    const contenders = [moved, allow(submit(user, eventId), '201')]
    const holds = async () => {
      await expectStored(eventId, 1)
      expect(outcomeOf(await submit(user, eventId)())).toBe(NOT_ACTIVE)
    }
    return { contenders, lock: lockOf(eventId), holds }
  },

  'refuse a submission after the start has moved into the future (403)': async () => {
    const eventId = await openContest()
    const moved = allow(change(eventId, { start_time: isoIn(1) }), '200')
    const contenders = [moved, allow(submit(user, eventId), NOT_ACTIVE)]
    return { contenders, lock: lockOf(eventId), holds: () => expectStored(eventId, 0) }
  },

  'keep a submission from before the deletion, and refuse one after it (404)': async (round) => {
    const eventId = await openContest()
    const isEarly = round % 2 === 0
    const both = [allow(submit(user, eventId), isEarly ? '201' : GONE), allow(remove(eventId), '204')]
    return {
      ...{ contenders: isEarly ? both : both.toReversed(), lock: lockOf(eventId) },
      async holds() {
        await expectStored(eventId, isEarly ? 1 : 0)
        expect(await readParticipants(contests, eventId)).toEqual(isEarly ? [user.id] : [])
      },
    }
  },

  'compare new times with those of the change before (400), and keep its fields': async () => {
    const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }
    const [eventId, start_time] = [await createEvent(times), '2026-04-01T19:30:00Z']
    const [early, other] = [{ end_time: '2026-04-01T19:00:00Z' }, { description: 'Other' }]
    return {
      contenders: [
        allow(change(eventId, { start_time }), '200'),
        allow(change(eventId, early), '400 400'),
        allow(change(eventId, other), '200'),
      ],
      lock: lockOf(eventId),
      holds: async () => expect(await readEvent(eventId)).toMatchObject({ ...times, start_time, ...other }),
    }
  },

  'set the end when the row is locked, not when the request arrives': async () => {
    const eventId = await createEvent()
    let sentLater = 0
    const changeLater = () => {
      sentLater = Date.now()
      return change(eventId, { title: 'Meanwhile' })()
    }
    return {
      contenders: [end(eventId), changeLater, end(eventId)].map((request) => allow(request, '200')),
      lock: lockOf(eventId),
      async holds(responses) {
        const ends = responses.map(({ body }) => body.end_time)
        expect(Date.parse(ends[0])).toBeGreaterThanOrEqual(sentLater)
        expect(new Set(ends).size).toBe(1)
      },
    }
  },

  'delete once, and find no contest afterwards (404)': async () => {
    const eventId = await createEvent()
    const late = [remove(eventId), change(eventId, { title: 'Late' }), end(eventId)]
    const contenders = [allow(remove(eventId), '204'), ...late.map((request) => allow(request, GONE))]
    return { contenders, lock: lockOf(eventId) }
  },
})

it('accepts a submission before the end, although the end was requested first', onPostgres, async () => {
  const eventId = await openContest()
  const lock = await lockRows(databaseUrl, lockEvent.replace('for update', 'for share'), [eventId])
  const ending = end(eventId)()
  await lock.untilWaiting(1)
  const submitted = submit(user, eventId)()
  await lock.untilWaiting(2)
  await lock.release()
  expect([await submitted, await ending].map(outcomeOf)).toEqual(['201', '200'])
  await expectStored(eventId, 1)
})
