import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { type Person, type TestResponse, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { type ContestService, serviceWithContests } from '../support/contests.ts'

/** A service whose every text is a mark that is found nowhere else. */
export interface PlantedWorld {
  readonly contests: ContestService
  /** By what they are: the text to look for. */
  readonly marks: ReadonlyMap<string, string>
  /** Who owns what is planted: an account of the bridge with a password, in a contest and on a team. */
  readonly victim: Person
  /** On the victim's team. */
  readonly mate: Person
  /** In the victim's contest, on no team. */
  readonly rival: Person
  /** In another contest. */
  readonly elsewhere: Person
  /** Every real id that a path or a query may name, by the name of the parameter. */
  readonly ids: Readonly<Record<string, readonly (string | number)[]>>
}

type Plant = (name: string) => string

/** Opens an application and plants, as its people would, everything that somebody must not see. */
export async function plantWorld(): Promise<PlantedWorld> {
  const contests = await serviceWithContests({ SEARCH_BACKEND: 'postgres', PASSWORD_RESET_DEBUG: 'true' })
  const marks = new Map<string, string>()
  const plant: Plant = (name) => {
    const mark = `${name}-${randomUUID().slice(0, 13)}`
    marks.set(name, mark)
    return mark
  }
  const { service } = contests
  const victim = await plantAccount(contests, plant, marks)
  const [mate, rival, elsewhere, gone] = await Promise.all([
    service.createPerson(),
    service.createPerson(),
    service.createPerson(),
    plantPerson(contests, plant),
  ])
  const problem = await contests.createProblem({
    test_cases: [
      { input: '1', expected_output: '1' },
      { input: plant('hiddenInput'), expected_output: plant('hiddenOutput'), hidden: true },
    ],
  })
  const problems = [{ problem_id: problem.id }]
  const arena = await contests.createEvent({ teams: true, problems })
  const other = await contests.createEvent({ teams: true, problems, title: 'Another contest' })
  for (const person of [victim, mate, rival, gone]) await contests.register(person, arena)
  await contests.register(elsewhere, other)
  const teams = await plantTeams(contests, { arena, other, victim, mate, gone, elsewhere })
  const submissions = await plantSubmissions(contests, plant, victim, problem, arena)
  const goneSource = { problem_id: problem.id, event_id: arena, source_code: plant('goneSource') }
  submissions.push(await contests.submit(gone, goneSource))
  const questions = await plantQuestions(contests, plant, { arena, victim, gone })
  const runs = await plantRuns(contests, plant, victim)
  expect(await contests.ask(gone, 'DELETE', `/v1/users/${gone.id}`)).toMatchObject({ status: 204 })
  const eventProblems = await Promise.all([arena, other].map((id) => contests.eventProblemIds(id)))
  const people = [victim, mate, rival, elsewhere, gone, contests.admin].map(({ id }) => id)
  const ids = {
    user_id: people,
    user: people,
    problem_id: [problem.id],
    submission_id: submissions,
    run_id: runs,
    event_id: [arena, other],
    event_problem_id: eventProblems.flatMap((byProblem) => [...byProblem.values()]),
    team_id: teams,
    team: teams,
    question_id: questions,
    title: ['A contest', 'Another contest'],
    username: ['', '-'],
    query: ['Answer', '-'],
    limit: [1],
  }
  return { contests, marks, victim, mate, rival, elsewhere, ids }
}

/** An account with everything that an account may have: provider, password, its hash, a reset token and that one's hash. */
async function plantAccount(
  { service }: ContestService,
  plant: Plant,
  marks: Map<string, string>,
): Promise<Person> {
  const email = `${plant('email')}@example.org`
  const account = { id: plant('providerId'), name: plant('name'), email, image: plant('image') }
  const post = async (url: string, body: unknown, token?: string): Promise<TestResponse['body']> => {
    const answer = await service.send({ method: 'POST', url, body, ...(token !== undefined && { token }) })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  await post('/v1/create_or_login_user', account, WEB_BRIDGE_SECRET)
  const { token } = await post('/v1/basic_request_password_reset', { email })
  const password = plant('password')
  await post('/v1/basic_reset_password', { email, token, new_password: password })
  const person = await post('/v1/basic_login', { email, password })
  marks.set('resetToken', (await post('/v1/basic_request_password_reset', { email })).token)
  const [row] = await service.database.query(readSecrets, [person.id])
  marks.set('passwordHash', row?.password_hash ?? '').set('resetTokenHash', row?.token_hash ?? '')
  expect([...marks.values()]).not.toContain('')
  return person
}

const readSecrets = unprepared<{
  password_hash: string
  token_hash: string
}>(`select users.password_hash, password_resets.token_hash
   from users join password_resets on password_resets.user_id = users.id
   where users.id = $1`)

/** An account that is deleted once it has left its traces. */
async function plantPerson({ service }: ContestService, plant: Plant): Promise<Person> {
  const body = {
    ...{ name: plant('goneName'), email: `${plant('goneEmail')}@example.org`, image: plant('goneImage') },
    password: 'a password of theirs',
  }
  const made = await service.send({ method: 'POST', url: '/v1/basic_register', body })
  expect(made.status, made.text).toBe(201)
  return made.body
}

async function plantTeams(
  { ask }: ContestService,
  people: { arena: number; other: number } & Record<'victim' | 'mate' | 'gone' | 'elsewhere', Person>,
): Promise<string[]> {
  const { arena, other, victim, mate, gone, elsewhere } = people
  const found = async (person: Person, eventId: number): Promise<string> => {
    const made = await ask(person, 'POST', `/v1/events/${eventId}/teams`, { name: 'A team' })
    expect(made.status, made.text).toBe(201)
    return made.body.team_id
  }
  const ours = await found(victim, arena)
  for (const person of [mate, gone]) {
    expect(await ask(person, 'POST', `/v1/events/${arena}/teams/${ours}/join`)).toMatchObject({ status: 201 })
  }
  return [ours, await found(elsewhere, other)]
}

/** One in the contest and one outside of it, judged twice, so that there is an earlier verdict as well. */
async function plantSubmissions(
  { submit, patch }: ContestService,
  plant: Plant,
  victim: Person,
  problem: { id: number; cases: readonly string[] },
  arena: number,
): Promise<string[]> {
  const submitOne = async (prefix: string, fields: object): Promise<string> => {
    const source_code = plant(`${prefix}Source`)
    const id = await submit(victim, { problem_id: problem.id, source_code, ...fields })
    for (const verdict of [`${prefix}First`, `${prefix}Last`]) {
      const result = { stdout: plant(`${verdict}ResultOut`), stderr: plant(`${verdict}ResultErr`) }
      const body = {
        ...{ status: 'WRONG_ANSWER', stdout: plant(`${verdict}Out`), stderr: plant(`${verdict}Err`) },
        test_case_results: [{ test_case_id: problem.cases[1], passed: false, ...result }],
      }
      expect(await patch(id, body)).toMatchObject({ status: 204 })
    }
    return id
  }
  return [await submitOne('contest', { event_id: arena }), await submitOne('practice', {})]
}

/** The victim asks and is answered; the ids of what is told of it are marks, too. */
async function plantQuestions(
  { ask, admin }: ContestService,
  plant: Plant,
  { arena, victim, gone }: { arena: number; victim: Person; gone: Person },
): Promise<string[]> {
  const url = `/v1/events/${arena}/questions`
  const asked: string[] = []
  for (const [person, name] of [
    [victim, 'question'],
    [gone, 'goneQuestion'],
  ] as const) {
    const { status, body } = await ask(person, 'POST', url, { question: plant(name) })
    expect(status).toBe(201)
    asked.push(body.id)
  }
  const answered = await ask(admin, 'PUT', `${url}/${asked[0]}/answer`, { answer: plant('answer') })
  expect(answered.status).toBe(200)
  return asked
}

/** A run by each of the three ways. */
async function plantRuns({ ask, language, service }: ContestService, plant: Plant, victim: Person) {
  const runs: string[] = []
  for (const way of ['', 'public/', 'bench/']) {
    const name = way === '' ? 'run' : `${way.slice(0, -1)}Run`
    const program = { source_code: plant(`${name}Source`), stdin: plant(`${name}In`) }
    const body = { language_id: language.id, ...program }
    const token = way === '' ? { token: victim.token } : {}
    const url = `/v1/${way}input_submissions`
    const { status, text: id } = await service.send({ method: 'POST', url, body, ...token })
    expect(status).toBe(201)
    const output = { stdout: plant(`${name}Out`), stderr: plant(`${name}Err`) }
    const verdict = { status: 'ACCEPTED', runtime: 0.1, ...output }
    expect(await ask('judge', 'PATCH', `/v1/input_submissions/${id}`, verdict)).toMatchObject({ status: 204 })
    runs.push(id)
  }
  return runs
}
