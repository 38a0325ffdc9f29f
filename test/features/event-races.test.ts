import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { type Person, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { asAdmin, createContest, readParticipants, trySubmit } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { type Problem, serviceWithProblem } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { collideAt, lockRows } from '../support/row-lock.ts'
import { contestWithTeams, type Team } from '../support/teams.ts'

const judging = await serviceWithProblem()

const ROUNDS = databaseKind === 'postgres' ? 12 : 3

const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => judging.service.createPerson()))
const openContest = (...problems: Problem[]) =>
  createContest(
    judging,
    [judging.problem, ...problems].map(({ id }) => ({ problem_id: id })),
  )
const end = (eventId: number) => asAdmin(judging, 'POST', `/v1/events/${eventId}/end`)
const statuses = (answers: readonly TestResponse[]) => answers.map(({ status }) => status)

const countOutside = unprepared<{ count: number }>(`select count(*)::integer as count
   from submissions
   join events on events.id = submissions.event_id
   where events.id = $1 and not (events.start_time <= submissions.submit_time and submissions.submit_time < events.end_time)`)

const countStored = unprepared<{ count: number }>(
  'select count(*)::integer as count from submissions where submissions.event_id = $1',
)

describe('submissions at the instant at which the contest is ended', () => {
  it('are taken or refused (403), none at or after the end that was answered, none after that answer', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const crowd = await people(6)
      const submit = (person: Person) => trySubmit(judging, person, { event_id: eventId })
      const [ended, ...answers] = await Promise.all([
        ...crowd.slice(0, 3).map(submit),
        end(eventId),
        ...crowd.map(submit),
      ]).then((all) => [...all.splice(3, 1), ...all])
      expect(ended?.status).toBe(200)
      expect(new Set([201, 403, ...statuses(answers)])).toEqual(new Set([201, 403]))
      for (const { body, status } of answers) {
        if (status === 201)
          expect(Date.parse(body.submit_time)).toBeLessThanOrEqual(Date.parse(ended?.body.end_time))
        else expect(body.code).toBe('EVENT_NOT_ACTIVE')
      }
      const { database } = judging.service
      expect(await database.query(countOutside, [eventId])).toEqual([{ count: 0 }])
      const taken = statuses(answers).filter((status) => status === 201)
      expect(await database.query(countStored, [eventId])).toEqual([{ count: taken.length }])
      expect(await submit(judging.user)).toMatchObject({ status: 403 })
      await expectRecounted(judging.service, eventId)
    }
  })

  it('leave the end where the first of many put it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const answers = await Promise.all(Array.from({ length: 6 }, () => end(eventId)))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.end_time}`)).size).toBe(1)
    }
  })
})

// A victim is asked again and answered a second later: only the database tells.
const countDeadlocks = unprepared<{ deadlocks: number }>(
  'select deadlocks::integer from pg_stat_database where datname = current_database()',
)

describe('ends and changes of a contest at the same instant as registrations', () => {
  it('all take place, and none deadlocks', async () => {
    const before = await judging.service.database.query(countDeadlocks)
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const { service, admin } = judging
      const url = `/v1/events/${eventId}`
      const answers = await Promise.all(
        (await people(6)).flatMap(({ token }) => [
          service.send({ method: 'POST', url: `/v1/public/events/${eventId}/register`, token }),
          service.send({ method: 'PUT', url, token: admin.token, body: { description: token } }),
          end(eventId),
        ]),
      )
      expect(statuses(answers)).toEqual(Array(6).fill([201, 200, 200]).flat())
    }
    expect(await judging.service.database.query(countDeadlocks)).toEqual(before)
  })
})

describe.runIf(databaseKind === 'postgres')(
  'a submission that waits for the contest (a second session)',
  () => {
    const LOCK_EVENT = 'select events.id from events where events.id = $1::integer for update'

    const collide = (eventId: number, requests: readonly (() => Promise<TestResponse>)[]) =>
      collideAt(judging.service.databaseUrl, LOCK_EVENT, String(eventId), requests)

    it('is taken by the instant of its arrival, before the end, in whichever order they come', async () => {
      const submit = (eventId: number) => () => trySubmit(judging, judging.user, { event_id: eventId })
      for (const order of [0, 1]) {
        const eventId = await openContest()
        const requests = [submit(eventId), () => end(eventId)]
        const answers = await collide(eventId, order === 0 ? requests : requests.toReversed())
        expect(statuses(answers).sort()).toEqual([200, 201])
        expect(await judging.service.database.query(countOutside, [eventId])).toEqual([{ count: 0 }])
      }
    })

    it('lies before the end also when the end was asked for first and had to wait for submissions', async () => {
      const eventId = await openContest()
      const select = 'select events.id from events where events.id = $1::integer for share'
      const lock = await lockRows(judging.service.databaseUrl ?? '', select, [eventId])
      const ending = end(eventId)
      await lock.untilWaiting(1)
      const submitted = await trySubmit(judging, judging.user, { event_id: eventId })
      await lock.release()
      expect(statuses([submitted, await ending])).toEqual([201, 200])
      expect(await judging.service.database.query(countOutside, [eventId])).toEqual([{ count: 0 }])
    })

    it('is refused when its times were moved into the past meanwhile (403)', async () => {
      const eventId = await openContest()
      const { service, admin, user } = judging
      const move = (): Promise<TestResponse> => {
        const body = { end_time: new Date(Date.now() - 60_000).toISOString() }
        return service.send({ method: 'PUT', url: `/v1/events/${eventId}`, token: admin.token, body })
      }
      const answers = await collide(eventId, [move, () => trySubmit(judging, user, { event_id: eventId })])
      expect(statuses(answers)).toEqual([200, 403])
      expect(await service.database.query(countStored, [eventId])).toEqual([{ count: 0 }])
    })

    it('finds no event when it was deleted meanwhile (404), and stays when the deletion came second', async () => {
      const remove = (eventId: number) => () => asAdmin(judging, 'DELETE', `/v1/events/${eventId}`)
      const submit = (eventId: number) => () => trySubmit(judging, judging.user, { event_id: eventId })
      const [first, second] = [await openContest(), await openContest()]
      expect(statuses(await collide(first, [remove(first), submit(first)]))).toEqual([204, 404])
      expect(await judging.service.database.query(countStored, [first])).toEqual([{ count: 0 }])
      expect(await readParticipants(judging, first)).toEqual([])
      expect(statuses(await collide(second, [submit(second), remove(second)]))).toEqual([201, 204])
      expect(await judging.service.database.query(countStored, [second])).toEqual([{ count: 1 }])
    })
  },
)

describe('the first submissions of a person at the same instant', () => {
  it('make them one participant, together with a registration, and are all taken', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const [person] = await people(1)
      if (person === undefined) throw new Error('nobody was made')
      const { token, id } = person
      const url = `/v1/public/events/${eventId}/register`
      const [registered, ...answers] = await Promise.all([
        judging.service.send({ method: 'POST', url, token }),
        ...Array.from({ length: 6 }, () => trySubmit(judging, person, { event_id: eventId })),
      ])
      expect([201, 409]).toContain(registered?.status)
      expect(statuses(answers)).toEqual(Array(6).fill(201))
      expect(await readParticipants(judging, eventId)).toEqual([id])
      const cells = await expectRecounted(judging.service, eventId)
      expect(cells).toMatchObject([{ user_id: id, attempts: 0, total_attempts: 6 }])
    }
  })

  it('leave the team that they join meanwhile', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await createContest(judging, [{ problem_id: judging.problem.id }], { teams: true })
      const [person] = await people(1)
      if (person === undefined) throw new Error('nobody was made')
      const { token, id } = person
      const url = `/v1/events/${eventId}/teams`
      const answers = await Promise.all([
        trySubmit(judging, person, { event_id: eventId }),
        judging.service.send({ method: 'POST', url, token, body: { name: 'One' } }),
        trySubmit(judging, person, { event_id: eventId }),
      ])
      expect(statuses(answers)).toEqual([201, 201, 201])
      const team = await judging.service.send({ method: 'GET', url: `${url}/me`, token })
      expect(team).toMatchObject({ status: 200, body: { members: [{ id }] } })
    }
  })
})

describe('verdicts at the same instant', () => {
  it('for all submissions of one cell, some twice and contrary, leave the cell that a recount gives', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const [person] = await people(1)
      if (person === undefined) throw new Error('nobody was made')
      const ids = await Promise.all(
        Array.from({ length: 8 }, () => judging.submit(person, { event_id: eventId })),
      )
      const answers = await Promise.all(
        ids.flatMap((id, i) => [
          judging.patch(id, { status: i % 4 === 3 ? 'ACCEPTED' : 'WRONG_ANSWER' }),
          judging.patch(id, { status: i % 3 === 2 ? 'ACCEPTED' : 'COMPILE_TIME_ERROR' }),
          judging.submit(person, { event_id: eventId }).then(() => ({ status: 204 })),
        ]),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
      expect(await expectRecounted(judging.service, eventId)).toMatchObject([{ total_attempts: 16 }])
    }
  })

  it('and the deletion of the user both take place: the verdict is stored, the account is gone', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const eventId = await openContest()
      const person = await bridged(round)
      const id = await judging.submit(person, { event_id: eventId })
      const { service } = judging
      const answers = await Promise.all([
        judging.patch(id, { status: 'ACCEPTED' }),
        service.send({ method: 'DELETE', url: `/v1/users/${person.id}`, token: person.token }),
        trySubmit(judging, person, { event_id: eventId }),
      ])
      expect(statuses(answers.slice(0, 2))).toEqual([204, 204])
      expect([201, 401]).toContain(answers[2]?.status)
      const record = await judging.readRecord(id)
      expect(record).toMatchObject({ status: 'ACCEPTED', user: { name: 'Deleted user', email: '' } })
      expect(await expectRecounted(service, eventId)).toMatchObject([
        { attempts: 1, total_attempts: answers[2]?.status === 201 ? 2 : 1 },
      ])
      expect(await trySubmit(judging, person, { event_id: eventId })).toMatchObject({ status: 401 })
    }
  })
})

/** An account by the bridge: the provider's id is a key, so deleting it locks the row more strongly. */
async function bridged(number: number): Promise<Person> {
  const name = `bridged-${number}`
  const email = `${name}@example.org`
  const body = { id: `provider|${number}`, name, email, image: '' }
  const answer = await judging.service.send({
    method: 'POST',
    url: '/v1/create_or_login_user',
    token: WEB_BRIDGE_SECRET,
    body,
  })
  expect(answer.status, answer.text).toBe(200)
  return {
    id: answer.body.id,
    name,
    email,
    token: answer.body.token,
    ...judging.service.as(answer.body.token),
  }
}

describe('submissions while their problem is deleted', () => {
  it('are taken or refused (404), and the deletion takes place', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const problem = await judging.createProblem()
      const eventId = await openContest(problem)
      const crowd = await people(4)
      const submit = (person: Person) =>
        trySubmit(judging, person, { event_id: eventId, problem_id: problem.id })
      const [removed, ...answers] = await Promise.all([
        asAdmin(judging, 'DELETE', `/v1/problems/${problem.id}`),
        ...crowd.map(submit),
      ])
      expect(removed?.status).toBe(204)
      expect(new Set([201, 404, ...statuses(answers)])).toEqual(new Set([201, 404]))
      expect(await submit(judging.user)).toMatchObject({ status: 404 })
      await expectRecounted(judging.service, eventId)
    }
  })
})

const teams = await contestWithTeams()

const rounds = databaseKind === 'postgres' ? 40 : 5

const listEmptyTeams = unprepared<{ name: string }>(`select teams.name
   from teams
   where not exists (select from event_participants where event_participants.team_id = teams.id)`)

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
