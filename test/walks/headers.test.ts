import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { listen } from '../support/bare-app.ts'
import { exchangeUntilEnded, head } from '../support/raw-client.ts'

const ORIGIN = 'https://contest.example.org'

const service = await openTestApp({ CORS_ORIGINS: ORIGIN })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
const port = await listen(service.app)

it('forbids type sniffing, a Referer and shared caching in every response of every route', async () => {
  const protection = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
  }
  const others = ['/nowhere', '/v1/users/%zz'].map((url) => ({ method: 'GET' as const, url }))
  for (const { method, url } of [...service.routes, ...others]) {
    // Ids that do not exist: the requests delete nothing.
    const path = url.replaceAll(/:\w*(problem|event|id)\w*/g, '2147483647')
    for (const token of [undefined, user.token, admin.token, service.judgeToken]) {
      const response = await service.send({ method, url: path, ...(token !== undefined && { token }) })
      expect(response.headers, `${method} ${url} ${response.status}`).toMatchObject(protection)
    }
  }
})

/** Sends an unchanged request line and headers; resolves to the lines of the response. */
async function linesOf(...lines: string[]): Promise<string[]> {
  const received = await exchangeUntilEnded(port, head(...lines, 'Host: judge', 'Connection: close'))
  return received.split('\r\n')
}

const asAdmin = `Authorization: ${admin.token}`
const linksOf = (lines: readonly string[]) => lines.filter((line) => /^link:/i.test(line))
const injectedIn = (lines: readonly string[]) => lines.filter((line) => /^(set-cookie|x-evil)/i.test(line))

describe('a response header', () => {
  it.each([
    ...['%0d%0aX-Evil:%201', '%0aSet-Cookie:a=b', '%E5%98%8A%E5%98%8DX-Evil:1', '%0D%0A%0D%0A'],
    ...['>;rel="prev",<https://evil.example', '"', '<', '>', ';', ',', '%3E%3Brel=next'],
  ])('links the next page on this service, with any query: %j', async (evil) => {
    const lines = await linesOf(`GET /v1/users?limit=1&other=${evil}&username= HTTP/1.1`, asAdmin)
    expect(lines[0]).toBe('HTTP/1.1 200 OK')
    expect(linksOf(lines)).toEqual([expect.stringMatching(/^link: <\/v1\/users\?[^<>"]*>; rel="next"$/i)])
    expect(injectedIn(lines)).toEqual([])
  })

  it('links no other host for an absolute URL or two slashes', async () => {
    const get = (host: string) => linesOf(`GET ${host}/v1/users?limit=1 HTTP/1.1`, asAdmin)
    // A path with two slashes has no route.
    expect(linksOf(await get('//evil.example'))).toEqual([])
    for (const host of ['http://evil.example', 'HTTPS://evil.example:1'])
      expect(linksOf(await get(host))).toEqual([expect.stringMatching(/^link: <\/v1\/users\?/i)])
  })

  it.each(['Origin', 'X-Request-Id'])('does not repeat the request’s %s', async (name) => {
    for (const evil of ['https://evil.example', `${ORIGIN}\tX-Evil: 1`, `${ORIGIN}, *`]) {
      const lines = await linesOf('GET /health HTTP/1.1', `${name}: ${evil}`)
      expect(lines.slice(0, lines.indexOf('')).join('\n'), evil).not.toMatch(/evil|\*/i)
    }
    const lines = await linesOf('GET /health HTTP/1.1', `${name}: a\rX-Evil: 1`)
    expect(lines[0]).toBe('HTTP/1.1 400 Bad Request')
    expect(injectedIn(lines)).toEqual([])
  })
})

it('counts only the first of two Authorization headers', async () => {
  const codes = { [user.token]: 'FORBIDDEN', nonsense: 'MALFORMED_TOKEN', '': 'UNAUTHORIZED' }
  for (const [first, code] of Object.entries(codes)) {
    const lines = await linesOf('GET /v1/users HTTP/1.1', `Authorization: ${first}`, asAdmin)
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ code })
  }
})
