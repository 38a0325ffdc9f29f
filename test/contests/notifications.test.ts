import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { UUID } from '../features/judging-support.ts'
import type { Person, TestAnswer } from '../support/app.ts'
import { type Caller, INSTANT, openPeople, type People, readPages } from './people-support.ts'

let people: People

beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people.service.close())

const list = (by: Caller) => people.get(by, '/v1/user/notifications')
const count = async (by: Caller): Promise<unknown> => {
  const { status, body } = await people.get(by, '/v1/user/notifications/count')
  expect(status).toBe(200)
  return body
}
const markRead = (by: Caller) => people.put(by, '/v1/user/notifications/mark-read')

const ask = async (by: Person, eventId: number, question = 'Why?'): Promise<TestAnswer['body']> => {
  const asked = await people.post(by, `/v1/events/${eventId}/questions`, { question })
  expect(asked.status, asked.text).toBe(201)
  return asked.body
}
const answer = async (by: Caller, { id, event_id }: { id: string; event_id: number }, text = 'So.') => {
  const url = `/v1/events/${event_id}/questions/${id}/answer`
  expect(await people.put(by, url, { answer: text })).toMatchObject({ status: 200 })
}

/** What somebody is told: the types of the notifications, the newest first, with the texts of their questions. */
const told = async (by: Caller): Promise<string[]> =>
  (await list(by)).body.map(
    (one: TestAnswer['body']) =>
      `${one.notification_type}: ${one.question.question}${one.is_read ? ' (read)' : ''}`,
  )

type Stored = { user_id: string; notification_type: string }

const listStored = statement<Stored>(
  'list_stored',
  `select notifications.user_id::text, notifications.notification_type
   from notifications
   where notifications.question_id = $1::uuid
   order by notifications.user_id`,
)

/** Makes what a user has read as old as so many seconds. */
const ageReading = statement(
  'age_reading',
  `update notifications
   set read_at = notifications.read_at - $2::integer * interval '1 second'
   where notifications.user_id = $1::uuid and notifications.read_at is not null`,
)

/** Makes when all of a user's notifications came as old as so many days. */
const ageArrival = statement(
  'age_arrival',
  `update notifications
   set created_at = notifications.created_at - $2::integer * interval '1 day'
   where notifications.user_id = $1::uuid`,
)

const DAY_SECONDS = 86_400

describe('a question that is asked', () => {
  it('notifies every other participant, once, and nobody else [Event: question notifies]', async () => {
    const event = await people.createEvent()
    const [author, one, other] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    const elsewhere = await people.createParticipant(await people.createEvent())
    const asked = await ask(author, event, 'Heard?')
    const expected = [one, other].map(({ id }) => ({ user_id: id, notification_type: 'question' }))
    expect(await people.service.database.query(listStored, [asked.id])).toEqual(
      expected.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1)),
    )
    for (const person of [one, other]) expect(await told(person)).toEqual(['question: Heard?'])
    const others = [author, elsewhere, people.stranger, people.admin, 'judge'] as const
    for (const by of others) expect(await told(by)).not.toContain('question: Heard?')
  })

  it('by somebody who takes no part notifies all participants', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await ask(people.stranger, event, 'From outside?')
    expect(await told(participant)).toEqual(['question: From outside?'])
    expect(await told(people.stranger)).toEqual([])
  })

  it('notifies no deleted user, and nobody who joins later', async () => {
    const event = await people.createEvent()
    const [participant, gone] = [await people.createParticipant(event), await people.createParticipant(event)]
    await people.deleteUser(gone)
    const asked = await ask(people.user, event)
    const late = await people.createParticipant(event)
    const stored = await people.service.database.query(listStored, [asked.id])
    expect(stored).toEqual([{ user_id: participant.id, notification_type: 'question' }])
    expect(await told(late)).toEqual([])
  })

  it('and is refused notifies nobody', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const url = `/v1/events/${event}/questions`
    for (const body of [{ question: ' ' }, { question: 'Why?', problem_id: 2_147_483_647 }]) {
      expect((await people.post(people.user, url, body)).status).toBeGreaterThanOrEqual(400)
    }
    expect(await told(participant)).toEqual([])
  })
})

describe('a question that is answered', () => {
  it('notifies its author and nobody else, each time it is answered [Event: answer notifies] [State: question answered]', async () => {
    const event = await people.createEvent()
    const [author, participant] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    const asked = await ask(author, event)
    for (const by of [people.admin, participant, 'judge'] as const) await answer(by, asked)
    expect(await told(author)).toEqual(['answer: Why?', 'answer: Why?', 'answer: Why?'])
    expect(await told(participant)).toEqual(['question: Why?'])
  })

  it('notifies an author who takes no part, or answers himself, too', async () => {
    const event = await people.createEvent()
    const author = await people.service.createPerson()
    await answer(author, await ask(author, event))
    expect(await told(author)).toEqual(['answer: Why?'])
  })

  it('notifies no author who is deleted', async () => {
    const event = await people.createEvent()
    const author = await people.service.createPerson()
    const asked = await ask(author, event)
    await people.deleteUser(author)
    await answer(people.admin, asked)
    expect(await people.service.database.query(listStored, [asked.id])).toEqual([])
  })
})

describe('the notifications of a user', () => {
  it('read exactly so, the question as its reader sees it in the list of questions [GET /v1/user/notifications] [Fields: Notification]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const body = { question: 'Why?', problem_id: people.problem.id }
    const { body: asked } = await people.post(people.user, `/v1/events/${event}/questions`, body)
    await answer(people.admin, asked)
    const question = (await people.get(participant, `/v1/events/${event}/questions`)).body[0]
    expect(question).toMatchObject({ answer: 'So.', problem: { title: 'Answer' } })
    const unread = {
      id: expect.stringMatching(UUID),
      user_id: participant.id,
      event_id: event,
      question_id: asked.id,
      notification_type: 'question',
      is_read: false,
      created_at: asked.created_at,
      updated_at: asked.created_at,
      question,
    }
    const { status, body: before } = await list(participant)
    expect(status).toBe(200)
    expect(before).toEqual([unread])
    await markRead(participant)
    const [read] = (await list(participant)).body
    expect(read).toEqual({
      ...before[0],
      is_read: true,
      updated_at: expect.stringMatching(INSTANT),
    })
    expect(Date.parse(read.updated_at)).toBeGreaterThan(Date.parse(read.created_at) - 1)
    expect(read.updated_at).not.toBe(read.created_at)
  })

  it('are counted while they are unread [GET /v1/user/notifications/count]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    expect(await count(participant)).toEqual({ count: 0 })
    for (const expected of [1, 2, 3]) {
      await ask(people.user, event)
      expect(await count(participant)).toEqual({ count: expected })
    }
    await markRead(participant)
    expect(await count(participant)).toEqual({ count: 0 })
    await ask(people.user, event)
    expect(await count(participant)).toEqual({ count: 1 })
  })

  it('are marked as read all at once, with a message, and nobody else’s [PUT /v1/user/notifications/mark-read] [State: notification read]', async () => {
    const event = await people.createEvent()
    const [one, other] = [await people.createParticipant(event), await people.createParticipant(event)]
    for (const text of ['First?', 'Second?']) await ask(people.user, event, text)
    const { status, body } = await markRead(one)
    expect(status).toBe(200)
    expect(body).toEqual({ message: expect.stringMatching(/./) })
    expect(await told(one)).toEqual(['question: Second? (read)', 'question: First? (read)'])
    expect(await told(other)).toEqual(['question: Second?', 'question: First?'])
    expect(await count(other)).toEqual({ count: 2 })
  })

  it('keep the time at which they were read first [State: notification read]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await ask(people.user, event, 'Early?')
    await markRead(participant)
    const { body: before } = await list(participant)
    await ask(people.user, event, 'Late?')
    await markRead(participant)
    await markRead(participant)
    expect((await list(participant)).body[1]).toEqual(before[0])
  })

  it('are marked as read without a body, with an empty one, and with application/json and none (D3)', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const json = { 'content-type': 'application/json' }
    for (const form of [{}, { headers: json }, { raw: '', headers: json }, { body: {} }, { body: null }]) {
      await ask(people.user, event)
      const url = '/v1/user/notifications/mark-read'
      const request = { method: 'PUT', url, token: participant.token, ...form } as const
      expect(await people.service.send(request)).toMatchObject({ status: 200 })
      expect(await count(participant)).toEqual({ count: 0 })
    }
  })

  it('are none, and none are unread, for a new user and for a judge', async () => {
    for (const by of [await people.service.createPerson(), 'judge'] as const) {
      expect(await list(by)).toMatchObject({ status: 200, body: [] })
      expect(await count(by)).toEqual({ count: 0 })
      expect(await markRead(by)).toMatchObject({ status: 200 })
    }
  })

  it('are 401 to the token of a deleted account, which marks nothing [Auth: deleted account]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await ask(people.user, event)
    await people.deleteUser(participant)
    const path = '/v1/user/notifications'
    const refused = [
      await list(participant),
      await people.get(participant, `${path}/count`),
      await markRead(participant),
    ]
    for (const one of refused) expect(one).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
  })
})

describe('the list of notifications', () => {
  it('is newest first, by when they came and not by when they were read', async () => {
    const event = await people.createEvent()
    const author = await people.createParticipant(event)
    const asked = await ask(author, event, 'Mine?')
    await ask(people.user, event, 'Second?')
    await markRead(author)
    await answer(people.admin, asked)
    await ask(people.user, event, 'Last?')
    expect(await told(author)).toEqual(['question: Last?', 'answer: Mine?', 'question: Second? (read)'])
  })

  it('keeps what was read for 24 hours after it was read, whenever it came [GET /v1/user/notifications]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const { database } = people.service
    await ask(people.user, event, 'Read?')
    await database.query(ageArrival, [participant.id, 30])
    await markRead(participant)
    expect(await told(participant)).toEqual(['question: Read? (read)'])
    await database.query(ageReading, [participant.id, DAY_SECONDS - 60])
    expect(await told(participant)).toEqual(['question: Read? (read)'])
    await database.query(ageReading, [participant.id, 60])
    expect(await told(participant)).toEqual([])
  })

  it('keeps what is unread for ever', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await ask(people.user, event, 'Old?')
    await people.service.database.query(ageArrival, [participant.id, 400])
    await ask(people.user, event, 'New?')
    expect(await told(participant)).toEqual(['question: New?', 'question: Old?'])
    expect(await count(participant)).toEqual({ count: 2 })
  })

  it('comes by page, unread and read together (D6)', async () => {
    const event = await people.createEvent()
    const [participant, other] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    for (const text of ['1', '2', '3']) await ask(other, event, text)
    await markRead(participant)
    for (const text of ['4', '5']) await ask(other, event, text)
    const pages = await readPages(people, participant, '/v1/user/notifications?limit=2')
    const texts = pages.map((page) => page.map(({ question }: TestAnswer['body']) => question.question))
    expect(texts).toEqual([['5', '4'], ['3', '2'], ['1']])
  })

  it('gives nobody another’s page, whose cursor ever is used', async () => {
    const event = await people.createEvent()
    const [one, other] = [await people.createParticipant(event), await people.createParticipant(event)]
    for (const text of ['1', '2', '3']) await ask(people.user, event, text)
    const { headers } = await people.get(one, '/v1/user/notifications?limit=1')
    const next = headers.link?.match(/^<([^>]+)>/)?.[1] ?? ''
    for (const { user_id } of (await people.get(other, next)).body) expect(user_id).toBe(other.id)
    expect((await people.get(people.stranger, next)).body).toEqual([])
  })
})
