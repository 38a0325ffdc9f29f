import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import type { Caller, TestResponse } from '../../support/caller.ts'
import { createBridgePerson, INSTANT, serviceWithContests } from '../../support/contests.ts'
import { databaseKind } from '../../support/database.ts'
import { UUID } from '../../support/ids.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { observeStatements } from '../../support/observed-statements.ts'
import { allow, describeRaces } from '../../support/races.ts'
import { invalid, notFound } from '../../support/refusals.ts'

type Body = TestResponse['body']

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createParticipant, deleteUser } = contests
const { database, judge, createPerson } = service

const LIST = '/v1/user/notifications'
const questionsOf = (eventId: number) => `/v1/events/${eventId}/questions`
const ask = (by: Caller, eventId: number, question = 'Why?'): Promise<Body> =>
  by.post(questionsOf(eventId), { question }, 201)
const answer = (by: Caller, { id, event_id }: Body) =>
  by.put(`${questionsOf(event_id)}/${id}/answer`, { answer: 'So.' }, 200)
const markRead = (by: Caller) => by.put(`${LIST}/mark-read`, undefined, 200)
const count = async (by: Caller): Promise<number> => (await by.get(`${LIST}/count`)).count

async function createEventWithTwo() {
  const eventId = await createEvent()
  return { eventId, one: await createParticipant(eventId), other: await createParticipant(eventId) }
}

async function listTexts(by: Caller): Promise<string[]> {
  const notifications: Body[] = await by.get(LIST)
  return notifications.map(
    ({ notification_type, question, is_read }) =>
      `${notification_type}: ${question.question}${is_read ? ' (read)' : ''}`,
  )
}

const listStored = unprepared(`select notifications.user_id::text, notifications.notification_type
   from notifications
   where notifications.question_id = $1::uuid
   order by notifications.user_id`)

describe('a new question', () => {
  it('notifies every other participant once, and nobody else [Event: question notifies]', async () => {
    const { eventId, one, other } = await createEventWithTwo()
    const author = await createParticipant(eventId)
    const elsewhere = await createParticipant(await createEvent())
    const { id } = await ask(author, eventId, 'Heard?')
    const expected = [one.id, other.id]
      .toSorted()
      .map((user_id) => ({ user_id, notification_type: 'question' }))
    expect(await database.query(listStored, [id])).toEqual(expected)
    for (const person of [one, other]) expect(await listTexts(person)).toEqual(['question: Heard?'])
    for (const by of [author, elsewhere, stranger, admin, judge])
      expect(await listTexts(by)).not.toContain('question: Heard?')
  })

  it('notifies participants if its author does not participate, but no deleted or later ones, and nobody of a refused question', async () => {
    const { eventId, one, other } = await createEventWithTwo()
    await deleteUser(other)
    await user.post(questionsOf(eventId), { question: ' ' }, invalid)
    const unknown = { question: 'Why?', problem_id: 2_147_483_647 }
    await user.post(questionsOf(eventId), unknown, notFound('problem'))
    const { id } = await ask(stranger, eventId, 'From outside?')
    const stored = await database.query(listStored, [id])
    expect(stored).toEqual([{ user_id: one.id, notification_type: 'question' }])
    expect(await listTexts(one)).toEqual(['question: From outside?'])
    for (const by of [stranger, await createParticipant(eventId)]) expect(await listTexts(by)).toEqual([])
  })
})

describe('an answer', () => {
  it('notifies the author of the question each time, and nobody else [Event: answer notifies] [State: question answered]', async () => {
    const { eventId, one: author, other } = await createEventWithTwo()
    const asked = await ask(author, eventId)
    for (const by of [judge, other, admin]) await answer(by, asked)
    expect(await listTexts(author)).toEqual(['answer: Why?', 'answer: Why?', 'answer: Why?'])
    expect(await listTexts(other)).toEqual(['question: Why?'])
  })

  it('notifies an author who does not participate and answers, and no deleted author', async () => {
    const [eventId, author] = [await createEvent(), await createPerson()]
    await answer(author, await ask(author, eventId))
    expect(await listTexts(author)).toEqual(['answer: Why?'])
    const asked = await ask(author, eventId)
    await deleteUser(author)
    await answer(admin, asked)
    expect(await database.query(listStored, [asked.id])).toEqual([])
  })
})

describe('the notifications of a user', () => {
  it('have the question as its reader sees it, and the time of reading [GET /v1/user/notifications] [Fields: Notification]', async () => {
    const { eventId, one } = await createEventWithTwo()
    const asked = await user.post(questionsOf(eventId), { question: 'Why?', problem_id: problem.id })
    await answer(admin, asked)
    const [question] = await one.get(questionsOf(eventId))
    expect(question).toMatchObject({ answer: 'So.', problem: { title: 'Answer' } })
    const { created_at } = asked
    const unread = {
      ...{ id: expect.stringMatching(UUID), user_id: one.id, event_id: eventId, question_id: asked.id },
      ...{ notification_type: 'question', is_read: false, created_at, updated_at: created_at, question },
    }
    const [before, ...others] = await one.get(LIST)
    expect([before, ...others]).toEqual([unread])
    await nextMillisecond()
    await markRead(one)
    const [read] = await one.get(LIST)
    expect(read).toEqual({ ...before, is_read: true, updated_at: expect.stringMatching(INSTANT) })
    expect(Date.parse(read.updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
    expect(read.updated_at).not.toBe(created_at)
  })

  it('are counted until they are read, per user, and keep the time of the first reading [GET /v1/user/notifications/count] [PUT /v1/user/notifications/mark-read] [State: notification read]', async () => {
    const { eventId, one, other } = await createEventWithTwo()
    expect(await count(one)).toBe(0)
    for (const expected of [1, 2]) {
      await ask(user, eventId, `Question ${expected}?`)
      expect(await count(one)).toBe(expected)
    }
    expect(await markRead(one)).toEqual({ message: expect.stringMatching(/./) })
    expect(await listTexts(one)).toEqual(['question: Question 2? (read)', 'question: Question 1? (read)'])
    expect(await listTexts(other)).toEqual(['question: Question 2?', 'question: Question 1?'])
    expect([await count(one), await count(other)]).toEqual([0, 2])
    const [, early] = await one.get(LIST)
    await ask(user, eventId)
    expect(await count(one)).toBe(1)
    for (let n = 0; n < 2; n += 1) await markRead(one)
    expect(await one.get(LIST)).toMatchObject([{ is_read: true }, {}, early])
  })

  it('of questions that a deleted contest hides are neither listed nor counted (P20)', async () => {
    const { eventId, one } = await createEventWithTwo()
    await ask(user, eventId, 'Private?')
    await admin.put(`/v1/events/${eventId}`, { clarifications: 'staff' })
    await contests.deleteEvent(eventId)
    expect([await listTexts(one), await count(one)]).toEqual([[], 0])
  })
})

const ageReading = unprepared(`update notifications
   set read_at = notifications.read_at - $2::integer * interval '1 second'
   where notifications.user_id = $1::uuid and notifications.read_at is not null`)

const ageArrival = unprepared(`update notifications
   set created_at = notifications.created_at - $2::integer * interval '1 day'
   where notifications.user_id = $1::uuid`)

const DAY_SECONDS = 86_400

it('the list of notifications keeps them for 24 hours after the reading, and unread ones for ever [GET /v1/user/notifications]', async () => {
  const { eventId, one } = await createEventWithTwo()
  await ask(user, eventId, 'Read?')
  await database.query(ageArrival, [one.id, 400])
  expect(await listTexts(one)).toEqual(['question: Read?'])
  expect(await count(one)).toBe(1)
  await markRead(one)
  expect(await listTexts(one)).toEqual(['question: Read? (read)'])
  await database.query(ageReading, [one.id, DAY_SECONDS - 60])
  expect(await listTexts(one)).toEqual(['question: Read? (read)'])
  await database.query(ageReading, [one.id, 60])
  expect(await listTexts(one)).toEqual([])
})

const PARTICIPANTS = 500

const fillParticipants = unprepared(`with made as (
     insert into users (id, name, email)
     select gen_random_uuid(), 'Participant ' || n || ' of ' || $1, n || '@' || $1 || '.example.org'
     from generate_series(1, $2::integer) as number (n)
     returning users.id
   )
   insert into event_participants (event_id, user_id) select $1::integer, made.id from made`)

const countByQuestion = unprepared(`select count(*)::integer as notified,
          count(distinct notifications.user_id)::integer as users,
          count(*) filter (where notifications.user_id = $2::uuid)::integer as authors
   from notifications
   where notifications.question_id = $1::uuid`)

const eventId = await createEvent()
const author = await createParticipant(eventId)
await database.query(fillParticipants, [eventId, PARTICIPANTS])

it(`stores a question and the notifications of ${PARTICIPANTS} participants in one statement (D37) [Event: question notifies]`, async () => {
  const names: string[] = []
  const stop = observeStatements(database, (name) => names.push(name))
  const { id } = await ask(author, eventId)
  stop()
  expect(names).toEqual(['ask_question'])
  const stored = await database.query(countByQuestion, [id, author.id])
  expect(stored).toEqual([{ notified: PARTICIPANTS, users: PARTICIPANTS, authors: 0 }])
})

describeRaces(`with ${PARTICIPANTS} participants, at the same instant`, databaseKind === 'postgres' ? 4 : 1, {
  'notify readers of each question, while others answer, read or are deleted': async (round) => {
    const readers = [await createParticipant(eventId), await createParticipant(eventId)]
    const { id } = await ask(user, eventId)
    const gone = await createBridgePerson(service, `notified-${round}`)
    await contests.register(gone, eventId)
    const url = questionsOf(eventId)
    const question = (by: Person) => () => by.send('POST', url, { question: 'At once?' })
    const reading = (by: Person) => () => by.send('PUT', `${LIST}/mark-read`)
    const answering = () => admin.send('PUT', `${url}/${id}/answer`, { answer: 'So.' })
    const deletion = () => admin.send('DELETE', `/v1/users/${gone.id}`)
    return {
      contenders: [
        ...[author, user].map((by) => allow(question(by), '201')),
        ...[...readers, ...readers].map((by) => allow(reading(by), '200')),
        ...[allow(answering, '200'), allow(deletion, '204'), allow(question(stranger), '201')],
      ],
      async holds() {
        for (const reader of readers) expect(await reader.get(LIST)).toHaveLength(4)
      },
    }
  },
})
