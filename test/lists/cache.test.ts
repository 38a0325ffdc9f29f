import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/db/database.ts'
import { AppError } from '../../src/http/routing/errors.ts'
import { type BuiltList, ListCache } from '../../src/lists/cache.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { observeStatements } from '../support/observed-statements.ts'
import { gate } from '../support/queue.ts'

function listOf(version: string, audience = 'all', size = 10): BuiltList {
  return { version, audience, body: Buffer.alloc(size, version), next: null }
}

const wanted = (version: string, { request = 'r', audience = 'all' } = {}) => ({ request, audience, version })

describe('the list cache', () => {
  it('lets others build while a caller waits for its turn', async () => {
    const lists = new ListCache()
    const turn = gate()
    const build = vi.fn(async () => listOf('1'))
    const waiting = lists.read(wanted('1'), build, () => turn.passed)
    const built = await lists.read(wanted('1'), build)
    turn.open()
    expect(await waiting).toBe(built)
    expect(build).toHaveBeenCalledTimes(1)
  })

  it('drops the least recently used lists when it is full, and keeps none that is larger than itself', async () => {
    const lists = new ListCache(100_000)
    const read = (request: string, size: number) =>
      lists.read(wanted('1', { request }), async () => listOf('1', 'all', size))
    const [a, b] = [await read('a', 30_000), await read('b', 30_000)]
    expect([await read('a', 1), await read('b', 1)]).toEqual([a, b])
    const c = await read('c', 30_000)
    expect([await read('c', 1), await read('b', 1)]).toEqual([c, b])
    expect(await read('a', 1)).not.toBe(a)
    const large = await read('large', 100_001)
    expect(await read('large', 1)).not.toBe(large)
  })

  it('counts the memory of an entry, however short its list is', async () => {
    const lists = new ListCache(1_000_000)
    const build = vi.fn(async () => listOf('1', 'all', 2))
    for (let n = 0; n < 400; n += 1) await lists.read(wanted('1', { request: `r${n % 200}` }), build)
    expect(build).toHaveBeenCalledTimes(400)
  })
})

it.each([new DatabaseUnavailable('away'), new Error('a fault')])(
  'a failed build with %o fails all waiting requests, and the next request tries again',
  async (failure) => {
    const lists = new ListCache()
    const held = gate()
    const build = vi.fn(() => held.passed.then(() => Promise.reject(failure)))
    const reads = [1, 2, 3].map(() => lists.read(wanted('1'), build))
    held.open()
    for (const { status } of await Promise.allSettled(reads)) expect(status).toBe('rejected')
    expect(build).toHaveBeenCalledTimes(1)
    expect((await lists.read(wanted('1'), async () => listOf('1'))).version).toBe('1')
  },
)

describe('in any order of changes, requests and builds', () => {
  type Step = 'change' | 'ask' | 'ask as another' | 'pass'
  const steps = fc.array(fc.constantFrom<Step>('change', 'ask', 'ask', 'ask as another', 'pass'), {
    maxLength: 60,
  })
  const outcomes = fc.constantFrom('built', 'built', 'built', 'another audience', 'refused')

  it('each request gets its audience’s list with all earlier changes, from one build at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.infiniteStream(fc.nat(3)),
        fc.infiniteStream(outcomes),
        async (taken, delays, results) => {
          const lists = new ListCache()
          let version = 0
          const running = new Set<string>()
          const rest = async () => {
            for (let left = delays.next().value ?? 0; left > 0; left -= 1) await Promise.resolve()
          }
          const buildFor = (audience: string, own: { outcome: string }) => async () => {
            expect(running).not.toContain(audience)
            running.add(audience)
            own.outcome = results.next().value ?? 'built'
            await rest()
            const shown = listOf(String(version), own.outcome === 'another audience' ? 'changed' : audience)
            await rest()
            running.delete(audience)
            if (own.outcome === 'refused') throw new AppError('ACCOUNT_DELETED', 'gone')
            return shown
          }
          const ask = async (audience: string) => {
            const own = { outcome: 'not built' }
            const asked = version
            const reading = lists.read(wanted(String(asked), { audience }), buildFor(audience, own))
            const shown = await reading.catch((err: unknown) => err)
            if (own.outcome === 'refused') return expect(shown).toBeInstanceOf(AppError)
            const right = own.outcome === 'another audience' ? 'changed' : audience
            expect(shown).toMatchObject({ audience: right })
            expect(Number(Object(shown).version)).toBeGreaterThanOrEqual(asked)
          }
          const reads: Promise<void>[] = []
          for (const step of taken) {
            if (step === 'change') version += 1
            if (step === 'pass') await rest()
            if (step === 'ask') reads.push(ask('all'))
            if (step === 'ask as another') reads.push(ask('another'))
          }
          await Promise.all(reads)
        },
      ),
    )
  })
})

const judging = await serviceWithProblem()
const users = await Promise.all(Array.from({ length: 8 }, () => judging.service.createPerson()))

const runs = new Map<string, number>()

describe('a polled list', () => {
  beforeEach(() => {
    runs.clear()
    return observeStatements(judging.service.database, (name) => runs.set(name, (runs.get(name) ?? 0) + 1))
  })

  it('is built once for concurrent requests of an audience, and again only after a change', async () => {
    await judging.createProblem()
    const readAll = async () =>
      new Set(
        (await Promise.all(users.map(({ send }) => send('GET', '/v1/problems')))).map(({ text }) => text),
      )
    expect((await readAll()).size).toBe(1)
    expect((await readAll()).size).toBe(1)
    expect(runs.get('list_problems_whole')).toBe(1)
    // Requests that arrive together read the version in one statement.
    const versions = (runs.get('list_problems_version') ?? 0) + (runs.get('list_problems_version_batch') ?? 0)
    expect(versions).toBeGreaterThanOrEqual(2)
    expect(versions).toBeLessThanOrEqual(2 * users.length)
    await judging.admin.put(`/v1/problems/${judging.problem.id}`, { title: 'Another title' })
    const [text] = await readAll()
    expect(text).toContain('Another title')
    expect(runs.get('list_problems_whole')).toBe(2)
  })

  it('is not built for a client that has it', async () => {
    const [first = judging.user, second = judging.user] = users
    const { headers } = await first.send('GET', '/v1/categories')
    runs.clear()
    const tag = { 'if-none-match': headers.etag ?? '' }
    expect((await second.send('GET', '/v1/categories', undefined, tag)).status).toBe(304)
    expect(Object.fromEntries(runs)).toEqual({ list_categories_version: 1 })
  })
})
