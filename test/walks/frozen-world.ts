import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Person, TestApp } from '../support/app.ts'
import { type Caller, callerOf } from '../support/caller.ts'
import { type ContestService, createContest, isoIn } from '../support/contests.ts'
import type { Problem } from '../support/judging.ts'
import { storeSubmission } from '../support/standings.ts'
import { isOfContestApi, listContestUrls } from './contest-walk.ts'
import { listUrls } from './walk.ts'

/** The full score of a problem of `createScored`. */
export const FULL_SCORE = 100

/** The tester and the removed participant are not in the standings. */
type Name = 'author' | 'mate' | 'rival' | 'tester' | 'removed'

/** A submission, as it is stored; `problem` is its place in the contest. */
type Stored = readonly [person: Name, problem: 0 | 1, minute: number, status: string, score?: number]

/** A verdict that a submission gets in the freeze; with a score for a problem with points. */
type LateVerdict = { readonly status: string; readonly score?: number }

export interface FrozenContest {
  readonly problems: readonly [Problem, Problem]
  readonly fields: {
    readonly teams: boolean
    readonly end_time: string
    readonly [field: string]: unknown
  }
  /** The submissions that get no other verdict. */
  readonly rows: readonly Stored[]
  readonly frozen: readonly (readonly [Stored, LateVerdict])[]
  /** The contest is moved to these times: its cells were counted for others. */
  readonly moved: { readonly start_time: string; readonly end_time: string }
  /** How many cells are revealed before the verdicts. */
  readonly reveals: number
  /** The readers whose submissions get verdicts. */
  readonly authors: readonly Name[]
}

/** A frozen contest of teams. The first problem has no points. `minutes` go to its two ends. */
export const teamContest = (
  problems: FrozenContest['problems'],
  minutes: { readonly end: number; readonly moved: number },
): FrozenContest => ({
  problems,
  fields: { start_time: isoIn(-180), end_time: isoIn(minutes.end), freeze_time: isoIn(-90), teams: true },
  rows: [
    ['author', 0, 30, 'WRONG_ANSWER'],
    ['rival', 1, 40, 'ACCEPTED', FULL_SCORE],
    ['mate', 0, 100, 'PENDING'],
  ],
  frozen: [
    [['author', 0, 95, 'PENDING'], { status: 'ACCEPTED' }],
    [['author', 0, 100, 'WRONG_ANSWER'], { status: 'COMPILE_TIME_ERROR' }],
    [['author', 1, 120, 'ACCEPTED', FULL_SCORE], { status: 'WRONG_ANSWER', score: 30 }],
    [['tester', 1, 121, 'PENDING'], { status: 'ACCEPTED', score: FULL_SCORE }],
    [['removed', 1, 122, 'PENDING'], { status: 'ACCEPTED', score: FULL_SCORE }],
  ],
  moved: { start_time: isoIn(-190), end_time: isoIn(minutes.moved) },
  reveals: 0,
  authors: ['author'],
})

/** What a reader gets from all routes: status, bytes, tag and cursor, by the URL. */
type Sights = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Creates a problem with points. */
export const createScored = ({ createProblem }: ContestService) =>
  createProblem({ test_groups: [{ name: 'all', points: FULL_SCORE, aggregation: 'sum', cases: [1, 2] }] })

/** Creates a frozen contest with its submissions, and all that others may read of it. */
export async function createFrozenWorld(contests: ContestService, contest: FrozenContest) {
  const { service, admin } = contests
  const people = await createPeople(service)
  const problems = contest.problems.map(({ id }) => ({ problem_id: id }))
  const { end_time } = contest.fields
  const open = { ...contest.fields, scoreboard: 'public', end_time: isoIn(600) }
  const eventId = await createContest(contests, problems, open)
  const url = `/v1/events/${eventId}`
  const teamId = await joinContest(url, people, contest.fields.teams, admin)
  // A running contest cannot be moved to the past.
  await admin.post(`${url}/end`)
  await admin.put(url, { end_time }, 200)
  const { id: questionId } = await people.rival.post(`${url}/questions`, { question: 'Why?' })
  const submissions: string[] = []
  const store = async ([person, at, minute, status, score]: Stored) => {
    const [id, user_id, problem_id] = [uuidv7(), people[person].id, contest.problems[at].id]
    await storeSubmission(service, eventId, { id, user_id, problem_id, minute, status, score })
    submissions.push(id)
    return id
  }
  for (const row of contest.rows) await store(row)
  /** The ids of the frozen submissions, with the verdicts that they get. */
  const verdicts = new Map<string, object>()
  for (const [stored, verdict] of contest.frozen)
    verdicts.set(await store(stored), filled(verdict, contest.problems[stored[1]]))
  await admin.put(`${url}/participants/${people.tester.id}`, { hidden: true })
  await admin.put(`${url}/participants/${people.removed.id}`, { hidden: false })
  await admin.delete(`${url}/participants/${people.removed.id}`)
  await admin.put(url, contest.moved)
  for (let step = 0; step < contest.reveals; step += 1) await admin.post(`${url}/thaw?next=true`)
  const ids = { eventId, teamId, questionId, submissions }
  const readAll = await openReaders(contests, contest, people, ids)
  const judge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })
  const giveVerdicts = async () => {
    for (const [id, verdict] of verdicts) await judge.patch(`/v1/submissions/${id}`, verdict, 204)
  }
  /** The readers with the URLs whose response is another one than before. */
  const listChanges = async (before: Sights, from?: 'service' | 'beside') =>
    differencesOf(before, await readAll(from, [...before.keys()]))
  return { eventId, url, people, verdicts, readAll, listChanges, store, giveVerdicts }
}

async function createPeople({ createPerson }: TestApp): Promise<Record<Name, Person>> {
  const [author, mate, rival] = [await createPerson(), await createPerson(), await createPerson()]
  return { author, mate, rival, tester: await createPerson(), removed: await createPerson() }
}

/** The author and the mate are a team, if there are teams. Resolves to its id. */
async function joinContest(url: string, people: Record<Name, Person>, hasTeams: boolean, admin: Person) {
  const { author, mate, rival } = people
  for (const { id } of [author, mate, rival]) await admin.post(`${url}/participants`, { user_id: id }, 201)
  if (!hasTeams) return undefined
  const { team_id } = await author.post(`${url}/teams`, { name: 'Us' })
  await mate.post(`${url}/teams/${team_id}/join`)
  await rival.post(`${url}/teams`, { name: 'Them' })
  return String(team_id)
}

/** The verdict with a value in every field. */
function filled(verdict: LateVerdict, { cases }: Problem) {
  const failed = verdict.status !== 'ACCEPTED' && { failed_test_case_id: cases[0] }
  const outputs = { stdout: 'frozen output', stderr: 'x', time_elapsed: 1.5, memory_used: 12 }
  return { ...verdict, ...outputs, ...failed }
}

const differencesOf = (before: Sights, after: Sights) =>
  [...before].flatMap(([reader, read]) =>
    [...read]
      .filter(([url, text]) => after.get(reader)?.get(url) !== text)
      .map(([url]) => `${reader} ${url}`),
  )

type Ids = { eventId: number; teamId: string | undefined; questionId: string; submissions: string[] }

/** Values for every name in a path or a query of a GET route. */
async function idsOf(contests: ContestService, { problems }: FrozenContest, users: string[], ids: Ids) {
  const teams = ids.teamId === undefined ? [] : [ids.teamId]
  return {
    file: ['licences.txt'],
    ...{ event_id: [ids.eventId], submission_id: [...ids.submissions], question_id: [ids.questionId] },
    ...{ user_id: users, user: users, team: teams, team_id: teams, by: ['user', 'team'] },
    ...{ problem_id: problems.map(({ id }) => id), test_case_id: problems.flatMap(({ cases }) => cases) },
    event_problem_id: [...(await contests.eventProblemIds(ids.eventId)).values()],
    ...{ run_id: [], rejudging_id: [], decision_id: [], verification_id: [], name: ['x'] },
    scoreboard_token_id: [],
    ...{ title: ['Contest'], username: ['-'], query: ['x'], limit: [1] },
  }
}

/**
 * The time of the service, its state, and the document: they tell nothing of a submission. Event
 * streams begin with the time too: their tests read what follows.
 */
const UNRELATED = /^\/(ready|openapi\.json)|\/(clock|changes)$/

/** What an author may see judged: records, the own submissions and the own status (P23, P26). */
const isFrozenForAuthors = (route: string) =>
  isOfContestApi({ url: route })
    ? !/\/judgements(\/|$)/.test(route)
    : route.startsWith('/v1/events/') && !route.endsWith('/user_problem_status')

async function openReaders(
  contests: ContestService,
  contest: FrozenContest,
  people: Record<Name, Person>,
  ids: Ids,
) {
  const { service, stranger } = contests
  const { author, mate, rival } = people
  const users = [author, mate, rival].map(({ id }) => id)
  const urls = await listUrls({ contests, ids: await idsOf(contests, contest, users, ids) })
  const contestUrls = await listContestUrls({
    ...{ service, eventIds: [ids.eventId], names: [] },
    tokens: [contests.admin.token, service.judgeToken],
  })
  const related = [...urls, ...contestUrls].filter(([route]) => !UNRELATED.test(route))
  const instances = { service, beside: await service.openBeside() }
  const tokens = new Map<string, string | undefined>([
    ...Object.entries({ stranger, author, mate, rival }).map(([name, { token }]) => [name, token] as const),
    ['anonymous', undefined],
    ['scoreboard', (await contests.admin.post(`/v1/events/${ids.eventId}/scoreboard_tokens`, {}, 201)).token],
  ])
  const isAuthor = (reader: string) => contest.authors.some((name) => name === reader)
  /** What these readers get, by default all. Every list of `beside` is built anew. */
  return async (
    from: 'service' | 'beside' = 'service',
    names: readonly string[] = [...tokens.keys()],
  ): Promise<Sights> => {
    const all = new Map<string, ReadonlyMap<string, string>>()
    for (const name of names) {
      const routes = related.filter(([route]) => !isAuthor(name) || isFrozenForAuthors(route))
      const read = routes.flatMap(([, ofRoute]) => ofRoute)
      all.set(name, await readUrls(callerOf(instances[from], tokens.get(name)), read))
    }
    return all
  }
}

/** A stream begins with its position, the time of the service and a random pause. */
const withoutTime = (text: string) =>
  text.startsWith('event: ready')
    ? text.replaceAll(/^(id|retry): .*$/gm, '').replace(/"now":"[^"]*"/, '')
    : text

async function readUrls(caller: Caller, urls: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>()
  for (const url of urls) {
    const { status, text, headers } = await caller.send('GET', url)
    expect(status, url).toBeLessThan(500)
    const { etag, link, 'content-length': length } = headers
    read.set(url, [status, etag, link, length, withoutTime(text)].join('\n'))
  }
  return read
}
