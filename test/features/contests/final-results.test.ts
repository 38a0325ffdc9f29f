import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected, TestResponse } from '../../support/caller.ts'
import { objectsOf } from '../../support/contest-api.ts'
import { contestWithTeams, isoIn, over, running, scheduled } from '../../support/contests.ts'
import { submissionBody } from '../../support/judging.ts'
import { expectRecounted } from '../../support/recount.ts'
import { refusal } from '../../support/refusals.ts'
import { storeSubmission } from '../../support/standings.ts'
import { importsOf } from '../../support/user-imports.ts'

const contests = await contestWithTeams()
const { admin, service, stranger, problem, createEvent, createTeam } = contests
const { judge, createPerson, anonymous } = service
const { importUsers, newUser } = importsOf(service, admin)

const urlOf = (eventId: number) => `/v1/events/${eventId}`
const end = (eventId: number) => admin.post(`${urlOf(eventId)}/end`, undefined, 200)
const move = (eventId: number, times: object) => admin.put(urlOf(eventId), times, 200)
const register = (by: Person, eventId: number) => contests.register(by, eventId)
const add = (eventId: number, { id }: Person, by: Caller = admin, body: object = { hidden: false }) =>
  by.put(`${urlOf(eventId)}/participants/${id}`, body, 200)

type Row = TestResponse['body']

/** The ids of the rows in their order: of the standings, the CSV and the Contest API, which agree. */
async function rowsOf(eventId: number, by: 'user' | 'team' = 'user'): Promise<string[]> {
  const query = `?by=${by}`
  const { rows } = await stranger.get(`${urlOf(eventId)}/standings${query}`)
  const ids: string[] = rows.map((row: Row) => row[by].id)
  const csv: string = await stranger.get(`${urlOf(eventId)}/standings.csv${query}`)
  const lines = csv.trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',')[1])).toEqual(ids)
  const { teams } = await stranger.get(`/v1/public/events/${eventId}`)
  if (teams === (by === 'team')) {
    const board = await objectsOf(eventId).get(stranger, 'scoreboard')
    expect(board.rows.map((row: Row) => row.team_id)).toEqual(ids)
    const listed = await objectsOf(eventId).get(stranger, 'teams')
    const ranked = listed.filter((team: Row) => team.group_ids.length > 0)
    expect(ranked.map((team: Row) => team.id).toSorted()).toEqual(ids.toSorted())
  }
  return ids
}

const renameTeam = unprepared('update teams set name = $2::text where id = $1::uuid')
const selectNamesAtEnd = unprepared(
  'select from event_participants where event_id = $1::integer and name_at_end is not null',
)

const ENDED = refusal(403, 'EVENT_ENDED', 'The event has ended: only its staff changes teams')

describe('after the end of a contest, teams', () => {
  const create = (by: Caller, eventId: number, expected: Expected) =>
    by.post(`${urlOf(eventId)}/teams`, { name: 'After the end' }, expected)

  it('are created and joined by its staff only (403), also with extra minutes', async () => {
    const [owner, manager] = [await createPerson(), await createPerson()]
    const eventId = await createEvent({ teams: true, user_id: owner.id, staff: [manager.id] })
    const team = await createTeam('Before the end', eventId)
    const [alone, longer, outsider] = [await createPerson(), await createPerson(), await createPerson()]
    await register(alone, eventId)
    await add(eventId, longer, admin, { extra_minutes: 60 })
    await end(eventId)
    const before = await admin.get(`${urlOf(eventId)}/teams`)
    for (const by of [alone, longer, outsider, judge]) {
      await create(by, eventId, ENDED)
      await by.post(`${team.url}/join`, undefined, ENDED)
    }
    expect(await admin.get(`${urlOf(eventId)}/teams`)).toEqual(before)
    expect(await contests.memberIds(team)).toEqual([team.creator.id])
    expect(await contests.participantIds(eventId)).not.toContain(outsider.id)
    await manager.post(`${team.url}/join`, undefined, 201)
    await create(owner, eventId, 201)
    await admin.post(`${team.url}/join`, { user_id: alone.id }, 201)
    expect(await contests.memberIds(team)).toEqual(
      expect.arrayContaining([team.creator.id, manager.id, alone.id]),
    )
  })

  it('are joined by an import, and by everybody while the contest goes on again', async () => {
    const eventId = await createEvent({ teams: true, ...over() })
    const one = newUser({ team: 'Imported' })
    const [imported] = await importUsers([one], `event_id=${eventId}`)
    const [{ id } = { id: '' }] = await admin.get(`${urlOf(eventId)}/teams`)
    expect(await rowsOf(eventId, 'team')).toEqual([id])
    const person = await createPerson()
    await person.post(`${urlOf(eventId)}/teams/${id}/join`, undefined, ENDED)
    await move(eventId, running())
    await person.post(`${urlOf(eventId)}/teams/${id}/join`, undefined, 201)
    expect(await rowsOf(eventId)).toEqual(expect.arrayContaining([imported?.id, person.id]))
  })
})

describe('a user who registers after the end', () => {
  it('takes part without a row, until the end is moved behind the registration', async () => {
    const [early, late] = [await createPerson(), await createPerson()]
    const eventId = await createEvent({ scoreboard: 'public' })
    await register(early, eventId)
    await end(eventId)
    await register(late, eventId)
    expect(await contests.participantIds(eventId)).toEqual([early.id, late.id])
    expect(await rowsOf(eventId)).toEqual([early.id])
    const tag = async () => (await anonymous.send('GET', `${urlOf(eventId)}/standings`)).headers.etag
    const before = await tag()
    await move(eventId, { end_time: isoIn(60) })
    expect(await tag()).not.toBe(before)
    expect((await rowsOf(eventId)).toSorted()).toEqual([early.id, late.id].toSorted())
    await end(eventId)
    expect(await rowsOf(eventId)).toHaveLength(2)
    await move(eventId, { end_time: isoIn(-30) })
    expect(await rowsOf(eventId)).toEqual([])
  })

  it('has a row once staff adds the user: by a change, an import, a team or anew', async () => {
    const eventId = await createEvent({ teams: true })
    const team = await createTeam('Existing', eventId)
    const people: Person[] = []
    while (people.length < 5) people.push(await createPerson())
    const [changed, imported, member, anew, later] = people as [Person, Person, Person, Person, Person]
    await end(eventId)
    for (const person of people) await register(person, eventId)
    expect(await rowsOf(eventId)).toEqual([team.creator.id])
    await add(eventId, changed)
    await importUsers([{ name: imported.name, email: imported.email }], `event_id=${eventId}`)
    await admin.post(`${team.url}/join`, { user_id: member.id }, 201)
    await admin.delete(`${urlOf(eventId)}/participants/${anew.id}`, 204)
    await admin.post(`${urlOf(eventId)}/participants`, { user_id: anew.id }, 201)
    await admin.post(
      `${urlOf(eventId)}/participants`,
      { user_id: later.id },
      refusal(409, 'ALREADY_REGISTERED'),
    )
    const added = [team.creator, changed, imported, member, anew].map(({ id }) => id)
    expect((await rowsOf(eventId)).toSorted()).toEqual(added.toSorted())
  })

  it('is compared with the end by the submission or team that registered the user', async () => {
    const eventId = await createEvent({ teams: true, problems: [{ problem_id: problem.id }] })
    const [submitter, creator, mate] = [await createPerson(), await createPerson(), await createPerson()]
    const byAdmin = await createPerson()
    await contests.giveVerdict(await contests.submit(submitter, { event_id: eventId }), 'ACCEPTED')
    const body = { ...submissionBody(byAdmin, problem, contests.language), event_id: eventId }
    await admin.post('/v1/submissions', body, 201)
    const { url, id } = await createTeam('Early', eventId, creator)
    await mate.post(`${url}/join`, undefined, 201)
    const all = [submitter, creator, mate, byAdmin].map((person) => person.id)
    expect((await rowsOf(eventId)).toSorted()).toEqual(all.toSorted())
    await end(eventId)
    expect(await rowsOf(eventId, 'team')).toEqual([id])
    await move(eventId, { end_time: isoIn(-30) })
    expect(await rowsOf(eventId)).toEqual([byAdmin.id])
    expect(await rowsOf(eventId, 'team')).toEqual([])
    expect(await admin.get(`${urlOf(eventId)}/attempts`)).toEqual([])
  })
})

describe('rows of equal rank', () => {
  const rename = (person: Person, name: string) =>
    admin.put(`/v1/users/${person.id}`, { name: `${name} ${person.id}` }, 204)
  const openContest = async () => {
    const eventId = await createEvent()
    const [anna, bert, carl] = [await createPerson(), await createPerson(), await createPerson()] as const
    for (const [person, name] of [
      [anna, 'Anna'] as const,
      [bert, 'Bert'] as const,
      [carl, 'Carl'] as const,
    ]) {
      await rename(person, name)
      await add(eventId, person)
    }
    return { eventId, anna, bert, carl }
  }
  const namesOf = async (eventId: number): Promise<string[]> => {
    const { rows } = await stranger.get(`${urlOf(eventId)}/standings`)
    return rows.map(({ rank, user }: Row) => `${rank} ${user.name.split(' ')[0]}`)
  }

  it('keep their order when users are renamed after the end, with their new names', async () => {
    const { eventId, anna, bert, carl } = await openContest()
    const [a, b, c] = [anna.id, bert.id, carl.id]
    await rename(anna, 'Dora')
    expect(await rowsOf(eventId)).toEqual([b, c, a])
    await end(eventId)
    await rename(bert, 'Zoe')
    await rename(anna, 'Adam')
    await rename(anna, 'Bea')
    expect(await namesOf(eventId)).toEqual(['1 Zoe', '1 Carl', '1 Bea'])
    expect(await rowsOf(eventId)).toEqual([b, c, a])
  })

  it('are listed by the names at the new end if the contest goes on', async () => {
    const { eventId, anna, bert, carl } = await openContest()
    const [a, b, c] = [anna.id, bert.id, carl.id]
    await end(eventId)
    await rename(anna, 'Zoe')
    expect(await rowsOf(eventId)).toEqual([a, b, c])
    await move(eventId, { end_time: isoIn(60) })
    expect(await rowsOf(eventId)).toEqual([b, c, a])
    await end(eventId)
    await rename(anna, 'Anna')
    await move(eventId, { title: 'The same times', end_time: isoIn(-1) })
    expect(await rowsOf(eventId)).toEqual([b, c, a])
  })

  it('keep the rank of a deleted account, but not its name at the end', async () => {
    const { eventId, anna } = await openContest()
    await end(eventId)
    await rename(anna, 'Formerlynamed')
    await contests.deleteUser(anna)
    expect(await namesOf(eventId)).toEqual(['1 Bert', '1 Carl', '1 Deleted'])
    expect(await service.database.query(selectNamesAtEnd, [eventId])).toEqual([])
  })

  it('of teams keep their order too, and change it before the end', async () => {
    const eventId = await createEvent({ teams: true })
    const [one, two] = [await createTeam('One', eventId), await createTeam('Two', eventId)]
    expect(await rowsOf(eventId, 'team')).toEqual([one.id, two.id])
    await service.database.query(renameTeam, [one.id, 'Zebras'])
    expect(await rowsOf(eventId, 'team')).toEqual([two.id, one.id])
    await end(eventId)
    for (const name of ['Antelopes', 'Bears']) await service.database.query(renameTeam, [one.id, name])
    expect(await rowsOf(eventId, 'team')).toEqual([two.id, one.id])
    const { rows } = await stranger.get(`${urlOf(eventId)}/standings?by=team`)
    expect(rows.map(({ rank, team }: Row) => `${rank} ${team.name}`)).toEqual(['1 Two', '1 Bears'])
  })
})

describe('a contest whose end becomes earlier', () => {
  const submitTo = async (eventId: number, by: Person) => {
    await contests.giveVerdict(await contests.submit(by, { event_id: eventId }), 'ACCEPTED')
  }

  it('counts no submission after the new end, if it is moved to the future and then to the past', async () => {
    const eventId = await createEvent({ problems: [{ problem_id: problem.id }] })
    const person = await createPerson()
    await add(eventId, person)
    await submitTo(eventId, person)
    await move(eventId, scheduled())
    expect(await expectRecounted(service, eventId)).toHaveLength(1)
    await move(eventId, over())
    expect(await expectRecounted(service, eventId)).toEqual([])
    expect(await person.get(`${urlOf(eventId)}/user_problem_status`)).toEqual([])
    const { rows } = await stranger.get(`${urlOf(eventId)}/standings`)
    expect(rows).toMatchObject([{ solved: 0, cells: [] }])
    await move(eventId, running())
    expect(await expectRecounted(service, eventId)).toHaveLength(1)
  })

  it('counts no submission that a clock, which was put back since, dated after its end', async () => {
    const eventId = await createEvent({ problems: [{ problem_id: problem.id }] })
    const person = await createPerson()
    await add(eventId, person)
    const dated = { user_id: person.id, problem_id: problem.id, minute: 90, status: 'ACCEPTED' }
    await storeSubmission(service, eventId, { ...dated, id: uuidv7() })
    expect(await expectRecounted(service, eventId)).toHaveLength(1)
    await end(eventId)
    expect(await expectRecounted(service, eventId)).toEqual([])
  })

  it.each([
    ['scheduled', scheduled],
    ['running', running],
    ['ended', over],
  ])('is counted again in the state %s', async (_, timesOf) => {
    const eventId = await createEvent({ problems: [{ problem_id: problem.id }] })
    const person = await createPerson()
    await add(eventId, person)
    await submitTo(eventId, person)
    await move(eventId, { start_time: isoIn(-90), end_time: isoIn(90) })
    await move(eventId, timesOf())
    await expectRecounted(service, eventId)
    const { end_time } = timesOf()
    await move(eventId, { end_time: new Date(Date.parse(end_time) - 60_000).toISOString() })
    await expectRecounted(service, eventId)
    await end(eventId)
    await expectRecounted(service, eventId)
    await move(eventId, over())
    expect(await expectRecounted(service, eventId)).toEqual([])
  })
})
