import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { checkUserAccess } from '../../src/features/live/change-streams/sql.ts'
import { LIVE_TIMES, type LiveConnection } from '../../src/http/server/live-connections.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { listen, TESTS_ROUTE } from '../support/bare-app.ts'
import { serviceWithContests } from '../support/contests.ts'
import { openStream } from '../support/streams.ts'
import { untilWithoutTime } from '../support/until.ts'

const contests = await serviceWithContests()
const { service } = contests

const RETRY_LATER = { status: 429, headers: { 'retry-after': '60' } }

const userStream = (token: string, { app }: Pick<TestApp, 'app'> = service, headers = {}) =>
  openStream(app, { url: '/v1/user/changes', token, headers })

async function openMany(opened: TestApp, count: number, address: string) {
  const headers = { 'x-forwarded-for': address }
  const people = await Promise.all(Array.from({ length: Math.ceil(count / 5) }, () => opened.createPerson()))
  const tokens = people.flatMap(({ token }) => Array<string>(5).fill(token)).slice(0, count)
  return Promise.all(tokens.map((token) => userStream(token, opened, headers)))
}

describe('long-lived connections', () => {
  it('are at most five for one account, and closed ones make room', async () => {
    const { token } = await service.createPerson()
    const eventId = await contests.createEvent()
    const open = async () => [
      ...(await Promise.all([1, 2, 3].map(() => userStream(token)))),
      await openStream(service.app, { url: `/v1/events/${eventId}/changes`, token }),
    ]
    const streams = [...(await open()), await userStream(token)]
    for (const stream of streams) expect(stream.status).toBe(200)
    expect(await userStream(token)).toMatchObject(RETRY_LATER)
    await streams[0]?.leave()
    expect(await userStream(token)).toMatchObject({ status: 200 })
    expect(await userStream(token)).toMatchObject(RETRY_LATER)
    expect(await userStream((await service.createPerson()).token)).toMatchObject({ status: 200 })
  })

  it('that were refused take no place', async () => {
    const { token } = await service.createPerson()
    for (let times = 0; times < 6; times += 1) {
      const stream = await openStream(service.app, { url: '/v1/events/2147483647/changes', token })
      expect(stream.status).toBe(404)
    }
    expect(await userStream(token)).toMatchObject({ status: 200 })
  })

  it('are not limited by account for judges, who share one', async () => {
    for (let times = 0; times < 8; times += 1)
      expect(await userStream(service.judgeToken)).toMatchObject({ status: 200 })
  })

  it('are at most 200 for one address, also without a token, unless it is exempt', async () => {
    const opened = await openTestApp({ TRUSTED_PROXY: 'true', RATE_LIMIT_EXEMPT: '192.0.2.0/24' })
    const crowd = await openMany(opened, 200, '198.51.100.7')
    expect(crowd.filter(({ status }) => status !== 200)).toEqual([])
    const [refused] = await openMany(opened, 1, '198.51.100.7')
    expect(refused).toMatchObject(RETRY_LATER)
    const [elsewhere] = await openMany(opened, 1, '198.51.100.8')
    expect(elsewhere).toMatchObject({ status: 200 })
    const ofExempt = await openMany(opened, 201, '192.0.2.1')
    expect(ofExempt.filter(({ status }) => status !== 200)).toEqual([])
    expect(opened.app.liveConnections.size).toBe(402)
    await Promise.all([...crowd, ...ofExempt].map(({ leave }) => leave()))
    expect(opened.app.liveConnections.size).toBe(1)
    expect(opened.app.changeStreams.size).toBe(1)
  })

  it('get a sign of life every 15 seconds', async () => {
    expect(LIVE_TIMES).toMatchObject({ pingMs: 15_000, checkMs: 2000 })
    const { token } = await service.createPerson()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await userStream(token, await service.openBeside())
    for (const pings of [1, 2, 3]) {
      vi.advanceTimersByTime(LIVE_TIMES.pingMs - 1)
      expect(stream.comments()).toBe(pings - 1)
      vi.advanceTimersByTime(1)
      await untilWithoutTime(() => stream.comments() === pings)
    }
  })

  it('are closed if the client does not read, and hold little more than 64 KiB for it', async () => {
    const { app } = await service.openBeside()
    const opened: { response: ServerResponse; connection: LiveConnection }[] = []
    app.get(TESTS_ROUTE, (request, reply) => {
      const place = request.server.liveConnections.reserve(request)
      reply.hijack()
      const connection = place.start({ check: checkUserAccess, eventId: null, access: '' }, {})
      connection.write('first')
      opened.push({ response: reply.raw, connection })
    })
    const sent = send({ port: await listen(app), host: '127.0.0.1', path: TESTS_ROUTE })
    onTestFinished(() => void sent.destroy())
    sent.on('error', () => {}).end()
    const [received]: IncomingMessage[] = await once(sent, 'response')
    received?.on('error', () => {}).pause()
    const [{ response, connection } = {}] = opened
    let most = 0
    const fill = () => {
      for (let times = 0; times < 50 && !response?.destroyed; times += 1) {
        most = Math.max(most, response?.writableLength ?? 0)
        connection?.write('x'.repeat(1000))
      }
      return app.liveConnections.size
    }
    await expect.poll(fill).toBe(0)
    expect(most).toBeLessThanOrEqual(64 * 1024)
    expect(response?.destroyed).toBe(true)
  })
})
