import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { running, scheduled, serviceWithContests } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'
import { plantWorld } from './planted-world.ts'
import { type WalkedWorld, walk } from './walk.ts'

const world = await plantWorld()

/** Marks by the route that shows them. */
type Sight = Readonly<Record<string, readonly string[]>>

/** Who knows the id of a run may read what it printed, each by the way it came in alone (D27). */
const SEEN_BY_NOBODY: Sight = {
  '/v1/public/input_submissions/:id': ['publicRunOut', 'publicRunErr'],
  '/v1/bench/input_submissions/:id': ['benchRunOut', 'benchRunErr'],
}

/** A user's record is everybody's who has a token, with its e-mail; so are a contest's people, teams and questions. */
const PROFILE = ['email', 'image', 'name'] as const
const SEEN_BY_USERS: Sight = {
  ...SEEN_BY_NOBODY,
  '/v1/input_submissions/:id': ['runOut', 'runErr'],
  '/v1/users/:user_id': PROFILE,
  '/v1/public/events/:event_id': PROFILE,
  '/v1/public/events/:event_id/participants': PROFILE,
  '/v1/events/:event_id/teams/:team_id': PROFILE,
  '/v1/events/:event_id/questions': [...PROFILE, 'question', 'answer', 'goneQuestion'],
}

/** What was told of the questions of others. */
const TOLD = [...PROFILE, 'question', 'answer', 'goneQuestion']

/** What no answer to a GET shows to anybody, admins and the owner included. */
const SHOWN_TO_NO_ONE = [
  ...['password', 'passwordHash', 'resetToken', 'resetTokenHash', 'providerId'],
  ...['goneName', 'goneEmail', 'goneImage'],
]

it('shows nobody without a token anything but what the public runs whose ids they know have printed', async () => {
  expect(await sightOf()).toEqual(sorted(SEEN_BY_NOBODY))
})

it('shows a stranger no program, output, run, hidden test, notification or secret of another', async () => {
  expect(await sightOf(world.contests.stranger.token)).toEqual(sorted(SEEN_BY_USERS))
})

it('shows a participant of another contest no more than a stranger', async () => {
  expect(await sightOf(world.elsewhere.token)).toEqual(sorted(SEEN_BY_USERS))
})

it('shows a participant of the same contest no more than a stranger, but what they were told themselves', async () => {
  const seen = { ...SEEN_BY_USERS, '/v1/user/notifications': TOLD }
  expect(await sightOf(world.rival.token)).toEqual(sorted(seen))
})

it('shows a member of the same team no program and no output either, only that there was a submission (D28)', async () => {
  const seen = {
    ...SEEN_BY_USERS,
    '/v1/user/notifications': TOLD,
    '/v1/events/:event_id/teams/me': PROFILE,
    '/v1/events/:event_id/submissions': PROFILE,
  }
  expect(await sightOf(world.mate.token)).toEqual(sorted(seen))
})

it('shows every mark to its owner, an admin or a judge, but passwords, hashes, reset tokens, provider ids and who is deleted, which it shows to no one', async () => {
  const { victim, contests, marks } = world
  const seen = new Set<string>()
  for (const token of [victim.token, contests.admin.token, contests.service.judgeToken]) {
    for (const found of Object.values(await sightOf(token)).flat()) seen.add(found)
  }
  expect([...marks.keys()].filter((name) => !seen.has(name)).sort()).toEqual([...SHOWN_TO_NO_ONE].sort())
})

async function sightOf(token?: string): Promise<Sight> {
  const { contests, marks, ids } = world
  const seen = await walk({ ...contests, adminToken: contests.admin.token, marks, ids }, token)
  return sorted(Object.fromEntries([...seen].map(([url, names]) => [url, [...names]])))
}

const sorted = (sight: Sight) =>
  Object.fromEntries(Object.entries(sight).map(([url, names]) => [url, [...names].sort()]))

/** The problems with something to hide: private; hidden in a running contest; in one that has not begun; open in a running one. */
const problems = ['private', 'hidden', 'unbegun', 'open'] as const
const fields = [
  'title',
  'identifier',
  'prompt',
  'source',
  'input',
  'output',
  'hiddenInput',
  'hiddenOutput',
] as const
type Name = (typeof problems)[number]

const mark = (problem: Name, field: (typeof fields)[number]) => `secret-${problem}-${field}-secret`
const marksOf = (problem: Name) => fields.map((field) => mark(problem, field))
const allMarks = problems.flatMap(marksOf)

const problemIds = new Map<Name, number>()
const idOf = (name: Name) => problemIds.get(name) ?? 0
const contests = await serviceWithContests({ SEARCH_BACKEND: 'postgres' })
const outsider = await contests.service.createPerson()
const insider = await contests.service.createPerson()
for (const name of problems) await plantProblem(name)
const events = await plantEvents()
const ids = await plantActivity(events)

async function plantProblem(name: Name): Promise<void> {
  const { id } = await contests.createProblem({
    ...{ public: false, title: mark(name, 'title'), identifier: mark(name, 'identifier') },
    ...{ prompt: mark(name, 'prompt'), source: mark(name, 'source') },
    test_cases: [
      { input: mark(name, 'input'), expected_output: mark(name, 'output') },
      { input: mark(name, 'hiddenInput'), expected_output: mark(name, 'hiddenOutput'), hidden: true },
    ],
  })
  problemIds.set(name, id)
}

interface Events {
  readonly started: number
  readonly unbegun: number
  readonly other: number
}

async function plantEvents(): Promise<Events> {
  const { createEvent, register, problem } = contests
  const attached = [
    { problem_id: idOf('hidden'), hidden: true },
    { problem_id: idOf('open'), memory_limit: 99 },
  ]
  const started = await createEvent({ teams: true, problems: attached })
  const unbegun = await createEvent({
    ...{ ...scheduled(), teams: true },
    problems: [{ problem_id: idOf('unbegun') }, { problem_id: idOf('open') }],
  })
  const other = await createEvent({ ...running(), teams: true, problems: [{ problem_id: problem.id }] })
  for (const id of [started, unbegun]) await register(insider, id)
  await register(outsider, other)
  return { started, unbegun, other }
}

/** Teams, submissions, questions and their answers, runs, in every event and about every problem. */
async function plantActivity(events: Events): Promise<WalkedWorld['ids']> {
  const { admin, ask, submit, problem, service } = contests
  const eventIds = Object.values(events)
  const submissionIds = [
    await submit(admin, { problem_id: idOf('private') }),
    await submit(admin, { problem_id: idOf('hidden'), event_id: events.started }),
    await submit(insider, { problem_id: idOf('open'), event_id: events.started }),
    await submit(outsider, { problem_id: problem.id, event_id: events.other }),
  ]
  const teams: string[] = []
  const questions: string[] = []
  for (const id of eventIds) {
    const { body } = await ask(id === events.other ? outsider : insider, 'POST', `/v1/events/${id}/teams`, {
      name: 'Us',
    })
    teams.push(body.team_id)
    for (const problem_id of problemIds.values()) {
      const asked = await ask(admin, 'POST', `/v1/events/${id}/questions`, {
        question: 'What of it?',
        problem_id,
      })
      expect(asked.status).toBe(201)
      questions.push(asked.body.id)
      const url = `/v1/events/${id}/questions/${asked.body.id}/answer`
      expect(await ask(admin, 'PUT', url, { answer: 'Nothing.' })).toMatchObject({ status: 200 })
    }
  }
  const { user_id, problem_id, ...program } = submissionBody(admin, problem, contests.language)
  const run = await ask(admin, 'POST', '/v1/input_submissions', { ...program, user_id, stdin: '1' })
  const anonymous = await service.send({
    method: 'POST',
    url: '/v1/public/input_submissions',
    body: { ...program, stdin: '1' },
  })
  const eventProblems = await Promise.all(eventIds.map((id) => contests.eventProblemIds(id)))
  const users = [admin, insider, outsider, contests.stranger].map(({ id }) => id)
  return {
    ...{ event_id: eventIds, team_id: teams, question_id: questions, submission_id: submissionIds },
    problem_id: [...problemIds.values(), problem_id],
    event_problem_id: eventProblems.flatMap((byProblem) => [...byProblem.values()]),
    ...{ user_id: users, user: users, team: teams, run_id: [run.body, anonymous.text] },
    ...{ title: ['A contest'], username: [''], query: allMarks, limit: [1] },
  }
}

const seenBy = (caller: Person) => {
  const marks = new Map(allMarks.map((text) => [text, text]))
  return walk({ ...contests, adminToken: contests.admin.token, marks, ids }, caller.token)
}

/** What was seen by route, but for the titles that the list of a contest's problems shows to everybody (D33). */
const beyondTitles = (seen: Map<string, Set<string>>, ...allowed: Name[]) =>
  [...seen].flatMap(([url, marks]) =>
    [...marks]
      .filter(
        (found) =>
          url !== '/v1/events/:event_id/problems' || !allowed.some((name) => found === mark(name, 'title')),
      )
      .map((found) => `${url}: ${found}`),
  )

describe('a walk over every GET route with every real id', () => {
  it('shows an admin every text that was planted', async () => {
    const seen = await seenBy(contests.admin)
    expect(new Set([...seen.values()].flatMap((marks) => [...marks]))).toEqual(new Set(allMarks))
  })

  it('shows strangers no text of a private, a hidden or an unbegun problem, but titles in the lists of contests (D19, D33)', async () => {
    const seen = await seenBy(contests.stranger)
    expect(beyondTitles(seen, 'unbegun', 'open')).toEqual([])
  })

  it('shows participants of another contest no more than strangers', async () => {
    const seen = await seenBy(outsider)
    expect(beyondTitles(seen, 'unbegun', 'open')).toEqual([])
  })

  it('shows participants what their contest shows, nothing of a problem that is hidden there or of a contest that has not begun', async () => {
    const seen = await seenBy(insider)
    const open = marksOf('open').filter((found) => !found.includes('hidden'))
    const found = beyondTitles(seen, 'unbegun')
    expect(found.filter((line) => !open.some((own) => line.endsWith(`: ${own}`)))).toEqual([])
    expect(seen.get('/v1/problems/:problem_id')).toEqual(new Set(open))
    expect(seen.get('/v1/events/:event_id/problems/:event_problem_id')).toEqual(new Set(open))
  })
})
