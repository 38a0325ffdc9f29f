import { v7 as uuidv7 } from 'uuid'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, isoIn, register, setTimes, trySubmit } from '../support/contests.ts'
import { problemBody } from '../support/problems.ts'
import type { PolledWorld } from './polled-lists.ts'

/** What the writes so far have made, for later ones to change. */
export interface Made {
  readonly problems: number[]
  readonly categories: string[]
  readonly languages: string[]
  readonly events: number[]
  readonly people: Person[]
  readonly submissions: string[]
}

/** One write; `pick` chooses what it is done to. */
export type Write = (world: PolledWorld, made: Made, pick: number) => Promise<TestResponse | undefined>

const pickFrom = <T>(items: readonly T[], pick: number): T | undefined =>
  items[pick % Math.max(1, items.length)]

const admin = (
  {
    judging: {
      service,
      admin: { token },
    },
  }: PolledWorld,
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
) => service.send({ method, url, token, body })

/** Keeps the id of what was made. */
async function keep<T>(kept: T[], made: Promise<TestResponse>): Promise<TestResponse> {
  const answer = await made
  if (answer.status === 201) kept.push(answer.body.id)
  return answer
}

const problemWrites: Record<string, Write> = {
  createProblem: (world, made, pick) => {
    const { judging, category } = world
    const fields = {
      public: pick % 2 === 0,
      user_id: judging.user.id,
      category_ids: pick % 3 === 0 ? [category.id] : [],
    }
    return keep(made.problems, admin(world, 'POST', '/v1/problems', problemBody(fields)))
  },
  renameProblem: (world, made, pick) =>
    admin(
      world,
      'PUT',
      `/v1/problems/${pickFrom([world.judging.problem.id, world.privateId, ...made.problems], pick)}`,
      { title: `Title ${pick}` },
    ),
  fileProblem: (world, made, pick) =>
    admin(world, 'PUT', `/v1/problems/${pickFrom([world.privateId, ...made.problems], pick)}`, {
      category_ids: [world.category.id, ...made.categories].slice(0, pick % 3),
    }),
  replaceCases: (world, _, pick) =>
    admin(world, 'PUT', `/v1/problems/${world.privateId}`, {
      test_cases: [{ input: `${pick}`, expected_output: '1' }],
    }),
  toggleProblem: (world, made, pick) =>
    admin(
      world,
      'PUT',
      `/v1/admin/problems/${pickFrom([world.privateId, ...made.problems], pick)}/toggle-visibility`,
    ),
  createCategory: (world, made) =>
    keep(made.categories, admin(world, 'POST', '/v1/categories', { name: uuidv7() })),
  deleteCategory: async (world, made) => {
    const id = made.categories.shift()
    return id === undefined ? undefined : admin(world, 'DELETE', `/v1/categories/${id}`)
  },
  createLanguage: (world, made) =>
    keep(
      made.languages,
      admin(world, 'POST', '/v1/languages', { name: 'Python', extension: 'py', version: uuidv7() }),
    ),
  retireLanguage: async (world, made) => {
    const id = made.languages.shift()
    return id === undefined ? undefined : admin(world, 'DELETE', `/v1/languages/${id}`)
  },
}

const eventWrites: Record<string, Write> = {
  createEvent: (world, made, pick) => {
    const problems = [...made.problems.slice(0, 2)].map((problem_id, index) => ({
      problem_id,
      hidden: index === pick % 2,
    }))
    return keep(
      made.events,
      admin(world, 'POST', '/v1/events', {
        title: `Event ${pick}`,
        start_time: isoIn(pick % 9),
        end_time: isoIn(90),
        problems,
      }),
    )
  },
  renameEvent: (world, made, pick) =>
    admin(world, 'PUT', `/v1/events/${pickFrom([world.eventId, ...made.events], pick)}`, {
      title: `Renamed ${pick}`,
    }),
  moveEvent: (world, made, pick) =>
    admin(world, 'PUT', `/v1/events/${pickFrom([world.eventId, ...made.events], pick)}`, {
      start_time: isoIn(-1 - (pick % 50)),
    }),
  endEvent: (world, made, pick) =>
    asAdmin(world.judging, 'POST', `/v1/events/${pickFrom([world.eventId, ...made.events], pick)}/end`),
  deleteEvent: async (world, made) => {
    const id = made.events.shift()
    return id === undefined ? undefined : admin(world, 'DELETE', `/v1/events/${id}`)
  },
  addEventProblem: (world, made, pick) =>
    admin(world, 'POST', `/v1/events/${world.eventId}/problems`, {
      problem_id: pickFrom(made.problems, pick) ?? 1,
    }),
  putBeforeStart: async (world) => void (await setTimes(world.judging, world.eventId, 30, 60)),
  putAfterEnd: async (world) => void (await setTimes(world.judging, world.eventId, -60, -30)),
  putAfterStart: async (world) => void (await setTimes(world.judging, world.eventId, -60, 60)),
}

const peopleWrites: Record<string, Write> = {
  register: async ({ judging, eventId }, made) => {
    const person = await judging.service.createPerson()
    await register(judging, eventId, person)
    made.people.push(person)
    return undefined
  },
  registerAuthor: ({ judging, eventId }) =>
    judging.service.send({
      method: 'POST',
      url: `/v1/public/events/${eventId}/register`,
      token: judging.user.token,
    }),
  registerStranger: ({ judging, eventId }) =>
    judging.service.send({
      method: 'POST',
      url: `/v1/public/events/${eventId}/register`,
      token: judging.stranger.token,
    }),
  makeTeam: ({ judging, eventId }, made, pick) =>
    judging.service.send({
      method: 'POST',
      url: `/v1/events/${eventId}/teams`,
      token: pickFrom(made.people, pick)?.token ?? judging.stranger.token,
      body: { name: uuidv7() },
    }),
  renameUser: (world, made, pick) =>
    admin(
      world,
      'PUT',
      `/v1/users/${pickFrom([world.participant, world.judging.user, ...made.people], pick)?.id}`,
      { name: uuidv7() },
    ),
  promoteUser: (world, made, pick) =>
    admin(world, 'PUT', `/v1/users/${pickFrom([world.participant, ...made.people], pick)?.id}`, {
      is_admin: pick % 2 === 0,
    }),
  deleteUser: async (world, made) => {
    const person = made.people.shift()
    return person === undefined ? undefined : admin(world, 'DELETE', `/v1/users/${person.id}`)
  },
}

/** Last: what they take away others want. */
const removals: Record<string, Write> = {
  deleteProblem: async (world, made) => {
    const id = made.problems.shift()
    return id === undefined ? undefined : admin(world, 'DELETE', `/v1/problems/${id}`)
  },
}

const STATUSES = ['ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR'] as const

const judgingWrites: Record<string, Write> = {
  submit: ({ judging, eventId, privateId, participant }, made, pick) => {
    const fields = { event_id: eventId, problem_id: pick % 2 === 0 ? judging.problem.id : privateId }
    return keep(
      made.submissions,
      trySubmit(judging, pickFrom([participant, judging.user, ...made.people], pick) ?? participant, fields),
    )
  },
  judge: async ({ judging }, made, pick) => {
    const id = pickFrom(made.submissions, pick)
    return id === undefined ? undefined : judging.patch(id, { status: STATUSES[pick % 3] })
  },
  rejudge: (world) => admin(world, 'POST', '/v1/admin/rejudge', { event_id: world.eventId }),
}

/** Every kind of write that may change a list that is polled, and some that do not. */
export const writes: Readonly<Record<string, Write>> = {
  ...problemWrites,
  ...eventWrites,
  ...peopleWrites,
  ...judgingWrites,
  ...removals,
}

/** Nothing made yet. */
export const nothingMade = (): Made => ({
  problems: [],
  categories: [],
  languages: [],
  events: [],
  people: [],
  submissions: [],
})
