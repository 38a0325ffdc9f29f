import { hash, verify } from '@node-rs/argon2'
import { beforeEach, expect, it, vi } from 'vitest'
import { CONCURRENT_COMPRESSIONS } from '../../../src/lists/compression.ts'

// The query loads a second copy of the module, whose argon2 is spied on.
vi.mock('@node-rs/argon2', { spy: true })
const copy = '../../../src/http/routing/passwords.ts?spied'
const { createPasswords, hashesAtOnce }: typeof import('../../../src/http/routing/passwords.ts') =
  await import(copy)
beforeEach(() => void vi.mocked(verify).mockClear())

const parametersOf = (passwordHash: unknown) => String(passwordHash).split('$').slice(0, 4).join('$')
const unavailable = { status: 'rejected', reason: expect.objectContaining({ kind: 'UNAVAILABLE' }) }

it('computes one hash for an account with a password, without one, and for a missing account (D11)', async () => {
  const passwords = createPasswords()
  const own = await passwords.hash('the right one')
  expect(parametersOf(own)).toBe('$argon2id$v=19$m=19456,t=2,p=1')
  const accounts = [{ password_hash: own }, { password_hash: null }, undefined]
  for (const account of accounts) {
    vi.mocked(verify).mockClear()
    expect(await passwords.findByPassword(async () => account, 'a wrong one')).toBeUndefined()
    expect(verify).toHaveBeenCalledTimes(1)
    expect(parametersOf(vi.mocked(verify).mock.calls[0]?.[0])).toBe(parametersOf(own))
  }
  expect(await passwords.findByPassword(async () => accounts[0], 'the right one')).toBe(accounts[0])
})

it('refuses logins beyond its queue without reading their accounts or hashing', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 3, waitMs: 60_000 })
  const find = vi.fn(async () => undefined)
  const logins = Array.from({ length: 20 }, () => passwords.findByPassword(find, 'password'))
  const refused = (await Promise.allSettled(logins)).filter(({ status }) => status === 'rejected')
  // One login is hashed, three wait.
  expect(refused).toEqual(Array(16).fill(unavailable))
  expect(find).toHaveBeenCalledTimes(4)
  expect(verify).toHaveBeenCalledTimes(4)
})

it('hashes nothing for requests that have waited too long', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 1000, waitMs: 100 })
  const find = vi.fn(async () => undefined)
  const logins = Array.from({ length: 200 }, () => passwords.findByPassword(find, 'password'))
  const registrations = Array.from({ length: 10 }, () => passwords.hash('password'))
  const outcomes = await Promise.allSettled([...logins, ...registrations])
  const served = outcomes.filter(({ status }) => status === 'fulfilled').length
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => unavailable))
  expect(served).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(50)
  expect(find).toHaveBeenCalledTimes(served)
  await expect(passwords.hash('password')).resolves.toMatch(/^\$argon2id/)
})

it('lets waiting logins go before many passwords, which wait as long as it takes', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 3, waitMs: 60_000 })
  const done: string[] = []
  const hashMany = (name: string) =>
    passwords
      .hashAmongMany('password', () => true)
      .then((hashed) => done.push(`${name} ${hashed.slice(0, 9)}`))
  const many = Array.from({ length: 8 }, (_, i) => hashMany(`${i}`))
  await many[0]
  // The second one is being hashed.
  const logins = [1, 2, 3].map((i) =>
    passwords.findByPassword(async () => undefined, 'password').then(() => done.push(`login ${i}`)),
  )
  await Promise.all([...many, ...logins])
  const names = done.map((line) => line.replace(' $argon2id', ''))
  expect(names).toEqual(['0', '1', 'login 1', 'login 2', 'login 3', '2', '3', '4', '5', '6', '7'])
})

it('refuses no login because of many passwords, and hashes none that nobody wants', async () => {
  const passwords = createPasswords({ inFlight: 2, waiting: 5, waitMs: 60_000 })
  vi.mocked(hash).mockClear()
  let isWanted = true
  const many = Array.from({ length: 30 }, () => passwords.hashAmongMany('password', () => isWanted))
  const settled = Promise.allSettled(many)
  const login = () => passwords.findByPassword(async () => undefined, 'password')
  expect(await Promise.all(Array.from({ length: 5 }, login))).toHaveLength(5)
  isWanted = false
  const refused = (await settled).filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => unavailable))
  expect(refused.length).toBeGreaterThan(10)
  expect(hash).toHaveBeenCalledTimes(30 - refused.length)
})

it('leaves a core to the service, and one of libuv’s four threads to the compression of lists', () => {
  expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 3, 3])
  expect(hashesAtOnce(1000) + CONCURRENT_COMPRESSIONS).toBeLessThanOrEqual(4)
})
