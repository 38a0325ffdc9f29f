import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { TIMEOUTS, type Timeouts } from '../../src/http/server/timeouts.ts'
import { JUDGE_PASSWORD, SECRETS } from '../support/app.ts'
import { countConnections, listen, openBareApp, openListening, TESTS_ROUTE } from '../support/bare-app.ts'
import { freshDatabaseVariables } from '../support/process-database.ts'
import { bodyOf, connectRaw, exchange, head, statusesOf } from '../support/raw-client.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const LATE = 'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time'
const late = { error: LATE, code: '400', message: LATE }
const HEALTH = head('GET /health HTTP/1.1', 'Host: localhost')
const LOGIN = ['POST /v1/basic_login HTTP/1.1', 'Content-Type: application/json']

/** Longer than a test may take. */
const NEVER_MS = 300_000
const ofRequests = { headMs: NEVER_MS, requestMs: NEVER_MS, readMs: NEVER_MS }
const never: Timeouts = { ...TIMEOUTS, ...ofRequests, keepAliveMs: NEVER_MS, checkMs: 50 }
/** A busy machine may take longer than the time for closing. */
const patient: Timeouts = { ...TIMEOUTS, drainMs: NEVER_MS, idleDrainMs: NEVER_MS }

const openWithTimeouts = (timeouts: Partial<Timeouts>) => openListening({}, { ...never, ...timeouts })

/** Sends bytes again and again, so that the connection is never idle. */
function trickle(send: (bytes: string) => void, bytes = 'a'): void {
  const timer = setInterval(() => send(bytes), 20)
  onTestFinished(() => clearInterval(timer))
}

const expectNoConnection = (app: FastifyInstance) => expect.poll(() => countConnections(app)).toBe(0)

/** Others are served. On a busy machine a request may come too late for short limits. */
const expectAlive = (port: number) =>
  until(async () => expect(bodyOf(await exchange(port, HEALTH))).toEqual({ status: 'ok' }))

type Cases = Readonly<Record<string, () => Promise<void>>>

/** Runs cases at the same time, because most wait for a time limit; names the failed ones. */
async function expectTogether(cases: Cases): Promise<void> {
  const failures = Object.entries(cases).map(async ([name, run]) => {
    const failed: unknown[] = await run().then(
      () => [],
      (failure: unknown) => [{ name, failure }],
    )
    return failed
  })
  expect((await Promise.all(failures)).flat()).toEqual([])
}

/** Time to send a head, in milliseconds, on a machine that is busy with the other cases. */
const HEAD_MS = 5000

/** Sends a body that never ends; expects the connection to end with 400. */
async function expectLateBody(header: string, piece: string): Promise<void> {
  const { app, port, log } = await openWithTimeouts({ headMs: HEAD_MS, requestMs: HEAD_MS })
  const client = await connectRaw(port)
  log.length = 0
  client.send(head(...LOGIN, header))
  trickle(client.send, piece)
  expect(bodyOf(await client.untilEnded())).toEqual(late)
  await expectNoConnection(app)
  expect(log.map((line) => JSON.parse(line))).toMatchObject([{ route: '/v1/basic_login', status: 400 }])
  await expectAlive(port)
}

async function openWithLongResponse() {
  const { app } = await openBareApp({}, { ...never, readMs: 500 })
  app.get(TESTS_ROUTE, async () => 'a'.repeat(64 * 1024 * 1024))
  return { app, port: await listen(app) }
}

/** Asks for the long response on a connection of its own. */
async function sendAndReadNothing(app: FastifyInstance, port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' }).pause()
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const begun = once(app.server, 'request')
  socket.write(head(`GET ${TESTS_ROUTE} HTTP/1.1`))
  await begun
  expect(await countConnections(app)).toBeGreaterThan(0)
}

const slowClients: Cases = {
  'headers that come too slowly': async () => {
    const { app, port } = await openWithTimeouts({ headMs: 300 })
    const client = await connectRaw(port)
    client.send('GET /health HTTP/1.1\r\nX-Slow: ')
    trickle(client.send)
    expect(bodyOf(await client.untilEnded())).toEqual(late)
    await expectNoConnection(app)
    await expectAlive(port)
  },
  'a first request that comes too late, which is not run': async () => {
    const { app, port, log } = await openWithTimeouts({ headMs: 300 })
    const client = await connectRaw(port)
    log.length = 0
    expect(bodyOf(await client.untilReceived(/}$/))).toEqual(late)
    client.send(head('GET /v1/users HTTP/1.1', 'Host: localhost'))
    await expectNoConnection(app)
    await expectAlive(port)
    const routes = log.map((line) => JSON.parse(line).route)
    expect(routes[0]).toBe('none')
    expect(routes).not.toContain('/v1/users')
  },
  'a body of known length that comes too slowly': () => expectLateBody('Content-Length: 1000', 'a'),
  'a body in chunks that comes too slowly': () => expectLateBody('Transfer-Encoding: chunked', '1\r\na\r\n'),
  'a refused body (413) that goes on for too long': async () => {
    const { app, port } = await openWithTimeouts({ headMs: HEAD_MS, requestMs: HEAD_MS })
    const client = await connectRaw(port)
    client.send(head(...LOGIN, 'Content-Length: 9999999999'))
    await client.untilReceived(/PAYLOAD_TOO_LARGE/)
    trickle(client.send)
    expect(statusesOf(await client.untilEnded())).toEqual([413])
    await expectNoConnection(app)
  },
  'no further request': async () => {
    const { app, port } = await openWithTimeouts({ keepAliveMs: 100 })
    const client = await connectRaw(port)
    client.send(HEALTH)
    expect(statusesOf(await client.untilEnded())).toEqual([200])
    await expectNoConnection(app)
  },
}

it('ends connections of slow clients, and serves others', () => expectTogether(slowClients))

it('gives the largest body time at 1 MB/s in production, and sets these limits, but none for its start', async () => {
  const { app } = await openBareApp()
  expect(app.initialConfig.pluginTimeout).toBe(0)
  const { sizes } = loadConfig(SECRETS)
  expect((TIMEOUTS.requestMs / 1000) * 1_000_000).toBeGreaterThan(2 * sizes.problemBodyBytes)
  const { headMs, requestMs, keepAliveMs } = TIMEOUTS
  expect(app.server).toMatchObject({
    ...{ headersTimeout: headMs, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs },
  })
})

/** A request that waits for the rest of its body: `}`. */
const unfinished = (...lines: string[]) =>
  `${head('POST /v1/login_judge HTTP/1.1', `Authorization: ${JUDGE_PASSWORD}`, 'Content-Length: 2', ...lines)}{`

async function openUnfinished(timeouts = TIMEOUTS) {
  const { app, port, log } = await openListening({}, timeouts)
  const client = await connectRaw(port)
  const begun = once(app.server, 'request')
  client.send(unfinished())
  await begun
  return { app, client, log }
}

/** Closes the application after a client has sent only these bytes; expects it to end. */
async function expectClosed(bytes: string, isAnswered = bytes.endsWith('\r\n\r\n')): Promise<void> {
  const { app, port } = await openListening()
  const client = await connectRaw(port)
  client.send(bytes)
  if (isAnswered) await client.untilReceived(/}$/)
  await app.close()
  await client.untilEnded()
}

const closing: Cases = {
  'responds to the request in flight and closes its connection': async () => {
    const { app, client, log } = await openUnfinished(patient)
    const closed = app.close()
    client.send('}')
    const received = await client.untilEnded()
    expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(received).toMatch(/\r\nconnection: close\r\n/i)
    expect(received).toContain('"token"')
    await closed
    expect(log.at(-1)).toContain('"status":200')
  },
  'responds to a new request on an open connection and closes it': async () => {
    const { app, port } = await openListening({}, patient)
    const client = await connectRaw(port)
    client.send(HEALTH)
    await client.untilReceived(/}$/)
    const closed = app.close()
    client.send(HEALTH)
    const [, , last] = (await client.untilEnded()).split('HTTP/1.1 ')
    expect(last).toMatch(/^200 OK\r\n/)
    expect(last).toMatch(/\r\nconnection: close\r\n/i)
    await closed
  },
  'refuses new connections': async () => {
    const { app, port } = await openListening()
    await app.close()
    await expect(connectRaw(port)).rejects.toThrow('ECONNREFUSED')
  },
  'does not wait for a silent client': () => expectClosed(''),
  'does not wait for the rest of headers': () => expectClosed('GET /health HTTP/1.1\r\nHo'),
  'does not wait for the end of a refused connection': () => expectClosed('nonsense\r\n\r\n'),
  'does not wait for the end of a kept connection': () => expectClosed(HEALTH),
  'does not wait for the end of a connection with two requests': () => expectClosed(HEALTH + HEALTH),
  'does not wait for ever for the rest of a request': async () => {
    const { app, client } = await openUnfinished()
    await app.close()
    await client.untilEnded()
  },
}

const patience: Cases = {
  'a slow upload': async () => {
    const { app, port } = await openWithLongResponse()
    const client = await connectRaw(port)
    client.send(unfinished())
    // Other clients, which read nothing, use up the time for reading twice.
    for (const _ of [1, 2]) {
      await sendAndReadNothing(app, port)
      await expect.poll(() => countConnections(app)).toBe(1)
    }
    client.send('}')
    await client.untilReceived(/"token"/)
  },
  'requests that each stay within the limits, although together they exceed them': async () => {
    const { app, port } = await openWithTimeouts({ headMs: HEAD_MS, requestMs: HEAD_MS, readMs: HEAD_MS })
    const client = await connectRaw(port)
    let isOver = false
    // It sends nothing, and its time is over when it gets a response.
    const silent = (await connectRaw(port)).untilReceived(/}$/).then(() => {
      isOver = true
    })
    for (let sent = 1; !isOver || sent <= 25; sent += 1) {
      client.send(HEALTH)
      await client.untilReceived(new RegExp(`^(HTTP/1\\.1 200 [^{]*{"status":"ok"}){${sent}}$`))
    }
    await silent
    await expect.poll(() => countConnections(app)).toBe(1)
  },
}

it('closes in a bounded time, loses no request, and keeps the connections of fast clients', () =>
  expectTogether({ ...closing, ...patience }))

it('ends with code 0 after SIGTERM, after the response to the request in flight; after 10 s it would be 1', async () => {
  const service = await startServiceProcess(await freshDatabaseVariables())
  const port = Number(new URL(service.url).port)
  const idle = await connectRaw(port)
  const client = await connectRaw(port)
  client.send(unfinished('Host: localhost', 'Expect: 100-continue'))
  await client.untilReceived(/100 Continue/)
  const ended = service.end('SIGTERM')
  await idle.untilEnded()
  client.send('}')
  expect(await client.untilEnded()).toMatch(/HTTP\/1.1 200 OK\r\n.*"token"/s)
  expect(await ended).toBe(0)
})

it('takes the connections of 600 clients, more than Node.js queues by default, that come at once while it is busy', async () => {
  const service = await startServiceProcess(await freshDatabaseVariables())
  onTestFinished(async () => {
    service.thaw()
    await service.end('SIGTERM')
  })
  const port = Number(new URL(service.url).port)
  service.freeze()
  // Without a place in the queue, a client would send its SYN again until the service is thawed.
  const clients = await Promise.all(Array.from({ length: 600 }, () => connectRaw(port)))
  service.thaw()
  clients.at(-1)?.send(HEALTH)
  await clients.at(-1)?.untilReceived(/"status":"ok"/)
})
