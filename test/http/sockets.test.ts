import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countConnections, listen, openBareApp, openListening, TESTS_ROUTE } from '../support/bare-app.ts'
import { gate } from '../support/queue.ts'
import { bodyOf, connectRaw, exchange, exchangeUntilEnded, head, statusesOf } from '../support/raw-client.ts'

const MALFORMED = 'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time'
const HEALTH = head('GET /health HTTP/1.1', 'Host: a')
const LOGIN = ['POST /v1/basic_login HTTP/1.1', 'Host: a', 'Content-Type: application/json']
const CHUNKED = 'Transfer-Encoding: chunked'

const { app, port, log } = await openListening({ LOG_LEVEL: 'debug', RATE_LIMIT_ACCOUNTS: '1000/1000' })

const readLog = (lines: readonly string[]) => lines.map((line) => JSON.parse(line))
const errorBody = (code: string, error: string) => ({ error, code, message: error })
const healthy = { status: 'ok' }

async function expectAlive(): Promise<void> {
  expect(bodyOf(await exchange(port, HEALTH))).toEqual(healthy)
}

async function expectLogged(received: string, line: object): Promise<void> {
  const reqId = /.*\r\nx-request-id: ([0-9a-f-]{36})\r\n/is.exec(received)?.[1]
  expect(reqId).toBeDefined()
  const lines = () => readLog(log).filter((one) => one.reqId === reqId)
  const logged = { level: 30, msg: 'request', address: '127.0.0.1', ...line }
  await expect.poll(lines).toEqual([expect.objectContaining(logged)])
}

async function openWithSlowRoute() {
  const { app: slowApp, log: slowLog } = await openBareApp()
  const [begun, finished] = [gate(), gate()]
  slowApp.get(TESTS_ROUTE, async () => {
    begun.open()
    await finished.passed
    return 'done'
  })
  const client = await connectRaw(await listen(slowApp))
  client.send(head(`GET ${TESTS_ROUTE} HTTP/1.1`))
  await begun.passed
  return { client, log: slowLog, finish: finished.open }
}

function connectPaused(): Socket {
  const socket = connect({ port, host: '127.0.0.1' }).pause()
  onTestFinished(() => void socket.destroy())
  return socket
}

const long = 'a'.repeat(16_500)

/** A login with these headers, then bytes that another server might read as a second request. */
const smuggling = (...lines: string[]) => `${head(...LOGIN, ...lines)}0\r\n\r\n${HEALTH}`

describe('malformed HTTP', () => {
  it.each<[string, string | Buffer, route?: string]>([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['the greeting of TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ['an unknown method', head('FOO /health HTTP/1.1', 'Host: a')],
    ['an unknown version', head('GET /health HTTP/9.9', 'Host: a')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a path with bytes beyond ASCII', Buffer.from(head('GET /caf\u00e9 HTTP/1.1', 'Host: a'), 'latin1')],
    ['a header without a name', head('GET /health HTTP/1.1', ': a')],
    ['a header with a control character', head('GET /health HTTP/1.1', 'X: a\u0000b')],
    ['headers of more than 16 KiB', head('GET /health HTTP/1.1', `X: ${long}`)],
    ['a path of more than 16 KiB', head(`GET /${long} HTTP/1.1`, 'Host: a')],
    ['bare line feeds', 'GET /health HTTP/1.1\nHost: a\n\n'],
    ['a folded header', smuggling('Transfer-Encoding:', ' chunked')],
    ['a space before a colon', smuggling('Transfer-Encoding : chunked', 'Content-Length: 5')],
    ['two lengths', smuggling('Content-Length: 2', 'Content-Length: 3')],
    ['the same length twice', smuggling('Content-Length: 5', 'Content-Length: 5')],
    ['a list of lengths', smuggling('Content-Length: 5, 5')],
    ['a length in words', smuggling('Content-Length: two')],
    ['a signed length', smuggling('Content-Length: +5')],
    ['a hexadecimal length', smuggling('Content-Length: 0x5')],
    ['a length of 23 digits', smuggling('Content-Length: 99999999999999999999999')],
    ['a length and chunks', smuggling('Content-Length: 5', CHUNKED)],
    ['chunks and a length', smuggling(CHUNKED, 'Content-Length: 5')],
    ['an unknown encoding', smuggling('Transfer-Encoding: xchunked'), '/v1/basic_login'],
    ['an encoding after chunked', smuggling('Transfer-Encoding: chunked, identity')],
    ['two encodings', smuggling(CHUNKED, 'Transfer-Encoding: identity')],
    ['a chunk size that a bare line feed ends', `${head(...LOGIN, CHUNKED)}2;a\n{}\r\n`, '/v1/basic_login'],
    ['a chunk size of 17 digits', `${head(...LOGIN, CHUNKED)}fffffffffffffffff\r\n`, '/v1/basic_login'],
    ['a broken chunk', `${head(...LOGIN, CHUNKED)}ZZ\r\nmore of it\r\n`, '/v1/basic_login'],
  ])('gets one 400 and one log line, and ends the connection: %s', async (_, bytes, route = 'none') => {
    const received = await exchangeUntilEnded(port, bytes)
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(received).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i)
    expect(statusesOf(received)).toEqual([400])
    expect(bodyOf(received)).toEqual(errorBody('400', MALFORMED))
    await expectLogged(received, { status: 400, route })
  })

  it('gets one 400 if a later chunk of the body is broken', async () => {
    const client = await connectRaw(port)
    const begun = once(app.server, 'request')
    client.send(`${head(...LOGIN, 'Origin: http://page.example', CHUNKED)}2\r\n{"\r\n`)
    await begun
    client.send('ZZ\r\n')
    client.send('more of it\r\n')
    const received = await client.untilEnded()
    expect(statusesOf(received)).toEqual([400])
    expect(bodyOf(received)).toEqual(errorBody('400', MALFORMED))
    await expectLogged(received, { status: 400, route: '/v1/basic_login' })
  })

  it('gets no response while an earlier request on the connection waits for its own', async () => {
    const { client, finish } = await openWithSlowRoute()
    client.send('nonsense\r\n\r\n')
    expect(await client.untilEnded()).toBe('')
    finish()
  })

  it('gets its 400 after the response to an earlier request on the connection', async () => {
    const client = await connectRaw(port)
    client.send(HEALTH)
    await client.untilReceived(/}$/)
    client.send('nonsense\r\n\r\n')
    expect(statusesOf(await client.untilEnded())).toEqual([200, 400])
  })

  it('gets its 400 also if the client sends 4 MiB before it reads', async () => {
    const size = 4 * 1024 * 1024
    const socket = connectPaused()
    socket.write(head(`POST /${long} HTTP/1.1`, 'Host: a', `Content-Length: ${size}`))
    await promisify(socket.write.bind(socket))('a'.repeat(size))
    expect(bodyOf(await text(socket))).toEqual(errorBody('400', MALFORMED))
  })

  it.each([
    ['CONNECT behind a GET', HEALTH + head('CONNECT x:1 HTTP/1.1', 'Host: a')],
    ['CONNECT behind a slow request', head(...LOGIN) + head('CONNECT x:1 HTTP/1.1')],
    ['nonsense behind a GET', `${HEALTH}no HTTP\r\n\r\n`],
    [
      'nonsense behind a preflight',
      `${head('OPTIONS /v1/problems HTTP/1.1', 'Origin: https://a.example', 'Access-Control-Request-Method: GET')}no HTTP\r\n\r\n`,
    ],
  ])('ends the connection and leaves the service running: %s', async (_, bytes) => {
    expect(statusesOf(await exchangeUntilEnded(port, bytes)).length).toBeLessThanOrEqual(2)
    await expectAlive()
  })
})

it('leaves the service running if a client resets its connection', async () => {
  const client = await connectRaw(port)
  const begun = once(app.server, 'request')
  client.send(head(...LOGIN, 'Content-Length: 9'))
  await begun
  client.reset()
  await expectAlive()
})

it('refuses CONNECT (404) with one log line, and opens no tunnel', async () => {
  const tunnel = head(`CONNECT 127.0.0.1:${port} HTTP/1.1`, 'Host: a')
  const received = await exchangeUntilEnded(port, tunnel + HEALTH)
  expect(statusesOf(received)).toEqual([404])
  expect(bodyOf(received)).toEqual(errorBody('NOT_FOUND', 'There is no route CONNECT'))
  await expectLogged(received, { status: 404, route: 'none' })
  await expectAlive()
})

const get = (...lines: string[]) => head('GET /health HTTP/1.1', ...lines)
const getUsers = (...lines: string[]) => head('GET /v1/users HTTP/1.1', ...lines)
const noRoute = (request: string) => [404, 'NOT_FOUND', `There is no route ${request}`] as const
const malformedToken = [401, 'MALFORMED_TOKEN', 'Malformed JWT token'] as const
const NO_CREDENTIAL = 'The Authorization header must carry a credential'
const BAD_PATH = 'The path must be UTF-8, with percent signs as %25'

describe('unusual HTTP', () => {
  it.each<[string, string]>([
    ['without Host', get()],
    ['of version 1.0', head('GET /health HTTP/1.0')],
    ['with an unknown expectation', get('Expect: nonsense')],
    ['with an absolute URL', head('GET http://elsewhere.example/health HTTP/1.1', 'Host: a')],
    ['that asks for WebSocket', get('Connection: Upgrade', 'Upgrade: websocket')],
    [
      'that asks for HTTP/2',
      get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'),
    ],
    ['with a body on a GET', `${get('Content-Length: 3')}abc`],
    ['with 2,000 headers', get(...Array(2000).fill('X: a'))],
    [
      'with headers that name another method',
      get('X-HTTP-Method-Override: DELETE', 'X-HTTP-Method: DELETE', 'X-Method-Override: DELETE'),
    ],
    [
      'with headers that name another path',
      get('X-Original-URL: /v1/users', 'X-Rewrite-URL: /v1/users', 'X-Forwarded-Prefix: /v1/users'),
    ],
  ])('gets the usual response: a request %s', async (_, bytes) => {
    const received = await exchange(port, bytes)
    expect(statusesOf(received)).toEqual([200])
    expect(bodyOf(received)).toEqual(healthy)
    await expectLogged(received, { level: 20, status: 200, route: '/health' })
  })

  it.each<[string, string, status: number, code: string, error: string]>([
    ['with an unknown method', head('PROPFIND /health HTTP/1.1'), ...noRoute('PROPFIND /health')],
    ['with the method QUERY', head('QUERY /health HTTP/1.1'), ...noRoute('QUERY /health')],
    ['with dots in its path', head('GET /v1/../health HTTP/1.1'), ...noRoute('GET /v1/../health')],
    ['with a path that cannot be decoded', head('GET /v1/%zz HTTP/1.1'), 400, '400', BAD_PATH],
    ['with two tokens', getUsers('Authorization: a', 'Authorization: b'), ...malformedToken],
    ['with a token beyond ASCII', getUsers('Authorization: \u00e9'), ...malformedToken],
    ['with an empty token', getUsers('Authorization:'), 401, 'UNAUTHORIZED', NO_CREDENTIAL],
  ])('gets the usual error body: a request %s', async (_, bytes, status, code, error) => {
    const received = await exchange(port, bytes)
    expect(statusesOf(received)).toEqual([status])
    expect(bodyOf(received)).toEqual(errorBody(code, error))
    await expectLogged(received, { status })
  })

  it('may send its body in chunks, and after a 100 Continue', async () => {
    const client = await connectRaw(port)
    client.send(head(...LOGIN, CHUNKED, 'Expect: 100-continue'))
    await client.untilReceived(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    client.send('8\r\n{"email"\r\n')
    client.send('7\r\n: "a@b"\r\n1\r\n}\r\n0\r\n\r\n')
    expect(bodyOf(await client.untilReceived(/}$/))).toMatchObject({ error: 'password is required' })
  })

  it('gets a log line with status 499 if the client leaves before the response', async () => {
    const { client, log: slowLog, finish } = await openWithSlowRoute()
    client.reset()
    await expect.poll(() => readLog(slowLog)).toContainEqual(expect.objectContaining({ msg: 'request' }))
    const lines = readLog(slowLog).filter(({ msg }) => msg === 'request')
    expect(lines).toMatchObject([{ route: TESTS_ROUTE, status: 499 }])
    finish()
  })

  it('gets 413 as soon as its chunks are too large', async () => {
    const received = await exchange(port, `${head(...LOGIN, CHUNKED)}120000\r\n${'a'.repeat(0x120000)}\r\n`)
    expect(statusesOf(received)).toEqual([413])
    expect(bodyOf(received)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('gets 413 for its Content-Length, before any byte of its body', async () => {
    expect(statusesOf(await exchange(port, head(...LOGIN, 'Content-Length: 9999999999')))).toEqual([413])
  })

  it('gets 413 also if the client sends 32 MiB before it reads, and the next request its response', async () => {
    const socket = connectPaused()
    const size = 32 * 1024 * 1024
    await promisify(socket.write.bind(socket))(head(...LOGIN, `Content-Length: ${size}`) + 'a'.repeat(size))
    socket.write(HEALTH)
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    socket.resume()
    await expect.poll(() => received).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 .*}$/s)
  })

  it('is one request if its body looks like another, also on a GET', async () => {
    const inner = head('GET /v1/problems HTTP/1.1', 'X: a')
    const outer = get(`Content-Length: ${inner.length}`) + inner
    const received = await exchangeUntilEnded(port, outer + head('GET / HTTP/1.1', 'Connection: close'))
    expect(statusesOf(received)).toEqual([200, 200])
  })
})

describe('a body that nobody reads', () => {
  it.each([
    ['closes', head('POST /nowhere HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Length: 9')],
    ['speaks HTTP/1.0', head('GET /openapi.json HTTP/1.0', 'Content-Length: 9')],
  ])(
    'is received after the response, before the end of the connection: the client %s',
    async (_, request) => {
      const { app: own } = await openBareApp()
      const [responded, received] = [gate(), gate()]
      own.server.on('request', (incoming, response) => {
        response.once('finish', responded.open)
        incoming.once('end', received.open)
      })
      const client = await connectRaw(await listen(own))
      client.send(request)
      await responded.passed
      client.send('x'.repeat(9))
      await received.passed
      expect(await client.untilEnded()).toMatch(/^HTTP\/1\.1 (200|404) /)
    },
  )

  it('is cut short: the client has the response, and its connection ends', async () => {
    const { app: own, port: at } = await openListening()
    const lines = ['POST /nowhere HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Length: 9']
    const client = await connectRaw(at)
    client.send(`${head(...lines)}x`)
    expect(statusesOf(await client.untilEnded())).toEqual([404])
    await expect.poll(() => countConnections(own)).toBe(0)
  })
})
