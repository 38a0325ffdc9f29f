import { describe, expect, it } from 'vitest'
import { NOBODY } from '../features/judging-support.ts'
import { NO_EVENT } from './events-support.ts'
import { type Caller, missing, readPages } from './people-support.ts'
import { openTeams } from './teams-support.ts'

const teams = await openTeams()

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
