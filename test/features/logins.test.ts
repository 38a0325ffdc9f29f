import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { unprepared } from '../../src/db/statement.ts'
import {
  JUDGE_PASSWORD,
  openTestApp,
  type TestApp,
  type TestResponse,
  WEB_BRIDGE_SECRET,
} from '../support/app.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const bridge = (body: unknown, token = WEB_BRIDGE_SECRET) =>
  service.send({ method: 'POST', url: '/v1/create_or_login_user', token, body })
const read = async (id: string) =>
  (await service.send({ method: 'GET', url: `/v1/users/${id}`, token: admin.token })).body
const change = (id: string, body: unknown) =>
  service.send({ method: 'PUT', url: `/v1/users/${id}`, token: admin.token, body })
const remove = (id: string) => service.send({ method: 'DELETE', url: `/v1/users/${id}`, token: admin.token })

const profileOf = (word: string) => ({
  id: `provider|${word}`,
  name: `Name ${word}`,
  email: `${word}@example.org`,
})

/** An account of another kind that has a name and an e-mail, without the bridge. */
async function createOwner(word: string) {
  const body = { ...profileOf(word), password: 'a password' }
  const answer = await service.send({ method: 'POST', url: '/v1/basic_register', body })
  expect(answer.status).toBe(201)
  return answer.body
}

const exists = { status: 409, body: { code: 'USER_EXISTS' } }

describe('a login over the bridge', () => {
  it('answers 200 with token, id, name and e-mail the first time and every time after, for one account (D12) [POST /v1/create_or_login_user]', async () => {
    const profile = { ...profileOf('first'), image: 'https://example.org/i.png' }
    const [made, found] = [await bridge(profile), await bridge(profile)]
    for (const { status, body } of [made, found]) {
      expect(status).toBe(200)
      const { token, id } = body
      expect(body).toEqual({ token, id: made.body.id, name: profile.name, email: profile.email })
      expect(decodeJwt(token)).toMatchObject({ id, role: 0 })
      expect(await service.send({ method: 'GET', url: `/v1/users/${id}`, token })).toMatchObject({
        status: 200,
      })
    }
    expect(await read(made.body.id)).toMatchObject({ image: profile.image, is_admin: false })
  })

  it('lets name, e-mail and image follow what the provider sends, trimmed', async () => {
    const { body: before } = await bridge({ ...profileOf('before'), image: 'before' })
    const sent = { ...profileOf('after'), id: profileOf('before').id, name: ' Name after ', image: 'after' }
    const { body: after } = await bridge(sent)
    expect(after).toMatchObject({ id: before.id, name: 'Name after', email: 'after@example.org' })
    expect(await read(before.id)).toMatchObject({ name: 'Name after', image: 'after' })
    const { body: recased } = await bridge({ ...sent, name: 'NAME AFTER', email: 'AFTER@example.org' })
    expect(recased).toMatchObject({ id: before.id, name: 'NAME AFTER', email: 'AFTER@example.org' })
    const { status, body: next } = await bridge({ ...profileOf('before'), id: 'provider|next' })
    expect(status).toBe(200)
    expect(next.id).not.toBe(before.id)
  })

  it('keeps the image when none is sent, and clears it when an empty one is', async () => {
    const { body } = await bridge({ ...profileOf('image'), image: 'kept' })
    await bridge(profileOf('image'))
    expect(await read(body.id)).toMatchObject({ image: 'kept' })
    await bridge({ ...profileOf('image'), image: '' })
    expect(await read(body.id)).toMatchObject({ image: '' })
  })

  it('keeps a name or an e-mail, each on its own, where another account has the one that is sent', async () => {
    await createOwner('owner')
    const { body: mine } = await bridge(profileOf('mine'))
    const { id } = profileOf('mine')
    const names = await bridge({ id, name: 'NAME Owner', email: 'moved@example.org' })
    expect(names).toMatchObject({ status: 200, body: { name: 'Name mine', email: 'moved@example.org' } })
    const emails = await bridge({ id, name: 'Name moved', email: 'OWNER@example.org' })
    expect(emails).toMatchObject({ status: 200, body: { name: 'Name moved', email: 'moved@example.org' } })
    expect(await read(mine.id)).toMatchObject({ name: 'Name moved', email: 'moved@example.org' })
  })

  it('refuses a new account whose name or e-mail is another’s, and links the two in no way (409)', async () => {
    const owner = await createOwner('linked')
    const taken = [
      { ...profileOf('thief'), email: owner.email },
      { ...profileOf('thief'), email: owner.email.toUpperCase() },
      { ...profileOf('thief'), name: owner.name },
      { ...profileOf('thief'), name: ` ${owner.name.toUpperCase()}` },
    ]
    for (const profile of taken) expect(await bridge(profile)).toMatchObject(exists)
    const body = { email: owner.email, password: 'a password' }
    const login = await service.send({ method: 'POST', url: '/v1/basic_login', body })
    expect(login).toMatchObject({ status: 200, body: { id: owner.id, name: owner.name } })
    const { status, body: later } = await bridge(profileOf('thief'))
    expect(status).toBe(200)
    expect(later.id).not.toBe(owner.id)
  })

  it('finds the account by the exact id of the provider', async () => {
    const { body: lower } = await bridge(profileOf('case'))
    const ids = ['provider|CASE', ' provider|case', 'case', 'other|case']
    for (const [i, id] of ids.entries()) {
      const { status, body } = await bridge({ ...profileOf(`case-${i}`), id })
      expect(status, id).toBe(200)
      expect(body.id, id).not.toBe(lower.id)
    }
    expect(await read(lower.id)).toMatchObject({ name: 'Name case' })
  })

  it('gives the role that the account has now', async () => {
    const { body } = await bridge(profileOf('raised'))
    await change(body.id, { is_admin: true })
    expect(decodeJwt((await bridge(profileOf('raised'))).body.token)).toMatchObject({ role: 2 })
    await change(body.id, { is_admin: false })
    expect(decodeJwt((await bridge(profileOf('raised'))).body.token)).toMatchObject({ role: 0 })
  })

  it('makes no admin of an account that there was before its e-mail became one of ADMIN_EMAILS', async () => {
    const { body } = await bridge(profileOf('climber'))
    const after = await bridge({ ...profileOf('climber'), email: 'root@example.org' })
    expect(decodeJwt(after.body.token)).toMatchObject({ id: body.id, role: 0 })
    expect(await read(body.id)).toMatchObject({ email: 'root@example.org', is_admin: false })
  })

  it('makes a new account after the old one was deleted, with the same name and e-mail', async () => {
    const { body: old } = await bridge(profileOf('reborn'))
    expect(await remove(old.id)).toMatchObject({ status: 204 })
    const { status, body } = await bridge(profileOf('reborn'))
    expect({ status, ...body }).toMatchObject({ status: 200, name: old.name, email: old.email })
    expect(body.id).not.toBe(old.id)
  })

  it('is for the secret itself and nothing like it (401) [Auth: bridge secret]', async () => {
    const secrets = [
      `Bearer ${WEB_BRIDGE_SECRET}`,
      WEB_BRIDGE_SECRET.slice(0, -1),
      `${WEB_BRIDGE_SECRET}.`,
      WEB_BRIDGE_SECRET.toUpperCase(),
      JUDGE_PASSWORD,
      service.judgeToken,
    ]
    for (const secret of secrets) {
      const answer = await bridge(profileOf('nobody'), secret)
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
    const rows = await service.database.query(
      unprepared(`select from users where users.provider_id = 'provider|nobody'`),
    )
    expect(rows).toEqual([])
  })
})

describe('a judge’s login', () => {
  const url = '/v1/login_judge'

  it('gets 200 with only a token of role 1, and ignores any body (D3) [POST /v1/login_judge]', async () => {
    const raws = [{}, { raw: '' }, { raw: '{}' }, { raw: '{"password"' }, { raw: Buffer.from([0xff]) }]
    for (const body of raws) {
      const answer = await service.send({ method: 'POST', url, token: JUDGE_PASSWORD, ...body })
      expect(answer).toMatchObject({ status: 200 })
      expect(Object.keys(answer.body)).toEqual(['token'])
      expect(decodeJwt(answer.body.token)).toMatchObject({ role: 1 })
    }
  })

  it('gives a token that may fetch test cases', async () => {
    const { body } = await service.send({ method: 'POST', url, token: JUDGE_PASSWORD })
    const tests = { method: 'GET', url: '/v1/problem_description/1/tests', token: body.token } as const
    expect(await service.send(tests)).toMatchObject({ status: 404 })
  })

  it('is for the password itself and nothing like it (401) [Auth: judge password]', async () => {
    const nearly = [
      JUDGE_PASSWORD.slice(1),
      `${JUDGE_PASSWORD} x`,
      JUDGE_PASSWORD.toUpperCase(),
      WEB_BRIDGE_SECRET,
    ]
    for (const token of [...nearly, `Bearer ${JUDGE_PASSWORD}`]) {
      const answer = await service.send({ method: 'POST', url, token, body: { password: JUDGE_PASSWORD } })
      expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    }
  })
})

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

  it('identify a client by the last entry of X-Forwarded-For, and ignore the entries before it [Auth: trusted proxy]', async () => {
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
