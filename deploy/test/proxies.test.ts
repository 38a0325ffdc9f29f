import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { testUnless } from '../../packages/worker/test/support/requirements.ts'
import { HOST, open, type ProxiedRequest, send, sendOverHttp2, zeros } from './support/client.ts'
import { adaptCaddyfile, missingProxy, type RunningProxy, startProxy } from './support/proxies.ts'
import { startContest } from './support/service.ts'

const MIB = 1024 * 1024

const { instance, contest, requests } = await startContest({
  RATE_LIMIT_ACCOUNTS: '1/3',
  RATE_LIMIT_FAILED_LOGINS: '1000/1000',
  METRICS_PORT: '0',
})

describe.each(['nginx', 'caddy'] as const)('%s with the file of deploy/', (kind) => {
  const test = testUnless(missingProxy(kind))
  // The rate limits of the service count addresses, so each proxy has its own clients.
  const addressOf = (client: number) => `127.0.${kind === 'nginx' ? 1 : 2}.${client}`
  let proxy: RunningProxy
  beforeAll(async () => {
    proxy = await startProxy(kind, { instances: [instance.address, instance.address] })
  })
  afterAll(() => proxy?.stop())

  const ask = (request: ProxiedRequest) => send(proxy, { token: contest.token, ...request })
  const expectError = async (request: ProxiedRequest, status: number, message: string) => {
    const response = await sendOverHttp2(proxy, { method: 'POST', token: contest.token, ...request })
    expect([response.status, response.headers['content-type'], JSON.parse(response.text)]).toMatchObject([
      status,
      expect.stringMatching(/^application\/json/),
      { error: expect.stringContaining(message) },
    ])
  }

  test('serves HTTP/1.1 and HTTP/2 over TLS with a certificate for its name', async () => {
    expect(await ask({ path: '/ready' })).toMatchObject({ status: 200, text: '{"status":"ready"}' })
    expect(await sendOverHttp2(proxy, { path: '/ready' })).toMatchObject({ status: 200 })
  })

  test('sends each header of the service once', async () => {
    const { status, rawHeaders } = await ask({ path: '/v1/languages' })
    const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
    const sent = ['x-content-type-options', 'referrer-policy', 'cache-control', 'x-request-id', 'etag']
    expect([status, sent.map((name) => names.filter((other) => other === name).length)]).toEqual([
      200,
      [1, 1, 1, 1, 1],
    ])
  })

  test('does not serve the metrics', async () => {
    expect((await ask({ path: '/metrics' })).status).toBe(404)
  })

  test('gives the service the client’s real address, also if the client sends another one', async () => {
    const logIn = async (from: string, forged: string) => {
      const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged }
      const body = { email: 'nobody@example.org', password: 'wrong password' }
      return (await send(proxy, { method: 'POST', path: '/v1/basic_login', headers, body, from })).status
    }
    const forged = ['192.0.2.1', '192.0.2.2', '192.0.2.3, 192.0.2.4', '192.0.2.5', addressOf(3)]
    const statuses = []
    for (const address of forged) statuses.push(await logIn(addressOf(2), address))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await logIn(addressOf(3), addressOf(2))).toBe(401)
    const logged = () => requests.filter(({ route }) => route === '/v1/basic_login').slice(-6)
    await expect
      .poll(() => logged().map(({ address }) => address))
      .toEqual([...Array(5).fill(addressOf(2)), addressOf(3)])
  })

  test('leaves entity tags, 304 and the compression of the service as they are', async () => {
    const path = '/v1/problems'
    const headers = { 'accept-encoding': 'gzip' }
    const direct = await readDirectly(path, headers)
    const through = await ask({ path, headers })
    const described = ({
      headers: { etag, vary, 'content-encoding': encoding },
    }: Pick<typeof direct, 'headers'>) => ({ etag, vary, encoding })
    expect(described(through)).toEqual(described(direct))
    expect(described(through)).toMatchObject({ etag: expect.stringMatching(/^W\//), encoding: 'gzip' })
    expect(through.bytes.equals(direct.bytes)).toBe(true)
    const known = await ask({ path, headers: { ...headers, 'if-none-match': String(direct.headers.etag) } })
    expect([known.status, known.text]).toEqual([304, ''])
    expect((await ask({ path })).headers['content-encoding']).toBeUndefined()
  })

  test('sends large bodies on, and the errors of the service back', async () => {
    const path = '/v1/problem_packages'
    const zip = { 'content-type': 'application/zip' }
    const sized = (bytes: number) => ({
      ...{ path, headers: { ...zip, 'content-length': String(bytes) }, body: zeros(bytes) },
    })
    const tooLarge = 'The body is larger than this route takes'
    // The service reads an archive after its last byte.
    await expectError(sized(200 * MIB), 400, 'it must be a complete zip file')
    await expectError(sized(257 * MIB), 413, tooLarge)
    await expectError({ path, headers: zip, body: zeros(257 * MIB) }, 413, tooLarge)
    const headers = { 'content-type': 'application/json', 'content-length': String(65 * MIB) }
    await expectError({ path: '/v1/problems', headers, body: zeros(65 * MIB) }, 413, tooLarge)
  })

  test('sends events and lines on at once, and tells the service when the client leaves', async () => {
    const paths = [
      `/v1/events/${contest.eventId}/changes`,
      `/v1/clics/contests/${contest.eventId}/event-feed`,
    ]
    const [stream, feed] = await Promise.all(paths.map((path) => follow({ path, token: contest.token })))
    await expect.poll(() => stream?.text()).toContain('event: ready')
    await expect.poll(() => feed?.text()).toContain('"token"')
    const [before, known] = [stream?.text().length, feed?.text().length]
    await contest.prolong()
    await expect.poll(() => stream?.text().slice(before)).toContain('event: clock')
    await expect.poll(() => feed?.text().slice(known)).toContain('"contest"')
    requests.length = 0
    stream?.leave()
    feed?.leave()
    const routes = ['/v1/clics/contests/:event_id/event-feed', '/v1/events/:event_id/changes']
    await expect.poll(() => requests.map(({ route }) => route)).toEqual(expect.arrayContaining(routes))
  })

  /** Opens a stream through the proxy and keeps its text. */
  async function follow(request: ProxiedRequest) {
    const response = await open(proxy, request)
    const pieces: string[] = []
    response.setEncoding('utf8').on('data', (piece: string) => void pieces.push(piece))
    response.on('error', () => {})
    return { text: () => pieces.join(''), leave: () => void response.destroy() }
  }
})

describe('the time limits', () => {
  testUnless(missingProxy('nginx'))(
    'of nginx, of six minutes, end a response that takes longer',
    async ({ onTestFinished }) => {
      const limits = ['proxy_read_timeout', 'proxy_send_timeout']
      const changes = limits.map((limit) => [`${limit} 360s;`, `${limit} 1s;`] as const)
      const proxy = await startProxy('nginx', { instances: [instance.address, instance.address], changes })
      onTestFinished(() => proxy.stop())
      instance.freeze()
      try {
        expect((await send(proxy, { path: '/ready' })).status).toBe(504)
      } finally {
        instance.thaw()
      }
    },
  )

  testUnless(missingProxy('caddy'))('of Caddy end no request that waits for the service', async () => {
    const text = adaptCaddyfile()
    expect(text).toContain('"read_header_timeout":20000000000')
    expect(text).not.toMatch(/"(read_timeout|write_timeout|response_header_timeout)"/)
  })
})

/** A response of the service without the proxy. */
function readDirectly(path: string, headers: Record<string, string>) {
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const url = new URL(path, instance.url)
    get(url, { headers: { ...headers, host: HOST, authorization: contest.token } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => void chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}
