import { expect } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import type { Caller, TestResponse } from '../../support/caller.ts'
import { contestWithTeams, setTimes, type Team } from '../../support/contests.ts'
import { databaseKind } from '../../support/database.ts'
import { submissionBody } from '../../support/judging.ts'
import {
  allow,
  countDeadlocks,
  describeCollisions,
  describeRaces,
  isSuccess,
  outcomeOf,
  type Race,
} from '../../support/races.ts'
import { expectRecounted } from '../../support/recount.ts'
import { notFound } from '../../support/refusals.ts'

const teams = await contestWithTeams()
const { admin, event, problem, language, service } = teams
const { database, databaseUrl = '' } = service

const ROUNDS = databaseKind === 'postgres' ? 16 : 3
const BARRED = '403 NOT_A_PARTICIPANT'

async function openContest(fields: object = {}) {
  const problems = [{ problem_id: problem.id }]
  const eventId = await teams.createEvent({ teams: true, problems, ...fields })
  return { eventId, person: await teams.createParticipant(eventId) }
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
        expect(await teams.participantIds(eventId)).toEqual([])
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
        expect([responses[1], responses[3]].filter((response) => response?.status === 204)).toHaveLength(1)
        expect(await teams.participantIds(eventId)).toEqual([])
        expect(outcomeOf(await create('Two')())).toBe(BARRED)
      },
    }
  },

  'judge, hide, remove and add them without a deadlock, and count what is left': async () => {
    const { eventId, person } = await openContest()
    const ids: string[] = []
    // One after another: attempts count up to the time of the first accepted submission.
    for (let n = 0; n < 3; n += 1) ids.push(await teams.submit(person, { event_id: eventId }))
    const deadlocks = await database.query(countDeadlocks)
    const verdicts = ids.map((id) => allow(() => teams.patch(id, { status: 'ACCEPTED' }), '204'))
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
    await setTimes(teams, eventId, -60, -5)
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

const ON_TEAM = '409 ALREADY_ON_TEAM'
const NAME_TAKEN = '409 TEAM_NAME_TAKEN'

const [left, right] = [await teams.createTeam('Left'), await teams.createTeam('Right')]

const urlOf = (eventId: number) => `/v1/events/${eventId}/teams`
const create = (by: Caller, name: string, eventId?: number) => () =>
  by.send('POST', urlOf(eventId ?? event), { name })
const join = (by: Caller, team: Team, body?: object) => () => by.send('POST', `${team.url}/join`, body)
const register = (by: Caller) => () => by.send('POST', `/v1/public/events/${event}/register`)

/** Creates a user, in odd rounds a participant: then joining a team locks another row. */
const createUser = (round: number) =>
  round % 2 === 0 ? service.createPerson() : teams.createParticipant(event)

const findSuccess = (responses: readonly TestResponse[]) => responses.findIndex(isSuccess)

const expectTeamOf = async (person: Person, id: string) =>
  expect(await person.get(`${urlOf(event)}/me`)).toMatchObject({ id })

const listEmptyTeams = unprepared(`select teams.name
   from teams
   where not exists (select from event_participants where event_participants.team_id = teams.id)`)

const listJoinedAfterEnd = unprepared(`select from event_participants
   join events on events.id = event_participants.event_id
   where events.id = $1::integer and event_participants.joined_at >= events.end_time`)

/** Adds the invariant of all races: every team has a member. */
const withMembers = ({ holds, ...race }: Race): Race => ({
  ...race,
  async holds(responses) {
    await holds?.(responses)
    expect(await database.query(listEmptyTeams)).toEqual([])
  },
})

describeRaces('requests of one user at the same instant', ROUNDS, {
  'join one team, also if an admin requests it, or create one': async (round) => {
    const person = await createUser(round)
    const before = (await admin.get(urlOf(event))).length
    const names = (round % 3 === 0 ? ['Same', 'same'] : ['One', 'Other']).map((name) => `${name} ${round}`)
    const creations = names.map((name) => [create(person, name), undefined] as const)
    const joins = [[join(person, left), left] as const, [join(person, right), right] as const]
    const byAdmin = [join(admin, right, { user_id: person.id }), right] as const
    const requests = round % 4 < 2 ? [...creations, ...joins, byAdmin] : [byAdmin, ...joins, ...creations]
    return withMembers({
      contenders: requests.map(([request]) => allow(request, '201', ON_TEAM)),
      successes: 1,
      async holds(responses) {
        const joined = requests[findSuccess(responses)]?.[1]
        await expectTeamOf(person, joined?.id ?? responses.find(isSuccess)?.body.team_id)
        expect(await admin.get(urlOf(event))).toHaveLength(before + (joined === undefined ? 1 : 0))
      },
    })
  },

  'register and join or create a team: the user is on the team, and one participant': async (round) => {
    const person = await service.createPerson()
    const request = round % 4 < 2 ? join(person, left) : create(person, `Registered ${round}`)
    const both = [allow(register(person), '201', '409 ALREADY_REGISTERED'), allow(request, '201')]
    return withMembers({
      contenders: round % 2 === 0 ? both : both.toReversed(),
      async holds(responses) {
        await expectTeamOf(person, responses.find(({ body }) => body?.team_id)?.body.team_id ?? left.id)
        expect((await teams.participantIds(event)).filter((id) => id === person.id)).toHaveLength(1)
      },
    })
  },

  'join or create a team while the user is deleted (201, 401 or 404)': async (round) => {
    const person = await createUser(round)
    const request = round % 4 < 2 ? join(person, left) : create(person, `Deleted ${round}`)
    const deletion = () => admin.send('DELETE', `/v1/users/${person.id}`)
    return withMembers({
      contenders: [allow(request, '201', '401 ACCOUNT_DELETED', '404 NOT_FOUND'), allow(deletion, '204')],
    })
  },
})

describeRaces('requests of several users at the same instant', ROUNDS, {
  'give a name to one team; the other user gets no team and does not participate': async (round) => {
    const people = [await service.createPerson(), await service.createPerson()]
    const requests = people.map((by, index) =>
      create(by, index === 0 ? `Wanted ${round}` : `WANTED ${round}`),
    )
    return withMembers({
      contenders: requests.map((request) => allow(request, '201', NAME_TAKEN)),
      successes: 1,
      async holds(responses) {
        const refused = people[1 - findSuccess(responses)]
        await refused?.get(`${urlOf(event)}/me`, notFound('team in the event'))
        expect(await teams.participantIds(event)).not.toContain(refused?.id)
      },
    })
  },

  'create and join teams while the contest ends, and none after the response to its end (403)': async () => {
    const eventId = await teams.createTeamEvent()
    const team = await teams.createTeam('Early', eventId)
    const ENDED = '403 EVENT_ENDED'
    const people: Person[] = []
    while (people.length < 4) people.push(await service.createPerson())
    const requests = people.map((by, index) =>
      index % 2 === 0 ? join(by, team) : create(by, `Of ${by.id}`, eventId),
    )
    const end = () => admin.send('POST', `/v1/events/${eventId}/end`)
    const contenders = requests.map((request) => allow(request, '201', ENDED))
    return withMembers({
      contenders: contenders.toSpliced(2, 0, allow(end, '200')),
      async holds() {
        const late = await service.createPerson()
        for (const request of [join(late, team), create(late, 'Late', eventId)])
          expect(outcomeOf(await request())).toBe(ENDED)
        expect(await database.query(listJoinedAfterEnd, [eventId])).toEqual([])
      },
    })
  },

  'create teams while the event is deleted or loses its teams (201 or 404)': async (round) => {
    const eventId = await teams.createTeamEvent()
    const url = `/v1/events/${eventId}`
    const isDeleted = round % 2 === 0
    const change = isDeleted
      ? allow(() => admin.send('DELETE', url), '204')
      : allow(() => admin.send('PUT', url, { teams: false }), '200')
    const refused = isDeleted ? '404 NOT_FOUND' : '404 NOT_A_TEAM_EVENT'
    const people = [await service.createPerson(), await service.createPerson()]
    const creations = people.map((by) => allow(create(by, `Of ${by.id}`, eventId), '201', refused))
    return withMembers({ contenders: [change, ...creations] })
  },
})

describeCollisions('requests that wait for the same membership', {
  'are decided by the first of them': async (turn) => {
    const person = await teams.createParticipant(event)
    const requests = [join(person, left), create(person, `Waiting ${turn}`), join(person, right)]
    const [first, ...others] = [...requests.slice(turn), ...requests.slice(0, turn)]
    if (first === undefined) throw new Error('there are three turns')
    const select = 'select from event_participants where event_participants.user_id = $1::uuid for update'
    return {
      ...withMembers({
        contenders: [allow(first, '201'), ...others.map((request) => allow(request, ON_TEAM))],
        holds: ([winner]) => expectTeamOf(person, [left.id, winner?.body.team_id, right.id][turn]),
      }),
      lock: [databaseUrl, select, person.id],
    }
  },
})
