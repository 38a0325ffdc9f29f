import { describe, expect, it } from 'vitest'
import { openJudging } from '../features/judging-support.ts'
import { asAdmin, getOf, trySubmit } from './contest-judging.ts'
import { at, giveVerdict, openTimedContest, readStatistics } from './timed-contest.ts'

const judging = await openJudging({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
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
