import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import type { Expected } from '../support/caller.ts'
import { isoIn, over, running, scheduled, serviceWithContests, setTimes } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, createEvent, createProblem } = contests

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const change = (id: number, body: unknown, expected: Expected = 200) =>
  admin.put(`/v1/events/${id}`, body, expected)
const end = (id: number) => admin.post(`/v1/events/${id}/end`, undefined, 200)
const read = (id: number) => admin.get(`/v1/events/${id}`)

/** Returns the event as the admin's list shows it, and so does each write of it (D31, D32). */
const list = async (id: number) =>
  (await admin.get('/v1/events')).find((event: { id: number }) => event.id === id)

/** Creates an event with two problems, one of them hidden, and two participants. */
async function createFullEvent(fields: Record<string, unknown> = {}) {
  const limited = { problem_id: problem.id, accept_timeout: 7 }
  const problems = [{ problem_id: (await createProblem()).id, hidden: true }, limited]
  const id = await createEvent({ description: 'Before', languages: [3], problems, ...times, ...fields })
  for (const person of [user, admin]) await contests.register(person, id)
  return id
}

describe('updating an event', () => {
  it.each([
    [{ title: ' New title ' }, { title: 'New title' }],
    [{ description: '' }, { description: '' }],
    [{ start_time: '2026-04-01T20:30:00+02:00' }, { start_time: '2026-04-01T18:30:00Z' }],
    [{ end_time: '2026-04-02T00:00:00.5' }, { end_time: '2026-04-02T00:00:00.500Z' }],
    [{ teams: true }, { teams: true }],
  ])(
    'changes the fields that are sent, and no others: %j [PUT /v1/events/{event_id}] [Fields: Event]',
    async (sent, changed) => {
      const id = await createFullEvent()
      const [before, listed] = [await read(id), await list(id)]
      expect(await change(id, sent)).toEqual({ ...listed, ...changed })
      expect(await read(id)).toEqual({ ...before, ...changed })
    },
  )

  it('changes all fields at once, and ignores problems, languages, owner and participants (D32)', async () => {
    const id = await createFullEvent()
    const before = await read(id)
    const newTimes = { start_time: '2090-01-01T00:00:00Z', end_time: '2090-01-01T05:00:00Z' }
    const sent = { title: 'All', description: 'of it', ...newTimes, teams: true }
    const ignored = { id: 1, problems: [], languages: [9], user_id: user.id, participants: [] }
    expect(await change(id, { ...sent, ...ignored })).toMatchObject(sent)
    expect(await read(id)).toEqual({ ...before, ...sent })
  })

  it('refuses an end that is not after the start, sent or stored, and changes nothing (400) [PUT /v1/events/{event_id}] [Error: 400]', async () => {
    const id = await createFullEvent()
    const before = await read(id)
    for (const sent of [
      { start_time: times.end_time },
      { end_time: '2026-04-01T19:00:00+02:00' },
      { start_time: '2027-01-01T00:00Z', end_time: '2026-12-31T00:00Z' },
      { title: 'Not stored either', end_time: '2025-01-01T00:00Z' },
    ]) {
      await change(id, sent, refusal(400, '400', 'end_time must be after start_time'))
      expect(await read(id)).toEqual(before)
    }
  })

  it('changes other fields of an event that was ended before its start', async () => {
    const id = await createEvent(scheduled())
    await end(id)
    expect(await change(id, { title: 'Called off' })).toMatchObject({ title: 'Called off' })
    await change(id, { start_time: '2020-01-01T00:00:00Z' })
  })
})

describe('moving the end of an event', () => {
  const expectNow = (instant: string) =>
    expect(Math.abs(Date.parse(instant) - Date.now())).toBeLessThan(10_000)

  it('stores now where a running event would end now or in the past, even before its start', async () => {
    for (const end_time of [new Date().toISOString(), isoIn(-1), '2000-01-01T00:00:00Z']) {
      const id = await createFullEvent(running())
      expectNow((await change(id, { end_time })).end_time)
      expectNow((await read(id)).end_time)
      const refused = refusal(403, 'EVENT_NOT_ACTIVE')
      const body = submissionBody(user, problem, contests.language)
      await user.post('/v1/submissions', { ...body, event_id: id }, refused)
    }
  })

  it('stores it as sent where the event has ended, and counts the standings again', async () => {
    const when = over()
    const id = await createEvent({ problems: [{ problem_id: problem.id }], ...when })
    const start = Date.parse(when.start_time)
    const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
    const other = await contests.createParticipant(id)
    for (const [person, minutes, status] of [
      [user, 10, 'WRONG_ANSWER'],
      [user, 20, 'PENDING'],
      [user, 30, 'ACCEPTED'],
      [other, 40, 'ACCEPTED'],
    ] as const)
      await submitAt(person, id, at(minutes), status)
    const attempts = async () => (await user.get(`/v1/events/${id}/attempts`)).length
    const statusOf = async () => (await user.get(`/v1/events/${id}/user_problem_status`))[0]?.status
    const steps = [
      [60, 2, 'ACCEPTED'],
      [40, 1, 'ACCEPTED'],
      [30, 1, 'PENDING'],
      [15, 1, 'WRONG_ANSWER'],
      [10, 0, undefined],
      [41, 2, 'ACCEPTED'],
    ] as const
    for (const [minutes, cells, status] of steps) {
      const { end_time } = await change(id, { end_time: at(minutes) })
      expect(Date.parse(end_time)).toBe(start + minutes * 60_000)
      expect([await attempts(), await statusOf()], `${minutes} minutes`).toEqual([cells, status])
      await expectRecounted(contests.service, id)
    }
  })

  /** Submits in an event that has ended, as if in time, and gives the verdict. */
  async function submitAt(person: Person, event_id: number, time: string, status: string) {
    const { end_time } = await read(event_id)
    await setTimes(contests, event_id, -600, 600)
    const id = await contests.submit(person, { event_id })
    const run = (sql: string, ...values: (string | number)[]) =>
      contests.service.database.query(unprepared(sql), values)
    await run('update submissions set submit_time = $2::timestamptz where id = $1::uuid', id, time)
    const cell = `update event_scores
      set outcomes = jsonb_set(event_scores.outcomes, array[$1::text, '0'],
            to_jsonb((extract(epoch from $2::timestamptz) * 1000000)::bigint))
      where event_scores.outcomes ? $1::text`
    await run(cell, id, time)
    if (status !== 'PENDING') await contests.giveVerdict(id, status)
    const start = 'update events set start_time = $2::timestamptz, end_time = $3::timestamptz where id = $1'
    await run(start, event_id, new Date(Date.parse(end_time) - 3_600_000).toISOString(), end_time)
  }
})

describe('ending an event', () => {
  it('sets the end of a running event to now [POST /v1/events/{id}/end] [State: event ended] [Fields: Event]', async () => {
    const id = await createFullEvent(running())
    const [before, listed] = [await read(id), await list(id)]
    const ended = await end(id)
    const { end_time } = ended
    expect(ended).toEqual({ ...listed, end_time })
    expect(Math.abs(Date.parse(end_time) - Date.now())).toBeLessThan(60_000)
    expect(await read(id)).toEqual({ ...before, end_time })
  })

  it('keeps the start of a scheduled event, and the end of one that has ended or was ended (D32) [State: event ended]', async () => {
    const coming = scheduled()
    const early = await end(await createEvent(coming))
    expect(early.start_time).toBe(coming.start_time)
    expect(Math.abs(Date.parse(early.end_time) - Date.now())).toBeLessThan(60_000)
    const when = over()
    expect(await end(await createEvent(when))).toMatchObject(when)
    const id = await createEvent()
    const first = await end(id)
    expect(await end(id)).toEqual(first)
  })
})

describe('deleting an event', () => {
  it('keeps its submissions readable, with their event and its limits, and accepts verdicts for them', async () => {
    const id = await createEvent({ problems: [{ problem_id: problem.id, memory_limit: 99 }] })
    const submission = await contests.submit(user, { event_id: id })
    const url = `/v1/submissions/${submission}`
    const before = await user.get(url)
    expect(before).toMatchObject({ event_id: id, problem: { memory_limit: 99 } })
    await contests.deleteEvent(id)
    expect(await user.get(url)).toEqual(before)
    const forJudges = { judging: 1, attempt: 1, requeue_after: 300 }
    expect(await contests.readRecord(submission)).toEqual({ ...before, ...forJudges })
    const listed = await admin.get(`/v1/user_submissions/${user.id}`)
    expect(listed).toContainEqual(expect.objectContaining({ id: submission, event_id: id }))
    expect(await contests.patch(submission, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
    expect(await user.get(`${url}/status`)).toMatchObject({ status: 'ACCEPTED' })
  })
})
