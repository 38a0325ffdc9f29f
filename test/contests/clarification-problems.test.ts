import { describe, expect, it } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { over, running, scheduled } from './events-support.ts'
import { type Caller, missing, openPeople } from './people-support.ts'

const people = await openPeople()

const ask = (by: Caller, eventId: number, problem_id: number) =>
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
      const unseen = await ask(by, eventId, id)
      const unknown = await ask(by, eventId, 2_147_483_647)
      expect(unseen).toMatchObject(missing('problem'))
      expect(unseen.body).toEqual(unknown.body)
    }
  })

  it('that the event hides is 404 to participants, and not to its owner, its author, and admins (D33)', async () => {
    const [author, owner] = [await people.service.createPerson(), await people.service.createPerson()]
    const { id, title } = await createPrivate(author)
    const event = await createEvent(running(), id, true, owner.id)
    expect(await ask(await people.createParticipant(event), event, id)).toMatchObject(missing('problem'))
    for (const by of [author, owner, people.admin]) {
      expect(await ask(by, event, id)).toMatchObject({ status: 201, body: { problem: { id, title } } })
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
      const asked = await ask(by, eventId, id)
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
      expect(await ask(by, event, id)).toMatchObject(missing('problem'))
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
      expect(await ask(people.admin, event, id)).toMatchObject({ status: 201 })
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
      expect(await ask(people.admin, event, id)).toMatchObject({ status: 201 })
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
    expect(await ask(people.admin, event, id)).toMatchObject({ status: 201 })
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
      const asked = await ask(participant, event, id)
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
      await ask(people.admin, event, id)
      await expectShown(owner, event, title)
    }
    const without = await people.createEvent({ user_id: owner.id })
    await ask(people.admin, without, id)
    await expectNotShown(owner, without, id, title)
  })

  it('follows the problem: shown once it is public, gone once it is deleted, while the question stays', async () => {
    const { id, title } = await createPrivate()
    const event = await people.createEvent()
    await ask(people.admin, event, id)
    await expectNotShown(people.stranger, event, id, title)
    await people.put(people.admin, `/v1/admin/problems/${id}/toggle-visibility`)
    await expectShown(people.stranger, event, title)
    await people.ask(people.admin, 'DELETE', `/v1/problems/${id}`)
    for (const by of [people.stranger, people.admin]) await expectNotShown(by, event, id, title)
  })
})
