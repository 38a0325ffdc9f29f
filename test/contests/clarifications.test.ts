import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { NOBODY, UUID } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { NO_EVENT } from './events-support.ts'
import { type Caller, INSTANT, missing, openPeople, readPages } from './people-support.ts'

const people = await openPeople()
const event = await people.createEvent()

const url = (eventId = event) => `/v1/events/${eventId}/questions`
const list = (by: Caller, eventId = event) => people.get(by, url(eventId))
const ask = (by: Caller, body: unknown, eventId = event) => people.post(by, url(eventId), body)
const answer = (by: Caller, id: string, text: unknown, eventId = event) =>
  people.put(by, `${url(eventId)}/${id}/answer`, { answer: text })

/** Asks as somebody; answers the question. */
async function createQuestion(
  by: Person,
  fields: object = {},
  eventId = event,
): Promise<TestResponse['body']> {
  const asked = await ask(by, { question: 'Why?', ...fields }, eventId)
  expect(asked.status, asked.text).toBe(201)
  return asked.body
}

/** The question as the list shows it to somebody. */
async function readQuestion(by: Caller, id: string, eventId = event): Promise<TestResponse['body']> {
  const { status, body } = await list(by, eventId)
  expect(status).toBe(200)
  return body.find((question: { id: string }) => question.id === id)
}

/** What a test moves back is then in the past for certain. */
const ageQuestion = statement(
  'age_question',
  `update questions
   set created_at = questions.created_at - interval '1 hour', updated_at = questions.updated_at - interval '1 hour'
   where questions.id = $1::uuid`,
)

describe('asking a question', () => {
  it('answers 201 with the question, what it does not have left out [POST /v1/events/{id}/questions] [Fields: Question]', async () => {
    const author = await people.createParticipant(event)
    const before = Date.now()
    const { status, body } = await ask(author, { question: 'Is zero even?' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      event_id: event,
      user_id: author.id,
      question: 'Is zero even?',
      is_answered: false,
      created_at: expect.stringMatching(INSTANT),
      updated_at: body.created_at,
      user: await people.readUser(author),
    })
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(before - 1000)
    expect(await readQuestion(author, body.id)).toEqual(body)
  })

  it('brings the problem along that it is about [POST /v1/events/{id}/questions] [Fields: Question]', async () => {
    const author = await people.createParticipant(event)
    const { id } = people.problem
    const asked = await createQuestion(author, { problem_id: id })
    expect(asked).toEqual({
      ...{ id: asked.id, event_id: event, user_id: author.id, question: 'Why?', is_answered: false },
      ...{ created_at: asked.created_at, updated_at: asked.created_at },
      problem_id: id,
      user: await people.readUser(author),
      problem: { id, title: 'Answer', identifier: 'answer', difficulty: 'EASY' },
    })
    expect(await readQuestion(author, asked.id)).toEqual(asked)
  })

  it('takes a problem_id of null as none', async () => {
    const asked = await createQuestion(people.user, { problem_id: null })
    expect(asked).not.toHaveProperty('problem_id')
    expect(asked).not.toHaveProperty('problem')
  })

  it('is for whoever has an account, taking part or not, and makes nobody a participant', async () => {
    const other = await people.createEvent()
    for (const by of [people.stranger, people.admin]) await createQuestion(by, {}, other)
    expect(await people.participantIds(other)).toEqual([])
    expect((await list(people.user, other)).body).toHaveLength(2)
  })

  it('is possible before the start and after the end', async () => {
    const at = (start: string, end: string) => people.createEvent({ start_time: start, end_time: end })
    const events = [
      await at('2040-01-01T00:00:00Z', '2040-01-02T00:00:00Z'),
      await at('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z'),
    ]
    for (const eventId of events) expect(await createQuestion(people.user, {}, eventId)).toBeDefined()
  })

  it('keeps the text to the character', async () => {
    const question = '  Is é 漢 🙂 "quoted" \\ and\r\n\tempty <b>?</b>\u2028 '
    const asked = await createQuestion(people.user, { question })
    expect(asked.question).toBe(question)
    expect((await readQuestion(people.admin, asked.id)).question).toBe(question)
  })

  it('refuses a text that is none and a problem_id that is none, and stores nothing (400) [Error: 400]', async () => {
    const { body: before } = await list(people.admin)
    const texts = [undefined, null, 7, '', ' \n\t\u00a0', 'a\0b', 'a\uD800', ['text']]
    for (const question of texts) {
      const refused = await ask(people.user, { question })
      expect(refused).toMatchObject({ status: 400, body: { code: '400' } })
      expect(refused.body.error).toMatch(/^question /)
    }
    for (const problem_id of ['1', 1.5, -1, 2 ** 31, {}]) {
      const refused = await ask(people.user, { question: 'Why?', problem_id })
      expect(refused).toMatchObject({ status: 400, body: { code: '400' } })
      expect(refused.body.error).toMatch(/^problem_id /)
    }
    expect((await list(people.admin)).body).toEqual(before)
  })

  it('is 404 for an event and a problem that are not there, or no more [Error: 404]', async () => {
    const deleted = await people.createEvent()
    await people.deleteEvent(deleted)
    for (const eventId of [NO_EVENT, deleted]) {
      for (const by of [people.user, people.admin, 'judge'] as const) {
        expect(await ask(by, { question: 'Why?' }, eventId)).toMatchObject(missing('event'))
        expect(await list(by, eventId)).toMatchObject(missing('event'))
      }
    }
    const problem = await people.createProblem()
    await people.ask(people.admin, 'DELETE', `/v1/problems/${problem.id}`)
    for (const problem_id of [0, 2_147_483_647, problem.id]) {
      for (const by of [people.user, people.admin]) {
        expect(await ask(by, { question: 'Why?', problem_id })).toMatchObject(missing('problem'))
      }
    }
  })

  it('is 404 to a judge, who has no account to ask with', async () => {
    expect(await ask('judge', { question: 'Why?' })).toMatchObject(missing('user'))
  })
})

describe('answering a question', () => {
  it('answers 200 with a message that says so, and the question then reads answered [PUT /v1/events/{id}/questions/{question_id}/answer] [State: question answered]', async () => {
    const author = await people.createParticipant(event)
    const asked = await createQuestion(author)
    await people.service.database.query(ageQuestion, [asked.id])
    const { created_at } = await readQuestion(author, asked.id)
    const answered = await answer(people.admin, asked.id, ' Because. ')
    expect(answered.status).toBe(200)
    expect(answered.body).toEqual({ message: expect.stringMatching(/question was answered/i) })
    const read = await readQuestion(author, asked.id)
    expect(read).toEqual({
      ...{ ...asked, created_at },
      is_answered: true,
      answer: ' Because. ',
      answered_at: expect.stringMatching(INSTANT),
      updated_at: read.answered_at,
      answered_by: people.admin.id,
      answerer: await people.readUser(people.admin),
    })
    expect(Date.parse(read.answered_at)).toBeGreaterThan(Date.parse(created_at))
  })

  it('is for any authenticated caller, the author and strangers included [PUT /v1/events/{id}/questions/{question_id}/answer]', async () => {
    const author = await people.createParticipant(event)
    for (const by of [author, people.stranger, people.admin]) {
      const asked = await createQuestion(author)
      expect(await answer(by, asked.id.toUpperCase(), 'So.')).toMatchObject({ status: 200 })
      expect(await readQuestion(author, asked.id)).toMatchObject({
        answered_by: by.id,
        answerer: { id: by.id, name: by.name },
      })
    }
  })

  it('by a judge names no answerer, since a judge has no account', async () => {
    const author = await people.createParticipant(event)
    const asked = await createQuestion(author)
    await answer(people.admin, asked.id, 'An admin’s.')
    expect(await answer('judge', asked.id, 'A judge’s.')).toMatchObject({ status: 200 })
    const read = await readQuestion(author, asked.id)
    expect(read).toMatchObject({ is_answered: true, answer: 'A judge’s.', answered_at: read.updated_at })
    expect(read).not.toHaveProperty('answered_by')
    expect(read).not.toHaveProperty('answerer')
  })

  it('again replaces answer, answerer and time (D37)', async () => {
    const asked = await createQuestion(people.user)
    await answer(people.admin, asked.id, 'First.')
    const first = await readQuestion(people.user, asked.id)
    await answer(people.stranger, asked.id, 'Second.')
    const second = await readQuestion(people.user, asked.id)
    expect(second).toEqual({
      ...first,
      answer: 'Second.',
      answered_by: people.stranger.id,
      answerer: await people.readUser(people.stranger),
      answered_at: second.updated_at,
      updated_at: second.answered_at,
    })
    expect(second.answered_at).not.toBe(first.answered_at)
    expect(Date.parse(second.answered_at)).toBeGreaterThanOrEqual(Date.parse(first.answered_at))
  })

  it('refuses a text that is none, and leaves the question as it is (400)', async () => {
    const asked = await createQuestion(people.user)
    for (const text of [undefined, null, 7, '', ' \n ', 'a\0b', 'a\uD800']) {
      const refused = await answer(people.admin, asked.id, text)
      expect(refused).toMatchObject({ status: 400, body: { code: '400' } })
      expect(refused.body.error).toMatch(/^answer /)
    }
    for (const id of ['first', '1', `${asked.id}0`]) {
      expect(await answer(people.admin, id, 'So.')).toMatchObject({ status: 400 })
    }
    expect(await readQuestion(people.user, asked.id)).toEqual(asked)
  })

  it('is 404 for a question that is unknown, of another event, or of a deleted one', async () => {
    const [other, deleted] = [await people.createEvent(), await people.createEvent()]
    const asked = await createQuestion(people.user)
    const { id } = await createQuestion(people.user, {}, deleted)
    await people.deleteEvent(deleted)
    const cases = [[NOBODY, event] as const, [asked.id, other] as const, [asked.id, NO_EVENT] as const]
    for (const [questionId, eventId] of [...cases, [id, deleted] as const]) {
      const refused = await answer(people.admin, questionId, 'So.', eventId)
      expect(refused).toMatchObject(missing('question in the event'))
    }
    expect(await readQuestion(people.user, asked.id)).toEqual(asked)
  })

  it('is 401 to the token of a deleted account, as asking and listing are [Auth: deleted account]', async () => {
    const gone = await people.createParticipant(event)
    const asked = await createQuestion(people.user)
    const { body: before } = await list(people.admin)
    await people.deleteUser(gone)
    for (const eventId of [event, NO_EVENT]) {
      const refused = [
        await answer(gone, asked.id, 'So.', eventId),
        await ask(gone, { question: 'Why?' }, eventId),
        await list(gone, eventId),
      ]
      for (const one of refused) expect(one).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
    }
    expect((await list(people.admin)).body).toEqual(before)
  })

  it('is 401 to a token from before a password reset, as asking and listing are, and changes nothing', async () => {
    const old = await people.withOldToken(await people.createParticipant(event))
    const asked = await createQuestion(people.user)
    const { body: before } = await list(people.admin)
    const refused = [
      await answer(old, asked.id, 'So.'),
      await ask(old, { question: 'Why?' }),
      await list(old),
    ]
    for (const one of refused) expect(one).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
    expect((await list(people.admin)).body).toEqual(before)
  })

  it('by many at the same instant leaves one whole answer of one of them', async () => {
    const asked = await createQuestion(people.user)
    const others = [
      people.admin,
      people.stranger,
      ...(await Promise.all([1, 2, 3].map(() => people.service.createPerson()))),
    ]
    const answers = await Promise.all(others.map((by) => answer(by, asked.id, `By ${by.id}`)))
    expect(answers.map(({ status }) => status)).toEqual(others.map(() => 200))
    const read = await readQuestion(people.user, asked.id)
    expect(read.answer).toBe(`By ${read.answered_by}`)
    expect(read.answerer.id).toBe(read.answered_by)
  })
})

describe('listing questions', () => {
  it('shows everybody all of the event and no other’s, the newest first [GET /v1/events/{id}/questions]', async () => {
    const other = await people.createEvent()
    const asked: string[] = []
    for (const by of [people.user, people.admin, people.stranger]) {
      asked.unshift((await createQuestion(by, {}, other)).id)
    }
    for (const by of [people.user, await people.createParticipant(other), people.admin, 'judge'] as const) {
      const { status, body } = await list(by, other)
      expect(status).toBe(200)
      expect(body.map(({ id }: { id: string }) => id)).toEqual(asked)
    }
    expect(await list(people.user, await people.createEvent())).toMatchObject({ status: 200, body: [] })
  })

  it('comes by page, and by what was asked first and not by what was answered last (D6)', async () => {
    const other = await people.createEvent()
    const asked: string[] = []
    for (let i = 0; i < 5; i += 1) asked.unshift((await createQuestion(people.user, {}, other)).id)
    await answer(people.admin, asked.at(-1) ?? '', 'Answered late.', other)
    const pages = await readPages(people, people.user, `${url(other)}?limit=2`)
    const ids = pages.map((page) => page.map(({ id }: { id: string }) => id))
    expect(ids).toEqual([asked.slice(0, 2), asked.slice(2, 4), asked.slice(4)])
  })
})
