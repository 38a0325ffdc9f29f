import { describe, expect, it } from 'vitest'
import type { Expected } from '../support/caller.ts'
import { over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import { refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, createEvent, createProblem } = contests

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const change = (id: number, body: unknown, expected: Expected = 200) =>
  admin.put(`/v1/events/${id}`, body, expected)
const end = (id: number) => admin.post(`/v1/events/${id}/end`, undefined, 200)
const read = (id: number) => admin.get(`/v1/events/${id}`)

/** Returns the fields that writing an event returns. */
function withoutProblems({ problems, ...event }: Record<string, unknown>) {
  return event
}

/** Creates an event with two problems, one of them hidden, and a participant. */
async function createFullEvent(fields: Record<string, unknown> = {}) {
  const limited = { problem_id: problem.id, accept_timeout: 7 }
  const problems = [{ problem_id: (await createProblem()).id, hidden: true }, limited]
  const id = await createEvent({ description: 'Before', languages: [3], problems, ...times, ...fields })
  await contests.register(user, id)
  return id
}

describe('updating an event', () => {
  it.each([
    [{ title: ' New title ' }, { title: 'New title' }],
    [{ description: '' }, { description: '' }],
    [{ start_time: '2026-04-01T20:30:00+02:00' }, { start_time: '2026-04-01T18:30:00Z' }],
    [{ end_time: '2026-04-02T00:00:00.5' }, { end_time: '2026-04-02T00:00:00.500Z' }],
    [{ teams: true }, { teams: true }],
    [{}, {}],
  ])(
    'changes the fields that are sent, and no others: %j [PUT /v1/events/{event_id}] [Fields: Event]',
    async (sent, changed) => {
      const id = await createFullEvent()
      const before = await read(id)
      expect(await change(id, sent)).toEqual({ ...withoutProblems(before), ...changed })
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
    const earlier = { start_time: '2025-01-01T00:00:00Z', end_time: '2025-01-01T05:00:00Z' }
    expect(await change(id, earlier)).toMatchObject(earlier)
  })

  it('refuses an end that is not after the start, sent or stored, and changes nothing (400) [PUT /v1/events/{event_id}] [Error: 400]', async () => {
    const id = await createFullEvent()
    const before = await read(id)
    for (const sent of [
      { start_time: times.end_time },
      { start_time: '2026-04-01T20:00:00.000001Z' },
      { end_time: times.start_time },
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

describe('ending an event', () => {
  it('sets the end of a running event to now [POST /v1/events/{id}/end] [State: event ended] [Fields: Event]', async () => {
    const id = await createFullEvent(running())
    const before = await read(id)
    const earliest = Date.now()
    const ended = await end(id)
    const { end_time } = ended
    expect(ended).toEqual({ ...withoutProblems(before), end_time })
    expect(Date.parse(end_time)).toBeGreaterThanOrEqual(earliest - 1000)
    expect(Date.parse(end_time)).toBeLessThanOrEqual(Date.now() + 1000)
    expect(await read(id)).toEqual({ ...before, end_time })
  })

  it('sets the end of a scheduled event to now, and keeps its start [State: event ended]', async () => {
    const when = scheduled()
    const { start_time, end_time } = await end(await createEvent(when))
    expect(start_time).toBe(when.start_time)
    expect(Math.abs(Date.parse(end_time) - Date.now())).toBeLessThan(10_000)
  })

  it('keeps the end of an event that has ended or was ended (D32)', async () => {
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
    expect(await contests.readRecord(submission)).toEqual({ ...before, judging: 1, attempt: 1 })
    const listed = await admin.get(`/v1/user_submissions/${user.id}`)
    expect(listed).toContainEqual(expect.objectContaining({ id: submission, event_id: id }))
    expect(await contests.patch(submission, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
    expect(await user.get(`${url}/status`)).toMatchObject({ status: 'ACCEPTED' })
  })
})
