import { describe, expect, it } from 'vitest'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { contestWithTeams, type Team } from '../../support/contests.ts'
import { NOBODY, UUID } from '../../support/ids.ts'
import { forbidden, invalidField, notFound, refusal } from '../../support/refusals.ts'

const teams = await contestWithTeams()
const { admin, event, service, createTeam, createTeamEvent, memberIds, participantIds } = teams
const { judge, createPerson } = service

const urlOf = (eventId = event) => `/v1/events/${eventId}/teams`
const list = () => admin.get(urlOf())
const create = (by: Caller, name: unknown, expected: Expected = 201) => by.post(urlOf(), { name }, expected)
const join = (by: Caller, team: Pick<Team, 'url'>, expected: Expected = 201, body?: object) =>
  by.post(`${team.url}/join`, body, expected)

const onTeam = refusal(409, 'ALREADY_ON_TEAM')
const message = expect.stringMatching(/./)

describe('creating a team', () => {
  it('returns message and team_id, and makes the creator the only member and a participant, who keeps an earlier place (D36) [POST /v1/events/{id}/teams] [State: team joined]', async () => {
    const eventId = await createTeamEvent()
    const [first, second] = [await teams.createParticipant(eventId), await createPerson()]
    for (const by of [second, first]) {
      const created = await by.post(urlOf(eventId), { name: ` \t ${by.name}  "Äpfel" 🍎\n` }, 201)
      expect(created).toEqual({ message, team_id: expect.stringMatching(UUID) })
      // The name is trimmed, and keeps its inner white space.
      expect(await by.get(`${urlOf(eventId)}/me`)).toMatchObject({
        id: created.team_id,
        name: `${by.name}  "Äpfel" 🍎`,
        members: [{ id: by.id }],
      })
    }
    expect(await participantIds(eventId)).toEqual([first.id, second.id])
  })

  it('refuses a name that is taken in the event in any case, and stores nothing (409) [POST /v1/events/{id}/teams] [Error: 409]', async () => {
    const { creator } = await createTeam('Été Étoile')
    const before = await list()
    for (const name of ['Été Étoile', 'été étoile', 'ÉTÉ ÉTOILE', '  été Étoile ']) {
      const late = await createPerson()
      await create(late, name, refusal(409, 'TEAM_NAME_TAKEN'))
      await late.get(`${urlOf()}/me`, notFound('team in the event'))
      expect(await participantIds(event)).not.toContain(late.id)
    }
    expect(await list()).toEqual(before)
    await createTeam('Été Étoile', await createTeamEvent(), creator)
  })

  it('compares names as those of users: NFKC forms without joiners; hidden characters and `Deleted user` get 400 (D11, D36)', async () => {
    await createTeam('Zoe\u0308 und Vik\u200Ctor')
    const taken = ['ZO\u00CB UND VIKTOR', '\uFF3Ao\u00EB und Viktor', 'Zo\u00EB\u00A0und Viktor']
    const late = await createPerson()
    for (const name of taken) await create(late, name, refusal(409, 'TEAM_NAME_TAKEN'))
    for (const name of ['Team\u200B One', 'a\u202Eb', 'a\u001Bb', 'a\nb', '\u2800', 'deleted User'])
      await create(late, name, invalidField('name'))
    expect(await list()).toContainEqual(expect.objectContaining({ name: 'Zo\u00EB und Vik\u200Ctor' }))
  })

  it('refuses a user who created or joined a team of the event (409), and judges, who have no account (404) [POST /v1/events/{id}/teams]', async () => {
    const team = await createTeam('The only one')
    const joiner = await createPerson()
    await join(joiner, team)
    const before = await list()
    for (const person of [team.creator, joiner]) await create(person, `Second of ${person.id}`, onTeam)
    await create(judge, 'Of judges', notFound('user'))
    expect(await list()).toEqual(before)
    expect(await memberIds(team)).toEqual([team.creator.id, joiner.id])
  })
})

describe('joining a team', () => {
  it('returns a message, and makes the caller a member and a participant, without a body or with any user_id of theirs [POST /v1/events/{id}/teams/{team_id}/join] [State: team joined]', async () => {
    const team = await createTeam('Joined')
    const url = `${urlOf()}/${team.id.toUpperCase()}/join`
    const forms: ((person: Person) => object)[] = [
      () => ({}),
      () => ({ raw: '', headers: { 'content-type': 'application/json' } }),
      () => ({ raw: '', headers: { 'content-type': 'text/plain' } }),
      () => ({ body: {} }),
      () => ({ body: { user_id: null, team: 'ignored' } }),
      ({ id }) => ({ body: { user_id: id.toUpperCase() } }),
    ]
    for (const form of forms) {
      const person = await createPerson()
      const request = { method: 'POST', url, token: person.token, ...form(person) } as const
      const joined = await service.send(request)
      expect(joined, JSON.stringify(form(person))).toMatchObject({ status: 201, body: { message } })
      expect(await memberIds(team)).toContain(person.id)
      expect(await participantIds(event)).toContain(person.id)
    }
  })

  it('allows another user_id to admins only (403) [POST /v1/events/{id}/teams/{team_id}/join] [Error: 403]', async () => {
    const team = await createTeam('By an admin')
    const joiner = await createPerson()
    for (const by of [team.creator, await createPerson(), judge])
      for (const user_id of [joiner.id, NOBODY]) await join(by, team, forbidden, { user_id })
    expect(await memberIds(team)).toEqual([team.creator.id])
    await join(admin, team, 201, { user_id: joiner.id })
    expect(await memberIds(team)).toEqual([team.creator.id, joiner.id])
    const participants = await participantIds(event)
    expect(participants).toContain(joiner.id)
    expect(participants).not.toContain(admin.id)
  })

  it('refuses members of any team of the event, not of teams of other events (409) [POST /v1/events/{id}/teams/{team_id}/join] [Error: 409]', async () => {
    const [one, other] = [await createTeam('One'), await createTeam('Other')]
    const elsewhere = await createTeam('Elsewhere', await createTeamEvent())
    const joiner = await createPerson()
    await join(joiner, one)
    for (const team of [one, other]) {
      for (const person of [one.creator, joiner]) await join(person, team, onTeam)
      await join(admin, team, onTeam, { user_id: joiner.id })
    }
    await join(one.creator, elsewhere)
    expect(await memberIds(one)).toEqual([one.creator.id, joiner.id])
    expect(await memberIds(other)).toEqual([other.creator.id])
    expect(await memberIds(elsewhere)).toEqual([elsewhere.creator.id, one.creator.id])
  })

  it('admits ten users at the same instant', async () => {
    const team = await createTeam('For everybody')
    const people = await Promise.all(Array.from({ length: 10 }, () => createPerson()))
    await Promise.all(people.map((person) => join(person, team)))
    const ids = [team.creator, ...people].map(({ id }) => id)
    expect((await memberIds(team)).toSorted()).toEqual(ids.toSorted())
  })

  it('refuses unknown teams, teams of other events, and unknown or deleted users (404) [Error: 404]', async () => {
    const here = await createTeam('In this event')
    const there = await createTeam('In another', await createTeamEvent())
    const [person, deleted] = [await createPerson(), await createPerson()]
    await teams.deleteUser(deleted)
    for (const teamId of [NOBODY, there.id]) {
      const url = `${urlOf()}/${teamId}`
      await join(person, { url }, notFound('team in the event'))
      await join(admin, { url }, 404, { user_id: NOBODY })
      await admin.get(url, notFound('team in the event'))
    }
    for (const user_id of [NOBODY, deleted.id, NIL_UUID])
      await join(admin, here, notFound('user'), { user_id })
    for (const body of [undefined, {}, { user_id: NIL_UUID }]) await join(judge, here, notFound('user'), body)
    expect(await participantIds(event)).not.toContain(person.id)
    expect(await memberIds(here)).toEqual([here.creator.id])
  })
})

describe('reading teams', () => {
  it('lists id, event_id and name to every caller, the oldest team first [GET /v1/events/{id}/teams] [Fields: Team]', async () => {
    const event_id = await createTeamEvent()
    expect(await admin.get(urlOf(event_id))).toEqual([])
    const created: object[] = []
    for (const name of ['Zebra', 'apple', 'Mango'])
      created.push({ id: (await createTeam(name, event_id)).id, event_id, name })
    for (const by of [await createPerson(), admin, judge])
      expect(await by.get(urlOf(event_id))).toEqual(created)
  })

  it('shows a team with its members, complete users in the order of joining [GET /v1/events/{id}/teams/{team_id}]', async () => {
    const { id, creator, url } = await createTeam('In detail')
    const joiner = await createPerson()
    await join(joiner, { url })
    const members = [await teams.readUser(creator), await teams.readUser(joiner)]
    for (const by of [creator, await createPerson(), admin, judge]) {
      const read = await by.get(`${urlOf()}/${id.toUpperCase()}`)
      expect(read).toEqual({ id, event_id: event, name: 'In detail', members })
    }
  })

  it('shows the caller their own team of this event, else 404 [GET /v1/events/{id}/teams/me]', async () => {
    const other = await createTeamEvent()
    const [here, there] = [await createTeam('Mine'), await createTeam('Not mine', other)]
    await join(here.creator, there)
    for (const [eventId, { url }] of [[event, here] as const, [other, there] as const]) {
      const own = await here.creator.get(`${urlOf(eventId)}/me`)
      expect(own).toEqual(await admin.get(url))
      expect(own.members).toContainEqual(expect.objectContaining({ id: here.creator.id }))
    }
    for (const by of [await teams.createParticipant(event), there.creator, admin, judge])
      await by.get(`${urlOf()}/me`, notFound('team in the event'))
  })
})

it('every team route responds 404 NOT_A_TEAM_EVENT while the event has no teams, to all (D36), and finds the old teams afterwards', async () => {
  const eventId = await createTeamEvent()
  const { id, creator } = await createTeam('Kept', eventId)
  await admin.put(`/v1/events/${eventId}`, { teams: false })
  const url = urlOf(eventId)
  const refused = refusal(404, 'NOT_A_TEAM_EVENT')
  for (const by of [creator, await createPerson(), admin, judge]) {
    for (const path of ['', '/me', `/${id}`]) await by.get(`${url}${path}`, refused)
    await by.post(url, { name: 'A team' }, refused)
    await by.post(`${url}/${id}/join`, undefined, refused)
  }
  expect(await participantIds(eventId)).toEqual([creator.id])
  await admin.put(`/v1/events/${eventId}`, { teams: true })
  expect(await creator.get(`${url}/me`)).toMatchObject({ id })
})
