import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { STREAM_EVENTS } from '../../../src/features/live/change-streams/schemas.ts'
import { createInvitedContest, isoIn, serviceWithContests } from '../../support/contests.ts'
import { type OpenStream, openStream as open } from '../../support/streams.ts'

const contests = await serviceWithContests()
const { service, admin, problem, submit, giveVerdict, createEvent, createParticipant } = contests
const problems = [{ problem_id: problem.id }]

type Reader = { readonly token: string } | undefined

const streamOf = (eventId: number, reader: Reader) =>
  open(service.app, { url: `/v1/events/${eventId}/changes`, token: reader?.token })

const userStream = (reader: Reader) => open(service.app, { url: '/v1/user/changes', token: reader?.token })

const namesOf = ({ events }: OpenStream) => events.map(({ name }) => name)

const count = ({ events }: OpenStream, name: string) => events.filter((event) => event.name === name).length

/** Expects no event that the document does not describe. */
function expectDescribed(...streams: OpenStream[]): void {
  for (const { name, data } of streams.flatMap(({ events }) => events)) {
    const schema = STREAM_EVENTS[name as keyof typeof STREAM_EVENTS]
    expect(Check(schema, data), `${name} ${JSON.stringify(data)}`).toBe(true)
  }
}

const PATHS = {
  standings: 'standings',
  standings_by_team: 'standings?by=team',
  attempts: 'attempts',
  problems_stats: 'problems_stats',
  problems: 'problems',
}

/** Expects that the routes respond 304 to the reader for each of these tags. */
async function expectCurrent(eventId: number, reader: Reader, tags: Record<string, string>): Promise<void> {
  const caller = reader === undefined ? service.anonymous : service.as(reader.token)
  for (const [name, path] of Object.entries(PATHS)) {
    if (tags[name] === undefined) continue
    const headers = { 'if-none-match': tags[name] }
    const { status } = await caller.send('GET', `/v1/events/${eventId}/${path}`, undefined, headers)
    expect(status, name).toBe(304)
  }
}

describe('a stream of an event', () => {
  it('begins with the clock and the present tags, which get 304 for users, staff, judges and anonymous callers', async () => {
    const eventId = await createEvent({ teams: true, scoreboard: 'public', problems })
    const names = Object.keys(PATHS)
    const readers = [await createParticipant(eventId), admin, { token: service.judgeToken }, undefined]
    for (const reader of readers) {
      const stream = await streamOf(eventId, reader)
      expect(stream.status).toBe(200)
      expect(stream.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        'x-request-id': expect.any(String),
      })
      const { data } = await stream.until('ready')
      expect(Object.keys(data.tags)).toEqual(reader === undefined ? names.slice(0, 2) : names)
      await expectCurrent(eventId, reader, data.tags)
      expect(data.clock).toMatchObject({ event_id: eventId, state: 'running' })
      expect(stream.lastId()).toEqual(expect.any(String))
      expectDescribed(stream)
    }
  })

  it('tells the owner of each submission and status, and others only the new tags', async () => {
    const eventId = await createEvent({ problems })
    const [author, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const [own, other] = [await streamOf(eventId, author), await streamOf(eventId, rival)]
    const id = await submit(author, { event_id: eventId })
    await own.until('submission', { submission_id: id, status: 'PENDING', event_id: eventId })
    await giveVerdict(id, 'ACCEPTED')
    await own.until('submission', { submission_id: id, status: 'ACCEPTED' })
    const current = (await rival.send('GET', `/v1/events/${eventId}/standings`)).headers.etag
    const { data } = await other.until('tags', { standings: current })
    await expectCurrent(eventId, rival, data)
    expect(namesOf(other)).not.toContain('submission')
    expectDescribed(own, other)
  })

  it('tells those who see a question of it, and only recipients of their notifications (P20)', async () => {
    const eventId = await createEvent({ clarifications: 'staff', scoreboard: 'public', problems })
    const url = `/v1/events/${eventId}`
    const [author, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const own = await streamOf(eventId, author)
    const others = [await streamOf(eventId, rival), await streamOf(eventId, undefined)]
    const [other, anonymous] = others
    const staff = await streamOf(eventId, admin)
    const { id: asked } = await author.post(`${url}/questions`, { question: 'Why?' })
    await own.until('question', { question_id: asked, event_id: eventId })
    await staff.until('question', { question_id: asked })
    await staff.until('notification', { question_id: asked })
    await admin.put(`${url}/questions/${asked}/answer`, { answer: 'So.' })
    await own.until('notification', { question_id: asked, event_id: eventId })
    const { id: announced } = await admin.post(`${url}/announcements`, { announcement: 'Lunch' })
    for (const stream of [own, other, staff]) await stream?.until('announcement', { question_id: announced })
    await other?.until('notification', { question_id: announced })
    expect(other?.events.filter(({ data }) => data.question_id === asked)).toEqual([])
    await admin.put(`${url}/questions/${asked}/answer?replace=true`, { answer: 'For all.', public: true })
    await other?.until('question', { question_id: asked })
    await admin.put(url, { title: 'Later' })
    await anonymous?.until('tags')
    const names = anonymous === undefined ? [] : namesOf(anonymous)
    expect(['ready', 'tags', 'clock']).toEqual(expect.arrayContaining([...new Set(names)]))
    expectDescribed(own, staff, ...others)
  })

  it('tells all of a question that all may answer; one by a contestant is no announcement', async () => {
    const eventId = await createEvent({ problems })
    const [author, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const stream = await streamOf(eventId, rival)
    const { id } = await author.post(`/v1/events/${eventId}/questions`, { question: 'Announcement' })
    for (const name of ['question', 'notification']) await stream.until(name, { question_id: id })
    expect(namesOf(stream)).not.toContain('announcement')
  })

  it('of an invited contest whose scoreboard is public tells outsiders only of that, with and without a token (P21)', async () => {
    const open = await createInvitedContest(contests, { scoreboard: 'public' })
    const watching = await streamOf(open.id, open.outsider)
    const { data } = await watching.until('ready')
    expect(Object.keys(data.tags)).toEqual(['standings', 'standings_by_team'])
    await (await streamOf(open.id, undefined)).until('ready')
    const asked = await open.insider.post(`${open.url}/questions`, { question: 'Here?' })
    await (await streamOf(open.id, open.mate)).until('ready')
    await admin.put(open.url, { title: 'Renamed' })
    await watching.until('tags')
    expect(JSON.stringify(watching.events)).not.toContain(asked.id)
  })

  it('tells the clock when it changes by time alone, with the tags that change then', async () => {
    const openBeforeStart = async (seconds: number) => {
      const [start_time, freeze_time] = [isoIn(seconds / 60), isoIn((2 * seconds) / 60)]
      const eventId = await createEvent({ start_time, freeze_time, end_time: isoIn(5), problems })
      const person = await createParticipant(eventId)
      const stream = await streamOf(eventId, person)
      const { data } = await stream.until('ready')
      return data.clock.state === 'scheduled' ? { eventId, person, stream } : undefined
    }
    // On a busy machine the contest may have started already.
    let opened: Awaited<ReturnType<typeof openBeforeStart>>
    for (let seconds = 0.5; opened === undefined; seconds *= 2) opened = await openBeforeStart(seconds)
    const { eventId, person, stream } = opened
    await stream.until('clock', { state: 'running' })
    await stream.until('clock', { state: 'frozen' })
    const { headers } = await person.send('GET', `/v1/events/${eventId}/problems`)
    await stream.until('tags', { problems: headers.etag })
    expect(count(stream, 'clock')).toBe(2)
    expectDescribed(stream)
  })

  it('tells the clock and a reset when staff moves the contest', async () => {
    const eventId = await createEvent({ problems })
    const stream = await streamOf(eventId, await createParticipant(eventId))
    const end_time = isoIn(90)
    await admin.put(`/v1/events/${eventId}`, { end_time })
    await stream.until('clock', { state: 'running', end_time })
    await admin.put(`/v1/events/${eventId}`, { start_time: isoIn(-90) })
    await stream.until('reset')
    expectDescribed(stream)
  })

  it('tells nobody but staff, judges and its author of a frozen verdict, and all of the thaw (P23)', async () => {
    const eventId = await createEvent({ freeze_time: isoIn(-1), scoreboard: 'public', problems })
    const [author, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const own = await streamOf(eventId, author)
    const others = [await streamOf(eventId, rival), await streamOf(eventId, undefined)]
    const staff = [await streamOf(eventId, admin), await streamOf(eventId, { token: service.judgeToken })]
    const id = await submit(author, { event_id: eventId })
    const shown = async () => (await rival.send('GET', `/v1/events/${eventId}/standings`)).headers.etag
    for (const stream of [own, ...others]) await stream.until('tags', { standings: await shown() })
    for (const stream of staff) await stream.until('tags')
    const before = [own, ...others].map((stream) => count(stream, 'tags'))
    const live = async () => (await admin.send('GET', `/v1/events/${eventId}/standings`)).headers.etag
    await giveVerdict(id, 'ACCEPTED')
    await own.until('submission', { submission_id: id, status: 'ACCEPTED' })
    for (const stream of staff) await stream.until('tags', { standings: await live() })
    await admin.post(`/v1/events/${eventId}/announcements`, { announcement: 'A change that all see' })
    await own.until('announcement')
    const { id: end } = await admin.post(`/v1/events/${eventId}/end`)
    expect(end).toBe(eventId)
    await admin.post(`/v1/events/${eventId}/thaw`)
    for (const stream of [own, ...others]) await stream.until('clock', { state: 'ended' })
    for (const stream of [own, ...others]) await stream.until('tags', { standings: await shown() })
    const after = [own, ...others].map(({ events }, index) =>
      events.filter(({ name }) => name === 'tags').slice(before[index]),
    )
    // Those of the end and the thaw, which may have come together.
    for (const tags of after) expect(tags.length).toBeLessThanOrEqual(2)
    expectDescribed(own, ...others, ...staff)
  })
})

describe('a stream of a user', () => {
  it('tells of own submissions inside and outside of contests and of own notifications, and of no others', async () => {
    const eventId = await createEvent({ problems })
    const [person, rival] = [await createParticipant(eventId), await createParticipant(eventId)]
    const [own, other] = [await userStream(person), await userStream(rival)]
    const inside = await submit(person, { event_id: eventId })
    const outside = await submit(person)
    await own.until('submission', { submission_id: inside, event_id: eventId, status: 'PENDING' })
    const { data } = await own.until('submission', { submission_id: outside, status: 'PENDING' })
    expect(data).not.toHaveProperty('event_id')
    await giveVerdict(outside, 'WRONG_ANSWER')
    await own.until('submission', { submission_id: outside, status: 'WRONG_ANSWER' })
    const { id } = await rival.post(`/v1/events/${eventId}/questions`, { question: 'Why?' })
    await own.until('notification', { question_id: id, event_id: eventId })
    await person.put('/v1/user/notifications/mark-read')
    const reading = () => own.events.filter(({ name, data }) => name === 'notification' && !data.event_id)
    await expect.poll(reading).toHaveLength(1)
    await submit(rival)
    await other.until('submission')
    expect(other.events.filter(({ name }) => name !== 'ready')).toHaveLength(1)
    expect(namesOf(own)).not.toContain('question')
    expectDescribed(own, other)
  })

  it('needs a token in the header (401), and answers HEAD without a stream', async () => {
    expect(await userStream(undefined)).toMatchObject({ status: 401 })
    const person = await service.createPerson()
    const inUrl = { url: `/v1/user/changes?token=${person.token}&authorization=${person.token}` }
    expect(await open(service.app, inUrl)).toMatchObject({ status: 401 })
    const headers = { authorization: contests.user.token }
    const response = await service.app.inject({ method: 'HEAD', url: '/v1/user/changes', headers })
    expect(response).toMatchObject({ statusCode: 200, payload: '' })
  })
})
