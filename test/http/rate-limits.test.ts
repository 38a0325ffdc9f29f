import { describe, expect, it } from 'vitest'
import type { Rate } from '../../src/config/config.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import { openTestApp, type TestRequest } from '../support/app.ts'
import { openBareApp } from '../support/bare-app.ts'

/** A limiter whose clock a test sets. */
function openClockedLimiter(maxBuckets = 100) {
  const clock = { nowMs: 1000 }
  const limiter = createRateLimiter({ maxBuckets, nowMs: () => clock.nowMs })
  const take = (rate: Rate, key = 'key', route = 'route') => limiter.take(route, key, rate)
  const takeMany = (rate: Rate, count: number, key?: string) =>
    Array.from({ length: count }, () => take(rate, key)).filter(Boolean).length
  return { clock, take, takeMany }
}

describe('a token bucket', () => {
  const rate = { perMinute: 20, burst: 5 }

  it('grants its burst at once, and not one more', () => {
    const { takeMany } = openClockedLimiter()
    expect(takeMany(rate, 100)).toBe(5)
  })

  it('grants one more exactly when one has been refilled', () => {
    const { clock, take, takeMany } = openClockedLimiter()
    takeMany(rate, 5)
    clock.nowMs += 2999.9
    expect(take(rate)).toBe(false)
    clock.nowMs += 0.1
    expect(take(rate)).toBe(true)
    expect(take(rate)).toBe(false)
  })

  it('grants its rate and no less to a client that hammers it, every millisecond of a minute', () => {
    for (const perMinute of [5, 10, 20, 30]) {
      const { clock, takeMany } = openClockedLimiter()
      const hammered = { perMinute, burst: 2 }
      expect(takeMany(hammered, 3)).toBe(2)
      const grantedAt: number[] = []
      for (let ms = 1; ms <= 60_000; ms++) {
        clock.nowMs += 1
        if (takeMany(hammered, 1) === 1) grantedAt.push(ms)
      }
      expect(grantedAt).toEqual(Array.from({ length: perMinute }, (_, i) => ((i + 1) * 60_000) / perMinute))
    }
  })

  it('never holds more than its burst, however long nobody asks', () => {
    const { clock, takeMany } = openClockedLimiter()
    takeMany(rate, 3)
    clock.nowMs += 1e9
    expect(takeMany(rate, 100)).toBe(5)
  })

  it('keeps the part of a token that a grant leaves', () => {
    const { clock, takeMany } = openClockedLimiter()
    takeMany(rate, 5)
    clock.nowMs += 4500
    expect(takeMany(rate, 5)).toBe(1)
    clock.nowMs += 1500
    expect(takeMany(rate, 5)).toBe(1)
  })

  it('is one for each route and key', () => {
    const { take } = openClockedLimiter()
    const single = { perMinute: 1, burst: 1 }
    for (const [key, route] of [
      ['a', 'x'],
      ['b', 'x'],
      ['a', 'y'],
    ]) {
      expect(take(single, key, route)).toBe(true)
      expect(take(single, key, route)).toBe(false)
    }
  })

  it('is forgotten when many others were asked of since, and not while it is asked of', () => {
    const { take } = openClockedLimiter(3)
    const single = { perMinute: 1, burst: 1 }
    for (const key of ['kept', 'dropped', 'third']) expect(take(single, key)).toBe(true)
    expect(take(single, 'kept')).toBe(false)
    expect(take(single, 'fourth')).toBe(true)
    expect(take(single, 'kept')).toBe(false)
    expect(take(single, 'dropped')).toBe(true)
  })
})

describe('the routes with a limit, at the rates of the specification', async () => {
  const groups = ['SUBMISSIONS', 'RUNS', 'ACCOUNTS', 'PUBLIC_RUNS']
  const defaults = Object.fromEntries(groups.map((group) => [`RATE_LIMIT_${group}`, '']))
  const service = await openTestApp({ ...defaults, TRUSTED_PROXY: 'true' })
  const user = await service.createPerson()
  const other = await service.createPerson()

  /** A request that fails for its body, from an address: cheap, and counted like any. */
  const request = (url: string, address: string, token?: string): TestRequest => ({
    method: 'POST',
    url,
    body: {},
    headers: { 'x-forwarded-for': `10.0.0.1, ${address}` },
    ...(token !== undefined && { token }),
  })

  /** All at once, so that nothing is refilled in between. */
  async function exhaust(url: string, burst: number, address: string, token?: string): Promise<void> {
    const sent = Array.from({ length: burst + 1 }, () => service.send(request(url, address, token)))
    const answers = await Promise.all(sent)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(burst)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({
      body: { error: 'Too many requests; wait a minute and try again', code: 'RATE_LIMIT_EXCEEDED' },
      headers: { 'retry-after': '60' },
    })
  }

  it('are configured so when nothing else is [Limit: POST /v1/submissions] [Limit: POST /v1/input_submissions] [Limit: anonymous runs by address]', () => {
    expect(service.config.rates).toEqual({
      submissions: { perMinute: 20, burst: 5 },
      runs: { perMinute: 30, burst: 10 },
      accounts: { perMinute: 10, burst: 5 },
      'public runs': { perMinute: 5, burst: 2 },
    })
  })

  it.each([
    ['/v1/submissions', 5],
    ['/v1/input_submissions', 10],
  ])('POST %s takes a burst of %i of each user, from wherever, and of each other', async (url, burst) => {
    await exhaust(url, burst, '192.0.2.1', user.token)
    expect((await service.send(request(url, '192.0.2.2', user.token))).status).toBe(429)
    const again = await service.tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 1 })
    expect((await service.send(request(url, '192.0.2.2', again))).status).toBe(429)
    await exhaust(url, burst, '192.0.2.1', other.token)
    await exhaust(url, burst, '192.0.2.1', service.judgeToken)
  })

  it.each([
    ['/v1/basic_login', 5],
    ['/v1/basic_register', 5],
    ['/v1/basic_request_password_reset', 5],
    ['/v1/basic_reset_password', 5],
    ['/v1/public/input_submissions', 2],
    ['/v1/bench/input_submissions', 2],
  ])('POST %s takes a burst of %i of each address, whoever asks', async (url, burst) => {
    await exhaust(url, burst, '192.0.2.1')
    expect((await service.send(request(url, '192.0.2.1', user.token))).status).toBe(429)
    await exhaust(url, burst, '192.0.2.2')
    await exhaust(url, burst, '2001:db8::1')
  })

  it('are the eight and no others [Limit: POST /v1/submissions] [Limit: POST /v1/input_submissions] [Limit: anonymous runs by address]', () => {
    const limited = service.routes.filter(({ limit }) => limit !== 'none').map(({ url }) => url)
    expect(limited.toSorted()).toEqual([
      '/v1/basic_login',
      '/v1/basic_register',
      '/v1/basic_request_password_reset',
      '/v1/basic_reset_password',
      '/v1/bench/input_submissions',
      '/v1/input_submissions',
      '/v1/public/input_submissions',
      '/v1/submissions',
    ])
  })
})

describe('the address of a client', () => {
  const asks = (address: string, forwarded?: string) => ({
    method: 'POST' as const,
    url: '/v1/basic_login',
    remoteAddress: address,
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  })

  it('is its socket’s, whatever it says in X-Forwarded-For', async () => {
    const { app } = await openBareApp({ RATE_LIMIT_ACCOUNTS: '1/1' })
    expect((await app.inject(asks('192.0.2.1', '198.51.100.1'))).statusCode).toBe(400)
    expect((await app.inject(asks('192.0.2.1', '198.51.100.2'))).statusCode).toBe(429)
    expect((await app.inject(asks('192.0.2.2', '198.51.100.1'))).statusCode).toBe(400)
  })

  it('is behind a trusted proxy the last that X-Forwarded-For names, whatever the client wrote before it', async () => {
    const { app } = await openBareApp({ RATE_LIMIT_ACCOUNTS: '1/1', TRUSTED_PROXY: '1' })
    expect((await app.inject(asks('10.0.0.1', '198.51.100.1'))).statusCode).toBe(400)
    expect((await app.inject(asks('10.0.0.1', '203.0.113.9, 198.51.100.1'))).statusCode).toBe(429)
    expect((await app.inject(asks('10.0.0.2', 'made up,,198.51.100.1'))).statusCode).toBe(429)
    expect((await app.inject(asks('10.0.0.1', '198.51.100.1, 198.51.100.2'))).statusCode).toBe(400)
    expect((await app.inject(asks('10.0.0.1'))).statusCode).toBe(400)
    expect((await app.inject(asks('10.0.0.1'))).statusCode).toBe(429)
  })
})

const PASSWORD = 'a password to be kept'
const SOURCE_CODE = 'source code to be kept'
const STDIN = 'input to be kept'

const service = await openTestApp({ LOG_LEVEL: 'trace' })
const user = await service.createPerson()
const admin = await service.createPerson({ admin: true })
const languageId = (await service.send({ method: 'GET', url: '/v1/languages' })).body[0].id

const program = () => ({ language_id: languageId, source_code: SOURCE_CODE, stdin: STDIN })

/** Requests of many kinds, right and wrong, with everything in them that no log may have. */
function revealingRequests(): TestRequest[] {
  const account = { name: 'kept', email: 'kept@example.org', password: PASSWORD }
  const { judgePassword, webBridge } = service.config.secrets
  const submission = { ...program(), user_id: user.id, problem_id: 1 }
  const token = user.token
  return [
    { method: 'POST', url: '/v1/basic_register', body: account },
    { method: 'POST', url: '/v1/basic_login', body: account },
    { method: 'POST', url: '/v1/basic_login', body: { ...account, password: `${PASSWORD} not` } },
    { method: 'POST', url: '/v1/basic_login', body: { password: PASSWORD } },
    { method: 'POST', url: '/v1/basic_reset_password', body: { ...account, token, new_password: PASSWORD } },
    { method: 'POST', url: '/v1/login_judge', token: judgePassword },
    { method: 'POST', url: '/v1/login_judge', token: webBridge },
    { method: 'POST', url: '/v1/create_or_login_user', token: webBridge, body: { ...account, id: 'x' } },
    { method: 'GET', url: '/v1/problems', token },
    { method: 'GET', url: '/v1/problems', token: `Bearer ${token}` },
    { method: 'GET', url: `/v1/nothing?token=${token}` },
    { method: 'GET', url: `/v1/users/%zz?token=${token}`, token },
    { method: 'POST', url: '/v1/submissions', token, body: submission },
    { method: 'POST', url: '/v1/submissions', token, raw: `{"source_code": "${SOURCE_CODE}"` },
    { method: 'POST', url: '/v1/input_submissions', token, body: program() },
    { method: 'POST', url: '/v1/public/input_submissions', body: program() },
    { method: 'POST', url: '/v1/public/input_submissions', body: { ...program(), language_id: PASSWORD } },
  ]
}

function expectNothingRevealed(text: string): void {
  const { judgePassword, webBridge, jwtSigning } = service.config.secrets
  for (const secret of [PASSWORD, SOURCE_CODE, STDIN, judgePassword, webBridge, jwtSigning, user.token]) {
    expect(text).not.toContain(secret)
  }
  // Any token at all, and any hash of a password.
  expect(text).not.toMatch(/eyJ|argon2/)
}

describe('the log', () => {
  it('has one line a request, with method, route, status, time, address and actor', async () => {
    const requests = revealingRequests()
    service.log.length = 0
    for (const request of requests) await service.send(request)
    const lines = service.log.map((line) => JSON.parse(line))
    expect(lines).toHaveLength(requests.length)
    for (const [i, { method }] of requests.entries()) {
      expect(lines[i]).toMatchObject({ level: 30, msg: 'request', method, address: '127.0.0.1' })
      expect(lines[i].ms).toBeGreaterThanOrEqual(0)
      expect(lines[i].reqId).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(lines[1]).toMatchObject({ route: '/v1/basic_login', status: 200 })
    expect(lines[8]).toMatchObject({ route: '/v1/problems', status: 200, actor: user.id })
    expect(lines[10]).toMatchObject({ route: 'none', status: 404 })
    expect(lines[11]).toMatchObject({ route: 'none', status: 400 })
  })

  it('has the id that the answer carries', async () => {
    service.log.length = 0
    const answer = await service.send({ method: 'GET', url: '/health' })
    expect(JSON.parse(service.log[0] ?? '')).toMatchObject({ reqId: answer.headers['x-request-id'] })
  })

  it('has no token, password, secret, hash, program or input in any line', async () => {
    for (const request of revealingRequests()) await service.send(request)
    expect(service.log.length).toBeGreaterThan(0)
    expectNothingRevealed(service.log.join(''))
  })
})

describe('a failure of the service itself', () => {
  it('is a 500 that shows its request’s id and nothing of the inside, which only the log has [Error: 500]', async () => {
    await service.database.query(unprepared('alter table languages rename to tongues'))
    service.log.length = 0
    try {
      // A page that nothing has been kept of.
      const answer = await service.send({ method: 'GET', url: '/v1/languages?limit=7' })
      const error = 'Internal server error'
      const request_id = answer.headers['x-request-id']
      expect(answer).toMatchObject({ status: 500 })
      expect(answer.body).toEqual({ error, code: 'INTERNAL', message: error, request_id })
      const [failure, line] = service.log.map((text) => JSON.parse(text))
      expect(failure).toMatchObject({ level: 50, reqId: request_id, msg: 'request failed' })
      expect(failure.err.message).toContain('languages')
      expect(line).toMatchObject({ level: 30, status: 500, msg: 'request' })
      expect(service.log).toHaveLength(2)
    } finally {
      await service.database.query(unprepared('alter table tongues rename to languages'))
    }
    expect(await service.send({ method: 'GET', url: '/v1/languages' })).toMatchObject({ status: 200 })
  })

  it('leaves no program, input or password in the log either', async () => {
    const refuseAll = (table: string) =>
      service.database.query(
        unprepared(`alter table ${table} add constraint ${table}_broken check (false) not valid`),
      )
    await refuseAll('runs')
    await refuseAll('users')
    service.log.length = 0
    const account = { name: 'new', email: 'new@example.org', password: PASSWORD }
    for (const request of [
      { method: 'POST', url: '/v1/public/input_submissions', body: program() },
      { method: 'POST', url: '/v1/basic_register', body: account },
      { method: 'POST', url: '/v1/users', token: admin.token, body: account },
    ] as const) {
      const answer = await service.send(request)
      expect(answer, request.url).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
      expect(answer.text).not.toMatch(/broken|constraint/)
    }
    const text = service.log.join('')
    expect(text).toContain('_broken')
    expectNothingRevealed(text)
  })
})
