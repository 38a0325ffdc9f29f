import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { type Caller, callerOf } from '../support/caller.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { decisionsOf, decisionUrl } from '../support/decisions.ts'
import { forbidden, notFound } from '../support/refusals.ts'
import { storeSubmission } from '../support/standings.ts'
import { listUrls } from './walk.ts'

const contests = await serviceWithContests()
const { service, admin, stranger, problem } = contests
const { request, judgeAll, shadowsOf } = decisionsOf(contests)
const other = await contests.createProblem()
const beside = await service.openBeside()

/** The author of the frozen submissions, a team mate, and a participant of another team. */
const author = await service.createPerson()
const mate = await service.createPerson()
const rival = await service.createPerson()
/** They are not in the standings. */
const tester = await service.createPerson()
const removed = await service.createPerson()

const problems = [{ problem_id: problem.id }, { problem_id: other.id }]
const times = { start_time: isoIn(-180), end_time: isoIn(-1), freeze_time: isoIn(-90) }
const eventId = await createContest(contests, problems, { ...times, teams: true, scoreboard: 'public' })
const url = `/v1/events/${eventId}`
const { team_id } = await author.post(`${url}/teams`, { name: 'Us' })
await mate.post(`${url}/teams/${team_id}/join`)
await rival.post(`${url}/teams`, { name: 'Them' })
const { id: questionId } = await rival.post(`${url}/questions`, { question: 'Why?' })

const submissions: string[] = []
async function store(person: Person, problem_id: number, minute: number, status: string): Promise<string> {
  const id = uuidv7()
  await storeSubmission(service, eventId, { id, user_id: person.id, problem_id, minute, status })
  submissions.push(id)
  return id
}
await store(author, problem.id, 30, 'WRONG_ANSWER')
await store(rival, other.id, 40, 'ACCEPTED')
await store(mate, problem.id, 100, 'PENDING')
const frozen = [
  await store(author, problem.id, 95, 'PENDING'),
  await store(author, problem.id, 100, 'WRONG_ANSWER'),
  await store(author, other.id, 120, 'ACCEPTED'),
  await store(tester, other.id, 121, 'PENDING'),
  await store(removed, other.id, 122, 'PENDING'),
]
await admin.put(`${url}/participants/${tester.id}`, { hidden: true })
await admin.put(`${url}/participants/${removed.id}`, { hidden: false })
await admin.delete(`${url}/participants/${removed.id}`)
// The cells were counted for another end and another start.
await admin.put(url, { start_time: isoIn(-190), end_time: isoIn(-0.5) })

const urls = await listUrls({
  contests,
  ids: {
    ...{ event_id: [eventId], user_id: [author.id, mate.id, rival.id], submission_id: submissions },
    ...{ user: [author.id, mate.id, rival.id], team: [team_id], team_id: [team_id], by: ['user', 'team'] },
    ...{ problem_id: problems.map(({ problem_id }) => problem_id), test_case_id: problem.cases },
    event_problem_id: [...(await contests.eventProblemIds(eventId)).values()],
    ...{
      question_id: [questionId],
      run_id: [],
      rejudging_id: [],
      decision_id: [],
      verification_id: [],
      name: ['x'],
    },
    ...{ title: ['Contest'], username: ['-'], query: ['x'], limit: [1] },
  },
})

/** The time of the service, its state, and the document: they tell nothing of a submission. */
const UNRELATED = /^\/(ready|openapi\.json)|\/clock$/

/** All routes that others may read; for the author those of the contest, without the own status. */
const routesOf = (caller: Caller) =>
  [...urls]
    .filter(([route]) => !UNRELATED.test(route))
    .filter(
      ([route]) =>
        caller !== author || (route.startsWith('/v1/events/') && !route.endsWith('/user_problem_status')),
    )
    .flatMap(([, ofRoute]) => ofRoute)

/** What a caller reads from all routes: status, bytes, tag and cursor, by the URL. */
async function readAll(caller: Caller): Promise<Map<string, string>> {
  const read = new Map<string, string>()
  for (const one of routesOf(caller)) {
    const { status, text, headers } = await caller.send('GET', one)
    expect(status, one).toBeLessThan(500)
    read.set(one, [status, headers.etag, headers.link, headers['content-length'], text].join('\n'))
  }
  return read
}

const readers: [string, Caller][] = [
  ...Object.entries({ stranger, author, mate, rival, anonymous: service.anonymous }),
]

async function readAllReaders(): Promise<Map<string, Map<string, string>>> {
  const all = new Map<string, Map<string, string>>()
  for (const [name, caller] of readers) all.set(name, await readAll(caller))
  return all
}

/** Lists as they are built now, without the list cache, equal those of the service. */
async function expectBuiltAlike(): Promise<void> {
  for (const { token } of [stranger, mate, rival]) {
    const built = callerOf(beside, token)
    for (const path of PATHS) {
      const [cached, uncached] = [
        await service.as(token).send('GET', `${url}/${path}`),
        await built.send('GET', `${url}/${path}`),
      ]
      expect([uncached.headers.etag, uncached.text]).toEqual([cached.headers.etag, cached.text])
    }
  }
}

const PATHS = ['standings', 'standings.csv', 'standings?by=team', 'attempts', 'problems_stats']

describe('verdicts since the freeze (P23)', () => {
  it('change no byte and no entity tag of any response to others, nor to their author in the contest', async () => {
    const before = await readAllReaders()
    const statuses = ['ACCEPTED', 'COMPILE_TIME_ERROR', 'WRONG_ANSWER', 'ACCEPTED', 'ACCEPTED']
    for (const [place, id] of frozen.entries()) {
      const verdict = { status: statuses[place], stdout: 'frozen output', stderr: 'x', time_elapsed: 1.5 }
      await service.judge.patch(`/v1/submissions/${id}`, verdict)
    }
    for (const [name, caller] of readers) expect(await readAll(caller), name).toEqual(before.get(name))
    await expectBuiltAlike()
  })

  it('change nothing either if a rejudging gives them (P24): not its request, verdicts or application', async () => {
    const before = await readAllReaders()
    const expectUnchanged = async () => {
      for (const [name, caller] of readers) expect(await readAll(caller), name).toEqual(before.get(name))
    }
    const id = await request({ event_id: eventId, submission_ids: frozen })
    await expectUnchanged()
    const [first, , third] = frozen
    const isRight = (one: string) => one === first || one === third
    await judgeAll(id, new Map(frozen.map((one) => [one, isRight(one) ? 'ACCEPTED' : 'RUNTIME_ERROR'])))
    const rank_changes = [
      { event_id: eventId, user_id: rival.id, from_rank: 1, to_rank: 2 },
      { event_id: eventId, user_id: author.id, from_rank: 2, to_rank: 1 },
    ]
    expect(await admin.get(decisionUrl(id))).toMatchObject({ changed: 4, unchanged: 1, rank_changes })
    await expectUnchanged()
    await admin.post(decisionUrl(id, '/apply'), undefined, 200)
    await expectUnchanged()
    await expectBuiltAlike()
    for (const reader of [stranger, author, mate, rival]) {
      await reader.get(decisionUrl(id), notFound('rejudging'))
      await reader.get(`/v1/rejudgings?event_id=${eventId}`, forbidden)
      for (const shadow of (await shadowsOf(id)).values())
        await reader.get(`/v1/submissions/${shadow}`, notFound('submission'))
    }
  })

  it('nor does the first submission of a tester to a problem, and its verdict (P21)', async () => {
    const readers = Object.entries({ stranger, rival, anonymous: service.anonymous })
    const before = new Map<string, Map<string, string>>()
    for (const [name, caller] of readers) before.set(name, await readAll(caller))
    const id = await store(tester, problem.id, 50, 'PENDING')
    await service.judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED' })
    for (const [name, caller] of readers) expect(await readAll(caller), name).toEqual(before.get(name))
  })

  it('are seen by staff at once, and by all after the thaw', async () => {
    const rowOf = async (caller: Caller) => {
      const { rows } = await caller.get(`${url}/standings`)
      return rows.find(({ user }: { user: Person }) => user.id === author.id)
    }
    expect(await rowOf(admin)).toMatchObject({ solved: 2 })
    expect(await rowOf(stranger)).toMatchObject({ solved: 0 })
    const readPaths = () => Promise.all(PATHS.map((path) => stranger.send('GET', `${url}/${path}`)))
    const hidden = await readPaths()
    await admin.post(`${url}/thaw`)
    expect(await rowOf(stranger)).toMatchObject({ solved: 2 })
    for (const [place, shown] of (await readPaths()).entries()) {
      expect(shown.text).not.toBe(hidden[place]?.text)
      expect(shown.headers.etag).not.toBe(hidden[place]?.headers.etag)
    }
  })
})
