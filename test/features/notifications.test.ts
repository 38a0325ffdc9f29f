import { describe, expect, it, vi } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { type Person, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { INSTANT, readPages, serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { UUID } from '../support/ids.ts'
import { serviceWithQuestions } from '../support/notifications.ts'

const people = await serviceWithQuestions()

type Stored = { user_id: string; notification_type: string }

const listStored = unprepared<Stored>(`select notifications.user_id::text, notifications.notification_type
   from notifications
   where notifications.question_id = $1::uuid
   order by notifications.user_id`)

describe('a question that is asked', () => {
  it('notifies every other participant, once, and nobody else [Event: question notifies]', async () => {
    const event = await people.createEvent()
    const [author, one, other] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    const elsewhere = await people.createParticipant(await people.createEvent())
    const asked = await people.askIn(event, author, 'Heard?')
    const expected = [one, other].map(({ id }) => ({ user_id: id, notification_type: 'question' }))
    expect(await people.service.database.query(listStored, [asked.id])).toEqual(
      expected.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1)),
    )
    for (const person of [one, other]) expect(await people.told(person)).toEqual(['question: Heard?'])
    const others = [author, elsewhere, people.stranger, people.admin, 'judge'] as const
    for (const by of others) expect(await people.told(by)).not.toContain('question: Heard?')
  })

  it('by somebody who takes no part notifies all participants', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await people.askIn(event, people.stranger, 'From outside?')
    expect(await people.told(participant)).toEqual(['question: From outside?'])
    expect(await people.told(people.stranger)).toEqual([])
  })

  it('notifies no deleted user, and nobody who joins later', async () => {
    const event = await people.createEvent()
    const [participant, gone] = [await people.createParticipant(event), await people.createParticipant(event)]
    await people.deleteUser(gone)
    const asked = await people.askIn(event, people.user)
    const late = await people.createParticipant(event)
    const stored = await people.service.database.query(listStored, [asked.id])
    expect(stored).toEqual([{ user_id: participant.id, notification_type: 'question' }])
    expect(await people.told(late)).toEqual([])
  })

  it('and is refused notifies nobody', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const url = `/v1/events/${event}/questions`
    for (const body of [{ question: ' ' }, { question: 'Why?', problem_id: 2_147_483_647 }]) {
      expect((await people.post(people.user, url, body)).status).toBeGreaterThanOrEqual(400)
    }
    expect(await people.told(participant)).toEqual([])
  })
})

describe('a question that is answered', () => {
  it('notifies its author and nobody else, each time it is answered [Event: answer notifies] [State: question answered]', async () => {
    const event = await people.createEvent()
    const [author, participant] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    const asked = await people.askIn(event, author)
    for (const by of [people.admin, participant, 'judge'] as const) await people.answerTo(asked, by)
    expect(await people.told(author)).toEqual(['answer: Why?', 'answer: Why?', 'answer: Why?'])
    expect(await people.told(participant)).toEqual(['question: Why?'])
  })

  it('notifies an author who takes no part, or answers himself, too', async () => {
    const event = await people.createEvent()
    const author = await people.service.createPerson()
    await people.answerTo(await people.askIn(event, author), author)
    expect(await people.told(author)).toEqual(['answer: Why?'])
  })

  it('notifies no author who is deleted', async () => {
    const event = await people.createEvent()
    const author = await people.service.createPerson()
    const asked = await people.askIn(event, author)
    await people.deleteUser(author)
    await people.answerTo(asked, people.admin)
    expect(await people.service.database.query(listStored, [asked.id])).toEqual([])
  })
})

describe('the notifications of a user', () => {
  it('read exactly so, the question as its reader sees it in the list of questions [GET /v1/user/notifications] [Fields: Notification]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const body = { question: 'Why?', problem_id: people.problem.id }
    const { body: asked } = await people.post(people.user, `/v1/events/${event}/questions`, body)
    await people.answerTo(asked, people.admin)
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
    const { status, body: before } = await people.list(participant)
    expect(status).toBe(200)
    expect(before).toEqual([unread])
    await people.markRead(participant)
    const [read] = (await people.list(participant)).body
    expect(read).toEqual({
      ...before[0],
      is_read: true,
      updated_at: expect.stringMatching(INSTANT),
    })
    expect(Date.parse(read.updated_at)).toBeGreaterThanOrEqual(Date.parse(read.created_at))
    expect(read.updated_at).not.toBe(read.created_at)
  })

  it('are counted while they are unread [GET /v1/user/notifications/count]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    expect(await people.count(participant)).toBe(0)
    for (const expected of [1, 2, 3]) {
      await people.askIn(event, people.user)
      expect(await people.count(participant)).toBe(expected)
    }
    await people.markRead(participant)
    expect(await people.count(participant)).toBe(0)
    await people.askIn(event, people.user)
    expect(await people.count(participant)).toBe(1)
  })

  it('are marked as read all at once, with a message, and nobody else’s [PUT /v1/user/notifications/mark-read] [State: notification read]', async () => {
    const event = await people.createEvent()
    const [one, other] = [await people.createParticipant(event), await people.createParticipant(event)]
    for (const text of ['First?', 'Second?']) await people.askIn(event, people.user, text)
    const { status, body } = await people.markRead(one)
    expect(status).toBe(200)
    expect(body).toEqual({ message: expect.stringMatching(/./) })
    expect(await people.told(one)).toEqual(['question: Second? (read)', 'question: First? (read)'])
    expect(await people.told(other)).toEqual(['question: Second?', 'question: First?'])
    expect(await people.count(other)).toBe(2)
  })

  it('keep the time at which they were read first [State: notification read]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await people.askIn(event, people.user, 'Early?')
    await people.markRead(participant)
    const { body: before } = await people.list(participant)
    await people.askIn(event, people.user, 'Late?')
    await people.markRead(participant)
    await people.markRead(participant)
    expect((await people.list(participant)).body[1]).toEqual(before[0])
  })

  it('are marked as read without a body, with an empty one, and with application/json and none (D3)', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const json = { 'content-type': 'application/json' }
    for (const form of [{}, { headers: json }, { raw: '', headers: json }, { body: {} }, { body: null }]) {
      await people.askIn(event, people.user)
      const url = '/v1/user/notifications/mark-read'
      const request = { method: 'PUT', url, token: participant.token, ...form } as const
      expect(await people.service.send(request)).toMatchObject({ status: 200 })
      expect(await people.count(participant)).toBe(0)
    }
  })

  it('are none, and none are unread, for a new user and for a judge', async () => {
    for (const by of [await people.service.createPerson(), 'judge'] as const) {
      expect(await people.list(by)).toMatchObject({ status: 200, body: [] })
      expect(await people.count(by)).toBe(0)
      expect(await people.markRead(by)).toMatchObject({ status: 200 })
    }
  })

  it('are 401 to the token of a deleted account [Auth: deleted account]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await people.askIn(event, people.user)
    await people.deleteUser(participant)
    const refused = [
      await people.list(participant),
      await people.readCount(participant),
      await people.markRead(participant),
    ]
    for (const one of refused) expect(one).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
  })
})

describe('a token from before a password reset', () => {
  it('reads no notifications, and marks none as read (401)', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await people.askIn(event, people.user)
    const old = await people.withOldToken(participant)
    const refused = [await people.list(old), await people.readCount(old), await people.markRead(old)]
    for (const one of refused) expect(one).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
    expect(await people.count(participant)).toBe(1)
  })
})

/** Makes what a user has read as old as so many seconds. */
const ageReading = unprepared(`update notifications
   set read_at = notifications.read_at - $2::integer * interval '1 second'
   where notifications.user_id = $1::uuid and notifications.read_at is not null`)

/** Makes when all of a user's notifications came as old as so many days. */
const ageArrival = unprepared(`update notifications
   set created_at = notifications.created_at - $2::integer * interval '1 day'
   where notifications.user_id = $1::uuid`)

const DAY_SECONDS = 86_400

describe('the list of notifications', () => {
  it('is newest first, by when they came and not by when they were read', async () => {
    const event = await people.createEvent()
    const author = await people.createParticipant(event)
    const asked = await people.askIn(event, author, 'Mine?')
    await people.askIn(event, people.user, 'Second?')
    await people.markRead(author)
    await people.answerTo(asked, people.admin)
    await people.askIn(event, people.user, 'Last?')
    expect(await people.told(author)).toEqual([
      'question: Last?',
      'answer: Mine?',
      'question: Second? (read)',
    ])
  })

  it('keeps what was read for 24 hours after it was read, whenever it came [GET /v1/user/notifications]', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const { database } = people.service
    await people.askIn(event, people.user, 'Read?')
    await database.query(ageArrival, [participant.id, 30])
    await people.markRead(participant)
    expect(await people.told(participant)).toEqual(['question: Read? (read)'])
    await database.query(ageReading, [participant.id, DAY_SECONDS - 60])
    expect(await people.told(participant)).toEqual(['question: Read? (read)'])
    await database.query(ageReading, [participant.id, 60])
    expect(await people.told(participant)).toEqual([])
  })

  it('keeps what is unread for ever', async () => {
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    await people.askIn(event, people.user, 'Old?')
    await people.service.database.query(ageArrival, [participant.id, 400])
    await people.askIn(event, people.user, 'New?')
    expect(await people.told(participant)).toEqual(['question: New?', 'question: Old?'])
    expect(await people.count(participant)).toBe(2)
  })

  it('comes by page, unread and read together (D6)', async () => {
    const event = await people.createEvent()
    const [participant, other] = [
      await people.createParticipant(event),
      await people.createParticipant(event),
    ]
    for (const text of ['1', '2', '3']) await people.askIn(event, other, text)
    await people.markRead(participant)
    for (const text of ['4', '5']) await people.askIn(event, other, text)
    const pages = await readPages(people, participant, '/v1/user/notifications?limit=2')
    const texts = pages.map((page) => page.map(({ question }: TestResponse['body']) => question.question))
    expect(texts).toEqual([['5', '4'], ['3', '2'], ['1']])
  })

  it('gives nobody another’s page, whose cursor ever is used', async () => {
    const event = await people.createEvent()
    const [one, other] = [await people.createParticipant(event), await people.createParticipant(event)]
    for (const text of ['1', '2', '3']) await people.askIn(event, people.user, text)
    const { headers } = await people.get(one, '/v1/user/notifications?limit=1')
    const next = headers.link?.match(/^<([^>]+)>/)?.[1] ?? ''
    for (const { user_id } of (await people.get(other, next)).body) expect(user_id).toBe(other.id)
    expect((await people.get(people.stranger, next)).body).toEqual([])
  })
})

const PARTICIPANTS = 5_000

const fillParticipants = unprepared(`with made as (
     insert into users (id, name, email)
     select gen_random_uuid(), 'Participant ' || n, n || '@participants.example.org'
     from generate_series(1, $2::integer) as number (n)
     returning users.id
   )
   insert into event_participants (event_id, user_id) select $1::integer, made.id from made`)

const countByQuestion = unprepared<{
  notified: number
  users: number
  authors: number
}>(`select count(*)::integer as notified, count(distinct notifications.user_id)::integer as users,
          count(*) filter (where notifications.user_id = $2::uuid)::integer as authors
   from notifications
   where notifications.question_id = $1::uuid`)

const ask = async (by: Person) => {
  const asked = await large.post(by, `/v1/events/${largeEvent}/questions`, { question: 'Why?' })
  expect(asked.status, asked.text).toBe(201)
  return asked.body
}

/** A participant with a provider's id: deleting that one locks the row against the foreign keys of notifications. */
async function createWithProvider(round: number): Promise<Person> {
  const profile = {
    id: `provider|${round}`,
    name: `Goes ${round}`,
    email: `${round}@goes.example.org`,
    image: '',
  }
  const url = '/v1/create_or_login_user'
  const { status, body } = await large.service.send({
    method: 'POST',
    url,
    token: WEB_BRIDGE_SECRET,
    body: profile,
  })
  expect(status).toBe(200)
  const person: Person = { ...profile, id: body.id, token: body.token, ...large.service.as(body.token) }
  await large.register(person, largeEvent)
  return person
}

const large = await serviceWithContests()
const largeEvent = await large.createEvent()
const author = await large.createParticipant(largeEvent)
await large.service.database.query(fillParticipants, [largeEvent, PARTICIPANTS])

describe(`with ${PARTICIPANTS} participants`, () => {
  it('a question and the notifications of all others are one statement (D37) [Event: question notifies]', async () => {
    const query = vi.spyOn(large.service.database, 'query')
    const { id } = await ask(author)
    expect(query.mock.calls.map(([{ name }]) => name)).toEqual(['ask_question'])
    query.mockRestore()
    expect(await large.service.database.query(countByQuestion, [id, author.id])).toEqual([
      { notified: PARTICIPANTS, users: PARTICIPANTS, authors: 0 },
    ])
  })

  it('questions, answers, deletions and readings at the same instant all end well, and each reader is told of each question', async () => {
    const readers = [await large.createParticipant(largeEvent), await large.createParticipant(largeEvent)]
    const rounds = databaseKind === 'postgres' ? 4 : 1
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await ask(large.user)
      const gone = await createWithProvider(round)
      const read = (reader: Person) => large.put(reader, '/v1/user/notifications/mark-read')
      const answers = await Promise.all([
        large.post(author, `/v1/events/${largeEvent}/questions`, { question: 'At once?' }),
        large.post(large.user, `/v1/events/${largeEvent}/questions`, { question: 'At once?' }),
        ...[...readers, ...readers].map(read),
        large.put(large.admin, `/v1/events/${largeEvent}/questions/${id}/answer`, { answer: 'So.' }),
        large.ask(large.admin, 'DELETE', `/v1/users/${gone.id}`),
        large.post(large.stranger, `/v1/events/${largeEvent}/questions`, { question: 'At once?' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200, 200, 204, 201])
    }
    for (const reader of readers) {
      const { body } = await large.get(reader, '/v1/user/notifications')
      expect(body).toHaveLength(rounds * 4)
    }
  })
})
