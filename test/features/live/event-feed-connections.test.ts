import { get, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPositionTokens } from '../../../src/changes/position.ts'
import { unprepared } from '../../../src/db/statement.ts'
import { listen } from '../../support/bare-app.ts'
import { closeLater } from '../../support/cleanup.ts'
import { isoIn, running, serviceWithContests } from '../../support/contests.ts'
import { FeedReader } from '../../support/event-feed.ts'
import { untilWithoutTime } from '../../support/until.ts'

const contests = await serviceWithContests({ RATE_LIMIT_EXEMPT: '127.0.0.0/8' })
const { service, admin, user, createProblem, createEvent, createParticipant, submit, giveVerdict } = contests
const { config } = service
const port = await listen(service.app)

const problems = [{ problem_id: contests.problem.id }]
const feedOf = (eventId: number, query = '') => `/v1/clics/contests/${eventId}/event-feed${query}`

/** Opens a feed and keeps its lines, without empty ones. */
function open(eventId: number, token: string | undefined, query = '') {
  const lines: ReturnType<JSON['parse']>[] = []
  const state = { status: 0, isEnded: false }
  const headers = token === undefined ? {} : { authorization: token }
  const request = get({ port, path: feedOf(eventId, query), headers, agent: false })
  request.on('error', () => {})
  request.on('response', (response: IncomingMessage) => {
    state.status = response.statusCode ?? 0
    response.on('error', () => {})
    response.on('close', () => {
      state.isEnded = true
    })
    const reader = createInterface(response)
    reader.on('error', () => {})
    reader.on('line', (line) => {
      if (line !== '') lines.push(JSON.parse(line))
    })
  })
  closeLater(async () => void request.destroy())
  return { lines, state, close: () => request.destroy() }
}

const tokenOf = (lines: readonly { token?: string }[]) =>
  lines.findLast(({ token }) => token !== undefined)?.token ?? ''

describe('a connection of the event feed (P26)', () => {
  it('has no token before the state is complete, and goes on after the last one with what has changed', async () => {
    const event = await createEvent({ ...running(), problems, scoreboard: 'public' })
    const person = await createParticipant(event)
    const first = open(event, person.token)
    await expect.poll(() => tokenOf(first.lines)).not.toBe('')
    expect(first.lines.filter(({ token }) => token !== undefined)).toHaveLength(1)
    expect(new Set(first.lines.map(({ type }) => type))).toContain('problems')
    first.close()
    const id = await submit(person, { event_id: event })
    await giveVerdict(id, 'ACCEPTED')
    const next = open(event, person.token, `?since_token=${encodeURIComponent(tokenOf(first.lines))}`)
    const typesOf = () => next.lines.map(({ type }) => type)
    await expect.poll(typesOf).toEqual(expect.arrayContaining(['submissions', 'judgements']))
    expect(next.lines.find(({ type }) => type === 'submissions')).toMatchObject({ id, data: { id } })
    // Nothing of what has not changed.
    expect(typesOf()).not.toContain('persons')
    expect(typesOf()).not.toContain('languages')
  })

  it('refuses a token that is none, foreign, older than the retention or of another access (400), and an unknown contest', async () => {
    const event = await createEvent({ ...running(), problems })
    const first = open(event, user.token)
    await expect.poll(() => tokenOf(first.lines)).not.toBe('')
    const tokens = createPositionTokens(config.secrets.jwtSigning)
    const [text = '', scope] = tokenOf(first.lines).split('.')
    const position = tokens.read(text)
    if (position === undefined) throw new Error('the feed has sent a position')
    const foreign = tokens.write({ ...position, database: `0${position.database}` })
    const old = tokens.write({ ...position, atSeconds: position.atSeconds - 25 * 3600 })
    const other = createPositionTokens('another secret').write(position)
    expect((await user.send('GET', feedOf(event, `?since_token=${text}.${scope}`))).status).toBe(200)
    const [, rights] = String(scope).split('-')
    const wrong = [foreign, old, other, 'x'].map((one) => `${one}.${scope}`)
    const ofOthers = [`${text}.${event + 1}-${rights}`, `${text}.${event}-0`, `${text}.${scope}x`]
    for (const token of ['', 'x', text, ...wrong, ...ofOthers]) {
      const response = await user.send('GET', feedOf(event, `?since_token=${encodeURIComponent(token)}`))
      expect(response, token).toMatchObject({ status: 400, body: { code: 400 } })
    }
    expect(await user.get(feedOf(1_000_000), 404)).toMatchObject({ code: 404 })
    expect(await service.anonymous.get(feedOf(event), 401)).toMatchObject({ code: 401 })
  })

  it('is one of five of an account (429)', async () => {
    const event = await createEvent({ ...running(), problems })
    const person = await createParticipant(event)
    const feeds = Array.from({ length: 5 }, () => open(event, person.token))
    await expect.poll(() => feeds.map(({ state }) => state.status)).toEqual(feeds.map(() => 200))
    expect(await person.send('GET', feedOf(event))).toMatchObject({ status: 429, body: { code: 429 } })
    feeds[0]?.close()
    await expect.poll(async () => (await person.send('GET', feedOf(event))).status).toBe(200)
  })

  it.each([
    ['the password changes', 'update users set session_version = session_version + 1 where id = $1::uuid'],
    ['the account is deleted', 'update users set deleted_at = now() where id = $1::uuid'],
    ['staff removes them', 'update event_participants set removed_at = now() where user_id = $1::uuid'],
  ])('ends at the next look at its access after %s', async (_, change) => {
    const event = await createEvent({ ...running(), problems, admission: 'invited' })
    const person = await service.createPerson()
    await contests.admin.put(`/v1/events/${event}/participants/${person.id}`, { hidden: false })
    const feed = open(event, person.token)
    await expect.poll(() => tokenOf(feed.lines)).not.toBe('')
    await service.database.query(unprepared(change), [person.id])
    await expect.poll(() => feed.state.isEnded).toBe(true)
  })

  it('shows a sign of life, an empty line, only after a time without a line', async () => {
    const event = await createEvent({ ...running(), problems, scoreboard: 'public' })
    const { app } = await service.openBeside({ liveTimes: { pingMs: 300, roundMs: 20 } })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const leaving = new AbortController()
    const { body } = await fetch(`${address}${feedOf(event)}`, { signal: leaving.signal })
    let text = ''
    const reading = (async () => {
      for await (const bytes of body ?? []) text += Buffer.from(bytes).toString()
    })().catch(() => {})
    const isSilent = () => !text.includes('\n\n')
    await untilWithoutTime(() => text.includes('"token":'))
    for (const title of ['After 280 ms', 'After 560 ms']) {
      vi.advanceTimersByTime(280)
      await contests.admin.put(`/v1/events/${event}`, { title })
      await untilWithoutTime(() => text.includes(title))
      expect(isSilent()).toBe(true)
    }
    vi.advanceTimersByTime(301)
    await untilWithoutTime(() => !isSilent())
    leaving.abort()
    await reading
  })

  it('responds to HEAD without a body', async () => {
    const event = await createEvent({ ...running(), problems, scoreboard: 'public' })
    const response = await service.app.inject({ method: 'HEAD', url: feedOf(event) })
    expect(response).toMatchObject({ statusCode: 200, body: '' })
    expect(response.headers['content-type']).toBe('application/x-ndjson')
  })
})

/** An instance that sends what has changed more often. */
const often = await service.openBeside({ liveTimes: { roundMs: 20, awardsMs: 40 } })
const portOfOften = await listen(often.app)

/** Tells which types of lines an anonymous feed gets because of a change. */
async function watch(fields: object) {
  const [open, secret] = [await createProblem(), await createProblem({ public: false })]
  const eventId = await createEvent({
    ...{ scoreboard: 'public', clarifications: 'staff', ...fields },
    problems: [{ problem_id: open.id }, { problem_id: secret.id, hidden: true }],
  })
  const url = `/v1/events/${eventId}`
  const feed = new FeedReader([portOfOften], eventId, undefined)
  feed.connect()
  closeLater(async () => feed.close())
  await expect.poll(() => feed.hasToken).toBe(true)
  const name = () => [...(feed.objects.get('contest')?.values() ?? [])].map((contest) => Object(contest).name)
  let count = 0
  return {
    ...{ eventId, url, open, secret },
    remove: async (problemId: number) =>
      admin.delete(`${url}/problems/${(await contests.eventProblemIds(eventId)).get(problemId)}`),
    async typesAfter(change: () => Promise<unknown>): Promise<string[]> {
      const { length } = feed.lines
      await change()
      count += 1
      // All see a new title: its line comes last.
      await admin.put(url, { title: `Title ${count}` })
      await expect.poll(name).toEqual([`Title ${count}`])
      const types = new Set(feed.lines.slice(length).map(({ type }) => type))
      return [...types].filter((type) => type !== 'contest')
    },
  }
}

const renewTests = (problemId: number) =>
  service.database.query(
    unprepared('update problems set tests_version = gen_random_uuid() where problems.id = $1'),
    [problemId],
  )

it('the feed tells outsiders nothing of hidden problems and people, and not that tests were replaced (P26)', async () => {
  const { eventId, url, open, secret, remove, typesAfter } = await watch(running())
  const join = async () =>
    contests.submit(await createParticipant(eventId), { event_id: eventId, problem_id: open.id })
  // Single objects were sent: a whole collection would be another line.
  expect(await typesAfter(join)).toEqual(expect.arrayContaining(['teams', 'submissions']))
  const tester = await service.createPerson()
  const hide = (hidden: boolean) => admin.put(`${url}/participants/${tester.id}`, { hidden })
  expect(await typesAfter(() => hide(true))).toEqual([])
  expect(await typesAfter(() => admin.delete(`${url}/participants/${tester.id}`))).toEqual([])
  expect(await typesAfter(() => renewTests(secret.id))).toEqual([])
  expect(await typesAfter(() => renewTests(open.id))).toEqual([])
  expect(await typesAfter(() => remove(secret.id))).toEqual([])
  expect(await typesAfter(() => createParticipant(eventId))).toContain('teams')
})

it('the feed tells nobody but the jury of problems before the start (P26)', async () => {
  const { url, open, remove, typesAfter } = await watch({ start_time: isoIn(3600), end_time: isoIn(7200) })
  const { id } = await createProblem({ public: false })
  expect(await typesAfter(() => admin.post(`${url}/problems`, { problem_id: id }, 201))).toEqual([])
  expect(await typesAfter(() => renewTests(id))).toEqual([])
  expect(await typesAfter(() => remove(id))).toEqual([])
  expect(await typesAfter(() => remove(open.id))).toEqual([])
})
