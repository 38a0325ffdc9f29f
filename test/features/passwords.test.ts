import { hash, verify } from '@node-rs/argon2'
import { beforeEach, expect, it, vi } from 'vitest'
import { COMPRESSED_AT_ONCE } from '../../src/lists/compression.ts'

// The query loads a second copy of the module, whose argon2 is spied on.
vi.mock('@node-rs/argon2', { spy: true })
const copy = '../../src/features/accounts/passwords.ts?spied'
const { createPasswords, hashesAtOnce }: typeof import('../../src/features/accounts/passwords.ts') =
  await import(copy)
beforeEach(() => void vi.mocked(verify).mockClear())

const parametersOf = (passwordHash: unknown) => String(passwordHash).split('$').slice(0, 4).join('$')
const unavailable = expect.objectContaining({ kind: 'UNAVAILABLE' })

it('costs one hash with the same parameters whether there is an account, one without a password, or none (D11)', async () => {
  const passwords = createPasswords()
  const own = await passwords.hash('the right one')
  const accounts = [{ password_hash: own }, { password_hash: null }, undefined]
  for (const account of accounts) {
    vi.mocked(verify).mockClear()
    expect(await passwords.findByPassword(async () => account, 'a wrong one')).toBeUndefined()
    expect(verify).toHaveBeenCalledTimes(1)
    expect(parametersOf(vi.mocked(verify).mock.calls[0]?.[0])).toBe(parametersOf(own))
  }
  expect(await passwords.findByPassword(async () => accounts[0], 'the right one')).toBe(accounts[0])
  expect(parametersOf(own)).toBe('$argon2id$v=19$m=19456,t=2,p=1')
})

it('lets nobody in by the password of the hash that stands in for a missing account', async () => {
  for (const password of ['', 'nobody', 'password']) {
    expect(await createPasswords().findByPassword(async () => undefined, password)).toBeUndefined()
  }
})

it('refuses a login beyond those that may wait at once, without asking for its account or hashing', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 3, waitMs: 60_000 })
  const find = vi.fn(async () => undefined)
  const logins = Array.from({ length: 20 }, () => passwords.findByPassword(find, 'password'))
  const outcomes = await Promise.allSettled(logins)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: unavailable })))
  // One is hashed, three wait.
  expect(refused).toHaveLength(16)
  expect(find).toHaveBeenCalledTimes(4)
  expect(verify).toHaveBeenCalledTimes(4)
})

it('hashes in a flood only for those who still wait, and refuses the others before any work', async () => {
  const passwords = createPasswords({ inFlight: 1, waiting: 1000, waitMs: 100 })
  const find = vi.fn(async () => undefined)
  const startedMs = performance.now()
  const logins = Array.from({ length: 200 }, () => passwords.findByPassword(find, 'password'))
  const registrations = Array.from({ length: 10 }, () => passwords.hash('password'))
  const outcomes = await Promise.allSettled([...logins, ...registrations])
  const served = outcomes.filter(({ status }) => status === 'fulfilled').length
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toEqual(refused.map(() => ({ status: 'rejected', reason: unavailable })))
  expect(served).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(50)
  expect(find).toHaveBeenCalledTimes(served)
  // All 210 one after the other would take several seconds.
  expect(performance.now() - startedMs).toBeLessThan(2000)
  await expect(passwords.hash('password')).resolves.toMatch(/^\$argon2id/)
  expect(hash).toHaveBeenCalled()
})

it('leaves a core to the rest of the service', () => {
  expect([1, 2, 3, 4, 64].map(hashesAtOnce)).toEqual([1, 1, 2, 3, 3])
})

it('takes no more of libuv’s four threads, on whatever machine, than leave one for the compression of lists', () => {
  expect(hashesAtOnce(1000) + COMPRESSED_AT_ONCE).toBeLessThanOrEqual(4)
})
