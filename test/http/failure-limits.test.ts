import { describe, expect, it } from 'vitest'
import { JUDGE_PASSWORD, openTestApp, WEB_BRIDGE_SECRET } from '../support/app.ts'

// A token takes a minute, so no bucket is refilled during the tests.
const FAILURES = 3
const service = await openTestApp({
  ...{ RATE_LIMIT_FAILED_LOGINS: `1/${FAILURES}`, RATE_LIMIT_FAILED_SECRETS: `1/${FAILURES}` },
  ...{ RATE_LIMIT_ACCOUNTS: '1/100', RATE_LIMIT_PUBLIC_RUNS: '1/2', RATE_LIMIT_SUBMISSIONS: '1/2' },
  ...{ RATE_LIMIT_EXEMPT: '203.0.113.0/24, 2001:db8:1::/48, 198.51.100.77', TRUSTED_PROXY: 'true' },
})

const PASSWORD = 'correct horse'
const limited = (error: unknown) => ({
  status: 429,
  body: { error, code: 'RATE_LIMIT_EXCEEDED', message: error },
  headers: { 'retry-after': '60' },
})
const EXEMPT = ['203.0.113.9', '203.0.113.9:5678', '2001:db8:1:ffff::1', '198.51.100.77']

const send = (url: string, address: string, body?: unknown, token?: string) =>
  service.send({
    ...{ method: 'POST', url, headers: { 'x-forwarded-for': address } },
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
  })

const repeat = async <T>(count: number, ask: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (let i = 0; i < count; i += 1) answers.push(await ask())
  return answers
}

describe('failed logins (D15)', () => {
  const logIn = (email: string, password: string, address: string) =>
    send('/v1/basic_login', address, { email, password })
  const tooMany = limited('Too many failed logins to this account; wait a minute and try again')

  async function register(word: string): Promise<string> {
    const email = `${word}@example.org`
    await service.anonymous.post('/v1/basic_register', { name: word, email, password: PASSWORD })
    return email
  }

  it('are limited by account and address together, and lock no one out at another address (429)', async () => {
    const [email, other] = [await register('victim'), await register('other')]
    for (const failed of await repeat(FAILURES, () => logIn(email, 'wrong', '192.0.2.1')))
      expect(failed).toMatchObject({ status: 401 })
    for (const password of ['wrong', PASSWORD])
      expect(await logIn(email, password, '192.0.2.1')).toMatchObject(tooMany)
    expect(await logIn(email, PASSWORD, '192.0.2.2')).toMatchObject({ status: 200 })
    expect(await logIn(other, PASSWORD, '192.0.2.1')).toMatchObject({ status: 200 })
  })

  it('do not count successful logins', async () => {
    const email = await register('frequent')
    for (const { status } of await repeat(FAILURES * 2, () => logIn(email, PASSWORD, '192.0.2.1')))
      expect(status).toBe(200)
  })

  it('count every spelling of an e-mail as one account, with or without an account', async () => {
    await register('spelled')
    for (const name of ['spelled', 'nobody']) {
      const spellings = [name, name.toUpperCase(), `\uFF53${name.slice(1)}`.replace('\uFF53o', '\uFF4Eo')]
      expect(spellings).toHaveLength(FAILURES)
      for (const spelling of spellings)
        expect(await logIn(` ${spelling}@example.org`, 'wrong', '192.0.2.3')).toMatchObject({ status: 401 })
      expect(await logIn(`${name}@example.org`, PASSWORD, '192.0.2.3'), name).toMatchObject(tooMany)
    }
  })

  it('stay limited for exempt addresses and for simultaneous requests', async () => {
    const email = await register('exempt')
    for (const address of EXEMPT) {
      if (address.endsWith(':5678')) continue
      const tries = Array.from({ length: 30 }, () => logIn(email, 'wrong', address))
      const failed = (await Promise.all(tries)).filter(({ status }) => status === 401)
      // At most two more are being compared when the last token is taken.
      expect(failed.length).toBeGreaterThanOrEqual(FAILURES)
      expect(failed.length).toBeLessThanOrEqual(FAILURES + 2)
      expect(await logIn(email, PASSWORD, address)).toMatchObject(tooMany)
    }
  })
})

describe('wrong secrets (D15)', () => {
  const profile = { id: 'provider|1', name: 'Bridged', email: 'bridged@example.org' }
  const routes = [
    ['/v1/login_judge', JUDGE_PASSWORD, undefined],
    ['/v1/create_or_login_user', WEB_BRIDGE_SECRET, profile],
  ] as const
  const tooMany = limited('Too many wrong secrets; wait a minute and try again')

  it('are limited by address, and then no secret is compared (429), but correct requests never count', async () => {
    for (const [url, secret, body] of routes) {
      const ask = (token: string | undefined, address: string) => send(url, address, body, token)
      for (const { status } of await repeat(FAILURES * 2, () => ask(secret, '192.0.2.1')))
        expect(status).toBe(200)
      for (const { status } of await repeat(FAILURES, () => ask(`${secret}.`, '192.0.2.1')))
        expect(status).toBe(401)
      for (const token of [`${secret}.`, secret]) expect(await ask(token, '192.0.2.1')).toMatchObject(tooMany)
      expect(await ask(undefined, '192.0.2.1')).toMatchObject({ status: 401 })
      expect(await ask(secret, '192.0.2.2')).toMatchObject({ status: 200 })
    }
  })

  it('precede 413 and 400, as every limit does (D2)', async () => {
    const url = '/v1/create_or_login_user'
    const ask = (token: string, raw: string) =>
      service.send({ method: 'POST', url, raw, token, headers: { 'x-forwarded-for': '192.0.2.4' } })
    for (const raw of ['x'.repeat(2_000_000), '{', '{}'])
      expect(await ask('wrong', raw)).toMatchObject({ status: 401 })
    for (const raw of ['x'.repeat(2_000_000), '{', '{}'])
      expect(await ask(WEB_BRIDGE_SECRET, raw)).toMatchObject(tooMany)
  })

  it('are not limited for exempt addresses', async () => {
    for (const address of EXEMPT) {
      for (const { status } of await repeat(FAILURES * 2, () =>
        send(routes[0][0], address, undefined, 'wrong'),
      ))
        expect(status).toBe(401)
    }
  })

  it('are a documented 429 of their routes', () => {
    const counted = service.routes.filter(({ limit }) => limit !== 'none' && limit.counts === 'wrong secrets')
    expect(counted.map(({ url }) => url).toSorted()).toEqual(routes.map(([url]) => url).toSorted())
    const secret = service.routes.filter(({ policy }) => /secret|password/.test(policy))
    expect(secret.map(({ url }) => url).toSorted()).toEqual(routes.map(([url]) => url).toSorted())
  })
})

describe('an address in RATE_LIMIT_EXEMPT (D15)', () => {
  const url = '/v1/public/input_submissions'

  it('has no limits by address', async () => {
    for (const address of EXEMPT)
      for (const { status } of await repeat(5, () => send(url, address, {}))) expect(status).toBe(400)
    for (const address of ['203.0.114.1', '2001:db8:2::1', '198.51.100.78', 'unknown']) {
      const statuses = (await repeat(3, () => send(url, address, {}))).map(({ status }) => status)
      expect(statuses, address).toEqual([400, 400, 429])
    }
  })

  it('has the limits by user', async () => {
    const { token } = await service.createPerson()
    const tries = await repeat(3, () => send('/v1/submissions', '203.0.113.9', {}, token))
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 429])
  })
})
