import { describe, expect, it } from 'vitest'
import { NOBODY } from '../features/judging-support.ts'
import type { Person } from '../support/app.ts'
import { NO_EVENT, openContests, over, running, scheduled } from './events-support.ts'

const contests = await openContests()

const publicUrl = (id: number) => `/v1/public/events/${id}`
const register = (person: Person | 'judge', id: number) =>
  contests.ask(person, 'POST', `${publicUrl(id)}/register`)
const add = (id: number, body: unknown, caller: Person | 'judge' = contests.admin) =>
  contests.ask(caller, 'POST', `/v1/events/${id}/participants`, body)
const readUser = async ({ id }: Person) => (await contests.ask(contests.admin, 'GET', `/v1/users/${id}`)).body

/** The participants as each of the four places that show all of them does. */
async function readEverywhere(id: number) {
  const { admin, stranger } = contests
  const whole = await contests.ask(stranger, 'GET', publicUrl(id))
  const lists = [
    await contests.ask(stranger, 'GET', `${publicUrl(id)}/participants`),
    await contests.ask(admin, 'GET', `/v1/events/${id}/participants`),
  ]
  for (const { status } of lists) expect(status).toBe(200)
  expect(whole.body.participant_count).toBe(whole.body.participants.length)
  return [whole.body.participants, ...lists.map(({ body }) => body)]
}

describe('registering for an event', () => {
  it('lets the caller take part (201), and refuses the second time (409) [POST /v1/public/events/{event_id}/register] [Error: 409]', async () => {
    const id = await contests.createEvent()
    const person = await contests.service.createPerson()
    const answer = await register(person, id)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./) })
    for (let n = 0; n < 2; n += 1) {
      expect(await register(person, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REGISTERED' } })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([await readUser(person)])
  })

  it('is open before the start, while it runs, and after the end, to look back (D34)', async () => {
    for (const when of [scheduled(), running(), over()]) {
      const id = await contests.createEvent(when)
      const person = await contests.service.createPerson()
      expect(await register(person, id)).toMatchObject({ status: 201 })
      const listed = await contests.ask(person, 'GET', '/v1/public/events')
      expect(listed.body.find((one: { id: number }) => one.id === id)).toMatchObject({
        participants: [{ id: person.id }],
        participant_count: 1,
      })
    }
  })

  it('is for one event: others are as they were', async () => {
    const [one, other] = [await contests.createEvent(), await contests.createEvent()]
    const person = await contests.service.createPerson()
    await register(person, one)
    for (const list of await readEverywhere(other)) expect(list).toEqual([])
    expect(await register(person, other)).toMatchObject({ status: 201 })
  })

  it('lets admins take part too, and not judges, who are nobody (404)', async () => {
    const id = await contests.createEvent()
    expect(await register(contests.admin, id)).toMatchObject({ status: 201 })
    const error = 'There is no such user'
    expect(await register('judge', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', error } })
  })

  it('is 404 for an event that nobody knows, 400 for what is no id [Error: 404]', async () => {
    const error = 'There is no such event'
    expect(await register(contests.user, NO_EVENT)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error },
    })
    const answer = await contests.ask(contests.user, 'POST', '/v1/public/events/first/register')
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
  })

  it('takes an absent, an empty and any other body', async () => {
    for (const raw of ['', '{}', '{"user_id": "somebody else"}', 'null', '{']) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const request = { method: 'POST', url: `${publicUrl(id)}/register`, token: person.token, raw } as const
      expect(await contests.service.send(request), raw).toMatchObject({ status: 201 })
      for (const list of await readEverywhere(id)) expect(list).toMatchObject([{ id: person.id }])
    }
  })

  it('is granted once to one user who asks many times at the same instant: exactly one 201, the others 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const answers = await Promise.all(Array.from({ length: 8 }, () => register(person, id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
      for (const list of await readEverywhere(id)) expect(list).toHaveLength(1)
    }
  })

  it('and being added by an admin at the same instant are one: one 201, the others 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const added = Array.from({ length: 3 }, () => add(id, { user_id: person.id }))
      const answers = await Promise.all([...added, register(person, id), register(person, id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    }
  })
})

describe('adding a participant', () => {
  it('lets the user take part (201), and is refused where they do already (409) [POST /v1/events/{id}/participants] [Error: 409]', async () => {
    const id = await contests.createEvent()
    const { user } = contests
    const answer = await add(id, { user_id: user.id.toUpperCase() })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./) })
    for (const list of await readEverywhere(id)) expect(list).toEqual([await readUser(user)])
    expect(await add(id, { user_id: user.id })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_REGISTERED' },
    })
    expect(await register(user, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REGISTERED' } })
  })

  it('is 404 for a user whom nobody knows or who is deleted, and for an unknown event [Error: 404]', async () => {
    const id = await contests.createEvent()
    const gone = await contests.service.createPerson()
    await contests.ask(contests.admin, 'DELETE', `/v1/users/${gone.id}`)
    for (const user_id of [NOBODY, gone.id, '00000000-0000-0000-0000-000000000000']) {
      expect(await add(id, { user_id })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such user' },
      })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([])
    expect(await add(NO_EVENT, { user_id: contests.user.id })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such event' },
    })
  })

  it.each([
    [{}, 'user_id is required'],
    [{ user_id: null }, 'user_id must be a string'],
    [{ user_id: 'me' }, 'user_id must be a UUID'],
    [{ user_id: 5 }, 'user_id must be a string'],
  ])('is refused for %j with a message that says why (400)', async (body, message) => {
    const id = await contests.createEvent()
    expect(await add(id, body)).toMatchObject({ status: 400, body: { code: '400', message } })
  })

  it('is for admins: users, the owner and judges are refused (403) [Error: 403]', async () => {
    const { user, stranger } = contests
    const id = await contests.createEvent({ user_id: user.id })
    for (const caller of [user, stranger, 'judge'] as const) {
      const answer = await add(id, { user_id: stranger.id }, caller)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([])
  })
})

describe('the participants of an event', () => {
  it('are users with exactly their fields, in the order of joining [GET /v1/public/events/{event_id}/participants] [GET /v1/events/{id}/participants] [Fields: User]', async () => {
    const { admin, service } = contests
    const id = await contests.createEvent()
    const people = [
      await service.createPerson(),
      admin,
      await service.createPerson(),
      await service.createPerson(),
    ]
    const [second, third, first, fourth] = people
    for (const person of [first, second, third, fourth]) await add(id, { user_id: person?.id })
    const expected = [first, second, third, fourth].map((person) => ({
      id: person?.id,
      name: person?.name,
      email: person?.email,
      image: '',
      is_admin: person === admin,
      join_date: expect.stringMatching(/^\d{4}-.*Z$/),
    }))
    for (const list of await readEverywhere(id)) expect(list).toEqual(expected)
  })

  it('who are deleted stay as Deleted user with an empty e-mail and image, everywhere (D16)', async () => {
    const { admin, service } = contests
    const id = await contests.createEvent()
    const [stays, goes] = [
      await service.createPerson({ admin: true }),
      await service.createPerson({ admin: true }),
    ]
    const image = 'https://example.org/face.png'
    await contests.ask(admin, 'PUT', `/v1/users/${goes.id}`, { image })
    for (const person of [goes, stays]) expect(await register(person, id)).toMatchObject({ status: 201 })
    for (const list of await readEverywhere(id)) expect(list).toMatchObject([{ image }, { id: stays.id }])

    await contests.ask(admin, 'DELETE', `/v1/users/${goes.id}`)
    const scrubbed = { name: 'Deleted user', email: '', image: '', is_admin: false }
    for (const list of await readEverywhere(id)) {
      expect(list).toEqual([
        { id: goes.id, ...scrubbed, join_date: expect.any(String) },
        await readUser(stays),
      ])
    }
    expect(await add(id, { user_id: goes.id })).toMatchObject({ status: 404 })
  })

  it('are 404 for an event that nobody knows [Error: 404]', async () => {
    for (const url of [`${publicUrl(NO_EVENT)}/participants`, `/v1/events/${NO_EVENT}/participants`]) {
      expect(await contests.ask(contests.admin, 'GET', url)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such event' },
      })
    }
  })

  it('are for every user on the public path, for admins only on the other (403) [Error: 403]', async () => {
    const id = await contests.createEvent({ user_id: contests.user.id })
    for (const caller of [contests.user, contests.stranger, 'judge'] as const) {
      expect(await contests.ask(caller, 'GET', `${publicUrl(id)}/participants`)).toMatchObject({
        status: 200,
      })
      expect(await contests.ask(caller, 'GET', `/v1/events/${id}/participants`)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
    }
  })
})
