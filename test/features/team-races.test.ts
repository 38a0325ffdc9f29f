import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import type { Caller, TestResponse } from '../support/caller.ts'
import { databaseKind } from '../support/database.ts'
import { allow, describeCollisions, describeRaces, isSuccess, type Race } from '../support/races.ts'
import { notFound } from '../support/refusals.ts'
import { contestWithTeams, type Team } from '../support/teams.ts'

const teams = await contestWithTeams()
const { admin, event, service } = teams

const ROUNDS = databaseKind === 'postgres' ? 40 : 5
const ON_TEAM = '409 ALREADY_ON_TEAM'
const NAME_TAKEN = '409 TEAM_NAME_TAKEN'

const [left, right] = [await teams.createTeam('Left'), await teams.createTeam('Right')]

const urlOf = (eventId: number) => `/v1/events/${eventId}/teams`
const create =
  (by: Caller, name: string, eventId = event) =>
  () =>
    by.send('POST', urlOf(eventId), { name })
const join =
  (by: Caller, { url }: Team, body?: object) =>
  () =>
    by.send('POST', `${url}/join`, body)
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

/** Adds the invariant of all races: every team has a member. */
const withMembers = ({ holds, ...race }: Race): Race => ({
  ...race,
  async holds(responses) {
    await holds?.(responses)
    expect(await service.database.query(listEmptyTeams)).toEqual([])
  },
})

describeRaces('requests of one user at the same instant', ROUNDS, {
  'join one of two teams': async (round) => {
    const person = await createUser(round)
    return withMembers({
      contenders: [left, right].map((team) => allow(join(person, team), '201', ON_TEAM)),
      successes: 1,
      holds: (responses) => expectTeamOf(person, [left, right][findSuccess(responses)]?.id ?? ''),
    })
  },

  'join one team, also if an admin requests it': async (round) => {
    const person = await createUser(round)
    const user_id = person.id
    const requests = [
      ...[left, left, right].map((team) => join(person, team)),
      ...[right, right, left].map((team) => join(admin, team, { user_id })),
    ]
    const contenders = requests.map((request) => allow(request, '201', ON_TEAM))
    return withMembers({ contenders, successes: 1 })
  },

  'create one of two teams': async (round) => {
    const person = await createUser(round)
    const names = (round % 3 === 0 ? ['Same', 'same'] : ['One', 'Other']).map((name) => `${name} ${round}`)
    const before = (await admin.get(urlOf(event))).length
    return withMembers({
      contenders: names.map((name) => allow(create(person, name), '201', ON_TEAM)),
      successes: 1,
      async holds(responses) {
        await expectTeamOf(person, responses.find(isSuccess)?.body.team_id)
        expect(await admin.get(urlOf(event))).toHaveLength(before + 1)
      },
    })
  },

  'create a team or join one': async (round) => {
    const person = await createUser(round)
    const requests = [create(person, `Or created ${round}`), join(person, left)]
    const ordered = round % 4 < 2 ? requests : requests.toReversed()
    return withMembers({
      contenders: ordered.map((request) => allow(request, '201', ON_TEAM)),
      successes: 1,
      holds: (responses) => expectTeamOf(person, responses.find(isSuccess)?.body.team_id ?? left.id),
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
        const ids = await teams.participantIds(event)
        expect(ids.filter((id) => id === person.id)).toHaveLength(1)
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

  'create teams with the same two names: each user gets one at most': async (round) => {
    const [one, other] = [await createUser(round), await createUser(round)]
    const names = [`First ${round}`, `Second ${round}`]
    const creations = (by: Person, wanted: string[]) => wanted.map((name) => create(by, name))
    const requests = [...creations(one, names), ...creations(other, names.toReversed())]
    return withMembers({
      contenders: requests.map((request) => allow(request, '201', ON_TEAM, NAME_TAKEN)),
      async holds(responses) {
        expect(findSuccess(responses)).not.toBe(-1)
        for (const own of [responses.slice(0, 2), responses.slice(2)])
          expect(own.filter(isSuccess).length).toBeLessThanOrEqual(1)
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
      lock: [service.databaseUrl, select, person.id],
    }
  },
})
