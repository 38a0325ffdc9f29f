import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createContest } from '../contests/contest-judging.ts'
import { openJudging } from '../features/judging-support.ts'
import { createProblem } from '../features/problems-support.ts'
import type { Person } from '../support/app.ts'

const judging = await openJudging()
const users = await Promise.all(Array.from({ length: 8 }, () => judging.service.createPerson()))

/** How often the database has been asked each statement. */
const asked = new Map<string, number>()

beforeEach(() => {
  asked.clear()
  const { database } = judging.service
  const query = database.query.bind(database)
  const spy = vi.spyOn(database, 'query').mockImplementation((statement, values) => {
    asked.set(statement.name, (asked.get(statement.name) ?? 0) + 1)
    return query(statement, values)
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
