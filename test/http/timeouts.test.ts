import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { TIMEOUTS, type Timeouts } from '../../src/http/server/timeouts.ts'
import { JUDGE_PASSWORD } from '../support/app.ts'
import { listen, openBareApp, TESTS_ROUTE } from '../support/bare-app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { bodyOf, connectRaw } from '../support/raw-client.ts'
import { startServiceProcess } from '../support/service-process.ts'

const LATE = 'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time'
const refused = { error: LATE, code: '400', message: LATE }

/** So long that a test would fail before it is over. */
const NEVER_MS = 300_000
const never: Timeouts = {
  headMs: NEVER_MS,
  requestMs: NEVER_MS,
  keepAliveMs: NEVER_MS,
  responseMs: NEVER_MS,
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
    const { app } = await openBareApp({}, { ...never, responseMs: 500 })
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
    const { app } = await openBareApp({}, { ...never, headMs: 1000, requestMs: 1000, responseMs: 1000 })
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

/** A request that waits for the rest of its body, `{}`. */
const unfinished = [
  'POST /v1/login_judge HTTP/1.1',
  'Host: localhost',
  `Authorization: ${JUDGE_PASSWORD}`,
  'Content-Type: application/json',
  'Content-Length: 2',
  'Connection: keep-alive',
  '',
  '{',
].join('\r\n')

const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('an application that closes', () => {
  it('answers the request in flight, says that the connection closes, and closes it', async () => {
    const { app, log } = await openBareApp()
    const client = await connectRaw(await listen(app))
    const begun = new Promise((resolve) => app.server.once('request', resolve))
    client.send(unfinished)
    await begun
    const closed = app.close()
    client.send('}')
    const answer = await client.untilEnded()
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
    expect(answer).toContain('"token"')
    await closed
    expect(log.at(-1)).toContain('"status":200')
  })

  it('answers what comes on a connection that is kept, and says that it was the last', async () => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    client.send(health)
    await client.untilReceived(/}$/)
    const closed = app.close()
    client.send(health)
    const [, , last] = (await client.untilEnded()).split('HTTP/1.1 ')
    expect(last).toMatch(/^200 OK\r\n/)
    expect(last).toMatch(/\r\nconnection: close\r\n/i)
    await closed
  })

  it('takes no new connection', async () => {
    const { app } = await openBareApp()
    const port = await listen(app)
    await app.close()
    await expect(connectRaw(port)).rejects.toThrow('ECONNREFUSED')
  })

  it.each([
    ['has sent nothing yet', ''],
    ['has sent half a head', 'GET /health HTTP/1.1\r\nHo'],
    ['has sent what is no HTTP, and keeps its side open', 'nonsense\r\n\r\n'],
    ['was answered and keeps the connection', health],
    ['was answered twice', health + health],
  ])('does not wait for a client that %s', async (_, bytes) => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    client.send(bytes)
    if (bytes.endsWith('\r\n\r\n')) await client.untilReceived(/}$/)
    await app.close()
    await client.untilEnded()
  })

  it('does not wait for ever for a client that never finishes its request', async () => {
    const { app } = await openBareApp()
    const client = await connectRaw(await listen(app))
    const begun = new Promise((resolve) => app.server.once('request', resolve))
    client.send(unfinished)
    await begun
    const startedAt = performance.now()
    await app.close()
    expect(performance.now() - startedAt).toBeLessThan(8000)
    await client.untilEnded()
  })
})

describe('the service in a process of its own', () => {
  it('answers the request in flight after SIGTERM and ends with 0 within 10 s', async () => {
    const service = await startServiceProcess(await freshDatabaseVariables())
    const port = Number(new URL(service.url).port)
    const idle = await connectRaw(port)
    const client = await connectRaw(port)
    client.send(`${unfinished.replace('keep-alive', 'keep-alive\r\nExpect: 100-continue')}`)
    await client.untilReceived(/100 Continue/)
    const startedAt = performance.now()
    const ended = service.end('SIGTERM')
    await idle.untilEnded()
    client.send('}')
    expect(await client.untilEnded()).toMatch(/HTTP\/1.1 200 OK\r\n.*"token"/s)
    expect(await ended).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }, 60_000)
})
