import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { running, scheduled, serviceWithContests } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'

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
/** Every real id that a path may name, by the name of the parameter. */
const ids: Record<string, (string | number)[]> = {}

const contests = await serviceWithContests({ SEARCH_BACKEND: 'postgres' })
const elsewhere = await contests.service.createPerson()
const insider = await contests.service.createPerson()
for (const name of problems) await plantProblem(name)
const events = await plantEvents()
await plantActivity(events)

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
  await register(elsewhere, other)
  return { started, unbegun, other }
}

/** Teams, submissions, questions and their answers, runs, in every event and about every problem. */
async function plantActivity(events: Events): Promise<void> {
  const { admin, ask, submit, problem, service } = contests
  const eventIds = Object.values(events)
  const submissionIds = [
    await submit(admin, { problem_id: idOf('private') }),
    await submit(admin, { problem_id: idOf('hidden'), event_id: events.started }),
    await submit(insider, { problem_id: idOf('open'), event_id: events.started }),
    await submit(elsewhere, { problem_id: problem.id, event_id: events.other }),
  ]
  const teams: string[] = []
  const questions: string[] = []
  for (const id of eventIds) {
    const { body } = await ask(id === events.other ? elsewhere : insider, 'POST', `/v1/events/${id}/teams`, {
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
  Object.assign(ids, {
    ...{ event_id: eventIds, team_id: teams, question_id: questions, submission_id: submissionIds },
    problem_id: [...problemIds.values(), problem_id],
    event_problem_id: eventProblems.flatMap((byProblem) => [...byProblem.values()]),
    user_id: [admin, insider, elsewhere, contests.stranger].map(({ id }) => id),
    run_id: [run.body, anonymous.text],
  })
}

/** What some routes take in their query, besides nothing. */
function queriesOf(url: string): string[] {
  const search = (name: string, value: string | number) =>
    `?${new URLSearchParams({ [name]: String(value) })}`
  if (url === '/v1/event_details') return [search('title', 'A contest')]
  if (url === '/v1/problems') return ['', ...allMarks.map((text) => search('query', text)), '?limit=1']
  if (url.endsWith('/submissions')) {
    const [users, teams] = [ids.user_id ?? [], ids.team_id ?? []]
    return ['', ...users.map((id) => search('user', id)), ...teams.map((id) => search('team', id))]
  }
  return ['']
}

/** A route's path with every combination of real ids. */
function pathsOf(url: string): string[] {
  const [, name] = /:(\w+)/.exec(url) ?? []
  if (name === undefined) return queriesOf(url).map((query) => url + query)
  const known = url.includes('input_submissions')
    ? 'run_id'
    : url.includes('problem_description')
      ? 'problem_id'
      : name
  const values = ids[known]
  if (values === undefined) throw new Error(`no real id for ${name} of ${url}`)
  return values.flatMap((id) => pathsOf(url.replace(`:${name}`, String(id))))
}

/** Reads every GET route as somebody; answers, by route, the marks that its answers show. */
async function walk(caller: Person): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>()
  for (const { method, url } of contests.service.routes) {
    if (method !== 'GET') continue
    const marks = new Set<string>()
    for (const path of pathsOf(url)) {
      const { status, text } = await contests.ask(caller, 'GET', path)
      expect(status, path).toBeLessThan(500)
      for (const found of allMarks.filter((each) => text.includes(each))) marks.add(found)
    }
    if (marks.size > 0) seen.set(url, marks)
  }
  return seen
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
    const seen = await walk(contests.admin)
    expect(new Set([...seen.values()].flatMap((marks) => [...marks]))).toEqual(new Set(allMarks))
  })

  it('shows strangers no text of a private, a hidden or an unbegun problem, but titles in the lists of contests (D19, D33)', async () => {
    const seen = await walk(contests.stranger)
    expect(beyondTitles(seen, 'unbegun', 'open')).toEqual([])
  })

  it('shows participants of another contest no more than strangers', async () => {
    const seen = await walk(elsewhere)
    expect(beyondTitles(seen, 'unbegun', 'open')).toEqual([])
  })

  it('shows participants what their contest shows, nothing of a problem that is hidden there or of a contest that has not begun', async () => {
    const seen = await walk(insider)
    const open = marksOf('open').filter((found) => !found.includes('hidden'))
    const found = beyondTitles(seen, 'unbegun')
    expect(found.filter((line) => !open.some((own) => line.endsWith(`: ${own}`)))).toEqual([])
    expect(seen.get('/v1/problems/:problem_id')).toEqual(new Set(open))
    expect(seen.get('/v1/events/:event_id/problems/:event_problem_id')).toEqual(new Set(open))
  })
})
