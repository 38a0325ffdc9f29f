import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestResponse } from '../support/app.ts'
import {
  type Caller,
  INSTANT,
  missing,
  over,
  readPages,
  running,
  scheduled,
  serviceWithContests,
} from '../support/contests.ts'
import { NO_EVENT, NOBODY, UUID } from '../support/ids.ts'

const people = await serviceWithContests()
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
const ageQuestion = unprepared(`update questions
   set created_at = questions.created_at - interval '1 hour', updated_at = questions.updated_at - interval '1 hour'
   where questions.id = $1::uuid`)

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

const askAbout = (by: Caller, eventId: number, problem_id: number) =>
  people.post(by, `/v1/events/${eventId}/questions`, { question: 'Why?', problem_id })

/** Makes a private problem of its own title. */
async function createPrivate(author = people.admin) {
  const title = `Secret ${Math.random()}`
  const fields = { title, identifier: `id of ${title}`, public: false, user_id: author.id }
  return { ...(await people.createProblem(fields)), title }
}

const createEvent = (times: object, problem_id: number, hidden = false, user_id = people.admin.id) =>
  people.createEvent({ ...times, user_id, problems: [{ problem_id, hidden }] })

/** What somebody sees of the problem of the newest question, in the list and in his notification of it. */
async function readNested(by: Caller, eventId: number): Promise<TestResponse['body'][]> {
  const listed = await people.get(by, `/v1/events/${eventId}/questions`)
  const notified = await people.get(by, '/v1/user/notifications')
  return [
    ...listed.body.slice(0, 1),
    ...notified.body.slice(0, 1).map(({ question }: TestResponse['body']) => question),
  ]
}

async function expectShown(by: Caller, eventId: number, title: string) {
  const questions = await readNested(by, eventId)
  expect(questions.length).toBeGreaterThan(0)
  for (const question of questions) {
    expect(question).toMatchObject({ problem_id: question.problem.id, problem: { title } })
  }
}

async function expectNotShown(by: Caller, eventId: number, problemId: number, title: string) {
  const questions = await readNested(by, eventId)
  expect(questions.length).toBeGreaterThan(0)
  for (const question of questions) {
    expect(question).toMatchObject({ problem_id: problemId })
    expect(question).not.toHaveProperty('problem')
    expect(JSON.stringify(question)).not.toContain(title)
  }
}

describe('asking about a private problem', () => {
  it('that the event does not have is 404 exactly as for an unknown one, also to a participant of the running event (D19)', async () => {
    const { id } = await createPrivate()
    const event = await people.createEvent()
    const participant = await people.createParticipant(event)
    const owner = await people.service.createPerson()
    const owned = await people.createEvent({ user_id: owner.id })
    for (const [by, eventId] of [
      [participant, event] as const,
      [people.stranger, event] as const,
      [owner, owned] as const,
    ]) {
      const unseen = await askAbout(by, eventId, id)
      const unknown = await askAbout(by, eventId, 2_147_483_647)
      expect(unseen).toMatchObject(missing('problem'))
      expect(unseen.body).toEqual(unknown.body)
    }
  })

  it('that the event hides is 404 to participants, and not to its owner, its author, and admins (D33)', async () => {
    const [author, owner] = [await people.service.createPerson(), await people.service.createPerson()]
    const { id, title } = await createPrivate(author)
    const event = await createEvent(running(), id, true, owner.id)
    expect(await askAbout(await people.createParticipant(event), event, id)).toMatchObject(missing('problem'))
    for (const by of [author, owner, people.admin]) {
      expect(await askAbout(by, event, id)).toMatchObject({ status: 201, body: { problem: { id, title } } })
    }
  })

  it('that the event has is possible for everybody, before the start too, and shows of it what the asker may see', async () => {
    const { id, title } = await createPrivate()
    const [before, meanwhile] = [await createEvent(scheduled(), id), await createEvent(running(), id)]
    const cases: [Person, number, boolean][] = [
      [await people.createParticipant(before), before, false],
      [people.stranger, before, false],
      [people.stranger, meanwhile, false],
      [await people.createParticipant(meanwhile), meanwhile, true],
      [people.admin, before, true],
    ]
    for (const [by, eventId, isShown] of cases) {
      const asked = await askAbout(by, eventId, id)
      expect(asked).toMatchObject({ status: 201, body: { problem_id: id } })
      expect(asked.text.includes(title)).toBe(isShown)
      expect('problem' in asked.body).toBe(isShown)
    }
  })

  it('that is deleted is 404, although the event has it', async () => {
    const { id } = await createPrivate()
    const event = await createEvent(running(), id)
    await people.ask(people.admin, 'DELETE', `/v1/problems/${id}`)
    for (const by of [await people.createParticipant(event), people.admin]) {
      expect(await askAbout(by, event, id)).toMatchObject(missing('problem'))
    }
  })
})

describe('the problem of a question', () => {
  it('is shown to admins, judges, its author and participants of the started contest, in list and notification', async () => {
    const author = await people.service.createPerson()
    const { id, title } = await createPrivate(author)
    for (const times of [running(), over()]) {
      const event = await createEvent(times, id)
      const participant = await people.createParticipant(event)
      expect(await askAbout(people.admin, event, id)).toMatchObject({ status: 201 })
      expect(await readNested(participant, event)).toHaveLength(2)
      for (const by of [participant, author, people.admin, 'judge'] as const) {
        await expectShown(by, event, title)
      }
      await expectNotShown(people.stranger, event, id, title)
    }
  })

  it('is not shown to participants before the start, nor where the event does not have it', async () => {
    const { id, title } = await createPrivate()
    for (const event of [await createEvent(scheduled(), id), await people.createEvent()]) {
      const participant = await people.createParticipant(event)
      expect(await askAbout(people.admin, event, id)).toMatchObject({ status: 201 })
      expect(await readNested(participant, event)).toHaveLength(2)
      await expectNotShown(participant, event, id, title)
      await expectNotShown(people.stranger, event, id, title)
      await expectShown(people.admin, event, title)
    }
  })

  it('is not shown, not even by its id, where the event hides it (D33)', async () => {
    const author = await people.service.createPerson()
    const { id, title } = await createPrivate(author)
    const event = await createEvent(running(), id, true)
    const participant = await people.createParticipant(event)
    expect(await askAbout(people.admin, event, id)).toMatchObject({ status: 201 })
    expect(await readNested(participant, event)).toHaveLength(2)
    for (const by of [participant, people.stranger]) {
      for (const question of await readNested(by, event)) {
        expect(question).not.toHaveProperty('problem_id')
        expect(question).not.toHaveProperty('problem')
      }
    }
    for (const by of [author, people.admin, 'judge'] as const) await expectShown(by, event, title)
  })

  it('that is public is shown with its id whether the event hides it or not, so that no question tells which it hides', async () => {
    const [hidden, other] = [await people.createProblem(), await people.createProblem()]
    const event = await createEvent(running(), hidden.id, true)
    const participant = await people.createParticipant(event)
    for (const { id, title } of [hidden, other]) {
      const asked = await askAbout(participant, event, id)
      expect(asked).toMatchObject({ status: 201, body: { problem_id: id, problem: { id, title } } })
      await expectShown(participant, event, title)
      await expectShown(people.stranger, event, title)
    }
  })

  it('is shown to the owner of the event that has it, hidden or not, and of no other event', async () => {
    const owner = await people.service.createPerson()
    const { id, title } = await createPrivate()
    for (const hidden of [false, true]) {
      const event = await createEvent(scheduled(), id, hidden, owner.id)
      await askAbout(people.admin, event, id)
      await expectShown(owner, event, title)
    }
    const without = await people.createEvent({ user_id: owner.id })
    await askAbout(people.admin, without, id)
    await expectNotShown(owner, without, id, title)
  })

  it('follows the problem: shown once it is public, gone once it is deleted, while the question stays', async () => {
    const { id, title } = await createPrivate()
    const event = await people.createEvent()
    await askAbout(people.admin, event, id)
    await expectNotShown(people.stranger, event, id, title)
    await people.put(people.admin, `/v1/admin/problems/${id}/toggle-visibility`)
    await expectShown(people.stranger, event, title)
    await people.ask(people.admin, 'DELETE', `/v1/problems/${id}`)
    for (const by of [people.stranger, people.admin]) await expectNotShown(by, event, id, title)
  })
})
