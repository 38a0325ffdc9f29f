import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { TIMEOUTS, type Timeouts } from '../../src/http/server/timeouts.ts'
import { listen, openBareApp, TESTS_ROUTE } from './bare-app.ts'
import { bodyOf, connectRaw } from './raw-client.ts'

const LATE = 'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time'
const refused = { error: LATE, code: '400', message: LATE }

/** So long that a test would fail before it is over. */
const NEVER_MS = 300_000
const never: Timeouts = {
  headMs: NEVER_MS,
  requestMs: NEVER_MS,
  keepAliveMs: NEVER_MS,
  answerMs: NEVER_MS,
  checkMs: 50,
}

/** Goes on sending, a byte at a time, so that the connection is never idle. */
function trickle(send: (bytes: string) => void): void {
  const timer = setInterval(() => send('a'), 20)
  onTestFinished(() => clearInterval(timer))
}

const countConnections = (app: FastifyInstance) =>
  promisify<number>((done) => app.server.getConnections(done))()

async function expectAlive(port: number): Promise<void> {
  const client = await connectRaw(port)
  client.send('GET /health HTTP/1.1\r\n\r\n')
  expect(bodyOf(await client.untilReceived(/}$/))).toEqual({ status: 'ok' })
}

describe('a connection is ended, and the service goes on,', () => {
  it('when a head comes a byte at a time for too long (400)', async () => {
    const { app } = await openBareApp({}, { ...never, headMs: 300 })
    const port = await listen(app)
    const client = await connectRaw(port)
    client.send('GET /health HTTP/1.1\r\nX-Slow: ')
    trickle(client.send)
    expect(bodyOf(await client.untilEnded())).toEqual(refused)
    await expect.poll(() => countConnections(app)).toBe(0)
    await expectAlive(port)
  })

  it.each([
    ['with a length', 'Content-Length: 1000\r\n\r\n', 'a'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'],
  ])('when a body %s comes a byte at a time for too long (400)', async (_, rest, piece) => {
    const { app, log } = await openBareApp({}, { ...never, headMs: 400, requestMs: 400 })
    const port = await listen(app)
    const client = await connectRaw(port)
    log.length = 0
    client.send(`POST /v1/basic_login HTTP/1.1\r\nContent-Type: application/json\r\n${rest}`)
    trickle(() => client.send(piece))
    expect(bodyOf(await client.untilEnded())).toEqual(refused)
    await expect.poll(() => countConnections(app)).toBe(0)
    expect(log.map((line) => JSON.parse(line))).toMatchObject([{ route: '/v1/basic_login', status: 400 }])
    await expectAlive(port)
  })

  it('when a body that was refused (413) goes on for too long', async () => {
    const { app } = await openBareApp({}, { ...never, headMs: 400, requestMs: 400 })
    const client = await connectRaw(await listen(app))
    client.send('POST /v1/basic_login HTTP/1.1\r\nContent-Type: application/json\r\n')
    client.send('Content-Length: 9999999999\r\n\r\n')
    await client.untilReceived(/PAYLOAD_TOO_LARGE/)
    trickle(client.send)
    const answer = await client.untilEnded()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413'])
    await expect.poll(() => countConnections(app)).toBe(0)
  })

  it('when nobody says anything on it, also with two thousand of them, while others are answered', async () => {
    const { app } = await openBareApp({}, { ...never, headMs: 2000 })
    const port = await listen(app)
    const ends: Promise<unknown>[] = []
    for (let count = 0; count < 2000; count += 1) {
      const socket = connect({ port, host: '127.0.0.1' })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {}).resume()
      ends.push(once(socket, 'close'))
      if (count % 100 === 99) await once(socket, 'connect')
    }
    await expectAlive(port)
    await Promise.all(ends)
    await expect.poll(() => countConnections(app), { timeout: 10_000 }).toBeLessThanOrEqual(1)
    await expectAlive(port)
  }, 30_000)

  it('when no other request follows an answer', async () => {
    const { app } = await openBareApp({}, { ...never, keepAliveMs: 100 })
    const client = await connectRaw(await listen(app))
    client.send('GET /health HTTP/1.1\r\n\r\n')
    expect((await client.untilEnded()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    await expect.poll(() => countConnections(app)).toBe(0)
  })

  it('when an answer of many megabytes is never read, or not on', async () => {
    const { app } = await openBareApp({}, { ...never, answerMs: 500 })
    app.get(TESTS_ROUTE, async () => 'a'.repeat(64 * 1024 * 1024))
    const port = await listen(app)
    const socket = connect({ port, host: '127.0.0.1' }).pause()
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    const begun = once(app.server, 'request')
    socket.write(`GET ${TESTS_ROUTE} HTTP/1.1\r\n\r\n`)
    await begun
    expect(await countConnections(app)).toBe(1)
    await expect.poll(() => countConnections(app), { timeout: 10_000 }).toBe(0)
    await expectAlive(port)
  })
})

describe('a connection is left alone', () => {
  it('while it uses the time for each request and answer, one after the other', async () => {
    const { app } = await openBareApp({}, { ...never, headMs: 1000, requestMs: 1000, answerMs: 1000 })
    const client = await connectRaw(await listen(app))
    const startedMs = performance.now()
    let answers = 0
    // Longer altogether than one of them may be.
    while (performance.now() - startedMs < 2500) {
      client.send('GET /health HTTP/1.1\r\n\r\n')
      answers += 1
      await client.untilReceived(new RegExp(`(HTTP/1\\.1 200 .*){${answers}}}$`, 's'))
    }
    expect(await countConnections(app)).toBe(1)
  })
})

describe('in production', () => {
  it('the largest body has time to come at 1 MB/s, and the server has these times', async () => {
    const { app } = await openBareApp()
    const secrets = { JWT_SIGNING_SECRET: 'a', JUDGE_PASSWORD: 'b', WEB_BRIDGE_SECRET: 'c' }
    const { sizes } = loadConfig(secrets)
    expect((TIMEOUTS.requestMs / 1000) * 1_000_000).toBeGreaterThan(2 * sizes.problemBodyBytes)
    const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: TIMEOUTS.headMs,
      requestTimeout: TIMEOUTS.requestMs,
      keepAliveTimeout: TIMEOUTS.keepAliveMs,
    })
  })
})
