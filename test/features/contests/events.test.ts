import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { over, running, scheduled, serviceWithContests } from '../../support/contests.ts'
import { NO_PROBLEM, NOBODY } from '../../support/ids.ts'
import { notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createProblem, readUser } = contests
const { judge } = service

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }
const ownLimits = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }
const contestLimits = { accept_timeout: 7.5, execution_timeout: 2, memory_limit: 512 }

/** Creates an event with two problems and two participants; `common` is the same in all views. */
async function createFullEvent(fields: Record<string, unknown> = {}) {
  const shown = await createProblem({ title: 'Shown' })
  const hidden = await createProblem({ title: 'Hidden', public: false })
  const problems = [
    { problem_id: hidden.id, hidden: true },
    { problem_id: shown.id, ...contestLimits },
  ]
  const texts = { title: 'Full', description: 'With ünï 🙂', teams: true, languages: [1, 2] }
  const sent = { ...texts, ...times, end_time: '2096-04-01T20:00:00Z', ...fields }
  const id = await createEvent({ ...sent, problems })
  for (const person of [admin, user]) await contests.register(person, id)
  return { id, shown, hidden, common: { user_id: admin.id, ...sent, id, participant_count: 2 } }
}

const findIn = async (caller: Caller, list: string, id: number) =>
  (await caller.get(list)).find((event: { id: number }) => event.id === id)

describe('the lists of events', () => {
  it('show all fields of an event, the ids of its shown problems (hidden ones for admins and judges), and only the caller among its participants (D31) [GET /v1/public/events] [GET /v1/events] [Fields: Event] [Fields: User]', async () => {
    const { id, shown, hidden, common } = await createFullEvent()
    const event = { ...common, problem_count: 1, problems: [{ id: shown.id }] }
    const url = '/v1/public/events'
    expect(await findIn(user, url, id)).toEqual({ ...event, participants: [await readUser(user)] })
    expect(await findIn(stranger, url, id)).toEqual({ ...event, participants: [] })
    const all = { problem_count: 2, problems: [{ id: hidden.id }, { id: shown.id }] }
    expect(await findIn(judge, url, id)).toEqual({ ...event, ...all, participants: [] })
    const ofAdmin = { ...event, ...all, participants: [await readUser(admin)] }
    for (const list of ['/v1/events', url]) expect(await findIn(admin, list, id)).toEqual(ofAdmin)
  })

  it('put the latest start first, then the newest event, and leave out deleted events (D31)', async () => {
    const created: number[] = []
    for (const day of ['02', '01', '03', '01']) {
      const start_time = `2090-01-${day}T00:00:00Z`
      created.push(await createEvent({ start_time, end_time: '2096-01-01T00:00:00Z' }))
    }
    const [first = 0, second, third = 0, fourth] = created
    const past = await createEvent(over())
    await contests.deleteEvent(third)
    for (const events of [await stranger.get('/v1/public/events'), await admin.get('/v1/events')]) {
      const ids: number[] = events.map(({ id }: { id: number }) => id)
      expect(ids.filter((id) => [...created, past].includes(id))).toEqual([first, fourth, second, past])
    }
  })
})

describe('the public view of an event', () => {
  it('shows all participants in the order of joining, and the ids of the problems, before the start, during the contest and after the end [GET /v1/public/events/{event_id}] [Fields: Event] [Fields: User]', async () => {
    for (const when of [scheduled(), running(), over()]) {
      const { id, shown, common } = await createFullEvent(when)
      const participants = [await readUser(admin), await readUser(user)]
      const expected = { ...common, problem_count: 1, participants, problems: [{ id: shown.id }] }
      expect(await stranger.get(`/v1/public/events/${id}`)).toEqual(expected)
    }
  })

  it('shows and counts hidden problems for admins, judges and the owner only (D33)', async () => {
    const owner = await service.createPerson()
    const { id, shown, hidden } = await createFullEvent({ user_id: owner.id })
    const all = { problem_count: 2, problems: [{ id: hidden.id }, { id: shown.id }] }
    const visible = { problem_count: 1, problems: [{ id: shown.id }] }
    const url = `/v1/public/events/${id}`
    for (const caller of [admin, judge, owner]) expect(await caller.get(url)).toMatchObject(all)
    for (const caller of [user, stranger]) expect(await caller.get(url)).toMatchObject(visible)
  })
})

describe('the admin view of an event', () => {
  it('shows all participants, and complete problems within the limits in the contest, hidden ones too (D31) [GET /v1/events/{event_id}] [Fields: EventProblem] [Fields: Problem] [Fields: TestCase]', async () => {
    const { id, shown, hidden, common } = await createFullEvent()
    const ids = await contests.eventProblemIds(id)
    const whole = async ({ id: problem_id }: { id: number }, limits: object) => ({
      ...{ id: ids.get(problem_id), event_id: id, problem_id, hidden: problem_id === hidden.id, ...limits },
      problem: { ...(await admin.get(`/v1/problems/${problem_id}`)), ...limits },
    })
    const event = await admin.get(`/v1/events/${id}`)
    expect(event).toEqual({
      ...{ ...common, problem_count: 2 },
      participants: [await readUser(admin), await readUser(user)],
      problems: [await whole(hidden, ownLimits), await whole(shown, contestLimits)],
    })
    expect(event.problems[1].problem).toMatchObject({ title: 'Shown', ...contestLimits })
    expect(event.problems[1].problem.test_cases).toMatchObject([
      { input: '1', expected_output: '42', hidden: false },
      { input: '', expected_output: '', hidden: true },
    ])
  })

  it('is found by its title, trimmed: the newest event with it that is not deleted (D31); refused for an unknown title (404) and without exactly one (400) [Error: 404]', async () => {
    const title = 'Twice & again = 50 %'
    await createFullEvent({ title })
    const { id } = await createFullEvent({ title, ...over() })
    for (const other of [`${title}!`, title.toUpperCase()]) await createEvent({ title: other })
    await contests.deleteEvent(await createEvent({ title, ...scheduled() }))
    for (const sent of [title, `  ${title} `]) {
      const found = await admin.get(`/v1/event_details?${new URLSearchParams({ title: sent })}`)
      expect(found).toEqual(await admin.get(`/v1/events/${id}`))
    }
    for (const [query, expected] of [
      ['?title=Nobody%20has%20it', notFound('event')],
      ['', refusal(400, '400', 'title is required')],
      ['?title=', refusal(400, '400', 'title must not be empty')],
      ['?title=a&title=b', refusal(400, '400', 'title must be a string')],
    ] as const)
      await admin.get(`/v1/event_details${query}`, expected)
  })
})

it('a title is found by each spelling with the same NFC, also one that an earlier release stored (D31)', async () => {
  const stored = await createEvent({ title: 'Caf\u00E9 composed' })
  const old = await createEvent({ title: 'Old' })
  const title = 'Cafe\u0301 of\u200B 0.2.0'
  await service.database.query(unprepared('update events set title = $2 where id = $1'), [old, title])
  for (const [sent, id] of [
    ['Cafe\u0301 composed', stored],
    ['Caf\u00E9 composed', stored],
    ['Caf\u00E9 of\u200B 0.2.0', old],
    [title, old],
  ] as const) {
    const found = await admin.get(`/v1/event_details?${new URLSearchParams({ title: sent })}`)
    expect(found.id, sent).toBe(id)
  }
})

const create = (fields: Record<string, unknown> = {}, expected: Expected = 201) =>
  admin.post('/v1/events', { title: 'A contest', ...times, ...fields }, expected)

describe('creating an event', () => {
  it('returns the stored fields as sent, all problems, and the event as lists show it (D31); the caller owns it by default, without description, teams, languages and problems (D32) [POST /v1/events] [Fields: Event]', async () => {
    const other = await createProblem({ public: false })
    const texts = { title: 'Spring Cup – ünï 🙂', description: 'Rules:\n1. Be fair.' }
    const sent = { ...texts, ...times, teams: true, user_id: user.id, languages: [4, 2, 2] }
    const problems = [{ problem_id: problem.id }, { problem_id: other.id, hidden: true }]
    const bare = { problem_count: 0, participant_count: 0, problems: [], participants: [] }
    const ids = [{ id: problem.id }, { id: other.id }]
    const event = await create({ ...sent, problems })
    expect(event).toEqual({ ...sent, id: expect.any(Number), ...bare, problem_count: 2, problems: ids })
    expect(await findIn(admin, '/v1/events', event.id)).toEqual(event)
    const defaults = { user_id: admin.id, title: 'A contest', description: '', teams: false, languages: [] }
    expect(await create()).toEqual({ id: expect.any(Number), ...defaults, ...times, ...bare })
  })

  it('keeps the order, the limits and the visibility of the problems, and gives them a label, a colour and a position (P20)', async () => {
    const [a, b, c] = [await createProblem(), await createProblem(), await createProblem()]
    const largest = { accept_timeout: 0.25, execution_timeout: 86_400, memory_limit: 1_048_576 }
    const settings = { label: 'Z', color: '#d00', position: 0, points: 1_000_000 }
    const first = { problem_id: b.id, memory_limit: 1, hidden: false, ...settings }
    const problems = [
      { problem_id: c.id, ...largest },
      { problem_id: a.id, execution_timeout: 9, hidden: true },
    ]
    const event = await create({ problems: [...problems, { ...first, label: ' Z ' }] })
    expect(event.problems).toEqual([{ id: b.id }, { id: c.id }, { id: a.id }])
    const read = await admin.get(`/v1/events/${event.id}/problems`)
    expect(read).toMatchObject([first, ...problems].map((sent) => ({ ...ownLimits, hidden: false, ...sent })))
    expect(Object.keys(read[1]).filter((field) => field in settings)).toEqual([])
    const colors = ['url(x)', '#12', 'd00'].map((color) => ({ color }))
    for (const wrong of [{ label: '' }, ...colors, { position: -1 }])
      await create({ problems: [{ problem_id: a.id, ...wrong }] }, refusal(400, '400'))
  })

  it('keeps languages as sent, integers or UUIDs (D32)', async () => {
    const [small, large] = ['01890000-0000-7000-8000-00000000abcd', '01890000-0000-7000-8000-00000000ABCD']
    const numbers = [0, -7, 2_147_483_648, Number.MAX_SAFE_INTEGER]
    for (const languages of [[], [3, 1, 2], numbers, [small, large], [5, small, 5]]) {
      const { id, languages: created } = await create({ languages })
      const { languages: inPublic } = await admin.get(`/v1/public/events/${id}`)
      const { languages: forAdmins } = await admin.get(`/v1/events/${id}`)
      expect([created, inPublic, forAdmins]).toEqual([languages, languages, languages])
    }
  })

  it('allows any start, an end a microsecond after it in another time zone (D32), and a title twice, trimmed, of up to 255 characters', async () => {
    for (const when of [over(), running(), scheduled()]) await create(when)
    const { end_time } = await create({ end_time: '2026-04-01T20:00:00.000001+02:00' })
    expect(end_time).toBe('2026-04-01T18:00:00.000001Z')
    const longest = '😀'.repeat(255)
    for (const title of ['Again', 'Again', longest]) expect(await create({ title })).toMatchObject({ title })
    expect(await create({ title: ' \tTrimmed\n' })).toMatchObject({ title: 'Trimmed' })
  })
})

const countEvents = unprepared(`select (select count(*)::integer from events) as events,
          (select count(*)::integer from event_problems) as problems`)

it('refuses an event with wrong times or a repeated problem (400) or without its records (404), and stores nothing [POST /v1/events] [Error: 400] [Error: 404]', async () => {
  const [other, goneProblem] = [await createProblem(), await createProblem()]
  const goneUser = await service.createPerson()
  await admin.delete(`/v1/problems/${goneProblem.id}`)
  await contests.deleteUser(goneUser)
  const having = (...ids: number[]) => ({ problems: ids.map((problem_id) => ({ problem_id })) })
  const endsTooEarly = refusal(400, '400', 'end_time must be after start_time')
  const namedTwice = refusal(400, '400', 'problems must name each problem once')
  const before = await service.database.query(countEvents)
  for (const [fields, expected] of [
    [{ end_time: times.start_time }, endsTooEarly],
    [{ end_time: '2026-04-01T19:59:59+02:00' }, endsTooEarly],
    [{ end_time: '2026-04-01T17:59:59.999999Z' }, endsTooEarly],
    [{ start_time: '2026-04-01T20:00:00.000001Z' }, endsTooEarly],
    [having(problem.id, other.id, problem.id), namedTwice],
    [having(problem.id, NO_PROBLEM), notFound('problem')],
    [having(goneProblem.id), notFound('problem')],
    [{ user_id: NOBODY }, notFound('user')],
    [{ user_id: goneUser.id }, notFound('user')],
  ] as const) {
    await create(fields, expected)
    expect(await service.database.query(countEvents)).toEqual(before)
  }
})

const LAST = '9999-12-31T23:59:59.999999Z'

async function expectRefused(sent: string): Promise<void> {
  const error = 'must be an ISO 8601 date-time, for example 2026-04-01T18:00:00Z'
  await create({ start_time: sent, end_time: LAST }, refusal(400, '400', `start_time ${error}`))
  await create({ start_time: '0001-01-01T00:00Z', end_time: sent }, refusal(400, '400', `end_time ${error}`))
}

describe('a date-time of an event (D4)', () => {
  it.each([
    [
      'in UTC, without an offset',
      '2026-04-01T18:00:00Z',
      '2026-04-01T18 2026-04-01T18:00 2026-04-01T18:00:00',
    ],
    ['in UTC, with one', '2026-04-01T18:00:00Z', '2026-04-01t18:00:00z 2026-04-01T18:00:00-00:00'],
    ['with an eastern offset', '2026-03-31T23:00:00Z', '2026-04-01T01:00:00+02:00'],
    ['with a western offset', '2027-01-01T01:30:00Z', '2026-12-31T20:00:00-05:30'],
    ['with an offset in hours', '2026-04-01T04:00:00Z', '2026-04-01T18:00:00+14'],
    ['with an offset without a colon', '2026-04-01T19:30:00Z', '2026-04-01T18:00:00-0130'],
    ['without seconds', '2026-04-01T18:30:00Z', '2026-04-01T18:30 2026-04-01T18:00-00:30'],
    ['in the basic format', '2026-04-01T18:30:00Z', '20260401T183000Z 20260401T2030+0200'],
    ['by week or day of year', '2026-04-01T18:00:00Z', '2026-W14-3T18:00:00Z 2026W143T18 2026-091T18:00:00Z'],
    ['by a week that begins in the year before', '2024-12-30T00:00:00Z', '2025-W01-1T00:00'],
    ['by week 53', '2027-01-03T00:00:00Z', '2026-W53-7T00:00'],
    ['by day 366', '2024-12-31T18:00:00Z', '2024366T1800'],
    ['on a leap day', '2024-02-29T10:00:00Z', '2024-02-29T10:00Z'],
    ['with tenths of a second', '2026-04-01T18:00:00.500Z', '2026-04-01T18:00:00.5Z'],
    ['with a decimal comma', '2026-04-01T17:00:00.250Z', '2026-04-01T18:00:00,25+01:00'],
    ['with a fraction of zero', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00.000000Z'],
    ['to the microsecond', '2026-04-01T18:00:00.123456Z', '2026-04-01T18:00:00.123456Z'],
    ['beyond the microsecond, truncated', '2026-04-01T18:00:00.999999Z', '2026-04-01T18:00:00.999999999Z'],
    ['with a fraction of a minute', '2026-04-01T18:00:15Z', '2026-04-01T18:00.25Z'],
    ['with a fraction of an hour', '2026-04-01T18:30:18Z', '2026-04-01T18,505Z'],
    ['at hour 24', '2026-03-01T00:00:00Z', '2026-02-28T24:00:00Z'],
    ['at hour 24 with a fraction of zero', '2027-01-01T00:00:00Z', '2026-12-31T24:00:00.0'],
    ['in the year 1', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('is accepted %s, and returned as %s', async (_, returned, sent) => {
    const shown = { start_time: returned, end_time: LAST }
    for (const start_time of sent.split(' '))
      expect(await create({ start_time, end_time: LAST })).toMatchObject(shown)
  })

  it.each([
    ['without a time', '2026-04-01 20260401 2026-04-01T 2026-W14-3'],
    ['without a date', '18:00:00Z T18:00:00Z'],
    ['without a day', '2026T18:00:00Z 2026-04T18:00:00Z 2026-W14T18:00:00Z'],
    ['as a number or a PostgreSQL keyword', '1775066400 now infinity'],
    ['on a date that does not exist', '2026-02-29T18:00:00Z 2026-13-01T18:00:00Z 2026-366T18:00:00Z'],
    ['on a day of a week that does not exist', '2025-W53-1T18:00:00Z 2026-W14-8T18:00:00Z'],
    ['after hour 24', '2026-04-01T25:00:00Z 2026-04-01T24:01:00Z 2026-04-01T24:00:00.0000001Z'],
    ['at minute 60', '2026-04-01T18:60:00Z'],
    ['with a wrong offset', '2026-04-01T18:00:00+24:00 2026-04-01T18:00:00+01:60 2026-04-01T18:00:00+2'],
    ['with missing digits', '2026-04-01T18:00:00.Z 26-04-01T18:00:00Z 2026-4-1T18:00:00Z'],
    ['before the year 1', '0000-06-01T00:00:00Z 0001-01-01T00:00:00+00:01 -0044-03-15T12:00:00Z'],
    ['after the year 9999', '10000-01-01T00:00:00Z 9999-12-31T23:59:59-00:01 9999-12-31T24:00:00Z'],
    ['with digits outside ASCII', '２０２６-04-01T18:00:00Z'],
  ])('is refused %s (400): %s [Error: 400]', async (_, sent) => {
    for (const text of sent.split(' ')) await expectRefused(text)
  })

  it('is refused if empty, with white space or in words (400), and without delay after a fraction of 500,000 digits, which it may have', async () => {
    const spaced = ['', ' 2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z\n', '2026-04-01 18:00:00']
    const words = ['tomorrow at noon', '04/01/2026 18:00', 'Wed, 01 Apr 2026 18:00:00 GMT']
    for (const text of [...spaced, ...words]) await expectRefused(text)
    const long = `2026-04-01T18:00:00.${'1'.repeat(500_000)}`
    await create({ start_time: `${long}x`, end_time: LAST }, 400)
    await create({ start_time: `${long}Z`, end_time: LAST })
  })
})
