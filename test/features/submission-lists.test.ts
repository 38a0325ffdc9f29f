import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, getOf, register } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { serviceWithProblem } from '../support/judging.ts'

const judging = await serviceWithProblem()
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
    const { test_case_results: results, judging: number, attempt, ...record } = await judging.readRecord(id)
    expect([number, attempt]).toEqual([1, 1])
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
    const setTime = unprepared('update submissions set submit_time = $2 where submissions.user_id = $1')
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
})

/** A team of `members`, the first of whom makes it. */
async function makeTeam(
  eventId: number,
  name: string,
  [first, ...others]: [Person, ...Person[]],
): Promise<string> {
  const url = `/v1/events/${eventId}/teams`
  const made = await judging.service.send({ method: 'POST', url, token: first.token, body: { name } })
  expect(made.status, made.text).toBe(201)
  const id: string = made.body.team_id
  for (const { token } of others) {
    expect((await judging.service.send({ method: 'POST', url: `${url}/${id}/join`, token })).status).toBe(201)
  }
  return id
}
const person = () => judging.service.createPerson()
const { stranger, admin } = judging
const [owner, alice, bob] = [await person(), await person(), await person()]
const people = { owner, alice, bob, carol: await person(), registered: await person(), stranger, admin }
const problems = [{ problem_id: judging.problem.id }]
const event = await createContest(judging, problems, { teams: true, user_id: owner.id })
const team = await makeTeam(event, 'One', [alice, bob])
await makeTeam(event, 'Two', [people.carol])
await register(judging, event, people.registered)
const madeInContest: { id: string; by: string }[] = []
for (const by of ['alice', 'bob', 'carol', 'alice', 'owner', 'admin'] as const) {
  madeInContest.push({ id: await judging.submit(people[by], { event_id: event }), by })
}
const submitted = madeInContest.toReversed()
for (const { id } of madeInContest.slice(0, 3)) {
  const [failed_test_case_id] = judging.problem.cases
  const verdict = { status: 'WRONG_ANSWER', stdout: 'printed', stderr: 'complained', time_elapsed: 0.5 }
  await judging.patch(id, { ...verdict, failed_test_case_id })
}
// What must never be listed: the same people outside the contest and in another one.
const otherContest = await createContest(judging, problems, { teams: true })
for (const by of [alice, bob, owner]) {
  await judging.submit(by)
  await judging.submit(by, { event_id: otherContest })
}

type Caller = keyof typeof people | 'judge'
const tokenOf = (caller: Caller) => (caller === 'judge' ? judging.service.judgeToken : people[caller].token)
const list = (caller: Caller, query = '', eventId = event): Promise<TestResponse> =>
  getOf(judging, eventId, `submissions${query}`, tokenOf(caller))
const idsOf = (...names: string[]) => submitted.filter(({ by }) => names.includes(by)).map(({ id }) => id)
const forbidden = { status: 403, body: { code: 'FORBIDDEN' } }

describe('the submissions of a contest', () => {
  it.each(['owner', 'judge', 'admin'] as const)(
    'are all listed to %s, newest first, of this contest only [GET /v1/events/{id}/submissions] [Filter: none]',
    async (caller) => {
      const answer = await list(caller)
      expect(answer.status).toBe(200)
      expect(ids(answer)).toEqual(submitted.map(({ id }) => id))
      for (const item of answer.body) expect(item.event_id).toBe(event)
    },
  )

  it.each(['alice', 'registered', 'stranger'] as const)(
    'are not listed to %s without a filter (403) [Filter: none]',
    async (caller) => {
      expect(await list(caller)).toMatchObject(forbidden)
      expect(await list(caller, '?limit=1')).toMatchObject(forbidden)
    },
  )

  it.each(['alice', 'admin'] as const)(
    'of one user are listed to that user and to admins: %s [Filter: user]',
    async (caller) => {
      for (const id of [people.alice.id, people.alice.id.toUpperCase()]) {
        const answer = await list(caller, `?user=${id}`)
        expect(answer.status).toBe(200)
        expect(ids(answer)).toEqual(idsOf('alice'))
      }
    },
  )

  it.each(['bob', 'owner', 'judge', 'stranger', 'carol'] as const)(
    'of one user are not listed to %s, also of a user whom there is not (403) [Filter: user]',
    async (caller) => {
      expect(await list(caller, `?user=${people.alice.id}`)).toMatchObject(forbidden)
      expect(await list(caller, `?user=${NOBODY}`)).toMatchObject(forbidden)
    },
  )

  it('of a user who has made none are an empty list', async () => {
    expect(await list('stranger', `?user=${people.stranger.id}`)).toMatchObject({ status: 200, text: '[]' })
    expect(await list('admin', `?user=${NOBODY}`)).toMatchObject({ status: 200, text: '[]' })
  })

  it.each(['alice', 'bob', 'judge', 'admin'] as const)(
    'of one team are listed to its members, judges and admins: %s [Filter: team]',
    async (caller) => {
      for (const id of [team, team.toUpperCase()]) {
        const answer = await list(caller, `?team=${id}`)
        expect(answer.status).toBe(200)
        expect(ids(answer)).toEqual(idsOf('alice', 'bob'))
      }
    },
  )

  it.each(['carol', 'owner', 'registered', 'stranger'] as const)(
    'of one team are not listed to %s (403) [Filter: team]',
    async (caller) => {
      expect(await list(caller, `?team=${team}`)).toMatchObject(forbidden)
    },
  )

  it('of one team are those that its members made before they joined too', async () => {
    const contest = await createContest(judging, [{ problem_id: judging.problem.id }], { teams: true })
    const late = await judging.service.createPerson()
    const id = await judging.submit(late, { event_id: contest })
    const joined = await makeTeam(contest, 'One', [people.alice, late])
    expect(ids(await list('alice', `?team=${joined}`, contest))).toEqual([id])
  })
})

describe('a filter that does not fit', () => {
  it('is refused when both are given (400), whoever asks', async () => {
    for (const caller of ['admin', 'alice', 'stranger'] as const) {
      const answer = await list(caller, `?user=${people.alice.id}&team=${team}`)
      expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
    }
  })

  it('is refused when the event has no teams, whoever asks (400)', async () => {
    const teamless = await createContest(judging, [{ problem_id: judging.problem.id }])
    for (const caller of ['admin', 'judge', 'alice'] as const) {
      for (const id of [team, NOBODY]) {
        const answer = await list(caller, `?team=${id}`, teamless)
        expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
        expect(answer.body.error).toContain('team')
      }
    }
  })

  it('finds no team of another event, and none that is not there, to nobody (404)', async () => {
    const other = await createContest(judging, [{ problem_id: judging.problem.id }], { teams: true })
    const foreign = await makeTeam(other, 'One', [people.alice])
    for (const caller of ['admin', 'judge', 'alice', 'stranger'] as const) {
      for (const id of [foreign, NOBODY]) {
        expect(await list(caller, `?team=${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      }
    }
  })

  it('finds no event that is not there, nor a deleted one (404), and is none for what is no id (400)', async () => {
    const gone = await createContest(judging, [{ problem_id: judging.problem.id }], { teams: true })
    const its = await makeTeam(gone, 'One', [people.alice])
    await asAdmin(judging, 'DELETE', `/v1/events/${gone}`)
    for (const id of [gone, 2_147_483_647]) {
      for (const query of ['', `?user=${people.alice.id}`, `?team=${its}`]) {
        const answer = await list('admin', query, id)
        expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such event' } })
      }
    }
    expect(await list('admin', '', 2 ** 31)).toMatchObject({ status: 400 })
  })

  it('needs a token (401)', async () => {
    const answer = await judging.service.send({ method: 'GET', url: `/v1/events/${event}/submissions` })
    expect(answer).toMatchObject({ status: 401 })
  })
})

describe('what is listed of a submission', () => {
  const withheld = ['source_code', 'stdout', 'stderr']

  /** The record without what judges alone read, without results and without what is withheld. */
  async function redact(id: string) {
    const {
      judging: number,
      attempt,
      test_case_results,
      source_code,
      stdout,
      stderr,
      ...rest
    } = await judging.readRecord(id)
    return rest
  }

  it.each([
    ['judge', '', []],
    ['admin', '', ['admin']],
    ['owner', '', ['owner']],
    ['admin', 'user', []],
    ['judge', 'team', []],
    ['admin', 'team', []],
    ['bob', 'team', ['bob']],
    ['alice', 'team', ['alice']],
  ] as const)(
    'shows %s (by %j) source code and outputs of their own submissions only, in every role [Filter: redaction]',
    async (caller, filter, own) => {
      const filters = { '': '', user: `?user=${people.alice.id}`, team: `?team=${team}` }
      const { body } = await list(caller, filters[filter])
      expect(body.length).toBeGreaterThan(1)
      for (const item of body) {
        const { by } = submitted.find(({ id }) => id === item.id) ?? {}
        if (own.some((name) => name === by))
          expect(Object.keys(item)).toEqual(expect.arrayContaining(withheld))
        else {
          expect(item).toEqual(await redact(item.id))
          for (const key of withheld) expect(item).not.toHaveProperty(key)
        }
      }
    },
  )

  it('keeps status, timing and verdict of others’ submissions [Filter: redaction]', async () => {
    const { body } = await list('bob', `?team=${team}`)
    const [first] = body.filter(({ user }: { user: Person }) => user.id === people.alice.id).toReversed()
    expect(first).toMatchObject({
      status: 'WRONG_ANSWER',
      time_elapsed: 0.5,
      submit_time: expect.stringMatching(/Z$/),
      failed_test_case_id: judging.problem.cases[0],
    })
  })

  it('is the full record, without results, of one’s own, to the user and by team [Filter: redaction]', async () => {
    for (const query of [`?user=${people.bob.id}`, `?team=${team}`]) {
      const [id = ''] = idsOf('bob')
      const { judging: number, attempt, test_case_results, ...record } = await judging.readRecord(id)
      const { body } = await list('bob', query)
      const item = body.find((candidate: { id: string }) => candidate.id === id)
      expect(item).toEqual(record)
      expect(item).toMatchObject({ stdout: 'printed', stderr: 'complained', source_code: 'console.log(42)' })
    }
  })

  it('names a deleted user as such, and nothing else of them', async () => {
    const contest = await createContest(judging, [{ problem_id: judging.problem.id }])
    const gone = await judging.service.createPerson()
    await judging.submit(gone, { event_id: contest })
    await judging.service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    const answer = await list('admin', '', contest)
    expect(answer.body).toMatchObject([{ user: { id: gone.id, name: 'Deleted user', email: '', image: '' } }])
    expect(answer.text).not.toContain(gone.name)
  })
})

describe('the pages', () => {
  it.each([
    ['admin', ''],
    ['alice', 'user'],
    ['alice', 'team'],
  ] as const)(
    'that %s reads (by %j) are the whole list, piece by piece, and keep the filter',
    async (caller, filter) => {
      const filters = { '': '', user: `user=${people.alice.id}`, team: `team=${team}` }
      const whole = await list(caller, `?${filters[filter]}`)
      expect(whole.headers).not.toHaveProperty('link')
      for (const limit of [1, 2, 1000]) {
        const pages: TestResponse['body'][] = []
        let next: string | undefined = `/v1/events/${event}/submissions?${filters[filter]}&limit=${limit}`
        while (next !== undefined) {
          const answer = await judging.service.send({ method: 'GET', url: next, token: tokenOf(caller) })
          expect(answer.status, next).toBe(200)
          pages.push(answer.body)
          next = answer.headers.link?.match(/^<(.+)>; rel="next"$/)?.[1]
        }
        expect(pages.flat()).toEqual(whole.body)
        expect(pages).toHaveLength(Math.ceil(whole.body.length / limit))
      }
    },
  )

  it('refuse a cursor that is not theirs (400)', async () => {
    for (const after of ['x', 'WyIxIl0', Buffer.from('["1","2"]').toString('base64url')]) {
      expect(await list('admin', `?after=${after}`)).toMatchObject({ status: 400 })
    }
  })
})
