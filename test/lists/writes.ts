import { v7 as uuidv7 } from 'uuid'
import type { Person, TestResponse } from '../support/app.ts'
import { isoIn, setTimes } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'
import { problemBody } from '../support/problems.ts'
import type { PolledWorld } from './polled-lists.ts'

/** The records that writes have created, for later writes to change. */
export interface Made {
  readonly problems: number[]
  readonly categories: string[]
  readonly languages: string[]
  readonly events: number[]
  readonly people: Person[]
  readonly submissions: string[]
}

/** One write; `pick` chooses its target. Undefined: there is no target, or it was no request. */
export type Write = (world: PolledWorld, made: Made, pick: number) => Promise<TestResponse | undefined>

const pickFrom = <T>(items: readonly T[], pick: number): T | undefined =>
  items[pick % Math.max(1, items.length)]

const admin = ({ judging }: PolledWorld, method: 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) =>
  judging.admin.send(method, url, body)

async function keep<T>(kept: T[], creation: Promise<TestResponse>): Promise<TestResponse> {
  const response = await creation
  if (response.status === 201) kept.push(response.body.id)
  return response
}

const removeFirst =
  (kind: 'problems' | 'categories' | 'languages' | 'events', url: string): Write =>
  async (world, made) => {
    const id = made[kind].shift()
    return id === undefined ? undefined : admin(world, 'DELETE', `${url}/${id}`)
  }

const pickProblem = ({ judging, privateId }: PolledWorld, { problems }: Made, pick: number) =>
  pickFrom([privateId, ...problems, judging.problem.id], pick)

const problemWrites: Record<string, Write> = {
  createProblem: (world, made, pick) => {
    const category_ids = pick % 3 === 0 ? [world.category.id] : []
    const fields = { public: pick % 2 === 0, user_id: world.judging.user.id, category_ids }
    return keep(made.problems, admin(world, 'POST', '/v1/problems', problemBody(fields)))
  },
  renameProblem: (world, made, pick) =>
    admin(world, 'PUT', `/v1/problems/${pickProblem(world, made, pick)}`, { title: `Title ${pick}` }),
  fileProblem: (world, made, pick) =>
    admin(world, 'PUT', `/v1/problems/${pickFrom([world.privateId, ...made.problems], pick)}`, {
      category_ids: [world.category.id, ...made.categories].slice(0, pick % 3),
    }),
  replaceCases: (world, _, pick) =>
    admin(world, 'PUT', `/v1/problems/${world.privateId}`, {
      test_cases: [{ input: `${pick}`, expected_output: '1' }],
    }),
  toggleProblem: (world, made, pick) => {
    const id = pickFrom([world.privateId, ...made.problems], pick)
    return admin(world, 'PUT', `/v1/admin/problems/${id}/toggle-visibility`)
  },
  createCategory: (world, made) =>
    keep(made.categories, admin(world, 'POST', '/v1/categories', { name: uuidv7() })),
  deleteCategory: removeFirst('categories', '/v1/categories'),
  createLanguage: (world, made) => {
    const language = { name: 'Python', extension: 'py', version: uuidv7() }
    return keep(made.languages, admin(world, 'POST', '/v1/languages', language))
  },
  retireLanguage: removeFirst('languages', '/v1/languages'),
}

const pickEvent = ({ eventId }: PolledWorld, { events }: Made, pick: number) =>
  `/v1/events/${pickFrom([eventId, ...events], pick)}`

const eventWrites: Record<string, Write> = {
  createEvent: (world, made, pick) => {
    const problems = made.problems
      .slice(0, 2)
      .map((problem_id, index) => ({ problem_id, hidden: index === pick % 2 }))
    const body = { title: `Event ${pick}`, start_time: isoIn(pick % 9), end_time: isoIn(90), problems }
    return keep(made.events, admin(world, 'POST', '/v1/events', body))
  },
  renameEvent: (world, made, pick) =>
    admin(world, 'PUT', pickEvent(world, made, pick), { title: `Renamed ${pick}` }),
  moveEvent: (world, made, pick) =>
    admin(world, 'PUT', pickEvent(world, made, pick), { start_time: isoIn(-1 - (pick % 50)) }),
  endEvent: (world, made, pick) => admin(world, 'POST', `${pickEvent(world, made, pick)}/end`),
  deleteEvent: removeFirst('events', '/v1/events'),
  addEventProblem: (world, made, pick) =>
    admin(world, 'POST', `/v1/events/${world.eventId}/problems`, {
      problem_id: pickFrom(made.problems, pick) ?? 1,
      ...(pick % 2 === 0 && { hidden: true, position: pick % 5 }),
    }),
  putBeforeStart: async ({ judging, eventId }) => void (await setTimes(judging, eventId, 30, 60)),
  putAfterEnd: async ({ judging, eventId }) => void (await setTimes(judging, eventId, -60, -30)),
  putAfterStart: async ({ judging, eventId }) => void (await setTimes(judging, eventId, -60, 60)),
}

const registerIn = (eventId: number, person: Person) =>
  person.send('POST', `/v1/public/events/${eventId}/register`)

const peopleWrites: Record<string, Write> = {
  register: async ({ judging, eventId }, made) => {
    const person = await judging.service.createPerson()
    made.people.push(person)
    return registerIn(eventId, person)
  },
  registerAuthor: ({ judging, eventId }) => registerIn(eventId, judging.user),
  registerStranger: ({ judging, eventId }) => registerIn(eventId, judging.stranger),
  makeTeam: ({ judging, eventId }, made, pick) =>
    (pickFrom(made.people, pick) ?? judging.stranger).send('POST', `/v1/events/${eventId}/teams`, {
      name: uuidv7(),
    }),
  renameUser: (world, made, pick) => {
    const person = pickFrom([world.participant, world.judging.user, ...made.people], pick)
    return admin(world, 'PUT', `/v1/users/${person?.id}`, { name: uuidv7() })
  },
  promoteUser: (world, made, pick) => {
    const person = pickFrom([world.participant, ...made.people], pick)
    return admin(world, 'PUT', `/v1/users/${person?.id}`, { is_admin: pick % 2 === 0 })
  },
  deleteUser: async (world, made) => {
    const person = made.people.shift()
    return person === undefined ? undefined : admin(world, 'DELETE', `/v1/users/${person.id}`)
  },
}

const STATUSES = ['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR'] as const

const judgingWrites: Record<string, Write> = {
  submit: ({ judging, eventId: event_id, privateId, participant }, made, pick) => {
    const person = pickFrom([participant, judging.user, ...made.people], pick) ?? participant
    const problem_id = pick % 2 === 0 ? judging.problem.id : privateId
    const body = { ...submissionBody(person, judging.problem, judging.language), event_id, problem_id }
    return keep(made.submissions, person.send('POST', '/v1/submissions', body))
  },
  judge: async ({ judging }, made, pick) => {
    const id = pickFrom(made.submissions, pick)
    const url = `/v1/submissions/${id}`
    return id === undefined
      ? undefined
      : judging.service.judge.send('PATCH', url, { status: STATUSES[pick % 3] })
  },
  createScoreboardToken: (world, _, pick) =>
    admin(world, 'POST', `/v1/events/${world.eventId}/scoreboard_tokens`, { label: `Room ${pick}` }),
  rejudge: (world) => admin(world, 'POST', '/v1/admin/rejudge', { event_id: world.eventId }),
}

/** All kinds of writes that may change a polled list, and some that do not. */
export const writes: Readonly<Record<string, Write>> = {
  ...problemWrites,
  ...eventWrites,
  ...peopleWrites,
  ...judgingWrites,
  // Last, because other writes need problems.
  deleteProblem: removeFirst('problems', '/v1/problems'),
}

export const nothingMade = (): Made => ({
  ...{ problems: [], categories: [], languages: [] },
  ...{ events: [], people: [], submissions: [] },
})
