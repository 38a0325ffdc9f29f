import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Caller, Expected, TestResponse } from '../../support/caller.ts'
import { INSTANT, over, running, scheduled, serviceWithContests } from '../../support/contests.ts'
import { NOBODY, UUID } from '../../support/ids.ts'
import type { Problem } from '../../support/judging.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { invalidField, notFound, refusal } from '../../support/refusals.ts'

type Body = TestResponse['body']

const contests = await serviceWithContests()
const { admin, user, stranger, service, problem, createProblem, createParticipant, readUser } = contests
const { judge } = service
const event = await contests.createEvent()
const author = await createParticipant(event)

const urlOf = (eventId = event) => `/v1/events/${eventId}/questions`
const ask = (by: Caller, fields: object = {}, eventId = event, expected: Expected = 201): Promise<Body> =>
  by.post(urlOf(eventId), { question: 'Why?', ...fields }, expected)
const answer = (by: Caller, id: string, text: string, expected: Expected = 200, eventId = event) =>
  by.put(`${urlOf(eventId)}/${id}/answer`, { answer: text }, expected)
const readQuestion = async (by: Caller, id: string): Promise<Body> =>
  (await by.get(urlOf())).find((question: Body) => question.id === id)

describe('asking a question', () => {
  it('returns the question, with its problem if it has one, and leaves out fields without a value [POST /v1/events/{id}/questions] [Fields: Question]', async () => {
    const before = Date.now()
    const asked = await ask(author, { question: 'Is zero even?' })
    expect(asked).toEqual({
      ...{ id: expect.stringMatching(UUID), event_id: event, user_id: author.id, question: 'Is zero even?' },
      ...{ is_answered: false, created_at: expect.stringMatching(INSTANT), updated_at: asked.created_at },
      user: await readUser(author),
    })
    expect(Date.parse(asked.created_at)).toBeGreaterThanOrEqual(before - 1000)
    expect(await readQuestion(author, asked.id)).toEqual(asked)
    expect(Object.keys(await ask(author, { problem_id: null }))).toEqual(Object.keys(asked))
    const about = await ask(author, { problem_id: problem.id })
    const { id, created_at } = about
    const { updated_at } = await admin.get(`/v1/problems/${problem.id}`)
    const shown = { id: problem.id, title: 'Answer', identifier: 'answer', difficulty: 'EASY', updated_at }
    const own = { id, question: 'Why?', created_at, updated_at: created_at }
    expect(about).toEqual({ ...asked, ...own, problem_id: problem.id, problem: shown })
    expect(await readQuestion(author, id)).toEqual(about)
  })

  it('is possible for every account, before the start and after the end, and makes no participants; not for judges, who have no account, nor about a deleted event or problem (404) [Error: 404]', async () => {
    for (const when of [scheduled(), over()]) {
      const eventId = await contests.createEvent(when)
      for (const by of [stranger, admin]) await ask(by, {}, eventId)
      expect(await contests.participantIds(eventId)).toEqual([])
      expect(await user.get(urlOf(eventId))).toHaveLength(2)
    }
    const [deletedEvent, deleted] = [await contests.createEvent(), await createProblem({ public: false })]
    const having = await contests.createEvent({ problems: [{ problem_id: deleted.id }] })
    await contests.deleteEvent(deletedEvent)
    await admin.delete(`/v1/problems/${deleted.id}`)
    for (const by of [user, admin, judge]) await ask(by, {}, deletedEvent, notFound('event'))
    for (const by of [user, await createParticipant(having), admin]) {
      for (const problem_id of [0, 2_147_483_647, deleted.id])
        await ask(by, { problem_id }, having, notFound('problem'))
    }
    await ask(judge, {}, event, notFound('user'))
  })

  it('has at most 10,000 characters, all of which it keeps, and so has its answer (400)', async () => {
    const question = '  Is é 漢 🙂 "quoted" \\ and\r\n\tempty <b>?</b>\u2028 '
    const asked = await ask(user, { question })
    for (const shown of [asked, await readQuestion(admin, asked.id)]) expect(shown.question).toBe(question)
    const longest = '🙂'.repeat(10_000)
    const { id } = await ask(user, { question: longest })
    await ask(user, { question: `${longest}.` }, event, invalidField('question'))
    await answer(user, id, longest)
    await answer(user, id, `${longest}.`, invalidField('answer'))
  })
})

const ageQuestion = unprepared(`update questions
   set created_at = questions.created_at - interval '1 hour', updated_at = questions.updated_at - interval '1 hour'
   where questions.id = $1::uuid`)

describe('answering a question', () => {
  it('returns a message, and the question has answer, answerer and time [PUT /v1/events/{id}/questions/{question_id}/answer] [State: question answered]', async () => {
    const asked = await ask(author)
    await service.database.query(ageQuestion, [asked.id])
    const { created_at } = await readQuestion(author, asked.id)
    const answered = await answer(admin, asked.id, ' Because. ')
    expect(answered).toEqual({ message: expect.stringMatching(/question was answered/i) })
    const read = await readQuestion(author, asked.id)
    expect(read).toEqual({
      ...{ ...asked, created_at, updated_at: read.answered_at },
      ...{ is_answered: true, answer: ' Because. ', answered_at: expect.stringMatching(INSTANT) },
      ...{ answered_by: admin.id, answerer: await readUser(admin) },
    })
    expect(Date.parse(read.answered_at)).toBeGreaterThan(Date.parse(created_at))
  })

  it('is possible for every caller, and replaces an earlier answer, its answerer and its time (D37); the answer of a judge has no answerer [PUT /v1/events/{id}/questions/{question_id}/answer]', async () => {
    const { id } = await ask(user)
    await answer(author, id, 'First.')
    const first = await readQuestion(user, id)
    await nextMillisecond()
    await answer(stranger, id, 'Second.')
    const second = await readQuestion(user, id)
    expect(second).toEqual({
      ...{ ...first, answer: 'Second.', answered_by: stranger.id, answerer: await readUser(stranger) },
      ...{ answered_at: second.updated_at, updated_at: second.answered_at },
    })
    expect(second.answered_at).not.toBe(first.answered_at)
    expect(Date.parse(second.answered_at)).toBeGreaterThanOrEqual(Date.parse(first.answered_at))
    const asked = await ask(author)
    for (const by of [author, stranger]) {
      await answer(by, asked.id.toUpperCase(), 'So.')
      const read = await readQuestion(author, asked.id)
      expect(read).toMatchObject({ answered_by: by.id, answerer: { id: by.id, name: by.name } })
    }
    await answer(judge, asked.id, 'A judge’s.')
    const read = await readQuestion(author, asked.id)
    expect(read).toMatchObject({ is_answered: true, answer: 'A judge’s.', answered_at: read.updated_at })
    for (const field of ['answered_by', 'answerer']) expect(read).not.toHaveProperty(field)
    await answer(admin, asked.id, 'Of staff.')
    const staffs = refusal(409, 'ANSWERED_BY_STAFF')
    for (const by of [author, stranger, judge]) await answer(by, asked.id, 'No.', staffs)
    expect(await readQuestion(author, asked.id)).toMatchObject({ answer: 'Of staff.', answered_by: admin.id })
  })

  it('is refused for an unknown question, and for one of another or a deleted event (404)', async () => {
    const [other, deleted] = [await contests.createEvent(), await contests.createEvent()]
    const [asked, lost] = [await ask(user), await ask(user, {}, deleted)]
    await contests.deleteEvent(deleted)
    for (const [id, eventId] of Object.entries({ [NOBODY]: event, [asked.id]: other, [lost.id]: deleted }))
      await answer(admin, id, 'So.', notFound('question in the event'), eventId)
    expect(await readQuestion(user, asked.id)).toEqual(asked)
  })
})

it('lists the questions of an event to every caller, the latest asked first, also after a late answer [GET /v1/events/{id}/questions]', async () => {
  const eventId = await contests.createEvent()
  const asked: string[] = []
  for (const by of [user, admin, stranger]) asked.unshift((await ask(by, {}, eventId)).id)
  await answer(admin, asked.at(-1) ?? '', 'Answered late.', 200, eventId)
  for (const by of [user, await createParticipant(eventId), admin, judge]) {
    const listed: { id: string }[] = await by.get(urlOf(eventId))
    expect(listed.map(({ id }) => id)).toEqual(asked)
  }
  expect(await user.get(urlOf(await contests.createEvent()))).toEqual([])
})

type Named = Pick<Problem, 'id' | 'title'>

async function createPrivateContest(times: object, attached: 'shown' | 'hidden' | 'not attached') {
  const title = `Secret ${Math.random()}`
  const people = { author: await service.createPerson(), owner: await service.createPerson() }
  const fields = { title, identifier: `id of ${title}`, public: false, user_id: people.author.id }
  const { id } = await createProblem(fields)
  const problems = attached === 'not attached' ? [] : [{ problem_id: id, hidden: attached === 'hidden' }]
  const eventId = await contests.createEvent({ ...times, user_id: people.owner.id, problems })
  const participant = await createParticipant(eventId)
  return { eventId, problem: { id, title }, callers: { ...people, participant, stranger, admin, judge } }
}

type View = 'problem' | 'id' | 'nothing'

function expectView(question: Body, { id, title }: Named, view: View): void {
  expect(question.problem_id).toBe(view === 'nothing' ? undefined : id)
  if (view === 'problem') expect(question).toMatchObject({ problem: { id, title } })
  else expect(question).not.toHaveProperty('problem')
  expect(JSON.stringify(question).includes(title)).toBe(view === 'problem')
}

/** Checks the newest question in the list, and in the notifications of the caller. */
async function expectShown(by: Caller, eventId: number, problem: Named, view: View): Promise<number> {
  const listed: Body[] = await by.get(urlOf(eventId))
  const notified: Body[] = await by.get('/v1/user/notifications')
  const questions = [...listed.slice(0, 1), ...notified.slice(0, 1).map(({ question }) => question)]
  for (const question of questions) expectView(question, problem, view)
  return questions.length
}

type Name = keyof Awaited<ReturnType<typeof createPrivateContest>>['callers']
type Views = Readonly<Record<Name, View>>

const ofContest: Views = {
  ...{ author: 'problem', owner: 'problem', admin: 'problem', judge: 'problem' },
  ...{ participant: 'problem', stranger: 'id' },
}
const elsewhere: Views = { ...ofContest, participant: 'id', owner: 'id' }
const unseen: Views = { ...ofContest, participant: 'nothing', stranger: 'nothing' }

describe('the private problem of a question (D19, D33)', () => {
  it.each<[string, object, Parameters<typeof createPrivateContest>[1], Views]>([
    ['participants of a running contest with it', running(), 'shown', ofContest],
    ['participants of an ended contest with it', over(), 'shown', ofContest],
    ['no participants before the start', scheduled(), 'shown', { ...ofContest, participant: 'id' }],
    ['no participants if it is hidden, not even its id', running(), 'hidden', unseen],
    ['no participants if it is hidden in a scheduled contest', scheduled(), 'hidden', unseen],
    ['no participants or owner of a contest without it', running(), 'not attached', elsewhere],
  ])('is shown to %s, in lists, notifications and responses', async (_, times, attached, views) => {
    const { eventId, callers, problem } = await createPrivateContest(times, attached)
    const about = { problem_id: problem.id }
    await ask(admin, about, eventId)
    for (const name of Object.keys(views) as Name[]) {
      const shown = await expectShown(callers[name], eventId, problem, views[name])
      expect(shown).toBe(name === 'participant' ? 2 : 1)
    }
    for (const name of Object.keys(views) as Name[]) {
      const mayAsk = views[name] === 'problem' || (views[name] === 'id' && attached === 'shown')
      if (name === 'judge') await ask(judge, about, eventId, notFound('user'))
      else if (mayAsk) expectView(await ask(callers[name], about, eventId), problem, views[name])
      else await ask(callers[name], about, eventId, notFound('problem'))
    }
  })

  it('is shown once it is public, whether the contest hides it or not, and no longer after its deletion', async () => {
    const { eventId, problem } = await createPrivateContest(running(), 'not attached')
    await ask(admin, { problem_id: problem.id }, eventId)
    await expectShown(stranger, eventId, problem, 'id')
    await admin.put(`/v1/admin/problems/${problem.id}/toggle-visibility`)
    await expectShown(stranger, eventId, problem, 'problem')
    await admin.delete(`/v1/problems/${problem.id}`)
    for (const by of [stranger, admin]) await expectShown(by, eventId, problem, 'id')
    const [hidden, other] = [
      await createProblem({ title: 'Hidden' }),
      await createProblem({ title: 'Other' }),
    ]
    const hiding = await contests.createEvent({ problems: [{ problem_id: hidden.id, hidden: true }] })
    const participant = await createParticipant(hiding)
    for (const { id, title } of [hidden, other]) {
      expect(await ask(participant, { problem_id: id }, hiding)).toMatchObject({ problem: { id, title } })
      for (const by of [participant, stranger]) await expectShown(by, hiding, { id, title }, 'problem')
    }
  })
})
