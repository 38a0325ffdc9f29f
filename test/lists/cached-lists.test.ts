import { beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import type { Caller } from '../support/caller.ts'
import { createContest } from '../support/contests.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { observeStatements } from '../support/observed-statements.ts'

const judging = await serviceWithProblem()
const users = await Promise.all(Array.from({ length: 8 }, () => judging.service.createPerson()))

/** How often each statement has run. */
const runs = new Map<string, number>()

beforeEach(() => {
  runs.clear()
  return observeStatements(judging.service.database, (name) => runs.set(name, (runs.get(name) ?? 0) + 1))
})

const rename = (id: number, title: string) => judging.admin.put(`/v1/problems/${id}`, { title })

describe('a polled list', () => {
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
    await rename(judging.problem.id, 'Another title')
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

  it('includes everything that was stored before the request, with many readers and a writer', async () => {
    const { id } = judging.problem
    let stored = 0
    await rename(id, 'Title 0')
    const checkOne = async (user: Person) => {
      const before = stored
      const problems = await user.get('/v1/problems')
      const { title } = problems.find((problem: { id: number }) => problem.id === id)
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

  it('shows hidden problems only to those who see all, also with concurrent requests', async () => {
    const { problem, admin, service } = judging
    const { id: hiddenId } = await judging.createProblem({ public: false })
    const problems = [{ problem_id: problem.id }, { problem_id: hiddenId, hidden: true }]
    const url = `/v1/events/${await createContest(judging, problems)}`
    const count = async (by: Caller) => (await by.get(`${url}/problems_stats`)).length
    for (let round = 0; round < 5; round += 1) {
      await admin.put(url, { title: `Round ${round}` })
      const [ofAdmin, ofJudge, ...others] = await Promise.all([admin, service.judge, ...users].map(count))
      expect([ofAdmin, ofJudge]).toEqual([2, 2])
      expect(new Set(others)).toEqual(new Set([1]))
    }
  })
})
