import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/db/database.ts'
import { AppError } from '../../src/http/routing/errors.ts'
import { type BuiltList, ListCache } from '../../src/lists/cache.ts'
import type { Person } from '../support/app.ts'
import { createContest } from '../support/contests.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { createProblem } from '../support/problems.ts'
import { gate } from '../support/queue.ts'

const listOf = (version: string, audience = 'all', size = 10): BuiltList => ({
  version,
  audience,
  body: Buffer.alloc(size, version),
  next: null,
})

const wanted = (version: string, { request = 'r', audience = 'all' } = {}) => ({ request, audience, version })

const neverBuilt = () => Promise.reject(new Error('this should not have been built'))

/** A build that ends when it is told to, and says whether it has begun. */
function heldBuild() {
  const end = gate()
  let outcome: BuiltList | Error = new Error('without an outcome')
  let count = 0
  return {
    build: async () => {
      count += 1
      await end.passed
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    begun: () => count,
    end(with_: BuiltList | Error) {
      outcome = with_
      end.open()
    },
  }
}

describe('a list that was built', () => {
  it('is the same to all who want its version, and built again for another one', async () => {
    const lists = new ListCache()
    const first = await lists.read(wanted('1'), async () => listOf('1'))
    expect(await lists.read(wanted('1'), neverBuilt)).toBe(first)
    const second = await lists.read(wanted('2'), async () => listOf('2'))
    expect(second.version).toBe('2')
    expect(await lists.read(wanted('2'), neverBuilt)).toBe(second)
  })

  it('is no other request’s, and no other audience’s', async () => {
    const lists = new ListCache()
    await lists.read(wanted('1'), async () => listOf('1'))
    const others = [{ request: 'other' }, { audience: 'other' }]
    for (const other of others) {
      const built = listOf('1', other.audience)
      expect(await lists.read(wanted('1', other), async () => built)).toBe(built)
    }
  })

  it('is kept by the version that it shows, where that is newer than what was asked for', async () => {
    const lists = new ListCache()
    const newer = await lists.read(wanted('1'), async () => listOf('2'))
    expect(newer.version).toBe('2')
    expect(await lists.read(wanted('2'), neverBuilt)).toBe(newer)
  })

  it('is not kept where whoever built it had come to another audience', async () => {
    const lists = new ListCache()
    const own = listOf('1', 'insiders')
    expect(await lists.read(wanted('1'), async () => own)).toBe(own)
    const right = listOf('1')
    expect(await lists.read(wanted('1'), async () => right)).toBe(right)
    expect(
      await lists.read(wanted('1', { audience: 'insiders' }), async () => listOf('3', 'insiders')),
    ).not.toBe(own)
  })

  it('gives way to others once there are too many bytes; one that is larger than all is not kept', async () => {
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
})

it('however short the lists are, there are no more than fit: each counts for what keeping it takes', async () => {
  const lists = new ListCache(1_000_000)
  let built = 0
  const readAll = async () => {
    for (let n = 0; n < 200; n += 1) {
      await lists.read(wanted('1', { request: `r${n}` }), async () => {
        built += 1
        return listOf('1', 'all', 2)
      })
    }
  }
  await readAll()
  await readAll()
  expect(built).toBe(400)
})

describe('while a list is built', () => {
  it('all who want that version wait for it', async () => {
    const lists = new ListCache()
    const held = heldBuild()
    const answers = [1, 2, 3].map(() => lists.read(wanted('1'), held.build))
    held.end(listOf('1'))
    expect(new Set(await Promise.all(answers)).size).toBe(1)
    expect(held.begun()).toBe(1)
  })

  it('who wants a later version has the next one, which begins once this one has ended, and is one for all of them', async () => {
    const lists = new ListCache()
    const [first, second] = [heldBuild(), heldBuild()]
    const early = lists.read(wanted('1'), first.build)
    const late = ['2', '3', '4'].map((version) => lists.read(wanted(version), second.build))
    expect(second.begun()).toBe(0)
    first.end(listOf('1'))
    expect((await early).version).toBe('1')
    second.end(listOf('4'))
    expect((await Promise.all(late)).map(({ version }) => version)).toEqual(['4', '4', '4'])
    expect([first.begun(), second.begun()]).toEqual([1, 1])
  })

  it('who wants a later version has this one, where it shows that version', async () => {
    const lists = new ListCache()
    const held = heldBuild()
    const early = lists.read(wanted('1'), held.build)
    const late = lists.read(wanted('2'), neverBuilt)
    held.end(listOf('2'))
    expect(await late).toBe(await early)
  })

  it('other audiences do not wait', async () => {
    const lists = new ListCache()
    const held = heldBuild()
    const early = lists.read(wanted('1'), held.build)
    expect((await lists.read(wanted('9', { audience: 'x' }), async () => listOf('9', 'x'))).version).toBe('9')
    held.end(listOf('1'))
    await early
  })
})

describe('a build that fails', () => {
  it('by a refusal is refused to whoever built; the others build again', async () => {
    const lists = new ListCache()
    const failing = heldBuild()
    const early = lists.read(wanted('1'), failing.build)
    const late = [1, 2].map(() => lists.read(wanted('1'), async () => listOf('1')))
    failing.end(new AppError('ACCOUNT_DELETED', 'gone'))
    await expect(early).rejects.toThrow('gone')
    expect(new Set(await Promise.all(late)).size).toBe(1)
  })

  it.each([
    ['the database is away', new DatabaseUnavailable('away')],
    ['of a fault', new Error('a fault')],
  ])('because %s fails for all who wait, and is tried again by whoever comes then', async (_, failure) => {
    const lists = new ListCache()
    const failing = heldBuild()
    const answers = [1, 2, 3].map(() => lists.read(wanted('1'), failing.build))
    failing.end(failure)
    for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected')
    expect(failing.begun()).toBe(1)
    expect((await lists.read(wanted('1'), async () => listOf('1'))).version).toBe('1')
  })

  it('for another audience is shown to nobody but whoever built it', async () => {
    const lists = new ListCache()
    const held = heldBuild()
    const early = lists.read(wanted('1'), held.build)
    const late = lists.read(wanted('1'), async () => listOf('1'))
    held.end(listOf('1', 'insiders'))
    expect((await early).audience).toBe('insiders')
    expect((await late).audience).toBe('all')
  })
})

describe('in any order of changes, requests and builds', () => {
  type Step = 'change' | 'ask' | 'ask as another' | 'pass'
  const steps = fc.array(fc.constantFrom<Step>('change', 'ask', 'ask', 'ask as another', 'pass'), {
    maxLength: 60,
  })
  const outcomes = fc.constantFrom('built', 'built', 'built', 'another audience', 'refused')

  it('nobody is shown less than there was when they asked, nor another’s list, and no two builds of one run at once', async () => {
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
            const answer = lists.read(wanted(String(asked), { audience }), buildFor(audience, own))
            const shown = await answer.catch((err: unknown) => err)
            if (own.outcome === 'refused') return expect(shown).toBeInstanceOf(AppError)
            const right = own.outcome === 'another audience' ? 'changed' : audience
            expect(shown).toMatchObject({ audience: right })
            expect(Number(Object(shown).version)).toBeGreaterThanOrEqual(asked)
          }
          const answers: Promise<void>[] = []
          for (const step of taken) {
            if (step === 'change') version += 1
            if (step === 'pass') await rest()
            if (step === 'ask') answers.push(ask('all'))
            if (step === 'ask as another') answers.push(ask('another'))
          }
          await Promise.all(answers)
        },
      ),
    )
  })
})

const judging = await serviceWithProblem()
const users = await Promise.all(Array.from({ length: 8 }, () => judging.service.createPerson()))

/** How often the database has been asked each statement. */
const asked = new Map<string, number>()

beforeEach(() => {
  asked.clear()
  const { database } = judging.service
  const query = database.query.bind(database)
  const spy = vi.spyOn(database, 'query').mockImplementation((statement, ...values) => {
    asked.set(statement.name, (asked.get(statement.name) ?? 0) + 1)
    return query(statement, ...values)
  })
  return () => spy.mockRestore()
})

const read = (url: string, { token }: { token: string }, headers: Record<string, string> = {}) =>
  judging.service.send({ method: 'GET', url, token, headers })

const rename = (id: number, title: string) =>
  judging.service.send({
    method: 'PUT',
    url: `/v1/problems/${id}`,
    token: judging.admin.token,
    body: { title },
  })

describe('a list that is polled', () => {
  it('is built once for all of an audience who ask at the same instant, and not again until it changes', async () => {
    const { service, admin, problem } = judging
    await createProblem(service, admin, { public: true })
    const ask = async () =>
      new Set((await Promise.all(users.map((user) => read('/v1/problems', user)))).map(({ text }) => text))
    expect((await ask()).size).toBe(1)
    expect((await ask()).size).toBe(1)
    expect(asked.get('list_problems_whole')).toBe(1)
    expect(asked.get('list_problems_version')).toBe(2 * users.length)
    await rename(problem.id, 'Another title')
    const [text] = await ask()
    expect(text).toContain('Another title')
    expect(asked.get('list_problems_whole')).toBe(2)
  })

  it('is not built for whoever knows it', async () => {
    const [first = judging.user, second = judging.user] = users
    const { headers } = await read('/v1/categories', first)
    const tag = { 'if-none-match': headers.etag ?? '' }
    asked.clear()
    expect((await read('/v1/categories', second, tag)).status).toBe(304)
    expect(Object.fromEntries(asked)).toEqual({ list_categories_version: 1 })
  })

  it('shows everybody whatever was stored before they asked, however many ask and write at the same time', async () => {
    const { id } = judging.problem
    let stored = 0
    await rename(id, 'Title 0')
    const checkOne = async (user: Person) => {
      const before = stored
      const { body } = await read('/v1/problems', user)
      const { title } = body.find((problem: { id: number }) => problem.id === id)
      expect(Number(title.slice('Title '.length))).toBeGreaterThanOrEqual(before)
    }
    const writing = (async () => {
      for (let n = 1; n <= 25; n += 1) {
        await rename(id, `Title ${n}`)
        stored = n
      }
    })()
    const polling = users.map(async (user) => {
      for (let n = 0; n < 12; n += 1) await checkOne(user)
    })
    await Promise.all([writing, ...polling])
    expect(stored).toBe(25)
  })

  it('shows a problem that is hidden to those only who see all, however the requests come together', async () => {
    const { problem, admin, service } = judging
    const { id: hiddenId } = await judging.createProblem({ public: false })
    const eventId = await createContest(judging, [
      { problem_id: problem.id },
      { problem_id: hiddenId, hidden: true },
    ])
    const seers = [admin, { token: service.judgeToken }]
    for (let round = 0; round < 5; round += 1) {
      await judging.service.send({
        method: 'PUT',
        url: `/v1/events/${eventId}`,
        token: admin.token,
        body: { title: `Round ${round}` },
      })
      const answers = await Promise.all(
        [...seers, ...users].map(async (by) => ({
          seesAll: seers.includes(by),
          shown: (await read(`/v1/events/${eventId}/problems_stats`, by)).body.length,
        })),
      )
      for (const { seesAll, shown } of answers) expect(shown).toBe(seesAll ? 2 : 1)
    }
  })
})
