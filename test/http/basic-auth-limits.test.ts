import { once } from 'node:events'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { PATIENT } from '../support/app.ts'
import {
  ask,
  basic,
  callerIs,
  HIDDEN,
  newEmail,
  OPEN,
  openContestApiRoutes,
} from '../support/contest-api-routes.ts'
import { gate } from '../support/queue.ts'
import { untilWithoutTime } from '../support/until.ts'

const service = await openContestApiRoutes()
const PASSWORD = 'correct horse'

type Opened = typeof service

const wrong = { status: 401, body: { code: 401, message: 'Invalid credentials' } }

const compare = vi.spyOn(service.passwords, 'findByPassword')
beforeEach(() => void compare.mockClear())

describe('the hashes of HTTP Basic', () => {
  it('are computed once for a right password, in every spelling of the e-mail, on each instance', async () => {
    const { email, id } = await service.newAccount(PASSWORD)
    for (const spelling of [email, email, email.toUpperCase(), ` ${email}`])
      expect(await ask(service.app, basic(spelling, PASSWORD))).toMatchObject(callerIs(id))
    expect(compare).toHaveBeenCalledTimes(1)
    const app = await service.openBeside()
    for (let sent = 0; sent < 3; sent += 1)
      expect(await ask(app, basic(email, PASSWORD))).toMatchObject(callerIs(id))
    expect(compare).toHaveBeenCalledTimes(2)
  })

  it('are computed each time for a wrong password, and for an unknown e-mail (D11)', async () => {
    const { email } = await service.newAccount(PASSWORD)
    await service.createAccount('no-password@example.org', null)
    for (const unknown of [email, 'nobody@example.org', 'no-password@example.org']) {
      compare.mockClear()
      for (let sent = 0; sent < 3; sent += 1)
        expect(await ask(service.app, basic(unknown, 'wrong'))).toMatchObject(wrong)
      expect(compare, unknown).toHaveBeenCalledTimes(3)
    }
  })
})

it('the log has neither credentials nor hashes', async () => {
  const { email, id } = await service.newAccount('a very secret one')
  const headers = [basic(email, 'a very secret one'), basic(email, 'a secret guess')]
  service.log.length = 0
  for (const header of headers) {
    for (const url of [OPEN, HIDDEN, '/v1/clics/tests/broken', '/v1/clics/nothing'])
      await ask(service.app, header, { url })
  }
  const log = service.log.join('\n')
  expect(log).toContain(id)
  for (const secret of ['secret', email, 'argon2', ...headers.map((header) => header.slice(6))])
    expect(log).not.toContain(secret)
})

const patient = { waitMs: 60_000, inFlight: 1 }

/** Holds the only turn of the queue until the gate opens. */
function occupy({ passwords }: Pick<Opened, 'passwords'>, logins = 1) {
  const held = gate()
  const hold = () => passwords.findByPassword(async () => void (await held.passed), 'x')
  return { open: held.open, holding: Promise.all(Array.from({ length: logins }, hold)) }
}

describe('failures of HTTP Basic', () => {
  // A token takes a minute, so no bucket is refilled during the tests.
  const rates = {
    RATE_LIMIT_FAILED_LOGINS: '1/3',
    RATE_LIMIT_ACCOUNTS: '1/100',
    RATE_LIMIT_EXEMPT: '203.0.113.0/24',
  }
  const tooMany = (failures: string) => {
    const message = `Too many ${failures}; wait a minute and try again`
    return { status: 429, body: { code: 429, message }, headers: { 'retry-after': '60' } }
  }
  const toAccount = tooMany('failed logins to this account')
  const logIn = ({ app }: Opened, email: string, password: string, address: string) =>
    app.inject({
      ...{ method: 'POST', url: '/v1/basic_login', payload: { email, password } },
      headers: { 'x-forwarded-for': address },
    })

  it('are limited by account and address, together with those of the login, and lock no one out elsewhere (D15)', async () => {
    const opened = await openContestApiRoutes(rates)
    const { app } = opened
    const { email } = await opened.newAccount(PASSWORD)
    const { email: other } = await opened.newAccount(PASSWORD)
    expect(await ask(app, basic(other, PASSWORD))).toMatchObject({ status: 200 })
    for (const account of [email, other, 'nobody@example.org']) {
      expect((await logIn(opened, account, 'wrong', '192.0.2.1')).statusCode).toBe(401)
      for (const spelling of [account.toUpperCase(), ` ${account}`])
        expect(await ask(app, basic(spelling, 'wrong'))).toMatchObject({ status: 401 })
      expect(await ask(app, basic(account, 'wrong'))).toMatchObject(toAccount)
      expect((await logIn(opened, account, PASSWORD, '192.0.2.1')).statusCode).toBe(429)
    }
    expect(await ask(app, basic(email, PASSWORD))).toMatchObject(toAccount)
    expect(await ask(app, basic(email, PASSWORD), { address: '192.0.2.2' })).toMatchObject({ status: 200 })
    // A remembered success meets no limit.
    for (const account of [other, email])
      expect(await ask(app, basic(account, PASSWORD))).toMatchObject({ status: 200 })
  })

  it('take from the login’s rate of the address, but successes do not, nor do exempt addresses', async () => {
    const opened = await openContestApiRoutes({ ...rates, RATE_LIMIT_ACCOUNTS: '1/4' })
    const { app } = opened
    const accounts = Array.from({ length: 5 }, newEmail)
    for (const email of accounts) await opened.createAccount(email, PASSWORD)
    for (const email of accounts)
      for (const at of ['192.0.2.1', '203.0.113.1'])
        expect(await ask(app, basic(email, PASSWORD), { address: at })).toMatchObject({ status: 200 })
    expect((await logIn(opened, 'nobody-0@example.org', PASSWORD, '192.0.2.1')).statusCode).toBe(401)
    for (const number of [1, 2, 3])
      expect(await ask(app, basic(`nobody-${number}@example.org`, 'x'))).toMatchObject({ status: 401 })
    const { email: newcomer } = await opened.newAccount(PASSWORD)
    for (const email of ['nobody-4@example.org', newcomer])
      expect(await ask(app, basic(email, PASSWORD))).toMatchObject(tooMany('failed logins'))
    expect((await logIn(opened, newcomer, PASSWORD, '192.0.2.1')).statusCode).toBe(429)
    for (const email of accounts)
      expect(await ask(app, basic(email, PASSWORD))).toMatchObject({ status: 200 })
    for (let number = 0; number < 5; number += 1)
      expect(
        await ask(app, basic(`nobody-${number}@example.org`, 'x'), { address: '203.0.113.1' }),
      ).toMatchObject({ status: 401 })
    expect(await ask(app, basic(newcomer, PASSWORD), { address: '203.0.113.1' })).toMatchObject({
      status: 200,
    })
  })

  it('count once for each hash: simultaneous guesses get no further', async () => {
    const passwords = createPasswords({ ...patient, waiting: 100 })
    const opened = await openContestApiRoutes(rates, { passwords })
    const hashed = vi.spyOn(passwords, 'findByPassword')
    /** Sends requests, of which the last one needs this hash; none starts before all have come. */
    const askAtOnce = async (headers: readonly string[], hashes: number) => {
      const { open, holding } = occupy(opened)
      hashed.mockClear()
      const asked = headers.map((header) => ask(opened.app, header))
      await expect.poll(() => hashed.mock.calls.length).toBe(hashes)
      open()
      await holding
      const responses = await Promise.all(asked)
      expect(hashed.mock.calls.length).toBe(hashes)
      return responses.map(({ status }) => status)
    }
    const same = Array.from({ length: 30 }, () => basic('same@example.org', 'x'))
    const statuses = await askAtOnce([...same, basic('other@example.org', 'x')], 2)
    expect(new Set(statuses)).toEqual(new Set([401]))
    const guesses = Array.from({ length: 30 }, (_, guess) => basic('guessed@example.org', `${guess}`))
    const failed = (await askAtOnce(guesses, 30)).filter((status) => status === 401)
    // One more is being compared when the last token is taken.
    expect([3, 4]).toContain(failed.length)
  })
})

describe('HTTP Basic under load', () => {
  const unavailable = (message: string) => ({
    ...{ status: 503, body: { code: 503, message } },
    headers: { 'retry-after': '5' },
  })

  it('gets 503 with Retry-After when the queue of the login is full, but not with a remembered success', async () => {
    const passwords = createPasswords({ ...patient, waiting: 1 })
    const opened = await openContestApiRoutes({}, { passwords })
    const { app } = opened
    const { email, id } = await opened.newAccount(PASSWORD)
    const { email: newcomer } = await opened.newAccount(PASSWORD)
    expect(await ask(app, basic(email, PASSWORD))).toMatchObject(callerIs(id))
    const { open, holding } = occupy(opened, 2)
    for (const sent of [basic(newcomer, PASSWORD), basic('nobody@example.org', PASSWORD)])
      expect(await ask(app, sent)).toMatchObject(unavailable('Too many logins at once; try again shortly'))
    expect(await ask(app, basic(email, PASSWORD))).toMatchObject(callerIs(id))
    open()
    await holding
    expect(await ask(app, basic(newcomer, PASSWORD))).toMatchObject({ status: 200 })
  })

  it('gets 503 within the time of a short request, and hashes nothing for clients that do not wait any more', async () => {
    const passwords = createPasswords({ ...patient, waiting: 100 })
    const quick = 3000
    const opened = await openContestApiRoutes({}, { passwords, timeoutMs: { ...PATIENT, quick } })
    const { app } = opened
    const { email, id } = await opened.newAccount(PASSWORD)
    const { open, holding } = occupy(opened)
    const finds = vi.spyOn(passwords, 'findByPassword')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const late = [1, 2, 3].map(() => ask(app, basic(email, PASSWORD)))
    await untilWithoutTime(() => vi.getTimerCount() === 3)
    vi.advanceTimersByTime(quick)
    const message = 'The service has too much to do; try again shortly'
    expect(await Promise.all(late)).toMatchObject(Array(3).fill(unavailable(message)))
    expect(finds).toHaveBeenCalledTimes(1)
    open()
    await holding
    await expect(finds.mock.results[0]?.value).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    expect(await ask(app, basic(email, PASSWORD))).toMatchObject(callerIs(id))
  })

  it('computes a shared hash while one of its clients still waits', async () => {
    const passwords = createPasswords({ ...patient, waiting: 100 })
    const opened = await openContestApiRoutes({}, { passwords })
    const { email, id } = await opened.newAccount(PASSWORD)
    const { open, holding } = occupy(opened)
    const finds = vi.spyOn(passwords, 'findByPassword')
    const address = await opened.app.listen({ host: '127.0.0.1', port: 0 })
    const send = (signal?: AbortSignal) =>
      fetch(`${address}${OPEN}`, {
        headers: { authorization: basic(email, PASSWORD) },
        ...(signal && { signal }),
      })
    const leaving = new AbortController()
    const gone = send(leaving.signal).catch(() => 'gone')
    await expect.poll(() => finds.mock.calls.length).toBe(1)
    const arrived = once(opened.app.server, 'request')
    const waiting = send()
    await arrived
    leaving.abort()
    expect(await gone).toBe('gone')
    await expect.poll(() => opened.log.filter((line) => line.includes('499')).length).toBe(1)
    open()
    await holding
    expect(await (await waiting).json()).toEqual({ id, role: 0 })
    // The client keeps its connection for some seconds.
    opened.app.server.closeAllConnections()
  })
})
