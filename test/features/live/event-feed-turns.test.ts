import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FeedTurns } from '../../../src/features/live/contest-api/feed-turns.ts'
import { FirstStates } from '../../../src/features/live/contest-api/first-states.ts'
import { refused } from '../../support/contest-api.ts'
import { createContest, serviceWithContests } from '../../support/contests.ts'
import { observeStatements } from '../../support/observed-statements.ts'
import { openFeed } from '../../walks/contest-feeds.ts'

const contests = await serviceWithContests({ TRUSTED_PROXY: 'true' })
const { service, admin, problem, submit, giveVerdict } = contests

/** Work that ends when it is told to. */
function openWork() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
}

describe('the statements of feeds (P25)', () => {
  it('run one at a time: of staff first, then one of each account in turn, however many wait', async () => {
    const turns = new FeedTurns()
    const order: string[] = []
    const first = openWork()
    const running = turns.of('busy')(() => first.ended)
    const asked = [...'aaaabbcS'].map((key) =>
      turns.of(key, { isStaff: key === 'S' })(async () => {
        order.push(`${key} begins`)
        await Promise.resolve()
        order.push(`${key} ends`)
      }),
    )
    expect(order).toEqual([])
    first.end()
    await Promise.all([running, ...asked])
    expect(order).toEqual([...'Sabcabaa'].flatMap((key) => [`${key} begins`, `${key} ends`]))
  })

  it('go on after a failure, and an idle queue starts at once', async () => {
    const turns = new FeedTurns()
    const fail = async () => {
      throw new Error('no database')
    }
    await expect(turns.of('a')(fail)).rejects.toThrow('no database')
    const both = [turns.of('a')(fail), turns.of('b')(async () => 'done')]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    let hasStarted = false
    void turns.of('c')(async () => {
      hasStarted = true
    })
    expect(hasStarted).toBe(true)
  })
})

it('the feed of staff comes before feeds that have waited longer, and accounts take turns', async () => {
  const [helper, one, other] = [
    await service.createPerson(),
    await service.createPerson(),
    await service.createPerson(),
  ]
  const eventId = await createContest(contests, [problem], { staff: [helper.id] })
  const gate = openWork()
  const admitted: string[] = []
  const views: string[] = []
  const forRequest = service.database.forRequest.bind(service.database)
  const spy = vi.spyOn(service.database, 'forRequest').mockImplementation((requester) => {
    const own = forRequest(requester)
    const query: typeof own.query = async (statement, ...values) => {
      const actor = String(Object(values[0]).actor)
      if (statement.name === 'read_contest_view') {
        views.push(actor)
        await gate.ended
      }
      const rows = await own.query(statement, ...values)
      if (statement.name === 'read_event_access') admitted.push(actor)
      return rows
    }
    return { ...own, query }
  })
  onTestFinished(() => spy.mockRestore())
  const people = [one, one, other, helper]
  const feeds: ReturnType<typeof openFeed>[] = []
  for (const { token } of people) {
    feeds.push(openFeed(service.app, eventId, { token }))
    await expect.poll(() => admitted.length).toBe(feeds.length)
  }
  gate.end()
  for (const feed of feeds) await (await feed).until(({ token }) => token !== undefined)
  expect(views).toEqual([one, helper, one, other].map(({ id }) => id))
})

describe('the first state of a contest for anonymous readers', () => {
  const state = (position: string) => ({ position, lookedAt: 0, notifications: [] })

  it('is built once for all who ask meanwhile, and again after a change or a failure', async () => {
    const states = new FirstStates()
    const builds: ReturnType<typeof openWork>[] = []
    const build = async () => {
      const work = openWork()
      builds.push(work)
      await work.ended
      return state(`build ${builds.length}`)
    }
    const read = (isCurrent: boolean) => states.read(1, async (kept) => (isCurrent ? kept : undefined), build)
    const together = [read(true), read(true), read(true)]
    builds[0]?.end()
    const positions = (await Promise.all(together)).map(({ position }) => position)
    expect([positions, builds.length]).toEqual([['build 1', 'build 1', 'build 1'], 1])
    expect([(await read(true)).position, builds.length]).toEqual(['build 1', 1])
    // Those who come after a change: one of them builds.
    const later = [read(false), read(false)]
    await expect.poll(() => builds.length).toBe(2)
    builds[1]?.end()
    expect((await Promise.all(later)).map(({ position }) => position)).toEqual(['build 2', 'build 2'])
    const failing = states.read(
      2,
      async (kept) => kept,
      async () => Promise.reject(new Error('it left')),
    )
    const other = states.read(
      2,
      async (kept) => kept,
      async () => state('another'),
    )
    await expect(failing).rejects.toThrow('it left')
    expect((await other).position).toBe('another')
  })

  /** The lines of a new anonymous feed up to its first token. */
  async function readFirst(eventId: number) {
    const feed = await openFeed(service.app, eventId, {})
    const { token } = await feed.until((line) => line.token !== undefined)
    const lines = feed.lines()
    const first = lines.slice(0, lines.findIndex((line) => line.token !== undefined) + 1)
    return { token, lines: first.map(({ type, id, data }) => JSON.stringify({ type, id, data })) }
  }

  it('is read once while only submissions and results follow, and read again before anything hidden could be shown', async () => {
    const secret = await contests.createProblem({ public: true, title: 'Withdrawn' })
    const eventId = await createContest(contests, [problem, secret], { scoreboard: 'public' })
    const author = await contests.createParticipant(eventId)
    const read: string[] = []
    onTestFinished(observeStatements(service.database, (name) => read.push(name)))
    const countOf = (wanted: string) => read.filter((name) => name === wanted).length
    const [one, two, three] = await Promise.all([readFirst(eventId), readFirst(eventId), readFirst(eventId)])
    for (const { lines } of [two, three]) expect(lines).toEqual(one.lines)
    expect(new Set([one, two, three].map(({ token }) => token)).size).toBe(3)
    expect(one.lines.join()).toContain('Withdrawn')
    const id = await submit(author, { event_id: eventId })
    await giveVerdict(id, 'ACCEPTED')
    const later = await readFirst(eventId)
    for (const text of [`"submissions","id":"${id}"`, `"submission_id":"${id}"`])
      expect(later.lines.join()).toContain(text)
    expect((await readFirst(eventId)).lines).toEqual(later.lines)
    expect(countOf('list_contest_teams')).toBe(1)
    const eventProblem = (await contests.eventProblemIds(eventId)).get(secret.id)
    await admin.put(`/v1/events/${eventId}/problems/${eventProblem}`, { hidden: true })
    const last = await readFirst(eventId)
    expect(last.lines.join()).not.toContain('Withdrawn')
    expect(last.lines.join()).toContain(`"submissions","id":"${id}"`)
  })
})

describe('new feeds (RATE_LIMIT_FEEDS)', async () => {
  const limited = await serviceWithContests({
    ...{ TRUSTED_PROXY: 'true', RATE_LIMIT_FEEDS: '1/2', RATE_LIMIT_EXEMPT: '203.0.113.0/24' },
  })
  const [owner, helper] = [await limited.service.createPerson(), await limited.service.createPerson()]
  const fields = { scoreboard: 'public', user_id: owner.id, staff: [helper.id] }
  const eventId = await createContest(limited, [limited.problem], fields)
  const url = `/v1/clics/contests/${eventId}/event-feed`
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const tooMany = refused(429, 'Too many requests; wait a minute and try again')
  const statusesOf = async (token: string | undefined, address: string) => {
    const headers = { ...from(address), ...(token !== undefined && { authorization: token }) }
    const statuses: number[] = []
    for (let n = 0; n < 4; n += 1)
      statuses.push((await limited.service.app.inject({ method: 'HEAD', url, headers })).statusCode)
    return statuses
  }

  it('are limited by account, and without a token by address; with since_token there is no limit, nor for staff, judges and admins', async () => {
    const { user, stranger, service, admin } = limited
    const [ours, theirs] = ['192.0.2.1', '192.0.2.2']
    expect(await statusesOf(user.token, ours)).toEqual([200, 200, 429, 429])
    expect(await statusesOf(user.token, theirs)).toEqual([429, 429, 429, 429])
    expect(await statusesOf(stranger.token, ours)).toEqual([200, 200, 429, 429])
    expect(await statusesOf(undefined, ours)).toEqual([200, 200, 429, 429])
    expect(await statusesOf(undefined, theirs)).toEqual([200, 200, 429, 429])
    expect(await statusesOf(undefined, '203.0.113.9')).toEqual([200, 200, 200, 200])
    for (const { token } of [owner, helper, admin, { token: service.judgeToken }])
      expect(await statusesOf(token, ours)).toEqual([200, 200, 200, 200])
    const refusal = await service.send({ method: 'GET', url, token: user.token, headers: from(ours) })
    expect(refusal).toMatchObject(tooMany)
    expect(refusal.headers['retry-after']).toBe('60')
    // A bad token is no new feed.
    const bad = await service.send({
      ...{ method: 'GET', url: `${url}?since_token=x`, token: user.token, headers: from(ours) },
    })
    expect(bad.status).toBe(400)
  })
})
