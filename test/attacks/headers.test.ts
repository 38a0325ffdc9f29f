import { describe, expect, it } from 'vitest'
import { listen } from '../http/bare-app.ts'
import { bodyOf, connectRaw } from '../http/raw-client.ts'
import { openTestApp } from '../support/app.ts'

const ORIGIN = 'https://contest.example.org'

const service = await openTestApp({ CORS_ORIGINS: ORIGIN })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
for (let i = 0; i < 3; i += 1) await service.createPerson()
const port = await listen(service.app)

const protection = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
}

describe('every answer', () => {
  it('forbids guessing its type, sending its address along and sharing it in a cache, on every route to whoever asks', async () => {
    for (const { method, url } of service.routes) {
      for (const token of [undefined, user.token, admin.token, service.judgeToken]) {
        // What is not there: a walk that deletes nobody who walks.
        const path = url.replaceAll(/:\w*(problem|event|id)\w*/g, '2147483647')
        const answer = await service.send({ method, url: path, ...(token !== undefined && { token }) })
        expect(answer.headers, `${method} ${url} ${answer.status}`).toMatchObject(protection)
      }
    }
    for (const url of ['/nowhere', '/v1/users/%zz']) {
      expect((await service.send({ method: 'GET', url })).headers, url).toMatchObject(protection)
    }
  })
})

/** The head of the answer to a request that is sent byte by byte as it stands. */
async function headOf(...lines: string[]): Promise<{ head: string[]; body: unknown }> {
  const client = await connectRaw(port)
  client.send(`${[...lines, 'Host: judge', 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const answer = await client.untilEnded()
  const isText = /content-length: 0/i.test(answer)
  return { head: answer.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? [], body: isText ? '' : bodyOf(answer) }
}

/** The names of headers that an attacker would want to add. */
const injected = (head: readonly string[]) => head.filter((line) => /^(set-cookie|x-evil)/i.test(line))

describe('a header of an answer', () => {
  it('is not split by a line break in the address that the next page repeats', async () => {
    for (const evil of [
      '%0d%0aX-Evil:%201',
      '%0aSet-Cookie:a=b',
      '%E5%98%8A%E5%98%8DX-Evil:1',
      '%0D%0A%0D%0A',
    ]) {
      const path = `/v1/users?limit=1&other=${evil}&username=`
      const { head } = await headOf(`GET ${path} HTTP/1.1`, `Authorization: ${admin.token}`)
      expect(head[0]).toBe('HTTP/1.1 200 OK')
      expect(head.filter((line) => /^link:/i.test(line))).toHaveLength(1)
      expect(injected(head), evil).toEqual([])
    }
  })

  it('names one next page, on this service, whatever the address tries to add to it', async () => {
    for (const evil of ['>;rel="prev",<https://evil.example', '"', '<', '>', ';', ',', '%3E%3Brel=next']) {
      const path = `/v1/users?limit=1&other=${evil}&username=`
      const { head } = await headOf(`GET ${path} HTTP/1.1`, `Authorization: ${admin.token}`)
      const link = head.find((line) => /^link:/i.test(line)) ?? ''
      expect(link, evil).toMatch(/^link: <\/v1\/users\?[^<>"]*>; rel="next"$/i)
    }
    // An absolute or a double-slashed address must not become a link to another host.
    for (const host of ['//evil.example', 'http://evil.example', 'HTTPS://evil.example:1']) {
      const { head } = await headOf(`GET ${host}/v1/users?limit=1 HTTP/1.1`, `Authorization: ${admin.token}`)
      const links = head.filter((line) => /^link:/i.test(line))
      // With two slashes it is a path that there is no route for.
      expect(links, host).toHaveLength(host.startsWith('//') ? 0 : 1)
      for (const link of links) expect(link).toMatch(/^link: <\/v1\/users\?/i)
    }
  })

  it('is never what a client wrote as its origin or its request’s id', async () => {
    for (const name of ['Origin', 'X-Request-Id']) {
      for (const evil of ['https://evil.example', `${ORIGIN}\tX-Evil: 1`, `${ORIGIN}, *`]) {
        const { head } = await headOf('GET /health HTTP/1.1', `${name}: ${evil}`)
        expect(head.join('\n'), `${name} ${evil}`).not.toMatch(/evil|\*/i)
      }
      // A bare line feed or carriage return is no header at all.
      const { head } = await headOf('GET /health HTTP/1.1', `${name}: a\rX-Evil: 1`)
      expect(head[0]).toBe('HTTP/1.1 400 Bad Request')
      expect(injected(head)).toEqual([])
    }
  })
})

describe('two Authorization headers', () => {
  it('give no rights beyond those of the first, which alone counts', async () => {
    const ask = (first: string, second: string) =>
      headOf('GET /v1/users HTTP/1.1', `Authorization: ${first}`, `Authorization: ${second}`)
    expect((await ask(user.token, admin.token)).body).toMatchObject({ code: 'FORBIDDEN' })
    expect((await ask('nonsense', admin.token)).body).toMatchObject({ code: 'MALFORMED_TOKEN' })
    expect((await ask('', admin.token)).body).toMatchObject({ code: 'UNAUTHORIZED' })
  })
})
