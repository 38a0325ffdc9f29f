import { describe, expect, it } from 'vitest'
import { NOBODY, openJudging } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, getOf, register } from './contest-judging.ts'

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

const judging = await openJudging()
const person = () => judging.service.createPerson()
const { stranger, admin } = judging
const [owner, alice, bob] = [await person(), await person(), await person()]
const people = { owner, alice, bob, carol: await person(), registered: await person(), stranger, admin }
const problems = [{ problem_id: judging.problem.id }]
const event = await createContest(judging, problems, { teams: true, user_id: owner.id })
const team = await makeTeam(event, 'One', [alice, bob])
await makeTeam(event, 'Two', [people.carol])
await register(judging, event, people.registered)
const made: { id: string; by: string }[] = []
for (const by of ['alice', 'bob', 'carol', 'alice', 'owner', 'admin'] as const) {
  made.push({ id: await judging.submit(people[by], { event_id: event }), by })
}
const submitted = made.toReversed()
for (const { id } of made.slice(0, 3)) {
  const [failed_test_case_id] = judging.problem.cases
  const verdict = { status: 'WRONG_ANSWER', stdout: 'printed', stderr: 'complained', time_elapsed: 0.5 }
  await judging.patch(id, { ...verdict, failed_test_case_id })
}
// What must never be listed: the same people outside the contest and in another one.
const other = await createContest(judging, problems, { teams: true })
for (const by of [alice, bob, owner]) {
  await judging.submit(by)
  await judging.submit(by, { event_id: other })
}

type Caller = keyof typeof people | 'judge'
const tokenOf = (caller: Caller) => (caller === 'judge' ? judging.service.judgeToken : people[caller].token)
const list = (caller: Caller, query = '', eventId = event): Promise<TestResponse> =>
  getOf(judging, eventId, `submissions${query}`, tokenOf(caller))
const ids = ({ body }: TestResponse): string[] => body.map(({ id }: { id: string }) => id)
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

  it('is refused when it is no UUID, or given twice (400)', async () => {
    for (const query of ['user=me', 'team=1', 'user=', 'team=', `user=${NOBODY}&user=${NOBODY}`]) {
      expect(await list('admin', `?${query}`), query).toMatchObject({ status: 400, body: { code: '400' } })
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
    const { attempt, test_case_results, source_code, stdout, stderr, ...rest } = await judging.readRecord(id)
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
    'leaves %s (by %j) the program and its outputs of their own only, the keys of others’ absent, whatever the role [Filter: redaction]',
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
      const { attempt, test_case_results, ...record } = await judging.readRecord(id)
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
