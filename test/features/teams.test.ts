import { describe, expect, it } from 'vitest'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Person } from '../support/app.ts'
import { type Caller, missing, readPages } from '../support/contests.ts'
import { NO_EVENT, NOBODY, UUID } from '../support/ids.ts'
import { contestWithTeams } from '../support/teams.ts'

const teams = await contestWithTeams()

const onTeam = { status: 409, body: { code: 'ALREADY_ON_TEAM' } }

describe('making a team', () => {
  it('answers 201 with message and team_id, and nothing else [POST /v1/events/{id}/teams]', async () => {
    const creator = await teams.service.createPerson()
    const answer = await teams.create(creator, 'Exact')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./), team_id: expect.stringMatching(UUID) })
  })

  it('makes its creator the only member, and a participant (D36) [State: team joined]', async () => {
    const { id, creator } = await teams.createTeam('Joined by its creator')
    expect(await teams.memberIds(id)).toEqual([creator.id])
    expect(await teams.participantIds(teams.event)).toContain(creator.id)
  })

  it('leaves a participant the participant that he was', async () => {
    const other = await teams.createTeamEvent()
    const first = await teams.createParticipant(other)
    const second = await teams.createParticipant(other)
    const made = await teams.create(first, 'Of a participant', other)
    expect(made.status).toBe(201)
    expect(await teams.memberIds(made.body.team_id, other)).toEqual([first.id])
    expect(await teams.participantIds(other)).toEqual([first.id, second.id])
  })

  it('trims the name and keeps it otherwise as it is written', async () => {
    const creator = await teams.service.createPerson()
    expect(await teams.create(creator, ' \t Zwölf  "Äpfel" 🍎\n')).toMatchObject({ status: 201 })
    expect(await teams.readOwn(creator)).toMatchObject({ body: { name: 'Zwölf  "Äpfel" 🍎' } })
  })

  it('refuses a taken name of the event in upper or lower case, and stores nothing (409) [POST /v1/events/{id}/teams] [Error: 409]', async () => {
    await teams.createTeam('Été Étoile')
    const { body: before } = await teams.list(teams.admin)
    for (const name of ['Été Étoile', 'été étoile', 'ÉTÉ ÉTOILE', '  été Étoile ']) {
      const late = await teams.service.createPerson()
      expect(await teams.create(late, name)).toMatchObject({ status: 409, body: { code: 'TEAM_NAME_TAKEN' } })
      expect(await teams.participantIds(teams.event)).not.toContain(late.id)
      expect(await teams.readOwn(late)).toMatchObject({ status: 404 })
    }
    expect((await teams.list(teams.admin)).body).toEqual(before)
  })

  it('lets another event have a team of the same name', async () => {
    const { creator } = await teams.createTeam('Everywhere')
    const other = await teams.createTeamEvent()
    expect(await teams.create(creator, 'Everywhere', other)).toMatchObject({ status: 201 })
  })

  it('refuses a user who is on a team of the event, whether made or joined (409) [POST /v1/events/{id}/teams]', async () => {
    const { id, creator } = await teams.createTeam('The only one')
    const joiner = await teams.service.createPerson()
    await teams.join(joiner, id)
    const { body: before } = await teams.list(teams.admin)
    for (const person of [creator, joiner]) {
      expect(await teams.create(person, `Second of ${person.id}`)).toMatchObject(onTeam)
      expect(await teams.create(person, 'The only one')).toMatchObject({ status: 409 })
    }
    expect((await teams.list(teams.admin)).body).toEqual(before)
    expect(await teams.memberIds(id)).toEqual([creator.id, joiner.id])
  })

  it('is 404 to a judge, who has no account to be a member', async () => {
    expect(await teams.create('judge', 'Of judges')).toMatchObject(missing('user'))
    expect((await teams.list(teams.admin)).text).not.toContain('Of judges')
  })
})

describe('joining a team', () => {
  it('answers 201 with a message and makes the caller a member and a participant [POST /v1/events/{id}/teams/{team_id}/join] [State: team joined]', async () => {
    const { id, creator } = await teams.createTeam('Joined')
    const joiner = await teams.service.createPerson()
    const answer = await teams.join(joiner, id)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./) })
    expect(await teams.memberIds(id)).toEqual([creator.id, joiner.id])
    expect(await teams.participantIds(teams.event)).toContain(joiner.id)
  })

  it('takes no body, an empty one with and without application/json, {}, and the caller’s own id in any case [POST /v1/events/{id}/teams/{team_id}/join]', async () => {
    const { id } = await teams.createTeam('Liberal')
    const url = `/v1/events/${teams.event}/teams/${id}/join`
    const json = { 'content-type': 'application/json' }
    const forms: ((person: Person) => object)[] = [
      () => ({}),
      () => ({ headers: json }),
      () => ({ raw: '', headers: json }),
      () => ({ raw: '', headers: { 'content-type': 'text/plain' } }),
      () => ({ body: {} }),
      () => ({ body: { user_id: null } }),
      () => ({ body: { team: 'ignored' } }),
      (person) => ({ body: { user_id: person.id } }),
      (person) => ({ body: { user_id: person.id.toUpperCase() } }),
    ]
    for (const form of forms) {
      const person = await teams.service.createPerson()
      const request = { method: 'POST', url, token: person.token, ...form(person) } as const
      const answer = await teams.service.send(request)
      expect(answer, JSON.stringify(form(person))).toMatchObject({ status: 201 })
      expect(await teams.memberIds(id)).toContain(person.id)
    }
  })

  it('takes the team’s id in upper case', async () => {
    const { id } = await teams.createTeam('Upper case')
    const person = await teams.service.createPerson()
    expect(await teams.join(person, id.toUpperCase())).toMatchObject({ status: 201 })
    expect(await teams.memberIds(id)).toContain(person.id)
  })

  it('lets another user join only for an admin (201, else 403) [POST /v1/events/{id}/teams/{team_id}/join] [Error: 403]', async () => {
    const { id, creator } = await teams.createTeam('By an admin')
    const joiner = await teams.service.createPerson()
    for (const by of [creator, await teams.service.createPerson(), 'judge' as const]) {
      for (const user_id of [joiner.id, NOBODY]) {
        const answer = await teams.join(by, id, { user_id })
        expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
    expect(await teams.memberIds(id)).toEqual([creator.id])
    expect(await teams.join(teams.admin, id, { user_id: joiner.id })).toMatchObject({ status: 201 })
    expect(await teams.memberIds(id)).toEqual([creator.id, joiner.id])
    expect(await teams.participantIds(teams.event)).toContain(joiner.id)
    expect(await teams.participantIds(teams.event)).not.toContain(teams.admin.id)
  })

  it('is refused to users who are on this team or another team of the event (409) [POST /v1/events/{id}/teams/{team_id}/join] [Error: 409]', async () => {
    const [one, other] = [await teams.createTeam('One'), await teams.createTeam('Other')]
    const joiner = await teams.service.createPerson()
    await teams.join(joiner, one.id)
    for (const { id } of [one, other]) {
      for (const person of [one.creator, joiner]) expect(await teams.join(person, id)).toMatchObject(onTeam)
      expect(await teams.join(teams.admin, id, { user_id: joiner.id })).toMatchObject(onTeam)
    }
    expect(await teams.memberIds(one.id)).toEqual([one.creator.id, joiner.id])
    expect(await teams.memberIds(other.id)).toEqual([other.creator.id])
  })

  it('leaves the teams of other events alone: one in each', async () => {
    const other = await teams.createTeamEvent()
    const [here, there] = [await teams.createTeam('Here'), await teams.createTeam('There', other)]
    expect(await teams.join(here.creator, there.id, undefined, other)).toMatchObject({ status: 201 })
    expect(await teams.memberIds(here.id)).toEqual([here.creator.id])
    expect(await teams.memberIds(there.id, other)).toEqual([there.creator.id, here.creator.id])
  })

  it('is 404 for an unknown team, a team of another event, and a user who is not there or no more [Error: 404]', async () => {
    const other = await teams.createTeamEvent()
    const [here, there] = [
      await teams.createTeam('In this event'),
      await teams.createTeam('In another', other),
    ]
    const [person, gone] = [await teams.service.createPerson(), await teams.service.createPerson()]
    await teams.deleteUser(gone)
    for (const teamId of [NOBODY, there.id]) {
      expect(await teams.join(person, teamId)).toMatchObject(missing('team in the event'))
      expect(await teams.join(teams.admin, teamId, { user_id: NOBODY })).toMatchObject({ status: 404 })
    }
    for (const user_id of [NOBODY, gone.id, NIL_UUID]) {
      expect(await teams.join(teams.admin, here.id, { user_id })).toMatchObject(missing('user'))
    }
    expect(await teams.participantIds(teams.event)).not.toContain(person.id)
    expect(await teams.memberIds(here.id)).toEqual([here.creator.id])
  })

  it('is 404 to a judge, who has no account to be a member', async () => {
    const { id } = await teams.createTeam('Without judges')
    for (const body of [undefined, {}, { user_id: NIL_UUID }]) {
      expect(await teams.join('judge', id, body)).toMatchObject(missing('user'))
    }
  })
})

describe('reading teams', () => {
  it('shows id, event_id and name of each, the oldest first, to anybody [GET /v1/events/{id}/teams] [Fields: Team]', async () => {
    const other = await teams.createTeamEvent()
    expect(await teams.list(teams.admin, other)).toMatchObject({ status: 200, body: [] })
    const names = ['Zebra', 'apple', 'Mango']
    const made: object[] = []
    for (const name of names)
      made.push({ id: (await teams.createTeam(name, other)).id, event_id: other, name })
    for (const by of [await teams.service.createPerson(), teams.admin, 'judge' as const]) {
      expect((await teams.list(by, other)).body).toEqual(made)
    }
  })

  it('lists them by page (D6)', async () => {
    const other = await teams.createTeamEvent()
    const ids: string[] = []
    for (const name of ['1', '2', '3', '4', '5']) ids.push((await teams.createTeam(name, other)).id)
    const pages = await readPages(teams, teams.admin, `/v1/events/${other}/teams?limit=2`)
    expect(pages.map((page) => page.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ])
  })

  it('shows one with its members, whole users in the order in which they came [GET /v1/events/{id}/teams/{team_id}]', async () => {
    const { id, creator } = await teams.createTeam('In detail')
    const joiner = await teams.service.createPerson()
    await teams.join(joiner, id)
    const members = await Promise.all(
      [creator, joiner].map(async (person) => (await teams.get(person, `/v1/users/${person.id}`)).body),
    )
    const detail = { id, event_id: teams.event, name: 'In detail', members }
    for (const by of [creator, await teams.service.createPerson(), teams.admin, 'judge' as const]) {
      const answer = await teams.read(by, id.toUpperCase())
      expect(answer).toMatchObject({ status: 200 })
      expect(answer.body).toEqual(detail)
    }
  })

  it('shows the caller the own team of this event, 404 without one [GET /v1/events/{id}/teams/me]', async () => {
    const other = await teams.createTeamEvent()
    const [here, there] = [await teams.createTeam('Mine'), await teams.createTeam('Not mine', other)]
    await teams.join(here.creator, there.id, undefined, other)
    const participant = await teams.createParticipant(teams.event)
    for (const [eventId, { id }] of [[teams.event, here] as const, [other, there] as const]) {
      const detail = await teams.read(here.creator, id, eventId)
      expect((await teams.readOwn(here.creator, eventId)).body).toEqual(detail.body)
      expect(detail.body.members).toContainEqual(expect.objectContaining({ id: here.creator.id }))
    }
    const strangers = [participant, there.creator, teams.admin, 'judge' as const]
    for (const by of strangers) expect(await teams.readOwn(by)).toMatchObject(missing('team in the event'))
  })

  it('is 404 for an unknown team and a team of another event', async () => {
    const { id } = await teams.createTeam('Elsewhere', await teams.createTeamEvent())
    for (const teamId of [NOBODY, id]) {
      const answer = await teams.read(teams.admin, teamId)
      expect(answer).toMatchObject(missing('team in the event'))
    }
    expect(await teams.read(teams.admin, 'mine')).toMatchObject({ status: 400 })
  })
})

/** Every team route, of one event. */
const everyRoute = (by: Caller, eventId: number, teamId: string) => [
  teams.list(by, eventId),
  teams.create(by, `Team ${teamId}`, eventId),
  teams.readOwn(by, eventId),
  teams.read(by, teamId, eventId),
  teams.join(by, teamId, undefined, eventId),
]

describe('where there are no teams', () => {
  it('every team route is 404 NOT_A_TEAM_EVENT, whoever asks for whichever team (D36)', async () => {
    const single = await teams.createEvent({ teams: false })
    const { id } = await teams.createTeam('Of a team event')
    for (const by of [await teams.service.createPerson(), teams.admin, 'judge' as const]) {
      for (const answer of await Promise.all(everyRoute(by, single, id))) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_A_TEAM_EVENT' } })
      }
    }
    expect(await teams.participantIds(single)).toEqual([])
  })

  it('every team route is 404 once an event is changed to have none, and finds its teams when it has them again', async () => {
    const changed = await teams.createTeamEvent()
    const { id, creator } = await teams.createTeam('Kept', changed)
    const change = (has: boolean) => teams.put(teams.admin, `/v1/events/${changed}`, { teams: has })
    expect(await change(false)).toMatchObject({ status: 200 })
    for (const answer of await Promise.all(everyRoute(creator, changed, id))) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_A_TEAM_EVENT' } })
    }
    expect(await change(true)).toMatchObject({ status: 200 })
    expect(await teams.readOwn(creator, changed)).toMatchObject({ status: 200, body: { id } })
  })

  it('every team route is 404 for an event that is not there, or no more', async () => {
    const deleted = await teams.createTeamEvent()
    const { id, creator } = await teams.createTeam('Of a deleted event', deleted)
    await teams.deleteEvent(deleted)
    for (const eventId of [NO_EVENT, deleted]) {
      for (const by of [creator, teams.admin, 'judge' as const]) {
        for (const answer of await Promise.all(everyRoute(by, eventId, id))) {
          expect(answer).toMatchObject(missing('event'))
        }
      }
    }
  })

  it('every team route is 401 to the token of a deleted account [Auth: deleted account]', async () => {
    const { id, creator } = await teams.createTeam('Deserted')
    await teams.deleteUser(creator)
    for (const eventId of [teams.event, NO_EVENT]) {
      for (const answer of await Promise.all(everyRoute(creator, eventId, id))) {
        expect(answer).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
      }
    }
  })

  it('every team route is 401 to a token from before a password reset, and changes nothing', async () => {
    const { id, creator } = await teams.createTeam('Reset')
    const { body: before } = await teams.list(teams.admin)
    const person = await teams.createParticipant(teams.event)
    for (const answer of await Promise.all(everyRoute(await teams.withOldToken(person), teams.event, id))) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
    }
    expect((await teams.list(teams.admin)).body).toEqual(before)
    expect(await teams.memberIds(id)).toEqual([creator.id])
  })
})
