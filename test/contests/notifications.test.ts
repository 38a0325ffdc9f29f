import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { UUID } from '../features/judging-support.ts'
import { openNotified } from './notifications-support.ts'
import { INSTANT } from './people-support.ts'

const people = await openNotified()

type Stored = { user_id: string; notification_type: string }

const listStored = statement<Stored>(
  'list_stored',
  `select notifications.user_id::text, notifications.notification_type
   from notifications
   where notifications.question_id = $1::uuid
   order by notifications.user_id`,
)

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
