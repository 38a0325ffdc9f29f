import { beforeEach, describe, expect, it } from 'vitest'
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
})
