import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { collideAt } from '../support/row-lock.ts'
import { openTeams, type Team } from './teams-support.ts'

const teams = await openTeams()

const rounds = databaseKind === 'postgres' ? 40 : 5

const listEmptyTeams = statement<{ name: string }>(
  'list_empty_teams',
  `select teams.name
   from teams
   where not exists (select from event_participants where event_participants.team_id = teams.id)`,
)

/** Whatever happened, no team is left without a member. */
const expectNoEmptyTeam = async () => expect(await teams.service.database.query(listEmptyTeams)).toEqual([])

const describeAnswers = (answers: readonly TestResponse[]) =>
  answers.map(({ status, body }) => (status < 400 ? `${status}` : `${status} ${body.code}`)).sort()

const teamIdOf = async (person: Person): Promise<string> => {
  const { status, body } = await teams.readOwn(person)
  expect(status).toBe(200)
  return body.id
}

/** A user who takes part already, or not yet: both ways the first membership is decided by another row. */
const createUser = (round: number) =>
  round % 2 === 0 ? teams.service.createPerson() : teams.createParticipant(teams.event)

async function createTwoTeams(round: number): Promise<[Team, Team]> {
  return [await teams.createTeam(`Left ${round}`), await teams.createTeam(`Right ${round}`)]
}

describe('one user at the same instant', () => {
  it('joins exactly one of two teams (201 and 409) [POST /v1/events/{id}/teams/{team_id}/join]', async () => {
    const [left, right] = await createTwoTeams(-1)
    for (let round = 0; round < rounds; round += 1) {
      const person = await createUser(round)
      const answers = await Promise.all([teams.join(person, left.id), teams.join(person, right.id)])
      expect(describeAnswers(answers)).toEqual(['201', '409 ALREADY_ON_TEAM'])
      const joined = answers[0]?.status === 201 ? left : right
      expect(await teamIdOf(person)).toBe(joined.id)
    }
    await expectNoEmptyTeam()
  })

  it('joins one team once, however often he asks, and whoever asks for him', async () => {
    const [left, right] = await createTwoTeams(-2)
    for (let round = 0; round < rounds; round += 1) {
      const person = await createUser(round)
      const answers = await Promise.all([
        ...[left, left, right].map(({ id }) => teams.join(person, id)),
        ...[right, right, left].map(({ id }) => teams.join(teams.admin, id, { user_id: person.id })),
      ])
      expect(describeAnswers(answers)).toEqual(['201', ...Array(5).fill('409 ALREADY_ON_TEAM')])
    }
    await expectNoEmptyTeam()
  })

  it('makes exactly one of two teams, and none is left without a member (201 and 409) [POST /v1/events/{id}/teams]', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await createUser(round)
      const names = round % 3 === 0 ? ['Same', 'same'] : ['One', 'Other']
      const answers = await Promise.all(names.map((name) => teams.create(person, `${name} ${round} of two`)))
      expect(describeAnswers(answers)).toEqual(['201', '409 ALREADY_ON_TEAM'])
      const made = answers.find(({ status }) => status === 201)
      expect(await teamIdOf(person)).toBe(made?.body.team_id)
    }
    const { body: all } = await teams.list(teams.admin)
    expect(all.filter(({ name }: { name: string }) => name.endsWith('of two'))).toHaveLength(rounds)
    await expectNoEmptyTeam()
  })

  it('either makes a team or joins one (201 and 409)', async () => {
    const { id } = await teams.createTeam('To be joined')
    for (let round = 0; round < rounds; round += 1) {
      const person = await createUser(round)
      const requests = [() => teams.create(person, `Or made ${round}`), () => teams.join(person, id)]
      const ordered = round % 4 < 2 ? requests : requests.toReversed()
      const answers = await Promise.all(ordered.map((request) => request()))
      expect(describeAnswers(answers)).toEqual(['201', '409 ALREADY_ON_TEAM'])
      const made = answers.find(({ status }) => status === 201)
      expect(await teamIdOf(person)).toBe(made?.body.team_id ?? id)
    }
    await expectNoEmptyTeam()
  })

  it('registers and joins: the membership stands, whichever comes first', async () => {
    const { id } = await teams.createTeam('Of the registered')
    for (let round = 0; round < rounds; round += 1) {
      const person = await teams.service.createPerson()
      const register = () => teams.post(person, `/v1/public/events/${teams.event}/register`)
      const requests = [register, () => teams.join(person, id)]
      const ordered = round % 2 === 0 ? requests : requests.toReversed()
      const answers = describeAnswers(await Promise.all(ordered.map((request) => request())))
      expect([
        ['201', '201'],
        ['201', '409 ALREADY_REGISTERED'],
      ]).toContainEqual(answers)
      expect(await teamIdOf(person)).toBe(id)
    }
    const ids = await teams.participantIds(teams.event)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('registers and makes a team: the membership stands, whichever comes first', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const person = await teams.service.createPerson()
      const [registered, made] = await Promise.all([
        teams.post(person, `/v1/public/events/${teams.event}/register`),
        teams.create(person, `Registered ${round}`),
      ])
      expect(['201', '409 ALREADY_REGISTERED']).toContain(describeAnswers([registered]).join())
      expect(made.status).toBe(201)
      expect(await teamIdOf(person)).toBe(made.body.team_id)
    }
    await expectNoEmptyTeam()
  })

  it('is deleted and joins or makes a team: done before, or refused', async () => {
    const { id } = await teams.createTeam('Of the deleted')
    for (let round = 0; round < rounds; round += 1) {
      const person = await createUser(round)
      const [change, deletion] = await Promise.all([
        round % 4 < 2 ? teams.join(person, id) : teams.create(person, `Deleted ${round}`),
        teams.ask(teams.admin, 'DELETE', `/v1/users/${person.id}`),
      ])
      expect(deletion.status).toBe(204)
      expect(['201', '401 ACCOUNT_DELETED', '404 NOT_FOUND']).toContain(describeAnswers([change]).join())
    }
    await expectNoEmptyTeam()
  })
})

describe('two users at the same instant', () => {
  it('make one team of a name; the other is neither on a team nor a participant (201 and 409) [POST /v1/events/{id}/teams] [Error: 409]', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const people = [await teams.service.createPerson(), await teams.service.createPerson()]
      const answers = await Promise.all([
        teams.create(people[0] ?? teams.admin, `Wanted ${round}`),
        teams.create(people[1] ?? teams.admin, `WANTED ${round}`),
      ])
      expect(describeAnswers(answers)).toEqual(['201', '409 TEAM_NAME_TAKEN'])
      const loser = people[answers.findIndex(({ status }) => status === 409)]
      expect(await teams.readOwn(loser ?? teams.admin)).toMatchObject({ status: 404 })
      expect(await teams.participantIds(teams.event)).not.toContain(loser?.id)
    }
    await expectNoEmptyTeam()
  })

  it('who want each other’s names and make two teams each end with one each at most, and never in a deadlock', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = [await createUser(round), await createUser(round)]
      const [first, second] = [`First ${round}`, `Second ${round}`]
      const answers = await Promise.all([
        ...[first, second].map((name) => teams.create(one, name)),
        ...[second, first].map((name) => teams.create(other, name)),
      ])
      const lawful = ['201', '409 ALREADY_ON_TEAM', '409 TEAM_NAME_TAKEN']
      for (const answer of describeAnswers(answers)) expect(lawful).toContain(answer)
      for (const pair of [answers.slice(0, 2), answers.slice(2)]) {
        expect(pair.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1)
      }
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1)
    }
    await expectNoEmptyTeam()
  })

  it('join one team, and both are on it', async () => {
    const { id, creator } = await teams.createTeam('For everybody')
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => createUser(i)))
    const answers = await Promise.all(people.map((person) => teams.join(person, id)))
    expect(answers.map(({ status }) => status)).toEqual(people.map(() => 201))
    const ids = [creator, ...people].map((person) => person.id)
    expect((await teams.memberIds(id)).toSorted()).toEqual(ids.toSorted())
  })
})

describe('an event that is changed at the same instant', () => {
  it('leaves a team that was made whole, and refuses the rest with a 404', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const event = await teams.createTeamEvent()
      const [one, other] = [await teams.service.createPerson(), await teams.service.createPerson()]
      const isDeleted = round % 2 === 0
      const [change, ...made] = await Promise.all([
        isDeleted
          ? teams.ask(teams.admin, 'DELETE', `/v1/events/${event}`)
          : teams.put(teams.admin, `/v1/events/${event}`, { teams: false }),
        teams.create(one, 'One', event),
        teams.create(other, 'Other', event),
      ])
      expect(change.status).toBe(isDeleted ? 204 : 200)
      const refused = isDeleted ? '404 NOT_FOUND' : '404 NOT_A_TEAM_EVENT'
      for (const answer of describeAnswers(made)) expect(['201', refused]).toContain(answer)
    }
    await expectNoEmptyTeam()
  })
})

describe.runIf(databaseKind === 'postgres')('requests that wait for the same membership', () => {
  const membership = 'select from event_participants where event_participants.user_id = $1::uuid for update'

  it('are decided by the first of them, whichever it is', async () => {
    const [left, right] = await createTwoTeams(-3)
    const ways = (person: Person, name: string) => [
      () => teams.join(person, left.id),
      () => teams.create(person, name),
      () => teams.join(person, right.id),
    ]
    for (const turn of [0, 1, 2]) {
      const person = await teams.createParticipant(teams.event)
      const all = ways(person, `Waited for ${turn}`)
      const turned = [...all.slice(turn), ...all.slice(0, turn)]
      const answers = await collideAt(teams.service.databaseUrl, membership, person.id, turned)
      const [first, ...others] = answers.map((answer) => describeAnswers([answer]).join())
      expect(first).toBe('201')
      expect(others).toEqual(['409 ALREADY_ON_TEAM', '409 ALREADY_ON_TEAM'])
      const expected = [left.id, answers[0]?.body.team_id, right.id][turn]
      expect(await teamIdOf(person)).toBe(expected)
    }
    await expectNoEmptyTeam()
  })
})
