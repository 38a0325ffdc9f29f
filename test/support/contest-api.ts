import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestResponse } from './app.ts'
import type { Caller, Expected } from './caller.ts'
import type { ContestService } from './contests.ts'
import type { Problem } from './judging.ts'
import { storePackage } from './stored-package.ts'
import { type ZipEntry, zipEntries } from './zip-packages.ts'

/** The types of collections; `contest` and `state` are single objects. */
export const COLLECTIONS = [
  ...['judgement-types', 'languages', 'problems', 'groups', 'organizations', 'teams', 'persons', 'accounts'],
  ...['submissions', 'judgements', 'runs', 'clarifications', 'awards'],
]

export interface ContestObject {
  readonly id: string
  readonly [property: string]: unknown
}

/**
 * Creates a running contest with submissions, verdicts and questions. Its scoreboard is public and
 * only staff answers questions, by default.
 */
export async function createFullContest(contests: ContestService, fields: object = {}) {
  const { service, admin, createProblem, createEvent } = contests
  const { createPerson } = service
  // The owner is no admin, and the tester a hidden participant.
  const [owner, manager, ann] = [await createPerson(), await createPerson(), await createPerson()]
  const [bob, tester, outsider] = [await createPerson(), await createPerson(), await createPerson()]
  const problems = {
    open: await createProblem(),
    secret: await createProblem({ public: false, title: 'Secret', identifier: 'secret' }),
    hidden: await createProblem({ public: false, title: 'Hidden', identifier: 'hidden' }),
  }
  const id = await createEvent({
    ...{ user_id: owner.id, staff: [manager.id], scoreboard: 'public', clarifications: 'staff' },
    problems: [
      { problem_id: problems.hidden.id, hidden: true, position: 1 },
      { problem_id: problems.secret.id, position: 2, color: '#ff8800' },
      { problem_id: problems.open.id, position: 3, color: 'pink', label: 'Z' },
    ],
    ...fields,
  })
  const url = `/v1/events/${id}`
  for (const { id: userId } of [ann, bob]) await owner.put(`${url}/participants/${userId}`, { hidden: false })
  await owner.put(`${url}/participants/${tester.id}`, { hidden: true })
  const submissions = await fillContest(contests, { id, problems, ann, bob, tester })
  await askQuestions({ url, owner, ann, bob }, problems.open.id)
  const { anonymous, judge } = service
  const base = `/v1/clics/contests/${id}`
  const callers: Readonly<Record<string, Caller>> = {
    ...{ anonymous, outsider, ann, bob, tester, owner, manager, judge, admin },
  }
  return {
    ...{ id, base, url, owner, manager, ann, bob, tester, outsider, problems, submissions, callers },
    list: (by: Caller, type: string): Promise<ContestObject[]> => by.get(`${base}/${type}`, 200),
  }
}

interface Filled {
  readonly id: number
  readonly problems: Readonly<Record<'open' | 'secret' | 'hidden', Problem>>
  readonly ann: Person
  readonly bob: Person
  readonly tester: Person
}

async function fillContest(contests: ContestService, { id: event_id, problems, ann, bob, tester }: Filled) {
  const { submit, giveVerdict, service } = contests
  const { open, secret, hidden } = problems
  const submissions = {
    ann: await submit(ann, { event_id, problem_id: open.id }),
    bob: await submit(bob, { event_id, problem_id: secret.id }),
    tester: await submit(tester, { event_id, problem_id: open.id }),
    hidden: await submit(contests.admin, { event_id, problem_id: hidden.id, user_id: bob.id }),
  }
  const [first, second] = open.cases
  await giveVerdict(submissions.ann, {
    status: 'WRONG_ANSWER',
    time_elapsed: 0.5,
    failed_test_case_id: second,
    test_case_results: [
      { test_case_id: first, passed: true, status: 'ACCEPTED', time_elapsed: 0.25 },
      { test_case_id: second, passed: false, status: 'WRONG_ANSWER', time_elapsed: 0.5 },
    ],
  })
  await giveVerdict(submissions.ann, 'ACCEPTED')
  for (const id of [submissions.bob, submissions.tester, submissions.hidden])
    await giveVerdict(id, 'TIME_LIMIT_EXCEEDED')
  await storePackage(service, secret.id, {
    metadata: { uuid: '8ee7605a-fd0e-4b6c-8b9a-1a8f2a4b7a01' },
    files: {
      'statement/problem.en.md': '# Secret',
      'statement/picture.png': 'pixels',
      'attachments/tool.py': 'print(1)',
      'submissions/accepted/secret.py': 'print(42)',
    },
  })
  const setNames = `update problem_files set name = regexp_replace(path, '.*/', '')
    where problem_id = $1 and path ~ '^(statement|attachments)/'`
  await service.database.query(unprepared(setNames), [secret.id])
  const setOptions = `update problems set judging_options = '{"limits": {"output": 8}}' where id = $1`
  await service.database.query(unprepared(setOptions), [secret.id])
  return submissions
}

/** Private questions with and without an answer, and an announcement. */
async function askQuestions(
  { url, owner, ann, bob }: { url: string; owner: Person; ann: Person; bob: Person },
  problem_id: number,
): Promise<void> {
  const { id } = await ann.post(`${url}/questions`, { question: 'Is zero even?', problem_id })
  await owner.put(`${url}/questions/${id}/answer`, { answer: 'Yes.' })
  const { id: ofBob } = await bob.post(`${url}/questions`, { question: 'When is lunch?' })
  await owner.put(`${url}/questions/${ofBob}/answer`, { answer: 'Later.' })
  await ann.post(`${url}/questions`, { question: 'Is one odd?' })
  await owner.post(`${url}/announcements`, { announcement: 'Lunch is at noon.' })
}

/** A refusal of the Contest API; the message counts only if it is given. */
export const refused = (code: number, message: unknown = expect.any(String)) => ({
  status: code,
  body: { code, message },
})

/** The `files` of a submission: a zip with these files, in Base64. */
export async function zipped(...entries: ZipEntry[]) {
  return [{ data: (await zipEntries(entries)).toString('base64') }]
}

/** The path of a contest in the Contest API. */
export const contestUrl = (eventId: number) => `/v1/clics/contests/${eventId}`

/** A value for the header Authorization of an account with a password (HTTP Basic). */
export async function registerWithPassword({ service }: ContestService, name: string): Promise<string> {
  const account = { name, email: `${name}@example.org`, password: 'staple battery horse correct' }
  await service.anonymous.post('/v1/basic_register', account, 201)
  return `Basic ${Buffer.from(`${account.email}:${account.password}`).toString('base64')}`
}

type Body = TestResponse['body']

/** Reads the objects of a contest. Each must equal what its own address returns. */
export function objectsOf(eventId: number) {
  /** The address of an object, or of another resource of the contest. */
  const url = (path: string) => `/v1/clics/contests/${eventId}/${path}`
  const list = async (caller: Caller, type: string): Promise<Body[]> => {
    const objects: Body[] = await caller.get(url(type))
    for (const object of objects) expect(await caller.get(url(`${type}/${object.id}`))).toEqual(object)
    return objects
  }
  return {
    ...{ url, list },
    /** One value of each object of a collection, in its order. */
    values: async (caller: Caller, type: string, property = 'id'): Promise<unknown[]> =>
      (await list(caller, type)).map((object) => object[property]),
    get: (caller: Caller, path: string, expected?: Expected) => caller.get(url(path), expected),
  }
}

/** The length of an id is limited (Contest API, JSON property types). */
export const OBJECT_ID = /^\w[\w.-]{0,34}[\w-]?$/
