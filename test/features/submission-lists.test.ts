import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { TestResponse } from '../support/app.ts'
import { NOBODY, openJudging } from './judging-support.ts'

const judging = await openJudging()
const author = await judging.service.createPerson()
const other = await judging.createProblem({ title: 'Other' })
const made: string[] = []
for (const problem of [judging.problem, other, judging.problem, other, judging.problem]) {
  made.push(await judging.submit(author, { problem_id: problem.id }))
}
const newestFirst = made.toReversed()
await judging.submit(judging.stranger)

const get = (url: string, token: string) => judging.service.send({ method: 'GET', url, token })
const ids = ({ body }: TestResponse): string[] => body.map(({ id }: { id: string }) => id)
const ofUser = (id: string, query = '') => `/v1/user_submissions/${id}${query}`
const ofProblem = (id: string, problemId: number | string, query = '') =>
  `/v1/user_problem_submissions/${id}/${problemId}${query}`

/** Follows the Link headers from `url` on to their end. */
async function readPages(url: string, token: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = url; next !== undefined; ) {
    const answer = await get(next, token)
    expect(answer.status, next).toBe(200)
    pages.push(ids(answer))
    next = answer.headers.link?.match(/^<(.+)>; rel="next"$/)?.[1]
  }
  return pages
}

describe('the list of a user’s submissions', () => {
  it('is complete, newest first, to the user and to admins [GET /v1/user_submissions/{user_id}]', async () => {
    for (const { token } of [author, judging.admin]) {
      const answer = await get(ofUser(author.id), token)
      expect(answer.status).toBe(200)
      expect(ids(answer)).toEqual(newestFirst)
      expect(answer.headers).not.toHaveProperty('link')
    }
  })

  it('has in each item the whole record but its results, also once it is graded', async () => {
    const [id = ''] = newestFirst
    const verdict = { status: 'RUNTIME_ERROR', stdout: 'o', stderr: 'e', time_elapsed: 0.5 }
    const test_case_results = [{ test_case_id: judging.problem.cases[0], passed: false }]
    await judging.patch(id, { ...verdict, test_case_results })
    const { test_case_results: results, attempt, ...record } = await judging.readRecord(id)
    expect(attempt).toBe(1)
    expect(results).toHaveLength(1)
    expect(record).toMatchObject(verdict)
    expect((await get(ofUser(author.id), author.token)).body[0]).toEqual(record)
  })

  it('is empty for a user without any', async () => {
    const nobodyYet = await judging.service.createPerson()
    expect(await get(ofUser(nobodyYet.id), nobodyYet.token)).toMatchObject({ status: 200, text: '[]' })
  })

  it('is found by the id in upper case, also by its owner', async () => {
    expect(ids(await get(ofUser(author.id.toUpperCase()), author.token))).toEqual(newestFirst)
  })

  it('is refused to other users and to judges, also for users whom there are not (403)', async () => {
    for (const token of [judging.stranger.token, judging.service.judgeToken]) {
      for (const id of [author.id, NOBODY]) {
        expect(await get(ofUser(id), token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
  })

  it('is 404 for a user whom there is not, or no more, and 400 for what is no UUID', async () => {
    const { service, admin } = judging
    const gone = await service.createPerson()
    await judging.submit(gone)
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    for (const id of [NOBODY, NIL_UUID, gone.id]) {
      const answer = await get(ofUser(id), admin.token)
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such user' } })
    }
    expect(await get(ofUser('me'), admin.token)).toMatchObject({ status: 400 })
  })
})

describe('the list of a user’s attempts on a problem', () => {
  it('has those on that problem only, newest first, to the user and to admins [GET /v1/user_problem_submissions/{user_id}/{problem_id}]', async () => {
    const [a, b, c, d, e] = newestFirst
    for (const { token } of [author, judging.admin]) {
      expect(ids(await get(ofProblem(author.id, judging.problem.id), token))).toEqual([a, c, e])
      expect(ids(await get(ofProblem(author.id, other.id), token))).toEqual([b, d])
    }
  })

  it('has the same items as the list of all', async () => {
    const all = await get(ofUser(author.id), author.token)
    const attempts = await get(ofProblem(author.id, other.id), author.token)
    expect(attempts.body[0]).toEqual(all.body[1])
  })

  it('is empty where the user has not tried a problem that can be seen', async () => {
    const { id } = await judging.createProblem()
    expect(await get(ofProblem(author.id, id), author.token)).toMatchObject({ status: 200, text: '[]' })
  })

  it('is 404 for a problem that there is not or that the user may not see, but for one’s own attempts', async () => {
    const hidden = await judging.createProblem({ public: false })
    for (const id of [2_147_483_647, hidden.id]) {
      const answer = await get(ofProblem(author.id, id), author.token)
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such user or problem' } })
    }
    expect((await get(ofProblem(author.id, hidden.id), judging.admin.token)).status).toBe(200)
    const { service, admin } = judging
    const person = await service.createPerson()
    const tried = await judging.createProblem()
    const attempt = await judging.submit(person, { problem_id: tried.id })
    const url = `/v1/admin/problems/${tried.id}/toggle-visibility`
    await service.send({ method: 'PUT', url, token: admin.token })
    expect(ids(await get(ofProblem(person.id, tried.id), person.token))).toEqual([attempt])
  })

  it('is refused to others (403), 404 for an unknown user, 400 for what is no id', async () => {
    const { admin, stranger, problem } = judging
    expect(await get(ofProblem(author.id, problem.id), stranger.token)).toMatchObject({ status: 403 })
    expect(await get(ofProblem(author.id, problem.id), judging.service.judgeToken)).toMatchObject({
      status: 403,
    })
    expect(await get(ofProblem(NOBODY, problem.id), admin.token)).toMatchObject({ status: 404 })
    for (const id of ['x', '1.5', '1e1', '-1', '2147483648', '']) {
      expect(await get(ofProblem(author.id, id), author.token), id).toMatchObject({ status: 400 })
    }
    expect(await get(ofProblem('x', problem.id), admin.token)).toMatchObject({ status: 400 })
  })
})

describe('the pages of a list', () => {
  it.each([1, 2, 3, 1000])(
    'of %i items each are together the whole list, the last without a Link',
    async (limit) => {
      const pages = await readPages(ofUser(author.id, `?limit=${limit}`), author.token)
      expect(pages.flat()).toEqual(newestFirst)
      expect(pages.map((page) => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => limit))
    },
  )

  it('are those of the problem where it is the list of a problem', async () => {
    const pages = await readPages(ofProblem(author.id, other.id, '?limit=1'), author.token)
    expect(pages.map((page) => page.length)).toEqual([1, 1])
  })

  it('keep their place when something newer comes in between', async () => {
    const busy = await judging.service.createPerson()
    const [oldest, older, old] = [
      await judging.submit(busy),
      await judging.submit(busy),
      await judging.submit(busy),
    ]
    const first = await get(ofUser(busy.id, '?limit=1'), busy.token)
    expect(ids(first)).toEqual([old])
    await judging.submit(busy)
    const next = first.headers.link?.slice(1, first.headers.link.indexOf('>')) ?? ''
    expect((await readPages(next, busy.token)).flat()).toEqual([older, oldest])
  })

  it('are told apart by id where many were submitted at the same instant', async () => {
    const busy = await judging.service.createPerson()
    for (let i = 0; i < 5; i++) await judging.submit(busy)
    const at = '2026-04-01T18:00:00.123456Z'
    const setTime = statement('', 'update submissions set submit_time = $2 where submissions.user_id = $1')
    await judging.service.database.query(setTime, [busy.id, at])
    const whole = ids(await get(ofUser(busy.id), busy.token))
    expect(new Set(whole).size).toBe(5)
    expect((await readPages(ofUser(busy.id, '?limit=2'), busy.token)).flat()).toEqual(whole)
  })

  it('after a cursor without a limit are all the rest', async () => {
    const first = await get(ofUser(author.id, '?limit=2&other=1'), author.token)
    const cursor = /after=([^&>]+)/.exec(first.headers.link ?? '')?.[1]
    const rest = await get(ofUser(author.id, `?after=${cursor}`), author.token)
    expect(ids(rest)).toEqual(newestFirst.slice(2))
    expect(rest.headers).not.toHaveProperty('link')
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=1&limit=2',
    'after=x',
    'after=',
    'after=WzEsMl0',
  ])('are refused with ?%s (400)', async (query) => {
    const answer = await get(ofUser(author.id, `?${query}`), author.token)
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
    expect(answer.body.error).toMatch(/^(limit|after) must/)
  })
})
