import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres.ts'
import { unprepared } from '../../../src/db/statement.ts'
import { createEventSubmission } from '../../../src/features/judging/submissions/create-sql.ts'
import { ActorDatabase } from '../../../src/http/routing/actor.ts'
import type { Person } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { isoIn, over, running, scheduled, serviceWithContests, setTimes } from '../../support/contests.ts'
import { submissionBody } from '../../support/judging.ts'
import { expectSince } from '../../support/moments.ts'
import { onPostgres } from '../../support/needs.ts'
import { expectRecounted } from '../../support/recount.ts'
import { refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, service, createEvent, createProblem } = contests
const { database, databaseUrl = '' } = service

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const change = (id: number, body: unknown, expected: Expected = 200) =>
  admin.put(`/v1/events/${id}`, body, expected)
const end = (id: number) => admin.post(`/v1/events/${id}/end`, undefined, 200)
const read = (id: number) => admin.get(`/v1/events/${id}`)

/** Returns the event as the admin's list shows it, and so does each write of it (D31, D32). */
const list = async (id: number) =>
  (await admin.get('/v1/events')).find((event: { id: number }) => event.id === id)

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

  it('refuses an end that is not after the start, sent or stored, and changes nothing (400), but changes an event that was ended before its start [PUT /v1/events/{event_id}] [Error: 400]', async () => {
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
    const early = await createEvent(scheduled())
    await end(early)
    expect(await change(early, { title: 'Called off' })).toMatchObject({ title: 'Called off' })
    await change(early, { start_time: '2020-01-01T00:00:00Z' })
  })
})

describe('moving the end of an event', () => {
  it('stores now where a running event would end now or in the past, even before its start', async () => {
    for (const end_time of [new Date().toISOString(), isoIn(-1), '2000-01-01T00:00:00Z']) {
      const id = await createFullEvent(running())
      const sentAt = Date.now()
      expectSince(sentAt, (await change(id, { end_time })).end_time)
      expectSince(sentAt, (await read(id)).end_time)
      const body = submissionBody(user, problem, contests.language)
      await user.post('/v1/submissions', { ...body, event_id: id }, refusal(403, 'EVENT_NOT_ACTIVE'))
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
      await expectRecounted(service, id)
    }
  })

  /** Submits in an event that has ended, as if in time, and gives the verdict. */
  async function submitAt(person: Person, event_id: number, time: string, status: string) {
    const { end_time } = await read(event_id)
    await setTimes(contests, event_id, -600, 600)
    const id = await contests.submit(person, { event_id })
    const run = (sql: string, ...values: (string | number)[]) => database.query(unprepared(sql), values)
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

it('ending an event sets the end to now, keeps the start of a scheduled event, and the end of one that has ended or was ended (D32) [POST /v1/events/{id}/end] [State: event ended] [Fields: Event]', async () => {
  const id = await createFullEvent(running())
  const [before, listed] = [await read(id), await list(id)]
  const sentAt = Date.now()
  const ended = await end(id)
  const { end_time } = ended
  expect(ended).toEqual({ ...listed, end_time })
  expectSince(sentAt, end_time)
  expect(await read(id)).toEqual({ ...before, end_time })
  expect(await end(id)).toEqual(ended)
  const coming = scheduled()
  const early = await end(await createEvent(coming))
  expect(early.start_time).toBe(coming.start_time)
  expectSince(sentAt, early.end_time)
  const when = over()
  expect(await end(await createEvent(when))).toMatchObject(when)
})

it('deleting an event keeps its submissions readable, with their event and its limits, and accepts verdicts for them', async () => {
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

async function createTeamEvent(): Promise<number> {
  const eventId = await createEvent({ teams: true, problems: [{ problem_id: problem.id }] })
  for (const person of [admin, user]) await contests.register(person, eventId)
  return eventId
}

/** Returns a valid request to every route of an event; `member` gets a team for it. */
async function requestsTo(eventId: number, member: Person) {
  const url = `/v1/events/${eventId}`
  const ids: Record<string, unknown> = {
    event_id: eventId,
    event_problem_id: (await contests.eventProblemIds(eventId)).get(problem.id),
    user_id: member.id,
    team_id: (await member.post(`${url}/teams`, { name: member.name })).team_id,
    question_id: (await member.post(`${url}/questions`, { question: 'Why?' })).id,
    scoreboard_token_id: (await admin.post(`${url}/scoreboard_tokens`, {}, 201)).id,
  }
  const body = {
    ...{ title: 'Late', name: 'Late', question: 'Late?', answer: 'Late.', label: 'L', announcement: 'Late.' },
    ...{ problem_id: (await createProblem()).id, user_id: member.id, extra_minutes: 5 },
  }
  return service.routes
    .filter(({ url }) => /^\/v1\/(public\/)?events\/:event_id/.test(url))
    .map((route) => ({
      ...{ method: route.method, policy: route.policy },
      url: route.url.replaceAll(/:(\w+)/g, (_, name: string) => String(ids[name])),
      body: route.body === undefined ? undefined : body,
    }))
}

it('responds 204 to the deletion of an event, then 404 on all its routes [DELETE /v1/events/{event_id}] [Error: 404]', async () => {
  const eventId = await createTeamEvent()
  const requests = await requestsTo(eventId, user)
  expect(requests).toHaveLength(37)
  for (const { method, url } of requests) {
    if (method === 'GET') await (url.endsWith('/teams/me') ? user : admin).get(url, 200)
  }
  expect(await admin.send('DELETE', `/v1/events/${eventId}`)).toMatchObject({ status: 204, text: '' })
  const missing = refusal(404, 'NOT_FOUND', expect.stringMatching(/^There is no such/))
  for (const { method, url, body, policy } of requests) {
    for (const caller of policy === 'user' ? [admin, user] : [admin])
      expect(await caller.send(method, url, body), `${method} ${url}`).toMatchObject(missing)
  }
})

// The commit of a submission takes 10 ms, as on a disk.
const slowCommits = [
  `create function commit_slowly() returns trigger
   language plpgsql as $$ begin perform pg_sleep(0.01); return null; end $$`,
  `create constraint trigger slow_commit after insert on submissions
   deferrable initially deferred for each row execute function commit_slowly()`,
]

describe('while 40 people submit with commits of 10 ms', onPostgres, () => {
  beforeAll(async () => {
    for (const statement of slowCommits) await database.query(unprepared(statement))
  })
  afterAll(async () => {
    await database.query(unprepared('drop trigger slow_commit on submissions'))
    await database.query(unprepared('drop function commit_slowly'))
  })

  it.each([
    ['ending', 'POST', '/end', undefined],
    ['extending', 'PUT', '', { end_time: isoIn(120) }],
  ] as const)('%s the contest waits for few submissions of each', async (_, method, path, body) => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => service.createPerson()))
    const eventId = await createEvent({ problems: [{ problem_id: problem.id }] })
    const crowded = submitTogether(crowd, eventId)
    await crowded.untilStored(80)
    const before = crowded.countStored()
    expect(await admin.send(method, `/v1/events/${eventId}${path}`, body)).toMatchObject({ status: 200 })
    expect(crowded.countStored() - before).toBeLessThan(10 * crowd.length)
    await crowded.stop()
    await expectRecounted(service, eventId)
  })

  /** Each person submits again and again over their own connection, until `stop`. */
  function submitTogether(crowd: readonly Person[], eventId: number) {
    const limits = { statementTimeoutMs: 20_000, connectTimeoutMs: 10_000 }
    const connections = openPostgres({ url: databaseUrl, poolSize: crowd.length, ...limits })
    let isOver = false
    let stored = 0
    const load = crowd.map(async (person) => {
      const db = new ActorDatabase(connections, { id: person.id, role: 0, sessionVersion: 1 })
      const body = { ...submissionBody(person, problem, contests.language), event_id: eventId }
      while (!isOver) {
        await db.query(createEventSubmission, { ...body, id: uuidv7() })
        stored += 1
      }
    })
    return {
      countStored: () => stored,
      untilStored: (count: number) =>
        expect.poll(() => stored, { interval: 10 }).toBeGreaterThanOrEqual(count),
      async stop() {
        isOver = true
        await Promise.all(load)
        await connections.close()
      },
    }
  }
})
