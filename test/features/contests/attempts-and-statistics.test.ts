import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Person } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { createContest } from '../../support/contests.ts'
import { serviceWithProblem, submissionBody } from '../../support/judging.ts'

const judging = await serviceWithProblem({ JUDGE_EXTRA_STATUSES: 'SECURITY_VIOLATION' })
const { service, admin, user, stranger, problem, language, giveVerdict } = judging
const { judge } = service
const second = await judging.createProblem()

const START = Date.parse('2026-01-01T10:00:00Z')

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString().replace('.000', '')

const setStart = unprepared('update events set start_time = $2::timestamptz where events.id = $1')

const setSubmitTime = unprepared(`with moved as (
     update submissions set submit_time = $2::timestamptz where submissions.id = $1 returning submissions.*
   )
   update event_scores
   set outcomes = event_scores.outcomes || jsonb_build_object(
     moved.id::text, jsonb_build_array((extract(epoch from moved.submit_time) * 1000000)::bigint, moved.status))
   from moved
   where event_scores.event_id = moved.event_id and event_scores.user_id = moved.user_id
     and event_scores.problem_id = moved.problem_id`)

/** Opens a contest of two problems that began at 10:00 on 2026-01-01, with a person who submits. */
async function openContest() {
  const eventId = await createContest(judging, [{ problem_id: problem.id }, { problem_id: second.id }])
  await service.database.query(setStart, [eventId, at(0)])
  const person = await service.createPerson()
  const read = (list: string, caller: Caller = stranger) => caller.get(`/v1/events/${eventId}/${list}`)
  return {
    ...{ eventId, person, read },
    cells: () => read('attempts'),
    /** Submits this many minutes after the start; resolves to the id. */
    async submit(minutes: number, status = 'PENDING', { id: problem_id } = problem): Promise<string> {
      const id = await judging.submit(person, { event_id: eventId, problem_id })
      await service.database.query(setSubmitTime, [id, at(minutes)])
      if (status !== 'PENDING') await giveVerdict(id, status)
      return id
    },
  }
}

const problemsOf = (items: { problem_id: number }[]) => items.map(({ problem_id }) => problem_id)

/** The counts of a cell; `solved` is the minute of the accepted submission. */
const cell = (attempts: number, total_attempts: number, solved?: number) => ({
  ...{ attempts, total_attempts },
  ...(solved !== undefined && { first_accepted_time: at(solved), minutes_to_solve: Math.floor(solved) }),
})

describe('the attempts of a contest', () => {
  it('have one cell per user and problem, ordered by user and problem, and none before the first submission [GET /v1/events/{id}/attempts] [Fields: AttemptStat]', async () => {
    const { eventId, person, submit, cells } = await openContest()
    for (const caller of [user, judge, admin])
      expect(await caller.get(`/v1/events/${eventId}/attempts`)).toEqual([])
    const other = await service.createPerson()
    await submit(1, 'WRONG_ANSWER')
    await submit(12.75, 'ACCEPTED')
    await submit(2, 'PENDING', second)
    await judging.submit(other, { event_id: eventId })
    const solved = { first_accepted_time: '2026-01-01T10:12:45Z', minutes_to_solve: 12 }
    expect(await cells()).toEqual([
      { user_id: person.id, problem_id: problem.id, attempts: 2, total_attempts: 2, ...solved },
      { user_id: person.id, problem_id: second.id, attempts: 0, total_attempts: 1 },
      { user_id: other.id, problem_id: problem.id, attempts: 0, total_attempts: 1 },
    ])
  })

  it('count no submission that is pending, does not compile or failed at the judge; the total counts all (D35) [State: submission judged]', async () => {
    const uncounted = ['PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']
    const limits = ['TIME_LIMIT_EXCEEDED', 'MEMORY_LIMIT_EXCEEDED', 'OUTPUT_LIMIT_EXCEEDED']
    const others = ['WRONG_ANSWER', 'PRESENTATION_ERROR', 'RUNTIME_ERROR', 'SECURITY_VIOLATION']
    const { submit, cells } = await openContest()
    let attempts = 0
    for (const [index, status] of [...uncounted, ...limits, ...others].entries()) {
      await submit(index + 1, status)
      if (!uncounted.includes(status)) attempts += 1
      expect(await cells(), status).toMatchObject([cell(attempts, index + 1)])
    }
    await submit(12, 'ACCEPTED')
    expect(await cells()).toMatchObject([cell(8, 11, 12)])
  })

  it('count whole minutes from the start, also if it is moved later, and never below 0', async () => {
    const { eventId, submit, cells } = await openContest()
    await submit(59.9999, 'ACCEPTED')
    const minutes: number[] = []
    for (const start of [0, 10, -60.5, 59.9999, 90, 59]) {
      await admin.put(`/v1/events/${eventId}`, { start_time: at(start) })
      minutes.push((await cells())[0].minutes_to_solve)
    }
    expect(minutes).toEqual([59, 49, 120, 0, 0, 0])
  })

  it('ignore other contests, submissions outside of contests, and refused verdicts', async () => {
    const { person, submit, cells } = await openContest()
    const elsewhere = await openContest()
    const id = await submit(1, 'WRONG_ANSWER')
    const before = await cells()
    await elsewhere.submit(1, 'ACCEPTED')
    await judging.submit(person, { event_id: elsewhere.eventId })
    await giveVerdict(await judging.submit(person), 'ACCEPTED')
    const test_case_results = [{ test_case_id: second.cases[0], passed: true }]
    await judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED', test_case_results }, 400)
    expect(await cells()).toEqual(before)
    await submit(2, 'ACCEPTED', second)
    expect(await cells()).toEqual([...before, expect.objectContaining({ problem_id: second.id })])
  })

  it('change with verdicts after the end of the contest; verdicts are accepted after its deletion', async () => {
    const { eventId, submit, cells } = await openContest()
    const [first, last] = [await submit(1), await submit(2)]
    await admin.post(`/v1/events/${eventId}/end`)
    await giveVerdict(first, 'ACCEPTED')
    expect(await cells()).toMatchObject([cell(1, 2, 1)])
    await admin.delete(`/v1/events/${eventId}`)
    await giveVerdict(last, 'ACCEPTED')
  })
})

it('the status of the caller is their accepted submission to each problem, or else their latest one; judges have none [GET /v1/events/{id}/user_problem_status]', async () => {
  const { person, submit, read } = await openContest()
  const ownStatus = () => read('user_problem_status', person)
  expect(await ownStatus()).toEqual([])
  await submit(1, 'WRONG_ANSWER')
  await submit(2)
  expect(await ownStatus()).toEqual([{ problem_id: problem.id, status: 'PENDING', submit_time: at(2) }])
  await submit(3, 'ACCEPTED')
  await submit(4, 'RUNTIME_ERROR')
  await submit(5, 'TIME_LIMIT_EXCEEDED', second)
  expect(await ownStatus()).toEqual([
    { problem_id: problem.id, status: 'ACCEPTED', submit_time: at(3) },
    { problem_id: second.id, status: 'TIME_LIMIT_EXCEEDED', submit_time: at(5) },
  ])
  for (const caller of [stranger, admin, judge]) expect(await read('user_problem_status', caller)).toEqual([])
})

describe('the counts of each problem', () => {
  it('are of users, not of submissions, for every problem of the event [GET /v1/events/{id}/problems_stats]', async () => {
    const { eventId, submit, read } = await openContest()
    const expectCounts = async (...counts: [accepted: number, attempted: number][]) =>
      expect(await read('problems_stats')).toEqual(
        counts.map(([accepted_count, attempted_count], i) => ({
          ...{ problem_id: [problem.id, second.id][i], accepted_count, attempted_count },
        })),
      )
    await expectCounts([0, 0], [0, 0])
    for (const minute of [1, 2]) await submit(minute, 'ACCEPTED')
    const rejudged = await submit(3, 'ACCEPTED', second)
    await user.post(`/v1/public/events/${eventId}/register`)
    const other = await service.createPerson()
    for (const _ of [1, 2]) await judging.submit(other, { event_id: eventId })
    await expectCounts([1, 2], [1, 1])
    await giveVerdict(rejudged, 'WRONG_ANSWER')
    await expectCounts([1, 2], [0, 1])
  })

  it('are in the order of the event’s problems, later additions last, without deleted problems', async () => {
    const eventId = await createContest(judging, [{ problem_id: second.id }, { problem_id: problem.id }])
    const { id: problem_id } = await judging.createProblem()
    await admin.post(`/v1/events/${eventId}/problems`, { problem_id })
    const counts = () => user.get(`/v1/events/${eventId}/problems_stats`)
    expect(problemsOf(await counts())).toEqual([second.id, problem.id, problem_id])
    await admin.delete(`/v1/problems/${problem_id}`)
    expect(problemsOf(await counts())).toEqual([second.id, problem.id])
  })
})

describe('a hidden problem', () => {
  const problems = [{ problem_id: problem.id }, { problem_id: second.id, hidden: true }]

  it('is only in the statistics of the event’s owner, judges and admins', async () => {
    const owner = await service.createPerson()
    const event_id = await createContest(judging, problems, { user_id: owner.id })
    await giveVerdict(await judging.submit(owner, { event_id, problem_id: second.id }), 'ACCEPTED')
    await judging.submit(user, { event_id })
    const expectShown = async (list: string, callers: Caller[], expected: number[]) => {
      for (const caller of callers) {
        const shown = problemsOf(await caller.get(`/v1/events/${event_id}/${list}`))
        expect(shown.sort(), list).toEqual(expected.sort())
      }
    }
    for (const list of ['attempts', 'problems_stats']) {
      await expectShown(list, [user, stranger], [problem.id])
      await expectShown(list, [owner, judge, admin], [problem.id, second.id])
    }
    await expectShown('user_problem_status', [owner], [second.id])
  })

  it('is in a team’s submissions only for the member who submitted to it, judges and admins', async () => {
    const event_id = await createContest(judging, problems, { teams: true })
    const url = `/v1/events/${event_id}`
    const { team_id } = await user.post(`${url}/teams`, { name: 'One' })
    await stranger.post(`${url}/teams/${team_id}/join`)
    const open = await judging.submit(user, { event_id })
    const covert = { ...submissionBody(user, second, language), event_id }
    const { id } = await admin.post('/v1/submissions', covert)
    const idsFor = async (caller: Caller) =>
      (await caller.get(`${url}/submissions?team=${team_id}`)).map((item: Person) => item.id)
    expect(await idsFor(stranger)).toEqual([open])
    for (const caller of [user, judge, admin]) expect(await idsFor(caller)).toEqual([id, open])
  })
})
