import { describe, expect, it } from 'vitest'
import { loadConfig, type Rate } from '../../src/config/config.ts'
import { networkOf } from '../../src/http/routing/address.ts'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import type { Route } from '../../src/http/routing/route.ts'
import { openTestApp, SECRETS } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'
import type { Caller } from '../support/caller.ts'
import { refusal } from '../support/refusals.ts'

/** Returns a limiter with a clock that the test moves. */
function openClockedLimiter() {
  const clock = { nowMs: 1000 }
  const limiter = createRateLimiter({ nowMs: () => clock.nowMs })
  const takeMany = (rate: Rate, count: number) =>
    Array.from({ length: count }, () => limiter.take('route', 'key', rate)).filter(Boolean).length
  return { clock, takeMany }
}

describe('a token bucket (D15)', () => {
  const rate = { perMinute: 20, burst: 5 }

  it('grants exactly its rate to a client that asks every 10 milliseconds', () => {
    for (const perMinute of [5, 30]) {
      const { clock, takeMany } = openClockedLimiter()
      const hammered = { perMinute, burst: 2 }
      expect(takeMany(hammered, 3)).toBe(2)
      const grantedAt: number[] = []
      for (let ms = 10; ms <= 60_000; ms += 10) {
        clock.nowMs += 10
        if (takeMany(hammered, 1) === 1) grantedAt.push(ms)
      }
      expect(grantedAt).toEqual(Array.from({ length: perMinute }, (_, i) => ((i + 1) * 60_000) / perMinute))
    }
  })

  it('holds at most its burst, and keeps a part of a token', () => {
    const { clock, takeMany } = openClockedLimiter()
    takeMany(rate, 3)
    clock.nowMs += 1e9
    expect(takeMany(rate, 100)).toBe(5)
    clock.nowMs += 4500
    expect(takeMany(rate, 5)).toBe(1)
    clock.nowMs += 1500
    expect(takeMany(rate, 5)).toBe(1)
  })
})

// Each group has its own burst; a token takes a minute, so no bucket is refilled during the tests.
const service = await openTestApp({
  ...{ RATE_LIMIT_SUBMISSIONS: '1/4', RATE_LIMIT_RUNS: '1/3', RATE_LIMIT_ACCOUNTS: '1/5' },
  ...{ RATE_LIMIT_PUBLIC_RUNS: '1/2', RATE_LIMIT_WRITES: '1/3', TRUSTED_PROXY: 'true' },
})

describe('the routes with a limit', async () => {
  const [user, other] = [await service.createPerson(), await service.createPerson()]

  const byUser: [string, number][] = [
    ['/v1/submissions', 4],
    ['/v1/input_submissions', 3],
  ]
  const byAddress: [string, number][] = [
    ['/v1/basic_login', 5],
    ['/v1/basic_register', 5],
    ['/v1/basic_request_password_reset', 5],
    ['/v1/basic_reset_password', 5],
    ['/v1/public/input_submissions', 2],
    ['/v1/bench/input_submissions', 2],
  ]

  /** Sends a request that its body makes invalid (400); the limit counts it all the same. */
  const ask = (url: string, address: string, token?: string, raw: string = '{}') =>
    service.send({
      ...{ method: 'POST', url, raw, headers: { 'x-forwarded-for': `10.0.0.1, ${address}` } },
      ...(token !== undefined && { token }),
    })

  async function exhaust(url: string, burst: number, address: string, token?: string): Promise<void> {
    for (let i = 0; i < burst; i += 1)
      expect(await ask(url, address, token), `${url} ${i}`).toMatchObject({ status: 400 })
    expect(await ask(url, address, token), url).toMatchObject({
      status: 429,
      body: { error: 'Too many requests; wait a minute and try again', code: 'RATE_LIMIT_EXCEEDED' },
      headers: { 'retry-after': '60' },
    })
  }

  it('take a burst from each user, at any address (429)', async () => {
    for (const [url, burst] of byUser) {
      await exhaust(url, burst, '192.0.2.1', user.token)
      const again = await service.tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 1 })
      for (const token of [user.token, again])
        expect(await ask(url, '192.0.2.2', token)).toMatchObject({ status: 429 })
      await exhaust(url, burst, '192.0.2.1', other.token)
      await exhaust(url, burst, '192.0.2.1', service.judgeToken)
    }
  })

  it('take a burst from each address, with any token, and then read no body (429) (D2) [Limit: accounts by address] [Error: 429]', async () => {
    for (const [url, burst] of byAddress) {
      for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8:0:1::1'])
        await exhaust(url, burst, address)
      for (const raw of ['{}', '{', 'x'.repeat(2_000_000)])
        expect(await ask(url, '192.0.2.1', user.token, raw), url).toMatchObject({ status: 429 })
    }
  })

  it('are these nine, with the specification’s rates by default [Limit: POST /v1/submissions] [Limit: POST /v1/input_submissions] [Limit: anonymous runs by address] [Limit: accounts by address]', () => {
    const hasOwn = ({ limit }: Route) =>
      limit !== 'none' && limit.rate !== 'writes' && limit.counts === undefined
    const limited = service.routes.filter(hasOwn).map(({ url }) => url)
    // Its bucket is that of /v1/submissions.
    const shared = '/v1/clics/contests/:event_id/submissions'
    expect(limited.toSorted()).toEqual(
      [...byUser.map(([url]) => url), ...byAddress.map(([url]) => url), shared].toSorted(),
    )
    const { rates } = loadConfig(SECRETS)
    expect(rates).toMatchObject({
      submissions: { perMinute: 20, burst: 5 },
      runs: { perMinute: 30, burst: 10 },
      accounts: { perMinute: 10, burst: 5 },
      'public runs': { perMinute: 5, burst: 2 },
      writes: { perMinute: 120, burst: 30 },
    })
  })
})

describe('the writes of a user', async () => {
  const [admin, user] = [await service.createPerson({ admin: true }), await service.createPerson()]
  const { id } = await admin.post('/v1/events', {
    ...{ title: 'A contest', teams: true },
    ...{ start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' },
  })
  const writes = (by: Caller) => [
    by.send('POST', `/v1/events/${id}/questions`, { question: 'Why?' }),
    by.send('PUT', '/v1/user/notifications/mark-read'),
    by.send('POST', `/v1/events/${id}/teams`, { name: 'A team' }),
    by.send('POST', `/v1/public/events/${id}/register`),
    by.send('PUT', '/v1/user/notifications/mark-read'),
  ]

  it('without a limit of their own share one, and reads do not count (429)', async () => {
    for (let reads = 0; reads < 5; reads += 1) await user.get(`/v1/events/${id}/questions`)
    const responses = await Promise.all(writes(user))
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 201, 429, 429])
    expect(responses[3]).toMatchObject(refusal(429, 'RATE_LIMIT_EXCEEDED'))
    expect(responses[3]?.headers['retry-after']).toBe('60')
    await user.post('/v1/submissions', {}, 400)
  })

  it('do not limit other users, admins and judges', async () => {
    await (await service.createPerson()).put('/v1/user/notifications/mark-read')
    for (const by of [admin, service.judge]) {
      for (let round = 0; round < 2; round += 1)
        for (const { status } of await Promise.all(writes(by))) expect(status).not.toBe(429)
    }
  })

  it('are limited on every route for users', () => {
    const limits = service.routes.filter(
      ({ method, policy }) => method !== 'GET' && /^(user|self)/.test(policy),
    )
    expect(limits.filter(({ limit }) => limit === 'none')).toEqual([])
  })
})

describe('the network of a client (D14)', () => {
  const socket = (remoteAddress?: string) => Object({ remoteAddress })

  it('is an IPv4 address, or the /64 of an IPv6 address, in one spelling', () => {
    const spellings = {
      '192.0.2.1': ['192.0.2.1', '192.0.2.1:5678', '::ffff:192.0.2.1', '[::ffff:c000:201]:1'],
      '2001:db8::/64': ['2001:db8::1', '2001:DB8:0:0:ffff:ffff:ffff:ffff', '[2001:db8::1]:99'],
      '2001:db8:0:1::/64': ['2001:db8:0:1::1'],
      'fe80::/64': ['fe80::1%eth0', 'fe80::2'],
    }
    for (const [network, sent] of Object.entries(spellings))
      for (const ip of sent) expect(networkOf({ ip, socket: socket('192.0.2.9') }), ip).toBe(network)
  })

  it('is the socket’s if the entry of X-Forwarded-For is not an address', () => {
    const words = ['', 'unknown', '_hidden', 'made up', '192.0.2.1 ', '192.0.2.1, x', '192.0.2.1:x', 'a:80']
    const numbers = ['1', '127.1', '0x7f.0.0.1', '010.0.0.1', '192.0.2.256', '192.0.2.1:123456', '192.0.2.1:']
    const six = ['2001:db8::1::2', '[192.0.2.1', '[]', '[::1]x', '2001:db8::1/64', '::1:'.repeat(9)]
    for (const ip of [...words, ...numbers, ...six]) {
      expect(networkOf({ ip, socket: socket('::ffff:192.0.2.9') }), ip).toBe('192.0.2.9')
      expect(networkOf({ ip, socket: socket('2001:db8::9') }), ip).toBe('2001:db8::/64')
      expect(networkOf({ ip, socket: socket() }), ip).toBe('')
    }
  })
})

describe('the address of a client (D14)', () => {
  /** Opens a service that accepts one login per address, and returns a function that sends one. */
  async function openSingleLogins(variables: Record<string, string>) {
    const { app } = await openBareApp({ RATE_LIMIT_ACCOUNTS: '1/1', ...variables })
    return async (remoteAddress: string, forwarded?: string) => {
      const others = { 'x-real-ip': forwarded, forwarded: `for=${forwarded}`, 'x-forwarded-for': forwarded }
      const headers = forwarded === undefined ? {} : others
      const request = { method: 'POST', url: '/v1/basic_login', remoteAddress, headers } as const
      return (await app.inject(request)).statusCode
    }
  }

  it('is the socket’s without TRUSTED_PROXY, with any headers [Auth: trusted proxy]', async () => {
    const logIn = await openSingleLogins({})
    expect(await logIn('192.0.2.1', '198.51.100.1')).toBe(400)
    expect(await logIn('192.0.2.1', '198.51.100.2')).toBe(429)
    expect(await logIn('192.0.2.2', '198.51.100.1')).toBe(400)
  })

  it('is the last entry of X-Forwarded-For with TRUSTED_PROXY, or without the header the socket’s [Auth: trusted proxy]', async () => {
    const logIn = await openSingleLogins({ TRUSTED_PROXY: '1' })
    expect(await logIn('10.0.0.1', '198.51.100.1')).toBe(400)
    expect(await logIn('10.0.0.1', '203.0.113.9, 198.51.100.1')).toBe(429)
    expect(await logIn('10.0.0.2', 'made up,,198.51.100.1')).toBe(429)
    expect(await logIn('10.0.0.1', '198.51.100.1, 198.51.100.2')).toBe(400)
    expect(await logIn('10.0.0.1')).toBe(400)
    expect(await logIn('10.0.0.1')).toBe(429)
  })
})
