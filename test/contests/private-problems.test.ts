import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { openContests, over, running, scheduled } from './events-support.ts'

const contests = await openContests()
const author = await contests.service.createPerson()

/** Makes a private problem with a category. */
async function createPrivate(): Promise<number> {
  const categories = await contests.ask(contests.admin, 'GET', '/v1/categories')
  const fields = { public: false, user_id: author.id, category_ids: [categories.body[0].id] }
  return (await contests.createProblem(fields)).id
}

/** Makes an event with the problem and lets the user of the tests take part; answers its id. */
async function createEventWith(problem_id: number, when: Record<string, unknown>, hidden = false) {
  const id = await contests.createEvent({ ...when, problems: [{ problem_id, hidden }] })
  await contests.register(contests.user, id)
  return id
}

async function expectSeen(caller: Person | 'judge', problemId: number): Promise<void> {
  const problem = await contests.ask(caller, 'GET', `/v1/problems/${problemId}`)
  expect(problem).toMatchObject({ status: 200, body: { id: problemId, public: false } })
  const categories = await contests.ask(caller, 'GET', `/v1/categories/${problemId}`)
  expect(categories.status).toBe(200)
  expect(categories.body).toEqual(problem.body.categories)
  expect(categories.body).toHaveLength(1)
}

async function expectUnseen(caller: Person, problemId: number): Promise<void> {
  for (const url of [`/v1/problems/${problemId}`, `/v1/categories/${problemId}`]) {
    expect(await contests.ask(caller, 'GET', url), url).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such problem' },
    })
  }
}

describe('a private problem, by itself (D19)', () => {
  it.each([
    ['running', running],
    ['ended', over],
  ])(
    'is seen by the participants of a %s contest that has it, and by no other user [GET /v1/problems/{problem_id}]',
    async (_, when) => {
      const problem = await createPrivate()
      await createEventWith(problem, when())
      const elsewhere = await contests.service.createPerson()
      await contests.register(elsewhere, await contests.createEvent(when()))
      await expectSeen(contests.user, problem)
      await expectUnseen(contests.stranger, problem)
      await expectUnseen(elsewhere, problem)
    },
  )

  it('is seen by its author, admins and judges without any contest', async () => {
    const problem = await createPrivate()
    for (const caller of [author, contests.admin, 'judge'] as const) await expectSeen(caller, problem)
    await expectUnseen(contests.user, problem)
  })

  it('is shown to participants with its hidden test cases blank', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    const { body } = await contests.ask(contests.user, 'GET', `/v1/problems/${problem}`)
    expect(body.test_cases).toMatchObject([
      { input: '1', expected_output: '42', hidden: false },
      { input: '', expected_output: '', hidden: true },
    ])
  })

  it('is not seen before the start, and seen from the start on', async () => {
    const problem = await createPrivate()
    const id = await createEventWith(problem, scheduled())
    await expectUnseen(contests.user, problem)
    const { start_time } = running()
    await contests.ask(contests.admin, 'PUT', `/v1/events/${id}`, { start_time })
    await expectSeen(contests.user, problem)
  })

  it('is not seen while it is hidden, though another contest that has not begun shows it', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running(), true)
    await createEventWith(problem, scheduled())
    await expectUnseen(contests.user, problem)
    await createEventWith(problem, over())
    await expectSeen(contests.user, problem)
  })

  it('is not seen through a contest that was ended before it began', async () => {
    const problem = await createPrivate()
    const id = await createEventWith(problem, scheduled())
    await contests.ask(contests.admin, 'POST', `/v1/events/${id}/end`)
    await expectUnseen(contests.user, problem)
  })

  it('is seen as soon as one takes part, and no longer once the contest is deleted', async () => {
    const problem = await createPrivate()
    const id = await contests.createEvent({ problems: [{ problem_id: problem }] })
    await expectUnseen(contests.user, problem)
    await contests.register(contests.user, id)
    await expectSeen(contests.user, problem)
    await contests.ask(contests.admin, 'DELETE', `/v1/events/${id}`)
    await expectUnseen(contests.user, problem)
  })

  it('is 404 to its participants once the problem is deleted', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    await contests.ask(contests.admin, 'DELETE', `/v1/problems/${problem}`)
    await expectUnseen(contests.user, problem)
  })

  it('is not in the list of problems of its participants, which is of public ones and their own [GET /v1/problems]', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    const listedFor = async (caller: Person) => {
      const { body } = await contests.ask(caller, 'GET', '/v1/problems')
      return body.map(({ id }: { id: number }) => id)
    }
    expect(await listedFor(contests.user)).not.toContain(problem)
    expect(await listedFor(author)).toContain(problem)
  })
})
