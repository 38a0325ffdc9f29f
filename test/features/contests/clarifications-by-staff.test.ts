import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { serviceWithContests } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'
import { forbidden, invalidField, notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, stranger, service, createEvent, createParticipant } = contests
const [owner, helper] = [await service.createPerson(), await service.createPerson()]

/** A contest with two participants; only its staff answers, unless `fields` say otherwise. */
async function createContest(fields: object = { clarifications: 'staff' }) {
  const id = await createEvent({ user_id: owner.id, staff: [helper.id], ...fields })
  const url = `/v1/events/${id}`
  const [asker, rival] = [await createParticipant(id), await createParticipant(id)]
  const send = (query: string) => (by: Caller, question: string, body: object, expected?: Expected) =>
    by.put(`${url}/questions/${question}/answer${query}`, { answer: 'So.', ...body }, expected)
  const ask = async (by: Person, question = 'Why?'): Promise<string> =>
    (await by.post(`${url}/questions`, { question })).id
  return { id, url, asker, rival, ask, answer: send(''), replace: send('?replace=true') }
}

type Contest = Awaited<ReturnType<typeof createContest>>
interface Note {
  readonly event_id: number
  readonly question_id: string
  readonly notification_type: string
  readonly question: { readonly is_announcement?: true }
}

const notesOf = async (by: Caller, { id }: Contest): Promise<string[]> => {
  const notes: Note[] = await by.get('/v1/user/notifications')
  const own = notes.filter(({ event_id }) => event_id === id)
  return own.map((note) => `${note.notification_type} ${note.question_id}`).sort()
}
const countOf = async (by: Caller): Promise<number> => (await by.get('/v1/user/notifications/count')).count
const questionsOf = async (by: Caller, { url }: Contest): Promise<string[]> =>
  (await by.get(`${url}/questions`)).map(({ id }: { id: string }) => id)

describe('with clarifications by staff (P20)', () => {
  it('a question notifies the owner, the staff and admins; only they, judges and its author see it, and only staff, no judge, answers (403)', async () => {
    const contest = await createContest()
    const { asker, rival, ask } = contest
    const question = await ask(asker)
    for (const person of [owner, helper, admin])
      expect(await notesOf(person, contest)).toEqual([`question ${question}`])
    for (const person of [asker, rival, stranger]) expect(await notesOf(person, contest)).toEqual([])
    for (const caller of [asker, owner, helper, admin, service.judge])
      expect(await questionsOf(caller, contest)).toEqual([question])
    for (const caller of [rival, stranger]) expect(await questionsOf(caller, contest)).toEqual([])
    for (const caller of [contest.asker, contest.rival, stranger, service.judge])
      for (const id of [question, NOBODY]) await contest.answer(caller, id, {}, forbidden)
    for (const caller of [owner, helper, admin]) await contest.answer(caller, question, {}, 200)
    await contest.answer(owner, NOBODY, {}, notFound('question in the event'))
    await contest.answer(owner, question, { public: 'yes' }, invalidField('public'))
  })

  it('an answer is for the author alone, a public one for everybody, until it becomes private again', async () => {
    const contest = await createContest()
    const { asker, rival, url } = contest
    const question = await contest.ask(asker)
    await contest.answer(helper, question, {})
    expect(await notesOf(asker, contest)).toEqual([`answer ${question}`])
    expect([await notesOf(rival, contest), await countOf(rival)]).toEqual([[], 0])
    expect(await asker.get(`${url}/questions`)).toMatchObject([{ answer: 'So.', is_public: false }])
    await contest.replace(helper, question, { public: true })
    expect(await notesOf(asker, contest)).toEqual([`answer ${question}`, `answer ${question}`])
    expect([await notesOf(rival, contest), await countOf(rival)]).toEqual([[`answer ${question}`], 1])
    expect(await stranger.get(`${url}/questions`)).toMatchObject([{ answer: 'So.', is_public: true }])
    await contest.replace(helper, question, { answer: 'Yes.', public: true })
    expect(await countOf(rival)).toBe(2)
    await contest.replace(helper, question, { public: null })
    expect([await notesOf(rival, contest), await countOf(rival)]).toEqual([[], 0])
    expect(await questionsOf(rival, contest)).toEqual([])
    expect(await notesOf(asker, contest)).toHaveLength(4)
  })

  it('another answer to an answered question is refused (409) without replace=true; a repeated one changes nothing and notifies nobody (D37)', async () => {
    const contest = await createContest()
    const { asker, rival, url, answer, replace } = contest
    const question = await contest.ask(asker)
    await answer(helper, question, {}, 200)
    const [stored] = await owner.get(`${url}/questions`)
    const notes = await notesOf(asker, contest)
    await answer(owner, question, {}, 200)
    await replace(owner, question, {}, 200)
    const answered = refusal(409, 'ALREADY_ANSWERED')
    for (const body of [{ answer: 'No.' }, { public: true }]) {
      for (const by of [owner, helper, admin]) await answer(by, question, body, answered)
      for (const by of [asker, rival, service.judge]) await replace(by, question, body, forbidden)
    }
    await answer(owner, question, { replace: true, answer: 'No.' }, answered)
    expect(await owner.get(`${url}/questions`)).toEqual([stored])
    expect(await notesOf(asker, contest)).toEqual(notes)
    await replace(owner, question, { answer: 'No.' }, 200)
    expect(await owner.get(`${url}/questions`)).toMatchObject([{ answer: 'No.', answered_by: owner.id }])
    expect(await notesOf(asker, contest)).toHaveLength(2)
  })

  it('of concurrent answers one is stored, and the others are refused', async () => {
    const contest = await createContest()
    const question = await contest.ask(contest.asker)
    const url = `${contest.url}/questions/${question}/answer`
    const sent = [owner, helper, admin, owner, helper].map((by, n) =>
      by.send('PUT', url, { answer: `${n % 3}.` }),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    const [{ answer: stored }] = await owner.get(`${contest.url}/questions`)
    expect(statuses).toEqual(statuses.map((_, n) => (`${n % 3}.` === stored ? 200 : 409)))
    expect(await notesOf(contest.asker, contest)).toHaveLength(1)
  })

  it('shows no mark of a private question or answer on any GET route, also after it was public', async () => {
    const contest = await createContest()
    const { asker, rival, url, id } = contest
    const mark = () => `mark-${randomUUID()}`
    const marks = [mark(), mark(), mark()]
    const question = await contest.ask(asker, marks[0])
    const own = { event_id: id, user_id: asker.id, problem_id: contests.problem.id }
    const values: Record<string, string | number> = own
    let paths = service.routes
      .filter(({ method }) => method === 'GET')
      .map((route) => route.url.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name] ?? NOBODY)))
    const read = async (by: Caller) =>
      Promise.all(paths.map(async (path) => [path, (await by.send('GET', path)).text] as const))
    const marksIn = (texts: Awaited<ReturnType<typeof read>>) =>
      marks.filter((mark) => texts.some(([, text]) => text.includes(mark)))
    const seenBy = async (by: Caller) => marksIn(await read(by))
    expect(await seenBy(rival)).toEqual([])
    const byAsker = await read(asker)
    expect(marksIn(byAsker)).toEqual([marks[0]])
    // The routes that show the question to anybody.
    paths = [...byAsker, ...(await read(owner))].flatMap((read) =>
      marksIn([read]).length > 0 ? [read[0]] : [],
    )
    expect(paths.length).toBeGreaterThan(3)
    await contest.answer(owner, question, { answer: marks[1], public: true })
    expect(await seenBy(rival)).toEqual([marks[0], marks[1]])
    await contest.replace(owner, question, { answer: marks[2] })
    for (const other of [rival, stranger, service.anonymous]) expect(await seenBy(other)).toEqual([])
    expect(await seenBy(asker)).toEqual([marks[0], marks[2]])
    await admin.put(url, { clarifications: null })
    expect(await seenBy(rival)).toEqual([marks[0], marks[2]])
  })

  it('questions from before are private, with their notifications', async () => {
    const contest = await createContest({ staff: null })
    const { asker, rival, url } = contest
    const question = await contest.ask(asker)
    expect([await notesOf(rival, contest), await countOf(rival)]).toEqual([[`question ${question}`], 1])
    expect((await rival.get(`${url}/questions`))[0]).not.toHaveProperty('is_public')
    await admin.put(url, { clarifications: 'staff' })
    expect([await notesOf(rival, contest), await countOf(rival)]).toEqual([[], 0])
    expect([await questionsOf(rival, contest), await questionsOf(asker, contest)]).toEqual([[], [question]])
  })
})

it('with clarifications by any user staff is notified of questions only if the contest names staff, once each (P20)', async () => {
  const [plain, named] = [await createContest({ staff: null }), await createContest({})]
  await contests.register(helper, named.id)
  for (const [contest, notes] of [[plain, 0] as const, [named, 1] as const]) {
    const question = await contest.ask(contest.asker)
    expect(await notesOf(contest.rival, contest)).toEqual([`question ${question}`])
    for (const person of [owner, helper, admin]) expect(await notesOf(person, contest)).toHaveLength(notes)
    await contest.answer(contest.rival, question, { public: true }, 200)
    expect(await notesOf(contest.rival, contest)).toEqual([`question ${question}`])
    expect(await notesOf(contest.asker, contest)).toEqual([`answer ${question}`])
  }
})

it('with clarifications by any user an answer of staff is protected (409), also after they have left the staff; later staff replaces it (D37)', async () => {
  const contest = await createContest({})
  const { asker, rival, url, answer } = contest
  const staffs = refusal(409, 'ANSWERED_BY_STAFF')
  const question = await contest.ask(asker)
  await answer(helper, question, {}, 200)
  for (const by of [asker, rival, service.judge]) await answer(by, question, { answer: 'No.' }, staffs)
  await admin.put(url, { staff: [stranger.id] })
  for (const by of [helper, asker]) await answer(by, question, { answer: 'No.' }, staffs)
  for (const by of [stranger, stranger, owner, admin]) await answer(by, question, { answer: 'Yes.' }, 200)
  // An answer from before its author joined the staff is one of a user.
  const early = await contest.ask(asker)
  await answer(rival, early, {}, 200)
  await admin.put(url, { staff: [rival.id] })
  await answer(asker, early, { answer: 'No.' }, 200)
})

describe.each(['any', 'staff'])('an announcement with clarifications: %s (P20)', (clarifications) => {
  it('is a public question with its answer, of which every participant is notified', async () => {
    const contest = await createContest({ clarifications })
    const { url, asker, rival } = contest
    const problem = await contests.createProblem()
    await admin.post(`${url}/problems`, { problem_id: problem.id }, 201)
    const body = { announcement: 'Ten more minutes.', problem_id: problem.id }
    const made = await helper.post(`${url}/announcements`, body, 201)
    const texts = { question: 'Announcement', answer: body.announcement, problem_id: problem.id }
    expect(made).toMatchObject({ ...texts, user_id: helper.id, answered_by: helper.id, is_answered: true })
    expect(made.is_public).toBe(clarifications === 'staff' ? true : undefined)
    for (const person of [asker, rival]) expect(await notesOf(person, contest)).toEqual([`answer ${made.id}`])
    expect(await questionsOf(stranger, contest)).toEqual([made.id])
    await admin.put(url, { clarifications: clarifications === 'any' ? 'staff' : 'any' })
    expect(await notesOf(rival, contest)).toEqual([`answer ${made.id}`])
    expect(await questionsOf(stranger, contest)).toEqual([made.id])
  })

  it('has is_announcement, questions with its text do not; only staff corrects it (403), and it stays public', async () => {
    const contest = await createContest({ clarifications })
    const { url, asker, rival } = contest
    const made = await helper.post(`${url}/announcements`, { announcement: 'Lunch is at one.' }, 201)
    const questions = [await contest.ask(asker, 'Announcement'), await contest.ask(helper, 'Announcement')]
    await contest.answer(owner, questions[0] ?? '', { public: true }, 200)
    const asked: object[] = await admin.get(`${url}/questions`)
    expect(made.is_announcement).toBe(true)
    const marked = asked.filter((question) => 'is_announcement' in question)
    expect(marked).toMatchObject([{ id: made.id, is_announcement: true }])
    expect(asked).toHaveLength(3)
    const notes: Note[] = await rival.get('/v1/user/notifications')
    for (const { question_id, question } of notes.filter(({ event_id }) => event_id === contest.id))
      expect(question.is_announcement).toBe(question_id === made.id ? true : undefined)
    for (const caller of [asker, stranger, service.judge])
      await contest.answer(caller, made.id, { answer: 'Go home.' }, forbidden)
    await contest.replace(helper, made.id, { answer: 'At two.', public: true }, 200)
    const corrected = { id: made.id, answer: 'At two.', user_id: helper.id, is_announcement: true }
    for (const caller of [asker, stranger])
      expect(await caller.get(`${url}/questions`)).toContainEqual(expect.objectContaining(corrected))
  })

  it('is made by staff only (403), about a problem of the event or none (404)', async () => {
    const contest = await createContest({ clarifications })
    const url = `${contest.url}/announcements`
    const closed = await createEvent({ clarifications, admission: 'invited' })
    for (const caller of [contest.asker, stranger, service.judge]) {
      await caller.post(url, { announcement: 'No.' }, forbidden)
      await caller.post(`/v1/events/${closed}/announcements`, { announcement: 'No.' }, forbidden)
    }
    const hidden = await contests.createProblem({ public: false })
    await helper.post(url, { announcement: 'x', problem_id: hidden.id }, notFound('problem'))
    await helper.post(url, { announcement: ' ' }, invalidField('announcement'))
    expect(await questionsOf(owner, contest)).toEqual([])
    for (const caller of [admin, owner, helper]) await caller.post(url, { announcement: 'Yes.' }, 201)
    await contests.deleteEvent(contest.id)
    await helper.post(url, { announcement: 'x' }, notFound('event'))
  })
})

it('shows each question to those who may see it, after any sequence of questions and answers (P20)', async () => {
  const by = fc.constantFrom(0, 1, 2, 2, 2, 3)
  const step = fc.record({ by, question: fc.nat(2), public: fc.boolean() })
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    const contest = await createContest()
    const people = [contest.asker, contest.rival, helper, stranger]
    const asked: { id: string; author: Person; isPublic: boolean }[] = []
    for (const { by: place, question, public: isPublic } of steps) {
      const person = people[place] ?? helper
      const known = asked[question]
      if (known === undefined) asked.push({ id: await contest.ask(person), author: person, isPublic: false })
      else {
        await contest.replace(person, known.id, { public: isPublic }, person === helper ? 200 : forbidden)
        if (person === helper) known.isPublic = isPublic
      }
    }
    for (const person of people) {
      const shown = asked.filter((one) => person === helper || one.author === person || one.isPublic)
      const ids = shown.map(({ id }) => id)
      expect((await questionsOf(person, contest)).sort()).toEqual(ids.sort())
      for (const note of await notesOf(person, contest)) expect(ids).toContain(note.split(' ')[1])
      const unread: object[] = await person.get('/v1/user/notifications')
      expect(await countOf(person)).toBe(unread.length)
    }
  })
  await fc.assert(property, { numRuns: 3 })
})
