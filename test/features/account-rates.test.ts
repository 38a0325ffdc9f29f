import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { openTestApp, type TestApp, type TestResponse } from '../support/app.ts'

const routes = [
  '/v1/basic_login',
  '/v1/basic_register',
  '/v1/basic_request_password_reset',
  '/v1/basic_reset_password',
]

/** Refused as it is (400), and counted all the same. */
const call = (service: TestApp, url: string, headers: Record<string, string> = {}, raw = '{}') =>
  service.send({ method: 'POST', url, raw, headers })

async function callOften(times: number, one: (i: number) => Promise<TestResponse>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i += 1) statuses.push((await one(i)).status)
  return statuses
}

/** The default's burst, refilled so slowly that no bucket gains a request while a test runs. */
const SLOW_REFILL = '1/5'

const burst = [400, 400, 400, 400, 400]

describe('the account routes', () => {
  let service: TestApp
  beforeAll(async () => {
    service = await openTestApp({ RATE_LIMIT_ACCOUNTS: SLOW_REFILL })
  })
  afterAll(() => service.close())

  it('take 10 requests a minute and 5 at once where nothing else is configured (specification, Limits) [Limit: accounts by address]', () => {
    const secrets = { JWT_SIGNING_SECRET: 'a', JUDGE_PASSWORD: 'b', WEB_BRIDGE_SECRET: 'c' }
    expect(loadConfig(secrets).rates.accounts).toEqual({ perMinute: 10, burst: 5 })
  })

  it('refuse the sixth request at once, each route by itself, with Retry-After (429) [Limit: accounts by address] [Error: 429]', async () => {
    for (const url of routes) {
      expect(await callOften(5, () => call(service, url)), url).toEqual(burst)
    }
    for (const url of routes) {
      expect(await call(service, url), url).toMatchObject({
        status: 429,
        headers: { 'retry-after': '60' },
        body: { code: 'RATE_LIMIT_EXCEEDED' },
      })
    }
  })

  it('refuse before they look at the body, however large or broken (D2)', async () => {
    for (const url of routes) {
      for (const raw of ['{', 'x'.repeat(2_000_000)]) {
        expect(await call(service, url, {}, raw), url).toMatchObject({ status: 429 })
      }
    }
  })

  it('know no address but the socket’s while TRUSTED_PROXY is off (D14) [Auth: trusted proxy]', async () => {
    for (const url of routes) {
      const headers = {
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      }
      expect(await call(service, url, headers), url).toMatchObject({ status: 429 })
      const { statusCode } = await service.app.inject({
        method: 'POST',
        url,
        remoteAddress: '203.0.113.9',
        payload: '{}',
      })
      expect(statusCode, url).toBe(400)
    }
  })

  it('limit neither the bridge nor the judges', async () => {
    const { webBridge, judgePassword } = service.config.secrets
    for (let i = 0; i < 20; i += 1) {
      const profile = { id: 'provider|often', name: 'Often', email: 'often@example.org' }
      const bridge = { url: '/v1/create_or_login_user', token: webBridge, body: profile }
      for (const request of [bridge, { url: '/v1/login_judge', token: judgePassword }]) {
        expect(await service.send({ method: 'POST', ...request })).toMatchObject({ status: 200 })
      }
    }
  })
})

describe('the account routes behind a trusted proxy (D14)', () => {
  let service: TestApp
  beforeAll(async () => {
    service = await openTestApp({ RATE_LIMIT_ACCOUNTS: SLOW_REFILL, TRUSTED_PROXY: 'true' })
  })
  afterAll(() => service.close())

  const url = '/v1/basic_login'

  it('know a client by the last entry of X-Forwarded-For, whatever it wrote before that itself [Auth: trusted proxy]', async () => {
    const spoof = (i: number) => call(service, url, { 'x-forwarded-for': `198.51.100.${i}, 203.0.113.1` })
    expect(await callOften(6, spoof)).toEqual([...burst, 429])
    const alone = await call(service, url, { 'x-forwarded-for': '203.0.113.1' })
    expect(alone).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } })
  })

  it('count each of the proxy’s clients by itself, IPv6 too', async () => {
    const clients = ['203.0.113.2', '203.0.113.3', '2001:db8::1', '2001:db8::2']
    for (const client of clients) {
      const one = () => call(service, url, { 'x-forwarded-for': `203.0.113.1, ${client}` })
      expect(await callOften(6, one), client).toEqual([...burst, 429])
    }
  })

  it('know a client without the header by its socket', async () => {
    expect(await callOften(6, () => call(service, url))).toEqual([...burst, 429])
  })
})
