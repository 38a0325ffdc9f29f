import { describe, expect, it } from 'vitest'
import { openJudging } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, getOf, register, trySubmit } from './contest-judging.ts'
import { giveVerdict, openTimedContest, readStatistics } from './timed-contest.ts'

const judging = await openJudging()
const second = await judging.createProblem()

const verdict = (id: string, status: string) => giveVerdict(judging, id, status)
const read = (eventId: number, path: string, token?: string) => readStatistics(judging, eventId, path, token)
const openContest = () => openTimedContest(judging, [judging.problem, second])

describe('the caller’s own status', () => {
  const ownStatus = async (eventId: number, { token }: Person) =>
    (await read(eventId, 'user_problem_status', token)).body

  it('is the accepted submission where there is one, else the latest, problem by problem [GET /v1/events/{id}/user_problem_status]', async () => {
    const { eventId, person, submit } = await openContest()
    expect(await ownStatus(eventId, person)).toEqual([])
    const problem_id = judging.problem.id
    await submit(1, 'WRONG_ANSWER')
    await submit(2)
    const latest = { problem_id, status: 'PENDING', submit_time: '2026-01-01T10:02:00Z' }
    expect(await ownStatus(eventId, person)).toEqual([latest])
    await submit(3, 'ACCEPTED')
    await submit(4, 'RUNTIME_ERROR')
    await submit(5, 'TIME_LIMIT_EXCEEDED', { problem_id: second.id })
    const accepted = { problem_id, status: 'ACCEPTED', submit_time: '2026-01-01T10:03:00Z' }
    const tried = {
      problem_id: second.id,
      status: 'TIME_LIMIT_EXCEEDED',
      submit_time: '2026-01-01T10:05:00Z',
    }
    expect(await ownStatus(eventId, person)).toEqual([accepted, tried])
  })

  it('is the caller’s: nobody else’s submissions show in it, nor does a judge have any', async () => {
    const { eventId, submit } = await openContest()
    await submit(1, 'ACCEPTED')
    for (const token of [judging.stranger.token, judging.admin.token, judging.service.judgeToken]) {
      expect((await read(eventId, 'user_problem_status', token)).body).toEqual([])
    }
  })
})

describe('the counts of each problem', () => {
  const stats = async (eventId: number, token?: string) =>
    (await read(eventId, 'problems_stats', token)).body.map(
      (item: { problem_id: number; accepted_count: number; attempted_count: number }) => [
        item.problem_id,
        item.accepted_count,
        item.attempted_count,
      ],
    )

  it('are of people and not of submissions, for every problem of the event [GET /v1/events/{id}/problems_stats]', async () => {
    const { eventId, submit } = await openContest()
    const [one, two] = [judging.problem.id, second.id]
    expect(await stats(eventId)).toEqual([
      [one, 0, 0],
      [two, 0, 0],
    ])
    await submit(1, 'ACCEPTED')
    await submit(2, 'ACCEPTED')
    const rejudged = await submit(3, 'ACCEPTED', { problem_id: two })
    const other = await judging.service.createPerson()
    await register(judging, eventId, judging.user)
    await judging.submit(other, { event_id: eventId })
    await judging.submit(other, { event_id: eventId })
    expect(await stats(eventId)).toEqual([
      [one, 1, 2],
      [two, 1, 1],
    ])
    await verdict(rejudged, 'WRONG_ANSWER')
    expect(await stats(eventId)).toEqual([
      [one, 1, 2],
      [two, 0, 1],
    ])
  })

  it('are in the order of the event’s problems, one added later last', async () => {
    const problems = [{ problem_id: second.id }, { problem_id: judging.problem.id }]
    const eventId = await createContest(judging, problems)
    const later = await judging.createProblem()
    const url = `/v1/events/${eventId}/problems`
    const body = { problem_id: later.id }
    await judging.service.send({ method: 'POST', url, token: judging.admin.token, body })
    const order = (await stats(eventId)).map(([id]: [number]) => id)
    expect(order).toEqual([second.id, judging.problem.id, later.id])
  })
})

describe('a hidden problem', () => {
  it('is in no statistics but those of the event’s owner, judges and admins', async () => {
    const owner = await judging.service.createPerson()
    const problems = [{ problem_id: judging.problem.id }, { problem_id: second.id, hidden: true }]
    const eventId = await createContest(judging, problems, { user_id: owner.id })
    const event_id = eventId
    await verdict(await judging.submit(owner, { event_id, problem_id: second.id }), 'ACCEPTED')
    await judging.submit(judging.user, { event_id })
    const problemsIn = async (path: string, token: string) =>
      (await read(eventId, path, token)).body.map((item: { problem_id: number }) => item.problem_id).sort()
    const shown = [judging.problem.id]
    for (const path of ['attempts', 'problems_stats']) {
      for (const { token } of [judging.user, judging.stranger]) {
        expect(await problemsIn(path, token), path).toEqual(shown)
      }
      for (const token of [owner.token, judging.service.judgeToken, judging.admin.token]) {
        expect(await problemsIn(path, token), path).toEqual([...shown, second.id].sort())
      }
    }
    expect(await problemsIn('user_problem_status', owner.token)).toEqual([second.id])
  })

  it('is in a team’s list of submissions for whoever submitted to it, judges and admins, not for their mates', async () => {
    const { service, user, stranger, admin, problem } = judging
    const problems = [{ problem_id: problem.id }, { problem_id: second.id, hidden: true }]
    const event_id = await createContest(judging, problems, { teams: true })
    const url = `/v1/events/${event_id}/teams`
    const body = { name: 'One' }
    const { team_id } = (await service.send({ method: 'POST', url, token: user.token, body })).body
    await service.send({ method: 'POST', url: `${url}/${team_id}/join`, token: stranger.token })
    const open = await judging.submit(user, { event_id })
    const covert = await trySubmit(judging, user, { event_id, problem_id: second.id }, admin.token)
    const listed = async (token: string) =>
      (await read(event_id, `submissions?team=${team_id}`, token)).body.map((item: { id: string }) => item.id)
    expect(await listed(stranger.token)).toEqual([open])
    for (const token of [user.token, service.judgeToken, admin.token]) {
      expect(await listed(token)).toEqual([covert.body.id, open])
    }
  })
})

describe('the standings', () => {
  const paths = ['attempts', 'user_problem_status', 'problems_stats']

  it.each(paths)(
    'at %s are 404 for an event that is not there or is deleted, and 401 without a token',
    async (path) => {
      const deleted = await createContest(judging, [])
      await asAdmin(judging, 'DELETE', `/v1/events/${deleted}`)
      for (const eventId of [deleted, 2_147_483_647]) {
        const answer = await getOf(judging, eventId, path, judging.user.token)
        expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such event' } })
      }
      const answer = await judging.service.send({ method: 'GET', url: `/v1/events/${deleted}/${path}` })
      expect(answer.status).toBe(401)
    },
  )

  it.each(paths)('at %s come by page too, the pages together being the whole', async (path) => {
    const { eventId, person, submit } = await openContest()
    await submit(1)
    await submit(2, 'ACCEPTED', { problem_id: second.id })
    await judging.submit(judging.user, { event_id: eventId })
    const { body: whole } = await read(eventId, path, person.token)
    const pages: TestResponse['body'][] = []
    let next: string | undefined = `/v1/events/${eventId}/${path}?limit=1`
    while (next !== undefined) {
      const answer = await judging.service.send({ method: 'GET', url: next, token: person.token })
      expect(answer.body).toHaveLength(1)
      pages.push(...answer.body)
      next = answer.headers.link?.match(/^<(.+)>; rel="next"$/)?.[1]
    }
    expect(pages).toEqual(whole)
    expect(whole.length).toBeGreaterThan(1)
  })
})
