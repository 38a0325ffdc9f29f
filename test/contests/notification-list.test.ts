import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import type { TestResponse } from '../support/app.ts'
import { openNotified } from './notifications-support.ts'
import { readPages } from './people-support.ts'

const people = await openNotified()

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
