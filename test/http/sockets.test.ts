import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, openBareApp, openListening, TESTS_ROUTE } from '../support/bare-app.ts'
import { gate } from '../support/queue.ts'
import { bodyOf, connectRaw, exchange, head } from '../support/raw-client.ts'

const broken = 'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time'

describe('what is no HTTP', () => {
  it.each<[string, string | Buffer]>([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['the greeting of TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
    ['a method that there is not', head('FOO /health HTTP/1.1', 'Host: a')],
    ['a version that there is not', head('GET /health HTTP/9.9', 'Host: a')],
    ['a path with bytes beyond ASCII', Buffer.from(head('GET /caf\u00e9 HTTP/1.1', 'Host: a'), 'latin1')],
    ['a header without a name', head('GET /health HTTP/1.1', ': a')],
    ['a header with a control character', head('GET /health HTTP/1.1', 'X: a\u0000b')],
    ['a head of more than 16 KiB', head('GET /health HTTP/1.1', `X: ${'a'.repeat(16_500)}`)],
    ['a path of more than 16 KiB', head(`GET /${'a'.repeat(16_500)} HTTP/1.1`, 'Host: a')],
    ['two lengths', `${head('POST /v1/basic_login HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3')}{}`],
    ['a length that is none', head('POST /v1/basic_login HTTP/1.1', 'Content-Length: two')],
    [
      'a length beside chunks',
      head('POST /v1/basic_login HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    ],
  ])('is answered with the one body (400) and the connection ends: %s', async (_, bytes) => {
    const { port } = await openListening()
    const client = await connectRaw(port)
    client.send(bytes)
    const answer = await client.untilEnded()
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/)
    expect(bodyOf(answer)).toEqual({ error: broken, code: '400', message: broken })
  })

  it('has an id, and its one line in the log', async () => {
    const { port, log } = await openListening()
    log.length = 0
    const client = await connectRaw(port)
    client.send('nonsense\r\n\r\n')
    const [, id] = /\r\nX-Request-Id: ([0-9a-f-]{36})\r\n/.exec(await client.untilEnded()) ?? []
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, reqId: id, route: 'none', status: 400, address: '127.0.0.1', msg: 'request' },
    ])
  })

  it.each(['at once', 'later'])(
    'is answered once, as any other, where only its body is broken, %s',
    async (when) => {
      const { app, port, log } = await openListening()
      log.length = 0
      const lines = ['POST /v1/basic_login HTTP/1.1', 'Origin: http://page.example']
      const client = await connectRaw(port)
      const begun = once(app.server, 'request')
      const start = head(...lines, 'Content-Type: application/json', 'Transfer-Encoding: chunked')
      if (when === 'at once') client.send(`${start}ZZ\r\n`)
      else {
        client.send(`${start}2\r\n{"\r\n`)
        await begun
        client.send('ZZ\r\n')
      }
      client.send('more of it\r\n')
      const answer = await client.untilEnded()
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
      const [, id] = /\r\nx-request-id: ([0-9a-f-]{36})\r\n/.exec(answer) ?? []
      expect(bodyOf(answer)).toEqual({ error: broken, code: '400', message: broken })
      await expect.poll(() => log.length).toBe(1)
      expect(JSON.parse(log[0] ?? '')).toMatchObject({ reqId: id, route: '/v1/basic_login', status: 400 })
    },
  )

  it('is not answered in place of the request before it', async () => {
    const { app } = await openBareApp()
    const begun = gate()
    const passed = gate()
    app.get(TESTS_ROUTE, async () => {
      begun.open()
      await passed.passed
      return 'done'
    })
    const client = await connectRaw(await listen(app))
    client.send(head('GET /slow HTTP/1.1'))
    await begun.passed
    client.send('nonsense\r\n\r\n')
    expect(await client.untilEnded()).toBe('')
    passed.open()
  })

  it('is answered after the answer to the request before it', async () => {
    const { port } = await openListening()
    const client = await connectRaw(port)
    client.send(head('GET /health HTTP/1.1'))
    await client.untilReceived(/}$/)
    client.send('nonsense\r\n\r\n')
    expect((await client.untilEnded()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('is answered also to a client that reads only once it has sent all', async () => {
    const { port } = await openListening()
    const size = 4 * 1024 * 1024
    const socket = connect({ port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(head(`POST /${'a'.repeat(16_500)} HTTP/1.1`, 'Host: a', `Content-Length: ${size}`))
    await new Promise((resolve) => socket.write(Buffer.alloc(size, 'a'), resolve))
    expect(bodyOf(await text(socket))).toEqual({ error: broken, code: '400', message: broken })
  })

  it('leaves the service as it was, however often it comes', async () => {
    const { port } = await openListening()
    const clients = await Promise.all(Array.from({ length: 50 }, () => connectRaw(port)))
    for (const client of clients) client.send('\u0000\u0001\r\n\r\n')
    for (const client of clients) await client.untilEnded()
    const answer = await exchange(port, head('GET /health HTTP/1.1', 'Host: a'))
    expect(bodyOf(answer)).toEqual({ status: 'ok' })
  })

  it('leaves the service as it was when the client resets the connection', async () => {
    const { port, app } = await openListening()
    const client = await connectRaw(port)
    const begun = new Promise((resolve) => app.server.once('request', resolve))
    client.send(head('POST /v1/basic_login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9'))
    await begun
    client.reset()
    const answer = await exchange(port, head('GET /healthy HTTP/1.1'))
    expect(bodyOf(answer)).toEqual({ status: 'ok' })
  })
})

describe('a request for a tunnel', () => {
  it('is answered with the one body (404), has its line in the log, and leads nowhere', async () => {
    const { port, log } = await openListening()
    log.length = 0
    const client = await connectRaw(port)
    client.send(head(`CONNECT 127.0.0.1:${port} HTTP/1.1`, 'Host: a') + head('GET /health HTTP/1.1'))
    const answer = await client.untilEnded()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404'])
    const error = 'There is no route CONNECT'
    expect(bodyOf(answer)).toEqual({ error, code: 'NOT_FOUND', message: error })
    const [, id] = /\r\nX-Request-Id: ([0-9a-f-]{36})\r\n/.exec(answer) ?? []
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, reqId: id, route: 'none', status: 404, address: '127.0.0.1', msg: 'request' },
    ])
    expect(bodyOf(await exchange(port, head('GET /health HTTP/1.1')))).toEqual({ status: 'ok' })
  })
})

describe('a broken request behind another one', () => {
  it.each([
    [
      'CONNECT behind a GET',
      head('GET /health HTTP/1.1', 'Host: a') + head('CONNECT x:1 HTTP/1.1', 'Host: a'),
    ],
    [
      'CONNECT behind a slow request',
      head('POST /v1/basic_login HTTP/1.1', 'Host: a') + head('CONNECT x:1 HTTP/1.1'),
    ],
    [
      'garbage behind a preflight',
      `${head('OPTIONS /v1/problems HTTP/1.1', 'Host: a', 'Origin: https://a.example', 'Access-Control-Request-Method: GET')}no HTTP\r\n\r\n`,
    ],
    ['garbage behind a GET', `${head('GET /health HTTP/1.1', 'Host: a')}no HTTP\r\n\r\n`],
  ])('ends the connection and leaves the service running: %s', async (_, bytes) => {
    const { port } = await openListening()
    const client = await connectRaw(port)
    client.send(bytes)
    const responses = (await client.untilEnded()).match(/HTTP\/1\.1 \d+/g) ?? []
    expect(responses.length).toBeLessThanOrEqual(2)
    expect(bodyOf(await exchange(port, head('GET /health HTTP/1.1')))).toEqual({ status: 'ok' })
  })
})

describe('what is HTTP of an odd kind', () => {
  it.each<[string, string, number]>([
    ['without Host', head('GET /health HTTP/1.1'), 200],
    ['of version 1.0', head('GET /health HTTP/1.0'), 200],
    ['with an expectation that nobody knows', head('GET /health HTTP/1.1', 'Expect: nonsense'), 200],
    ['with a whole address', head('GET http://elsewhere.example/health HTTP/1.1', 'Host: a'), 200],
    [
      'that wants another protocol',
      head('GET /health HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'),
      200,
    ],
    ['with a body on a GET', `${head('GET /health HTTP/1.1', 'Content-Length: 3')}abc`, 200],
    ['of a method from elsewhere', head('PROPFIND /health HTTP/1.1', 'Depth: 1'), 404],
    ['of the method QUERY', head('QUERY /health HTTP/1.1'), 404],
    ['with dots in its path', head('GET /v1/../health HTTP/1.1'), 404],
    ['that cannot be decoded', head('GET /v1/%zz HTTP/1.1'), 400],
    ['with two tokens', head('GET /v1/problems HTTP/1.1', 'Authorization: a', 'Authorization: b'), 401],
    ['with a token beyond ASCII', head('GET /v1/problems HTTP/1.1', 'Authorization: \u00e9'), 401],
    ['with an empty token', head('GET /v1/problems HTTP/1.1', 'Authorization:'), 401],
    ['with 2,000 headers', head('GET /health HTTP/1.1', ...Array(2000).fill('X: a')), 200],
  ])('is answered like any other: %s', async (_, bytes, status) => {
    const { port, log } = await openListening()
    log.length = 0
    const answer = await exchange(port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/)
    const body = bodyOf(answer)
    if (status >= 400)
      expect(body).toEqual({
        error: expect.any(String),
        code: expect.any(String),
        message: Object(body).error,
      })
    await expect.poll(() => log.length).toBe(1)
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ status, msg: 'request' })
  })

  it('may send its body in chunks, and after a 100 Continue', async () => {
    const { port } = await openListening()
    const lines = [
      'POST /v1/basic_login HTTP/1.1',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]
    const client = await connectRaw(port)
    client.send(head(...lines, 'Expect: 100-continue'))
    await client.untilReceived(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
    client.send('8\r\n{"email"\r\n')
    client.send('7\r\n: "a@b"\r\n1\r\n}\r\n0\r\n\r\n')
    const answer = await client.untilReceived(/}$/)
    expect(bodyOf(answer)).toMatchObject({ error: 'password is required' })
  })

  it('has its line in the log also when the client is gone before the answer', async () => {
    const { app, log } = await openBareApp()
    const begun = gate()
    const gone = gate()
    app.get(TESTS_ROUTE, async () => {
      begun.open()
      await gone.passed
      return 'too late'
    })
    const client = await connectRaw(await listen(app))
    log.length = 0
    client.send(head('GET /slow HTTP/1.1'))
    await begun.passed
    client.reset()
    await expect.poll(() => log).toHaveLength(1)
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ route: '/slow', status: 499, msg: 'request' })
    gone.open()
  })

  it('is refused (413) as soon as its chunks are too much, though none says how much there will be', async () => {
    const { port } = await openListening()
    const client = await connectRaw(port)
    client.send(
      head('POST /v1/basic_login HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    )
    client.send(`120000\r\n${'a'.repeat(0x120000)}\r\n`)
    const answer = await client.untilReceived(/}$/)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(bodyOf(answer)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })

  it('is refused (413) by the length that it names, before a byte of its body', async () => {
    const { port } = await openListening()
    const lines = [
      'POST /v1/basic_login HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 9999999999',
    ]
    expect(await exchange(port, head(...lines))).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('is answered (413) also where the client listens only once it has sent all, and the next one then', async () => {
    const { port } = await openListening()
    const socket = connect({ port, host: '127.0.0.1' }).pause()
    onTestFinished(() => void socket.destroy())
    const lines = [
      'POST /v1/basic_login HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 33554432',
    ]
    await promisify(socket.write.bind(socket))(head(...lines) + 'a'.repeat(33_554_432))
    socket.write(head('GET /health HTTP/1.1'))
    let answers = ''
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text
    })
    socket.resume()
    await expect.poll(() => answers).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 .*}$/s)
  })

  it('is answered in order where several came at once', async () => {
    const { port } = await openListening()
    const paths = ['/health', '/', '/nothing', '/healthy']
    const answer = await exchange(
      port,
      paths.map((path) => head(`GET ${path} HTTP/1.1`)).join(''),
      /(HTTP\/1\.1 .*){4}}$/s,
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual([
      '200',
      '200',
      '404',
      '200',
    ])
  })
})

/** The head of a login, with lines of the test's own, before a request that must never be seen as one. */
const smuggling = (...lines: string[]) =>
  `${head('POST /v1/basic_login HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...lines)}0\r\n\r\n${head('GET /healthy HTTP/1.1')}`

describe('a request that two servers could read as different ones', () => {
  it.each<[string, string]>([
    ['with a length beside chunks', smuggling('Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['with chunks beside a length', smuggling('Transfer-Encoding: chunked', 'Content-Length: 5')],
    ['with the same length twice', smuggling('Content-Length: 5', 'Content-Length: 5')],
    ['with a list of lengths', smuggling('Content-Length: 5, 5')],
    ['with a signed length', smuggling('Content-Length: +5')],
    ['with a length in hexadecimal', smuggling('Content-Length: 0x5')],
    ['with a length beyond any', smuggling('Content-Length: 99999999999999999999999')],
    ['with an encoding like chunked', smuggling('Transfer-Encoding: xchunked')],
    ['with another encoding after chunked', smuggling('Transfer-Encoding: chunked, identity')],
    ['with two encodings', smuggling('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')],
    ['with a space before a colon', smuggling('Transfer-Encoding : chunked', 'Content-Length: 5')],
    ['with a folded line', smuggling('Transfer-Encoding:', ' chunked')],
    ['with bare line feeds', 'GET /health HTTP/1.1\nHost: a\n\n'],
    [
      'with a chunk that a bare line feed ends',
      `${head('POST /v1/basic_login HTTP/1.1', 'Transfer-Encoding: chunked')}2;a\n{}\r\n`,
    ],
    [
      'with a chunk longer than any',
      `${head('POST /v1/basic_login HTTP/1.1', 'Transfer-Encoding: chunked')}fffffffffffffffff\r\n`,
    ],
    ['that begins HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('is refused (400) and the connection ends, whatever follows: %s', async (_, bytes) => {
    const { port } = await openListening()
    const client = await connectRaw(port)
    client.send(bytes)
    const answer = await client.untilEnded()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400'])
    expect(bodyOf(answer)).toMatchObject({ code: '400' })
  })

  it('is one request where its body looks like another, also on a GET', async () => {
    const { port } = await openListening()
    const inner = head('GET /v1/problems HTTP/1.1', 'X: a')
    const client = await connectRaw(port)
    client.send(head('GET /health HTTP/1.1', `Content-Length: ${inner.length}`) + inner)
    client.send(head('GET / HTTP/1.1', 'Connection: close'))
    const answer = await client.untilEnded()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('is of the method and the path of its first line, whatever its headers say', async () => {
    const { port } = await openListening()
    const override = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map(
      (name) => `${name}: DELETE`,
    )
    const rewrite = ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix'].map(
      (name) => `${name}: /v1/users`,
    )
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ]
    for (const lines of [override, rewrite, upgrade]) {
      const answer = await exchange(port, head('GET /health HTTP/1.1', 'Host: a', ...lines))
      expect(bodyOf(answer), lines[0]).toEqual({ status: 'ok' })
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})
