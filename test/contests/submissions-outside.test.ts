import { describe, expect, it } from 'vitest'
import { countRows, openJudging } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, register, setTimes, trySubmit } from './contest-judging.ts'

const judging = await openJudging()

/** Sends it and makes sure that a refusal has left nothing behind. */
async function refused(person: Person, fields: Record<string, unknown>): Promise<TestResponse> {
  const before = await countRows(judging.service)
  const answer = await trySubmit(judging, person, fields)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await countRows(judging.service)).toEqual(before)
  return answer
}

describe('without event_id, a private problem of a contest', () => {
  const wantsEvent = {
    status: 400,
    body: { code: '400', error: expect.stringMatching(/^event_id is required/) },
  }
  const unknown = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such problem' } }

  /** A private problem in a contest of its own that `user` has registered for. */
  async function makeContest(fields: Record<string, unknown> = {}) {
    const { id: problem_id } = await judging.createProblem({ public: false })
    const contest = await createContest(judging, [{ problem_id, ...fields }])
    await register(judging, contest, judging.user)
    return { contest, problem_id }
  }

  it('is refused by the name of event_id to its participants while the contest runs (400)', async () => {
    const { problem_id } = await makeContest()
    expect(await refused(judging.user, { problem_id })).toMatchObject(wantsEvent)
    expect(await refused(judging.user, { problem_id, event_id: null })).toMatchObject(wantsEvent)
  })

  it('is open to its participants once the contest has ended, outside of it', async () => {
    const { problem_id, contest } = await makeContest()
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    const answer = await trySubmit(judging, judging.user, { problem_id })
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('event_id')
    expect(await refused(judging.stranger, { problem_id })).toMatchObject(unknown)
  })

  it('is open through an ended contest also while another one runs', async () => {
    const { problem_id, contest } = await makeContest()
    const again = await createContest(judging, [{ problem_id }])
    await register(judging, again, judging.user)
    expect(await refused(judging.user, { problem_id })).toMatchObject(wantsEvent)
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    expect((await trySubmit(judging, judging.user, { problem_id })).status).toBe(201)
  })

  it('is open to its author and admins at any time', async () => {
    const { id: problem_id } = await judging.createProblem({ public: false, user_id: judging.user.id })
    const contest = await createContest(judging, [{ problem_id }])
    await register(judging, contest, judging.user)
    for (const person of [judging.user, judging.admin]) {
      expect((await trySubmit(judging, person, { problem_id })).status).toBe(201)
    }
  })

  it('is there for nobody else: not taking part, not started, cancelled before its start, hidden, deleted (404)', async () => {
    const { user, stranger } = judging
    const open = await makeContest()
    expect(await refused(stranger, open)).toMatchObject(unknown)
    const early = await makeContest()
    await setTimes(judging, early.contest, 30, 60)
    expect(await refused(user, early)).toMatchObject(unknown)
    await asAdmin(judging, 'POST', `/v1/events/${early.contest}/end`)
    expect(await refused(user, early)).toMatchObject(unknown)
    const covert = await makeContest({ hidden: true })
    expect(await refused(user, covert)).toMatchObject(unknown)
    const gone = await makeContest()
    await asAdmin(judging, 'DELETE', `/v1/events/${gone.contest}`)
    expect(await refused(user, gone)).toMatchObject(unknown)
    const withdrawn = await makeContest()
    await asAdmin(judging, 'DELETE', `/v1/problems/${withdrawn.problem_id}`)
    expect(await refused(user, withdrawn)).toMatchObject(unknown)
    await asAdmin(judging, 'POST', `/v1/events/${withdrawn.contest}/end`)
    expect(await refused(user, withdrawn)).toMatchObject(unknown)
  })

  it('has an empty list of attempts for its participants before their first, and none for others (404)', async () => {
    const { problem_id } = await makeContest()
    const { service, user, stranger } = judging
    const listOf = ({ id, token }: Person) =>
      service.send({ method: 'GET', url: `/v1/user_problem_submissions/${id}/${problem_id}`, token })
    expect(await listOf(user)).toMatchObject({ status: 200, body: [] })
    expect(await listOf(stranger)).toMatchObject({ status: 404 })
  })
})
