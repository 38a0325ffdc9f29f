import { describe, expect, it } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, getOf, register, trySubmit } from '../support/contests.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { at, giveVerdict, openTimedContest, readStatistics } from '../support/timed-contest.ts'

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const second = await judging.createProblem()

const verdict = (id: string, status: string) => giveVerdict(judging, id, status)
const read = (eventId: number, path: string, token?: string) => readStatistics(judging, eventId, path, token)
const cells = async (eventId: number) => (await read(eventId, 'attempts')).body

async function openContest() {
  const contest = await openTimedContest(judging, [judging.problem, second])
  return { ...contest, cells: () => cells(contest.eventId) }
}

/** What is solved reads minutes too; `solved` are those of the accepted submission. */
const cell = (attempts: number, total_attempts: number, solved?: number) => ({
  attempts,
  total_attempts,
  ...(solved !== undefined && {
    first_accepted_time: at(solved).replace('.000', ''),
    minutes_to_solve: Math.max(0, Math.floor(solved)),
  }),
})

describe('the attempts of a contest', () => {
  it('are none before the first submission, to any user [GET /v1/events/{id}/attempts]', async () => {
    const { eventId } = await openContest()
    for (const token of [judging.user.token, judging.service.judgeToken, judging.admin.token]) {
      expect(await getOf(judging, eventId, 'attempts', token)).toMatchObject({ status: 200, text: '[]' })
    }
  })

  it('have exactly the fields of a cell, one for each person and problem, by person and problem [Fields: AttemptStat]', async () => {
    const { eventId, person, submit } = await openContest()
    const other = await judging.service.createPerson()
    await submit(1, 'WRONG_ANSWER')
    await submit(12.75, 'ACCEPTED')
    await submit(2, 'PENDING', { problem_id: second.id })
    await judging.submit(other, { event_id: eventId })
    expect(await cells(eventId)).toEqual([
      {
        user_id: person.id,
        problem_id: judging.problem.id,
        attempts: 2,
        total_attempts: 2,
        first_accepted_time: '2026-01-01T10:12:45Z',
        minutes_to_solve: 12,
      },
      { user_id: person.id, problem_id: second.id, attempts: 0, total_attempts: 1 },
      { user_id: other.id, problem_id: judging.problem.id, attempts: 0, total_attempts: 1 },
    ])
  })

  it.each([
    ['PENDING', 0],
    ['COMPILE_TIME_ERROR', 0],
    ['INTERNAL_ERROR', 0],
    ['WRONG_ANSWER', 1],
    ['PRESENTATION_ERROR', 1],
    ['TIME_LIMIT_EXCEEDED', 1],
    ['MEMORY_LIMIT_EXCEEDED', 1],
    ['OUTPUT_LIMIT_EXCEEDED', 1],
    ['RUNTIME_ERROR', 1],
    ['SECURITY_VIOLATION', 1],
  ])('count a %s as %i attempt, and always in the total (D35)', async (status, attempts) => {
    const contest = await openContest()
    await contest.submit(1, status)
    expect(await contest.cells()).toMatchObject([cell(attempts, 1)])
    await contest.submit(5, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(attempts + 1, 2, 5)])
  })

  it('end with the first accepted submission: later ones count in the total only', async () => {
    const contest = await openContest()
    await contest.submit(1, 'WRONG_ANSWER')
    await contest.submit(2, 'ACCEPTED')
    for (const [minutes, status] of [
      [3, 'WRONG_ANSWER'],
      [4, 'ACCEPTED'],
      [5, 'PENDING'],
    ] as const) {
      await contest.submit(minutes, status)
    }
    expect(await contest.cells()).toMatchObject([cell(2, 5, 2)])
  })

  it('go by the time of submission, whatever order the verdicts come in', async () => {
    const contest = await openContest()
    const [first, middle, last] = [await contest.submit(1), await contest.submit(2), await contest.submit(3)]
    await verdict(last, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(1, 3, 3)])
    await verdict(first, 'WRONG_ANSWER')
    expect(await contest.cells()).toMatchObject([cell(2, 3, 3)])
    await verdict(middle, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(2, 3, 2)])
  })

  it('count a verdict that comes twice once', async () => {
    const contest = await openContest()
    const wrong = await contest.submit(1)
    const right = await contest.submit(2)
    for (const _ of [1, 2, 3]) {
      await verdict(wrong, 'WRONG_ANSWER')
      await verdict(right, 'ACCEPTED')
    }
    expect(await contest.cells()).toMatchObject([cell(2, 2, 2)])
  })

  it('follow a verdict that changes, to and fro [State: submission judged]', async () => {
    const contest = await openContest()
    await contest.submit(1, 'WRONG_ANSWER')
    const changing = await contest.submit(2, 'ACCEPTED')
    await contest.submit(3, 'RUNTIME_ERROR')
    const steps: [string, object][] = [
      ['ACCEPTED', cell(2, 3, 2)],
      ['WRONG_ANSWER', cell(3, 3)],
      ['COMPILE_TIME_ERROR', cell(2, 3)],
      ['ACCEPTED', cell(2, 3, 2)],
    ]
    for (const [status, expected] of steps) {
      await verdict(changing, status)
      const [found] = await contest.cells()
      expect(found).toEqual({ user_id: contest.person.id, problem_id: judging.problem.id, ...expected })
    }
  })

  it('follow a submission in the middle that turns out to be accepted, and one that does no more', async () => {
    const contest = await openContest()
    await contest.submit(1, 'WRONG_ANSWER')
    const middle = await contest.submit(2, 'WRONG_ANSWER')
    await contest.submit(3, 'WRONG_ANSWER')
    await contest.submit(4, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(4, 4, 4)])
    await verdict(middle, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(2, 4, 2)])
    await verdict(middle, 'INTERNAL_ERROR')
    expect(await contest.cells()).toMatchObject([cell(3, 4, 4)])
  })

  it('count minutes whole from the start, also from one that is moved later, never below 0', async () => {
    const contest = await openContest()
    const { service } = judging
    await contest.submit(59.9999, 'ACCEPTED')
    expect((await contest.cells())[0].minutes_to_solve).toBe(59)
    for (const [moved, minutes] of [
      [10, 49],
      [-60.5, 120],
      [59.9999, 0],
      [90, 0],
      [59, 0],
    ] as const) {
      const url = `/v1/events/${contest.eventId}`
      const body = { start_time: at(moved) }
      expect((await service.send({ method: 'PUT', url, token: judging.admin.token, body })).status).toBe(200)
      const [found] = await contest.cells()
      expect(found).toMatchObject({ attempts: 1, minutes_to_solve: minutes })
    }
  })

  it('are kept per person, problem and contest: others, outside and elsewhere change nothing', async () => {
    const contest = await openContest()
    const elsewhere = await openContest()
    await contest.submit(1, 'WRONG_ANSWER')
    const before = await contest.cells()
    await elsewhere.submit(1, 'ACCEPTED')
    const outside = await judging.submit(contest.person)
    await verdict(outside, 'ACCEPTED')
    const { person, eventId } = contest
    await trySubmit(judging, person, { event_id: elsewhere.eventId })
    expect(await contest.cells()).toEqual(before)
    await contest.submit(2, 'ACCEPTED', { problem_id: second.id })
    expect(await cells(eventId)).toEqual([...before, expect.objectContaining({ problem_id: second.id })])
  })

  it('take a verdict after the end of the contest, and after its deletion (204)', async () => {
    const contest = await openContest()
    const [first, last] = [await contest.submit(1), await contest.submit(2)]
    await asAdmin(judging, 'POST', `/v1/events/${contest.eventId}/end`)
    await verdict(first, 'ACCEPTED')
    expect(await contest.cells()).toMatchObject([cell(1, 2, 1)])
    await asAdmin(judging, 'DELETE', `/v1/events/${contest.eventId}`)
    await verdict(last, 'ACCEPTED')
  })

  it('stay when the person’s account is deleted', async () => {
    const contest = await openContest()
    await contest.submit(1, 'ACCEPTED')
    const { id, token } = contest.person
    await judging.service.send({ method: 'DELETE', url: `/v1/users/${id}`, token })
    expect(await contest.cells()).toMatchObject([{ user_id: id, ...cell(1, 1, 1) }])
  })

  it('are not changed by a verdict that is refused', async () => {
    const contest = await openContest()
    const id = await contest.submit(1, 'WRONG_ANSWER')
    const before = await contest.cells()
    const results = [{ test_case_id: second.cases[0], passed: true }]
    const foreign = { status: 'ACCEPTED', test_case_results: results }
    expect((await judging.patch(id, foreign)).status).toBe(400)
    expect(await contest.cells()).toEqual(before)
  })
})

const openCountedContest = () => openTimedContest(judging, [judging.problem, second])

describe('the caller’s own status', () => {
  const ownStatus = async (eventId: number, { token }: Person) =>
    (await read(eventId, 'user_problem_status', token)).body

  it('is the accepted submission where there is one, else the latest, problem by problem [GET /v1/events/{id}/user_problem_status]', async () => {
    const { eventId, person, submit } = await openCountedContest()
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
    const { eventId, submit } = await openCountedContest()
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
    const { eventId, submit } = await openCountedContest()
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
    const { eventId, person, submit } = await openCountedContest()
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
