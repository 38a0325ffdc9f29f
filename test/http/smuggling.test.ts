import { describe, expect, it } from 'vitest'
import { openListening } from './bare-app.ts'
import { bodyOf, connectRaw, exchange, head } from './raw-client.ts'

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
